//! `--machine`: the file that describes what graphs run on, and the flags that say otherwise.

use crate::arguments::SimArguments;
use crate::failure::Result;
use crate::machine;
use comet_sam::machine::DataflowMachine;
use comet_sam::simulate::{EmptyCoordinates, SimulationOptions};

pub(super) fn read(arguments: &SimArguments) -> Result<Option<DataflowMachine>> {
    let Some(path) = &arguments.machine else { return Ok(None) };
    const HINT: &str = "`compiler/machine/sam/README.md`, \"Machines\", has all keys with their units";
    machine::read(path, HINT, DataflowMachine::read).map(Some)
}

/// How graphs run: as the machine has it, where no flag says otherwise.
pub(super) fn options(arguments: &SimArguments, machine: Option<&DataflowMachine>) -> SimulationOptions {
    let empty_coordinates =
        if arguments.phantom_coordinates { EmptyCoordinates::Kept } else { EmptyCoordinates::Dropped };
    let SimArguments { queue_depth, skip_depth, memory, .. } = *arguments;
    SimulationOptions {
        queue_depth: queue_depth.or(machine.and_then(|machine| machine.queue_depth)),
        skip_depth: skip_depth.or(machine.and_then(|machine| machine.skip_depth)),
        empty_coordinates,
        memory: memory.or(machine.and_then(|machine| machine.memory)),
        timings: machine.map(|machine| machine.timings).unwrap_or_default(),
    }
}
