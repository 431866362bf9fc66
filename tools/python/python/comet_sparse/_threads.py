"""How many threads kernels run on."""

from __future__ import annotations

import operator
from typing import Any

from . import _comet
from ._command import LIBRARY


def set_num_threads(threads: int) -> None:
    """Run kernels on at most that many threads from now on, the calling one among them.

    >>> import comet_sparse as ct
    >>> before = ct.get_num_threads()
    >>> ct.set_num_threads(1)
    >>> ct.get_num_threads()
    1
    >>> ct.set_num_threads(before)

    The number is all cores at first, or that of the variable ``COMET_NUM_THREADS``. After the first kernel it
    can be lowered, and raised to what it was then. `register_threadpoolctl` makes `threadpoolctl` set it, too.

    :raises ValueError: a number of threads that cannot be had.
    """
    threads = operator.index(threads)
    if threads < 1:
        raise ValueError(f"expected at least 1 thread, found {threads}")
    _comet.set_num_threads(threads)


def get_num_threads() -> int:
    """Return the number of threads that kernels run on."""
    return _comet.get_num_threads()


def register_threadpoolctl() -> None:
    """Make the threads known to `threadpoolctl`, where it has been imported; `threadpool_info` then lists them."""
    import sys

    threadpoolctl: Any = sys.modules.get("threadpoolctl")
    if threadpoolctl is None:
        raise ImportError("import `threadpoolctl` first")

    class CometController(threadpoolctl.LibController):  # type: ignore[misc]
        """The library of this package among those that are loaded."""

        user_api = "comet"
        internal_api = "comet"
        filename_prefixes = (LIBRARY.name.split(".")[0],)

        def get_num_threads(self) -> int:
            return get_num_threads()

        def set_num_threads(self, num_threads: int) -> None:
            set_num_threads(num_threads)

        def get_version(self) -> str:
            return _comet.version()

        def set_additional_attributes(self) -> None:
            pass

    threadpoolctl.register(CometController)
