"""Marks tests of what does not hold yet: they have to fail, so that none is forgotten when it is mended."""

from __future__ import annotations

import pytest


def known(reason: str) -> pytest.MarkDecorator:
    """A test that fails for that reason."""
    return pytest.mark.xfail(strict=True, reason=reason)
