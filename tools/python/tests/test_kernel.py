"""Kernels: `compile`, `kernel`, `load`, `build`, and what they tell."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct
from comet_sparse import _command


@pytest.fixture
def matrices() -> tuple[sp.csr_array, sp.csr_array]:
    fine = sp.random_array((30, 30), density=0.2, format="csr", rng=1)
    coarse = sp.random_array((30, 7), density=0.3, format="csr", rng=2)
    return coarse, fine


def _galerkin() -> ct.Kernel:
    return ct.compile("C[i,j] = P[k,i] * A[k,l] * P[l,j]", P="csr", A="csr", C="csr")


def test_operands_come_in_order_or_by_name(matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    coarse, fine = matrices
    kernel = _galerkin()
    expected = (coarse.T @ fine @ coarse).toarray()
    assert kernel.operands == ("P", "A")
    for result in (kernel(coarse, fine), kernel(coarse, A=fine), kernel(A=fine, P=coarse)):
        assert isinstance(result, sp.csr_array)
        np.testing.assert_allclose(result.toarray(), expected)
    with pytest.raises(TypeError, match="expected the operands `P`, `A`, found 1"):
        kernel(coarse)
    with pytest.raises(TypeError, match="found `B`"):
        kernel(coarse, B=fine)
    with pytest.raises(TypeError, match="passed twice"):
        kernel(coarse, P=fine)


def test_other_formats_are_refused(matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    coarse, fine = matrices
    with pytest.raises(ct.FormatError, match="the operand `P` is `CSC`"):
        _galerkin()(coarse.tocsc(), fine)


def test_types_are_free_unless_they_are_stated(matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    coarse, fine = (matrix.astype(np.float32) for matrix in matrices)
    assert _galerkin()(coarse, fine).dtype == np.float32
    stated = ct.compile("C[i,j] = P[k,i] * A[k,l] * P[l,j]", P="csr", A="csr", dtype="float64")
    with pytest.raises(ct.FormatError, match="`float`"):
        stated(coarse, fine)


def test_forms_are_texts() -> None:
    stages = _galerkin().stages
    assert "C[i,j] = P[k,i] * A[k,l] * P[l,j];" in stages["source"]
    assert "cin.forall" in stages["cin"]
    assert "scf.for" in stages["scf"]
    assert "define" in stages["llvm"]
    assert "kernel" in stages["asm"]
    assert "digraph" in stages["sam"]
    assert "comet_status kernel(" in _galerkin().header
    with pytest.raises(KeyError):
        stages["none"]


def test_decisions_are_records() -> None:
    records = _galerkin().explain()
    assert all(record["kind"] == "decision" for record in records)
    assert any("appends in order" in record["message"] for record in records)


def test_schedules(matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    kernel = ct.compile("C[i,j] = A[i,k] * B[k,j]", A="csr", B="csr")
    scheduled = kernel.with_schedule("order(k, i, j); workspace(C, hash, 1000)")
    _, fine = matrices
    np.testing.assert_allclose(scheduled(fine, fine).toarray(), kernel(fine, fine).toarray())
    with pytest.raises(ct.CometSyntaxError, match="label"):
        kernel.with_schedule("order(q, r)")


def test_the_simulator_counts(matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    coarse, fine = matrices
    assert _galerkin().simulate(P=coarse, A=fine)["cycles"] > 0


def test_graphs_are_drawn() -> None:
    assert "<svg" in _galerkin().graph()


def test_tuning_keeps_the_result(matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    _, fine = matrices
    kernel = ct.compile("C[i,j] = A[i,k] * B[k,j]", A="csr", B="csr")
    tuned = kernel.tune(fine, fine, candidates=2, repetitions=1)
    np.testing.assert_allclose(tuned(fine, fine).toarray(), (fine @ fine).toarray())


def test_annotated_functions() -> None:
    @ct.kernel(schedule="order(i, k, l, j)")
    def mttkrp(T: ct.CSF["i", "k", "l"], D: ct.Dense["k", "j"], E: ct.Dense["l", "j"]) -> ct.Dense["i", "j"]:  # type: ignore  # noqa: F821
        "R[i,j] = T[i,k,l] * D[k,j] * E[l,j]"

    tensor = ct.tensor((np.array([1.0, 2.0, 4.0]), ([0, 1, 1], [1, 0, 2], [0, 3, 1])), shape=(2, 3, 4), format="CSF")
    rng = np.random.default_rng(0)
    factors = rng.random((3, 5)), rng.random((4, 5))
    expected = np.einsum("ikl,kj,lj->ij", tensor.todense(), *factors)
    np.testing.assert_allclose(mttkrp(tensor, *factors), expected)


def test_operands_of_annotated_functions_come_in_the_order_of_the_parameters(
    matrices: tuple[sp.csr_array, sp.csr_array],
) -> None:
    """Which may differ from that of the statement."""

    @ct.kernel
    def product(B: ct.CSR["k", "j"], A: ct.CSR["i", "k"]):  # type: ignore  # noqa: F821
        "C[i,j] = A[i,k] * B[k,j]"

    coarse, fine = matrices
    assert product.operands == ("B", "A")
    assert str(inspect.signature(product)) == "(B, A, *, out=None, copy=True, comm=None, replicated=())"
    np.testing.assert_allclose(product(coarse, fine).toarray(), (fine @ coarse).toarray())


def _annotated(text: str, **annotations: object) -> Callable[..., None]:
    """A function with parameters of those names."""
    names = [name for name in annotations if name != "return"]
    scope: dict[str, Callable[..., None]] = {}
    exec(f"def function({', '.join(names)}): {text!r}", scope)
    scope["function"].__annotations__ = annotations
    return scope["function"]


@pytest.mark.parametrize(
    ("text", "annotations", "error", "message"),
    [
        ("y[i] = A[i,k] * x[k]", {"A": ct.CSR["q", "r"], "x": ct.Dense}, ct.FormatError, r"\[q, r\] .* \[i, k\]"),
        ("y(i) = A(i,k) * x(k)", {"A": ct.CSR["k", "i"], "x": ct.Dense}, ct.FormatError, r"\[k, i\] .* \[i, k\]"),
        ("y[i] = A[i,k] * x[k]", {"A": ct.CSR["i"], "x": ct.Dense}, ct.FormatError, r"the labels of `A` are \[i\]"),
        ("y[i] = a * x[i]", {"a": float, "x": float}, ct.FormatError, "`x` is a tensor"),
        ("y[i] = a * x[i]", {"a": ct.CSR, "x": ct.Dense}, ct.FormatError, "`a` is a scalar"),
        ("y[i] = a * x[i]", {"a": list, "x": ct.Dense}, ct.FormatError, "`int`, `float` or `complex`, for `a`"),
        ("y[i] = 2 * x[i]", {"x": ct.Dense, "return": ct.Dense["j"]}, ct.FormatError, "the labels of `y`"),
        ("y[i] = 2 * x[i]", {"x": ct.Dense, "return": float}, ct.FormatError, "`y` is a tensor"),
        ("y[i] = 2 * x[i]", {"x": ct.Dense, "z": ct.Dense}, TypeError, "no operand for its parameter `z`"),
        ("y[i] = a * x[i]", {"x": ct.Dense}, TypeError, "a parameter of `function` for the operand `a`"),
    ],
)
def test_annotations_that_contradict_the_statement_are_refused(
    text: str, annotations: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ct.kernel(_annotated(text, **annotations))


@pytest.mark.parametrize("labels", [("i", "k"), ("k", "j")])
def test_labels_are_those_of_one_access(labels: tuple[str, str]) -> None:
    """Where a tensor is there twice, with other labels."""
    squared = ct.kernel(_annotated("C[i,j] = A[i,k] * A[k,j]", A=ct.CSR[labels]))
    matrix = sp.csr_array([[1.0, 2.0], [0.0, 3.0]])
    np.testing.assert_allclose(squared(matrix).toarray(), (matrix @ matrix).toarray())


def test_scalars_have_the_type_of_their_annotation() -> None:
    """In the program and in each call; what is no such number is refused."""
    x, text = np.array([1, 2]), "y[i] = x[i] * a"
    for number, word, dtype in ((int, "int a", "int64"), (float, "double a", "float64"), (complex, "complex128 a", "complex128")):
        scaled = ct.kernel(_annotated(text, x=ct.Dense, a=number))
        assert word in scaled.stages["source"]
        assert scaled(x, 2).dtype == scaled(x, np.int8(2)).dtype == dtype
    with pytest.raises(ct.FormatError, match=r"a number of the type `int` for `a`, found 2.5"):
        ct.kernel(_annotated(text, x=ct.Dense, a=int))(x, 2.5)
    with pytest.raises(ct.FormatError, match=r"`float` for `a`, found 2j"):
        ct.kernel(_annotated(text, x=ct.Dense, a=float))(x, a=2j)


def test_a_scalar_result_has_the_type_of_its_annotation() -> None:
    x = np.array([1.0, 2.0])
    for number in (float, complex):
        total = ct.kernel(_annotated("s = SUM(x[i])", **{"x": ct.Dense, "return": number}))
        assert total(x) == 3 and isinstance(total(x), number)


def test_complex_operands_of_the_command(tmp_path: Path) -> None:
    """Dense ones are written as NumPy's files, by whatever name their format goes."""
    matrix, vector = sp.csr_array(np.array([[1, 2j], [0, 3]])), np.array([1 + 1j, 2])
    for dense in ("dense", "Dense", "{D}"):
        kernel = ct.compile("y[i] = A[i,j] * x[j]", A="csr", x=dense, dtype="complex128")
        with pytest.raises(ct.NotSupportedError, match="`complex128`, in a dataflow graph"):
            kernel.simulate(A=matrix, x=vector)
    with pytest.raises(ct.NotSupportedError, match="complex scalar `a`"):
        ct.compile("y[i] = a * x[i]").simulate(a=2j, x=np.array([1.0]))


