"""`ct.einsum` and its arguments: what is accepted, what is refused and how, and what happens to memory."""

from __future__ import annotations

import subprocess
import sys
import threading
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct
from known_bugs import known

def dense(rows: int = 2, columns: int = 3, dtype: Any = float) -> np.ndarray:
    """0, 1, 2, … row by row."""
    return np.arange(rows * columns).reshape(rows, columns).astype(dtype)


def sparse(format: str = "csr") -> Any:
    """[[1, 0, 2], [0, 0, 3]]"""
    return sp.csr_array(np.array([[1.0, 0, 2], [0, 0, 3]])).asformat(format)


def unsorted(kind: str = "csr") -> Any:
    """[[2, 0, 1], [0, 7, 0]], unsorted in the first row, and the 7 in two parts."""
    rows, columns = np.array([0, 0, 1, 1], np.int32), np.array([2, 0, 1, 1], np.int32)
    data = np.array([1.0, 2, 3, 4])
    if kind == "coo":
        return sp.coo_array((data, (rows, columns)), shape=(2, 3))
    if kind == "csr":
        return sp.csr_array((data, columns, np.array([0, 2, 4], np.int32)), shape=(2, 3))
    # The same as the transpose of a CSC matrix.
    return sp.csc_array((data, columns, np.array([0, 2, 4], np.int32)), shape=(3, 2))


# Subscripts.


@pytest.mark.parametrize(
    ("subscripts", "operands", "offset", "end", "message"),
    [
        ("i1,j->i", 2, 2, 3, "a label is a letter, found `1`"),
        ("ij,1->i", 2, 4, 5, "a label is a letter, found `1`"),
        ("ij->i->j", 1, 6, 7, "a label is a letter, found `-`"),
        ("i.j", 1, 2, 3, "a `.` is not part of the one `...`"),
        ("......", 1, 4, 5, "a `.` is not part of the one `...`"),
        ("ij->ijk", 1, 5, 8, "no operand has the label `k` of the result"),
        ("ij->ii", 1, 5, 7, "the result has the label `i` twice"),
        ("ij,j->i", 1, 1, 5, "the subscripts are those of 2 operands, and 1 operand passed"),
        ("ij", 2, 1, 3, "the subscripts are those of 1 operand, and 2 operands passed"),
        ("ij,ijk->i", 2, 4, 7, "operand 1 has 2 modes, and its subscripts 3 labels"),
        ("i,ij->i", 2, 1, 2, "operand 0 has 2 modes, and its subscripts 1 labels"),
        ("ijk...", 1, 1, 7, "operand 0 has 2 modes, and its subscripts 3 labels"),
    ],
)
def test_wrong_subscripts_are_explained_at_their_place(
    subscripts: str, operands: int, offset: int, end: int, message: str
) -> None:
    """`lineno`, `offset` and `text` are those of a SyntaxError, so that Python shows the place."""
    with pytest.raises(ct.CometSyntaxError) as caught:
        ct.einsum(subscripts, *[dense()] * operands)
    error = caught.value
    assert isinstance(error, SyntaxError) and isinstance(error, ct.CometError)
    assert (error.lineno, error.offset, error.end_offset, error.text) == (1, offset, end, subscripts)
    assert message in error.msg and message in str(error)
    record = error.diagnostics[0]
    assert (record["severity"], record["line"], record["column"]) == ("error", 1, offset)
    assert message in record["message"]


def test_places_are_of_characters_not_bytes() -> None:
    """`é` is a letter, and two bytes long."""
    with pytest.raises(ct.CometSyntaxError) as caught:
        ct.einsum("é1", dense())
    assert caught.value.text == "é1"
    assert caught.value.offset == 2


def test_an_error_that_was_raised_is_raised_again() -> None:
    """A wrong expression is remembered no differently from a right one."""
    for _ in range(2):
        with pytest.raises(ct.CometSyntaxError):
            ct.einsum("ij->k", dense())
    np.testing.assert_array_equal(ct.einsum("ij->i", dense()), [3, 12])


def test_blanks_mean_nothing() -> None:
    np.testing.assert_array_equal(ct.einsum(" i j -> j i ", dense()), dense().T)


def test_labels_are_any_letters() -> None:
    """Capital ones come first in an implicit result, as NumPy sorts them."""
    a = dense()
    np.testing.assert_array_equal(ct.einsum("aB", a), np.einsum("aB", a))
    np.testing.assert_array_equal(ct.einsum("αβ->βα", a), a.T)


def test_operands_of_another_rank_compile_anew() -> None:
    """`...` stands for as many modes as there are, call by call."""
    for shape in [(3,), (2, 3), (4, 2, 3)]:
        a = np.arange(np.prod(shape)).reshape(shape)
        np.testing.assert_array_equal(ct.einsum("...i->...", a), a.sum(-1))


