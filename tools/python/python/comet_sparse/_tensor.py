"""`Tensor`: what SciPy and NumPy have no class for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._comet import TensorBase
from ._types import format_text, is_dense


class Tensor(TensorBase):
    """A tensor in any format of the language, whose arrays are NumPy's.

    `tensor` makes one, and so do expressions whose result SciPy has no class for. `shape`, `dtype`, `format`
    and `ndim` say what it is; `levels` has the arrays `pos` and `crd` of each level, and `values` those of the
    entries; nothing is copied to look at them.
    """

    @classmethod
    def _of(cls, base: TensorBase) -> "Tensor":
        """Return a kernel's result, which is not checked again."""
        return cls(base.format, base.shape, base.levels, base.values, base.slots, False)

    @classmethod
    def _of_coordinates(cls, coords: Sequence[np.ndarray], values: np.ndarray, shape: Sequence[int]) -> "Tensor":
        """Return a tensor in COO of sorted coordinates without duplicates: an array of indices for each mode."""
        pos = np.array([0, len(values)], dtype=coords[0].dtype)
        levels = [(pos if mode == 0 else None, crd) for mode, crd in enumerate(coords)]
        return cls("COO", tuple(shape), levels, values)

    @property
    def nnz(self) -> int:
        """The number of values that are stored, padding among them."""
        return len(self.values)

    @property
    def nbytes(self) -> int:
        """The size of all arrays."""
        arrays = [array for level in self.levels for array in level if array is not None]
        return sum(array.nbytes for array in (*arrays, self.values))

    def __repr__(self) -> str:
        shape = " × ".join(str(extent) for extent in self.shape)
        return f"<Tensor {shape}, {self.format} of {self.dtype}, {self.nnz} values>"

    def _repr_html_(self) -> str:
        from ._notebook import tensor_html

        return tensor_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tensor, (self.format, self.shape, list(self.levels), self.values, self.slots)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise TypeError("a sparse tensor is not made dense by itself: call `todense()`")

    def copy(self) -> "Tensor":
        """Return a tensor with arrays of its own."""
        levels = [tuple(None if array is None else array.copy() for array in level) for level in self.levels]
        return Tensor(self.format, self.shape, levels, self.values.copy(), self.slots)

    def todense(self) -> np.ndarray:
        """Return all elements as an array."""
        return np.asarray(_copied(self, "dense"))

    def toarray(self) -> np.ndarray:
        """Return all elements as an array, by the name that SciPy has for it."""
        return self.todense()

    def to_coo(self) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return the values and the coordinates, one array a mode, in the order of the coordinates."""
        coo = self if _is_coo(self) else _copied(self, "coo")
        if isinstance(coo, Tensor):
            return coo.values, tuple(crd for _, crd in coo.levels if crd is not None)
        return coo.data, tuple(coo.coords)

    def to_scipy(self, copy: bool | None = None) -> Any:
        """Return a matrix as SciPy's ``csr_array``; vectors, and what is stored as COO, as its ``coo_array``.

        :param copy: ``False`` refuses formats that have to be converted, which are all but COO.
        :raises ValueError: a format that ``copy=False`` refuses; of three modes or more, what SciPy refuses.
        """
        import scipy.sparse

        if copy is False and not _is_coo(self):
            raise ValueError(f"SciPy has no class for `{self.format}`, and `copy=False` refuses to convert it")
        if self.ndim == 2 and not _is_coo(self):
            return _copied(self, "csr")
        values, coords = self.to_coo()
        return scipy.sparse.coo_array((values, coords), shape=self.shape)


def _is_coo(tensor: Tensor) -> bool:
    return tensor.format.split(",")[0] == "COO"


def _copied(operand: Any, format: str, dtype: Any = None) -> Any:
    """An operand in another format; the indices of a tensor keep their width where none is stated."""
    from ._einsum import einsum
    from ._errors import CometError, of_tensor

    rank = len(operand.shape) if hasattr(operand, "shape") else np.ndim(operand)
    labels = "abcdefghijklmnop"[:rank]
    is_wide = isinstance(operand, Tensor) and "index=i64" in operand.format
    keeps = is_wide and not is_dense(format) and _stated_index(format) is None
    try:
        return einsum(f"{labels}->{labels}", operand, format=format + ", index=i64" * keeps, dtype=dtype)
    except CometError as error:
        # The caller has written no subscripts.
        raise of_tensor(error) from None


def _stated_index(format: str) -> str | None:
    """The width of indices that a format states: `i32` or `i64`."""
    found = re.search(r",\s*index\s*=\s*(\w+)", format)
    return found[1] if found else None


def tensor(
    data: tuple[Any, Sequence[Any]] | Any, shape: Sequence[int] | None = None, format: Any = "coo", *, dtype: Any = None
) -> Any:
    """Make a tensor of values and their coordinates, or of another tensor.

    >>> import numpy as np, comet_sparse as ct
    >>> T = ct.tensor((np.array([1.0, 2.0]), ([0, 1], [2, 0], [1, 1])), shape=(2, 3, 2), format="CSF")
    >>> T
    <Tensor 2 × 3 × 2, CSF of float64, 2 values>
    >>> T.todense()[1, 0, 1]
    np.float64(2.0)

    :param data: values, and a list of coordinates for each mode, in any order; values at equal coordinates are
        added up. Or any operand of `einsum`.
    :param shape: the extents; one more than the largest coordinates where they are left out.
    :param format: the format, as `einsum` takes it.
    :param dtype: the type of the elements; that of the values, or of the other tensor, where it is left out.
    :returns: an array of NumPy for ``"dense"`` and where there are no modes. A `Tensor` for values and
        coordinates in COO, also of a matrix; otherwise SciPy's array where it has the format, and a `Tensor`
        where it has not.
    :raises FormatError: coordinates that are no integers.
    :raises ShapeError: coordinates that are outside of the shape, or as many as another number of values.
    """
    from ._support import _Coordinates, _sorted_coo

    format = format_text(format)
    if not (isinstance(data, tuple) and len(data) == 2):
        return _copied(data, format, dtype)
    values, coordinates = data
    coords = tuple(_indices(mode, array) for mode, array in enumerate(coordinates))
    values = np.asarray(values, dtype=dtype)
    extents = tuple(int(array.max()) + 1 if len(array) else 0 for array in coords) if shape is None else tuple(shape)
    _check(values, coords, extents)
    if not coords:
        total = np.asarray(values.sum(dtype=values.dtype))
        return _copied(total, "dense" if _is_plain_coo(format) else format)
    # As SciPy does: 64 bits only where they are needed, unless they are stated.
    is_narrow = max((*extents, len(values)), default=0) <= np.iinfo(np.int32).max and _stated_index(format) != "i64"
    coords = tuple(array.astype(np.int32 if is_narrow else np.int64) for array in coords)
    listed = _sorted_coo(_Coordinates(coords, values, extents))
    coo = Tensor._of_coordinates(listed.coords, listed.data, extents)
    has_width = is_narrow or _stated_index(format) != "i32"
    return coo if _is_plain_coo(format) and has_width else _copied(coo, format)


def _indices(mode: int, coordinates: Any) -> np.ndarray:
    """The coordinates of a mode; an empty list has no type of its own."""
    from ._errors import FormatError

    array = np.asarray(coordinates)
    if array.size and array.dtype.kind not in "iu":
        raise FormatError(f"expected integers as the coordinates of mode {mode}, found the dtype `{array.dtype}`")
    return array


def _is_plain_coo(format: str) -> bool:
    """Whether a format is COO without options besides the width of indices."""
    return re.fullmatch(r"\s*coo\s*(,\s*index\s*=\s*\w+\s*)?", format, re.IGNORECASE) is not None


def _check(values: np.ndarray, coords: tuple[np.ndarray, ...], shape: tuple[int, ...]) -> None:
    from ._errors import ShapeError

    if len(coords) != len(shape):
        raise ShapeError(f"expected coordinates for {len(shape)} modes, found {len(coords)}")
    for mode, (array, extent) in enumerate(zip(coords, shape)):
        if array.shape != values.shape:
            raise ShapeError(f"expected {values.shape} coordinates of mode {mode}, found {array.shape}")
        if len(array) and (array.min() < 0 or array.max() >= extent):
            raise ShapeError(f"expected coordinates of mode {mode} from 0 to {extent - 1}")
