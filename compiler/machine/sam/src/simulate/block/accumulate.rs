//! The reducer that keeps points: a vector, a matrix, and so on.

mod emit;
mod fibers;
mod points;
mod sums;

use super::Behaviour;
use crate::graph::{Accumulate, Form};

/// A reducer at its start.
pub(super) fn start(accumulate: &Accumulate) -> Box<dyn Behaviour> {
    match accumulate.form {
        Form::Levels => Box::new(fibers::Fibers::new(accumulate)),
        Form::Points => Box::new(points::Points::new(accumulate)),
    }
}
