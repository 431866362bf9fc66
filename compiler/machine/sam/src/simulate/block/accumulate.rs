//! The reducer that keeps points: a vector, a matrix, and so on.

mod emit;
mod fibers;
mod points;
mod sums;

use super::Behaviour;
use crate::graph::{Accumulate, CoordinateForm};

pub(super) fn start(accumulate: &Accumulate) -> Box<dyn Behaviour> {
    match accumulate.form {
        CoordinateForm::Levels => Box::new(fibers::FiberAccumulator::new(accumulate)),
        CoordinateForm::Points => Box::new(points::PointAccumulator::new(accumulate)),
    }
}
