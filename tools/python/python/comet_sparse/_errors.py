"""Exceptions. Each has the messages of the compiler as records: `error.diagnostics`."""

from __future__ import annotations

import builtins
import re
import sys
import warnings
from pathlib import Path
from typing import Any

_PACKAGE = str(Path(__file__).parent)


class CometError(Exception):
    """Whatever comet refuses or fails at.

    `diagnostics` has a record for each message: a `dict` with `severity`, `code`, `message`, `line`, `column`
    (from 1), `end_line`, `end_column`, `labels` and `hint`. It is empty where a call was refused.
    """

    diagnostics: list[dict[str, Any]]

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.diagnostics = []


class CometSyntaxError(CometError, SyntaxError):
    """An expression or a program that is wrong; `lineno`, `offset` and `text` say where."""

    def __str__(self) -> str:
        return self.rendered or super().__str__()

    rendered: str = ""


class ShapeError(CometError, builtins.ValueError):
    """Extents or numbers of elements that contradict each other."""


class FormatError(CometError, TypeError):
    """An operand in another format, or of another type, than expected."""


class NotSupportedError(CometError, NotImplementedError):
    """What the language defines and the compiler does not do yet."""


class InternalError(CometError):
    """A mistake of comet; please report it."""


class MemoryError(CometError, builtins.MemoryError):  # noqa: A001  (what it is, and a `CometError`)
    """Memory that is not granted: Python's `MemoryError`."""


class OSError(CometError, builtins.OSError):  # noqa: A001
    """A file that cannot be read or written: Python's `OSError`."""


class ZeroDivisionError(CometError, builtins.ZeroDivisionError):  # noqa: A001
    """An integer divided by zero: Python's `ZeroDivisionError`."""


class ValueError(CometError, builtins.ValueError):  # noqa: A001
    """Arrays that share memory, data that a format has no room for: Python's `ValueError`."""


class CopyWarning(UserWarning):
    """An operand that had to be copied before a kernel could read it."""


PUBLIC = (
    CometError,
    CometSyntaxError,
    ShapeError,
    FormatError,
    NotSupportedError,
    InternalError,
    MemoryError,
    OSError,
    ZeroDivisionError,
    ValueError,
    CopyWarning,
)
"""All classes; tracebacks show them by the names that users import."""
for _class in PUBLIC:
    _class.__module__ = "comet_sparse"


def warn(message: str, category: type[Warning]) -> None:
    """Warn at the first frame outside of the package: the default filter shows a warning once for each place."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def failure(diagnostics: list[dict[str, Any]], text: str, rendered: str, *, is_internal: bool) -> CometError:
    """The exception for what the compiler reports."""
    codes = {record["code"] for record in diagnostics if record["severity"] == "error"}
    if is_internal:
        error: CometError = InternalError(rendered)
    elif "not-supported" in codes:
        error = NotSupportedError(rendered)
    elif "runtime" in codes:
        # The place is that of the statement that was at work, which is not wrong by itself.
        error = CometError(rendered)
    else:
        error = syntax_error(diagnostics, text, rendered)
    error.diagnostics = diagnostics
    return error


def syntax_error(diagnostics: list[dict[str, Any]], text: str, rendered: str) -> CometError:
    """The exception for a text; without a place in it, a plain one."""
    first = next((record for record in diagnostics if record.get("line")), None)
    if first is None:
        return CometError(rendered)
    line, end = first["line"], first.get("end_line") or first["line"]
    lines = text.splitlines() or [""]
    shown = lines[line - 1] if line <= len(lines) else ""
    last = lines[end - 1] if end <= len(lines) else ""
    where = (
        first.get("file") or "<expression>",
        line,
        _characters(shown, first["column"]),
        shown,
        end,
        _characters(last, first.get("end_column") or first["column"]),
    )
    error = CometSyntaxError(first["message"], where)
    error.rendered = rendered
    return error


def of_tensor(error: CometError) -> CometError:
    """The error about a copy of a tensor, which was made by an expression that nobody has written."""
    text = re.sub(r"^<einsum>:\d+:\d+: |^operand 0: ", "", str(error))
    text = re.sub("operand 0|`out`", "the tensor", text)
    plain: type[CometError] = CometError if isinstance(error, CometSyntaxError) else type(error)
    renamed = plain(text)
    renamed.diagnostics = error.diagnostics
    return renamed


def _characters(line: str, column: int) -> int:
    """The column in characters of one in bytes; both from 1."""
    return len(line.encode()[: column - 1].decode(errors="ignore")) + 1
