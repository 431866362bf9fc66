"""Kernels: expressions compiled for stated formats, and functions of files."""

from __future__ import annotations

import copy
import inspect
import json
import keyword
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _comet, _command
from ._comet import Expression
from ._errors import FormatError, NotSupportedError
from ._together import together
from ._types import element_word, format_text, is_dense, settings

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
    """A compiled expression. Call it with its operands, in the order that `operands` has, or by name.

    Made by `compile`, `kernel` and `load`. Extents are those of the operands of each call. Formats are those
    that were stated; element types are free unless ``dtype=`` was, and widths of indices unless ``index=`` was.
    """

    def __init__(
        self,
        text: str,
        names: Sequence[str],
        formats: _Formats,
        settings: dict[str, Any],
        *,
        name: str = "kernel",
        doc: str | None = None,
        numbers: Mapping[str, type] | None = None,
    ) -> None:
        self._text = text
        self._names = tuple(names)
        self._formats = formats
        self._settings = settings
        self._numbers = dict(numbers or {})
        self.__name__ = name
        self.__signature__ = _signature(self._names)
        if doc is not None:
            self.__doc__ = doc
        self._expression = self._made(settings)

    def _made(self, settings: dict[str, Any]) -> Expression:
        """The expression with those settings, compiled."""
        expression = Expression.statements(self._text, list(self._names), settings)
        expression.compile(self._formats)
        expected = ["element"] * settings["typed"] + ["index"] * (settings["index"] is not None)
        expression.expect(self._formats, expected)
        return expression

    def __call__(
        self,
        /,
        *operands: Any,
        out: Any = None,
        copy: bool = True,
        comm: Any = None,
        replicated: str | Iterable[str] = (),
        **named: Any,
    ) -> Any:
        """Compute the result for operands in the stated formats.

        :param out: the result is written there; as for `einsum`.
        :param copy: ``False`` refuses operands that would have to be copied.
        :param comm: a communicator of mpi4py, whose processes all call this with their rows; as for `einsum`.
        :param replicated: names of operands that every process passes the whole of.
        """
        values = self._ordered(operands, named)
        return self._expression.call(values, out, copy, together(comm, replicated, self._names))

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_expression"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._expression = self._made(self._settings)

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
        """Return the same kernel with commands for its loops, such as ``"order(i, k, j)"``.

        Commands for a function of a file go by labels and tensors, and hold for each function that has them,
        as far as this one calls it.
        """
        other = copy.copy(self)
        other._settings = {**self._settings, "schedule": commands}
        other._expression = self._made(other._settings)
        return other

    def graph(self) -> str:
        """Draw the dataflow graph of the kernel as SVG. Needs Graphviz's ``dot``."""
        with tempfile.TemporaryDirectory() as folder:
            source = self._program(Path(folder), {})
            return _command.output(["build", str(source), "--emit=svg"])

    def simulate(self, /, *operands: Any, **named: Any) -> dict[str, Any]:
        """Run the dataflow graph on the simulator; return its counts, ``cycles`` among them."""
        self._check(operands, named)
        with tempfile.TemporaryDirectory() as folder:
            source, inputs = self._prepared(Path(folder), operands, named)
            report = Path(folder) / "report.json"
            _command.output(["sim", str(source), *inputs, "--json", str(report)])
            return _summary(json.loads(report.read_text(encoding="utf-8")))

    def tune(self, /, *operands: Any, candidates: int = 8, repetitions: int = 3, **named: Any) -> "Kernel":
        """Measure schedules on these operands; return the kernel with the fastest.

        :param candidates: how many schedules are measured.
        :param repetitions: how often each of the fastest is.
        """
        self._check(operands, named)
        with tempfile.TemporaryDirectory() as folder:
            source, inputs = self._prepared(Path(folder), operands, named)
            sizes = [f"--candidates={candidates}", f"--rounds={repetitions}"]
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
        """The operands in order, numbers as the types that were stated."""
        values = self._by_name(operands, named)
        if not self._numbers:
            return values
        return tuple(
            _number(name, value, self._numbers[name]) if name in self._numbers else value
            for name, value in zip(self._names, values)
        )

    def _by_name(self, operands: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, ...]:
        if not named and len(operands) == len(self._names):
            return tuple(operands)
        unknown = [name for name in named if name not in self._names]
        if len(operands) + len(named) != len(self._names) or unknown:
            expected = ", ".join(f"`{name}`" for name in self._names)
            count = len(operands) + len(named)
            what = f"`{unknown[0]}`" if unknown else f"{count} operand{'s' * (count != 1)}"
            taken = [name for name in self._names[len(operands) :] if name in _OPTIONS]
            hint = f": `{taken[0]}` is a parameter of the call, pass the operand in its place" if taken else ""
            raise TypeError(f"expected the operands {expected}, found {what}{hint}")
        rest = self._names[len(operands) :]
        twice = [name for name in named if name not in rest]
        if twice:
            raise TypeError(f"the operand `{twice[0]}` is passed twice")
        return (*operands, *(named[name] for name in rest))

    def _program(self, folder: Path, scalars: dict[str, int | float]) -> Path:
        source = folder / "kernel.ta"
        source.write_text(self._expression.program(self._formats, scalars), encoding="utf-8")
        return source

    def _check(self, operands: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Refuse operands that the kernel refuses, with its messages: those of the command are about files."""
        self(*operands, **named)

    def _prepared(
        self, folder: Path, operands: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[Path, list[str]]:
        """The program of the kernel, and the flags for files of its operands."""
        values = self._ordered(operands, named)
        scalars = {name: _real(name, value) for name, value, (format, _, _) in self._each(values) if format == "scalar"}
        inputs = []
        for name, value, (format, _, rank) in self._each(values):
            if format != "scalar":
                ending = "npy" if is_dense(format) else "mtx" if rank == 2 else "tns"
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
    :param dtype: the element type of all operands, as NumPy names it, or one for each name; others are refused
        then. Where it is left out, the kernel is compiled for ``float64``, and anew for others it is called with.
    :param index: ``"int64"`` for indices of 64 bits.
    :param schedule: commands for the loops.
    :param ordered: sums are formed in the order of the indices.
    """
    interface, _ = _comet.interface(text)
    order = [name for name, _ in interface]
    stated = {"dtype": dtype, "index": index, "schedule": schedule, "ordered": ordered or None}
    taken = next((name for name in order if stated.get(name) is not None), None)
    if taken is not None:
        raise TypeError(f"`{taken}` is a parameter of `compile`: give the operand another name in the statement")
    return compiled(
        text,
        order=order,
        formats=formats,
        dtypes=dtype if isinstance(dtype, Mapping) else dict.fromkeys(order, dtype),
        typed=dtype is not None,
        stated={"index": index, "schedule": schedule, "ordered": ordered},
    )


def compiled(
    text: str,
    *,
    order: Sequence[str],
    formats: Mapping[str, Any],
    dtypes: Mapping[str, Any],
    typed: bool,
    stated: Mapping[str, Any],
    name: str = "kernel",
    numbers: Mapping[str, type] | None = None,
) -> Kernel:
    """The kernel of statements for operands in an order.

    :param dtypes: element types by names of operands, and of a scalar result.
    :param typed: whether operands with other element types are refused.
    :param numbers: the types that scalars are converted to in each call.
    """
    interface, result = _comet.interface(text)
    ranks = dict(interface)
    unknown = [name for name in formats if name not in ranks and name != result]
    if unknown:
        raise TypeError(f"nothing in the expression is named `{unknown[0]}`")
    new = result if result not in ranks else None
    format = format_text(formats[new]) if new is not None and new in formats else None
    element = dtypes.get(new) if new is not None else None
    index = stated["index"]
    words = []
    for operand in order:
        rank = ranks[operand]
        stored = "scalar" if rank is None else format_text(formats.get(operand, "dense"))
        is_wide = index in ("int64", "i64") and rank is not None and not is_dense(stored)
        word = element_word(dtypes.get(operand)) or "double"
        words.append((stored + (", index=i64" if is_wide else ""), word, rank or 0))
    all_settings = {**settings(format, element, index, stated["ordered"], stated["schedule"]), "typed": typed}
    return Kernel(text, order, words, all_settings, name=name, numbers=numbers)


_OPTIONS: dict[str, Any] = {"out": None, "copy": True, "comm": None, "replicated": ()}
"""The parameters of a call besides the operands."""


def _signature(names: Sequence[str]) -> inspect.Signature:
    """The signature of calls; names that Python reserves end with an underscore in it."""
    kinds = inspect.Parameter
    shown = [name + "_" * keyword.iskeyword(name) for name in names]
    operands = [kinds(name, kinds.POSITIONAL_OR_KEYWORD) for name in shown]
    keywords = [
        kinds(name, kinds.KEYWORD_ONLY, default=value) for name, value in _OPTIONS.items() if name not in shown
    ]
    return inspect.Signature([*operands, *keywords])


_KINDS: dict[type, str] = {int: "biu", float: "biuf", complex: "biufc"}
"""NumPy's kinds of numbers that a type holds."""


def _number(name: str, value: Any, wanted: type) -> Any:
    """A number as the type that is stated for a scalar."""
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in _KINDS[wanted]:
        raise FormatError(f"expected a number of the type `{wanted.__name__}` for `{name}`, found {value!r}")
    return wanted(array.item())


def _real(name: str, value: Any) -> int | float:
    """The value of a scalar in a program for the command."""
    array = np.asarray(value)
    if array.dtype.kind == "c":
        raise NotSupportedError(f"not supported yet: the command takes no complex scalar `{name}`: pass a real one")
    return array.item()  # type: ignore[no-any-return]


def _summary(report: Any) -> dict[str, Any]:
    """The counts of a report of the simulator."""
    if isinstance(report, dict):
        return report
    return {"graphs": report, "cycles": sum(graph.get("cycles", 0) for graph in report)}
