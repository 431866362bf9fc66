"""SciPy's sparse matrices, and NumPy's tensordot. Tensors are arranged as matrices before anything is timed: a fiber becomes a row."""

import numpy
import scipy.sparse

from peer import serve


def csr(t):
    return scipy.sparse.csr_array((t.values, t.crd[1], t.pos[1]), shape=t.dims)


def entries(matrix):
    """Rows, columns and values of a matrix in CSR, or columns, rows and values of one in CSC."""
    lines = numpy.repeat(numpy.arange(len(matrix.indptr) - 1), numpy.diff(matrix.indptr))
    return lines, matrix.indices, matrix.data


def multiplied(dense, a, b):
    A, B = csr(a), b.matrix()
    return lambda: A @ B, lambda result: result


def of_matrices(compute):
    def prepare(dense, *operands):
        matrices = [csr(operand) for operand in operands]
        return lambda: compute(*matrices), entries

    return prepare


def sorted_product(A, B):
    product = A @ B
    product.sort_indices()
    return product


def converted(dense, a):
    A = scipy.sparse.coo_array((a.values, (a.crd[0], a.crd[1])), shape=a.dims)
    A.has_canonical_format = True
    return A.tocsr, entries


def fibers(t, pos, rows):
    return scipy.sparse.csr_array((t.values, t.crd[2], pos), shape=(rows, t.dims[2]))


def fibers_multiplied(dense, t, b):
    """All fibers are rows, also those without entries."""
    count = t.dims[0] * t.dims[1]
    numbers = numpy.repeat(t.crd[0].astype("i8"), numpy.diff(t.pos[1])) * t.dims[1] + t.crd[1]
    pos = numpy.zeros(count + 1, "i4")
    pos[numbers + 1] = numpy.diff(t.pos[2])
    A, B = fibers(t, numpy.cumsum(pos, dtype="i4"), count), b.matrix()
    return lambda: A @ B, lambda result: result


def stored_fibers_multiplied(dense, t, b):
    A, B = fibers(t, t.pos[2], len(t.crd[1])), b.matrix()
    rows = numpy.repeat(t.crd[0], numpy.diff(t.pos[1]))
    compute = lambda: (t.crd[0].copy(), t.pos[1].copy(), t.crd[1].copy(), A @ B)
    return compute, lambda result: (rows, result[2], result[3])


def contracted(dense, a, b):
    A, B = a.matrix(), b.matrix()
    # What it gives is a view of C[a,d,b,c] in the order that is wanted.
    return lambda: numpy.tensordot(A, B, axes=([1, 3], [3, 1])).transpose(0, 2, 3, 1), lambda result: result


serve(
    {
        "spmv": multiplied,
        "spmm32": multiplied,
        "spmm64": multiplied,
        "spgemm": of_matrices(sorted_product),
        "spgemm_to_csc": of_matrices(lambda A, B: (A @ B).tocsc()),
        "add2": of_matrices(lambda A, B: A + B),
        "add3": of_matrices(lambda A, B, C: A + B + C),
        "multiply": of_matrices(lambda A, B: A.multiply(B)),
        "csr_to_csc": of_matrices(lambda A: A.tocsc()),
        "coo_to_csr": converted,
        "ttv": fibers_multiplied,
        "ttm": fibers_multiplied,
        "ttv_sparse": stored_fibers_multiplied,
        "ttm_sparse": stored_fibers_multiplied,
        "dense4": contracted,
    }
)
