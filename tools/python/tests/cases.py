"""Random einsums: subscripts, extents, and operands in every form that comet reads.

Values are small integers and halves, so that every sum is exact in any order, and never constant. Operands
that are all of integers have large values, too: results wrap as NumPy's do.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce as fold
from typing import Any, TypeVar

import numpy as np
import scipy.sparse as sp
from hypothesis import assume, seed, settings
from hypothesis import strategies as st

import comet_sparse as ct
from oracle import Entries

Test = TypeVar("Test", bound=Callable[..., Any])

DTYPES = [
    np.dtype(name)
    for name in (
        "float64", "float32", "int64", "int32", "int16", "int8", "uint8", "uint32", "bool", "float16",
        "complex64", "complex128",
    )
]  # fmt: skip
# Complex results are refused so far, see test_einsum.py; add "c" then.
KINDS = "biufc"
LABELS = "ijkqA"
HIDDEN = "XY"
# The types that NumPy gives Python's numbers.
OF_NUMBERS: dict[str, np.dtype] = {
    kind: np.dtype(name)
    for kind, name in {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}.items()
}
EXTENTS = [2, 3, 4, 3, 2, 5, 1, 0]


def examples(share: float) -> Callable[[Test], Test]:
    """That share of the examples that a run has, drawn by the seed if there is one."""

    def decorated(test: Test) -> Test:
        count = max(1, int(int(os.environ.get("COMET_CASES", "150")) * share))
        drawn = settings(max_examples=count)(test)
        return seed(int(os.environ["COMET_SEED"]))(drawn) if "COMET_SEED" in os.environ else drawn

    return decorated


@dataclass(frozen=True)
class Operand:
    """An operand as it is passed, and its entries."""

    labels: str
    form: str
    entries: Entries
    passed: Any = field(repr=False)

    def __repr__(self) -> str:
        values = np.where(self.entries.present, self.entries.values, 0).tolist()
        return f"{self.form}({self.entries.values.dtype}, {self.entries.values.shape}, {values})"


@dataclass(frozen=True)
class Case:
    """Subscripts with operands; `output` has a letter for each mode of the result."""

    subscripts: str
    operands: tuple[Operand, ...]
    output: str

    @property
    def passed(self) -> list[Any]:
        return [operand.passed for operand in self.operands]

    @property
    def dtype(self) -> np.dtype:
        return np.result_type(*[operand.entries.values.dtype for operand in self.operands])

    @property
    def terms(self) -> list[tuple[str, Entries]]:
        return [(operand.labels, operand.entries) for operand in self.operands]

    @property
    def is_large(self) -> bool:
        """Whether there are values that a long product of floating-point numbers would round."""
        return any(np.abs(entries.dense().astype(float)).max(initial=0) > 3 for _, entries in self.terms)

    @property
    def shape(self) -> tuple[int, ...]:
        extents = {l: e for term, entries in self.terms for l, e in zip(term, entries.values.shape)}
        return tuple(extents[label] for label in self.output)


# Operands.


def values_of(
    dtype: np.dtype, shape: tuple[int, ...], rng: np.random.Generator, is_large: bool = False, parts: int = 2
) -> np.ndarray:
    """Values of that type: any integers if they are to be large, otherwise multiples of 1 / `parts` up to 3."""
    if dtype.kind == "b":
        return rng.random(shape) < 0.7
    if dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        least, most = (bounds.min, bounds.max) if is_large else (max(bounds.min, -3), 3)
        return rng.integers(least, most, shape, dtype=dtype, endpoint=True)
    parted = rng.integers(-3 * parts, 3 * parts + 1, shape) / parts
    if dtype.kind == "c":
        parted = parted + 1j * (rng.integers(-3 * parts, 3 * parts + 1, shape) / parts)
    return parted.astype(dtype)


def forms_of(rank: int, dtype: np.dtype) -> list[str]:
    """What an operand of that rank can be."""
    forms = {
        0: ["C", "number"],
        1: ["C", "strided", "reversed", "coo", "coo64", "coo messy"],
        2: [
            "C", "F", "strided", "reversed", "csr", "csc", "coo", "bsr", "csr64", "csc64", "coo64", "bsr64",
            "csr messy", "csc messy", "coo messy", "bsr messy", "csr matrix", "csc matrix", "coo matrix",
            "bsr matrix", "tensor dcsr", "tensor csb<2,2>", "tensor {CU, D}", "tensor {D, R}", "tensor {D, H}",
        ],
    }.get(rank, ["C", "F", "strided", "permuted", "coo", "coo messy", "tensor csf", "tensor coo"])  # fmt: skip
    # SciPy has no matrices of float16.
    return [form for form in forms if dtype != np.float16 or form.split()[0][:3] not in ("csr", "csc", "coo", "bsr")]


def is_dense(form: str) -> bool:
    """Whether an operand of that form stores every element."""
    return form in ("C", "F", "strided", "reversed", "permuted", "number")


def operand(labels: str, form: str, values: np.ndarray, density: float, rng: np.random.Generator) -> Operand:
    """An operand of that form with some of the values."""
    if is_dense(form):
        entries = Entries(values, np.ones(values.shape, bool))
        return Operand(labels, form, entries, _dense(values, form))
    present = rng.random(values.shape) < density
    # Some entries are zeros.
    values = np.where(rng.random(values.shape) < 0.2, np.zeros_like(values), values)
    if form.startswith("bsr") or form in ("tensor {CU, D}", "tensor {D, R}"):
        # A zero there is padding.
        present &= values != 0
    entries = Entries(values, present)
    return Operand(labels, form, entries, _sparse(entries, form, rng))


def _dense(values: np.ndarray, form: str) -> Any:
    match form:
        case "number":
            return values.item()
        case "F":
            return np.asfortranarray(values)
        case "permuted":
            modes = (1, *range(2, values.ndim), 0)
            return np.ascontiguousarray(values.transpose(modes)).transpose(np.argsort(modes))
        case "reversed":
            return np.ascontiguousarray(values[::-1])[::-1]
        case "strided":
            wide = np.full([2 * extent + 1 for extent in values.shape], 5).astype(values.dtype)
            every_second = tuple(slice(1, None, 2) for _ in values.shape)
            wide[every_second] = values
            return wide[every_second]
        case _:
            return np.ascontiguousarray(values).reshape(values.shape)


def _sparse(entries: Entries, form: str, rng: np.random.Generator) -> Any:
    name, _, variant = form.partition(" ")
    if name == "tensor":
        dtype, labels = entries.values.dtype, "abcdefgh"[: entries.values.ndim]
        # SciPy has no float16.
        values = entries.values.astype("float32") if dtype == np.float16 else entries.values
        source = coo(Entries(values, entries.present), False, rng)
        return ct.einsum(f"{labels}->{labels}", source, format=variant, dtype=dtype.name)
    kind, width = name[:3], np.int64 if name.endswith("64") else np.int32
    if kind == "bsr":
        made = _blocks(entries, variant == "messy", rng)
    elif kind == "coo":
        made = coo(entries, variant == "messy", rng)
        made.coords = tuple(array.astype(width) for array in made.coords)
    else:
        made = _compressed(entries, kind, variant == "messy", rng)
    if kind != "coo":
        made.indices, made.indptr = made.indices.astype(width), made.indptr.astype(width)
    return getattr(sp, f"{kind}_matrix")(made) if variant == "matrix" else made


def coo(entries: Entries, is_messy: bool, rng: np.random.Generator) -> Any:
    """Coordinates, if wanted in any order and some of them twice."""
    coords, data = np.argwhere(entries.present), entries.values[entries.present]
    if is_messy:
        coords, data = _twice(coords, data, rng)
    return sp.coo_array((data, tuple(coords.T)), shape=entries.values.shape)


def _twice(coords: np.ndarray, data: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Some values as sums of two at the same place, all in any order."""
    again = rng.random(len(data)) < 0.4
    with np.errstate(all="ignore"):
        part = data[again] if data.dtype.kind == "b" else np.ones(int(again.sum()), data.dtype)
        rest = data[again] if data.dtype.kind == "b" else data[again] - part
    data = data.copy()
    data[again] = rest
    coords, data = np.concatenate([coords, coords[again]]), np.concatenate([data, part])
    order = rng.permutation(len(data))
    return coords[order], data[order]


