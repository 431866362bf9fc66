//! Deterministic generators of sparse matrices and tensors.