def test_no_operands() -> None:
    with pytest.raises(ct.CometSyntaxError, match="0 operands passed"):
        ct.einsum("")


# Extents.


def test_extents_that_contradict_name_both_places() -> None:
    with pytest.raises(ct.ShapeError, match=r"the size of `k` is 3 by mode 1 of operand 0, but 2 by mode 0 of operand 1") as caught:
        ct.einsum("ik,kj->ij", dense(), dense())
    assert isinstance(caught.value, ValueError)


def test_a_diagonal_needs_a_square() -> None:
    with pytest.raises(ct.ShapeError, match="`i`"):
        ct.einsum("ii->i", dense())


def test_the_extents_of_a_mask_are_those_of_the_result() -> None:
    with pytest.raises(ct.ShapeError, match="`mask`"):
        ct.einsum("ij->ij", dense(), mask=np.ones((3, 3)))


@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "...j,j...->..."])
def test_extents_of_1_do_not_broadcast_yet(subscripts: str) -> None:
    """NumPy repeats a mode of extent 1; here it is a contradiction."""
    with pytest.raises(ct.ShapeError):
        ct.einsum(subscripts, np.ones((2, 1)), np.ones((3, 2)))


def test_extents_of_other_calls_are_free() -> None:
    """One kernel is for any extents, also for 0 and 1."""
    for rows, columns in [(2, 3), (1, 1), (0, 4), (3, 0)]:
        a = dense(rows, columns)
        np.testing.assert_array_equal(ct.einsum("ij->j", a), a.sum(0))


# Types.


@pytest.mark.parametrize("dtype", ["uint64", "uint16", "object", "longdouble", "clongdouble", ">f8", "S3", "M8[s]"])
def test_types_that_no_tensor_holds_are_refused(dtype: str) -> None:
    with pytest.raises(ct.FormatError, match="convert it with `astype`") as caught:
        ct.einsum("ij->ij", np.ones((2, 3)).astype(dtype))
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("dtype", ["uint64", "longdouble"])
def test_sparse_matrices_of_such_types_are_refused(dtype: str) -> None:
    with pytest.raises(ct.FormatError, match="convert it with `astype`"):
        ct.einsum("ij->ij", sparse().astype(dtype))


@pytest.mark.parametrize("operand", ["ij", None, {}, memoryview(b"12")])
def test_objects_that_are_no_tensors_are_refused(operand: Any) -> None:
    with pytest.raises(ct.FormatError, match="expected a tensor, found"):
        ct.einsum("ij->ij", operand)


@pytest.mark.parametrize("number", [True, 3, 2.5, np.float32(2), np.int8(3), np.array(4)])
def test_numbers_are_operands_without_labels(number: Any) -> None:
    """They have the types that NumPy gives them."""
    x = np.array([1.0, 2, 3], np.float32)
    found, expected = ct.einsum(",i->i", number, x), np.einsum(",i->i", number, x)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_an_integer_beyond_64_bits_is_refused() -> None:
    with pytest.raises(ct.FormatError):
        ct.einsum(",i->i", 2**70, np.ones(2))


REAL = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64"]


@pytest.mark.parametrize("first", REAL)
@pytest.mark.parametrize("second", REAL)
def test_the_type_of_a_product_is_numpys(first: str, second: str) -> None:
    a, b = np.ones(2, first), np.ones(2, second)
    assert ct.einsum("i,i->i", a, b).dtype == np.result_type(a, b)


def test_the_type_of_three_is_numpys() -> None:
    types = [("int8", "uint8", "int16"), ("bool", "uint32", "float16"), ("float16", "int16", "float16")]
    for names in types:
        arrays = [np.ones(2, name) for name in names]
        assert ct.einsum("i,i,i->i", *arrays).dtype == np.result_type(*arrays), names


def test_the_type_of_three_is_not_that_of_two_and_one() -> None:
    """NumPy's is float16, which holds both of the others; together these would be an int16, and a float32."""
    arrays = [np.ones(2, name) for name in ("int8", "uint8", "float16")]
    assert ct.einsum("i,i,i->i", *arrays).dtype == np.result_type(*arrays) == np.float16


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_results(dtype: str) -> None:
    a = np.array([1 + 2j, 3 - 1j], dtype)
    found = ct.einsum("i,i->", a, a)
    assert found.dtype == a.dtype
    assert found == np.einsum("i,i->", a, a)


def test_narrow_results_wrap_and_wide_ones_do_not() -> None:
    """As NumPy's `dtype=`: the operands are converted before anything is computed."""
    a = np.array([100, 100], np.int8)
    assert ct.einsum("i,i->", a, a) == np.einsum("i,i->", a, a) == np.int8(32)
    assert ct.einsum("i,i->", a, a, dtype="int64") == np.einsum("i,i->", a, a, dtype="int64") == 20000


