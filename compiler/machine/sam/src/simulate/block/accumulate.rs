//! The reducer that keeps points: a vector, a matrix, and so on.

mod emit;
mod fibers;
mod points;
mod sums;

pub(super) use fibers::FiberAccumulator;
pub(super) use points::PointAccumulator;
