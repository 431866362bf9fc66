"""Numbers that kernels are passed, and those that they return."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct


def _scaled(tmp_path: Path, element: str) -> Callable[..., Any]:
    path = tmp_path / f"{element}.ta"
    vector = "complex128" if element.startswith("complex") else "double"
    path.write_text(
        f"def scaled({element} a, Tensor<{vector}> x([i], Dense)) -> Tensor<{vector}> y([i], Dense) "
        "{ y[i] = a * x[i]; }"
    )
    return ct.load(path).scaled  # type: ignore[no-any-return]


@pytest.mark.parametrize("element", ["double", "float", "int", "int8", "uint32", "complex64", "complex128"])
@pytest.mark.parametrize("value", [2, np.int8(2), 2.0, np.float32(2.0), 2j])
def test_a_number_is_passed_as_its_parameter_is_declared(tmp_path: Path, element: str, value: Any) -> None:
    """Passed as the bits of its own type, it was another number, or an address that is none."""
    scaled = _scaled(tmp_path, element)
    x = np.array([1.0, 3.0], dtype=complex if element.startswith("complex") else float)
    is_integer, is_complex = isinstance(value, (int, np.integer)), isinstance(value, complex)
    holds = not is_complex if element in ("double", "float") else is_integer
    if holds or element.startswith("complex"):
        np.testing.assert_array_equal(scaled(value, x), value * x)
    else:
        with pytest.raises(ct.FormatError, match=f"`a` is .*, expected a number that `{element}` holds"):
            scaled(value, x)


def test_integers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    scaled = _scaled(tmp_path, "int8")
    np.testing.assert_array_equal(scaled(-128, np.ones(1)), [-128.0])
    with pytest.raises(ct.FormatError, match="`a` is the integer 128, expected a number that `int8` holds"):
        scaled(128, np.ones(1))


def test_numbers_beyond_64_bits_are_refused() -> None:
    """NumPy's extended numbers are their own items, which was looked for without end."""
    with pytest.raises(ct.FormatError, match="expected a number of at most 64 bits, found `longdouble`"):
        ct.evaluate("y[i] = a * x[i]", a=np.longdouble(2), x=np.ones(3))
    with pytest.raises(ct.FormatError, match="expected a number, found several"):
        ct.evaluate("y[i] = a * x[i]", a=np.ones(2), x=np.ones(3))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "int8", "uint32", "complex64", "complex128"])
def test_results_that_are_numbers_have_any_type(dtype: str) -> None:
    values = np.array([[1, 0], [0, 5]], dtype=dtype)
    result = ct.evaluate("s = SUM(A[i,j])", A=sp.csr_array(values))
    assert result == 6 and isinstance(result, complex if dtype.startswith("complex") else (int, float))


@pytest.mark.parametrize("element", ["bool", "int8", "uint8", "int32", "uint32", "complex64"])
def test_functions_return_numbers_of_any_type(tmp_path: Path, element: str) -> None:
    """The bytes above those of the type are not read, and signs are those of the type."""
    path = tmp_path / "f.ta"
    path.write_text(f"def f({element} a) -> {element} b {{ b = a; }}")
    for value in {"bool": [0, 1], "uint8": [0, 200], "uint32": [4_000_000_000]}.get(element, [-3, 4]):
        assert ct.load(path).f(value) == value


def test_stated_numbers_take_other_types_that_they_hold() -> None:
    """An integer for `double` is no other kernel."""
    f = ct.compile("y[i] = a * x[i]", dtype="float32")
    x = np.ones(3, dtype="float32")
    for number in (2, 2.0, np.float64(2)):
        result = f(a=number, x=x)
        assert result.dtype == np.float32 and (result == 2).all()


def test_a_number_that_is_assigned_is_refused() -> None:
    with pytest.raises(ct.NotSupportedError, match="the last statement assigns the operand `s`, which is a number"):
        ct.evaluate("s = s + SUM(x[i])", s=1.0, x=np.ones(3))
