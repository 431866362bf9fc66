//! The cycles that a run takes.

use super::layout::{Controller, Layout, Work};
use super::{Dram, Machine, fitted};
use crate::app::BURST_BYTES;

/// The bytes of a burst.
const BURST: f64 = BURST_BYTES as f64;

/// What a controller takes in all its launches, its copies side by side.
#[derive(Clone, Copy, Default)]
struct Time {
    /// Cycles in which it is at work.
    busy: f64,
    /// Cycles from when it begins until what comes out of it begins.
    latency: f64,
    /// Bytes that it moves to and from DRAM.
    bytes: f64,
}

/// The cycles of a run beside some memory.
pub(super) fn of(layout: &Layout, machine: &Machine, dram: &Dram) -> f64 {
    let model = Model { machine, dram };
    let time = model.time(&layout.accel);
    let random = layout.random.bursts as f64 * BURST;
    (time.busy + time.latency).max(model.moving(time.bytes + random))
}

struct Model<'a> {
    machine: &'a Machine,
    dram: &'a Dram,
}

impl Model<'_> {
    fn time(&self, of: &Controller) -> Time {
        let launches = of.launches as f64;
        let side_by_side = |cycles: f64| cycles.max(launches * fitted::CYCLES_OF_LAUNCH) / of.working;
        match &of.work {
            Work::Lanes { steps, stages, is_random } => Time {
                busy: side_by_side(*steps as f64 * if *is_random { fitted::BANK_CONFLICTS } else { 1.0 }),
                latency: stages.next_multiple_of(self.machine.stages) as f64,
                bytes: 0.0,
            },
            Work::BitVector { steps, lines } => {
                let cycles = (*steps as f64).max(*lines as f64 * fitted::CYCLES_OF_BIT_LINE);
                Time { busy: side_by_side(cycles), latency: self.machine.stages as f64, bytes: 0.0 }
            }
            Work::Transfer { steps, bursts, .. } => Time {
                busy: side_by_side((*steps).max(*bursts) as f64),
                latency: self.dram.latency * self.machine.clock,
                bytes: *bursts as f64 * BURST,
            },
            Work::Block { steps, body, is_in_turn, .. } => {
                let rounds = (*steps as f64).max(launches) / of.working;
                self.block(rounds, body, *is_in_turn)
            }
        }
    }

    /// Controllers one after the other, iteration by iteration.
    fn block(&self, rounds: f64, body: &[Controller], is_in_turn: bool) -> Time {
        let mut all = Time::default();
        let mut longest = rounds;
        // When each controller is done, where those that need each other wait.
        let mut done: Vec<f64> = Vec::new();
        for inner in body {
            let time = self.time(inner);
            let busy = time.busy.max(self.moving(time.bytes));
            longest = longest.max(busy);
            let begins = inner.waits_for.iter().map(|earlier| done[*earlier]).fold(0.0, f64::max);
            done.push(begins + busy + inner.launches as f64 / inner.working * time.latency);
            all.latency += time.latency;
            all.bytes += time.bytes;
        }
        match is_in_turn {
            true => {
                let last = done.into_iter().fold(rounds, f64::max);
                Time { busy: last.max(self.moving(all.bytes)), latency: 0.0, ..all }
            }
            false => Time { busy: longest.max(self.moving(all.bytes)), ..all },
        }
    }

    /// The cycles that moving bytes takes.
    fn moving(&self, bytes: f64) -> f64 {
        self.dram.bandwidth.map_or(0.0, |bandwidth| bytes * self.machine.clock / bandwidth)
    }
}