@pytest.mark.parametrize("dtype", [np.float32, np.dtype("float32"), float, "float", "double", "int", "f4", "bool"])
def test_dtypes_as_numpy_names_them(dtype: Any) -> None:
    """Also where the language has the same word for another type: its `float` is `float32`."""
    assert ct.einsum("ij->ij", dense(), dtype=dtype).dtype == np.dtype(dtype)


@pytest.mark.parametrize("dtype", ["uint64", "foo"])
def test_an_unknown_dtype_is_refused(dtype: str) -> None:
    with pytest.raises((ValueError, TypeError), match=dtype):
        ct.einsum("ij->ij", dense(), dtype=dtype)


# Memory of operands.


def views(a: np.ndarray) -> dict[str, np.ndarray]:
    """Arrays with the elements of `a` in memory of every kind."""
    wide = np.zeros((2 * a.shape[0], 3 * a.shape[1]))
    wide[::2, ::3] = a
    readonly = a.copy()
    readonly.flags.writeable = False
    return {
        "C": a.copy(),
        "Fortran": np.asfortranarray(a),
        "strided": wide[::2, ::3],
        "rows reversed": a[::-1].copy()[::-1],
        "columns reversed": a[:, ::-1].copy()[:, ::-1],
        "read only": readonly,
        "of a matrix": np.asarray(np.asmatrix(a)),
        "of one more": np.stack([a, -a], axis=2)[:, :, 0],
    }


@pytest.mark.parametrize("name", views(dense()))
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_views_are_read_as_they_are(name: str) -> None:
    a = dense()
    view = views(a)[name]
    np.testing.assert_array_equal(ct.einsum("ij->ji", view), a.T)
    np.testing.assert_array_equal(ct.einsum("ij,ij->i", view, sparse()), [4, 15])
    np.testing.assert_array_equal(view, a)


def test_a_row_that_is_repeated_without_memory() -> None:
    """Strides of 0."""
    row = np.array([1.0, 2, 3])
    np.testing.assert_array_equal(ct.einsum("ij->ji", np.broadcast_to(row, (2, 3))), np.stack([row, row], 1))


def test_an_array_at_an_odd_address() -> None:
    """In a process of its own, which so far dies."""
    program = (
        "import numpy as np, comet_sparse as ct\n"
        "u = np.frombuffer(b'\\0' + np.arange(3.0).tobytes(), 'u1')[1:].view('f8')\n"
        "assert ct.einsum('i->i', u).tolist() == [0, 1, 2]"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True).returncode == 0


