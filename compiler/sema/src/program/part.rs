//! Parts of tensors, which have tensors of their own.

use super::{ScalarId, TensorId};

/// A part of a tensor, and the tensor that holds it while a statement runs. The modes of the latter are those
/// of the whole tensor in their order, without those at one coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorPart {
    pub whole: TensorId,
    pub part: TensorId,
    /// One for each mode of the whole tensor.
    pub modes: Vec<PartMode>,
}

/// Which coordinates of a mode belong to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartMode {
    /// One, and the part does not have the mode.
    At(Coordinate),
    /// As many as the part has, each `step` after the last one.
    Window { from: u64, step: u64 },
    /// The part has coordinate c + `by` at c, where there is one.
    Shift { by: i64 },
}

impl PartMode {
    /// The whole mode.
    pub const ALL: Self = Self::Window { from: 0, step: 1 };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinate {
    Number(u64),
    Scalar(ScalarId),
}
