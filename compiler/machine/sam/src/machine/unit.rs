//! The kinds of units that a machine has, and how long they take.

use crate::graph::{Alu, BlockKind, Function, Operator};
use crate::named::named_enum;

named_enum! {
    pub enum Unit {
        Scanner = "scanner",
        Locator = "locator",
        Repeater = "repeater",
        RepeatSignal = "repeat-signal",
        Joiner = "joiner",
        Array = "array",
        Multiplier = "multiplier",
        Adder = "adder",
        Alu = "alu",
        Reducer = "reducer",
        Accumulator = "accumulator",
        Coordinates = "coordinates",
        Writer = "writer",
        /// Deals tokens out, and puts them together again.
        Splitter = "splitter",
        Fetcher = "fetcher",
    }
}

impl Unit {
    pub fn of(kind: &BlockKind) -> Self {
        match kind {
            BlockKind::Scanner(_) => Self::Scanner,
            BlockKind::Locate(_) => Self::Locator,
            BlockKind::Repeat(_) => Self::Repeater,
            BlockKind::RepeatSignal { .. } => Self::RepeatSignal,
            BlockKind::Join(_) | BlockKind::ToWords(_) | BlockKind::Mask(_) => Self::Joiner,
            BlockKind::Array { .. } => Self::Array,
            BlockKind::Alu(Alu { operator, .. }) => Self::of_operator(*operator),
            BlockKind::Apply(apply) => match apply.function {
                Function::With(operator, _) => Self::of_operator(operator),
                _ => Self::Alu,
            },
            BlockKind::Reduce(_) => Self::Reducer,
            BlockKind::Accumulate(_) => Self::Accumulator,
            BlockKind::Drop { .. } | BlockKind::Hold { .. } => Self::Coordinates,
            BlockKind::WriteLevel(_) | BlockKind::WriteValues(_) => Self::Writer,
            BlockKind::Parallelize(_) | BlockKind::Serialize(_) => Self::Splitter,
            BlockKind::Fetch(_) => Self::Fetcher,
        }
    }

    const fn of_operator(operator: Operator) -> Self {
        match operator {
            Operator::Mul => Self::Multiplier,
            Operator::Add | Operator::Sub => Self::Adder,
            _ => Self::Alu,
        }
    }
}

/// How long a unit takes, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// From when it takes tokens to when its reader sees what comes of them; 1 or more.
    pub latency: u32,
    /// From one step to the next (the initiation interval); 1 or more.
    pub interval: u32,
    /// Before its first step.
    pub startup: u32,
}

impl Timing {
    /// A token a cycle, which is seen in the next one.
    pub const DEFAULT: Self = Self { latency: 1, interval: 1, startup: 0 };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timings([Timing; Unit::ALL.len()]);

impl Timings {
    /// A token a cycle of every unit, as in SAM's own simulator.
    pub const DEFAULT: Self = Self([Timing::DEFAULT; Unit::ALL.len()]);

    pub const fn of(&self, unit: Unit) -> Timing {
        self.0[unit as usize]
    }

    pub(super) fn set(&mut self, unit: Unit, timing: Timing) {
        self.0[unit as usize] = timing;
    }

    pub(crate) fn longest(&self) -> u32 {
        self.0.iter().map(|timing| timing.latency).max().unwrap_or(1)
    }
}

impl Default for Timings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
