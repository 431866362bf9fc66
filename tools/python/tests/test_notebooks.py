"""The notebooks, as scripts: their last cells check what they have computed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    subprocess.run([sys.executable, str(path)], check=True, timeout=60, stdout=subprocess.DEVNULL)
