"""What notebooks show: pictures of tensors, kernels with their loops, and the cell magic `%%comet`."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._kernel import Kernel


class Picture:
    """A drawing that notebooks show; `svg` is its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<picture, {len(self.svg)} bytes of SVG>"


_CELLS = 64
"""The most cells in a row of a picture."""


def spy(tensor: Any) -> Picture:
    """Draw where the entries of a sparse matrix are; a cell is darker the more are in it.

    >>> import scipy.sparse as sp, comet_sparse as ct
    >>> ct.spy(sp.eye_array(1000, format="csr")).svg.startswith("<svg")
    True

    Of a tensor of higher rank, the first two modes are drawn.
    """
    rows, columns, shape = _coordinates(tensor)
    height, width = (max(1, min(_CELLS, extent)) for extent in shape)
    grid = np.zeros((height, width), dtype=np.int64)
    if len(rows):
        np.add.at(grid, (rows * height // shape[0], columns * width // shape[1]), 1)
    side = 4 if max(height, width) > 16 else 12
    most = max(1, int(grid.max()))
    cells = [
        f'<rect x="{x * side}" y="{y * side}" width="{side}" height="{side}" fill-opacity="{0.25 + 0.75 * grid[y, x] / most:.2f}"/>'
        for y, x in zip(*np.nonzero(grid))
    ]
    frame = f'<rect width="{width * side}" height="{height * side}" fill="none" stroke="#888"/>'
    size = f'width="{width * side}" height="{height * side}"'
    return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" {size} fill="#1f5fa8">{"".join(cells)}{frame}</svg>')


def _coordinates(tensor: Any) -> tuple[np.ndarray, np.ndarray, tuple[int, int]]:
    if isinstance(tensor, np.ndarray):
        found = np.nonzero(tensor)
    elif hasattr(tensor, "to_coo"):
        found = tensor.to_coo()[1]
    else:
        coo = tensor.tocoo()
        found = coo.coords if hasattr(coo, "coords") else (coo.row, coo.col)
    shape = tuple(tensor.shape)
    if len(shape) == 1:
        return np.zeros(len(found[0]), dtype=np.int64), np.asarray(found[0], dtype=np.int64), (1, shape[0])
    return np.asarray(found[0], dtype=np.int64), np.asarray(found[1], dtype=np.int64), (shape[0], shape[1])


def tensor_html(tensor: Any) -> str:
    """A tensor as a notebook shows it: what it is, and where its entries are."""
    rows = [
        ("format", tensor.format),
        ("shape", " × ".join(str(extent) for extent in tensor.shape)),
        ("dtype", str(tensor.dtype)),
        ("entries", f"{tensor.nnz:,}"),
        ("bytes", f"{tensor.nbytes:,}"),
    ]
    cells = "".join(f"<tr><th>{name}</th><td>{html.escape(str(value))}</td></tr>" for name, value in rows)
    picture = spy(tensor).svg if tensor.ndim > 0 else ""
    return f"<table><tr><td><table>{cells}</table></td><td>{picture}</td></tr></table>"


def kernel_html(kernel: "Kernel") -> str:
    """A kernel as a notebook shows it: its program, its loops, and what was decided."""
    remarks = "".join(
        f"<li>{html.escape(record['message'])}</li>" for record in kernel.explain() if record["kind"] == "decision"
    )
    parts = [
        f"<pre>{html.escape(kernel.stages['source'])}</pre>",
        _folded("what was decided", f"<ul>{remarks}</ul>"),
        _folded("loops", f"<pre>{html.escape(kernel.stages['cin'])}</pre>"),
    ]
    try:
        parts.append(_folded("dataflow graph", kernel.graph()))
    except Exception:  # noqa: BLE001  (a graph that cannot be drawn, or no Graphviz: the rest is shown)
        pass
    return "".join(parts)


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>{content}</details>"


def load_ipython_extension(shell: Any) -> None:
    """Add the cell magic `%%comet`: `%load_ext comet_sparse`.

    A cell that begins with ``%%comet`` is a file of the language, whose functions are then names of the
    notebook.
    """

    def comet(line: str, cell: str) -> None:
        import tempfile
        from pathlib import Path

        from ._files import load

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cell.ta"
            path.write_text(cell, encoding="utf-8")
            module = load(path)
        names = {name: value for name, value in vars(module).items() if not name.startswith("_")}
        shell.push(names)

    shell.register_magic_function(comet, magic_kind="cell", magic_name="comet")
