"""What comet and SciPy each make of the same matrices: values, classes, formats and stored zeros.

Values are always equal. The rest is pinned on both sides, so that a change of either is seen;
`docs/scipy.md` is the table for users.
"""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import scipy
import scipy.sparse as sp

import comet_sparse as ct
from known_bugs import known
from oracle import entries_of

Entered = Sequence[tuple[int, int, float]]
FORMATS = ["csr", "csc", "coo", "bsr"]
# Each has a stored zero at a place where the other has an entry, and one where both have one.
A = [(0, 0, 1), (0, 1, 0), (1, 2, 3), (2, 2, -2), (3, 0, 4), (3, 3, 0), (2, 1, 7)]
B = [(0, 0, -1), (0, 1, 5), (1, 0, 0), (1, 2, 5), (2, 1, 7), (3, 3, 0), (2, 0, 2)]


@pytest.fixture(autouse=True)
def _blocks_are_copied() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ct.CopyWarning)
        yield


def matrix(entries: Entered, format: str, kind: str = "array") -> Any:
    """A 4 × 4 matrix of these entries, zeros among them, in blocks of 2 × 2 where it is of blocks."""
    rows, columns, values = (np.array(part) for part in zip(*sorted(entries)))
    made = sp.coo_array((values.astype(float), (rows.astype(np.int32), columns.astype(np.int32))), shape=(4, 4))
    made = made.tocsr().tobsr((2, 2)) if format == "bsr" else made.asformat(format)
    return getattr(sp, f"{format}_{kind}")(made)


def product(a: Any, b: Any) -> Any:
    return ct.einsum("ik,kj->ij", a, b)


def elementwise(a: Any, b: Any) -> Any:
    return ct.einsum("ij,ij->ij", a, b)


def sum_of(a: Any, b: Any) -> Any:
    return ct.evaluate("C[i,j] = A[i,j] + B[i,j]", A=a, B=b)


def difference(a: Any, b: Any) -> Any:
    return ct.evaluate("C[i,j] = A[i,j] - B[i,j]", A=a, B=b)


BINARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "@": (product, operator.matmul),
    "+": (sum_of, operator.add),
    "-": (difference, operator.sub),
    "multiply": (elementwise, lambda a, b: a.multiply(b)),
}


def zeros(result: Any) -> int:
    """How many stored entries are 0; a block's padding is none."""
    entries = entries_of(result)
    return int(np.count_nonzero(entries.present & (entries.values == 0)))


def pattern(entries: Entered, format: str) -> np.ndarray:
    """Where a matrix has entries: those of value 0 are none of a block."""
    found = np.zeros((4, 4), bool)
    for row, column, value in entries:
        found[row, column] = value != 0 or format != "bsr"
    return found


def test_the_versions_that_are_compared() -> None:
    """The pins below are SciPy 1.17's; others may differ in classes and stored zeros."""
    assert scipy.__version__.startswith("1.17"), "look at docs/scipy.md again"


