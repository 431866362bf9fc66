# %% [markdown]
# # Preprocessing single cells
#
# What every analysis of single-cell RNA begins with: cells are scaled to the same number of molecules,
# logarithms are taken, the mean and the variance of each gene are computed, and values are smoothed along a graph
# of similar cells. Compared with SciPy and scanpy.

# %%
import ctypes
import gc
import time

import anndata
import matplotlib
import numpy as np
import scanpy
import scipy.sparse as sp
from scanpy.preprocessing._utils import _get_mean_var
from sklearn.neighbors import kneighbors_graph

import comet_sparse as ct

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

# %% [markdown]
# ## Counts
#
# The 700 blood cells that come with scanpy, of which the logarithms of scaled counts are stored. The smallest
# value of a cell is one molecule, which recovers the counts.

# %%
pbmc = scanpy.datasets.pbmc68k_reduced()
small = sp.csr_array(pbmc.raw.X).astype(np.float64)
molecules = np.expm1(small.data)
one = np.minimum.reduceat(molecules, small.indptr[:-1])
small.data = np.round(molecules / np.repeat(one, np.diff(small.indptr)))

# %% [markdown]
# As many cells as an experiment has are drawn from them, each with counts of its own. A new cell is similar to
# those that were drawn from the neighbours of its original.

# %%
random = np.random.default_rng(0)
cells = 30_000
originals = random.integers(0, small.shape[0], cells)
counts = sp.csr_array(small[originals])
counts.data = random.poisson(counts.data).astype(np.float64)
counts.eliminate_zeros()
genes = np.asarray(pbmc.raw.var_names)
print(f"{cells:,} cells, {len(genes)} genes, {counts.nnz:,} counts")

degree = 15
neighbours = kneighbors_graph(pbmc.obsm["X_pca"], degree).indices.reshape(-1, degree)[originals]
drawn = np.argsort(originals, kind="stable")
sizes = np.bincount(originals, minlength=small.shape[0])
starts = np.cumsum(sizes) - sizes
similar = np.sort(drawn[starts[neighbours] + random.integers(0, sizes[neighbours])], axis=1).astype(np.int32)
starts = np.arange(0, similar.size + 1, degree, dtype=np.int32)
graph = sp.csr_array((np.full(similar.size, 1 / degree), similar.ravel(), starts), shape=(cells, cells))

# %% [markdown]
# ## Scaling and logarithms
#
# `stored` says that log1p is taken of what is stored. The result has the pattern of `A`, so that with `out=A`
# its values are replaced where they are, and nothing is allocated.

# %%
scale = ct.compile("A[i,j] = stored(log1p(A[i,j] * s[i]))", A="csr")


def normalize(A):
    totals = ct.einsum("ij->i", A)
    scale(A, np.median(totals) / totals, out=A)


A = counts.copy()
normalize(A)

# %% [markdown]
# ## The mean and the variance of genes
#
# Sums over columns of a matrix that is stored by rows; no transpose is formed.

# %%
sums = ct.compile("t[j] = A[i,j]", A="csr")
squares = ct.compile("t[j] = A[i,j] * A[i,j]", A="csr")


def moments(A):
    mean = sums(A) / A.shape[0]
    return mean, (squares(A) - A.shape[0] * mean**2) / (A.shape[0] - 1)


mean, variance = moments(A)
most = np.sort(np.argsort(-variance / mean)[:100])
print("varies the most:", *genes[np.argsort(-variance / mean)[:8]])

# %% [markdown]
# ## Diffusion
#
# Each step replaces the values of a cell by the mean of those of its neighbours. It fills in genes that were
# missed by chance. The steps write to two arrays in turn.

# %%
spread = ct.compile("S[i,g] = G[i,j] * D[j,g]", G="csr")
D = A[:, most].toarray()


def diffuse(D, steps=4):
    arrays = (np.empty_like(D), np.empty_like(D))
    for step in range(steps):
        D = spread(graph, D, out=arrays[step % 2])
    return D


