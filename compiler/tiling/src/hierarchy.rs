//! A machine of several levels of memory: what each holds, and what it takes, in time and energy, to move
//! bytes into it. Files that describe one are read elsewhere; [`crate::levels`] chooses tiles for it.

use crate::machine::Machine;
use crate::memory::Memory;
use crate::statement::{Access, Statement};

/// Levels of memory between main memory and where products are computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    /// What reports call it; may be empty.
    pub name: String,
    pub value_bytes: u64,
    /// The bytes of a coordinate, and of an entry of a segment array.
    pub word_bytes: u64,
    /// From the one next to main memory to the one next to where products are computed; one at least.
    pub levels: Vec<MemoryLevel>,
    /// Products a second of each unit of the innermost level; without it they take no time.
    pub rate: Option<f64>,
    /// Picojoules of a product.
    pub energy: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MemoryLevel {
    pub name: String,
    /// What tiles must fit in.
    pub room: Room,
    /// Whether values, and the coordinates and segments of each level of a tile, have buffers of that size
    /// each.
    pub is_apart: bool,
    /// How many of it stand side by side, each with these buffers, this rate and its share of the tiles.
    pub count: u64,
    /// Bytes a second that move into each one and out of it again; without it they take no time.
    pub rate: Option<f64>,
    /// Picojoules for a byte that moves into it or out of it.
    pub energy: f64,
}

/// The buffers of a level, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Room {
    /// One for each operand and one for the result, by the names of tensors, and of this size for others.
    Each(Vec<(String, u64)>, Option<u64>),
    Shared(u64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Seconds: levels and products overlap, so that the slowest of them counts.
    pub seconds: f64,
    pub joules: f64,
    pub bound: Bound,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// What moves into the level of that number.
    Level(usize),
    Products,
    Nothing,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRoom {
    #[error("the level `{level}` has no buffer for `{tensor}`")]
    NoBuffer { level: String, tensor: String },
    #[error("the level `{level}` has no room for tiles of one entry")]
    TooSmall { level: String },
}

impl Hierarchy {
    /// One level with a buffer of that size for each operand, as [`Machine::of_buffer`] has it.
    pub fn of_buffer(buffer: u64) -> Self {
        let level = MemoryLevel {
            name: "buffer".to_owned(),
            room: Room::Each(Vec::new(), Some(buffer)),
            is_apart: false,
            count: 1,
            rate: None,
            energy: 0.0,
        };
        let Machine { value_bytes, word_bytes, .. } = Machine::of_buffer(buffer);
        Self { name: String::new(), value_bytes, word_bytes, levels: vec![level], rate: None, energy: 0.0 }
    }

    pub fn takes_time(&self) -> bool {
        self.rate.is_some() || self.levels.iter().any(|level| level.rate.is_some())
    }

    /// Whether moving bytes takes energy. That of products is the same with any tiles.
    pub fn takes_energy(&self) -> bool {
        self.levels.iter().any(|level| level.energy > 0.0)
    }

    /// Its levels as a statement uses them.
    ///
    /// # Errors
    /// A tensor of the statement has no buffer, or buffers have no room for tiles of one entry.
    pub fn memories(&self, statement: &Statement) -> Result<Vec<Memory>, NoRoom> {
        self.levels.iter().map(|level| self.memory(level, statement)).collect()
    }

    fn memory(&self, level: &MemoryLevel, statement: &Statement) -> Result<Memory, NoRoom> {
        let machine = |buffer: u64| Machine {
            buffer,
            value_bytes: self.value_bytes,
            word_bytes: self.word_bytes,
            is_apart: level.is_apart,
            outside: 0,
        };
        let memory = match &level.room {
            Room::Shared(buffer) => Memory::shared(machine(*buffer), statement),
            Room::Each(named, others) => {
                let of = |tensor: &str| {
                    let own = named.iter().find(|(name, _)| name == tensor).map(|(_, buffer)| *buffer);
                    let missing =
                        || NoRoom::NoBuffer { level: level.name.clone(), tensor: tensor.to_owned() };
                    own.or(*others).map(machine).ok_or_else(missing)
                };
                let inputs = statement.accesses.iter().map(|access: &Access| of(&access.name));
                Memory::of_each(inputs.collect::<Result<_, _>>()?, of(&statement.target.name)?)
            }
        };
        match memory.has_room(statement) {
            true => Ok(memory),
            false => Err(NoRoom::TooSmall { level: level.name.clone() }),
        }
    }

    /// What it takes to move so many bytes into each level, the outermost first, and to compute so many
    /// products. Levels that are left out move nothing.
    pub fn cost(&self, bytes: &[f64], products: f64) -> Cost {
        let moved = self.levels.iter().zip(bytes);
        let times = moved.clone().enumerate().filter_map(|(number, (level, bytes))| {
            Some((Bound::Level(number), bytes / (level.rate? * level.count as f64)))
        });
        let units = self.levels.last().map_or(1, |level| level.count) as f64;
        let computed = self.rate.map(|rate| (Bound::Products, products / (rate * units)));
        let slowest = times.chain(computed).max_by(|(_, one), (_, other)| one.total_cmp(other));
        let (bound, seconds) = slowest.unwrap_or((Bound::Nothing, 0.0));
        let picojoules: f64 = moved.map(|(level, bytes)| bytes * level.energy).sum();
        Cost { seconds, joules: (picojoules + products * self.energy) * 1e-12, bound }
    }
}
