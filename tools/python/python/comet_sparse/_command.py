"""The command `comet` in processes of their own: what measures and simulates sets options of a process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import _comet
from ._errors import failure, warn

LIBRARY = Path(_comet.__file__)
COMMAND = [sys.executable, "-m", "comet_sparse"]

_INTERNAL = 2
"""The exit code of mistakes of comet; 1 is that of the user's."""


def output(arguments: Sequence[str]) -> str:
    """Run the command; return what it prints.

    Its warnings are Python's, and its errors those that a compilation in this process would raise.
    """
    command, *rest = arguments
    done = subprocess.run(
        [*COMMAND, command, "--message-format=json", *rest], capture_output=True, encoding="utf-8", check=False
    )
    records, others = _messages(done.stderr)
    if done.returncode == 0:
        for record in records:
            if record["severity"] == "warning":
                warn(_rendered(record, ""), UserWarning)
        return done.stdout
    placed = next((record for record in records if record["severity"] == "error" and record["line"]), None)
    text = "" if placed is None else _text(placed["file"], rest)
    parts = [_rendered(record, text if record is placed else "") for record in records if record["code"] != "report"]
    rendered = "\n".join([*parts, *others]) or f"`comet {command}` has ended with the code {done.returncode}"
    raise failure(records, text, rendered, is_internal=done.returncode == _INTERNAL)


def _messages(stderr: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The records of messages, and other lines."""
    records, others = [], []
    for line in stderr.splitlines():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            record = None
        if isinstance(record, dict) and "severity" in record:
            records.append(record)
        elif line.strip():
            others.append(line)
    return records, others


def _text(file: str | None, flags: Sequence[str]) -> str:
    """The text that places are in: a file, or the commands of a schedule."""
    stated = next((flag.split("=", 1)[1] for flag in flags if file and flag.startswith(f"{file}=")), None)
    if stated is not None:
        return stated
    path = Path(file or "")
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _rendered(record: dict[str, Any], text: str) -> str:
    """A message as a person reads it, with its line of the text."""
    lines = [record["message"] if record["severity"] == "warning" else f"{record['severity']}: {record['message']}"]
    if record["line"]:
        lines.append(f" --> {record['file']}:{record['line']}:{record['column']}")
        lines += [f"  | {shown}" for shown in text.splitlines()[record["line"] - 1 : record["line"]]]
    lines += [f"  = {label['text']}: line {label['line']}" for label in record["labels"] if label["text"]]
    lines += [f"  = help: {record['hint']}"] if record["hint"] else []
    return "\n".join(lines)


def main() -> None:
    """Run the command line, and end this process with its exit code."""
    sys.exit(_comet.main(["comet", *sys.argv[1:]]))
