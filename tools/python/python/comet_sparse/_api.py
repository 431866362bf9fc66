"""The functions of the package."""

from __future__ import annotations

from typing import Any

from ._comet import Expression

_EINSUMS: dict[tuple[Any, ...], Expression] = {}


def einsum(subscripts: str, *operands: Any, out: Any = None, accumulate: bool = False, mask: Any = None,
           complement: bool = False, semiring: Any = None, reduce: str | None = None, format: str | None = None,
           dtype: Any = None, ordered: bool = False, path: Any = None, copy: bool = True) -> Any:
    key = (subscripts, len(operands), accumulate, None if mask is None else complement, semiring, reduce, format, dtype, ordered, repr(path))
    expression = _EINSUMS.get(key)
    if expression is None:
        if reduce is not None:
            pair = (reduce, "*")
        elif semiring is None:
            pair = None
        elif isinstance(semiring, str):
            pair = tuple(semiring.split("_", 1))
        else:
            pair = tuple(semiring)
        names = [f"A{number}" for number in range(len(operands))]
        settings = {"format": format, "dtype": dtype, "ordered": ordered}
        expression = Expression.einsum(subscripts, names, pair, None if mask is None else complement, accumulate, path, settings)
        _EINSUMS[key] = expression
    if mask is not None:
        operands = (*operands, mask)
    if accumulate:
        operands = (*operands, out)
    return expression.call(operands, out, copy)


def evaluate(text: str, **operands: Any) -> Any:
    names = list(operands)
    expression = Expression.statements(text, names, [isinstance(operands[n], (int, float, complex)) for n in names], {})
    return expression.call(tuple(operands.values()), None, True)
