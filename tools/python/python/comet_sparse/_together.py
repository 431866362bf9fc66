"""Calls that the processes of a communicator of MPI make together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def together(
    comm: Any, replicated: str | int | Iterable[str | int], operands: Sequence[str | int]
) -> tuple[int, list[int]] | None:
    """The number of a communicator and the places of the operands that are replicated; none in one process.

    :param comm: a communicator of mpi4py, or its number in Fortran.
    :param replicated: the operands that every process has the whole of.
    :param operands: what they are called, in order.
    """
    names = [replicated] if isinstance(replicated, (str, int)) else list(replicated)
    if comm is None:
        if names:
            raise TypeError("`replicated` is about processes: pass their communicator as `comm`")
        return None
    number = comm.py2f() if hasattr(comm, "py2f") else comm
    if not isinstance(number, int) or isinstance(number, bool):
        found = type(comm).__name__
        raise TypeError(f"expected a communicator such as `mpi4py.MPI.COMM_WORLD` as `comm`, found `{found}`")
    unknown = next((name for name in names if name not in operands), None)
    if unknown is not None:
        raise TypeError(f"no operand is called {unknown!r}, which `replicated` has")
    return number, [operands.index(name) for name in names]
