"""Sparse tensor algebra, compiled: SciPy and NumPy arrays in, SciPy and NumPy arrays out."""

from __future__ import annotations

from ._api import einsum, evaluate
from ._errors import (
    CometError,
    CometSyntaxError,
    CopyWarning,
    FormatError,
    InternalError,
    NotSupportedError,
    ShapeError,
)
from ._tensor import Tensor

__all__ = [
    "CometError",
    "CometSyntaxError",
    "CopyWarning",
    "FormatError",
    "InternalError",
    "NotSupportedError",
    "ShapeError",
    "Tensor",
    "einsum",
    "evaluate",
]
