//! Capstan (Rucker et al., MICRO 2021) as a model: what of it an application takes, and how many cycles a run
//! takes, estimated from the factors of patterns, the lanes of vectors and the bandwidth of DRAM.
//!
//! An application is laid out once (`layout`): each controller as often as the factors around it say. From
//! that follow the units that are taken (`resources`) and, with the counts of a run, the cycles (`cycles`).
//! The README has the rules, and what they leave out.

mod cycles;
mod fitted;
mod layout;
mod predict;
mod resources;
mod statistics;
mod turns;

pub use resources::Resources;

use crate::app::App;
use crate::interpret::{Inputs, Outcome};
use layout::Layout;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The machine (stardust.txt, section 9.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    pub units: Resources,
    /// The stages of a compute unit, each with an operation in all lanes.
    pub stages: u64,
    /// The banks of a memory unit, each with a read and a write in a cycle.
    pub banks: u64,
    /// What a memory unit holds, in bytes (Rucker 2021).
    pub unit_bytes: u64,
    /// Cycles in a second (Rucker 2021).
    pub clock: f64,
}

pub const CAPSTAN: Machine = Machine {
    units: Resources { pcu: 200, pmu: 200, mc: 80, shuffle: 16 },
    stages: 6,
    banks: 16,
    unit_bytes: 256 << 10,
    clock: 1.6e9,
};

/// The memory beside the chip (stardust.txt, section 9.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dram {
    pub name: &'static str,
    pub key: &'static str,
    /// Bytes in a second; none where it delivers whatever it is asked for.
    pub bandwidth: Option<f64>,
    /// Seconds from a request to its first bytes.
    pub latency: f64,
}

pub const IDEAL: Dram = Dram { name: "ideal memory", key: "ideal", bandwidth: None, latency: 0.0 };
pub const HBM2E: Dram =
    Dram { name: "HBM-2E", key: "hbm2e", bandwidth: Some(1800e9 * fitted::HBM2E_SHARE), latency: 100e-9 };
/// Four channels of DDR4-2133, of 8 bytes each.
pub const DDR4: Dram =
    Dram { name: "DDR4", key: "ddr4", bandwidth: Some(4.0 * 2133e6 * 8.0), latency: 60e-9 };

/// What runs take of the machine, as the model has it.
#[derive(Clone, Debug)]
pub struct Estimate {
    pub resources: Resources,
    /// What runs, one after the other.
    layouts: Vec<Layout>,
}

const DRAMS: [Dram; 3] = [IDEAL, HBM2E, DDR4];

/// Bandwidths in GB/s (stardust.txt, Figure 10).
const BANDWIDTHS: [u32; 7] = [20, 50, 100, 200, 500, 1000, 2000];

/// Estimates what a run of an application takes. The application is the one that was run, with its places.
pub fn estimate(app: &App, outcome: &Outcome) -> Estimate {
    let layout = layout::lay_out(app, outcome, &BTreeMap::new());
    Estimate { resources: resources::of(&layout), layouts: vec![layout] }
}

/// Predicts what a run of an application on some files will take, without running it: from its text, and from
/// extents and lengths of segments in the files.
pub fn predict(app: &App, inputs: &Inputs) -> Estimate {
    let predicted = predict::predict(app, inputs);
    let layout = layout::lay_out(app, &predicted.outcome, &predicted.imbalance);
    Estimate { resources: resources::of(&layout), layouts: vec![layout] }
}

impl Estimate {
    /// One run after the other, on a machine that is laid out anew in between.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.layouts.extend(other.layouts);
        Self { resources: self.resources.at_least(other.resources), ..self }
    }

    pub fn cycles_with(&self, dram: &Dram) -> f64 {
        self.layouts.iter().map(|layout| cycles::of(layout, dram)).sum()
    }

    pub fn summary(&self) -> String {
        let [ideal, hbm, ddr] = DRAMS.map(|dram| self.cycles_with(&dram));
        let microseconds = hbm / CAPSTAN.clock * 1e6;
        format!(
            "model of Capstan: {hbm:.0} cycles with HBM-2E ({microseconds:.1} µs), {ideal:.0} with ideal memory, {ddr:.0} \
             with DDR4; {}",
            self.resources.summary()
        )
    }

    /// For programs: `estimated_cycles`, which are those with HBM-2E, `resources`, and the rest under
    /// `model`.
    pub fn json(&self) -> Value {
        let rounded = |dram: &Dram| self.cycles_with(dram).round() as u64;
        let cycles = DRAMS.iter().map(|dram| (dram.key.to_owned(), json!(rounded(dram))));
        let by_bandwidth = BANDWIDTHS.map(|gigabytes| {
            let cycles = rounded(&Dram { bandwidth: Some(f64::from(gigabytes) * 1e9), ..HBM2E });
            json!({ "gb_s": gigabytes, "cycles": cycles })
        });
        json!({
            "estimated_cycles": rounded(&HBM2E),
            "resources": self.resources,
            "model": {
                "machine": CAPSTAN.units,
                "clock_hz": CAPSTAN.clock,
                "cycles": cycles.collect::<serde_json::Map<_, _>>(),
                "by_bandwidth": by_bandwidth,
                "fits": self.resources.fit(),
            },
        })
    }
}