smooth = diffuse(D)
print(f"entries that are 0: {np.mean(D == 0):.0%} before, {np.mean(smooth == 0):.0%} after")

# %% [markdown]
# ## What the compiler has decided

# %%
for record in scale.explain() + sums.explain():
    print(record["message"])

# %% [markdown]
# ## How long it takes, and the memory it needs
#
# The memory is the most that the process has in use beyond what it had before, whoever allocates it.


# %%
def resident(field):
    """A field of the state of the process, in MB."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1e3 for line in status if line.startswith(field))


def measured(work, prepare=lambda: (), repeat=4):
    """The least time in milliseconds, and the memory in MB."""
    times, sizes = [], []
    for _ in range(repeat):
        arguments = prepare()
        gc.collect()
        # What was freed before and is kept for later would hide what is allocated.
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/clear_refs", "w") as peak:
            peak.write("5")
        before = resident("VmRSS")
        start = time.perf_counter()
        work(*arguments)
        times.append(time.perf_counter() - start)
        sizes.append(resident("VmHWM") - before)
    return min(times) * 1e3, min(sizes)


def scipy_normalize(A):
    totals = A.sum(axis=1)
    A.data *= np.repeat(np.median(totals) / totals, np.diff(A.indptr))
    np.log1p(A.data, out=A.data)


def scipy_moments(A):
    mean = A.sum(axis=0) / A.shape[0]
    return mean, (A.power(2).sum(axis=0) - A.shape[0] * mean**2) / (A.shape[0] - 1)


def scipy_diffuse(D, steps=4):
    for _ in range(steps):
        D = graph @ D
    return D


def scanpy_normalize(data):
    scanpy.pp.normalize_total(data)
    scanpy.pp.log1p(data)


def fresh():
    return (counts.copy(),)


def fresh_anndata():
    # A `csr_matrix`, since scanpy fails to scale a `csr_array`, and takes gigabytes until it does.
    return (anndata.AnnData(sp.csr_matrix(counts, copy=True)),)


matrix = sp.csr_matrix(A)
table = {
    "scaling and logarithms, SciPy": measured(scipy_normalize, fresh),
    "scaling and logarithms, scanpy": measured(scanpy_normalize, fresh_anndata),
    "scaling and logarithms, comet": measured(normalize, fresh),
    "mean and variance, SciPy": measured(lambda: scipy_moments(A)),
    "mean and variance, scanpy": measured(lambda: _get_mean_var(matrix)),
    "mean and variance, comet": measured(lambda: moments(A)),
    "diffusion, SciPy": measured(lambda: scipy_diffuse(D)),
    "diffusion, comet": measured(lambda: diffuse(D)),
}
print("| | ms | MB |\n|---|---|---|")
for name, (taken, size) in table.items():
    print(f"| {name} | {taken:.1f} | {size:.0f} |")

# %%
figure, axes = pyplot.subplots(figsize=(5, 3.5))
axes.loglog(mean, variance, ".", markersize=3)
axes.loglog(mean[most], variance[most], ".", markersize=3)
for gene in np.argsort(-variance / mean)[:8]:
    axes.annotate(genes[gene], (mean[gene], variance[gene]), fontsize=7)
axes.set(xlabel="mean of a gene", ylabel="variance")
figure.tight_layout()

# %% [markdown]
# ## Check

# %%
assert abs(small.data - molecules / np.repeat(one, np.diff(small.indptr))).max() < 0.2
expected = counts.copy()
scipy_normalize(expected)
assert np.allclose(A.data, expected.data)
(data,) = fresh_anndata()
scanpy_normalize(data)
assert np.allclose(A.data, data.X.data)
dense = A.toarray()
assert np.allclose(mean, dense.mean(axis=0)) and np.allclose(variance, dense.var(axis=0, ddof=1))
assert np.allclose(variance, _get_mean_var(matrix)[1])
assert np.allclose(smooth, scipy_diffuse(D))
