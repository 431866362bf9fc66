"""Names of types and formats, and settings of expressions."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ._errors import FormatError

KEPT_EXPRESSIONS = 1024
"""How many expressions `einsum` and `evaluate` keep the code of, each: those that were used last."""


def element_word(dtype: Any) -> str | None:
    """The word of an element type for a NumPy type.

    Words mean what they mean to NumPy: ``"float"`` is `float64`, while the language calls `float32` so. Only
    the word ``"bfloat16"``, which NumPy lacks, is the language's.
    """
    if dtype is None:
        return None
    if isinstance(dtype, str) and dtype == "bfloat16":
        return dtype
    return str(np.dtype(dtype).name)


def is_dense(format: str) -> bool:
    """Whether a format is `Dense` by name or by its levels, with any options."""
    return re.match(r"\s*(dense\s*(,|$)|\{\s*D\s*(,\s*D\s*)*\})", format, re.IGNORECASE) is not None


def format_text(format: Any) -> str:
    """The name of a format, or of a class such as `CSR`."""
    text = format if isinstance(format, str) else getattr(format, "format", None)
    if not isinstance(text, str):
        raise FormatError(f"expected the name of a format, found {format!r}")
    return text


_EXPECTED: dict[str, tuple[type | tuple[type, ...], str]] = {
    "index": (str, "the index type `int32` or `int64`"),
    "ordered": ((bool, np.bool_), "`True` or `False`"),
    "reduce": (str, 'an operator such as "max"'),
    "schedule": (str, "commands such as `order(i, k, j)`"),
}
"""The types that parameters take, and what messages call their values."""


def check_stated(stated: dict[str, Any]) -> None:
    """Refuse values of parameters that have other types, or cannot be remembered."""
    for name, value in stated.items():
        types, what = _EXPECTED.get(name, (object, "a name"))
        is_known = value is None or isinstance(value, types)
        try:
            hash(value)
        except TypeError:
            is_known = False
        if not is_known:
            raise TypeError(f"expected {what} for `{name}`, found `{type(value).__name__}`")


def settings(format: Any, dtype: Any, index: str | None, ordered: bool, schedule: str | None) -> dict[str, Any]:
    """What is stated of an expression besides its text, as the extension takes it."""
    check_stated({"index": index, "ordered": ordered, "schedule": schedule})
    return {
        "format": None if format is None else format_text(format),
        "dtype": element_word(dtype),
        "index": index,
        "ordered": bool(ordered),
        "schedule": schedule,
    }
