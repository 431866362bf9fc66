//! One level of memory as a statement uses it: what the tiles of each operand must fit in, together or each
//! for itself, and the tiles of the levels around it. The search asks it what fits, the counter what moves.

use crate::machine::{Footprint, Machine};
use crate::nested::Around;
use crate::statement::{Access, Pattern, Statement, Tiles};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The buffer of each access; all of a shared one.
    pub(crate) inputs: Vec<Machine>,
    pub(crate) result: Machine,
    /// Whether tiles of all accesses are in one buffer.
    is_shared: bool,
    /// The tiles of the levels around.
    pub(crate) around: Around,
}

impl Memory {
    /// A buffer for each access, and one for the result, of the same size.
    pub fn of(machine: Machine, statement: &Statement) -> Self {
        Self::of_each(vec![machine; statement.accesses.len()], machine)
    }

    /// A buffer for each access, and one for the result.
    pub fn of_each(inputs: Vec<Machine>, result: Machine) -> Self {
        Self { inputs, result, is_shared: false, around: Around::default() }
    }

    /// One buffer for all: the result has an equal part of it, and tiles of all accesses together take the
    /// rest.
    pub fn shared(machine: Machine, statement: &Statement) -> Self {
        let count = statement.accesses.len() as u64;
        let part = machine.buffer / (count + 1);
        let rest = Machine { buffer: machine.buffer - part, ..machine };
        let inputs = vec![rest; statement.accesses.len()];
        Self { is_shared: true, ..Self::of_each(inputs, Machine { buffer: part, ..machine }) }
    }

    /// The same level inside of tiles of the levels around, for the statement that [`Around`] makes.
    #[must_use]
    pub(crate) fn inside(mut self, around: Around, statement: &Statement) -> Self {
        for (own, access) in self.inputs.iter_mut().zip(&statement.accesses) {
            own.outside = around.outside(&access.indices) as u64;
        }
        Self { around, ..self }
    }

    /// With buffers for operands that are so many times as large.
    #[must_use]
    pub(crate) fn times(mut self, factor: f64) -> Self {
        self.inputs.iter_mut().for_each(|own| own.buffer = (own.buffer as f64 * factor) as u64);
        self
    }

    /// With an equal part of a shared buffer for each access.
    #[must_use]
    pub(crate) fn divided(mut self) -> Self {
        let count = self.inputs.len() as u64;
        if self.is_shared {
            self.inputs.iter_mut().for_each(|own| own.buffer /= count);
        }
        Self { is_shared: false, ..self }
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// How much of the buffers tiles take, if those of each access take so much: at most 1 if all fit.
    pub(crate) fn together(&self, shares: impl Iterator<Item = f64>) -> f64 {
        if self.is_shared { shares.sum() } else { shares.fold(0.0, f64::max) }
    }

    /// Whether there is room for tiles of one entry of all accesses. A result passes in parts, however small
    /// its buffer is.
    pub fn has_room(&self, statement: &Statement) -> bool {
        let share = |(access, machine): (&Access, &Machine)| {
            machine.share(Footprint::filled(&vec![1; access.indices.len().max(1)]))
        };
        self.together(statement.accesses.iter().zip(&self.inputs).map(share)) <= 1.0
    }

    /// Whether all tiles of the statement fit however they are filled.
    pub(crate) fn is_sure(&self, statement: &Statement, tiles: &Tiles) -> bool {
        let share = |(access, machine): (&Access, &Machine)| {
            let sizes = tiles.of_all(&access.indices);
            machine.share(match access.pattern {
                Pattern::Dense => Footprint::full(&sizes),
                Pattern::Points(_) => Footprint::filled(&sizes),
            })
        };
        self.together(statement.accesses.iter().zip(&self.inputs).map(share)) <= 1.0
    }

    /// The side of the largest cube of so many modes, inside of the tiles around, that fits for sure in the
    /// buffer of an access, or in its part of a shared one.
    pub(crate) fn side(&self, access: usize, rank: usize) -> u64 {
        let own = self.inputs[access];
        let buffer = if self.is_shared { own.buffer / self.inputs.len() as u64 } else { own.buffer };
        Machine { buffer, outside: 0, ..own }.conservative(rank)
    }
}
