"""`einsum`: subscripts and operands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ._comet import Expression
from ._together import together
from ._types import KEPT_EXPRESSIONS, check_stated, settings


def einsum(
    subscripts: str,
    *operands: Any,
    out: Any = None,
    accumulate: bool = False,
    mask: Any = None,
    complement: bool = False,
    semiring: str | tuple[str, str] | None = None,
    reduce: str | None = None,
    format: Any = None,
    dtype: Any = None,
    index: str | None = None,
    ordered: bool = False,
    path: Sequence[Any] | None = None,
    schedule: str | None = None,
    copy: bool = True,
    comm: Any = None,
    replicated: int | Iterable[int] = (),
) -> Any:
    """Evaluate subscripts as `numpy.einsum` has them, on sparse and dense operands.

    >>> import numpy as np, scipy.sparse as sp, comet_sparse as ct
    >>> A = sp.csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    >>> ct.einsum("ij,j->i", A, np.array([1.0, 2.0, 3.0]))
    array([7., 6.])
    >>> ct.einsum("ik,jk->ij", A, A).toarray()
    array([[5., 0.],
           [0., 9.]])

    A result of two modes or more is sparse if each of its labels is a label of a sparse operand in every term
    of a sum, and a vector only if the operands with its label are sparse vectors; other results are dense, a
    `numpy.ndarray`. A sparse result has the format of the operands with all of its labels, if these agree.
    Otherwise it is CSR, CSC if all sparse operands are stored by columns, or CSF if it has more than two modes.

    :param subscripts: labels of the operands and of the result: ``"ik,kj->ij"``, ``"ik,kj"``,
        ``"...ij,...jk->...ik"``, ``"ii->i"``.
    :param operands: NumPy arrays, SciPy's sparse arrays and matrices, tensors, numbers.
    :param out: the result is written there, converted to its elements, and nothing is allocated. A sparse one
        keeps its pattern, which must be that of the result. With ``mask``, what is not selected becomes 0.
    :param accumulate: the result is added to what is in ``out``, by ``+`` whatever the semiring is.
    :param mask: only the positions that it has entries at are computed.
    :param complement: only the others are.
    :param semiring: ``"min_plus"`` as GraphBLAS writes it, or ``("min", "+")``: how values are reduced and
        combined.
    :param reduce: how values are reduced, with products: ``"max"``.
    :param format: the format of the result: ``"csc"``, ``"dcsr"``, ``"bsr<2,2>"``, ``"{D, CU}"``.
    :param dtype: the type of the result's elements, as NumPy names it: ``"float"`` is `float64`, which the language
        calls `double`. NumPy's ``result_type`` of the operands where it is left out.
    :param index: ``"int64"`` for a sparse result with indices of 64 bits.
    :param ordered: sums are formed in the order of the indices, bit for bit the same everywhere.
    :param path: pairs of operands in the order they are contracted, as opt_einsum returns them.
    :param schedule: commands for the loops, as the language has them: ``"order(i, k, j)"``.
    :param copy: ``False`` refuses operands that would have to be copied.
    :param comm: a communicator of mpi4py, such as ``MPI.COMM_WORLD``: all of its processes call this, each with
        its rows of every operand (of CSC, its columns), which follow each other by rank, and it returns the
        rows of this process. Rows of a result that has the extent of an operand's are divided as that one's;
        others evenly.
    :param replicated: the places of operands that every process passes the whole of.
    :raises CometSyntaxError: subscripts that are wrong, with their place.
    :raises ShapeError: extents that contradict each other.
    :raises FormatError: an operand that is no tensor of numbers.
    :raises NotSupportedError: what the compiler does not do yet.
    """
    if not isinstance(subscripts, str):
        found = type(subscripts).__name__
        raise TypeError(f'expected subscripts such as "ij,j->i" in front of the operands, found `{found}`')
    if accumulate and out is None:
        raise TypeError("`accumulate` adds to what is in `out`, which is missing")
    if complement and mask is None:
        raise TypeError("`complement` selects where `mask` has no entry: pass `mask`")
    if accumulate and not isinstance(out, np.ndarray) and hasattr(out, "copy"):
        options = {
            "mask": mask,
            "complement": complement,
            "semiring": semiring,
            "reduce": reduce,
            "ordered": ordered,
            "path": path,
            "schedule": schedule,
            "copy": copy,
            "comm": comm,
            "replicated": replicated,
        }
        return _added(out, subscripts, operands, options)
    others = together(comm, replicated, range(len(operands)))
    steps = None if path is None else _steps(path)
    pair = tuple(semiring) if isinstance(semiring, list) else semiring
    masked = None if mask is None else complement
    stated = {
        "semiring": pair,
        "reduce": reduce,
        "format": format,
        "dtype": dtype,
        "index": index,
        "ordered": ordered,
        "schedule": schedule,
    }
    try:
        expression = _expression(subscripts, len(operands), accumulate, masked, steps, **stated)
    except TypeError:
        check_stated(stated)
        raise
    if mask is not None:
        operands = (*operands, mask)
    if accumulate:
        operands = (*operands, out)
    return expression.call(operands, out, copy, others)


@lru_cache(KEPT_EXPRESSIONS)
def _expression(
    subscripts: str,
    count: int,
    accumulate: bool,
    masked: bool | None,
    steps: tuple[tuple[int, ...], ...] | None,
    *,
    semiring: str | tuple[str, ...] | None,
    reduce: str | None,
    format: Any,
    dtype: Any,
    index: str | None,
    ordered: bool,
    schedule: str | None,
) -> Expression:
    """One expression for each way of asking; it holds the kernels for the formats it is called with."""
    stated = {**settings(format, dtype, index, ordered, schedule), "accumulate": accumulate}
    names = [f"A{number}" for number in range(count)]
    return Expression.einsum(subscripts, names, _semiring(semiring, reduce), masked, steps, stated)


def _added(out: Any, subscripts: str, operands: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A sparse `out` with the values of a result of its pattern added to its own."""
    result = einsum(subscripts, *operands, out=out.copy(), **options)
    target, values = (matrix.values if hasattr(matrix, "values") else matrix.data for matrix in (out, result))
    np.add(target, values, out=target)
    return out


def _steps(path: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """The steps of a path; NumPy's begins with a word."""
    steps = path[1:] if len(path) > 0 and isinstance(path[0], str) else path
    return tuple(tuple(int(place) for place in step) for step in steps)


def _semiring(semiring: str | tuple[str, ...] | None, reduce: str | None) -> tuple[str, str] | None:
    if reduce is not None:
        if semiring is not None:
            raise TypeError("`semiring` says how values are reduced: leave `reduce` out")
        return (reduce, "*")
    if semiring is None:
        return None
    pair = tuple(semiring.split("_", 1)) if isinstance(semiring, str) else tuple(semiring)
    if len(pair) != 2:
        raise ValueError(f'expected a semiring such as "min_plus" or ("min", "+"), found {semiring!r}')
    return None if pair in {("plus", "times"), ("+", "*")} else (pair[0], pair[1])
