"""PyTorch's tensors as operands. Skipped without PyTorch, which is too large for every run of the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct

torch = pytest.importorskip("torch")

DENSE = sp.random_array((50, 40), density=0.1, rng=0).toarray()
VECTOR = np.arange(40.0)


@pytest.mark.parametrize(
    "convert",
    [
        lambda tensor: tensor,
        lambda tensor: tensor.T.contiguous().T,
        lambda tensor: tensor.clone().requires_grad_(),
        lambda tensor: tensor.to_sparse_csr(),
        lambda tensor: tensor.to_sparse_csc(),
        lambda tensor: tensor.to_sparse_coo(),
        lambda tensor: tensor.to_sparse_bsr((5, 4)),
    ],
    ids=["dense", "transposed", "requires_grad", "csr", "csc", "coo", "bsr"],
)
def test_layouts(convert: Callable[[Any], Any]) -> None:
    operand = convert(torch.from_numpy(DENSE))
    np.testing.assert_allclose(ct.einsum("ij,j->i", operand, torch.from_numpy(VECTOR)), DENSE @ VECTOR)


def test_values_that_are_conjugated_when_they_are_read() -> None:
    values = torch.from_numpy(DENSE + 1j * DENSE.T[:1, :1]).conj()
    np.testing.assert_allclose(ct.einsum("ij,j->i", values, VECTOR), values.resolve_conj().numpy() @ VECTOR)


def test_copies_are_warned_of_and_can_be_refused() -> None:
    """Coordinates that are not coalesced, and values that are conjugated only when they are read."""
    coordinates = torch.tensor([[0, 0, 1], [1, 1, 0]])
    uncoalesced = torch.sparse_coo_tensor(coordinates, torch.tensor([1.0, 2.0, 4.0]), (2, 2))
    for operand in (uncoalesced, torch.tensor([[1j, 2], [3, 4]]).conj()):
        with pytest.warns(ct.CopyWarning) as caught:
            ct.einsum("ij->i", operand)
        assert caught[0].filename == __file__
        with pytest.raises(ct.FormatError, match="`copy=False`"):
            ct.einsum("ij->i", operand, copy=False)
    assert ct.einsum("ij->i", uncoalesced.coalesce(), copy=False).tolist() == [3, 4]


def test_what_is_refused() -> None:
    tensor = torch.from_numpy(DENSE)
    with pytest.raises(ct.FormatError, match="bfloat16"):
        ct.einsum("ij,j->i", tensor.bfloat16(), VECTOR)
    with pytest.raises(ct.FormatError, match="sparse_bsc"):
        ct.einsum("ij,j->i", tensor.to_sparse_bsc((5, 4)), VECTOR)
    with pytest.raises(ct.FormatError, match="meta"):
        ct.einsum("ij,j->i", tensor.to("meta"), VECTOR)
    with pytest.raises(ct.FormatError, match=r"torch\.Tensor"):
        ct.einsum("ij,j->i", tensor, VECTOR, out=torch.zeros(50))
