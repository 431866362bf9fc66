//! A machine that graphs run on, as a file describes it: how long its units take, what they cost in energy
//! and area, how many there are, its queues and its memory. Without a file every unit takes a token a cycle,
//! and nothing costs anything.

mod costs;
mod file;
mod levels;
pub mod quantity;
mod unit;

pub use costs::{CostReport, Costs, Fit, UnitCosts};
pub use file::MachineError;
pub use levels::{PRESET_NAMES, hierarchy, preset};
pub use unit::{Timing, Timings, Unit};

use crate::simulate::MemoryModel;
use std::num::NonZeroUsize;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataflowMachine {
    pub timings: Timings,
    /// How many tokens wait in a queue before its writer does; any number without it.
    pub queue_depth: Option<NonZeroUsize>,
    /// The same of queues behind scanners that skip.
    pub skip_depth: Option<NonZeroUsize>,
    /// The memory that tensors come from. Without one everything is there in a cycle.
    pub memory: Option<MemoryModel>,
    pub costs: Costs,
}
