"""Names of types."""

from __future__ import annotations

from typing import Any

import numpy as np


def element_word(dtype: Any) -> str | None:
    """The word of an element type for a NumPy type, or a word of the language."""
    if dtype is None:
        return None
    if dtype in ("bfloat16", "double", "float", "int"):
        return str(dtype)
    return str(np.dtype(dtype).name)