@pytest.mark.parametrize("first", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
@pytest.mark.parametrize("name", BINARY)
def test_values_are_scipys(name: str, first: str, second: str) -> None:
    ours, theirs = BINARY[name]
    a, b = matrix(A, first), matrix(B, second)
    np.testing.assert_array_equal(ours(a, b).toarray(), theirs(a, b).toarray())


@pytest.mark.parametrize("first", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
@pytest.mark.parametrize("name", BINARY)
def test_the_format_of_a_result(name: str, first: str, second: str) -> None:
    """Ours is that of both operands where they agree, else CSR, and of matrix products CSR or CSC; SciPy's is
    that of the first operand, with `csr` for `coo`."""
    ours, theirs = BINARY[name]
    a, b = matrix(A, first), matrix(B, second)
    if name == "@":
        expected = "csc" if first == second == "csc" else "csr"
    else:
        expected = first if first == second else "csr"
    assert ours(a, b).format == expected
    assert theirs(a, b).format == ("csr" if first == "coo" else first)


@pytest.mark.parametrize("kinds", [("array", "array"), ("matrix", "matrix"), ("array", "matrix"), ("matrix", "array")])
@pytest.mark.parametrize("format", FORMATS)
def test_the_class_of_a_result(format: str, kinds: tuple[str, str]) -> None:
    """Matrices give a matrix, and one array among the operands an array; SciPy's is that of the first one."""
    a, b = matrix(A, format, kinds[0]), matrix(B, format, kinds[1])
    for ours, theirs in BINARY.values():
        is_matrix = isinstance(ours(a, b), sp.spmatrix)
        assert is_matrix == (kinds == ("matrix", "matrix"))
        assert isinstance(theirs(a, b), sp.spmatrix) == (kinds[0] == "matrix")


@pytest.mark.parametrize("first", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
def test_zeros_of_a_sum(first: str, second: str) -> None:
    """We store a position where an operand has one, also if the values cancel; SciPy drops all zeros."""
    a, b = matrix(A, first), matrix(B, second)
    for ours, theirs in (BINARY["+"], BINARY["-"]):
        expected = pattern(A, first) | pattern(B, second)
        found = ours(a, b)
        if found.format != "bsr":
            np.testing.assert_array_equal(entries_of(found).present, expected)
        assert zeros(theirs(a, b)) == 0


@pytest.mark.parametrize("first", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
def test_zeros_of_an_elementwise_product(first: str, second: str) -> None:
    """We store a position where both operands have one; SciPy drops all zeros."""
    a, b = matrix(A, first), matrix(B, second)
    found = elementwise(a, b)
    if found.format != "bsr":
        np.testing.assert_array_equal(entries_of(found).present, pattern(A, first) & pattern(B, second))
    assert zeros(a.multiply(b)) == 0


@pytest.mark.parametrize("first", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
def test_zeros_of_a_matrix_product(first: str, second: str) -> None:
    """We store a position where two entries meet, also if the sum is 0; SciPy drops zeros."""
    a, b = matrix(A, first), matrix(B, second)
    found = product(a, b)
    if found.format != "bsr":
        meets = pattern(A, first).astype(int) @ pattern(B, second).astype(int) > 0
        np.testing.assert_array_equal(entries_of(found).present, meets)
    assert zeros(a @ b) == 0


def test_a_product_that_cancels_is_stored() -> None:
    """1 · 1 + 1 · −1 is an entry of ours and none of SciPy's."""
    row, column = sp.csr_array([[1.0, 1.0]]), sp.csr_array([[1.0], [-1.0]])
    assert product(row, column).nnz == 1
    assert (row @ column).nnz == 0


def test_a_product_by_a_stored_zero_is_stored() -> None:
    one, nothing = sp.csr_array([[1.0]]), sp.csr_array(([0.0], [0], [0, 1]), shape=(1, 1))
    assert product(one, nothing).nnz == 1
    assert (one @ nothing).nnz == 0


@pytest.mark.parametrize("format", FORMATS)
def test_a_matrix_times_a_vector(format: str) -> None:
    """A dense vector, as SciPy has it."""
    a, x = matrix(A, format), np.array([1.0, -2.0, 3.0, 0.5])
    found, theirs = ct.einsum("ij,j->i", a, x), a @ x
    assert type(found) is type(theirs) is np.ndarray
    np.testing.assert_array_equal(found, theirs)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_matrix_times_a_dense_one(format: str, order: Any) -> None:
    """A dense matrix, as SciPy has it."""
    a, d = matrix(A, format), np.array(np.arange(12).reshape(4, 3) - 3.0, order=order)
    found, theirs = ct.einsum("ij,jk->ik", a, d), a @ d
    assert type(found) is type(theirs) is np.ndarray
    np.testing.assert_array_equal(found, theirs)


@pytest.mark.parametrize("format", FORMATS)
def test_a_product_by_elements_with_a_dense_matrix(format: str) -> None:
    """Ours has the format and the pattern of the sparse operand; SciPy's is `coo`."""
    a, d = matrix(A, format), np.arange(16.0).reshape(4, 4) - 2
    found, theirs = elementwise(a, d), a.multiply(d)
    np.testing.assert_array_equal(found.toarray(), theirs.toarray())
    assert theirs.format == "coo"
    if format != "bsr":
        assert found.format == format
        np.testing.assert_array_equal(entries_of(found).present, pattern(A, format))


@pytest.mark.parametrize("format", FORMATS)
def test_a_sum_with_a_dense_matrix_is_dense(format: str) -> None:
    a, d = matrix(A, format), np.arange(16.0).reshape(4, 4) - 2
    found, theirs = sum_of(a, d), a + d
    assert type(found) is type(theirs) is np.ndarray
    np.testing.assert_array_equal(found, theirs)


IS_A_TENSOR = known("the transpose of a bsr array is a ct.Tensor")


@pytest.mark.parametrize("format", ["csr", "csc", "coo", pytest.param("bsr", marks=IS_A_TENSOR)])
def test_a_transpose(format: str) -> None:
    """Rows become columns and the reverse, and zeros stay, in both packages; SciPy shares the memory."""
    a = matrix(A, format)
    found, theirs = ct.einsum("ij->ji", a), a.T
    assert found.format == theirs.format
    np.testing.assert_array_equal(found.toarray(), theirs.toarray())
    np.testing.assert_array_equal(entries_of(found).present, entries_of(theirs).present)
    assert np.shares_memory(a.data, theirs.data) and not np.shares_memory(a.data, found.data)


@pytest.mark.parametrize("format", FORMATS)
def test_a_copy_keeps_zeros(format: str) -> None:
    """Also in other formats; those of a block are padding."""
    a = matrix(A, format)
    for wanted in ("csr", "csc", "coo"):
        found = ct.einsum("ij->ij", a, format=wanted)
        assert found.format == wanted
        np.testing.assert_array_equal(entries_of(found).present, pattern(A, format))


def test_a_conversion_to_blocks_drops_what_padding_cannot_show() -> None:
    """SciPy stores a block for a zero alone; so do we, and neither shows the entry."""
    only_zero = sp.csr_array(([0.0], [0], [0, 1, 1]), shape=(2, 2))
    assert ct.einsum("ij->ij", only_zero, format="bsr<2,2>").toarray().tolist() == [[0, 0], [0, 0]]
    assert only_zero.tobsr((2, 2)).toarray().tolist() == [[0, 0], [0, 0]]


DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float32", "float64"]


@pytest.mark.parametrize("first", DTYPES)
def test_dtypes_are_scipys(first: str) -> None:
    """A product has the type of both, and wraps as SciPy's does."""
    for second in DTYPES:
        a = sp.csr_array(np.array([[100, 0], [7, 100]])).astype(first)
        b = sp.csr_array(np.array([[1, 2], [0, 3]])).astype(second)
        found, theirs = product(a, b), a @ b
        assert found.dtype == theirs.dtype, f"{first} and {second}"
        np.testing.assert_array_equal(found.toarray(), theirs.toarray(), f"{first} and {second}")


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_the_width_of_indices(width: Any) -> None:
    """Wide indices of an operand make those of a result wide, in both packages."""
    a = matrix(A, "csr")
    a.indices, a.indptr = a.indices.astype(width), a.indptr.astype(width)
    assert product(a, a).indices.dtype == product(a, a).indptr.dtype == width
    assert (a @ a).indices.dtype == width


def test_nothing_is_an_entry_of_an_empty_matrix() -> None:
    """Extents of 0, of both packages."""
    a, b = sp.csr_array((3, 0)), sp.csr_array((0, 2))
    found, theirs = product(a, b), a @ b
    assert found.shape == theirs.shape == (3, 2)
    assert found.nnz == theirs.nnz == 0


def test_infinity_times_an_absent_entry_is_nothing() -> None:
    """No entry of ours; SciPy's `@` has none either, and its `multiply` of sparse matrices stores NaN there."""
    a = sp.csr_array(np.array([[np.inf, 0.0], [np.nan, 1.0]]))
    b = sp.csr_array(np.array([[1.0, 0.0], [0.0, np.inf]]))
    np.testing.assert_array_equal(product(a, b).toarray(), (a @ b).toarray())
    np.testing.assert_array_equal(elementwise(a, b).toarray(), [[np.inf, 0], [0, np.inf]])
    np.testing.assert_array_equal(a.multiply(b).toarray(), [[np.inf, 0], [np.nan, np.inf]])


def test_results_are_sorted_without_duplicates() -> None:
    """SciPy's product may be unsorted; ours never is, and says so without a look."""
    a = matrix(A, "csr")
    found = product(a, a)
    assert found.has_canonical_format and found.has_sorted_indices
    fresh = sp.csr_array((found.data, found.indices, found.indptr), shape=found.shape)
    assert fresh.has_canonical_format
    assert not (a @ a).has_sorted_indices
