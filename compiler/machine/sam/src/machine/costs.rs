//! What a run costs: operations, bytes, energy, area, and whether the units of a machine are enough.

use super::Unit;
use crate::graph::{BlockKind, Graph, GraphBlock, StreamKind};
use crate::simulate::RunReport;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// What reports call the machine; may be empty.
    pub machine: String,
    pub clock: f64,
    /// Of each kind of unit: picojoules for each cycle in which it is busy, square micrometres, and how many
    /// there are, if that is stated.
    pub units: BTreeMap<Unit, UnitCosts>,
    /// Picojoules for a byte between DRAM and the chip.
    pub dram_byte: f64,
    /// Picojoules for a byte that a scanner, an array or a writer moves on the chip.
    pub on_chip_byte: f64,
    /// Milliwatts that the machine takes all the time.
    pub static_power: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnitCosts {
    pub energy: f64,
    pub area: f64,
    pub count: Option<usize>,
}

impl Default for Costs {
    fn default() -> Self {
        let units = BTreeMap::new();
        Self {
            machine: String::new(),
            clock: 1e9,
            units,
            dram_byte: 0.0,
            on_chip_byte: 0.0,
            static_power: 0.0,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct CostReport {
    pub machine: String,
    /// Additions, multiplications and other operations on values.
    pub operations: u64,
    /// Bytes of coordinates and values that scanners, arrays and writers have moved on the chip.
    pub on_chip_bytes: u64,
    pub dram_bytes: Option<u64>,
    pub seconds: f64,
    /// Joules.
    pub energy: f64,
    /// Square millimetres of the graph's units.
    pub area: f64,
    /// For each kind of unit whose number is stated, how many the graph takes.
    pub fits: Vec<Fit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    pub unit: Unit,
    pub taken: usize,
    pub available: usize,
}

impl Costs {
    pub fn of(&self, graph: &Graph, outcome: &RunReport) -> CostReport {
        let of = |kind: &BlockKind| self.units.get(&Unit::of(kind)).copied().unwrap_or_default();
        let blocks = || graph.blocks.iter().zip(&outcome.blocks);
        let busy = blocks().map(|(block, told)| told.busy as f64 * of(&block.kind).energy).sum::<f64>();
        let area = graph.blocks.iter().map(|block| of(&block.kind).area).sum::<f64>();
        let on_chip_bytes = moved(graph, outcome, is_memory, |kind| match kind {
            StreamKind::Val => VALUE,
            _ => COORDINATE,
        });
        let dram_bytes = outcome.memory.map(|memory| memory.dram_read + memory.dram_written);
        let seconds = outcome.cycles as f64 / self.clock;
        let transfers =
            on_chip_bytes as f64 * self.on_chip_byte + dram_bytes.unwrap_or(0) as f64 * self.dram_byte;
        CostReport {
            machine: self.machine.clone(),
            operations: moved(graph, outcome, computes, |kind| u64::from(kind == StreamKind::Val)),
            on_chip_bytes,
            dram_bytes,
            seconds,
            energy: (busy + transfers) * 1e-12 + self.static_power * 1e-3 * seconds,
            area: area * 1e-6,
            fits: self.fits(graph),
        }
    }

    fn fits(&self, graph: &Graph) -> Vec<Fit> {
        let taken = |unit: Unit| graph.blocks.iter().filter(|block| Unit::of(&block.kind) == unit).count();
        let stated = self.units.iter().filter_map(|(unit, costs)| Some((*unit, costs.count?)));
        stated.map(|(unit, available)| Fit { unit, taken: taken(unit), available }).collect()
    }
}

const VALUE: u64 = 8;
const COORDINATE: u64 = 4;

fn is_memory(block: &GraphBlock) -> bool {
    matches!(Unit::of(&block.kind), Unit::Scanner | Unit::Array | Unit::Writer)
}

fn computes(block: &GraphBlock) -> bool {
    let unit = Unit::of(&block.kind);
    matches!(unit, Unit::Multiplier | Unit::Adder | Unit::Alu | Unit::Reducer | Unit::Accumulator)
}

/// Adds up a weight for each value, coordinate or word that such blocks move: what scanners and arrays put,
/// what operators put, and what reducers and writers take.
fn moved(
    graph: &Graph,
    outcome: &RunReport,
    of: fn(&GraphBlock) -> bool,
    weight: fn(StreamKind) -> u64,
) -> u64 {
    let takes = |block: &GraphBlock| {
        of(block) && matches!(Unit::of(&block.kind), Unit::Reducer | Unit::Accumulator | Unit::Writer)
    };
    let puts = |block: &GraphBlock| of(block) && !takes(block);
    let streams = graph.streams.iter().zip(&outcome.streams);
    streams
        .filter(|(stream, _)| stream.kind != StreamKind::Ref)
        .map(|(stream, told)| {
            let readers =
                stream.to.iter().filter(|(reader, _)| takes(&graph.blocks[reader.0])).count() as u64;
            let times = readers + u64::from(puts(&graph.blocks[stream.from.0.0]));
            times * told.counts.value * weight(stream.kind)
        })
        .sum()
}

impl CostReport {
    /// Joule seconds.
    pub fn energy_delay(&self) -> f64 {
        self.energy * self.seconds
    }

    /// `{"machine", "operations", "on_chip_bytes", "dram_bytes", "seconds", "energy", "energy_delay", "area",
    /// "units"}`, in joules, joule seconds and square millimetres; `units` has for each kind how many are
    /// `taken` of those `available`.
    pub fn json(&self) -> Value {
        let unit = |fit: &Fit| {
            (fit.unit.name().to_owned(), json!({ "taken": fit.taken, "available": fit.available }))
        };
        let units: serde_json::Map<String, Value> = self.fits.iter().map(unit).collect();
        json!({
            "machine": self.machine,
            "operations": self.operations,
            "on_chip_bytes": self.on_chip_bytes,
            "dram_bytes": self.dram_bytes,
            "seconds": self.seconds,
            "energy": self.energy,
            "energy_delay": self.energy_delay(),
            "area": self.area,
            "units": units,
        })
    }
}

impl fmt::Display for CostReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.machine.is_empty() {
            writeln!(f, "machine: {}", self.machine)?;
        }
        let dram = self.dram_bytes.map_or_else(String::new, |bytes| format!(", {bytes} bytes of DRAM"));
        writeln!(f, "operations: {}; {} bytes on the chip{dram}", self.operations, self.on_chip_bytes)?;
        write!(
            f,
            "time: {:.3e} s; energy: {:.3e} J; energy-delay product: {:.3e} J s; area: {:.4} mm²",
            self.seconds,
            self.energy,
            self.energy_delay(),
            self.area
        )?;
        for Fit { unit, taken, available } in &self.fits {
            let verdict = if taken > available { ", too few" } else { "" };
            write!(f, "\n{}: {taken} of {available}{verdict}", unit.name())?;
        }
        Ok(())
    }
}
