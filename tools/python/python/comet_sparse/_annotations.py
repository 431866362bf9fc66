"""`kernel`: functions whose annotations state formats and whose docstring is the statement."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from . import _comet
from ._errors import FormatError
from ._kernel import Kernel, compiled

_NUMBERS = (int, float, complex)


class _Annotation:
    """What an annotation of a parameter says: a format, and labels for its modes."""

    def __init__(self, format: str, labels: tuple[str, ...]) -> None:
        self.format = format
        self.labels = labels


class FormatClass:
    """A format for annotations and for `compile`: ``CSR["i", "j"]``."""

    def __init__(self, format: str) -> None:
        self.format = format

    def __getitem__(self, labels: str | tuple[str, ...]) -> _Annotation:
        return _Annotation(self.format, (labels,) if isinstance(labels, str) else labels)

    def __repr__(self) -> str:
        return self.format


CSR, CSC, COO = FormatClass("CSR"), FormatClass("CSC"), FormatClass("COO")
DCSR, DCSC, CSF = FormatClass("DCSR"), FormatClass("DCSC"), FormatClass("CSF")
Dense, ELL, SparseVector = FormatClass("Dense"), FormatClass("ELL"), FormatClass("SparseVector")


def kernel(
    function: Callable[..., Any] | None = None,
    /,
    *,
    dtype: Any = None,
    index: str | None = None,
    schedule: str | None = None,
    ordered: bool = False,
) -> Kernel | Callable[[Callable[..., Any]], Kernel]:
    """Compile the statement in the docstring of a function whose parameters state formats.

    >>> import comet_sparse as ct
    >>> @ct.kernel
    ... def mttkrp(T: ct.CSF["i", "k", "l"], D: ct.Dense["k", "j"], E: ct.Dense["l", "j"]) -> ct.Dense["i", "j"]:
    ...     "R[i,j] = T[i,k,l] * D[k,j] * E[l,j]"
    >>> mttkrp.operands
    ('T', 'D', 'E')

    Operands come in the order of the parameters. Labels are those of an access of the tensor in the statement.
    Scalars may be annotated `int`, `float` or `complex`: they are converted to that type in each call, and what
    is no such number is refused. A parameter without an annotation is dense, or any number.

    The keywords are those of `compile`.

    :raises TypeError: parameters that are not the operands of the statement.
    :raises FormatError: an annotation that the statement contradicts.
    """

    def made(function: Callable[..., Any]) -> Kernel:
        text = inspect.getdoc(function)
        if not text:
            raise TypeError(f"expected a statement as the docstring of `{function.__name__}`")
        interface, result = _comet.interface(text)
        ranks = dict(interface)
        order = _parameters(function, ranks)
        hints = inspect.get_annotations(function, eval_str=True)
        is_tensor = {name: rank is not None for name, rank in interface}
        if "return" in hints:
            if result is None:
                raise FormatError("the annotation of the result has nothing to state: the statement has no result")
            is_tensor.setdefault(result, bool(_accesses(text, result)))
            hints[result] = hints.pop("return")
        for name, hint in hints.items():
            _check(text, name, hint, is_tensor=is_tensor[name])
        numbers = {name: hint for name, hint in hints.items() if hint in _NUMBERS}
        formats = {name: hint for name, hint in hints.items() if name not in numbers}
        types = dtype if isinstance(dtype, Mapping) else dict.fromkeys(order, dtype)
        return compiled(
            text,
            order=order,
            formats=formats,
            dtypes={**types, **numbers},
            typed=dtype is not None,
            numbers={name: hint for name, hint in numbers.items() if name in order},
            stated={"index": index, "schedule": schedule, "ordered": ordered},
            name=function.__name__,
        )

    return made if function is None else made(function)


def _parameters(function: Callable[..., Any], operands: Mapping[str, Any]) -> list[str]:
    """The parameters of a function in order, which are the operands of its statement."""
    parameters = inspect.signature(function).parameters
    for parameter in parameters.values():
        is_plain = parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        if not is_plain or parameter.default is not parameter.empty:
            raise TypeError(f"expected a plain parameter for each operand, found `{parameter}` of `{function.__name__}`")
        if parameter.name not in operands:
            raise TypeError(f"the statement of `{function.__name__}` has no operand for its parameter `{parameter.name}`")
    missing = [name for name in operands if name not in parameters]
    if missing:
        raise TypeError(f"expected a parameter of `{function.__name__}` for the operand `{missing[0]}`")
    return list(parameters)


def _check(text: str, name: str, hint: Any, *, is_tensor: bool) -> None:
    """Refuse an annotation that the statement contradicts."""
    if hint in _NUMBERS:
        # A tensor without modes is a number, too.
        if is_tensor and any(_accesses(text, name)):
            raise FormatError(f"`{name}` is a tensor in the statement: expected a format, found `{hint.__name__}`")
        return
    if not isinstance(hint, (FormatClass, _Annotation, str)):
        expected = 'expected a format such as `CSR["i", "j"]`, or `int`, `float` or `complex`'
        raise FormatError(f"{expected}, for `{name}`, found {hint!r}")
    if not is_tensor:
        raise FormatError(f"`{name}` is a scalar in the statement: expected `int`, `float` or `complex`, found {hint!r}")
    if isinstance(hint, _Annotation):
        accesses = _accesses(text, name)
        if not any(_agree(hint.labels, indices) for indices in accesses):
            stated, found = ", ".join(map(str, hint.labels)), " and ".join(f"[{', '.join(a)}]" for a in accesses)
            raise FormatError(
                f"the labels of `{name}` are [{stated}] in its annotation and {found} in the statement: "
                "expected the same labels in the same order"
            )


def _agree(labels: tuple[Any, ...], indices: list[str]) -> bool:
    """Whether each index is the label or computed from it; numbers and `:` have none."""
    names = [re.findall(r"[^\W\d]\w*", index) for index in indices]
    return len(labels) == len(names) and all(not found or label in found for label, found in zip(labels, names))


def _accesses(text: str, name: str) -> list[list[str]]:
    """The indices of each access of a tensor in statements, in brackets or in TACO's parentheses."""
    plain = re.sub(r"#[^\n]*", "", text)
    found = []
    for access in re.finditer(rf"(?<![\w.]){re.escape(name)}\s*[\[(]", plain):
        indices, depth = [""], 0
        for character in plain[access.end() :]:
            depth += (character in "([") - (character in ")]")
            if depth < 0:
                break
            if character == "," and depth == 0:
                indices.append("")
            else:
                indices[-1] += character
        found.append([index.strip() for index in indices] if any(index.strip() for index in indices) else [])
    return found
