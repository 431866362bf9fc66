//! Machines in TOML.
//!
//! ```toml
//! name = "two multipliers"
//! clock = "1GHz"
//!
//! [queues]
//! depth = 8
//!
//! [memory]
//! dram = "hbm2e"
//! last-level = "4MiB"
//!
//! [units.all]
//! energy = 0.5
//!
//! [units.multiplier]
//! latency = 3
//! count = 2
//! ```

use super::costs::UnitCosts;
use super::levels::{Compute, LevelFields, WordSizes};
use super::{DataflowMachine, Timing, Unit, quantity};
use crate::simulate::{MemoryModel, Pages};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use toml::Spanned;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MachineError {
    pub message: String,
    /// Where, in bytes, if it is a place in the text.
    pub place: Option<std::ops::Range<usize>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MachineFile {
    #[serde(default)]
    pub(super) name: String,
    clock: Option<String>,
    #[serde(default)]
    queues: Queues,
    memory: Option<Memories>,
    #[serde(default)]
    units: BTreeMap<String, UnitFields>,
    #[serde(default)]
    energy: Energy,
    #[serde(default)]
    pub(super) words: WordSizes,
    #[serde(default)]
    pub(super) levels: Vec<Spanned<LevelFields>>,
    #[serde(default)]
    pub(super) compute: Compute,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Queues {
    depth: Option<NonZeroUsize>,
    #[serde(rename = "skip-depth")]
    skip_depth: Option<NonZeroUsize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Memories {
    dram: Option<toml::Value>,
    last_level: Option<String>,
    on_chip: Option<String>,
    element: Option<String>,
    buffers: Option<usize>,
}

/// Rates in bytes a second, sizes in bytes, times in nanoseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DramFields {
    rate: String,
    row: String,
    burst: String,
    banks: u32,
    #[serde(rename = "t-rcd")]
    t_rcd: f64,
    #[serde(rename = "t-rp")]
    t_rp: f64,
    #[serde(rename = "t-cl")]
    t_cl: f64,
    #[serde(rename = "t-rc")]
    t_rc: f64,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnitFields {
    latency: Option<u32>,
    interval: Option<u32>,
    startup: Option<u32>,
    energy: Option<f64>,
    area: Option<f64>,
    count: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Energy {
    #[serde(default)]
    dram: f64,
    #[serde(default)]
    on_chip: f64,
    #[serde(default)]
    r#static: f64,
}

pub(super) fn parse(text: &str) -> Result<MachineFile, MachineError> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().replace('\n', " ");
        MachineError { message, place: error.span() }
    })
}

impl DataflowMachine {
    /// Returns the machine of a file in TOML.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read(text: &str) -> Result<Self, MachineError> {
        let file = parse(text)?;
        let mut machine = Self::default();
        machine.costs.machine = file.name;
        if let Some(clock) = &file.clock {
            machine.costs.clock = quantity::hertz(clock).map_err(wrong)?;
        }
        (machine.queue_depth, machine.skip_depth) = (file.queues.depth, file.queues.skip_depth);
        let clock = machine.costs.clock;
        machine.memory = file.memory.map(|memory| memory.at(clock)).transpose()?;
        let all = file.units.get("all").copied().unwrap_or_default();
        if let Some(name) = file.units.keys().find(|name| *name != "all" && !is_unit(name)) {
            let names: Vec<&str> = Unit::ALL.iter().map(|unit| unit.name()).collect();
            return Err(wrong(format!("`{name}` is no unit, expected `all`, {}", names.join(", "))));
        }
        for unit in Unit::ALL {
            let own = file.units.get(unit.name()).copied().unwrap_or_default();
            let (timing, costs) = own.or(all).checked(unit)?;
            machine.timings.set(unit, timing);
            machine.costs.units.insert(unit, costs);
        }
        let Energy { dram, on_chip, r#static } = file.energy;
        for (name, energy) in [("dram", dram), ("on-chip", on_chip), ("static", r#static)] {
            check_cost("energy", name, energy)?;
        }
        let costs = &mut machine.costs;
        (costs.dram_byte, costs.on_chip_byte, costs.static_power) = (dram, on_chip, r#static);
        Ok(machine)
    }
}

pub(super) fn wrong(message: impl Into<String>) -> MachineError {
    MachineError { message: message.into(), place: None }
}

fn is_unit(name: &str) -> bool {
    Unit::ALL.iter().any(|unit| unit.name() == name)
}

impl UnitFields {
    fn or(self, all: Self) -> Self {
        Self {
            latency: self.latency.or(all.latency),
            interval: self.interval.or(all.interval),
            startup: self.startup.or(all.startup),
            energy: self.energy.or(all.energy),
            area: self.area.or(all.area),
            count: self.count.or(all.count),
        }
    }

    fn checked(self, unit: Unit) -> Result<(Timing, UnitCosts), MachineError> {
        let (latency, interval) = (self.latency.unwrap_or(1), self.interval.unwrap_or(1));
        let startup = self.startup.unwrap_or(0);
        let name = unit.name();
        if latency == 0 || interval == 0 || [latency, interval, startup].into_iter().max() > Some(LONGEST) {
            let found = format!("latency {latency}, interval {interval}, startup {startup}");
            let expected = format!("1 to {LONGEST} cycles, and from 0 on for `startup`");
            return Err(wrong(format!("`{name}` has {found}, expected {expected}")));
        }
        let (energy, area) = (self.energy.unwrap_or(0.0), self.area.unwrap_or(0.0));
        check_cost(name, "energy", energy)?;
        check_cost(name, "area", area)?;
        let costs = UnitCosts { energy, area, count: self.count };
        Ok((Timing { latency, interval, startup }, costs))
    }
}

/// The most that anything costs, in the unit of its key: reports stay finite.
const HIGHEST: f64 = 1e12;

/// The most cycles that a unit takes.
const LONGEST: u32 = 1 << 20;

pub(super) fn check_cost(of: &str, name: &str, cost: f64) -> Result<(), MachineError> {
    if (0.0..=HIGHEST).contains(&cost) {
        return Ok(());
    }
    Err(wrong(format!("`{name}` of `{of}` is {cost}, expected a number from 0 to {HIGHEST}")))
}

impl Memories {
    /// The memory at a clock; what is not stated is as `--memory` has it.
    fn at(self, clock: f64) -> Result<MemoryModel, MachineError> {
        let mut memory = MemoryModel::default();
        (memory.dram, memory.on_chip) = (memory.dram * 1e9 / clock, memory.on_chip * 1e9 / clock);
        match self.dram {
            Some(toml::Value::String(name)) => match named(&name) {
                Some(fields) => fields.at(clock, &mut memory)?,
                None => {
                    let unknown = |_| wrong(format!("found `{name}`, expected {RATE}"));
                    memory.dram = quantity::rate(&name, clock).map_err(unknown)?;
                }
            },
            Some(table @ toml::Value::Table(_)) => {
                let fields: Result<DramFields, _> = table.try_into();
                let fields = fields.map_err(|error| wrong(format!("`dram`: {}", error.message())))?;
                fields.at(clock, &mut memory)?;
            }
            Some(other) => {
                return Err(wrong(format!("found {} for `dram`, expected {RATE}", other.type_str())));
            }
            None => {}
        }
        if let Some(on_chip) = &self.on_chip {
            memory.on_chip = quantity::rate(on_chip, clock).map_err(wrong)?;
        }
        if let Some(last_level) = &self.last_level {
            memory.last_level = quantity::bytes_or_none(last_level).map_err(wrong)?;
        }
        if let Some(element) = &self.element {
            memory.element = quantity::bytes(element).map_err(wrong)?;
        }
        memory.buffers = self.buffers.unwrap_or(memory.buffers);
        memory.check().map_err(|fault| wrong(fault.message))?;
        Ok(memory)
    }
}

impl DramFields {
    fn at(&self, clock: f64, memory: &mut MemoryModel) -> Result<(), MachineError> {
        let cycles = |name: &str, nanoseconds: f64| {
            check_cost("dram", name, nanoseconds)?;
            Ok(nanoseconds * 1e-9 * clock)
        };
        memory.dram = quantity::rate(&self.rate, clock).map_err(wrong)?;
        if self.banks == 0 {
            return Err(wrong("`banks` of `dram` is 0, expected 1 or more"));
        }
        memory.pages = Some(Pages {
            row: few_bytes(&self.row)?,
            burst: few_bytes(&self.burst)?,
            banks: self.banks,
            open: cycles("t-rp", self.t_rp)? + cycles("t-rcd", self.t_rcd)? + cycles("t-cl", self.t_cl)?,
            cycle: cycles("t-rc", self.t_rc)?,
        });
        Ok(())
    }
}

/// Kinds of DRAM that are known. A stack of HBM2E at 3.6 Gb/s a pin, organized as JESD235 has it: 16 channels
/// of 16 banks, rows of 1 KiB in a pseudo channel, bursts of 32 bytes; its times are typical ones, not those
/// of a data sheet. A channel of DDR4-3200AA (JESD79-4): 16 banks, rows of 8 KiB over a rank, bursts of 64
/// bytes.
fn named(name: &str) -> Option<DramFields> {
    let fields = |rate: &str, row: &str, burst: &str, banks, times: [f64; 4]| DramFields {
        rate: rate.to_owned(),
        row: row.to_owned(),
        burst: burst.to_owned(),
        banks,
        t_rcd: times[0],
        t_rp: times[1],
        t_cl: times[2],
        t_rc: times[3],
    };
    match name {
        "hbm2e" => Some(fields("460.8GB/s", "1KiB", "32B", 256, [14.0, 14.0, 14.0, 47.0])),
        "ddr4" => Some(fields("25.6GB/s", "8KiB", "64B", 16, [13.75, 13.75, 13.75, 45.75])),
        _ => None,
    }
}

fn few_bytes(text: &str) -> Result<u64, MachineError> {
    let few = quantity::bytes(text).map_err(wrong)?;
    if few > 1 << 20 { Err(wrong(format!("found `{text}`, expected 1MiB or less"))) } else { Ok(few) }
}

const RATE: &str = "`hbm2e`, `ddr4`, or bytes a second such as `68.256GB/s`";
