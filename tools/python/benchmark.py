"""Times of comet and of other packages on the same matrices, as a table of ratios.

    python benchmark.py FOLDER [--threads 1 2] [--rounds 7]

FOLDER has matrices (`.mtx.gz`) and tensors (`.tns.gz`). All packages run in turns in one process; a ratio is the
median time of comet over that of the fastest other package, each with as many threads as it can use of the number
that is asked for. Results are compared before anything is timed.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Before the packages are loaded: threads of one that wait for its next call would spin while another one runs.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("KMP_BLOCKTIME", "0")

import numpy as np
import scipy.sparse as sp

import comet_sparse as ct

MATRICES = ("bcsstk16", "delaunay_n15", "memplus", "ca-AstroPh", "ship_001", "rajat01")
TENSORS = ("kg_WN18RR", "splatt_med")

Way = Callable[[], Any]


def matrix_cases(name: str, path: Path) -> Iterator[tuple[str, dict[str, Way]]]:
    """Each expression on a matrix, by package."""
    A = sp.csr_array(ct.read(path)).astype(np.float64)
    A.sort_indices()
    rng = np.random.default_rng(0)
    rows, columns = A.shape
    B = sp.csr_array((rng.random(A.nnz), A.indices, A.indptr), shape=A.shape)
    x, D = rng.random(columns), rng.random((columns, 32))
    U, V = rng.random((rows, 16)), rng.random((columns, 16))
    yield "A x", {
        "comet": lambda: ct.einsum("ij,j->i", A, x),
        "scipy": lambda: A @ x,
        **graphblas(lambda gb: gb_matvec(gb, A, x)),
        **torch(lambda torch: torch_product(torch, A, x)),
        **pydata(lambda sparse: (lambda S: lambda: S @ x)(sparse.GCXS.from_scipy_sparse(A))),
    }
    yield "A D, 32 columns", {
        "comet": lambda: ct.einsum("ij,jk->ik", A, D),
        "scipy": lambda: A @ D,
        **torch(lambda torch: torch_product(torch, A, D)),
        **pydata(lambda sparse: (lambda S: lambda: S @ D)(sparse.GCXS.from_scipy_sparse(A))),
    }
    yield "A + B", {
        "comet": lambda: ct.evaluate("C[i,j] = A[i,j] + B[i,j]", A=A, B=B),
        "scipy": lambda: A + B,
        **graphblas(lambda gb: gb_add(gb, A, B)),
        **torch(lambda torch: torch_sum(torch, A, B)),
    }
    yield "A .* (U Vᵀ)", {
        "comet": lambda: ct.einsum("ij,ik,jk->ij", A, U, V),
        "numba": sddmm(A, U, V),
        **torch(lambda torch: torch_sddmm(torch, A, U, V)),
    }
    if rows == columns and A.nnz * (A.nnz / rows) < 1e8:
        P = aggregates(rows, rng)
        yield "A A", {
            "comet": lambda: ct.einsum("ik,kj->ij", A, A),
            "scipy": lambda: A @ A,
            **graphblas(lambda gb: gb_product(gb, A, A)),
            **torch(lambda torch: torch_product(torch, A, A)),
        }
        yield "Pᵀ A P", {
            "comet": lambda: ct.einsum("ki,kl,lj->ij", P, A, P),
            "scipy": lambda: P.T @ A @ P,
            **graphblas(lambda gb: gb_triple_product(gb, P, A)),
            **torch(lambda torch: torch_triple_product(torch, P, A)),
        }


def tensor_cases(name: str, path: Path) -> Iterator[tuple[str, dict[str, Way]]]:
    T = ct.read(path, "csf")
    rng = np.random.default_rng(0)
    D, E = (rng.random((extent, 16)) for extent in T.shape[1:3])
    if T.ndim == 3:
        values, coords = T.to_coo()
        yield "MTTKRP", {
            "comet": lambda: ct.einsum("ikl,kj,lj->ij", T, D, E),
            "numba": mttkrp(values, coords, T.shape[0], D, E),
        }


def aggregates(rows: int, rng: np.random.Generator) -> sp.csr_array:
    """An interpolation of blocks of four rows, with weights."""
    columns = np.arange(rows) // 4
    return sp.csr_array((rng.random(rows) + 0.5, columns, np.arange(rows + 1)), shape=(rows, int(columns.max()) + 1))


def sddmm(A: sp.csr_array, U: np.ndarray, V: np.ndarray) -> Way:
    import numba

    @numba.njit(parallel=True, fastmath=True)  # type: ignore[misc]
    def values(indptr: Any, indices: Any, data: Any, U: Any, V: Any, out: Any) -> None:
        for i in numba.prange(len(indptr) - 1):
            for p in range(indptr[i], indptr[i + 1]):
                total = 0.0
                for k in range(U.shape[1]):
                    total += U[i, k] * V[indices[p], k]
                out[p] = data[p] * total

    def run() -> sp.csr_array:
        out = np.empty_like(A.data)
        values(A.indptr, A.indices, A.data, U, V, out)
        return sp.csr_array((out, A.indices, A.indptr), shape=A.shape)

    return run


def mttkrp(values: Any, coords: Any, rows: int, D: np.ndarray, E: np.ndarray) -> Way:
    import numba

    @numba.njit(fastmath=True)  # type: ignore[misc]
    def add(values: Any, i: Any, k: Any, l: Any, D: Any, E: Any, out: Any) -> None:
        for p in range(len(values)):
            for j in range(D.shape[1]):
                out[i[p], j] += values[p] * D[k[p], j] * E[l[p], j]

    def run() -> np.ndarray:
        out = np.zeros((rows, D.shape[1]))
        add(values, *coords, D, E, out)
        return out

    return run


def graphblas(make: Callable[[Any], Way]) -> dict[str, Way]:
    try:
        import graphblas as gb
    except ImportError:
        return {}
    return {"graphblas": make(gb)}


def torch(make: Callable[[Any], Way]) -> dict[str, Way]:
    try:
        import torch
    except ImportError:
        return {}
    return {"torch": make(torch)}


def pydata(make: Callable[[Any], Way]) -> dict[str, Way]:
    try:
        import sparse
    except ImportError:
        return {}
    return {"sparse": make(sparse)}


def gb_matvec(gb: Any, A: sp.csr_array, x: np.ndarray) -> Way:
    M, v = gb.io.from_scipy_sparse(A), gb.Vector.from_dense(x)
    return lambda: M.mxv(v, gb.semiring.plus_times).new().to_dense(fill_value=0.0)


def gb_add(gb: Any, A: sp.csr_array, B: sp.csr_array) -> Way:
    M, N = gb.io.from_scipy_sparse(A), gb.io.from_scipy_sparse(B)
    return lambda: M.ewise_add(N, gb.binary.plus).new()


def gb_product(gb: Any, A: sp.csr_array, B: sp.csr_array) -> Way:
    M, N = gb.io.from_scipy_sparse(A), gb.io.from_scipy_sparse(B)
    return lambda: M.mxm(N, gb.semiring.plus_times).new()


def gb_triple_product(gb: Any, P: sp.csr_array, A: sp.csr_array) -> Way:
    M, N = gb.io.from_scipy_sparse(P), gb.io.from_scipy_sparse(A)
    times = gb.semiring.plus_times
    return lambda: M.T.mxm(N.mxm(M, times).new(), times).new()


def torch_matrix(torch: Any, A: sp.csr_array) -> Any:
    return torch.sparse_csr_tensor(*map(torch.from_numpy, (A.indptr, A.indices, A.data)), size=A.shape)


def torch_product(torch: Any, A: sp.csr_array, B: Any) -> Way:
    M = torch_matrix(torch, A)
    N = torch_matrix(torch, B) if sp.issparse(B) else torch.from_numpy(B)
    return lambda: M @ N


def torch_sum(torch: Any, A: sp.csr_array, B: sp.csr_array) -> Way:
    M, N = torch_matrix(torch, A), torch_matrix(torch, B)
    return lambda: M + N


def torch_triple_product(torch: Any, P: sp.csr_array, A: sp.csr_array) -> Way:
    R, M, N = torch_matrix(torch, sp.csr_array(P.T)), torch_matrix(torch, A), torch_matrix(torch, P)
    return lambda: R @ (M @ N)


def torch_sddmm(torch: Any, A: sp.csr_array, U: np.ndarray, V: np.ndarray) -> Way:
    M, left, right = torch_matrix(torch, A), torch.from_numpy(U), torch.from_numpy(V).T
    pattern = torch_matrix(torch, sp.csr_array((np.ones(A.nnz), A.indices, A.indptr), shape=A.shape))

    def run() -> Any:
        product = torch.sparse.sampled_addmm(pattern, left, right, beta=0.0)
        return torch.sparse_csr_tensor(
            M.crow_indices(), M.col_indices(), M.values() * product.values(), size=M.shape, check_invariants=False
        )

    return run


def plain(result: Any) -> Any:
    """A result as an array of NumPy's or SciPy's."""
    package = type(result).__module__.partition(".")[0]
    if package == "graphblas":
        import graphblas as gb

        return gb.io.to_scipy_sparse(result)
    if package == "torch":
        import torch

        if result.layout == torch.strided:
            return result.numpy()
        arrays = (result.values().numpy(), result.col_indices().numpy(), result.crow_indices().numpy())
        return sp.csr_array(arrays, shape=tuple(result.shape))
    return result.to_scipy() if hasattr(result, "to_scipy") else result


def same(result: Any, expected: Any) -> bool:
    result, expected = plain(result), plain(expected)
    if sp.issparse(result) or sp.issparse(expected):
        difference = abs(sp.csr_array(result) - sp.csr_array(expected))
        return difference.nnz == 0 or difference.max() <= 1e-8 * max(1.0, abs(sp.csr_array(expected)).max())
    return bool(np.allclose(np.asarray(result), np.asarray(expected), rtol=1e-8))


def measured(ways: dict[str, Way], rounds: int) -> dict[str, float]:
    """The median time of each way, in seconds; in turns, each as often as takes a hundredth of a second."""
    counts = {}
    for name, way in ways.items():
        way()
        start = time.perf_counter()
        way()
        counts[name] = max(1, int(0.01 / (time.perf_counter() - start + 1e-9)))
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            for _ in range(counts[name]):
                way()
            times[name].append((time.perf_counter() - start) / counts[name])
    return {name: statistics.median(taken) for name, taken in times.items()}


def set_threads(threads: int) -> None:
    ct.set_num_threads(threads)
    try:
        import numba

        numba.set_num_threads(threads)
    except ImportError:
        pass
    try:
        import torch

        torch.set_num_threads(threads)
    except ImportError:
        pass
    try:
        import graphblas as gb

        gb.ss.config["nthreads"] = threads
    except (ImportError, AttributeError):
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", nargs="+", help="names of matrices and tensors")
    arguments = parser.parse_args()
    print("| expression | data | threads | comet, ms | fastest other | ratio |")
    print("|---|---|---|---|---|---|")
    for names, ending, cases in ((MATRICES, "mtx.gz", matrix_cases), (TENSORS, "tns.gz", tensor_cases)):
        for name in names:
            path = arguments.folder / f"{name}.{ending}"
            if not path.exists() or (arguments.only and name not in arguments.only):
                continue
            for expression, ways in cases(name, path):
                results = {package: way() for package, way in ways.items()}
                expected = results["comet"]
                wrong = [package for package, result in results.items() if not same(result, expected)]
                assert not wrong, f"{expression} of {name}: {wrong} differ"
                for threads in arguments.threads:
                    set_threads(threads)
                    times = measured(ways, arguments.rounds)
                    own = times.pop("comet")
                    other = min(times, key=lambda package: times[package])
                    cells = (expression, name, threads, f"{own * 1e3:.3f}", other, f"{own / times[other]:.2f}")
                    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
