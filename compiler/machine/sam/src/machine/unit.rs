//! The kinds of units that a machine has, and how long they take.

use crate::graph::{Alu, Function, Kind, Operator};

/// A kind of unit. Each block of a graph takes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Scans the fibers of a level.
    Scanner,
    /// Looks for coordinates in a level.
    Locator,
    /// Repeats references.
    Repeater,
    /// Makes signals for repeaters.
    RepeatSignal,
    /// Intersects or unites coordinates.
    Joiner,
    /// Loads values.
    Array,
    /// Multiplies.
    Multiplier,
    /// Adds and subtracts.
    Adder,
    /// Computes anything else.
    Alu,
    /// Reduces a fiber to a value.
    Reducer,
    /// Reduces fibers, which it keeps in memory.
    Accumulator,
    /// Drops or holds coordinates.
    Coordinates,
    /// Writes a level or values.
    Writer,
    /// Deals tokens out, and puts them together again.
    Splitter,
    /// Brings tiles.
    Fetcher,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Scanner,
        Self::Locator,
        Self::Repeater,
        Self::RepeatSignal,
        Self::Joiner,
        Self::Array,
        Self::Multiplier,
        Self::Adder,
        Self::Alu,
        Self::Reducer,
        Self::Accumulator,
        Self::Coordinates,
        Self::Writer,
        Self::Splitter,
        Self::Fetcher,
    ];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scanner => "scanner",
            Self::Locator => "locator",
            Self::Repeater => "repeater",
            Self::RepeatSignal => "repeat-signal",
            Self::Joiner => "joiner",
            Self::Array => "array",
            Self::Multiplier => "multiplier",
            Self::Adder => "adder",
            Self::Alu => "alu",
            Self::Reducer => "reducer",
            Self::Accumulator => "accumulator",
            Self::Coordinates => "coordinates",
            Self::Writer => "writer",
            Self::Splitter => "splitter",
            Self::Fetcher => "fetcher",
        }
    }

    /// The unit that a block takes.
    pub const fn of(kind: &Kind) -> Self {
        match kind {
            Kind::Scanner(_) => Self::Scanner,
            Kind::Locate(_) => Self::Locator,
            Kind::Repeat(_) => Self::Repeater,
            Kind::RepeatSignal { .. } => Self::RepeatSignal,
            Kind::Join(_) | Kind::ToWords(_) | Kind::Mask(_) => Self::Joiner,
            Kind::Array { .. } => Self::Array,
            Kind::Alu(Alu { operator, .. }) => Self::of_operator(*operator),
            Kind::Apply(apply) => match apply.function {
                Function::With(operator, _) => Self::of_operator(operator),
                _ => Self::Alu,
            },
            Kind::Reduce(_) => Self::Reducer,
            Kind::Accumulate(_) => Self::Accumulator,
            Kind::Drop { .. } | Kind::Hold { .. } => Self::Coordinates,
            Kind::WriteLevel(_) | Kind::WriteValues(_) => Self::Writer,
            Kind::Parallelize(_) | Kind::Serialize(_) => Self::Splitter,
            Kind::Fetch(_) => Self::Fetcher,
        }
    }

    const fn of_operator(operator: Operator) -> Self {
        match operator {
            Operator::Multiply => Self::Multiplier,
            Operator::Add | Operator::Subtract => Self::Adder,
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

/// How long each kind of unit takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timings([Timing; Unit::ALL.len()]);

impl Timings {
    /// A token a cycle of every unit, as in SAM's own simulator.
    pub const DEFAULT: Self = Self([Timing::DEFAULT; Unit::ALL.len()]);

    /// How long a kind of unit takes.
    pub const fn of(&self, unit: Unit) -> Timing {
        self.0[unit as usize]
    }

    /// States how long a kind of unit takes.
    pub(super) fn set(&mut self, unit: Unit, timing: Timing) {
        self.0[unit as usize] = timing;
    }

    /// The longest latency.
    pub(crate) fn longest(&self) -> u32 {
        self.0.iter().map(|timing| timing.latency).max().unwrap_or(1)
    }
}

impl Default for Timings {
    fn default() -> Self {
        Self::DEFAULT
    }
}
