"""How many threads kernels run on."""

from __future__ import annotations

from . import _comet


def set_num_threads(threads: int) -> None:
    """Run kernels on at most that many threads from now on, the calling one among them.

    >>> import comet_sparse as ct
    >>> before = ct.get_num_threads()
    >>> ct.set_num_threads(1)
    >>> ct.get_num_threads()
    1
    >>> ct.set_num_threads(before)

    The number is all cores at first, or that of the variable ``COMET_NUM_THREADS``.
    """
    if threads < 1:
        raise ValueError(f"expected at least 1 thread, found {threads}")
    _comet.set_num_threads(threads)


def get_num_threads() -> int:
    """Return the number of threads that kernels run on."""
    return _comet.get_num_threads()