def _compressed(entries: Entries, kind: str, is_messy: bool, rng: np.random.Generator) -> Any:
    coords, data = np.argwhere(entries.present), entries.values[entries.present]
    if is_messy:
        coords, data = _twice(coords, data, rng)
    outer, inner = (0, 1) if kind == "csr" else (1, 0)
    order = np.argsort(coords[:, outer], kind="stable")
    coords, data = coords[order], data[order]
    extent = entries.values.shape[outer]
    indptr = np.searchsorted(coords[:, outer], np.arange(extent + 1)).astype(np.int32)
    arrays = (data, coords[:, inner].astype(np.int32), indptr)
    return getattr(sp, f"{kind}_array")(arrays, shape=entries.values.shape)


def _blocks(entries: Entries, is_messy: bool, rng: np.random.Generator) -> Any:
    size = tuple(int(rng.choice([n for n in (1, 2, 3) if extent % n == 0])) for extent in entries.values.shape)
    size = size if 0 not in entries.values.shape else (1, 1)
    grid = tuple(extent // n for extent, n in zip(entries.values.shape, size))
    blocks, indices, indptr = [], [], [0]
    dense = np.where(entries.present, entries.values, np.zeros_like(entries.values))
    for row in range(grid[0]):
        columns = range(grid[1]) if not is_messy else rng.permutation(grid[1])
        for column in columns:
            block = dense[row * size[0] :, column * size[1] :][: size[0], : size[1]]
            if block.any():
                blocks.append(block)
                indices.append(column)
        indptr.append(len(indices))
    data = np.array(blocks, dense.dtype).reshape(-1, *size)
    arrays = (data, np.array(indices, np.int32), np.array(indptr, np.int32))
    return sp.bsr_array(arrays, shape=dense.shape)


# Cases.


@st.composite
def subscripts(draw: Callable[..., Any], most: int = 4) -> tuple[str, list[str], str]:
    """A text, the labels of each operand, and those of the result, `...` as letters of its own."""
    count = min(most, draw(st.sampled_from([2, 1, 2, 3, 2, 4])))
    ranks = [2, 1, 2, 3, 2, 0, 2, 4 if count < 3 else 3]
    hidden = draw(st.sampled_from([0, 0, 0, 1, 2]))
    written, terms = [], []
    for _ in range(count):
        rank, is_diagonal = draw(st.sampled_from(ranks)), draw(st.integers(0, 6)) == 6
        label = st.sampled_from(LABELS)
        labels = "".join(draw(st.lists(label, min_size=rank, max_size=rank, unique=not is_diagonal)))
        shown = labels
        if hidden and rank <= 2 and draw(st.integers(0, 2)):
            own, place = draw(st.integers(0, hidden)), draw(st.integers(0, rank))
            shown = labels[:place] + "..." + labels[place:]
            labels = labels[:place] + HIDDEN[hidden - own : hidden] + labels[place:]
        written.append(shown)
        terms.append(labels)
    used = sorted({label for term in terms for label in term})
    reached = [label for label in HIDDEN if label in used]
    named = [label for label in used if label not in HIDDEN]
    text = ",".join(written)
    if draw(st.integers(0, 3)) == 0:
        everywhere = "".join(terms)
        once = "".join(label for label in named if everywhere.count(label) == 1)
        return text, terms, "".join(reached) + once
    kept = draw(st.permutations(named))[: draw(st.integers(0, min(len(named), 4 - len(reached))))]
    place = draw(st.integers(0, len(kept)))
    dots = "..." if "..." in text else ""
    output = "".join(kept)
    result = output[:place] + "".join(reached) + output[place:]
    return f"{text}->{output[:place]}{dots}{output[place:]}", terms, result


@st.composite
def dtypes(draw: Callable[..., Any], count: int, kinds: str) -> list[np.dtype]:
    """Types of operands: the same one in every second case."""
    known = [dtype for dtype in DTYPES if dtype.kind in kinds]
    first = draw(st.sampled_from(known))
    is_mixed = draw(st.booleans())
    drawn = [first, *(draw(st.sampled_from(known)) if is_mixed else first for _ in range(count - 1))]
    # Types are promoted two at a time so far, see test_einsum.py.
    assume(np.result_type(*drawn) == fold(np.promote_types, drawn))
    return drawn


@st.composite
def cases(draw: Callable[..., Any], kinds: str = KINDS, most: int = 4, forms: tuple[str, ...] = ()) -> Case:
    """Einsums of up to `most` operands with elements of those kinds, if stated in those forms where it fits."""
    text, terms, output = draw(subscripts(most))
    extents = {label: draw(st.sampled_from(EXTENTS)) for label in sorted(set("".join(terms)))}
    types = draw(dtypes(len(terms), kinds))
    is_large = all(dtype.kind in "biu" for dtype in types) and draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    operands = []
    for labels, dtype in zip(terms, types):
        known = forms_of(len(labels), dtype)
        wanted = [form for form in known if form.split()[0] in forms] or known
        is_sparse = draw(st.integers(0, 2)) > 0
        form = draw(st.sampled_from([f for f in wanted if is_dense(f) != is_sparse] or wanted))
        dtype = OF_NUMBERS[dtype.kind] if form == "number" else dtype
        shape = tuple(extents[label] for label in labels)
        values = values_of(dtype, shape, rng, is_large, 2 if len(terms) < 3 else 1)
        density = draw(st.sampled_from([0.5, 0.8, 0.2, 1.0, 0.0]))
        operands.append(operand(labels, form, values, density, rng))
    return Case(text, tuple(operands), output)


def formats(shape: tuple[int, ...], dtype: np.dtype) -> list[str | None]:
    """The formats that a result can be asked for."""
    known: list[str | None] = {
        0: [None, "dense"],
        1: [None, "dense", "coo", "sparsevector"],
        2: [None, "csr", "csc", "coo", "dcsr", "csf", "dense", "CSR, index=i64", "bsr<2,2>"],
    }.get(len(shape), [None, "csf", "coo", "dense"])
    if any(extent % 2 for extent in shape):
        # SciPy has no blocks at the edge.
        known = [name for name in known if name != "bsr<2,2>"]
    return known
