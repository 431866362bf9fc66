"""Errors, whichever way they come: classes that users can import, and names that users have written."""

from __future__ import annotations

import builtins
import pickle
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct

A = sp.csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
X = np.array([1.0, -2.5, 3.0])
N = np.array([1, 2, 3])

LIBRARY = """
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) {
  y[i] = A[i,j] * x[j];
}
def scale(Tensor<double> x([i], Dense), int by) { x[i] = x[i] * by; }
def quotients(Tensor<int> n([i], Dense), int by) -> Tensor<int> m([i], Dense) { m[i] = n[i] / by; }
"""


@pytest.fixture
def library(tmp_path: Path) -> Any:
    path = tmp_path / "kernels.ta"
    path.write_text(LIBRARY)
    return ct.load(path)


def spmv() -> ct.Kernel:
    return ct.compile("y[i] = A[i,j] * x[j]", A="csr")


def caught(call: Callable[[], Any]) -> Exception:
    """What a call raises, of which nothing that is shown is private."""
    with pytest.raises(Exception) as info:
        call()
    error = info.value
    kind = type(error)
    assert kind.__module__ in ("comet_sparse", "builtins"), kind
    assert getattr(ct if kind.__module__ == "comet_sparse" else builtins, kind.__name__) is kind
    last = "".join(traceback.format_exception_only(error)).splitlines()[-1]
    assert not re.search(r"\b_\w+Error|comet_sparse\._", last), last
    assert not re.search(r"`kernel`|`A\d+`|`step\d+`|`T`", str(error)), error
    return error