FILE = """
# The product of a matrix and a vector.
def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) {
  y[i] = A[i,j] * x[j];
}

def scale(Tensor<double> x([i], Dense), double by) {
  x[i] = by * x[i];
}

def norm(Tensor<double> x([i], Dense)) -> double s {
  s = sqrt(SUM(x[i] * x[i]));
}
"""


def test_files_are_modules(tmp_path: Path, matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    path = tmp_path / "kernels.ta"
    path.write_text(FILE)
    library = ct.load(path)
    _, fine = matrices
    vector = np.arange(30.0)
    np.testing.assert_allclose(library.spmv(fine, vector), fine @ vector)
    assert "The product of a matrix and a vector." in library.spmv.__doc__
    assert library.norm(np.array([3.0, 4.0])) == 5.0
    assert library.scale(vector, 2.0) is None
    assert vector[3] == 6.0
    assert "Changes `x` in place." in library.scale.__doc__
    assert str(inspect.signature(library.spmv)) == "(A, x, *, out=None, copy=True, comm=None, replicated=())"
    assert repr(library.spmv) == "<comet kernel spmv(A: CSR of double, 2 modes, x: Dense of double, 1 modes) -> Dense of double, 1 modes>"
    path.write_text("def f(Tensor<double> A([i], Dense)) { A[i] = ; }")
    with pytest.raises(ct.CometSyntaxError) as caught:
        ct.load(path)
    assert (caught.value.lineno, caught.value.offset) == (1, 46)


def test_functions_of_files_take_schedules(tmp_path: Path, matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    path = tmp_path / "kernels.ta"
    path.write_text(FILE)
    library = ct.load(path)
    _, fine = matrices
    scheduled = library.spmv.with_schedule("order(j, i)")
    assert any("scheduled loops: `j`, `i`" in record["message"] for record in scheduled.explain())
    assert scheduled.__name__ == "spmv" and scheduled.__doc__ == library.spmv.__doc__
    np.testing.assert_allclose(scheduled(fine, x=np.arange(30.0)), fine @ np.arange(30.0))
    with pytest.raises(ct.CometSyntaxError, match="`q`") as caught:
        library.spmv.with_schedule("order(q, i)")
    assert (caught.value.lineno, caught.value.offset, caught.value.text) == (1, 7, "order(q, i)")
    for wanted in (library.spmv.graph, lambda: library.spmv.tune(fine, np.arange(30.0))):
        with pytest.raises(ct.NotSupportedError, match="pass the statements of `spmv` to `compile`"):
            wanted()


def test_errors_of_the_command_have_places(tmp_path: Path) -> None:
    """The same exceptions and records as of a compilation in the process."""
    path = tmp_path / "kernels.ta"
    path.write_text("# é\ndef f(Tensor<double> A([i], Dense)) { A[i] = ; }\n", encoding="utf-8")
    with pytest.raises(ct.CometSyntaxError, match="expected an expression, found `;`") as caught:
        ct.build(path, tmp_path / "out", emit="obj")
    error = caught.value
    assert (error.filename, error.lineno, error.offset) == (str(path), 2, 46)
    assert error.text == "def f(Tensor<double> A([i], Dense)) { A[i] = ; }"
    assert [(record["severity"], record["line"]) for record in error.diagnostics] == [("error", 2)]
    path.write_text(FILE)
    with pytest.raises(ct.CometSyntaxError, match="help: name labels") as caught:
        ct.build(path, tmp_path / "out", emit="obj", schedule="order(i, zz)")
    assert (caught.value.offset, caught.value.text) == (10, "order(i, zz)")


@pytest.mark.parametrize(
    ("code", "message", "exit_code", "expected"),
    [
        ("not-supported", "not supported yet: this", 1, ct.NotSupportedError),
        ("internal", "internal error: that", 2, ct.InternalError),
        ("runtime", "cannot read `a.mtx`", 1, ct.CometError),
    ],
)
def test_classes_of_errors_of_the_command(
    monkeypatch: pytest.MonkeyPatch, code: str, message: str, exit_code: int, expected: type[Exception]
) -> None:
    _command_that_writes(monkeypatch, {"severity": "error", "code": code, "message": message, "line": 1, "column": 1}, exit_code)
    with pytest.raises(expected, match=message) as caught:
        _galerkin().graph()
    assert type(caught.value) is expected
    assert caught.value.diagnostics[0]["code"] == code


def test_warnings_of_the_command_are_pythons(monkeypatch: pytest.MonkeyPatch) -> None:
    _command_that_writes(monkeypatch, {"severity": "warning", "code": "warning", "message": "mind é"}, 0)
    with pytest.warns(UserWarning, match="^mind é$") as caught:
        _galerkin().graph()
    assert caught[0].filename == __file__


def _command_that_writes(monkeypatch: pytest.MonkeyPatch, record: dict[str, object], exit_code: int) -> None:
    """A command instead of comet's, which writes a message and ends."""
    whole = {"file": "a.ta", "line": None, "column": None, "labels": [], "hint": None, **record}
    program = f"import sys; sys.stderr.buffer.write({json.dumps(whole, ensure_ascii=False).encode()!r}); sys.exit({exit_code})"
    monkeypatch.setattr(_command, "COMMAND", [sys.executable, "-c", program])


def test_files_are_built(tmp_path: Path) -> None:
    path = tmp_path / "kernels.ta"
    path.write_text(FILE)
    built = ct.build(path, tmp_path / "out", emit=["header", "obj"])
    assert {file.name for file in built} == {"kernels.h", "kernels.o"}
    with pytest.raises(ct.CometError, match="none.ta"):
        ct.build(tmp_path / "none.ta", tmp_path / "out")


def test_tensors_are_written_and_read(tmp_path: Path, matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    _, fine = matrices
    for ending in ("mtx", "mtx.gz", "npz"):
        path = tmp_path / f"a.{ending}"
        ct.write(path, fine)
        again = ct.read(path)
        assert isinstance(again, sp.csr_array)
        np.testing.assert_allclose(again.toarray(), fine.toarray())
    assert isinstance(ct.read(tmp_path / "a.mtx", "csc"), sp.csc_array)
    with pytest.raises(OSError, match="none.mtx"):
        ct.read(tmp_path / "none.mtx")


def test_indices_are_permuted(matrices: tuple[sp.csr_array, sp.csr_array]) -> None:
    _, fine = matrices
    for method in ("lexi", "degree"):
        permuted, (rows, columns) = ct.reorder(fine, method)
        np.testing.assert_allclose(permuted.toarray(), fine.toarray()[rows][:, columns])
    with pytest.raises(ValueError, match="found `none`"):
        ct.reorder(fine, "none")


def test_tensors_of_coordinates() -> None:
    values, coords = np.array([1.0, 2.0, 3.0]), ([1, 0, 1], [0, 2, 0])
    csr = ct.tensor((values, coords), shape=(2, 3), format="csr")
    assert isinstance(csr, sp.csr_array)
    assert csr.toarray().tolist() == [[0, 0, 2], [4, 0, 0]]
    bits = ct.tensor((values, coords), shape=(2, 3), format="{D, BV<8>}")
    assert bits.todense().tolist() == [[0, 0, 2], [4, 0, 0]]
    assert bits.to_scipy().toarray().tolist() == [[0, 0, 2], [4, 0, 0]]
    assert "<svg" in bits._repr_html_()
    assert bits.copy().todense().tolist() == bits.todense().tolist()
    with pytest.raises(TypeError, match="todense"):
        np.asarray(bits)
    assert ct.tensor([[1, 2], [0, 3]], format="csr").toarray().tolist() == [[1, 2], [0, 3]]
    with pytest.raises(ct.ShapeError, match="mode 1 from 0 to 1"):
        ct.tensor((values, coords), shape=(2, 2))


@pytest.mark.parametrize("format", ["COO, index=i64", "coo,index=i64", "coo , index = i64", "coo, order={1,0}, index=i64"])
def test_coordinates_have_the_width_that_is_stated(format: str) -> None:
    found = ct.tensor((np.array([1.0, 2.0]), ([0, 1], [1, 0])), shape=(2, 2), format=format)
    assert "index=i64" in found.format
    assert {array.dtype for level in found.levels for array in level if array is not None} == {np.dtype("int64")}
    assert found.todense().tolist() == [[0, 1], [2, 0]]


@pytest.mark.parametrize("format", ["coo", "dense"])
def test_a_tensor_without_modes(format: str) -> None:
    """Its values, which have no coordinates, are added up."""
    found = ct.tensor((np.array([1.0, 2.5]), ()), shape=(), format=format)
    assert found == 3.5 and found.dtype == np.float64
    assert ct.tensor((np.array([], np.int32), ()), shape=(), format=format) == 0


def test_pictures() -> None:
    kernel = _galerkin()
    shown = kernel._repr_html_()
    assert "cin.forall" in shown and "what was decided" in shown
    assert "<rect" in ct.spy(sp.eye_array(5, format="csr"))._repr_svg_()


def test_cells_of_notebooks_are_files() -> None:
    class Shell:
        """As much of IPython's shell as the magic uses."""

        def __init__(self) -> None:
            self.names: dict[str, object] = {}

        def register_magic_function(self, function: object, magic_kind: str, magic_name: str) -> None:
            assert (magic_kind, magic_name) == ("cell", "comet")
            self.magic = function

        def push(self, names: dict[str, object]) -> None:
            self.names.update(names)

    shell = Shell()
    ct.load_ipython_extension(shell)
    shell.magic("", FILE)  # type: ignore[operator]
    assert set(shell.names) == {"spmv", "scale", "norm"}
    assert shell.names["norm"](np.array([3.0, 4.0])) == 5.0  # type: ignore[operator]


@pytest.mark.parametrize("axes", [(0,), (1,)])
def test_matrices_of_the_package_sparse(axes: tuple[int, ...]) -> None:
    sparse = pytest.importorskip("sparse")
    dense = np.array([[1.0, 0, 2], [0, 3, 0]])
    found = ct.einsum("ij,j->i", sparse.GCXS.from_numpy(dense, compressed_axes=axes), np.array([1.0, 2, 3]))
    assert found.tolist() == [7, 6]


def test_operands_are_in_the_order_of_the_text() -> None:
    """Tensors were in front of numbers."""
    f = ct.compile("y[i] = a * A[i,j] * x[j] + b * z[i]", A="csr")
    assert f.operands == ("a", "A", "x", "b", "z")


def test_kernels_and_tensors_are_sent_to_other_processes() -> None:
    f = ct.compile("y[i] = A[i,j] * x[j]", A="csf")
    matrix = ct.tensor((np.array([1.0, 2.0]), ([0, 1], [1, 0])), shape=(2, 2), format="csf")
    assert isinstance(matrix, ct.Tensor)
    g, other = pickle.loads(pickle.dumps((f, matrix)))
    np.testing.assert_array_equal(g(other, np.array([10.0, 100.0])), [100, 20])
    assert copy.deepcopy(matrix).format == matrix.format


def test_the_simulator_refuses_what_the_kernel_refuses() -> None:
    """A vector that is too short had zeros at its end."""
    f = ct.compile("y[i] = A[i,j] * x[j]", A="csr")
    matrix = sp.csr_array(np.arange(1.0, 10).reshape(3, 3))
    for call in (f.simulate, f.tune):
        with pytest.raises(ct.ShapeError):
            call(matrix, np.ones(2))


def test_formats_are_classes_too() -> None:
    matrix = sp.csr_array(np.eye(3))
    assert isinstance(ct.einsum("ij->ij", matrix, format=ct.CSC), sp.csc_array)
    assert isinstance(ct.tensor(np.eye(3), format=ct.CSR), sp.csr_array)


def test_coordinates_are_integers() -> None:
    with pytest.raises(ct.FormatError, match="expected integers as the coordinates of mode 0, found the dtype `float64`"):
        ct.tensor(([1.0, 2.0], ([1.5, 0], [0, 1])), (2, 2))
    with pytest.raises(TypeError, match="expected subscripts such as .* found `csr_array`"):
        ct.einsum(sp.csr_array(np.eye(2)), "ij->i")  # type: ignore[arg-type]
