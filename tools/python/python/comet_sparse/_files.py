"""Files: tensors, programs of the language, and libraries that are built of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from . import _comet, _command
from ._comet import Expression
from ._errors import NotSupportedError
from ._kernel import Kernel, _Formats
from ._types import format_text


def read(path: str | os.PathLike[str], format: Any = None) -> Any:
    """Read a tensor of a Matrix Market (`.mtx`), FROSTT (`.tns`) or NumPy (`.npy`, `.npz`) file, also packed by gzip.

    A `.npz` holds a sparse tensor of SciPy or of pydata/sparse, or one array. Where no format is stated, arrays of
    NumPy are dense; of other files matrices are CSR, a vector in a `.mtx` as one of a single column among them, and
    tensors of higher rank CSF. Elements are those of NumPy's
    files, `int64` and `complex128` where a Matrix Market file states integers or complex numbers, and `float64`
    otherwise.

    :raises OSError: a file that cannot be read, or is not what its kind demands.
    """
    return _comet.read(Path(path), None if format is None else format_text(format))


def write(path: str | os.PathLike[str], tensor: Any) -> None:
    """Write a tensor; the ending of the name decides how: `.mtx`, `.tns`, `.npy`, `.npz`, also with `.gz`.

    >>> import numpy as np, scipy.sparse as sp, comet_sparse as ct, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "a.mtx")
    >>> ct.write(path, sp.csr_array([[1.0, 0.0], [2.0, 3.0]]))
    >>> ct.read(path).toarray()
    array([[1., 0.],
           [2., 3.]])

    :raises OSError: a file that cannot be written.
    """
    _comet.write(Path(path), tensor)


def reorder(tensor: Any, method: str = "lexi", format: str | None = None) -> tuple[Any, list[Any]]:
    """Permute the indices of a sparse tensor so that entries are near each other.

    >>> import scipy.sparse as sp, comet_sparse as ct
    >>> A = sp.csr_array([[0.0, 0.0, 1.0], [0.0, 2.0, 0.0], [3.0, 0.0, 0.0]])
    >>> B, (rows, columns) = ct.reorder(A, "lexi")
    >>> bool((A.toarray()[rows][:, columns] == B.toarray()).all())
    True

    :param method: ``"lexi"`` (LexiOrder), ``"rcm"`` (reverse Cuthill-McKee) or ``"degree"``.
    :returns: the tensor, and for each mode an array with the old index of each new one.
    """
    return _comet.reorder(tensor, method, format)


def load(path: str | os.PathLike[str]) -> ModuleType:
    """Load a file of the language as a module: each `def` is a function with a signature and a docstring.

    >>> import numpy as np, scipy.sparse as sp, comet_sparse as ct, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "kernels.ta"
    >>> _ = path.write_text('''
    ... # y = A x
    ... def spmv(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) {
    ...   y[i] = A[i,j] * x[j];
    ... }
    ... ''')
    >>> lib = ct.load(path)
    >>> lib.spmv(sp.csr_array([[1.0, 2.0]]), np.array([3.0, 4.0]))
    array([11.])

    :raises CometSyntaxError: a file that is wrong, with the place.
    :raises OSError: a file that cannot be read.
    """
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    module = ModuleType(path.stem, f"The functions of `{path.name}`.")
    module.__file__ = str(path)
    for name, parameters in _comet.functions(str(path), text):
        setattr(module, name, _function(str(path), text, name, parameters))
    return module


_Parameter = tuple[str, str, str, str, int]
"""A name, `in`, `inout` or `out`, a format or `scalar`, an element type, a rank."""


def _function(path: str, text: str, name: str, parameters: list[_Parameter]) -> Kernel:
    taken = [parameter for parameter in parameters if parameter[1] != "out"]
    names = [parameter[0] for parameter in taken]
    formats = [parameter[2:] for parameter in taken]
    signature = ", ".join(f"{parameter[0]}: {_words(parameter)}" for parameter in taken)
    results = [_words(parameter) for parameter in parameters if parameter[1] == "out"]
    lines = [f"{name}({signature})" + "".join(f" -> {result}" for result in results), _comment(text, name)]
    written = [parameter[0] for parameter in taken if parameter[1] == "inout"]
    lines += [f"Changes {', '.join(f'`{name}`' for name in written)} in place."] if written else []
    doc = "\n\n".join(line for line in lines if line)
    return LoadedFunction(path, text, names, formats, name=name, doc=doc, shown=lines[0])


class LoadedFunction(Kernel):
    """A function of a file. Call it with its operands, in order or by name."""

    def __init__(
        self, path: str, text: str, names: list[str], formats: _Formats, *, name: str, doc: str, shown: str
    ) -> None:
        self._path = path
        self._shown = shown
        super().__init__(text, names, formats, {}, name=name, doc=doc)

    def _made(self, settings: dict[str, Any]) -> Expression:
        scalars = [format == "scalar" for format, _, _ in self._formats]
        expression = Expression.function(self._path, self._text, self.__name__, list(self._names), scalars, settings)
        if settings:
            # Commands that are wrong are reported now; without any, code is made in the first call.
            expression.compile(self._formats)
        expression.expect(self._formats, ["element", "index"])
        return expression

    def _source_line(self) -> str:
        return self._shown

    def _program(self, folder: Path, scalars: dict[str, int | float]) -> Path:
        raise NotSupportedError(
            f"not supported yet: `graph`, `simulate`, `tune` and the stage `sam` of a function of a file: "
            f"pass the statements of `{self.__name__}` to `compile`"
        )


def _words(parameter: _Parameter) -> str:
    _, _, format, element, rank = parameter
    return element if format == "scalar" else f"{format} of {element}, {rank} modes"


def _comment(text: str, name: str) -> str:
    """The comment in front of a function."""
    found = re.search(rf"((?:^[ \t]*#[^\n]*\n)+)^[ \t]*def[ \t]+{re.escape(name)}\b", text, re.MULTILINE)
    lines: Iterable[str] = found.group(1).splitlines() if found else []
    return "\n".join(line.strip().lstrip("#").strip() for line in lines)


def build(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    emit: str | Iterable[str] = ("header", "static-lib", "shared-lib"),
    *,
    schedule: str | None = None,
    target_cpu: str | None = None,
) -> list[Path]:
    """Compile a file of the language ahead of time, as `comet build` does; return the files.

    :param output: a folder, which is made where it is not there.
    :param emit: what is built: ``"header"``, ``"static-lib"``, ``"shared-lib"``, ``"obj"``, ``"exe"``,
        ``"asm"``, …. Libraries and executables need a C compiler.
    Warnings of the command are Python's.

    :raises CometSyntaxError: a file or a schedule that is wrong, with the place.
    :raises NotSupportedError: what the compiler does not do yet.
    :raises CometError: what the command reports besides.
    """
    kinds = [emit] if isinstance(emit, str) else list(emit)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    flags = [f"--emit={','.join(kinds)}", "-o", f"{folder}/"]
    flags += [f"--schedule={schedule}"] if schedule else []
    flags += [f"--target-cpu={target_cpu}"] if target_cpu else []
    _command.output(["build", str(path), *flags])
    return sorted(file for file in folder.iterdir() if before.get(file) != file.stat().st_mtime_ns)