CALLS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # The subscripts name no operands, so that messages count them.
    (lambda: ct.einsum("ij,j->i", A, X[:2]), ct.ShapeError, "3 by mode 1 of operand 0, but 2 by mode 0 of operand 1"),
    (lambda: ct.einsum("ii->i", A), ct.ShapeError, "2 by mode 0 of operand 0, but 3 by mode 1 of operand 0"),
    (lambda: ct.einsum("ij,j->i", A, X, out=X[:2], accumulate=True), ValueError, "memory with operand 1"),
    (lambda: ct.einsum("ij,j->i", A, X, out=X[:2]), ValueError, "the expression writes `out`"),
    (lambda: ct.einsum("ij,j->i", A, "abc"), ct.FormatError, "operand 1: expected a tensor, found `str`"),
    (lambda: ct.einsum("ij,j->i", A, [[1], [2, 3]]), ct.ShapeError, "operand 1: expected lists of equal lengths"),
    (lambda: ct.einsum("ij->ij", A, mask=X), ct.CometSyntaxError, "mask `mask` has rank 1"),
    (lambda: ct.einsum("ij->ij", A, mask=A[:1]), ct.ShapeError, "mode 0 of operand 0, but 1 by mode 0 of `mask`"),
    (lambda: ct.einsum("ij->ij", A, format="{D, S}"), ValueError, "level 1 of `out` is `S`"),
    (lambda: ct.einsum("i,j,k,l->ijkl", *[np.ones(10**5)] * 4), MemoryError, "out of memory: `out`"),
    (lambda: ct.einsum("ij,ij->i", A, X), ct.CometSyntaxError, "operand 1 has 1 modes, and its subscripts 2 labels"),
    (lambda: ct.einsum("ij->ij", A, schedule=3), TypeError, "for `schedule`, found `int`"),  # type: ignore[arg-type]
    (lambda: ct.einsum("ij->ij", A, index=X), TypeError, "for `index`, found `ndarray`"),  # type: ignore[arg-type]
    (lambda: ct.einsum("ij->ij", A, format=X), TypeError, "for `format`, found `ndarray`"),
    # Statements have names.
    (lambda: ct.evaluate("y[i] = A[i,j] * x[j]", A=A, x=X[:2]), ct.ShapeError, "mode 1 of `A`, but 2 by mode 0 of `x`"),
    (lambda: ct.evaluate("y[i] = A[i,j] * x[j]", A=A, x=X, out=X), ct.ShapeError, "but 3 by mode 0 of `y`"),
    (lambda: ct.evaluate("y[i] = x[i] + x[j]", x=X, out=X), ValueError, "the expression writes `y`"),
    (lambda: ct.evaluate("m[i] = n[i] / d", n=N, d=0), ZeroDivisionError, "division of the integer 1 by zero"),
    (lambda: ct.evaluate("y[i] = x[n]", x=X, n=2), ct.CometError, "`n` is a label of the expression"),
    (lambda: ct.evaluate('y[i] = comet_read("none.mtx")'), OSError, "cannot read `none.mtx`"),
    (lambda: ct.evaluate("s[] = A[i,j] @(max) 0", A=A), ct.CometSyntaxError, r"the maximum is `MAX\(A\[i,j\]\)`"),
    (lambda: ct.evaluate("m = MAX(z[i])", z=X + 1j), ct.CometSyntaxError, "`max` is not defined for complex values"),
    (lambda: ct.evaluate("y[i] = x[i]", x=X, ordered=3.0), TypeError, "expected `True` or `False` for `ordered`"),
    # Kernels.
    (lambda: spmv()(A, X[:2]), ct.ShapeError, "mode 1 of `A`, but 2 by mode 0 of `x`"),
    (lambda: spmv()(A.tocsc(), X), ct.FormatError, "the operand `A` is `CSC`"),
    (lambda: spmv()(A), TypeError, "expected the operands `A`, `x`, found 1 operand$"),
    (lambda: spmv().simulate(A, X[:2]), ct.ShapeError, "mode 1 of `A`"),
    (lambda: ct.compile("m[i] = n[i] / d", dtype="int64")(N, 0), ZeroDivisionError, "division"),
    # Tensors and files.
    (lambda: ct.tensor("abc"), ct.FormatError, "^expected a tensor, found `str`"),
    (
        lambda: ct.tensor(([1.0, 2.0], ([0, 0], [1, 2])), shape=(2, 3), format="{D, S}"),
        ValueError,
        "^level 1 of the tensor is `S`",
    ),
    (lambda: ct.tensor(A, format="{CU}"), ct.FormatError, "the tensor has 2 modes"),
    (lambda: ct.Tensor("CSR", (2, 3), [(None, None)], X), ct.ShapeError, "expected arrays for 2 levels"),
    (lambda: ct.read("none.mtx"), OSError, "cannot read `none.mtx`"),
    (lambda: ct.write("a.foo", A), ValueError, "`a.foo` names no kind of file"),
    (lambda: ct.write("a.npy", A), ValueError, "but `the tensor` is sparse"),
    (lambda: ct.set_num_threads(10**9), ValueError, "threads"),
    (lambda: ct.set_num_threads("all"), TypeError, "integer"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("place", range(len(CALLS)))
def test_errors_name_what_the_caller_has_written(place: int) -> None:
    call, kind, message = CALLS[place]
    error = caught(call)
    assert isinstance(error, kind), error
    assert re.search(message, str(error)), error


def test_errors_of_files(library: Any, tmp_path: Path) -> None:
    """Functions are called by their names, and their tensors by those of the file."""
    assert "mode 1 of `A`, but 2 by mode 0 of `x`" in str(caught(lambda: library.spmv(A, X[:2])))
    assert "`spmv` writes `y`, which shares memory with `x`" in str(caught(lambda: library.spmv(A, X, out=X[:2])))
    assert "`by` is the real number 2.5" in str(caught(lambda: library.scale(X.copy(), 2.5)))
    assert isinstance(caught(lambda: library.quotients(N, 0)), ZeroDivisionError)
    (tmp_path / "bad.ta").write_text("def f(Tensor<double> A([i], Dense)) { A[i] = ; }")
    assert isinstance(caught(lambda: ct.load(tmp_path / "bad.ta")), ct.CometSyntaxError)
    assert isinstance(caught(lambda: ct.load(tmp_path / "none.ta")), OSError)
    assert isinstance(caught(lambda: ct.build(tmp_path / "bad.ta", tmp_path / "out")), ct.CometSyntaxError)


def test_errors_of_annotated_functions() -> None:
    @ct.kernel
    def product(A: ct.CSR["i", "j"], x: ct.Dense["j"]) -> ct.Dense["i"]:
        "y[i] = A[i,j] * x[j]"

    assert "mode 1 of `A`, but 2 by mode 0 of `x`" in str(caught(lambda: product(A, X[:2])))
    assert isinstance(caught(lambda: product(A, x=X, y=X)), TypeError)

    def other(A: ct.CSR["j", "i"], x: ct.Dense["j"]) -> None:
        "y[i] = A[i,j] * x[j]"

    assert isinstance(caught(lambda: ct.kernel(other)), ct.FormatError)


def test_intermediate_results_are_named_by_the_path() -> None:
    """The result of its first step has no room in the memory."""
    operands = [np.ones(10**7)] * 4
    error = caught(lambda: ct.einsum("i,j,i,j->", *operands, path=[(0, 1), (0, 1), (0, 1)]))
    assert isinstance(error, MemoryError) and "step 1 of `path`" in str(error), error


@pytest.mark.parametrize(
    "name", ["schedule", "format", "dtype", "index", "ordered", "out", "copy", "comm", "replicated"]
)
def test_operands_with_the_names_of_parameters(name: str) -> None:
    """They are refused by name; calls of kernels take them in their places."""
    for value in (X, 3, 2.5, A):
        error = caught(lambda: ct.evaluate(f"y[i] = {name}[i] * 2", **{name: value}))
        assert isinstance(error, TypeError) and f"`{name}` is a parameter of `evaluate`" in str(error)
    error = caught(lambda: ct.evaluate(f"y[i] = x[i] * {name}", x=X, **{name: 3}))
    assert f"`{name}` is a parameter of `evaluate`" in str(error)
    doubled = ct.compile(f"y[i] = {name}[i] * 2")
    np.testing.assert_array_equal(doubled(X), 2 * X)
    if name in ("out", "copy", "comm", "replicated"):
        error = caught(lambda: doubled(**{name: X}))
        assert f"`{name}` is a parameter of the call" in str(error)
    else:
        np.testing.assert_array_equal(doubled(**{name: X}), 2 * X)


@pytest.mark.parametrize("name", ["dtype", "index", "schedule"])
def test_stated_formats_with_the_names_of_parameters(name: str) -> None:
    error = caught(lambda: ct.compile(f"y[i] = {name}[i] * 2", **{name: "dense"}))
    assert isinstance(error, TypeError) and f"`{name}` is a parameter of `compile`" in str(error)


@pytest.mark.parametrize("name", ["self", "text", "kernel", "operands", "A0", "named"])
def test_operands_may_have_other_names(name: str) -> None:
    np.testing.assert_array_equal(ct.evaluate(f"y[i] = {name}[i] * 2", **{name: X}), 2 * X)
    np.testing.assert_array_equal(ct.compile(f"y[i] = {name}[i] * 2")(**{name: X}), 2 * X)


@pytest.mark.parametrize("kind", ["MemoryError", "OSError", "ZeroDivisionError", "ValueError"])
def test_classes_are_those_of_python_too(kind: str) -> None:
    """Also behind a process pool, which pickles errors."""
    error = getattr(ct, kind)("what is wrong")
    assert isinstance(error, getattr(builtins, kind)) and isinstance(error, ct.CometError)
    assert type(pickle.loads(pickle.dumps(error))) is type(error)
    assert kind not in ct.__all__
