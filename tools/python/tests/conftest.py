"""What all tests have: a folder of their own for compiled code, so that they compile what they test."""

from __future__ import annotations

import os
import tempfile

_FOLDER = tempfile.mkdtemp(prefix="comet-python-tests-")
os.environ.setdefault("COMET_CACHE_DIR", _FOLDER)
