"""Kernels: expressions compiled for stated formats, and functions of files."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _comet, _command
from ._comet import Expression
from ._errors import FormatError
from ._types import element_word, settings

_Formats = list[tuple[str, str, int]]
"""A format, an element type and a rank for each operand."""

_FORMS = ("source", "ta", "cin", "scf", "llvm", "asm", "sam", "header")


class Stages(Mapping[str, str]):
    """The forms of a kernel on its way to code, each made when it is asked for.

    ``source`` is the program, ``ta`` tensors with formats, ``cin`` loops in concrete index notation, ``scf``
    loops over arrays, ``llvm`` optimized LLVM IR, ``asm`` assembly, ``sam`` the dataflow graph as text.
    """

    def __init__(self, kernel: "Kernel") -> None:
        self._kernel = kernel

    def __getitem__(self, name: str) -> str:
        return self._kernel._form(name)

    def __iter__(self) -> Iterator[str]:
        return iter(_FORMS)

    def __len__(self) -> int:
        return len(_FORMS)


class Kernel:
    """A compiled expression. Call it with its operands, in order or by name.

    Made by `compile`, `kernel` and `load`. Extents are those of the operands of each call; formats and types
    are those that were stated.
    """

    def __init__(
        self,
        text: str,
        names: Sequence[str],
        formats: _Formats,
        settings: dict[str, Any],
        expression: Expression,
        name: str = "kernel",
        doc: str | None = None,
    ) -> None:
        self._text = text
        self._names = tuple(names)
        self._formats = formats
        self._settings = settings
        self._expression = expression
        self.__name__ = name
        if doc is not None:
            self.__doc__ = doc

    def __call__(self, *operands: Any, out: Any = None, copy: bool = True, **named: Any) -> Any:
        """Compute the result for operands in the stated formats.

        :param out: the result is written there; as for `einsum`.
        :param copy: ``False`` refuses operands that would have to be copied.
        """
        return self._expression.call(self._ordered(operands, named), out, copy)

    def __repr__(self) -> str:
        return f"<comet kernel {self._source_line()}>"

    def _repr_html_(self) -> str:
        from ._notebook import kernel_html

        return kernel_html(self)

    @property
    def operands(self) -> tuple[str, ...]:
        """The names of the operands, in order."""
        return self._names

    @property
    def stages(self) -> Stages:
        """The forms of the kernel on its way to code, by name."""
        return Stages(self)

    @property
    def header(self) -> str:
        """The C header of the kernel, as `build` writes it."""
        return self._form("header")

    def explain(self) -> list[dict[str, Any]]:
        """Report what the compiler has decided, and why.

        Each record has ``kind`` (``decision``, ``note`` or ``warning``), ``line``, ``column``, ``message`` and
        ``hint``; places are in the text of the expression.
        """
        return self._expression.explain(self._formats)

    def with_schedule(self, commands: str) -> "Kernel":
        """Return the same kernel with commands for its loops, such as ``"order(i, k, j)"``."""
        settings = {**self._settings, "schedule": commands}
        return _compiled(self._text, self._names, self._formats, settings, self.__name__)

    def graph(self) -> str:
        """Draw the dataflow graph of the kernel as SVG. Needs Graphviz's ``dot``."""
        with tempfile.TemporaryDirectory() as folder:
            source = self._program(Path(folder), {})
            return _command.output(["build", str(source), "--emit=svg"])

    def simulate(self, *operands: Any, **named: Any) -> dict[str, Any]:
        """Run the dataflow graph on the simulator; return its counts, ``cycles`` among them."""
        with tempfile.TemporaryDirectory() as folder:
            source, inputs = self._prepared(Path(folder), operands, named)
            report = Path(folder) / "report.json"
            _command.output(["sim", str(source), *inputs, "--json", str(report)])
            return _summary(json.loads(report.read_text()))

    def tune(self, *operands: Any, candidates: int = 8, rounds: int = 3, **named: Any) -> "Kernel":
        """Measure schedules on these operands; return the kernel with the fastest."""
        with tempfile.TemporaryDirectory() as folder:
            source, inputs = self._prepared(Path(folder), operands, named)
            sizes = [f"--candidates={candidates}", f"--rounds={rounds}"]
            commands = _command.output(["tune", str(source), *inputs, *sizes])
        return self.with_schedule(commands) if commands.strip() else self

    def _form(self, name: str) -> str:
        if name == "sam":
            with tempfile.TemporaryDirectory() as folder:
                source = self._program(Path(folder), {})
                return _command.output(["build", str(source), "--emit=sam-dot"])
        if name not in _FORMS:
            raise KeyError(name)
        return self._expression.form(self._formats, name)

    def _source_line(self) -> str:
        return self._text.strip()

    def _ordered(self, operands: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, ...]:
        if not named and len(operands) == len(self._names):
            return tuple(operands)
        unknown = [name for name in named if name not in self._names]
        if len(operands) + len(named) != len(self._names) or unknown:
            expected = ", ".join(f"`{name}`" for name in self._names)
            what = f"`{unknown[0]}`" if unknown else f"{len(operands) + len(named)} operands"
            raise TypeError(f"expected the operands {expected}, found {what}")
        rest = self._names[len(operands) :]
        twice = [name for name in named if name not in rest]
        if twice:
            raise TypeError(f"the operand `{twice[0]}` is passed twice")
        return (*operands, *(named[name] for name in rest))

    def _program(self, folder: Path, scalars: dict[str, float]) -> Path:
        source = folder / "kernel.ta"
        source.write_text(self._expression.program(self._formats, scalars))
        return source

    def _prepared(
        self, folder: Path, operands: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[Path, list[str]]:
        """The program of the kernel, and the flags for files of its operands."""
        values = self._ordered(operands, named)
        scalars = {name: float(value) for name, value, (format, _, _) in self._each(values) if format == "scalar"}
        inputs = []
        for name, value, (format, _, rank) in self._each(values):
            if format != "scalar":
                ending = "npy" if format.startswith("Dense") else "mtx" if rank == 2 else "tns"
                path = folder / f"{name}.{ending}"
                _comet.write(path, value)
                inputs.append(f"--input={name}={path}")
        schedule = self._settings.get("schedule")
        commands = [f"--schedule={schedule}"] if schedule else []
        return self._program(folder, scalars), [*inputs, *commands]

    def _each(self, values: Sequence[Any]) -> Iterator[tuple[str, Any, tuple[str, str, int]]]:
        return zip(self._names, values, self._formats)


def compile(  # noqa: A001  (the name of the contract)
    text: str,
    /,
    *,
    dtype: Any = None,
    index: str | None = None,
    schedule: str | None = None,
    ordered: bool = False,
    **formats: Any,
) -> Kernel:
    """Compile statements for operands in stated formats, of any extents.

    >>> import scipy.sparse as sp, comet_sparse as ct
    >>> f = ct.compile("C[i,j] = A[i,k] * B[k,j]", A="csr", B="csr", C="csr")
    >>> A = sp.csr_array([[1.0, 0.0], [2.0, 3.0]])
    >>> f(A, B=A).toarray()
    array([[1., 0.],
           [8., 9.]])
    >>> [record["message"] for record in f.explain()][0]
    'the result is as stated'

    :param text: statements, as for `evaluate`.
    :param formats: the format of each operand and of the result: ``"csr"``, ``"dense"``, ``"{D, CU}"``, or a
        class such as `CSR`. What is left out is dense; the result is stored as `einsum` describes.
    :param dtype: the element type of all operands, ``float64`` if it is left out; or one for each name.
    :param index: ``"int64"`` for indices of 64 bits.
    :param schedule: commands for the loops.
    :param ordered: sums are formed in the order of the indices.
    """
    interface, result = _comet.interface(text)
    operands = [name for name, _ in interface]
    unknown = [name for name in formats if name not in operands and name != result]
    if unknown:
        raise TypeError(f"nothing in the expression is named `{unknown[0]}`")
    format = _format_text(formats[result]) if result in formats and result not in operands else None
    stated = {**settings(format, None, index, ordered, schedule), "typed": dtype is not None}
    words = []
    for name, rank in interface:
        element = element_word(dtype.get(name) if isinstance(dtype, Mapping) else dtype) or "double"
        stored = "scalar" if rank is None else _format_text(formats.get(name, "dense"))
        is_wide = index in ("int64", "i64") and rank is not None and not stored.lower().startswith("dense")
        words.append((stored + (", index=i64" if is_wide else ""), element, rank or 0))
    return _compiled(text, operands, words, stated, "kernel")


def _compiled(text: str, names: Sequence[str], formats: _Formats, stated: dict[str, Any], name: str) -> Kernel:
    expression = Expression.statements(text, list(names), stated)
    expression.compile(formats)
    expected = ["element"] * stated["typed"] + ["index"] * (stated["index"] is not None)
    expression.expect(formats, expected)
    return Kernel(text, names, formats, stated, expression, name)


def _format_text(format: Any) -> str:
    text = format if isinstance(format, str) else getattr(format, "format", None)
    if not isinstance(text, str):
        raise FormatError(f"expected the name of a format, found {format!r}")
    return text


def _summary(report: Any) -> dict[str, Any]:
    """The counts of a report of the simulator."""
    if isinstance(report, dict):
        return report
    return {"graphs": report, "cycles": sum(graph.get("cycles", 0) for graph in report)}


class _Annotation:
    """What an annotation of a parameter says: a format, and labels for its modes."""

    def __init__(self, format: str, labels: tuple[str, ...]) -> None:
        self.format = format
        self.labels = labels


class FormatClass:
    """A format for annotations and for `compile`: ``CSR["i", "j"]``."""

    def __init__(self, format: str) -> None:
        self.format = format

    def __getitem__(self, labels: str | tuple[str, ...]) -> _Annotation:
        return _Annotation(self.format, (labels,) if isinstance(labels, str) else labels)

    def __repr__(self) -> str:
        return self.format


CSR, CSC, COO = FormatClass("CSR"), FormatClass("CSC"), FormatClass("COO")
DCSR, DCSC, CSF = FormatClass("DCSR"), FormatClass("DCSC"), FormatClass("CSF")
Dense, ELL, SparseVector = FormatClass("Dense"), FormatClass("ELL"), FormatClass("SparseVector")


def kernel(
    function: Callable[..., Any] | None = None, /, **stated: Any
) -> Kernel | Callable[[Callable[..., Any]], Kernel]:
    """Compile the statement in the docstring of a function whose parameters state formats.

    >>> import comet_sparse as ct
    >>> @ct.kernel
    ... def mttkrp(T: ct.CSF["i", "k", "l"], D: ct.Dense["k", "j"], E: ct.Dense["l", "j"]) -> ct.Dense["i", "j"]:
    ...     "R[i,j] = T[i,k,l] * D[k,j] * E[l,j]"
    >>> mttkrp.operands
    ('T', 'D', 'E')

    :param stated: ``schedule``, ``dtype``, ``index`` and ``ordered`` as for `compile`.
    """

    def compiled(function: Callable[..., Any]) -> Kernel:
        import inspect

        text = inspect.getdoc(function)
        if not text:
            raise TypeError(f"expected a statement as the docstring of `{function.__name__}`")
        hints = inspect.get_annotations(function, eval_str=True)
        _, result = _comet.interface(text)
        formats: dict[str, Any] = {}
        for name, hint in hints.items():
            if hint in (int, float, complex):
                continue
            if not isinstance(hint, (FormatClass, _Annotation, str)):
                raise FormatError(f"expected a format such as `CSR[\"i\", \"j\"]` for `{name}`, found {hint!r}")
            formats[result or name if name == "return" else name] = hint
        made = compile(text, **stated, **formats)
        made.__name__ = function.__name__
        return made

    return compiled if function is None else compiled(function)
