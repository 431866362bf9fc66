"""Operands of other packages: pydata's `sparse`, PyTorch, and whatever NumPy takes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import FormatError


def converted(operand: Any, allowed: bool) -> Any:
    """An operand as an array, a SciPy matrix or a tensor; the same object where it is none."""
    if isinstance(operand, (bool, int, float, complex, np.generic)):
        return np.asarray(operand)
    if isinstance(operand, np.ndarray):
        return np.asarray(operand)
    module = type(operand).__module__.split(".")[0]
    if module == "sparse":
        return _of_pydata(operand, allowed)
    if module == "torch":
        return _of_torch(operand)
    if module == "scipy":
        return _of_scipy(operand, allowed)
    if isinstance(operand, (list, tuple)):
        return np.asarray(operand)
    if hasattr(operand, "__dlpack__"):
        return np.from_dlpack(operand)
    if hasattr(operand, "__array__"):
        return np.asarray(operand)
    return operand


def _of_scipy(operand: Any, allowed: bool) -> Any:
    from ._support import _warn_copy

    if not hasattr(operand, "tocsr"):
        return operand
    _warn_copy(f"comet does not read SciPy's {operand.format} matrices", allowed)
    return operand.tocsr()


def _of_pydata(operand: Any, allowed: bool) -> Any:
    from ._support import _warn_copy
    from ._tensor import Tensor

    if not hasattr(operand, "fill_value"):
        return operand
    if operand.fill_value != 0:
        raise FormatError(f"expected the fill value 0, found {operand.fill_value}")
    if type(operand).__name__ == "GCXS":
        if operand.ndim == 2:
            name = "CSR" if tuple(operand.compressed_axes) == (0,) else "CSC"
            index = np.result_type(operand.indptr.dtype, operand.indices.dtype)
            if index not in (np.dtype(np.int32), np.dtype(np.int64)):
                index = np.dtype(np.int64)
            width = "i64" if index.itemsize > 4 else "i32"
            levels = [(None, None), (_plain(operand.indptr, index), _plain(operand.indices, index))]
            return Tensor(f"{name}, index={width}", operand.shape, levels, np.ascontiguousarray(operand.data))
        _warn_copy("a GCXS tensor is converted to coordinates", allowed)
        operand = operand.tocoo()
    coords = operand.coords
    index = np.dtype(np.int64) if coords.dtype.itemsize > 4 else np.dtype(np.int32)
    pos = np.array([0, coords.shape[1]], dtype=index)
    levels = [(pos if mode == 0 else None, _plain(row, index)) for mode, row in enumerate(coords)]
    width = "i64" if index.itemsize > 4 else "i32"
    return Tensor(f"COO, index={width}", operand.shape, levels, np.ascontiguousarray(operand.data))


def _of_torch(operand: Any) -> Any:
    import scipy.sparse
    import torch

    from ._tensor import Tensor

    if operand.device.type != "cpu":
        raise FormatError(f"expected a tensor in the memory of the CPU, found one on `{operand.device}`: use `.cpu()`")
    operand = operand.detach()
    shape = tuple(operand.shape)
    if operand.layout == torch.strided:
        return _numpy(operand)
    if operand.layout == torch.sparse_coo:
        operand = operand.coalesce()
        coords = operand.indices().numpy()
        pos = np.array([0, coords.shape[1]], dtype=coords.dtype)
        levels = [(pos if mode == 0 else None, _plain(row, coords.dtype)) for mode, row in enumerate(coords)]
        return Tensor("COO, index=i64", shape, levels, _numpy(operand.values()))
    if operand.layout == torch.sparse_bsr:
        positions, coordinates = operand.crow_indices().numpy(), operand.col_indices().numpy()
        return scipy.sparse.bsr_array((_numpy(operand.values()), coordinates, positions), shape=shape)
    if operand.layout == torch.sparse_csr:
        name, positions, coordinates = "CSR", operand.crow_indices().numpy(), operand.col_indices().numpy()
    elif operand.layout == torch.sparse_csc:
        name, positions, coordinates = "CSC", operand.ccol_indices().numpy(), operand.row_indices().numpy()
    else:
        raise FormatError(f"comet does not read PyTorch's layout `{operand.layout}`: convert it to CSR or COO")
    width = "i64" if positions.dtype.itemsize > 4 else "i32"
    return Tensor(f"{name}, index={width}", shape, [(None, None), (positions, coordinates)], _numpy(operand.values()))


def _numpy(values: Any) -> np.ndarray:
    """The values of PyTorch as an array of NumPy, which lacks some of its types."""
    try:
        return np.asarray(values.resolve_conj().resolve_neg().numpy())
    except TypeError as error:
        raise FormatError(f"comet does not read values of the type `{values.dtype}` from PyTorch") from error


def _plain(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    return np.ascontiguousarray(array, dtype=dtype)
