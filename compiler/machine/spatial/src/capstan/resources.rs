//! The units of the machine that a layout takes.

use super::layout::{Controller, Kept, Layout, OnChip, Work};
use super::{CAPSTAN, fitted};
use serde::Serialize;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Pattern compute units.
    pub pcu: u64,
    /// Pattern memory units.
    pub pmu: u64,
    /// Memory controllers.
    pub mc: u64,
    /// Shuffle networks.
    pub shuffle: u64,
}

pub(super) fn of(layout: &Layout) -> Resources {
    let mut taken = Resources { mc: layout.random.places, ..Resources::default() };
    let mut compute = 0.0;
    controller(&layout.accel, &mut taken, &mut compute);
    taken.pcu = (compute.round() as u64).min(MOST);
    for memory in &layout.memories {
        taken.pmu += times(memory.copies, units(memory));
        let is_shuffled = memory.kind == Kept::SparseSram && memory.shared_by > 1;
        taken.shuffle += if is_shuffled { times(memory.copies, memory.shared_by) } else { 0 };
    }
    taken
}

fn controller(of: &Controller, taken: &mut Resources, compute: &mut f64) {
    let copies = of.copies as f64;
    match &of.work {
        Work::Lanes { stages, .. } => {
            let units = stages.div_ceil(fitted::OPERATIONS_OF_PCU * CAPSTAN.stages).max(1);
            *compute += copies * units as f64;
        }
        Work::Block { operations, body, .. } => {
            let inside = body.first().map_or(copies, |first| first.copies as f64);
            let groups = operations.div_ceil(CAPSTAN.stages) as f64;
            *compute += inside * groups / fitted::OPERATIONS_OF_PCU as f64;
            body.iter().for_each(|inner| controller(inner, taken, compute));
        }
        Work::Transfer { is_fifo, .. } => {
            taken.mc += times(of.copies, 1);
            *compute += if *is_fifo { 0.0 } else { copies * fitted::PCU_OF_TRANSFER };
        }
        // Scanners make bit vectors of what they are given.
        Work::BitVector { .. } => {}
    }
}

/// As many as there can be at most where there are too many: no machine comes near.
const MOST: u64 = 1 << 32;

fn times(copies: u64, units: u64) -> u64 {
    copies.saturating_mul(units).min(MOST)
}

/// The memory units of one copy of a memory: for what it holds, and for what goes to and from it in a cycle.
fn units(memory: &OnChip) -> u64 {
    match memory.kind {
        Kept::Fifo => 1,
        Kept::Sram | Kept::SparseSram => {
            let [reads, writes] = memory.traffic;
            let of_traffic = reads.max(writes).div_ceil(CAPSTAN.banks);
            memory.bytes.max(memory.held).div_ceil(CAPSTAN.unit_bytes).max(of_traffic).max(1)
        }
    }
}

impl Resources {
    pub fn fit(&self) -> bool {
        self.parts().into_iter().zip(CAPSTAN.units.parts()).all(|((_, taken), (_, there))| taken <= there)
    }

    /// The kind that most is taken of, as a part of what there is.
    pub fn limit(&self) -> (&'static str, f64) {
        let parts = self.parts().into_iter().zip(CAPSTAN.units.parts());
        let parts = parts.map(|((kind, taken), (_, there))| (kind, taken as f64 / there as f64));
        parts.fold(("pcu", 0.0), |most, part| if part.1 > most.1 { part } else { most })
    }

    pub(super) fn at_least(self, other: Self) -> Self {
        Self {
            pcu: self.pcu.max(other.pcu),
            pmu: self.pmu.max(other.pmu),
            mc: self.mc.max(other.mc),
            shuffle: self.shuffle.max(other.shuffle),
        }
    }

    pub(super) fn summary(&self) -> String {
        let there = CAPSTAN.units;
        let fit = if self.fit() { "" } else { ", which is more than there is" };
        format!(
            "{} of {} PCUs, {} of {} PMUs, {} of {} memory controllers, {} of {} shuffle networks{fit}",
            self.pcu, there.pcu, self.pmu, there.pmu, self.mc, there.mc, self.shuffle, there.shuffle
        )
    }

    fn parts(&self) -> [(&'static str, u64); 4] {
        [("pcu", self.pcu), ("pmu", self.pmu), ("mc", self.mc), ("shuffle", self.shuffle)]
    }
}
