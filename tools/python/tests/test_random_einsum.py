"""Random einsums against an oracle that knows where entries are, and against NumPy.

`COMET_CASES=5000 pytest test_random_einsum.py` is the long run; `COMET_SEED=7` draws other examples.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import assume, given, note
from hypothesis import strategies as st

import cases
import comet_sparse as ct
import oracle
from cases import Case, examples
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
    return result


def check(result: Any, answer: Answer, dtype: np.dtype, has_pattern: bool = True) -> None:
    """The result has the type, the values, and if it is sparse the pattern of the answer."""
    assert result.dtype == dtype
    expected = answer.dense(dtype)
    assert result.shape == expected.shape
    found = oracle.entries_of(result)
    if isinstance(result, np.ndarray):
        np.testing.assert_array_equal(result, expected)
        return
    values = np.where(answer.entries.present, expected, np.zeros_like(expected))
    np.testing.assert_array_equal(found.dense(), values)
    is_blocked = sp.issparse(result) and result.format == "bsr"
    if has_pattern and not is_blocked:
        np.testing.assert_array_equal(found.present, answer.entries.present)


def check_family(result: Any, operands: list[Any]) -> None:
    """SciPy's results are matrices where all sparse operands are, arrays otherwise."""
    if sp.issparse(result):
        sparse = [operand for operand in operands if not np.isscalar(operand) and not isinstance(operand, np.ndarray)]
        is_matrix = bool(sparse) and all(isinstance(operand, sp.spmatrix) for operand in sparse)
        assert isinstance(result, sp.spmatrix) == is_matrix


@examples(0.4)
@given(cases.cases(), st.data())
def test_sums_of_products(case: Case, data: st.DataObject) -> None:
    """Any operands, any format of the result: the values are NumPy's, the pattern is the oracle's."""
    format = data.draw(st.sampled_from(cases.formats(case.shape, case.dtype)))
    result = call(case, format=format, ordered=data.draw(st.booleans()))
    answer = oracle.einsum(case.terms, case.output, case.dtype)
    check(result, answer, case.dtype)
    check_family(result, case.passed)
    with np.errstate(all="ignore"):
        dense = [operand.entries.dense() for operand in case.operands]
        np.testing.assert_array_equal(oracle_of_numpy(case, dense), answer.dense(case.dtype))


def oracle_of_numpy(case: Case, dense: list[np.ndarray]) -> np.ndarray:
    """NumPy's own; a half is added up in a wider type, as comet and the oracle do."""
    wide = np.float64 if case.dtype == np.float16 else case.dtype
    return np.einsum(case.subscripts, *dense, dtype=wide, casting="unsafe").astype(case.dtype)


@examples(0.1)
@given(cases.cases(), st.data())
def test_sums_of_products_along_a_path(case: Case, data: st.DataObject) -> None:
    """Intermediate results change no value of the result."""
    # Rounding between steps is allowed.
    assume(case.dtype != np.float16)
    left, path = len(case.operands), []
    while left > 1:
        taken = data.draw(st.permutations(range(left)))[:2]
        path.append(tuple(taken))
        left -= 1
    result = call(case, path=path)
    check(result, oracle.einsum(case.terms, case.output, case.dtype), case.dtype, has_pattern=False)


@examples(0.1)
@given(cases.cases(kinds="biuf"), st.data())
def test_a_stated_dtype_is_computed_in(case: Case, data: st.DataObject) -> None:
    """`dtype=` is as if the operands had been of it: nothing wraps before."""
    wider = [dtype for dtype in cases.DTYPES if np.can_cast(case.dtype, dtype) and dtype.kind in "biuf"]
    dtype = data.draw(st.sampled_from(wider))
    # Large integers are rounded by floating-point numbers, each in its own way.
    assume(dtype.kind != "f" or case.dtype.kind == "f" or _are_small(case))
    result = call(case, dtype=dtype.name)
    check(result, oracle.einsum(case.terms, case.output, dtype), dtype)


def _are_small(case: Case) -> bool:
    return all(np.abs(term.entries.dense().astype(float)).max(initial=0) <= 3 for term in case.operands)


SEMIRINGS = [
    "min_plus", "max_plus", "any_pair", "plus_pair", "lor_land", "min_first", "max_times", "min_second",
    "plus_first", "plus_second", "plus_min", "max_min", "min_max", "land_lor", "plus_plus", "min_times",
    "max_first", "times_plus", "plus_times",
]  # fmt: skip
COMPLEX_SEMIRINGS = ["plus_times", "any_pair", "plus_pair", "plus_first", "plus_second", "plus_plus"]


def semirings(case: Case) -> list[str]:
    """Those that have one answer for the case."""
    known = COMPLEX_SEMIRINGS if case.dtype.kind == "c" else SEMIRINGS
    # Long products of floating-point numbers are rounded.
    known = [name for name in known if case.dtype.kind in "biu" or not name.startswith("times")]
    # One operand has no pairs: `any` of its values is one of them.
    return [name for name in known if len(case.operands) > 1 or not name.startswith("any")]


