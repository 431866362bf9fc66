"""Random einsums against an oracle that knows where entries are, and against NumPy.

`COMET_CASES=5000 pytest test_random_einsum.py` is the long run; `COMET_SEED=7` draws other examples.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, note, reject
from hypothesis import strategies as st

import cases
import comet_sparse as ct
import oracle
from cases import Case, Operand, examples
from oracle import Answer, Entries


@pytest.fixture(autouse=True)
def _copies_are_fine() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ct.CopyWarning)
        yield


def arrays_of(operand: Any) -> list[np.ndarray]:
    """The arrays that an operand consists of."""
    if isinstance(operand, np.ndarray):
        return [operand]
    if isinstance(operand, ct.Tensor):
        return [operand.values, *(array for level in operand.levels for array in level if array is not None)]
    if not sp.issparse(operand):
        return []
    if operand.format == "coo":
        return [operand.data, *operand.coords]
    return [operand.data, operand.indices, operand.indptr]


def call(case: Case, **settings: Any) -> Any:
    """The result, after a look at the operands: they are as they were."""
    note(f"ct.einsum({case.subscripts!r}, {', '.join(map(repr, case.operands))}, {settings})")
    before = [[array.copy() for array in arrays_of(operand)] for operand in case.passed]
    result = ct.einsum(case.subscripts, *case.passed, **settings)
    for operand, copies in zip(case.passed, before):
        for array, copy in zip(arrays_of(operand), copies, strict=True):
            assert array.dtype == copy.dtype and np.array_equal(array, copy), "an operand has changed"
    return np.asarray(result) if isinstance(result, np.generic) else result


def answer_of(case: Case, semiring: str = "plus_times", dtype: np.dtype | None = None) -> Answer:
    reduce, combine = semiring.split("_")
    return oracle.einsum(case.terms, case.output, dtype or case.dtype, (reduce, combine))


def check(result: Any, answer: Answer, dtype: np.dtype, has_pattern: bool = True) -> None:
    """The result has the type, the values, and if it is sparse the pattern of the answer."""
    assert result.dtype == dtype
    expected = answer.dense(dtype)
    assert result.shape == expected.shape
    if isinstance(result, np.ndarray):
        np.testing.assert_array_equal(result, expected)
        return
    found = oracle.entries_of(result)
    np.testing.assert_array_equal(found.dense(), np.where(answer.entries.present, expected, np.zeros_like(expected)))
    if has_pattern:
        # Zeros of blocks and ranges are not told from padding.
        pattern = answer.entries.present & ((expected != 0) | (not oracle.is_padded(result)))
        np.testing.assert_array_equal(found.present, pattern)


def check_class(result: Any, case: Case) -> None:
    """SciPy's results are matrices where all sparse operands are, arrays otherwise."""
    if sp.issparse(result):
        sparse = [operand.passed for operand in case.operands if not cases.is_dense(operand.form)]
        is_matrix = bool(sparse) and all(isinstance(operand, sp.spmatrix) for operand in sparse)
        assert isinstance(result, sp.spmatrix) == is_matrix


# Sums of products.


@examples(0.25)
@given(cases.cases(), st.data())
def test_sums_of_products(case: Case, data: st.DataObject) -> None:
    """Any operands, any format of the result: the values are NumPy's, the pattern is the oracle's."""
    format = data.draw(st.sampled_from(cases.formats(case.shape, case.dtype)))
    result = call(case, format=format, ordered=data.draw(st.booleans()))
    answer = answer_of(case)
    check(result, answer, case.dtype)
    check_class(result, case)
    np.testing.assert_array_equal(answer.dense(case.dtype), of_numpy(case))


def of_numpy(case: Case) -> np.ndarray:
    """NumPy's own result; halves are added up in a wider type, as comet and the oracle do."""
    dense = [operand.entries.dense() for operand in case.operands]
    wide = np.float64 if case.dtype == np.float16 else case.dtype
    with np.errstate(all="ignore"):
        return np.asarray(np.einsum(case.subscripts, *dense, dtype=wide, casting="unsafe"), case.dtype)


@examples(0.1)
@given(cases.cases(), st.data())
def test_sums_of_products_along_a_path(case: Case, data: st.DataObject) -> None:
    """Intermediate results change no value of the result; it may have more entries."""
    # Halves are rounded between steps, and narrow integers wrap there so far, see test_einsum.py.
    types = {operand.entries.values.dtype for operand in case.operands}
    assume(case.dtype != np.float16 and (case.dtype.kind == "f" or len(types) == 1))
    counts = range(len(case.operands), 1, -1)
    path = [tuple(data.draw(st.permutations(range(count)))[:2]) for count in counts]
    result = call(case, path=path)
    check(result, answer_of(case), case.dtype, has_pattern=False)


