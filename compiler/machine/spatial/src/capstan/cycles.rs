//! The cycles that a run takes.

use super::layout::{Controller, Layout, Work};
use super::{CAPSTAN, Dram, fitted};
use crate::app::BURST_BYTES;

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
pub(super) fn of(layout: &Layout, dram: &Dram) -> f64 {
    let model = Model { dram };
    let time = model.time(&layout.accel);
    let random = layout.random.bursts as f64 * BURST;
    (time.busy + time.latency).max(model.moving(time.bytes + random))
}

struct Model<'a> {
    dram: &'a Dram,
}

impl Model<'_> {
    fn time(&self, of: &Controller) -> Time {
        let launches = of.launches as f64;
        let side_by_side = |cycles: f64| cycles.max(launches * fitted::CYCLES_OF_LAUNCH) / of.working;
        match &of.work {
            Work::Lanes { steps, stages, is_random } => Time {
                busy: side_by_side(*steps as f64 * if *is_random { fitted::BANK_CONFLICTS } else { 1.0 }),
                latency: stages.next_multiple_of(CAPSTAN.stages) as f64,
                bytes: 0.0,
            },
            Work::BitVector { steps, lines } => {
                let cycles = (*steps as f64).max(*lines as f64 * fitted::CYCLES_OF_BIT_LINE);
                Time { busy: side_by_side(cycles), latency: CAPSTAN.stages as f64, bytes: 0.0 }
            }
            Work::Transfer { steps, bursts, .. } => Time {
                busy: side_by_side((*steps).max(*bursts) as f64),
                latency: self.dram.latency * CAPSTAN.clock,
                bytes: *bursts as f64 * BURST,
            },
            Work::Block { steps, body, is_in_turn, .. } => {
                let iterations = (*steps as f64).max(launches) / of.working;
                if *is_in_turn { self.in_turn(iterations, body) } else { self.overlapping(iterations, body) }
            }
        }
    }

    /// Controllers one after the other, where each iteration waits for the one before.
    fn in_turn(&self, iterations: f64, body: &[Controller]) -> Time {
        let mut all = Time::default();
        // When each controller is done, where those that need each other wait.
        let mut done: Vec<f64> = Vec::new();
        for inner in body {
            let time = self.time(inner);
            let busy = time.busy.max(self.moving(time.bytes));
            let begins = inner.waits_for.iter().map(|earlier| done[*earlier]).fold(0.0, f64::max);
            done.push(begins + busy + inner.launches as f64 / inner.working * time.latency);
            all.bytes += time.bytes;
        }
        let last = done.into_iter().fold(iterations, f64::max);
        Time { busy: last.max(self.moving(all.bytes)), ..all }
    }

    /// Controllers as the stages of a pipeline: the longest decides.
    fn overlapping(&self, iterations: f64, body: &[Controller]) -> Time {
        let mut all = Time { busy: iterations, ..Time::default() };
        for time in body.iter().map(|inner| self.time(inner)) {
            all.busy = all.busy.max(time.busy).max(self.moving(time.bytes));
            all.latency += time.latency;
            all.bytes += time.bytes;
        }
        Time { busy: all.busy.max(self.moving(all.bytes)), ..all }
    }

    fn moving(&self, bytes: f64) -> f64 {
        self.dram.bandwidth.map_or(0.0, |bandwidth| bytes * CAPSTAN.clock / bandwidth)
    }
}
