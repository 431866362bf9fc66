"""The command `comet` in processes of their own: what measures and simulates sets options of a process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from . import _comet
from ._errors import CometError

LIBRARY = Path(_comet.__file__)
COMMAND = [sys.executable, "-m", "comet_sparse"]


def output(arguments: Sequence[str]) -> str:
    """What the command prints.

    :raises CometError: what it writes to standard error, where it fails.
    """
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CometError(done.stderr.strip() or f"`comet {arguments[0]}` has ended with the code {done.returncode}")
    return done.stdout


def main() -> None:
    """Run the command line, and end this process with its exit code."""
    sys.exit(_comet.main(["comet", *sys.argv[1:]]))
