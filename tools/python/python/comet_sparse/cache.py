"""Code of kernels that were compiled before, in the folder that `comet` uses, too."""

from __future__ import annotations

from . import _comet


def info() -> dict[str, object]:
    """Return the folder (``path``), the number of kernels in it (``entries``) and their size in ``bytes``.

    >>> import comet_sparse as ct
    >>> sorted(ct.cache.info())
    ['bytes', 'entries', 'path']

    The folder is ``COMET_CACHE_DIR``, or ``comet`` in ``XDG_CACHE_HOME``, or ``.cache/comet`` in the home folder.
    ``path`` is ``None`` where none of them is set.
    """
    path, entries, size = _comet.cache_info()
    return {"path": path, "entries": entries, "bytes": size}


def clear() -> None:
    """Remove all of them."""
    _comet.cache_clear()