@examples(0.2)
@given(cases.cases(most=3), st.data())
def test_semirings(case: Case, data: st.DataObject) -> None:
    """Entries that are absent take no part, and what is reached by nothing is absent, or the identity."""
    semiring = data.draw(st.sampled_from(semirings(case)))
    format = data.draw(st.sampled_from(cases.formats(case.shape, case.dtype)))
    result = call(case, semiring=semiring, format=format)
    reduce, combine = semiring.split("_")
    check(result, oracle.einsum(case.terms, case.output, case.dtype, (reduce, combine)), case.dtype)


@examples(0.05)
@given(cases.cases(kinds="biuf", most=1), st.sampled_from(["min", "max", "+", "*", "sum", "prod"]))
def test_reductions(case: Case, reduction: str) -> None:
    """`reduce=` is how values meet; of one operand it is that reduction of its entries."""
    name = {"+": "plus", "sum": "plus", "*": "times", "prod": "times"}.get(reduction, reduction)
    assume(name != "times" or case.dtype.kind in "biu")
    result = call(case, reduce=reduction)
    check(result, oracle.einsum(case.terms, case.output, case.dtype, (name, "times")), case.dtype)


def masked(answer: Answer, mask: cases.Operand, is_complement: bool) -> Answer:
    """The answer where the mask selects; a dense result has the identity there and 0 elsewhere."""
    entries = mask.entries
    selected = entries.present & (entries.values != 0) if cases.is_dense(mask.form) else entries.present
    selected = ~selected if is_complement else selected
    kept = Entries(answer.entries.values, answer.entries.present & selected)
    return Answer(kept, np.where(selected, answer.background, 0))


def draw_mask(data: st.DataObject, case: Case) -> cases.Operand:
    """A mask of the extents of the result, of any type."""
    dtype = data.draw(st.sampled_from([np.dtype(name) for name in ("bool", "float64", "int32", "uint8")]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    form = data.draw(st.sampled_from([f for f in cases.forms_of(len(case.shape), dtype) if f != "number"]))
    values = cases.values_of(dtype, case.shape, rng)
    mask = cases.operand("", form, values, data.draw(st.sampled_from([0.5, 0.2, 1.0])), rng)
    note(f"mask {mask!r}")
    return mask


@examples(0.15)
@given(cases.cases(most=2), st.data())
def test_masks(case: Case, data: st.DataObject) -> None:
    """Only what the mask selects is computed: entries of a sparse one, elements that are not 0 of a dense one."""
    mask, is_complement = draw_mask(data, case), data.draw(st.booleans())
    semiring = data.draw(st.sampled_from(["plus_times", "plus_times", *semirings(case)]))
    format = data.draw(st.sampled_from(cases.formats(case.shape, case.dtype)))
    result = call(case, mask=mask.passed, complement=is_complement, semiring=semiring, format=format)
    reduce, combine = semiring.split("_")
    answer = oracle.einsum(case.terms, case.output, case.dtype, (reduce, combine))
    check(result, masked(answer, mask, is_complement), case.dtype)


@examples(0.1)
@given(cases.cases(most=2), st.data())
def test_dense_out_is_written(case: Case, data: st.DataObject) -> None:
    """A dense `out` is overwritten whatever it was, or added to; it is what is returned."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    before = cases.values_of(case.dtype, case.shape, rng, case.dtype.kind in "biu")
    order = data.draw(st.sampled_from(["C", "F"]))
    out = np.array(before, order=order)
    accumulates = data.draw(st.booleans())
    result = call(case, out=out, accumulate=accumulates)
    assert result is out
    answer = oracle.einsum(case.terms, case.output, case.dtype)
    with np.errstate(all="ignore"):
        wide = before.astype(oracle.computed(case.dtype)) if accumulates else 0
        added = wide + answer.entries.dense()
    np.testing.assert_array_equal(out, oracle.stored(added, case.dtype))


@examples(0.05)
@given(cases.cases(most=2, forms=("csr", "csc", "coo", "tensor")), st.data())
def test_sparse_out_gets_new_values(case: Case, data: st.DataObject) -> None:
    """A sparse `out` with the pattern of the result keeps its indices and gets the values."""
    # SciPy has no half.
    assume(len(case.shape) > 1 and case.dtype != np.float16)
    format = data.draw(st.sampled_from([f for f in cases.formats(case.shape, case.dtype) if f and f != "dense"]))
    out = call(case, format=format)
    values = out.values if isinstance(out, ct.Tensor) else out.data
    values[...] = 1
    result = call(case, out=out)
    assert result is out
    check(out, oracle.einsum(case.terms, case.output, case.dtype), case.dtype)
