//! Rows of dense operands that are prefetched some time before a loop over stored coordinates comes to them:
//! where these coordinates jump, the processor does not foresee which row is next. What is to come are the
//! coordinates after the one that the loop is at, also those of the rows and fibers that follow.
//!
//! SpMM in C, Zen 5 with 32 MB of third cache, times over those without (32 columns | 64 | 128): R-MAT 18
//! 0.80 | 0.80 | 0.75, soc-slashdot0902 0.88 | 0.81 | 0.93, ego-twitter 0.98 | 0.90 | 0.88; but with operands
//! of 9 MB, as that of ship_001, 1.05 to 1.12, and of 1 and 3 MB, as those of bcsstk16, 1.34 | 1.39.

use super::Emitter;
use super::env::Env;
use crate::cin_to_scf::plan::StoredPlan;
use comet_ir::{Compare, Result, Val, types};
use comet_notation::concrete::{Access, Var};
use melior::ir::attribute::{BoolAttribute, IntegerAttribute};

/// The bytes of the rows that lie between the one that is prefetched and the one that is used.
const AHEAD: u64 = 16 << 10;
/// The fewest and the most of these rows.
const ROWS: [u64; 2] = [8, 64];
/// An operand of fewer bytes is near enough sooner or later: prefetching takes more time than it saves.
pub(in crate::cin_to_scf) const FAR: i64 = 16 << 20;
/// The bytes of a line of a cache.
const LINE: u64 = 64;

/// What a loop prefetches: rows of an operand, as far as a block of lanes goes.
pub(super) struct Ahead<'p, 'c> {
    access: &'p Access,
    /// The coordinates that the loop goes over.
    crd: Val<'c>,
    /// Whether the operand is large enough.
    is_far: Val<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// In front of a loop over stored coordinates inside of a block of lanes: whether the operands whose rows
    /// it jumps to are large enough.
    pub(super) fn rows_ahead<'a>(
        &self,
        env: &Env<'c>,
        plan: &'a StoredPlan,
    ) -> Result<'c, Vec<Ahead<'a, 'c>>> {
        let b = env.b;
        let level = env.descent(&plan.access).levels;
        let ahead = plan.prefetched.iter().map(|access| {
            let crd = self.coordinates(env, plan.access.tensor, level)?;
            let elements = b.count_elements(self.values(env, access.tensor)?, self.of(access.tensor))?;
            let enough = self.constant(FAR / self.bytes_of_element(access) as i64)?;
            Ok(Ahead { access, crd, is_far: b.cmpi(Compare::Ge, elements, enough)? })
        });
        ahead.collect()
    }

    /// In the loop, at a position of the driver's level: prefetches the rows of a coordinate further on.
    pub(super) fn prefetch_rows(
        &self,
        env: &Env<'c>,
        ahead: &[Ahead<'_, 'c>],
        var: Var,
        position: Val<'c>,
    ) -> Result<'c, ()> {
        for Ahead { access, crd, is_far } in ahead {
            let row = env.lanes.map_or(1, |lanes| lanes.count) * self.bytes_of_element(access);
            env.b.if_then(*is_far, |b| {
                let distance = (AHEAD / row).clamp(ROWS[0], ROWS[1]);
                let there = b.addi(position, self.constant(distance as i64)?)?;
                let last = b.subi(b.length(*crd)?, self.constant(1)?)?;
                let coordinate = b.load_index(*crd, b.mini(there, last)?)?;
                let mut inside = env.within(b);
                inside.bind(var, coordinate);
                self.prefetch_row(&mut inside, access, row)
            })?;
        }
        Ok(())
    }

    /// Prefetches each line of the lanes of an access.
    fn prefetch_row(&self, env: &mut Env<'c>, access: &Access, row: u64) -> Result<'c, ()> {
        let b = env.b;
        let values = self.values(env, access.tensor)?;
        let (first, _) = self.position(env, access)?;
        let of = self.of(access.tensor);
        let first = b.place(first, of)?;
        let attributes = [
            ("isWrite", BoolAttribute::new(b.context(), false).into()),
            ("localityHint", IntegerAttribute::new(types::int(b.context(), 32), 3).into()),
            ("isDataCache", BoolAttribute::new(b.context(), true).into()),
        ];
        for line in 0..row.div_ceil(LINE) {
            let offset = self.constant((line * LINE / of.part().bytes() as u64) as i64)?;
            b.op("memref.prefetch", &[values, b.addi(first, offset)?], &[], &attributes)?;
        }
        Ok(())
    }

    fn bytes_of_element(&self, access: &Access) -> u64 {
        self.compute.tensor(access.tensor).element.bytes() as u64
    }
}
