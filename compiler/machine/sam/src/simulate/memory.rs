//! The finite memory of sam.txt section 6.4: tiles come from DRAM to a last-level buffer, and from there to
//! the buffers of the processing element, of which each operand has some. Tiles are read ahead while others
//! are worked on.

mod stored;

pub(super) use stored::{INDEX, Stored, StoredTiles, value_bytes};

use super::fault::SimulationFault;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryModel {
    /// Bytes a cycle between DRAM and the chip.
    pub dram: f64,
    /// Bytes that the last-level buffer holds; 0: it keeps nothing, and all tiles come from DRAM.
    pub last_level: u64,
    /// Bytes a cycle from the last-level buffer to those of the processing element.
    pub on_chip: f64,
    /// Bytes that a buffer of the processing element holds: a tile of an operand, or of the result.
    pub element: u64,
    /// How many of them each operand has: one that is worked on, and others that are read ahead.
    pub buffers: usize,
    /// How DRAM is made, if more is known of it than its rate.
    pub pages: Option<Pages>,
}

/// Banks of DRAM with rows that are opened before they are read. What moves in one piece begins a row of its
/// own, and its rows are in different banks, in turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pages {
    pub row: u64,
    pub burst: u64,
    /// How many rows can be open, and be opened while others move.
    pub banks: u32,
    /// Cycles to close a row, to open another one, and to the first of its bytes.
    pub open: f64,
    /// Cycles from when a bank opens a row to when it can open another one.
    pub cycle: f64,
}

impl Pages {
    /// The cycles that a piece takes: whole bursts move, and where rows move faster than banks open others,
    /// the rows of all banks take the time of one to be opened anew.
    fn time(&self, bytes: u64, rate: f64) -> f64 {
        let rows = bytes.div_ceil(self.row.max(1));
        let moved = bytes.div_ceil(self.burst.max(1)) * self.burst.max(1);
        (moved as f64 / rate).max(rows.saturating_sub(1) as f64 * self.cycle / f64::from(self.banks))
    }
}