@pytest.mark.parametrize("order", ["C", "F"])
def test_neither_order_is_copied(order: Any) -> None:
    """Nothing the size of an operand is allocated by NumPy, nor of the result where that is passed."""
    a, out = np.ones((512, 512), order=order), np.zeros(512)
    a[0, 1] = 2
    ct.einsum("ij->i", a, out=out, copy=False)
    tracemalloc.start()
    ct.einsum("ij->i", a, out=out, copy=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert out[0] == 513
    assert peak < a.nbytes / 10


def test_copies_of_arrays_with_gaps_can_be_refused() -> None:
    with pytest.raises(ct.FormatError):
        ct.einsum("ij->ij", dense()[:, ::2], copy=False)


# Copies of matrices.


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_an_unsorted_matrix_is_copied_with_a_warning(kind: str) -> None:
    """Which points at the call; duplicates are added, and the operand stays as it was."""
    matrix = unsorted(kind)
    arrays = [matrix.data, *(matrix.coords if kind == "coo" else (matrix.indices, matrix.indptr))]
    before = [array.copy() for array in arrays]
    with pytest.warns(ct.CopyWarning, match=f"the {kind} matrix is not canonical") as caught:
        found = ct.einsum("ij->ij", matrix, format="csr")
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(found.toarray(), matrix.toarray())
    for array, copy in zip(arrays, before):
        np.testing.assert_array_equal(array, copy)
    assert [matrix.data, *(matrix.coords if kind == "coo" else (matrix.indices, matrix.indptr))][0] is arrays[0]
    assert not matrix.has_canonical_format


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_copies_of_matrices_can_be_refused(kind: str) -> None:
    with pytest.raises(ct.FormatError, match="has to be copied, which `copy=False` and `out` refuse"):
        ct.einsum("ij->ij", unsorted(kind), copy=False)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr"])
def test_a_sorted_matrix_is_not_copied(format: str) -> None:
    matrix = sp.csr_array(np.array([[1.0, 2], [0, 3]])).asformat(format)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ct.einsum("ij,j->i", matrix, np.array([1.0, 10]), copy=False)
    np.testing.assert_array_equal(found, [21, 30])


@pytest.mark.parametrize("format", ["dia", "lil", "dok", "csr"])
def test_each_caller_is_warned_once(format: str) -> None:
    """The default filter goes by the place of a warning, which is outside of the package."""
    matrix = unsorted() if format == "csr" else sp.csr_array(np.eye(2)).asformat(format)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(2):
            ct.einsum("ij->i", matrix)
        ct.einsum("ij->i", matrix)
    assert [warning.filename for warning in caught] == [__file__] * 2
    assert caught[0].lineno < caught[1].lineno


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr<1,1>"])
def test_wide_indices_are_stated(format: str) -> None:
    """Of arrays and matrices, in each call: SciPy's constructor of a `*_matrix` narrows them."""
    for made in (sp.csr_array, sp.csr_matrix):
        for _ in range(2):
            found = ct.einsum("ij->ij", made(np.eye(3)), format=format, index="int64")
            assert isinstance(found, sp.spmatrix) == (made is sp.csr_matrix)
            arrays = found.coords if format == "coo" else (found.indices, found.indptr)
            assert [array.dtype for array in arrays] == [np.int64] * 2
            np.testing.assert_array_equal(found.toarray(), np.eye(3))


def coordinates_with_gaps() -> Any:
    """Of `sparse.COO`, with values whose array has gaps."""
    pydata = pytest.importorskip("sparse")
    matrix = pydata.COO.from_numpy(np.array([[1.0, 0, 2], [0, 0, 3]]))
    matrix.data = np.repeat(matrix.data, 2)[::2]
    return matrix


def test_coordinates_with_gaps_are_copied_with_a_warning() -> None:
    matrix = coordinates_with_gaps()
    with pytest.warns(ct.CopyWarning, match="gaps") as caught:
        assert ct.einsum("ij->i", matrix).tolist() == [3, 3]
    assert caught[0].filename == __file__
    with pytest.raises(ct.FormatError, match="`copy=False`"):
        ct.einsum("ij->i", matrix, copy=False)


def test_a_result_is_not_written_into_a_copy() -> None:
    """`out` stays as it is where it is refused."""
    matrix = coordinates_with_gaps()
    with pytest.raises(ct.FormatError, match="`out`"):
        ct.einsum("ij->ij", 2 * sparse("coo"), out=matrix)
    assert matrix.data.tolist() == [1, 2, 3]


def test_arrays_that_are_longer_than_they_are_filled() -> None:
    """SciPy allows it, and reads `indptr[-1]` entries."""
    matrix = sparse()
    matrix.data = np.append(matrix.data, [9.0, 9.0])
    matrix.indices = np.append(matrix.indices, np.array([1, 1], matrix.indices.dtype))
    np.testing.assert_array_equal(ct.einsum("ij->ij", matrix, copy=False).toarray(), sparse().toarray())


def changed(part: str, change: Callable[[np.ndarray], np.ndarray]) -> Any:
    matrix = sparse()
    setattr(matrix, part, change(getattr(matrix, part)))
    return matrix


@pytest.mark.filterwarnings("ignore::comet_sparse.CopyWarning")
@pytest.mark.parametrize(
    "matrix",
    [
        changed("indptr", lambda array: array.astype(np.int64)),
        changed("indices", lambda array: array.astype(np.int64)),
        changed("indices", lambda array: np.repeat(array, 2)[::2]),
        changed("data", lambda array: np.repeat(array, 2)[::2]),
        changed("data", lambda array: array[::-1].copy()[::-1]),
    ],
    ids=["wide indptr", "wide indices", "strided indices", "strided data", "reversed data"],
)
def test_matrices_of_arrays_of_other_kinds(matrix: Any) -> None:
    """They are copied."""
    np.testing.assert_array_equal(ct.einsum("ij->ij", matrix).toarray(), sparse().toarray())


@pytest.mark.parametrize(
    ("part", "array"),
    [("data", [1.0]), ("indptr", [0, 3]), ("indptr", [0, 200, 300])],
    ids=["short data", "short indptr", "long indptr"],
)
def test_arrays_that_are_too_short_are_refused(part: str, array: list[float]) -> None:
    """Nothing beyond an array is read."""
    matrix = sparse()
    assert matrix.has_canonical_format, "which SciPy remembers"
    setattr(matrix, part, np.array(array, getattr(matrix, part).dtype))
    with pytest.raises(ct.ShapeError, match="operand 0"):
        ct.einsum("ij,j->i", matrix, np.ones(3))


@known("indices are not compared with the extents")
@pytest.mark.parametrize("index", [-1, 99])
def test_an_index_beyond_the_matrix_is_refused(index: int) -> None:
    matrix = changed("indices", lambda old: np.array([0, 2, index], old.dtype))
    with pytest.raises(ct.CometError):
        ct.einsum("ij,j->i", matrix, np.ones(3))


def test_a_sparse_vector_in_csr_is_refused_with_a_way_out() -> None:
    with pytest.raises(ct.FormatError, match="tocoo"):
        ct.einsum("i->i", sp.csr_array(np.array([1.0, 0, 2])))


def test_subclasses_of_scipys_classes() -> None:
    class Matrix(sp.csr_array):  # type: ignore[misc]
        pass

    np.testing.assert_array_equal(ct.einsum("ij->ij", Matrix(sparse())).toarray(), sparse().toarray())


def test_arrays_of_the_package_sparse() -> None:
    packages = pytest.importorskip("sparse")
    found = ct.einsum("ij,j->i", packages.COO(dense()), np.ones(3))
    np.testing.assert_array_equal(found, [3, 12])


# Results.


def test_a_result_is_an_array_of_its_own() -> None:
    a = dense()
    found = ct.einsum("ij->ij", a)
    assert found.flags.writeable and not np.shares_memory(found, a)
    found[0, 0] = 7
    assert a[0, 0] == 0
    assert ct.einsum("ij->ij", a)[0, 0] == 0


def test_the_arrays_of_a_sparse_result_live_on_their_own() -> None:
    found = ct.einsum("ij->ij", sparse())
    data, indices = found.data, found.indices
    del found
    ct.einsum("ij->ij", 2 * sparse())
    np.testing.assert_array_equal(data, [1, 2, 3])
    np.testing.assert_array_equal(indices, [0, 2, 2])


def test_a_result_can_be_changed_by_scipy() -> None:
    """Its arrays are resized and sorted in place like SciPy's own."""
    found = ct.einsum("ij->ij", sparse())
    found.data[0] = 0
    found.eliminate_zeros()
    assert found.nnz == 2
    found.resize(3, 4)
    np.testing.assert_array_equal((found + found).toarray()[:2, :3], [[0, 0, 4], [0, 0, 6]])


def test_a_result_without_modes_is_a_number() -> None:
    """As NumPy's is."""
    found = ct.einsum("ij->", dense())
    assert isinstance(found, np.float64)
    assert found == 15


class OfArrays:
    """What other packages' classes offer."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.arange(3.0)


class OfDlpack:
    def __dlpack__(self, **arguments: Any) -> Any:
        return np.arange(3.0).__dlpack__(**arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize("operand", [OfArrays(), OfDlpack()])
def test_classes_that_convert_to_arrays_are_read(operand: object) -> None:
    assert ct.einsum("i->", operand) == 3


@pytest.mark.parametrize("operand", ["text", None, object(), {0: 1.0}, b"bytes", range(3)])
def test_what_is_no_tensor_is_refused(operand: object) -> None:
    with pytest.raises(ct.FormatError, match="expected a tensor, found"):
        ct.einsum("i->", operand)


def test_lists_and_diagonal_matrices_are_converted() -> None:
    np.testing.assert_array_equal(ct.einsum("ij->i", [[1, 2], [3, 4]]), [3, 7])
    with pytest.warns(ct.CopyWarning, match="dia"):
        found = ct.einsum("ij->i", sp.dia_array(np.eye(2)))
    np.testing.assert_array_equal(found, [1, 1])


@pytest.mark.parametrize("format", ["csr", "CSR", "Csr", "csc", "coo", "dcsr", "dense", "{D, CU}", "{CU, CU}"])
def test_formats_are_named_in_any_case_or_by_levels(format: str) -> None:
    found = ct.einsum("ij->ij", sparse(), format=format)
    name = {"{d, cu}": "csr", "{cu, cu}": "DCSR", "dcsr": "DCSR"}.get(format.lower(), format.lower())
    assert name == (found.format if hasattr(found, "format") else "dense")


MATRICES = [
    "dcsr", "dcsc", "csb<2,2>", "{CU, D}", "{D, R}", "{D, H}", "{H, H}", "csf", "coo", "coo, order={1,0}",
    "csr, order={1,0}", "csr, index=i64", "{ (i, j) -> (i/2 : CU, j/2 : CU, i%2 : D, j%2 : D) }",
    "ell", "{D, BV<64>}",
    "{BV<8>, BV<8>}",
]  # fmt: skip


@pytest.mark.parametrize("format", MATRICES)
def test_a_matrix_in_any_format_is_an_operand(format: str) -> None:
    """What comes out can go in, with the same entries."""
    a = sp.csr_array(np.array([[1.0, 0, 2, 0], [0, 0, 3, 4], [0, 0, 0, 0], [5, 0, 0, 0], [0, 7, 0, 8]]))
    made = ct.einsum("ij->ij", a, format=format)
    again = ct.einsum("ij->ij", made, format="csr")
    np.testing.assert_array_equal(again.toarray(), a.toarray())
    assert again.nnz == a.nnz
    np.testing.assert_array_equal(ct.einsum("ij,j->i", made, np.arange(4.0)), a @ np.arange(4.0))


@pytest.mark.parametrize(
    ("format", "rank"),
    [
        ("coo", 3), ("csf", 3), ("{D, CU, CU}", 3), ("{CU, D, D}", 3), ("csf, order={2,0,1}", 3), ("ModeGeneric", 3),
        ("modegeneric", 3), ("csf", 4), ("coo", 4),
        ("sparsevector", 1), ("{H}", 1), ("{R}", 1), ("{BV<64>}", 1),
    ],
)  # fmt: skip
def test_a_tensor_in_any_format_is_an_operand(format: str, rank: int) -> None:
    labels, a = "ijkl"[:rank], np.random.default_rng(1).integers(0, 3, (2, 3, 4, 2)[:rank]).astype(float)
    made = ct.einsum(f"{labels}->{labels}", a, format=format)
    np.testing.assert_array_equal(ct.einsum(f"{labels}->{labels}", made, format="dense"), a)
    found = ct.einsum(f"{labels}->{labels[0]}", made, format="dense")
    np.testing.assert_array_equal(found, np.einsum(f"{labels}->{labels[0]}", a))


def wide(columns: int = 2**40) -> Any:
    """A row whose last column needs 64 bits."""
    arrays = (np.array([3.0, 4]), np.array([5, columns - 1]), np.array([0, 2]))
    return sp.csr_array(arrays, shape=(1, columns))


def test_results_have_wide_indices_where_an_operand_has() -> None:
    found = ct.einsum("ij,ij->ij", wide(), wide())
    assert found.indices.dtype == np.int64
    np.testing.assert_array_equal(found.indices, [5, 2**40 - 1])
    np.testing.assert_array_equal(found.data, [9, 16])


@pytest.mark.parametrize(
    "format", ["coo, index=i64", pytest.param("coo", marks=known("a stated format has narrow indices"))]
)
def test_a_stated_format_has_wide_indices_where_an_operand_has(format: str) -> None:
    found = ct.einsum("ij->ij", wide(), format=format)
    np.testing.assert_array_equal(found.coords[1], [5, 2**40 - 1])


def test_memory_that_is_not_there() -> None:
    """An error that Python's programs expect; the caller's arrays and later calls are unharmed."""
    with pytest.raises(MemoryError, match="out of memory: `out`") as caught:
        ct.einsum("ij->j", wide(2**58))
    assert isinstance(caught.value, ct.CometError)
    np.testing.assert_array_equal(ct.einsum("ij->i", wide(2**58)), [7])


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(ct.FormatError, match="the format `foo`: unknown format `foo`") as caught:
        ct.einsum("ij->ij", dense(), format="foo")
    assert "`CSR`" in caught.value.diagnostics[0]["hint"]


def test_a_format_of_another_rank_is_refused() -> None:
    with pytest.raises(ct.FormatError, match="the format `csr`: `CSR` needs 2 modes, but the tensor has 1"):
        ct.einsum("ij->i", dense(), format="csr")


def test_blocks_that_do_not_divide_the_extents() -> None:
    """A tensor, or an error of ours."""
    try:
        found = ct.einsum("ij->ij", dense(), format="bsr<2,2>")
    except ct.CometError:
        return
    np.testing.assert_array_equal(found.toarray(), dense())


def test_halves_in_a_format_of_scipy() -> None:
    """A tensor: SciPy has no matrices of them."""
    found = ct.einsum("ij->ij", dense(dtype="float16"), format="csr")
    np.testing.assert_array_equal(found.toarray(), dense())


# `out`.


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("accumulates", [False, True])
def test_out_is_written_and_returned(order: Any, accumulates: bool) -> None:
    out = np.full((2, 3), 10.0, order=order)
    assert ct.einsum("ij->ij", dense(), out=out, accumulate=accumulates) is out
    np.testing.assert_array_equal(out, dense() + (10 if accumulates else 0))


@pytest.mark.parametrize("accumulates", [False, True])
def test_out_with_gaps(accumulates: bool) -> None:
    """It is written, or refused; never left alone without a word."""
    out = np.full((2, 6), 10.0)[:, ::2]
    try:
        ct.einsum("ij->ij", dense(), out=out, accumulate=accumulates)
    except ct.CometError:
        return
    np.testing.assert_array_equal(out, dense() + (10 if accumulates else 0))


@pytest.mark.parametrize("accumulates", [False, True])
def test_a_read_only_out_is_refused(accumulates: bool) -> None:
    out = np.zeros((2, 3))
    out.flags.writeable = False
    with pytest.raises((ct.CometError, ValueError)):
        ct.einsum("ij->ij", dense(), out=out, accumulate=accumulates)
    assert not out.any()


def test_a_sparse_out_of_read_only_values_is_refused() -> None:
    out = sparse()
    out.data.flags.writeable = False
    with pytest.raises((ct.CometError, ValueError)):
        ct.einsum("ij->ij", 2 * sparse(), out=out)


@pytest.mark.parametrize("shape", [(2, 4), (3, 3), (2, 0)])
def test_out_of_other_extents_is_refused(shape: tuple[int, int]) -> None:
    out = np.full(shape, 7.0)
    with pytest.raises(ct.ShapeError, match="`out`"):
        ct.einsum("ij->ij", dense(), out=out)
    assert (out == 7).all()


def test_out_of_another_rank_is_refused() -> None:
    with pytest.raises(ct.FormatError, match="the rank of `out` is 1, expected 2"):
        ct.einsum("ij->ij", dense(), out=np.zeros(6))


@pytest.mark.parametrize("out", [[0.0], "out", 3])
def test_out_that_is_no_tensor_is_refused(out: Any) -> None:
    with pytest.raises(ct.CometError):
        ct.einsum("ij->ij", dense(), out=out)


@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_out_of_another_type_converts(dtype: str) -> None:
    """As the language assigns; NumPy refuses what its rule `safe` does not allow."""
    out = np.zeros((2, 3), dtype)
    ct.einsum("ij->ij", dense() + 0.75, out=out)
    np.testing.assert_array_equal(out, (dense() + 0.75).astype(dtype))


@pytest.mark.parametrize(
    ("operand", "out"),
    [
        (lambda a: a, lambda a: a),
        (lambda a: a.T, lambda a: a),
        pytest.param(lambda a: a[:3, :3], lambda a: a[1:, 1:], marks=known("`out` has gaps")),
        (lambda a: a[:2], lambda a: a[1:3]),
    ],
    ids=["the same", "transposed", "overlapping parts", "overlapping rows"],
)
@pytest.mark.parametrize("accumulates", [False, True])
def test_out_that_shares_memory_with_an_operand(
    operand: Callable[[np.ndarray], np.ndarray], out: Callable[[np.ndarray], np.ndarray], accumulates: bool
) -> None:
    """It is refused, or as if the operand had been read first, as NumPy has it."""
    a = np.arange(16.0).reshape(4, 4)
    expected = operand(a).copy() + (out(a) if accumulates else 0)
    try:
        ct.einsum("ij->ij", operand(a), out=out(a), accumulate=accumulates)
    except ct.CometError as error:
        assert isinstance(error, ValueError) and "shares memory" in str(error)
        np.testing.assert_array_equal(a, np.arange(16.0).reshape(4, 4))
    else:
        np.testing.assert_array_equal(out(a), expected)


def test_out_beside_an_operand_in_the_same_memory() -> None:
    """Rows of one array that do not overlap."""
    a = np.arange(16.0).reshape(4, 4)
    ct.einsum("ij->ij", a[:2], out=a[2:])
    np.testing.assert_array_equal(a[2:], np.arange(8.0).reshape(2, 4))


def test_a_sparse_out_gets_new_values() -> None:
    out = sparse()
    indices = out.indices
    assert ct.einsum("ij->ij", 2 * sparse(), out=out) is out
    np.testing.assert_array_equal(out.toarray(), 2 * sparse().toarray())
    assert out.indices is indices


def test_a_sparse_out_accumulates() -> None:
    out = sparse()
    ct.einsum("ij->ij", 2 * sparse(), out=out, accumulate=True)
    np.testing.assert_array_equal(out.toarray(), 3 * sparse().toarray())


@pytest.mark.parametrize("pattern", [[[1, 1, 0], [0, 0, 1]], [[1, 1, 1], [1, 1, 1]], [[0, 0, 0], [0, 0, 1]]])
def test_a_sparse_out_of_another_pattern_is_refused(pattern: list[list[int]]) -> None:
    out = sp.csr_array(np.array(pattern, float))
    with pytest.raises(ct.FormatError, match="`out` has other coordinates"):
        ct.einsum("ij->ij", sparse(), out=out)
    np.testing.assert_array_equal(out.toarray(), pattern)


def test_an_unsorted_out_is_refused() -> None:
    out = unsorted()
    with pytest.raises(ct.FormatError):
        ct.einsum("ij->ij", sparse(), out=out)
    np.testing.assert_array_equal(out.data, [1, 2, 3, 4])


def test_accumulating_needs_out() -> None:
    with pytest.raises(TypeError, match="`out`"):
        ct.einsum("ij->ij", dense(), accumulate=True)


# Other arguments.


def test_semirings_are_named_or_pairs() -> None:
    """GraphBLAS's words, NumPy's or signs."""
    a, x = sparse(), np.array([1.0, 5, 1])
    for semiring in ["min_plus", "minimum_add", ("min", "+"), ("min", "plus"), "MIN_PLUS"]:
        np.testing.assert_array_equal(ct.einsum("ij,j->i", a, x, semiring=semiring), [2, 4])


def test_a_semiring_as_a_list() -> None:
    np.testing.assert_array_equal(ct.einsum("ij,j->i", sparse(), np.ones(3), semiring=["min", "+"]), [2, 4])


@pytest.mark.parametrize("semiring", ["foo_bar", ("min", "foo"), "foo"])
def test_unknown_semirings_are_refused(semiring: Any) -> None:
    with pytest.raises(ValueError):
        ct.einsum("ij,j->i", dense(), np.ones(3), semiring=semiring)


def test_a_semiring_of_one_word_says_what_is_expected() -> None:
    with pytest.raises(ValueError, match="foo"):
        ct.einsum("ij,j->i", dense(), np.ones(3), semiring="foo")


def test_reduce_is_over_entries() -> None:
    """The 0 beside them takes no part."""
    a = sp.csr_array(np.array([[-1.0, 0, -2], [0, 0, 0]]))
    np.testing.assert_array_equal(ct.einsum("ij->i", a, reduce="max"), [-1, -np.inf])


def test_reduce_and_semiring_exclude_each_other() -> None:
    with pytest.raises((ct.CometError, TypeError, ValueError)):
        ct.einsum("ij,j->i", dense(), np.ones(3), reduce="max", semiring="min_plus")


def test_complement_needs_a_mask() -> None:
    with pytest.raises((ct.CometError, TypeError, ValueError)):
        ct.einsum("ij->ij", dense(), complement=True)


def test_a_path_of_two_at_a_time() -> None:
    a, x = sparse(), np.array([1.0, 2, 3])
    expected = np.einsum("ij,kj,k->i", a.toarray(), a.toarray(), x[:2])
    for path in ([(0, 1), (0, 1)], [(1, 2), (0, 1)], [(0, 2), (0, 1)], [(0, 1, 2)]):
        np.testing.assert_array_equal(ct.einsum("ij,kj,k->i", a, a, x[:2], path=path), expected)


def test_a_path_does_not_narrow_what_is_computed() -> None:
    a, wide = np.array([100, 100], np.int8), np.ones(2, np.int64)
    np.testing.assert_array_equal(ct.einsum("i,i,i->i", a, a, wide, path=[(0, 1), (0, 1)]), [10000, 10000])


@pytest.mark.parametrize("path", [[(0, 5)], [(0, 0)], [()]])
def test_a_path_to_operands_that_are_not_there(path: list[tuple[int, ...]]) -> None:
    with pytest.raises(ct.CometError, match="the path has the step"):
        ct.einsum("ij,j->i", dense(), np.ones(3), path=path)


def test_a_path_of_numpy() -> None:
    a, x = dense(), np.array([1.0, 2, 3])
    path = np.einsum_path("ij,j->i", a, x)[0]
    np.testing.assert_array_equal(ct.einsum("ij,j->i", a, x, path=path), a @ x)


def test_hidden_modes_need_dots_in_the_result() -> None:
    """As NumPy has it."""
    with pytest.raises(ValueError):
        np.einsum("...i->i", dense())
    with pytest.raises(ct.CometError):
        ct.einsum("...i->i", dense())


# Processes.


def test_threads_share_kernels() -> None:
    """The same expressions for the first time, from several threads at once."""
    found: list[Any] = [None] * 4

    def work(number: int) -> None:
        a = dense(3, 4) + number
        found[number] = [ct.einsum(f"ij,kj->{out}", a, a) for out in ("ik", "ki", "i", "k")]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, results in enumerate(found):
        a = dense(3, 4) + number
        for out, result in zip(("ik", "ki", "i", "k"), results):
            np.testing.assert_array_equal(result, np.einsum(f"ij,kj->{out}", a, a))


def resident() -> int:
    """KiB of this process that are in memory."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def test_results_are_freed() -> None:
    """And so are operands, copies and errors: memory does not grow with calls."""
    a, messy = sp.random_array((200, 200), density=0.1, format="csr", rng=np.random.default_rng(1)), unsorted()

    def calls() -> None:
        for _ in range(300):
            ct.einsum("ij,jk->ik", a, a)
            ct.einsum("ij,jk->ik", a, a, format="dense")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ct.einsum("ij->ij", messy)
            with pytest.raises(ct.ShapeError):
                ct.einsum("ij,j->i", a, np.ones(3))

    calls()
    before = resident()
    calls()
    # One matrix of these is 320 KB when it is dense, and 300 are 96 MB.
    assert resident() - before < 20_000


def test_references_are_given_back() -> None:
    a, out = dense(), np.zeros((2, 3))
    ct.einsum("ij->ij", a, out=out)
    before = sys.getrefcount(a), sys.getrefcount(out)
    for _ in range(10):
        ct.einsum("ij->ij", a, out=out)
        with pytest.raises(ct.CometSyntaxError):
            ct.einsum("ij->k", a)
    assert (sys.getrefcount(a), sys.getrefcount(out)) == before
