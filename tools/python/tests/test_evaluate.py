"""`ct.evaluate`: names, scalars, several statements, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct

A = sp.csr_array(np.array([[1.0, 0, 2], [0, 0, 3]]))
X = np.array([1.0, 2, 3])


def test_either_notation() -> None:
    """The language's, and TACO's."""
    for text in ("y[i] = A[i,j] * x[j]", "y(i) = A(i,j) * x(j)"):
        np.testing.assert_array_equal(ct.evaluate(text, A=A, x=X), A @ X)


def test_the_last_statement_is_the_result() -> None:
    found = ct.evaluate("y[i] = A[i,j] * x[j]; z[i] = y[i] + 1", A=A, x=X)
    np.testing.assert_array_equal(found, A @ X + 1)


def test_a_sum_over_everything_is_a_number() -> None:
    found = ct.evaluate("s = SUM(A[i,j] * A[i,j])", A=A)
    assert isinstance(found, float) and found == 14


def test_a_sum_of_integers_is_an_integer() -> None:
    found = ct.evaluate("s = SUM(x[i])", x=np.array([2**60, 1]))
    assert found == 2**60 + 1


@pytest.mark.parametrize("number", [2, 2.0, True, np.float64(2)])
def test_numbers_are_scalars(number: Any) -> None:
    np.testing.assert_array_equal(ct.evaluate("y[i] = a * x[i]", a=number, x=X), number * X)


@pytest.mark.parametrize("number", [np.float32(2), np.int64(2), np.array(2.0)])
def test_numpys_numbers_are_scalars(number: Any) -> None:
    np.testing.assert_array_equal(ct.evaluate("y[i] = a * x[i]", a=number, x=X), number * X)


def test_an_operand_has_any_name() -> None:
    np.testing.assert_array_equal(ct.evaluate("y[i] = 2 * text[i]", **{"text": X}), 2 * X)


@pytest.mark.parametrize(
    ("text", "line", "offset", "message"),
    [
        ("y[i] = A[i,j] * z[j]", 1, 17, "no operand is named `z`"),
        ("y[i] = A[i,j] * x[j];\nz[i] = y[i] +* 1", 2, 14, "expected an expression, found `*`"),
        ("y[i] = A[i] * x[i]", 1, 8, "`A` has 2 modes, found 1 label"),
        ("y[i] = A[i,j * x[j]", 1, 20, "expected `]`"),
    ],
)
def test_errors_are_at_their_place(text: str, line: int, offset: int, message: str) -> None:
    with pytest.raises(ct.CometSyntaxError) as caught:
        ct.evaluate(text, A=A, x=X)
    error = caught.value
    assert (error.lineno, error.offset, error.text) == (line, offset, text.splitlines()[line - 1])
    assert message in error.msg


def test_every_error_is_a_record() -> None:
    """Two names that nobody knows, and an operand that nobody names."""
    with pytest.raises(ct.CometError) as caught:
        ct.evaluate("y[i] = B[i,j] * z[j]", x=X)
    messages = [record["message"] for record in caught.value.diagnostics]
    assert len(messages) == 3
    assert [word for word in ("`B`", "`z`", "`x`") if not any(word in message for message in messages)] == []


def test_an_operand_that_is_not_named_is_refused() -> None:
    with pytest.raises(ct.CometError, match="the operand `x` is passed, and nothing"):
        ct.evaluate("y[i] = A[i,j]", A=A, x=X)


def test_there_is_a_statement() -> None:
    with pytest.raises(ct.CometError, match="the text is empty"):
        ct.evaluate("")


def test_an_integer_divided_by_zero() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        ct.evaluate("y[i] = a[i] / b[i]", a=np.array([1, 2]), b=np.array([1, 0]))
    assert isinstance(caught.value, ct.CometError)


def test_what_is_not_supported_says_so() -> None:
    """With the place, and a way out."""
    with pytest.raises(ct.NotSupportedError) as caught:
        ct.evaluate("A[i,j] = A[i,j] + B[i,j]", A=A.copy(), B=A.T.tocsc().T)
    assert isinstance(caught.value, NotImplementedError)
    assert caught.value.diagnostics[0]["hint"]


def test_the_class_of_a_result() -> None:
    """`+` of sparse matrices is sparse, with a dense one dense."""
    assert ct.evaluate("C[i,j] = A[i,j] + A[i,j]", A=A).format == "csr"
    assert isinstance(ct.evaluate("C[i,j] = A[i,j] + D[i,j]", A=A, D=np.ones((2, 3))), np.ndarray)


def test_an_operand_that_is_assigned_stays_as_it_is() -> None:
    x = X.copy()
    x.flags.writeable = False
    np.testing.assert_array_equal(ct.evaluate("x[i] = 2 * x[i]", x=x), 2 * X)
    np.testing.assert_array_equal(x, X)
    with pytest.raises(ct.FormatError, match="can be written"):
        ct.evaluate("x[i] = 2 * x[i]", x=x, out=x)


def test_a_complex_scalar() -> None:
    np.testing.assert_array_equal(ct.evaluate("y[i] = a * x[i]", a=2j, x=X), 2j * X)
