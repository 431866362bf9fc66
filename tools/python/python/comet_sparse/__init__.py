"""Sparse tensor algebra, compiled: NumPy's and SciPy's arrays in, NumPy's and SciPy's arrays out.

`einsum` and `evaluate` compute an expression; `compile` and `kernel` return a function that does. Files of the
language are loaded by `load`, and compiled ahead of time by `build`. What SciPy has no class for is a `Tensor`.
"""

from __future__ import annotations

from . import _comet, cache
from ._annotations import COO, CSC, CSF, CSR, DCSC, DCSR, ELL, Dense, SparseVector, kernel
from ._command import COMMAND, LIBRARY
from ._einsum import einsum
from ._errors import (
    CometError,
    CometSyntaxError,
    CopyWarning,
    FormatError,
    InternalError,
    NotSupportedError,
    ShapeError,
)

# Named as Python's own, which they are, too; `from comet_sparse import *` leaves these out.
from ._errors import MemoryError as MemoryError
from ._errors import OSError as OSError
from ._errors import ValueError as ValueError
from ._errors import ZeroDivisionError as ZeroDivisionError
from ._evaluate import evaluate
from ._files import build, load, read, reorder, write
from ._kernel import Kernel, compile
from ._notebook import load_ipython_extension, spy
from ._tensor import Tensor, tensor
from ._threads import get_num_threads, register_threadpoolctl, set_num_threads

__all__ = [
    "COO",
    "CSC",
    "CSF",
    "CSR",
    "DCSC",
    "DCSR",
    "ELL",
    "CometError",
    "CometSyntaxError",
    "CopyWarning",
    "Dense",
    "FormatError",
    "InternalError",
    "Kernel",
    "NotSupportedError",
    "ShapeError",
    "SparseVector",
    "Tensor",
    "build",
    "cache",
    "compile",
    "einsum",
    "evaluate",
    "get_num_threads",
    "kernel",
    "load",
    "load_ipython_extension",
    "read",
    "register_threadpoolctl",
    "reorder",
    "set_num_threads",
    "spy",
    "tensor",
    "write",
]

__version__ = _comet.version()
_comet.set_library(LIBRARY, COMMAND)
