"""Names of types, and settings of expressions."""

from __future__ import annotations

from typing import Any

import numpy as np

KEPT_EXPRESSIONS = 1024
"""How many expressions `einsum` and `evaluate` keep the code of, each: those that were used last."""


def element_word(dtype: Any) -> str | None:
    """The word of an element type for a NumPy type, or a word of the language."""
    if dtype is None:
        return None
    if dtype in ("bfloat16", "double", "float", "int"):
        return str(dtype)
    return str(np.dtype(dtype).name)


def settings(format: str | None, dtype: Any, index: str | None, ordered: bool, schedule: str | None) -> dict[str, Any]:
    """What is stated of an expression besides its text, as the extension takes it."""
    return {
        "format": format,
        "dtype": element_word(dtype),
        "index": index,
        "ordered": ordered,
        "schedule": schedule,
    }