@examples(0.1)
@given(cases.cases(kinds="biuf"), st.data())
def test_a_stated_dtype_is_computed_in(case: Case, data: st.DataObject) -> None:
    """`dtype=` is as if the operands had been of it: nothing wraps before."""
    wider = [dtype for dtype in cases.DTYPES if np.can_cast(case.dtype, dtype) and dtype.kind in "biuf"]
    dtype = data.draw(st.sampled_from(wider))
    # Floating-point numbers round large integers, at each step anew.
    assume(dtype.kind != "f" or case.dtype.kind == "f" or not case.is_large)
    check(call(case, dtype=dtype.name), answer_of(case, dtype=dtype), dtype)


# Sums of terms.


@examples(0.05)
@given(st.permutations("ij"), st.data())
def test_sums_of_terms(output: list[str], data: st.DataObject) -> None:
    """`+` and `-` are present where one of the terms is, and what is missing counts as 0."""
    dtype = data.draw(st.sampled_from([dtype for dtype in cases.DTYPES if dtype.kind in cases.KINDS]))
    extents = {label: data.draw(st.sampled_from(cases.EXTENTS)) for label in "ij"}
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    operands, signs = [], ["+"]
    for _ in range(data.draw(st.integers(2, 3))):
        labels = "".join(data.draw(st.permutations("ij")))
        values = cases.values_of(dtype, (extents[labels[0]], extents[labels[1]]), rng)
        form = data.draw(st.sampled_from(cases.forms_of(2, dtype)))
        operands.append(cases.operand(labels, form, values, data.draw(st.sampled_from([0.5, 0.2])), rng))
        signs.append(data.draw(st.sampled_from("+-")))
    names = [f"{'ABC'[number]}[{','.join(operand.labels)}]" for number, operand in enumerate(operands)]
    text = f"Y[{','.join(output)}] = " + "".join(f" {sign} {name}" for sign, name in zip(signs, names))[2:]
    note(f"{text} {operands}")
    if dtype == np.float16 and not any(cases.is_dense(operand.form) for operand in operands):
        # SciPy, whose class the result would have, has no float16.
        reject()
    result = ct.evaluate(text, **{name[0]: operand.passed for name, operand in zip(names, operands)})
    terms = [oracle.einsum([(operand.labels, operand.entries)], "".join(output), dtype).entries for operand in operands]
    values = np.sum([term.dense() if sign == "+" else -term.dense() for sign, term in zip(signs, terms)], axis=0)
    present = np.any([term.present for term in terms], axis=0)
    check(result, Answer(Entries(values, present), 0), dtype)


# Semirings.

SEMIRINGS = [
    "min_plus", "max_plus", "any_pair", "plus_pair", "lor_land", "min_first", "max_times", "min_second",
    "plus_first", "plus_second", "plus_min", "max_min", "min_max", "land_lor", "plus_plus", "min_times",
    "max_first", "times_plus", "plus_times", "plus_minus",
]  # fmt: skip
COMPLEX_SEMIRINGS = ["plus_times", "any_pair", "plus_pair", "plus_first", "plus_second", "plus_plus"]


def semirings(case: Case) -> list[str]:
    """Those that have one answer for the case."""
    known = COMPLEX_SEMIRINGS if case.dtype.kind == "c" else SEMIRINGS
    # Long products of floating-point numbers are rounded.
    known = [name for name in known if case.dtype.kind in "biu" or not name.startswith("times")]
    # One operand has no pairs: `any` of its values is one of them.
    return [name for name in known if len(case.operands) > 1 or not name.startswith("any")]


@examples(0.15)
@given(cases.cases(), st.data())
def test_semirings(case: Case, data: st.DataObject) -> None:
    """Entries that are absent take no part, and what is reached by nothing is absent, or the identity."""
    semiring = data.draw(st.sampled_from(semirings(case)))
    format = data.draw(st.sampled_from(cases.formats(case.shape, case.dtype)))
    result = call(case, semiring=semiring, format=format)
    check(result, answer_of(case, semiring), case.dtype)


@examples(0.05)
@given(cases.cases(kinds="biuf", most=1), st.sampled_from(["min", "max", "+", "*", "sum", "prod"]))
def test_reductions(case: Case, reduction: str) -> None:
    """`reduce=` is how values meet; of one operand it is that reduction of its entries."""
    name = {"+": "plus", "sum": "plus", "*": "times", "prod": "times"}.get(reduction, reduction)
    assume(name != "times" or case.dtype.kind in "biu")
    check(call(case, reduce=reduction), answer_of(case, f"{name}_times"), case.dtype)


