"""What the extension module takes from Python: exceptions, conversions, and how results are built."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from . import _errors
from ._errors import CometError, CopyWarning, FormatError, InternalError, NotSupportedError, ShapeError
from ._errors import MemoryError, OSError, ValueError, ZeroDivisionError

__all__ = [
    "FormatError",
    "InternalError",
    "MemoryError",
    "NotSupportedError",
    "OSError",
    "ShapeError",
    "Tensor",
    "ValueError",
    "ZeroDivisionError",
]


def _failure(records: list[str], text: str, rendered: str, is_internal: bool) -> CometError:
    """The exception for a compilation that has failed."""
    return _errors.failure([json.loads(record) for record in records], text, rendered, is_internal=is_internal)


def _warn_copy(what: str, *, allowed: bool) -> None:
    """Warn that an operand is copied, or refuse to."""
    if not allowed:
        raise FormatError(f"{what}: it has to be copied, which `copy=False` and `out` refuse")
    _errors.warn(f"{what}: it is copied", CopyWarning)


def _canonical(matrix: Any, allowed: bool) -> Any:
    """A copy of a SciPy matrix with sorted indices, none of them twice, and arrays that kernels read."""
    import scipy.sparse

    if matrix.dtype not in _DTYPES:
        raise FormatError(f"expected elements that tensors hold, found the dtype `{matrix.dtype}`: convert it with `astype`")
    if matrix.ndim == 1 and matrix.format != "coo":
        raise FormatError("expected a matrix, found a sparse vector in CSR: convert it with `tocoo`")
    if matrix.format != "coo" and matrix.has_canonical_format:
        reason = "has arrays with gaps, or indices of two types"
    else:
        reason = "is not canonical (sorted, without duplicates)"
    _warn_copy(f"the {matrix.format} matrix {reason}", allowed=allowed)
    if matrix.format == "coo":
        return _sorted_coo(matrix)
    copy = matrix.copy()
    copy.sum_duplicates()
    wide = copy.indices.dtype.itemsize > 4 or copy.indptr.dtype.itemsize > 4
    index = np.int64 if wide else np.int32
    copy.indices = np.ascontiguousarray(copy.indices, dtype=index)
    copy.indptr = np.ascontiguousarray(copy.indptr, dtype=index)
    copy.data = np.ascontiguousarray(copy.data)
    copy.has_canonical_format = True
    return copy


def _sorted_coo(matrix: Any) -> Any:
    coords = matrix.coords
    wide = any(array.dtype.itemsize > 4 for array in coords)
    coords = tuple(np.asarray(array, dtype=np.int64 if wide else np.int32) for array in coords)
    order = np.lexsort(coords[::-1])
    coords = tuple(array[order] for array in coords)
    data = matrix.data[order]
    if len(data):
        starts = np.flatnonzero(np.append(True, np.any([array[1:] != array[:-1] for array in coords], axis=0)))
        data = np.add.reduceat(data, starts, dtype=data.dtype)
        coords = tuple(array[starts] for array in coords)
    return _Coordinates(tuple(np.ascontiguousarray(array) for array in coords), np.ascontiguousarray(data), matrix.shape)


class _Coordinates:
    """Coordinates as the extension reads them of SciPy's `coo`."""

    def __init__(self, coords: tuple[np.ndarray, ...], data: np.ndarray, shape: tuple[int, ...]) -> None:
        self.coords = coords
        self.data = data
        self.shape = shape


_DTYPES = {
    np.dtype(name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64",
        "complex64", "complex128",
    )
}


def _converted(operand: Any, allowed: bool) -> Any:
    """An operand of another package as one that the extension reads; the same object where there is no way."""
    from ._convert import converted

    return converted(operand, allowed=allowed)


def _format_failure(message: str, records: list[str]) -> FormatError:
    """The exception for a text that is no format."""
    error = FormatError(message)
    error.diagnostics = [json.loads(record) for record in records]
    return error


def _of_operand(label: str, error: Exception) -> Exception:
    """The error about an operand, with what messages call that."""
    return type(error)(f"{label}: {error}") if isinstance(error, CometError) else error


def _copied(operand: Any) -> Any:
    """A copy of a tensor that kernels may write: sorted, without gaps."""
    known = _converted(operand, True)
    if isinstance(known, np.ndarray):
        return known.copy("C")
    if getattr(known, "format", None) in ("csr", "csc", "bsr") and not known.has_canonical_format:
        return _canonical(known, True)
    return known.copy() if hasattr(known, "copy") else known


_ATTRIBUTES = {"_shape", "maxprint", "data", "indices", "indptr", "_has_canonical_format", "_has_sorted_indices"}
"""What a SciPy matrix consists of, as far as is known: one that has other attributes is made by its constructor."""

_TEMPLATES: dict[type, dict[str, Any]] = {}
"""The attributes of a matrix of each class, without arrays; empty where they are not those that are known."""


def _build(
    name: str,
    is_matrix: bool,
    shape: tuple[int, ...],
    data: np.ndarray,
    indices: np.ndarray,
    indptr: np.ndarray,
) -> Any:
    """A SciPy matrix of arrays that are canonical already, which are not looked at again."""
    import scipy.sparse

    kind = "matrix" if is_matrix else "array"
    made = getattr(scipy.sparse, f"{name}_{kind}")
    if name == "bsr" and any(extent % size for extent, size in zip(shape, data.shape[1:])):
        rows, columns = data.shape[1:]
        message = f"SciPy has no blocks of {rows} × {columns} in a matrix of {shape[0]} × {shape[1]}"
        raise FormatError(f"{message}: expected extents that are multiples of the block's")
    known = _TEMPLATES.get(made)
    if name == "coo" or not known:
        arrays = (data, (indices, indptr)) if name == "coo" else (data, indices, indptr)
        result = made(arrays, shape=shape, copy=False)
        _restore(result, name, indices, indptr)
        if known is None and name != "coo":
            is_known = set(vars(result)) == _ATTRIBUTES
            _TEMPLATES[made] = {**vars(result), "data": None, "indices": None, "indptr": None} if is_known else {}
        return result
    # What the constructor looks for cannot be: the arrays are a kernel's result.
    result = made.__new__(made)
    attributes = vars(result)
    attributes.update(known)
    attributes["_shape"] = shape
    attributes["data"], attributes["indices"], attributes["indptr"] = data, indices, indptr
    return result


def _restore(matrix: Any, name: str, indices: np.ndarray, indptr: np.ndarray) -> None:
    """Take the arrays as they are: constructors of SciPy's `*_matrix` narrow indices to 32 bits."""
    if name == "coo":
        matrix.coords = (indices, indptr)
    else:
        matrix.indices, matrix.indptr = indices, indptr
    matrix.has_canonical_format = True


from ._tensor import Tensor  # noqa: E402  (the class needs what is above)
