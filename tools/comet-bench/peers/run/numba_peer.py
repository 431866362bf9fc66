"""Loops that numba compiles: kernels whose results are dense or have the pattern of an operand. Lines come in parts of about equal numbers of
entries, which threads share. What merges rows or moves entries would be the C loops in another notation, and is left to them."""

import numba
import numpy
from numba import prange

from peer import serve

compiled = numba.njit(parallel=True, fastmath=True, cache=True)


def parts(first):
    """Where parts of the lines begin, by the first entry of each line."""
    threads = numba.get_num_threads()
    count = 1 if threads == 1 else 8 * threads
    wanted = numpy.linspace(first[0], first[-1], count + 1)
    begins = numpy.searchsorted(first, wanted)
    begins[0], begins[-1] = 0, len(first) - 1
    return begins


@compiled
def spmv(begins, pos, crd, a, x, y):
    for part in prange(len(begins) - 1):
        for i in range(begins[part], begins[part + 1]):
            total = 0.0
            for p in range(pos[i], pos[i + 1]):
                total += a[p] * x[crd[p]]
            y[i] = total


@compiled
def spmm(begins, pos, crd, a, X, Y):
    for part in prange(len(begins) - 1):
        for i in range(begins[part], begins[part + 1]):
            Y[i, :] = 0.0
            for p in range(pos[i], pos[i + 1]):
                for k in range(X.shape[1]):
                    Y[i, k] += a[p] * X[crd[p], k]


@compiled
def sddmm(begins, pos, crd, a, L, R, c):
    for part in prange(len(begins) - 1):
        for i in range(begins[part], begins[part + 1]):
            for p in range(pos[i], pos[i + 1]):
                total = 0.0
                for k in range(L.shape[1]):
                    total += L[i, k] * R[crd[p], k]
                c[p] = a[p] * total


@compiled
def ttv(begins, icrd, jpos, jcrd, kpos, kcrd, v, x, Y):
    for i in prange(Y.shape[0]):
        Y[i, :] = 0.0
    for part in prange(len(begins) - 1):
        for p in range(begins[part], begins[part + 1]):
            for q in range(jpos[p], jpos[p + 1]):
                total = 0.0
                for s in range(kpos[q], kpos[q + 1]):
                    total += v[s] * x[kcrd[s]]
                Y[icrd[p], jcrd[q]] = total


@compiled
def ttm(begins, icrd, jpos, jcrd, kpos, kcrd, v, M, Y):
    for i in prange(Y.shape[0]):
        Y[i, :, :] = 0.0
    for part in prange(len(begins) - 1):
        for p in range(begins[part], begins[part + 1]):
            for q in range(jpos[p], jpos[p + 1]):
                for s in range(kpos[q], kpos[q + 1]):
                    for r in range(M.shape[1]):
                        Y[icrd[p], jcrd[q], r] += v[s] * M[kcrd[s], r]


@compiled
def mttkrp(begins, icrd, jpos, jcrd, kpos, kcrd, v, B, D, Y):
    for i in prange(Y.shape[0]):
        Y[i, :] = 0.0
    for part in prange(len(begins) - 1):
        inner = numpy.empty(D.shape[1])
        for p in range(begins[part], begins[part + 1]):
            for q in range(jpos[p], jpos[p + 1]):
                inner[:] = 0.0
                for s in range(kpos[q], kpos[q + 1]):
                    for r in range(D.shape[1]):
                        inner[r] += v[s] * D[kcrd[s], r]
                for r in range(D.shape[1]):
                    Y[icrd[p], r] += inner[r] * B[jcrd[q], r]


def of_matrix(kernel):
    def prepare(dense, a, b):
        arguments = (parts(a.pos[1]), a.pos[1], a.crd[1], a.values, b.matrix(), dense)
        return lambda: kernel(*arguments), lambda result: dense

    return prepare


def sampled(dense, a, l, r):
    begins, lines = parts(a.pos[1]), numpy.repeat(numpy.arange(a.dims[0]), numpy.diff(a.pos[1]))

    def compute():
        pos, crd, values = a.pos[1].copy(), a.crd[1].copy(), numpy.empty_like(a.values)
        sddmm(begins, pos, crd, a.values, l.matrix(), r.matrix(), values)
        return pos, crd, values

    return compute, lambda result: (lines, result[1], result[2])


def of_tensor(kernel):
    def prepare(dense, t, *factors):
        begins = parts(t.pos[2][t.pos[1]])
        arguments = (begins, t.crd[0], t.pos[1], t.crd[1], t.pos[2], t.crd[2], t.values, *(f.matrix() for f in factors), dense)
        return lambda: kernel(*arguments), lambda result: dense

    return prepare


def of_fibers(kernel):
    """The last level as a matrix with a row for each fiber."""

    def prepare(dense, t, b):
        begins, rows = parts(t.pos[2]), numpy.repeat(t.crd[0], numpy.diff(t.pos[1]))
        factor = b.matrix()

        def compute():
            pattern = (t.crd[0].copy(), t.pos[1].copy(), t.crd[1].copy())
            values = numpy.empty((len(t.crd[1]), *factor.shape[1:]))
            kernel(begins, t.pos[2], t.crd[2], t.values, factor, values)
            return *pattern, values

        return compute, lambda result: (rows, result[2], result[3])

    return prepare


serve(
    {
        "spmv": of_matrix(spmv),
        "spmm32": of_matrix(spmm),
        "spmm64": of_matrix(spmm),
        "sddmm": sampled,
        "ttv": of_tensor(ttv),
        "ttm": of_tensor(ttm),
        "mttkrp": of_tensor(mttkrp),
        "ttv_sparse": of_fibers(spmv),
        "ttm_sparse": of_fibers(spmm),
    }
)