# Masks.


@dataclass(frozen=True)
class Selection:
    """A mask or its complement; without one, everything."""

    mask: Operand | None = None
    is_complement: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        return {"mask": self.mask.passed, "complement": self.is_complement} if self.mask else {}

    def of(self, answer: Answer) -> Answer:
        """The answer where it selects; a dense result has the identity there and 0 elsewhere."""
        if self.mask is None:
            return answer
        entries = self.mask.entries
        selected = entries.present & (entries.values != 0) if cases.is_dense(self.mask.form) else entries.present
        selected = selected ^ self.is_complement
        kept = Entries(answer.entries.values, answer.entries.present & selected)
        return Answer(kept, np.where(selected, answer.background, 0))


def draw_selection(data: st.DataObject, case: Case) -> Selection:
    """By a mask of the extents of the result, of any type and in any form."""
    dtype = data.draw(st.sampled_from([np.dtype(name) for name in ("bool", "float64", "int32", "uint8")]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    form = data.draw(st.sampled_from([form for form in cases.forms_of(len(case.shape), dtype) if form != "number"]))
    density = data.draw(st.sampled_from([0.5, 0.2, 1.0]))
    mask = cases.operand("", form, cases.values_of(dtype, case.shape, rng), density, rng)
    note(f"mask {mask!r}")
    return Selection(mask, data.draw(st.booleans()))


@examples(0.15)
@given(cases.cases(most=3), st.data())
def test_masks(case: Case, data: st.DataObject) -> None:
    """Only what a mask selects is computed: entries of a sparse one, elements that are not 0 of a dense one."""
    selection = draw_selection(data, case)
    semiring = data.draw(st.sampled_from(["plus_times", *semirings(case)]))
    format = data.draw(st.sampled_from(cases.formats(case.shape, case.dtype)))
    result = call(case, semiring=semiring, format=format, **selection.settings)
    check(result, selection.of(answer_of(case, semiring)), case.dtype)


# `out`.


def draw_out(data: st.DataObject, case: Case) -> np.ndarray:
    """An array of the shape and the type of the result, in either order, with anything in it.

    Arrays with gaps are not written so far, see test_einsum.py.
    """
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    values = cases.values_of(case.dtype, case.shape, rng, is_large=case.dtype.kind in "biu")
    return np.array(values, order=data.draw(st.sampled_from(["C", "F"])))


@examples(0.05)
@given(cases.cases(most=3), st.data())
def test_dense_out_is_written(case: Case, data: st.DataObject) -> None:
    """A dense `out` is overwritten whatever it was, and is what is returned."""
    out = draw_out(data, case)
    selection = draw_selection(data, case) if data.draw(st.booleans()) else Selection()
    semiring = data.draw(st.sampled_from(["plus_times", *semirings(case)]))
    assert call(case, out=out, semiring=semiring, **selection.settings) is out
    check(out, selection.of(answer_of(case, semiring)), case.dtype)


@examples(0.05)
@given(cases.cases(most=3), st.data())
def test_dense_out_is_added_to(case: Case, data: st.DataObject) -> None:
    """What is reached and selected is added, by `+` whatever the semiring is; the rest stays."""
    out = draw_out(data, case)
    before = out.copy()
    selection = draw_selection(data, case) if data.draw(st.booleans()) else Selection()
    semiring = data.draw(st.sampled_from(["plus_times", *semirings(case)]))
    assert call(case, out=out, accumulate=True, semiring=semiring, **selection.settings) is out
    added = selection.of(answer_of(case, semiring)).entries
    with np.errstate(all="ignore"):
        total = oracle.stored(before.astype(oracle.computed(case.dtype)) + added.dense(), case.dtype)
    np.testing.assert_array_equal(out, np.where(added.present, total, before))


@examples(0.05)
@given(cases.cases(most=2), st.data())
def test_sparse_out_gets_new_values(case: Case, data: st.DataObject) -> None:
    """A sparse `out` with the pattern of the result keeps its indices and gets the values."""
    wanted = [format for format in cases.formats(case.shape, case.dtype) if format not in (None, "dense")]
    assume(wanted)
    out = call(case, format=data.draw(st.sampled_from(wanted)))
    arrays = arrays_of(out)
    arrays[0][...] = 1
    assert call(case, out=out) is out
    assert all(new is old for new, old in zip(arrays_of(out), arrays, strict=True))
    check(out, answer_of(case), case.dtype)
