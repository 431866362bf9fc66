"""What an einsum is, computed on dense arrays that know where entries are.

Nothing here is of comet but the arrays of `ct.Tensor`. An entry that is absent takes no part: it is neither a
0 that is added nor a 0 that a minimum sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce as fold
from typing import Any

import numpy as np
import scipy.sparse as sp


@dataclass(frozen=True)
class Entries:
    """Values of all positions, and which of these are stored; values elsewhere mean nothing."""

    values: np.ndarray
    present: np.ndarray

    def dense(self, background: Any = 0) -> np.ndarray:
        """The values, with `background` where nothing is."""
        filled = np.where(self.present, self.values, np.asarray(background).astype(self.values.dtype))
        return np.asarray(filled, dtype=self.values.dtype)


@dataclass(frozen=True)
class Reduce:
    """How values along axes become one; `identity` is what a result of that dtype holds where nothing is."""

    of: np.ufunc
    start: Callable[[np.dtype], Any]
    identity: Callable[[np.dtype], Any]

    def along(self, entries: Entries, axes: tuple[int, ...]) -> Entries:
        if not axes:
            return entries
        start = self.start(entries.values.dtype)
        values = self.of.reduce(entries.dense(start), axis=axes, initial=start)
        return Entries(np.asarray(values, entries.values.dtype), np.asarray(entries.present.any(axis=axes)))


def _constant(value: Any) -> Callable[[np.dtype], Any]:
    return lambda dtype: value


def _largest(dtype: np.dtype) -> Any:
    if dtype.kind == "b":
        return True
    return np.iinfo(dtype).max if dtype.kind in "iu" else np.inf


def _least(dtype: np.dtype) -> Any:
    if dtype.kind == "b":
        return False
    return np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf


def _number(condition: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[..., np.ndarray]:
    return lambda a, b: condition(a != 0, b != 0).astype(a.dtype)


REDUCTIONS = {
    "plus": Reduce(np.add, _constant(0), _constant(0)),
    "times": Reduce(np.multiply, _constant(1), _constant(1)),
    "min": Reduce(np.minimum, _largest, _largest),
    "max": Reduce(np.maximum, _least, _least),
    "lor": Reduce(np.logical_or, _constant(0), _constant(0)),
    "land": Reduce(np.logical_and, _constant(1), _constant(1)),
    # Of values that are all the same, as those of `pair` are.
    "any": Reduce(np.maximum, _least, _constant(0)),
}

COMBINATIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "plus": np.add,
    "minus": np.subtract,
    "times": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "first": lambda a, b: a + 0 * b,
    "second": lambda a, b: 0 * a + b,
    "pair": lambda a, b: np.ones_like(a + b),
    "lor": _number(np.logical_or),
    "land": _number(np.logical_and),
}


def computed(dtype: np.dtype) -> np.dtype:
    """A type in which nothing that the tests compute is rounded, and integers wrap as comet's do."""
    return np.dtype({"b": "int64", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}[dtype.kind])


