"""Operands of other packages: pydata's `sparse`, PyTorch, and whatever NumPy takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._errors import FormatError, ShapeError


def converted(operand: Any, *, allowed: bool) -> Any:
    """An operand as an array, a SciPy matrix or a tensor; the same object where it is none.

    :param allowed: whether what has to be copied is, with a warning, or is refused.
    """
    if isinstance(operand, (bool, int, float, complex, np.generic)):
        return np.asarray(operand)
    if isinstance(operand, np.ndarray):
        return np.asarray(operand)
    module = type(operand).__module__.split(".")[0]
    if module == "sparse":
        return _of_pydata(operand, allowed=allowed)
    if module == "torch":
        return _of_torch(operand, allowed=allowed)
    if module == "scipy":
        return _of_scipy(operand, allowed=allowed)
    if isinstance(operand, (list, tuple)):
        return _of_list(operand)
    if hasattr(operand, "__dlpack__"):
        return np.from_dlpack(operand)
    if hasattr(operand, "__array__"):
        return np.asarray(operand)
    return operand


def _of_list(operand: Sequence[Any]) -> np.ndarray:
    try:
        return np.asarray(operand)
    except ValueError as error:
        raise ShapeError("expected lists of equal lengths, found others") from error


def _of_scipy(operand: Any, *, allowed: bool) -> Any:
    from ._support import _warn_copy

    if not hasattr(operand, "tocsr"):
        return operand
    _warn_copy(f"comet does not read SciPy's {operand.format} matrices", allowed=allowed)
    return operand.tocsr()


def _of_pydata(operand: Any, *, allowed: bool) -> Any:
    from ._support import _warn_copy
    from ._tensor import Tensor

    if not hasattr(operand, "fill_value"):
        return operand
    if operand.fill_value != 0:
        raise FormatError(f"expected the fill value 0, found {operand.fill_value}")
    if type(operand).__name__ == "GCXS":
        if operand.ndim == 2:
            name = "CSR" if tuple(operand.compressed_axes) == (0,) else "CSC"
            index = _index_type(operand.indptr, operand.indices)
            arrays = [operand.indptr, operand.indices, operand.data]
            positions, coordinates, values = _plain(arrays, index, "`sparse.GCXS` matrix", allowed=allowed)
            return Tensor(name, operand.shape, [(None, None), (positions, coordinates)], values)
        _warn_copy("a GCXS tensor is converted to coordinates", allowed=allowed)
        operand = operand.tocoo()
    index = _index_type(operand.coords)
    *coords, values = _plain([*operand.coords, operand.data], index, "`sparse.COO` tensor", allowed=allowed)
    return Tensor._of_coordinates(coords, values, operand.shape)


def _of_torch(operand: Any, *, allowed: bool) -> Any:
    import scipy.sparse
    import torch

    from ._support import _warn_copy
    from ._tensor import Tensor

    if operand.device.type != "cpu":
        raise FormatError(f"expected a tensor in the memory of the CPU, found one on `{operand.device}`: use `.cpu()`")
    operand = operand.detach()
    shape = tuple(operand.shape)
    if operand.layout == torch.strided:
        return _numpy(operand, allowed=allowed)
    if operand.layout == torch.sparse_coo:
        if not operand.is_coalesced():
            _warn_copy("the COO tensor of PyTorch is not coalesced (sorted, without duplicates)", allowed=allowed)
            operand = operand.coalesce()
        coords, values = operand.indices().numpy(), _numpy(operand.values(), allowed=allowed)
        *coords, values = _plain([*coords, values], _index_type(coords), "COO tensor of PyTorch", allowed=allowed)
        return Tensor._of_coordinates(coords, values, shape)
    if operand.layout == torch.sparse_bsr:
        positions, coordinates = operand.crow_indices().numpy(), operand.col_indices().numpy()
        values = _numpy(operand.values(), allowed=allowed)
        return scipy.sparse.bsr_array((values, coordinates, positions), shape=shape)
    if operand.layout == torch.sparse_csr:
        name, positions, coordinates = "CSR", operand.crow_indices().numpy(), operand.col_indices().numpy()
    elif operand.layout == torch.sparse_csc:
        name, positions, coordinates = "CSC", operand.ccol_indices().numpy(), operand.row_indices().numpy()
    else:
        raise FormatError(f"comet does not read PyTorch's layout `{operand.layout}`: convert it to CSR or COO")
    arrays = [positions, coordinates, _numpy(operand.values(), allowed=allowed)]
    index = _index_type(positions, coordinates)
    positions, coordinates, values = _plain(arrays, index, f"{name} matrix of PyTorch", allowed=allowed)
    return Tensor(name, shape, [(None, None), (positions, coordinates)], values)


def _numpy(values: Any, *, allowed: bool) -> np.ndarray:
    """The values of PyTorch as an array of NumPy, which lacks some of its types."""
    from ._support import _warn_copy

    if values.is_conj() or values.is_neg():
        _warn_copy("PyTorch conjugates or negates the values only when they are read", allowed=allowed)
    try:
        return np.asarray(values.resolve_conj().resolve_neg().numpy())
    except TypeError as error:
        raise FormatError(f"comet does not read values of the type `{values.dtype}` from PyTorch") from error


def _index_type(*arrays: np.ndarray) -> np.dtype:
    """The type of indices that holds those of all arrays."""
    found = np.result_type(*(array.dtype for array in arrays))
    return np.dtype(np.int32) if found.itemsize < 4 or found == np.int32 else np.dtype(np.int64)


def _plain(arrays: Sequence[np.ndarray], index: np.dtype, what: str, *, allowed: bool) -> list[np.ndarray]:
    """Indices of one type and, last, values, all without gaps; the same arrays where they are so already."""
    from ._support import _warn_copy

    *indices, values = arrays
    plain = [np.ascontiguousarray(array, dtype=index) for array in indices] + [np.ascontiguousarray(values)]
    if any(new.__array_interface__["data"] != old.__array_interface__["data"] for new, old in zip(plain, arrays)):
        _warn_copy(f"the {what} has arrays with gaps, or indices of other types", allowed=allowed)
    return plain

