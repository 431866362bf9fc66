"""`Tensor`: what SciPy and NumPy have no class for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._comet import TensorBase


class Tensor(TensorBase):
    """A tensor in any format of the language, whose arrays are NumPy's.

    Made by `tensor`, and by expressions whose result SciPy has no class for.
    """

    @classmethod
    def _of(cls, base: TensorBase) -> "Tensor":
        return cls(base.format, base.shape, base.levels, base.values)