def stored(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Values as an array of that type holds them: integers wrap, floats are rounded."""
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


@dataclass(frozen=True)
class Answer:
    """The values and the pattern of a result, and what a dense one holds beside."""

    entries: Entries
    background: Any

    def dense(self, dtype: np.dtype) -> np.ndarray:
        """A dense result of that type."""
        values = stored(self.entries.values, dtype)
        return np.where(self.entries.present, values, stored(np.asarray(self.background), dtype))


def einsum(
    operands: Sequence[tuple[str, Entries]],
    output: str,
    dtype: np.dtype,
    semiring: tuple[str, str] = ("plus", "times"),
) -> Answer:
    """The einsum of operands with one letter for each mode, in a type that holds every value.

    Operands are combined from left to right; what is not a label of the result is reduced behind that.
    """
    reduction, combine = REDUCTIONS[semiring[0]], COMBINATIONS[semiring[1]]
    # The labels of the result first, in its order.
    labels = output + "".join(sorted({label for term, _ in operands for label in term} - set(output)))
    extents = {l: e for term, entries in operands for l, e in zip(term, entries.values.shape)}
    shape = tuple(extents[label] for label in labels)
    with np.errstate(all="ignore"):
        spread = [_spread(term, entries, labels, shape, dtype) for term, entries in operands]
        every = fold(lambda a, b: Entries(combine(a.values, b.values), a.present & b.present), spread)
        entries = reduction.along(every, tuple(range(len(output), len(labels))))
    return Answer(entries, reduction.identity(dtype) if len(output) < len(labels) else 0)


def _spread(term: str, entries: Entries, labels: str, shape: tuple[int, ...], dtype: np.dtype) -> Entries:
    """An operand at each combination of the labels."""
    axes = {label: axis for axis, label in enumerate(labels)}
    ranges = [np.arange(extent).reshape(-1, *(1,) * (len(shape) - axis - 1)) for axis, extent in enumerate(shape)]
    place = tuple(ranges[axes[label]] for label in term)
    values = np.broadcast_to(entries.values[place], shape).astype(computed(dtype))
    return Entries(values, np.broadcast_to(entries.present[place], shape))


# What comet returns.


def entries_of(result: Any) -> Entries:
    """The entries of an array, a SciPy matrix or a `ct.Tensor`, read from its arrays alone."""
    if isinstance(result, (np.ndarray, np.generic)):
        result = np.asarray(result)
        return Entries(result, np.ones(result.shape, bool))
    if not sp.issparse(result):
        return _of_tensor(result)
    if result.format == "bsr":
        return _of_blocks(result)
    if result.format == "coo":
        coords = result.coords
    else:
        outer = np.repeat(np.arange(len(result.indptr) - 1), np.diff(result.indptr))
        coords = (outer, result.indices) if result.format == "csr" else (result.indices, outer)
    return _scattered(result.shape, [tuple(c) for c in zip(*coords)], result.data)


def _scattered(shape: tuple[int, ...], coords: Sequence[tuple[int, ...]], data: np.ndarray) -> Entries:
    assert len(coords) == len(data), "one coordinate for each value"
    entries = Entries(np.zeros(shape, data.dtype), np.zeros(shape, bool))
    for place, value in zip(coords, data):
        assert not entries.present[place], f"{place} is stored twice"
        entries.values[place], entries.present[place] = value, True
    return entries


def _of_blocks(matrix: Any) -> Entries:
    """Zeros of blocks are padding, which SciPy does not tell from entries."""
    rows, columns = matrix.blocksize
    values = np.zeros(matrix.shape, matrix.dtype)
    outer = np.repeat(np.arange(len(matrix.indptr) - 1), np.diff(matrix.indptr))
    for row, column, block in zip(outer, matrix.indices, matrix.data):
        values[row * rows : (row + 1) * rows, column * columns : (column + 1) * columns] += block
    return Entries(values, values != 0)


_NAMED = {
    "CSR": ("D", "CU"),
    "CSC": ("D", "CU"),
    "DCSR": ("CU", "CU"),
    "DCSC": ("CU", "CU"),
    "SparseVector": ("CU",),
}


def _levels(text: str, rank: int) -> list[tuple[int, int, str, str]]:
    """Each level as its mode, the size of its blocks (0 of whole modes), `/`, `%` or nothing, and its kind."""
    name = text.split(",")[0]
    if name in ("CSC", "DCSC"):
        return [(mode, 0, "", kind) for mode, kind in zip((1, 0), _NAMED[name])]
    if name in _NAMED:
        return [(mode, 0, "", kind) for mode, kind in enumerate(_NAMED[name])]
    if name in ("COO", "CSF"):
        kinds = ["CN"] + ["S"] * (rank - 1) if name == "COO" else ["CU"] * rank
        return [(mode, 0, "", kind) for mode, kind in enumerate(kinds)]
    found = re.findall(r"m(\d+)\s*(?:([/%])\s*(\d+))?\s*:\s*(\w+)", text)
    assert found, f"a format of an unknown kind: {text}"
    return [(int(mode), int(size or 0), part, kind) for mode, part, size, kind in found]


def _of_tensor(tensor: Any) -> Entries:
    """Walks levels from the outermost one: a position of each with the coordinates so far."""
    levels = _levels(tensor.format, tensor.ndim)
    walked: list[tuple[int, tuple[int, ...]]] = [(0, (0,) * tensor.ndim)]
    for (mode, size, part, kind), (pos, crd) in zip(levels, tensor.levels, strict=True):
        scale = size if part == "/" else 1
        extent = size if part == "%" else -(-tensor.shape[mode] // scale)
        walked = [
            (position, place[:mode] + (place[mode] + coordinate * scale,) + place[mode + 1 :])
            for parent, place in walked
            for position, coordinate in _children(kind, extent, pos, crd, parent)
        ]
    coords = [place for _, place in walked]
    data = tensor.values[[position for position, _ in walked]] if walked else tensor.values[:0]
    kinds = [kind for _, _, _, kind in levels]
    if "H" not in kinds and not any(part for _, _, part, _ in levels):
        assert coords == sorted(coords, key=lambda place: [place[mode] for mode, *_ in levels]), "coordinates ascend"
    inside = [n for n, place in enumerate(coords) if all(c < e for c, e in zip(place, tensor.shape))]
    entries = _scattered(tensor.shape, [coords[n] for n in inside], data[inside])
    return Entries(entries.values, entries.present & (entries.values != 0)) if is_padded(tensor) else entries


def is_padded(result: Any) -> bool:
    """Whether zeros are stored beside the entries: in blocks and ranges."""
    if sp.issparse(result):
        return bool(result.format == "bsr")
    kinds = [kind for _, _, _, kind in _levels(result.format, result.ndim)]
    return "R" in kinds or any(kind == "D" and set(kinds[:n]) - {"D"} for n, kind in enumerate(kinds))


def _children(kind: str, extent: int, pos: Any, crd: Any, parent: int) -> list[tuple[int, int]]:
    if kind == "D":
        return [(parent * extent + coordinate, coordinate) for coordinate in range(extent)]
    if kind == "S":
        return [(parent, int(crd[parent]))]
    children = range(pos[parent], pos[parent + 1])
    if kind == "R":
        return [(position, int(crd[parent]) + position - children.start) for position in children]
    # Slots of a hash table may be empty.
    return [(position, int(crd[position])) for position in children if crd[position] >= 0]