impl Default for MemoryModel {
    /// The paper's at 1 GHz: 68.256 GB/s from DRAM, 17 MB. It does not state the rest: 2 TB/s on the chip and
    /// 64 KiB for each operand are those of ExTensor (Hegde et al., MICRO 2019); as two buffers they overlap
    /// transfers with work.
    fn default() -> Self {
        Self {
            dram: 68.256,
            last_level: 17_000_000,
            on_chip: 2048.0,
            element: 32_768,
            buffers: 2,
            pages: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryReport {
    /// Bytes of operands that came from DRAM.
    pub dram_read: u64,
    pub dram_written: u64,
    pub from_dram: u64,
    pub from_last_level: u64,
    /// References that led to tiles which the iteration of the loops over tiles had fetched already.
    pub kept: u64,
    pub dram_busy: u64,
}

impl MemoryModel {
    /// Whether anything can move, and be worked on while it does.
    pub(crate) fn check(&self) -> Result<(), SimulationFault> {
        let is_rate = |rate: f64| rate > 0.0 && rate.is_finite() && rate >= SLOWEST;
        match (is_rate(self.dram) && is_rate(self.on_chip), self.buffers) {
            (true, 2..) => Ok(()),
            (true, buffers) => Err(SimulationFault::of_options(format!(
                "found {buffers} buffers, expected 2 or more: one to work on, others to read ahead"
            ))),
            (false, _) => Err(SimulationFault::of_options(format!(
                "memories move {} and {} bytes a cycle, expected a rate of {SLOWEST} or more",
                self.dram, self.on_chip
            ))),
        }
    }
}

/// The fewest bytes a cycle: cycles are counted in whole numbers.
const SLOWEST: f64 = 1e-6;

/// A part of an operand: what is below a position of the level around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tile {
    pub(super) operand: u32,
    pub(super) level: usize,
    pub(super) position: u64,
}

#[derive(Debug)]
pub(super) struct MemoryState {
    pub(super) memory: MemoryModel,
    pub(super) report: MemoryReport,
    /// From when on DRAM and the wires on the chip have nothing to do.
    dram_free: f64,
    chip_free: f64,
    dram_busy: f64,
    held: LastLevel,
    names: BTreeMap<String, u32>,
}

impl MemoryState {
    pub(super) fn new(memory: MemoryModel) -> Self {
        let held = LastLevel { size: memory.last_level, room: memory.last_level, ..LastLevel::default() };
        let report = MemoryReport::default();
        Self { memory, report, dram_free: 0.0, chip_free: 0.0, dram_busy: 0.0, held, names: BTreeMap::new() }
    }

    pub(super) fn operand(&mut self, tensor: &str) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(tensor.to_owned()).or_insert(next)
    }

    pub(super) fn load(&mut self, cycle: u64, tile: Tile, bytes: u64) -> u64 {
        let mut there = cycle as f64;
        if self.held.touch(tile) {
            self.report.from_last_level += 1;
        } else {
            self.report.from_dram += 1;
            self.report.dram_read += bytes;
            there = self.dram(there, bytes);
            self.held.add(tile, bytes);
        }
        self.chip_free = self.chip_free.max(there) + bytes as f64 / self.memory.on_chip;
        self.chip_free.ceil() as u64
    }

    /// What is on the chip from the start is read once. Nobody waits for it, but tiles come behind it.
    pub(super) fn load_all(&mut self, bytes: u64) {
        self.report.dram_read += bytes;
        self.dram(0.0, bytes);
    }

    /// The result goes to DRAM behind all that has been loaded, as if it were there by then; only the end
    /// waits for it.
    pub(super) fn store(&mut self, bytes: u64) {
        self.write(0, bytes);
    }

    /// Part of the result goes to DRAM in this cycle, or behind what is on its way then. Only the end waits
    /// for it.
    pub(super) fn write(&mut self, cycle: u64, bytes: u64) {
        self.report.dram_written += bytes;
        self.dram(cycle as f64, bytes);
    }

    /// Moves bytes as soon as DRAM can; the result is when it has.
    fn dram(&mut self, from: f64, bytes: u64) -> f64 {
        let pages = self.memory.pages;
        let time = pages.map_or(bytes as f64 / self.memory.dram, |pages| pages.time(bytes, self.memory.dram));
        self.dram_free = self.dram_free.max(from) + time;
        self.dram_busy += time;
        // A row is opened while what came before still moves.
        self.dram_free + pages.map_or(0.0, |pages| pages.open)
    }

    pub(super) fn report(&self) -> MemoryReport {
        MemoryReport { dram_busy: self.dram_busy.round() as u64, ..self.report }
    }

    pub(super) fn end(&self) -> u64 {
        (self.dram_free + self.memory.pages.map_or(0.0, |pages| pages.open)).ceil() as u64
    }
}

/// The tiles in the last-level buffer. Of those that do not fit any more, the one goes first that was used
/// the longest time ago.
#[derive(Debug, Default)]
struct LastLevel {
    size: u64,
    room: u64,
    /// For each tile its bytes and when it was used.
    tiles: HashMap<Tile, (u64, u64)>,
    /// The tiles by the time of their use.
    used: BTreeMap<u64, Tile>,
    time: u64,
}

impl LastLevel {
    /// Uses a tile. `false`: it is not there.
    fn touch(&mut self, tile: Tile) -> bool {
        let Some((_, used)) = self.tiles.get_mut(&tile) else { return false };
        self.time += 1;
        self.used.remove(&std::mem::replace(used, self.time));
        self.used.insert(self.time, tile);
        true
    }

    /// Makes room for a tile. One that is larger than all of the buffer passes through.
    fn add(&mut self, tile: Tile, bytes: u64) {
        if bytes > self.size {
            return;
        }
        while self.room < bytes {
            let (_, oldest) = self.used.pop_first().expect("what is held takes the room that is missing");
            self.room += self.tiles.remove(&oldest).map_or(0, |(bytes, _)| bytes);
        }
        self.room -= bytes;
        self.time += 1;
        self.tiles.insert(tile, (bytes, self.time));
        self.used.insert(self.time, tile);
    }
}

/// What is known of the statement that a graph in tiles computes, beside its tensors. Where nothing is known,
/// levels say which tensors are dense, and all tiles are full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untiled {
    /// The tensors that store all of their elements. Where the last tile may not be full, a level inside of
    /// tiles is compressed all the same.
    pub dense: BTreeSet<String>,
    /// Tensors that are part of the result: graphs before have computed them.
    pub sums: BTreeSet<String>,
    /// For index variables inside of tiles, what they are parts of.
    pub cuts: BTreeMap<String, Cut>,
}

/// An index variable that is cut into tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub over_tiles: String,
    /// How many coordinates all tiles have in sum.
    pub extent: usize,
}
