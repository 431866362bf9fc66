"""`evaluate`: statements with named operands."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from . import _comet
from ._comet import Expression
from ._together import together
from ._types import KEPT_EXPRESSIONS, check_stated, settings


def evaluate(
    text: str,
    /,
    *,
    schedule: str | None = None,
    format: Any = None,
    dtype: Any = None,
    index: str | None = None,
    ordered: bool = False,
    out: Any = None,
    copy: bool = True,
    comm: Any = None,
    replicated: str | Iterable[str] = (),
    **operands: Any,
) -> Any:
    """Evaluate statements in Einstein notation; return what the last one assigns.

    >>> import numpy as np, scipy.sparse as sp, comet_sparse as ct
    >>> A = sp.csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> ct.evaluate("r[i] = b[i] - a * A[i,j] * x[j]", A=A, x=x, b=np.array([10.0, 10.0]), a=0.5)
    array([6.5, 7. ])
    >>> ct.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x)
    array([7., 6.])
    >>> ct.evaluate("n[i] = A[i,j] * A[i,j]; s[i] = sqrt(n[i])", A=A)
    array([2.23606798, 3.        ])

    Statements are those of the language, with ``;`` between them; or in TACO's notation, which has neither
    functions nor loops, where the first left-hand side has parentheses. A label that the left-hand side lacks is
    summed over. Names without brackets are scalars.

    :param text: one statement or several.
    :param operands: what each name stands for; the names of parameters below are taken.
    :param out: the result is written there; as for `einsum`. A last statement with ``+=`` adds to it.
    :param schedule: commands for the loops: ``"order(i, k, j)"``.
    :param replicated: names of operands that every process of ``comm`` passes the whole of.

    The other parameters and the errors are those of `einsum`.
    """
    if (taken := _taken(text)) is not None:
        raise TypeError(f"`{taken}` is a parameter of `evaluate`: give the operand another name in the statement")
    if out is not None and (result := _updated(text)) is not None:
        operands = {result: out, **operands}
    try:
        expression = _expression(text, tuple(operands), schedule, format, dtype, index, ordered)
    except TypeError:
        check_stated({"format": format, "dtype": dtype, "index": index, "ordered": ordered, "schedule": schedule})
        raise
    return expression.call(tuple(operands.values()), out, copy, together(comm, replicated, list(operands)))


_PARAMETERS = {
    name for name, kind in inspect.signature(evaluate).parameters.items() if kind.kind is kind.KEYWORD_ONLY
}
"""Names that no operand can be passed by."""


@lru_cache(KEPT_EXPRESSIONS)
def _taken(text: str) -> str | None:
    """The first operand of statements whose name is that of a parameter, so that it cannot be passed."""
    operands, _ = _comet.interface(text)
    return next((name for name, _ in operands if name in _PARAMETERS), None)


@lru_cache(KEPT_EXPRESSIONS)
def _updated(text: str) -> str | None:
    """The result of statements that read it before they assign it, as ``y[i] += x[i]`` does."""
    operands, result = _comet.interface(text)
    return result if result in {name for name, _ in operands} else None


@lru_cache(KEPT_EXPRESSIONS)
def _expression(
    text: str,
    names: tuple[str, ...],
    schedule: str | None,
    format: Any,
    dtype: Any,
    index: str | None,
    ordered: bool,
) -> Expression:
    """One expression for each way of asking; it holds the kernels for the formats it is called with."""
    return Expression.statements(text, list(names), settings(format, dtype, index, ordered, schedule))
