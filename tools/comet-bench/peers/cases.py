"""Times SciPy on a case of `comet-bench cases`; prints the seconds of each repetition, or `none` where it has no such operation. The
result's entries go to RESULT, unless that is `-`.

    cases.py CASE REPETITIONS RESULT EXTENTS=FILE...

What the operands look like before the time begins is SciPy's choice: it has CSR and COO, and of a tensor the matrix of the lines along a mode.
"""

import sys
import time

import numpy
import scipy.sparse


def read(argument):
    extents, path = argument.split("=", 1)
    table = numpy.loadtxt(path, ndmin=2)
    coordinates = tuple((column - 1).astype("i4") for column in table.T[:-1])
    shape = tuple(int(extent) for extent in extents.split("x"))
    return scipy.sparse.coo_array((table[:, -1].copy(), coordinates), shape=shape)


def is_sorted(matrix):
    matrix.sort_indices()
    return matrix


def entries(result):
    """Coordinates and values of a result."""
    result = result.tocoo()
    return result.coords, result.data


def copy_sorted(permutation):
    def compute():
        copy = operands[0].transpose(permutation, copy=True)
        copy.has_canonical_format = False
        copy.sum_duplicates()
        return copy

    return compute, entries


class Lines:
    """The matrix whose columns are a mode of a tensor, and whose rows are the pairs of the others."""

    def __init__(self, tensor, mode):
        others = [other for other in range(3) if other != mode]
        self.extents = tuple(tensor.shape[other] for other in others)
        rows = numpy.ravel_multi_index([tensor.coords[other] for other in others], self.extents)
        shape = (self.extents[0] * self.extents[1], tensor.shape[mode])
        self.matrix = scipy.sparse.csr_array((tensor.data, (rows, tensor.coords[mode])), shape=shape)

    def pairs(self, rows):
        return numpy.unravel_index(rows, self.extents)


def times_vector(mode):
    lines, vector = Lines(operands[0], mode), operands[1].reshape((-1, 1)).tocsr()
    return lambda: (lines.matrix @ vector).reshape(lines.extents).tocsr(), entries


def times_matrix(mode):
    lines, matrix = Lines(operands[0], mode), operands[1].tocsr()

    def triples(result):
        (rows, columns), values = entries(result)
        return (*lines.pairs(rows), columns), values

    return lambda: is_sorted(lines.matrix @ matrix), triples


def times_khatri_rao(mode):
    """The last of the other modes is multiplied first; of the lines, only those with entries."""
    last = 1 if mode == 2 else 2
    lines = Lines(operands[0], last)
    stored = numpy.flatnonzero(numpy.diff(lines.matrix.indptr))
    kept, inner = lines.pairs(stored) if mode < 3 - mode - last else lines.pairs(stored)[::-1]
    first, second, matrix = operands[1].tocsr(), operands[2].tocsr(), lines.matrix[stored]
    ones = numpy.ones(len(stored))
    sums = scipy.sparse.csr_array((ones, (kept, numpy.arange(len(stored)))), shape=(operands[0].shape[mode], len(stored)))
    return lambda: is_sorted(sums @ (matrix @ second).multiply(first[inner]).tocsr()), entries


def kronecker():
    a, b = operands[0].tocsr(), operands[1].tocsr()

    def quadruples(result):
        (rows, columns), values = entries(result)
        rows, columns = (divmod(place, extent) for place, extent in zip((rows, columns), b.shape))
        return (*rows, *columns), values

    return lambda: is_sorted(scipy.sparse.kron(a, b, format="csr")), quadruples


def of_matrices(compute):
    """Of matrices in CSR."""
    matrices = [operand.tocsr() for operand in operands]
    return lambda: is_sorted(compute(*matrices)), entries


def masked():
    mask = operands[2].tocsr()
    mask.data[:] = 1
    matrices = [operand.tocsr() for operand in operands[:2]]
    return lambda: is_sorted((matrices[0] @ matrices[1]).multiply(mask).tocsr()), entries


cases = {
    "transpose-csr": lambda: of_matrices(lambda a: a.T.tocsr()),
    "transpose-coo": lambda: copy_sorted((1, 0)),
    "permuted-copy-coo": lambda: copy_sorted((2, 0, 1)),
    "permuted-copy-csf": lambda: copy_sorted((2, 0, 1)),
    "sum-with-transpose": lambda: of_matrices(lambda a, b: a + b.T.tocsr()),
    "spgemm": lambda: of_matrices(lambda a, b: a @ b),
    "spgemm-coo": lambda: (of_matrices(lambda a, b: a @ b)[0], entries),
    "spgemm-masked": masked,
    "three-factors": lambda: of_matrices(lambda a, b, c: (a @ b) @ c),
    "ttv-i": lambda: times_vector(0),
    "ttv-j": lambda: times_vector(1),
    "ttv-k": lambda: times_vector(2),
    "ttm-i": lambda: times_matrix(0),
    "ttm-j": lambda: times_matrix(1),
    "ttm-k": lambda: times_matrix(2),
    "mttkrp-i": lambda: times_khatri_rao(0),
    "mttkrp-j": lambda: times_khatri_rao(1),
    "mttkrp-k": lambda: times_khatri_rao(2),
    "kronecker": kronecker,
}

case, repetitions, written, *files = sys.argv[1:]
if case not in cases:
    print("none")
    sys.exit()
operands = [read(file) for file in files]
compute, triples_of = cases[case]()
for _ in range(int(repetitions)):
    start = time.perf_counter()
    result = compute()
    del result
    print(f"{time.perf_counter() - start:.9f}")
if written != "-":
    coordinates, values = triples_of(compute())
    columns = [numpy.asarray(column, dtype="i8") + 1 for column in coordinates]
    numpy.savetxt(written, numpy.column_stack([*columns, values]), fmt=["%d"] * len(columns) + ["%.17g"])
