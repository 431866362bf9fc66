# %% [markdown]
# # Graphs by algebra
#
# Triangles, shortest paths, PageRank and breadth-first search as products over semirings, on a scale-free graph,
# compared with networkx, SciPy and python-graphblas.

# %%
import timeit

import graphblas
import matplotlib
import networkx as nx
import numpy as np
import scipy.sparse as sp
import scipy.sparse.csgraph

import comet_sparse as ct

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

graph = nx.barabasi_albert_graph(20_000, 6, seed=1)
A = sp.csr_array(nx.to_scipy_sparse_array(graph, dtype=np.float64, format="csr"))
A.sort_indices()
print(f"{A.shape[0]:,} nodes, {A.nnz:,} entries")

# %% [markdown]
# ## Triangles
#
# The number of common neighbours of the ends of each edge: a product that is computed only where there is an
# edge, and that counts pairs in the place of multiplying.

# %%
common = ct.einsum("ik,kj->ij", A, A, mask=A, semiring="plus_pair")
triangles = ct.einsum("ij->i", common) / 2
print(f"{triangles.sum() / 3:,.0f} triangles")

# %% [markdown]
# ## Shortest paths from a node
#
# Bellman and Ford's algorithm relaxes all edges at once: d[i] = min(d[i], min over j of (W[j,i] + d[j])).

# %%
weights = np.random.default_rng(0).integers(1, 10, A.nnz).astype(float)
W = sp.csr_array((weights, A.indices, A.indptr), shape=A.shape)
relax = ct.compile("e[i] = min(d[i], t[i])")
distances = np.full(A.shape[0], np.inf)
distances[0] = 0
for step in range(A.shape[0]):
    through = ct.einsum("ji,j->i", W, distances, semiring="min_plus")
    new = relax(d=distances, t=through)
    if (new == distances).all():
        break
    distances = new
print(f"{step} steps, the farthest node is {distances.max():.0f} away")

# %% [markdown]
# ## PageRank

# %%
degrees = ct.einsum("ij->i", A)
rank_step = ct.compile("q[i] = s + 0.85 * (A[j,i] * (r[j] / n[j]))", A="csr")
rank = np.full(A.shape[0], 1 / A.shape[0])
for _ in range(60):
    rank = rank_step(A=A, r=rank, n=degrees, s=0.15 / A.shape[0])
print(f"the most important node is {rank.argmax()}, with {rank.max():.4f}")

# %% [markdown]
# ## Breadth-first search
#
# The next front are the neighbours of this one that were not seen before: a product over or and and.

# %%
B = A.astype(bool)
reach = ct.compile("g[i] = B[j,i] @(|,&) f[j]", B="csr", dtype="bool")
level = np.full(A.shape[0], -1)
front = np.zeros(A.shape[0], dtype=bool)
front[0] = True
depth = 0
while front.any():
    level[front] = depth
    front = reach(B=B, f=front) & (level < 0)
    depth += 1
print(np.bincount(level), "nodes at each distance")

# %% [markdown]
# ## What the compiler has decided
#
# About the product of the triangles, which is written so as a statement.

# %%
triangle_step = ct.compile("C[i,j]<M> = A[i,k] @(+,pair) A[k,j]", A="csr", M="csr")
for record in triangle_step.explain():
    print(record["message"])

# %% [markdown]
# ## How long triangles take
#
# python-graphblas has a matrix of its own, which is made beforehand.


# %%
def seconds(work, repeat=5):
    return min(timeit.repeat(work, number=1, repeat=repeat))


G = graphblas.io.from_scipy_sparse(A)


def graphblas_common():
    result = graphblas.Matrix(G.dtype, *G.shape)
    result(G.S) << graphblas.semiring.plus_pair(G @ G)
    result.wait()
    return result


times = {
    "networkx": seconds(lambda: nx.triangles(graph), 1),
    "SciPy, (A @ A) * A": seconds(lambda: (A @ A).multiply(A)),
    "python-graphblas, masked": seconds(graphblas_common),
    "comet, masked": seconds(lambda: ct.einsum("ik,kj->ij", A, A, mask=A, semiring="plus_pair")),
}
print("| | ms |\n|---|---|")
for name, taken in times.items():
    print(f"| {name} | {taken * 1e3:.1f} |")

# %%
figure, axes = pyplot.subplots(figsize=(5, 3))
axes.loglog(degrees, triangles + 1, ".", markersize=2)
axes.set(xlabel="degree", ylabel="triangles + 1")
figure.tight_layout()

# %% [markdown]
# ## Check

# %%
dense = (A @ A).multiply(A)
assert np.allclose(triangles, np.asarray(dense.sum(axis=1)).ravel() / 2)
assert np.allclose(graphblas_common().reduce_rowwise().new().to_dense(fill_value=0), 2 * triangles)
found = sp.csgraph.dijkstra(sp.csr_matrix(W), indices=0)
assert np.allclose(distances, found)
lengths = nx.single_source_shortest_path_length(graph, 0)
assert all(level[node] == length for node, length in lengths.items())
assert abs(rank.sum() - 1) < 1e-6
