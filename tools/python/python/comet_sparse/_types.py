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


def settings(format: Any, dtype: Any, index: str | None, ordered: bool, schedule: str | None) -> dict[str, Any]:
    """What is stated of an expression besides its text, as the extension takes it."""
    return {
        "format": None if format is None else format_text(format),
        "dtype": element_word(dtype),
        "index": index,
        "ordered": ordered,
        "schedule": schedule,
    }
