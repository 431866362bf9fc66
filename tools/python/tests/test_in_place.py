"""Operands that are written: by functions of files in place, by statements on copies."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct


@pytest.fixture(name="lib")
def _lib(tmp_path: Path) -> ModuleType:
    path = tmp_path / "kernels.ta"
    path.write_text(
        "def scale(Tensor<double> x([i], Dense), double a) { x[i] = a * x[i]; }\n"
        "def weigh(Tensor<double> A([i, j], CSR), Tensor<double> d([j], Dense))"
        " { A[i,j] = stored(A[i,j] * d[j]); }\n"
        "def norm(Tensor<double> x([i], Dense)) -> double s { s = SUM(x[i] * x[i]); }\n"
    )
    return ct.load(path)


def test_functions_change_what_they_assign(lib: ModuleType) -> None:
    x = np.arange(4.0)
    assert lib.scale(x, 2.0) is None
    np.testing.assert_array_equal(x, [0, 2, 4, 6])
    matrix = sp.csr_array([[0.0, 2.0], [3.0, 0.0]])
    lib.weigh(matrix, np.array([10.0, 100.0]))
    np.testing.assert_array_equal(matrix.toarray(), [[0, 200], [30, 0]])


def test_functions_do_not_write_what_is_read_only(lib: ModuleType) -> None:
    x = np.arange(4.0)
    x.flags.writeable = False
    with pytest.raises(ct.FormatError, match="expected an array for `x` that can be written"):
        lib.scale(x, 2.0)
    np.testing.assert_array_equal(x, np.arange(4.0))


def test_functions_do_not_write_copies(lib: ModuleType) -> None:
    """They wrote a copy, and the caller saw nothing of it."""
    x = np.arange(8.0)
    with pytest.raises(ct.FormatError, match="`x`: expected an array that kernels access without a copy"):
        lib.scale(x[::2], 2.0)
    with pytest.raises(ct.FormatError, match="for `x`, which is written, found `list`"):
        lib.scale([1.0, 2.0], 2.0)
    unsorted = sp.csr_array((np.array([1.0, 2.0]), np.array([1, 0], "int32"), np.array([0, 2], "int32")), shape=(1, 2))
    with pytest.warns(ct.CopyWarning), pytest.raises(ct.FormatError, match="`A`: .* it has to be copied"):
        lib.weigh(unsorted, np.ones(2))


def test_statements_leave_operands_as_they_are() -> None:
    """Also those that are not the result."""
    matrix, x = sp.csr_array([[1.0, 2.0], [0.0, 3.0]]), np.ones(2)
    y = ct.evaluate("x[i] += A[i,j]; y[i] = 2 * x[i]", A=matrix, x=x)
    np.testing.assert_array_equal(y, [8, 8])
    np.testing.assert_array_equal(x, [1, 1])
    x.flags.writeable = False
    np.testing.assert_array_equal(ct.evaluate("x[i] += A[i,j]", A=matrix, x=x), [4, 4])


def test_copies_are_of_any_operand() -> None:
    """Lists have no method `copy` that makes arrays, and matrices may have to be sorted."""
    np.testing.assert_array_equal(ct.evaluate("x[i] += y[i]", x=[1.0, 2.0], y=np.ones(2)), [2, 3])
    unsorted = sp.csr_array((np.array([1.0, 2.0]), np.array([1, 0]), np.array([0, 2])), shape=(1, 2))
    with pytest.warns(ct.CopyWarning):
        result = ct.evaluate("A[i,j] = stored(A[i,j] * 2)", A=unsorted)
    np.testing.assert_array_equal(result.toarray(), [[4, 2]])


def test_statements_that_add_do_so_to_out() -> None:
    """The result took the place of what was there."""
    out = np.ones(2)
    assert ct.evaluate("y[i] += A[i,j]", A=sp.csr_array([[1.0, 2.0], [0.0, 3.0]]), out=out) is out
    np.testing.assert_array_equal(out, [4, 4])
    ct.evaluate("y[i] += A[i,j]; y[i] = 2 * y[i]", A=sp.csr_array([[1.0, 2.0], [0.0, 3.0]]), out=out)
    np.testing.assert_array_equal(out, [14, 14])
    with pytest.raises(ct.FormatError, match="the result is the operand `y`: expected it as `out`"):
        ct.evaluate("y[i] += x[i]", y=np.ones(2), x=np.ones(2), out=out)


def test_out_is_for_tensors(lib: ModuleType) -> None:
    """What is not written is not returned."""
    out = np.zeros(4)
    with pytest.raises(ct.FormatError, match="the result is a number: call without `out`"):
        ct.evaluate("s = SUM(x[i])", x=np.ones(3), out=out)
    with pytest.raises(ct.FormatError, match="the result is a number: call without `out`"):
        lib.norm(np.ones(3), out=out)
    with pytest.raises(ct.FormatError, match="the function returns nothing: call without `out`"):
        lib.scale(np.ones(4), 2.0, out=out)
