"""Operands of other packages."""

from __future__ import annotations

from typing import Any

import numpy as np


def converted(operand: Any, allowed: bool) -> Any:
    if isinstance(operand, (bool, int, float, complex, np.generic)):
        return np.asarray(operand)
    return operand
