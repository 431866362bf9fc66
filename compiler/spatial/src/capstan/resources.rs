//! The units of the machine that a layout takes.

use super::layout::{Controller, Kept, Layout, OnChip, Work};
use super::{CAPSTAN, Machine};
use serde_json::{Value, json};

/// How many units of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// How many compute units a transfer between DRAM and an SRAM takes: they give addresses on both sides and
/// align what is in between. Table 6 of stardust.txt has 44 for SpMV, whose 16 copies take two each; its
/// three transfers take what is left.
const PCU_OF_TRANSFER: u64 = 4;

/// The units that a layout takes.
pub(super) fn of(layout: &Layout, machine: &Machine) -> Resources {
    let mut taken = Resources { mc: layout.random.places, ..Resources::default() };
    controller(&layout.accel, machine, &mut taken);
    for memory in &layout.memories {
        taken.pmu += times(memory.copies, units(memory, machine));
        let is_shuffled = memory.kind == Kept::SparseSram && memory.shared_by > 1;
        taken.shuffle += if is_shuffled { times(memory.copies, memory.shared_by) } else { 0 };
    }
    taken
}

fn controller(of: &Controller, machine: &Machine, taken: &mut Resources) {
    let copies = of.copies;
    match &of.work {
        Work::Lanes { stages, .. } => taken.pcu += times(copies, stages.div_ceil(machine.stages)),
        Work::Block { operations, body, .. } => {
            let inside = body.first().map_or(copies, |first| first.copies);
            taken.pcu += times(inside, operations.div_ceil(machine.stages));
            body.iter().for_each(|inner| controller(inner, machine, taken));
        }
        Work::Transfer { is_fifo, .. } => {
            taken.mc += times(copies, 1);
            taken.pcu += if *is_fifo { 0 } else { times(copies, PCU_OF_TRANSFER) };
        }
        Work::BitVector { .. } => taken.pcu += times(copies, 1),
    }
}

/// As many as there can be at most where there are too many: no machine comes near.
const MOST: u64 = 1 << 32;

/// So many copies of so many units.
fn times(copies: u64, units: u64) -> u64 {
    copies.saturating_mul(units).min(MOST)
}

/// The memory units of one copy of a memory: for what it holds, and for what goes to and from it in a cycle.
fn units(memory: &OnChip, machine: &Machine) -> u64 {
    match memory.kind {
        Kept::Fifo => 1,
        Kept::Sram | Kept::SparseSram => {
            let [reads, writes] = memory.traffic;
            let of_traffic = reads.max(writes).div_ceil(machine.banks);
            memory.bytes.div_ceil(machine.unit_bytes).max(of_traffic).max(1)
        }
    }
}

impl Resources {
    /// Whether the machine has them.
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

    pub(super) fn json(&self) -> Value {
        json!({ "pcu": self.pcu, "pmu": self.pmu, "mc": self.mc, "shuffle": self.shuffle })
    }

    fn parts(&self) -> [(&'static str, u64); 4] {
        [("pcu", self.pcu), ("pmu", self.pmu), ("mc", self.mc), ("shuffle", self.shuffle)]
    }
}
