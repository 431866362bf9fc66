# %% [markdown]
# # Algebraic multigrid with one expression for the Galerkin product
#
# A multigrid solver for a Poisson problem: coarse matrices are triple products PᵀAP, each cycle is made of
# products with vectors. SciPy computes the triple product as two products with a matrix between them; here it
# is one expression, and so is each step of the smoother.

# %%
import timeit

import graphblas
import matplotlib
import numpy as np
import pyamg
import scipy.sparse as sp
import scipy.sparse.linalg

import comet_sparse as ct

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

A = sp.csr_array(pyamg.gallery.poisson((300, 300), format="csr"))
A.sort_indices()
b = np.random.default_rng(0).random(A.shape[0])
print(f"{A.shape[0]:,} unknowns, {A.nnz:,} entries")

# %% [markdown]
# ## The hierarchy
#
# pyamg aggregates the unknowns and smooths the interpolation P; the coarse matrices are ours.

# %%
galerkin = ct.compile("C[i,j] = P[k,i] * A[k,l] * P[l,j]", P="csr", A="csr", C="csr")


def canonical(matrix):
    matrix = sp.csr_array(matrix)
    matrix.sum_duplicates()
    return matrix


interpolations = [
    canonical(level.P) for level in pyamg.smoothed_aggregation_solver(sp.csr_matrix(A)).levels[:-1]
]
levels = [A]
for P in interpolations:
    levels.append(galerkin(P, levels[-1]))
for matrix in levels:
    print(f"{matrix.shape[0]:8,} unknowns, {matrix.nnz:9,} entries")

# %% [markdown]
# ## The cycle
#
# A step of weighted Jacobi is x + w (b - A x) / d, computed without the residual between.

# %%
smooth = ct.compile("y[i] = x[i] + w * (b[i] - A[i,j] * x[j]) / d[i]", A="csr")
residual = ct.compile("r[i] = b[i] - A[i,j] * x[j]", A="csr")
restrict = ct.compile("c[j] = P[i,j] * r[i]", P="csr")
prolong = ct.compile("y[i] = x[i] + P[i,j] * c[j]", P="csr")
diagonals = [matrix.diagonal() for matrix in levels]
coarsest = scipy.sparse.linalg.factorized(sp.csc_matrix(levels[-1]))


def step(kernel, level, x, b):
    return kernel(**{"x": x, "b": b, "A": levels[level], "d": diagonals[level], "w": 0.66})


def cycle(x, b, level=0):
    """A V-cycle: one step of smoothing before and behind the correction from the coarser level."""
    if level == len(levels) - 1:
        return coarsest(b)
    x = step(smooth, level, x, b)
    r = residual(b=b, A=levels[level], x=x)
    c = cycle(np.zeros(levels[level + 1].shape[0]), restrict(P=interpolations[level], r=r), level + 1)
    x = prolong(x=x, P=interpolations[level], c=c)
    return step(smooth, level, x, b)


# %% [markdown]
# The cycle is the preconditioner of conjugate gradients.

# %%
norms = [np.linalg.norm(b)]
preconditioner = scipy.sparse.linalg.LinearOperator(A.shape, lambda r: cycle(np.zeros_like(b), np.ravel(r)))
x, failed = scipy.sparse.linalg.cg(
    A, b, rtol=1e-9, M=preconditioner, callback=lambda x: norms.append(np.linalg.norm(residual(b=b, A=A, x=x)))
)
print(f"the residual falls by {norms[-1] / norms[0]:.1e} in {len(norms) - 1} steps")

# %% [markdown]
# ## What the compiler has decided

# %%
for record in galerkin.explain():
    print(record["message"].splitlines()[0])

# %% [markdown]
# ## How long the triple product takes
#
# python-graphblas has matrices of its own, which are made beforehand.


# %%
def seconds(work, repeat=7):
    return min(timeit.repeat(work, number=1, repeat=repeat))


P = interpolations[0]
PG, AG = graphblas.io.from_scipy_sparse(P), graphblas.io.from_scipy_sparse(A)


def graphblas_galerkin():
    left = (PG.T @ AG).new()
    result = (left @ PG).new()
    result.wait()
    return result


times = {
    "SciPy, P.T @ A @ P": seconds(lambda: P.T @ A @ P),
    "python-graphblas, two products": seconds(graphblas_galerkin),
    "comet, one expression": seconds(lambda: galerkin(P, A)),
}
print("| | ms |\n|---|---|")
for name, taken in times.items():
    print(f"| {name} | {taken * 1e3:.1f} |")

# %%
figure, axes = pyplot.subplots(figsize=(5, 3))
axes.semilogy(norms, marker="o", markersize=3)
axes.set(xlabel="step", ylabel="norm of the residual")
figure.tight_layout()

# %% [markdown]
# ## Check

# %%
for P, fine, coarse in zip(interpolations, levels, levels[1:]):
    assert abs(P.T @ fine @ P - coarse).max() < 1e-10
assert abs(graphblas.io.to_scipy_sparse(graphblas_galerkin()) - levels[1]).max() < 1e-10
assert not failed and norms[-1] < 1e-8 * norms[0] and len(norms) < 40
assert np.allclose(A @ x, b, atol=1e-6)
