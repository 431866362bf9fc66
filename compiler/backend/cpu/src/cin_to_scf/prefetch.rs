//! Rows of dense operands that are asked for some time before a loop over stored coordinates comes to them:
//! where these coordinates jump, the processor does not foresee which row is next. What is to come are the
//! coordinates behind the one that the loop stands at, also those of the rows and fibers that follow.
//!
//! SpMM in C, Zen 5 with 32 MB of third cache, times over those without (32 columns | 64 | 128): R-MAT 18
//! 0.80 | 0.80 | 0.75, soc-slashdot0902 0.88 | 0.81 | 0.93, ego-twitter 0.98 | 0.90 | 0.88; but with operands
//! of 9 MB, as that of ship_001, 1.05 to 1.12, and of 1 and 3 MB, as those of bcsstk16, 1.34 | 1.39.

use super::Lowering;
use super::point::Point;
use comet_dialects::cin::{AccessOperation, ForallOperation};
use comet_ir::pass;
use comet_ir::{Builder, Compare, Op, Result, Val, types};
use comet_passes::nest::{self, is_contiguous};
use melior::ir::ValueLike;
use melior::ir::attribute::{BoolAttribute, IntegerAttribute};

/// The bytes of the rows that lie between the one that is asked for and the one that is used.
const AHEAD: u64 = 16 << 10;
/// The fewest and the most of these rows.
const ROWS: [u64; 2] = [8, 64];
/// An operand of fewer bytes is near enough sooner or later: asking takes more time than it saves.
const FAR: i64 = 16 << 20;
/// The bytes of a line of a cache.
const LINE: u64 = 64;

/// What a loop asks for: rows of an operand, as far as a block of lanes goes.
pub(super) struct Ahead<'c> {
    access: Op<'c>,
    /// Whether the operand is large enough.
    is_far: Val<'c>,
}

impl<'c> Lowering<'c> {
    /// In front of a loop over stored coordinates inside a block of lanes: the operands whose rows it jumps
    /// to.
    pub(super) fn rows_ahead(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        var: Val<'c>,
    ) -> Result<'c, Vec<Ahead<'c>>> {
        let Some(lanes) = self.lanes else { return Ok(Vec::new()) };
        let is_innermost =
            op.descendants::<ForallOperation>().iter().all(|inner| self.is_lane(inner.operand(0)));
        let mut found: Vec<Ahead<'c>> = Vec::new();
        for access in op.descendants::<AccessOperation>().into_iter().filter(|_| is_innermost) {
            let point = Point::of(access);
            let is_row = point.format().is_dense()
                && !super::workspace::is_temporary(point.tensor)
                && point.indices.contains(&var)
                && is_contiguous(access, lanes.var);
            if is_row {
                let elements = b.length(self.storage.values(point.tensor)?)?;
                let enough = self.storage.constant(FAR / bytes_of_element(&point) as i64)?;
                found.push(Ahead { access, is_far: b.cmpi(Compare::Ge, elements, enough)? });
                self.tell_ahead(op, &point);
            }
        }
        Ok(found)
    }

    /// A loop is generated several times where vectors do not cover all of the rows; it is told once.
    fn tell_ahead(&mut self, op: Op<'c>, point: &Point<'c>) {
        if self.told_ahead.contains(&(op, point.tensor)) {
            return;
        }
        self.told_ahead.push((op, point.tensor));
        pass::decided(op.location(), || {
            let (tensor, var) = (nest::name(point.tensor), nest::name(op.operand(0)));
            let megabytes = FAR >> 20;
            format!(
                "rows of `{tensor}` are asked for before the loop over `{var}` comes to them, where it has {megabytes} MiB or more"
            )
        });
    }

    /// In the loop, at a position of the driver's level: asks for the rows of a coordinate further on.
    pub(super) fn ask_for_rows(
        &mut self,
        b: Builder<'c>,
        ahead: &[Ahead<'c>],
        var: Val<'c>,
        crd: Val<'c>,
        position: Val<'c>,
    ) -> Result<'c, ()> {
        for Ahead { access, is_far } in ahead {
            let point = Point::of(*access);
            let row = self.lanes.map_or(1, |lanes| lanes.count) * bytes_of_element(&point);
            b.if_then(*is_far, |b| {
                let distance = (AHEAD / row).clamp(ROWS[0], ROWS[1]);
                let there = b.addi(position, self.storage.constant(distance as i64)?)?;
                let last = b.subi(b.length(crd)?, self.storage.constant(1)?)?;
                let coordinate = b.load_index(crd, b.mini(there, last)?)?;
                self.scoped(|this| {
                    this.coordinates.push((var, coordinate));
                    this.ask_for_row(b, *access, row)
                })
            })?;
        }
        Ok(())
    }

    /// Asks for each line of the lanes of an access.
    fn ask_for_row(&mut self, b: Builder<'c>, access: Op<'c>, row: u64) -> Result<'c, ()> {
        let point = Point::of(access);
        let values = self.storage.values(point.tensor)?;
        let (first, _) = self.position(b, &point, access)?;
        let attributes = [
            ("isWrite", BoolAttribute::new(b.context(), false).into()),
            ("localityHint", IntegerAttribute::new(types::int(b.context(), 32), 3).into()),
            ("isDataCache", BoolAttribute::new(b.context(), true).into()),
        ];
        for line in 0..row.div_ceil(LINE) {
            let offset = self.storage.constant((line * LINE / bytes_of_element(&point)) as i64)?;
            b.op("memref.prefetch", &[values, b.addi(first, offset)?], &[], &attributes)?;
        }
        Ok(())
    }
}

fn bytes_of_element(point: &Point<'_>) -> u64 {
    u64::from(types::width(types::element(point.tensor.r#type())) / 8)
}
