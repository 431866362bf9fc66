//! Gaps in results: elements of dense levels below a compressed coordinate that no value comes to. They are
//! zero, and memory for results is not cleared. Where values come to all elements below a coordinate as soon
//! as one does, there are no gaps; elsewhere the first value below a coordinate finds zeros stored there.

use super::Lowering;
use super::point::Point;
use comet_dialects::cin::{AccessOperation, MaskOperation, TemporaryOperation};
use comet_format::{LevelExpr, LevelKind};
use comet_ir::{Bounds, Builder, Compare, Op, Result, Val, types};
use comet_passes::nest::{Relations, WorkspaceKind};
use melior::ir::ValueLike;
use std::ops::Range;

/// Whether `scope` may leave gaps in a point's tensor, in levels that are dense.
pub(super) fn are_left<'c>(
    scope: Op<'c>,
    point: &Point<'c>,
    dense: Range<usize>,
    relations: &Relations<'c>,
) -> bool {
    let mut vars = Vec::new();
    for level in &point.format().levels[dense] {
        match level.expr {
            LevelExpr::Mode(mode) => vars.extend(relations.roots(point.indices[mode])),
            // The last block may be cut short.
            _ => return true,
        }
    }
    let is_carried = |temporary: &Op<'c>| {
        matches!(WorkspaceKind::of(*temporary), WorkspaceKind::Scalar | WorkspaceKind::Registers)
    };
    let decides = |access: Op<'c>| decides_presence(&Point::of(access), &vars, relations);
    let has_gaps = !scope.descendants::<MaskOperation>().is_empty()
        || !scope.descendants::<TemporaryOperation>().iter().all(is_carried)
        || scope.descendants::<AccessOperation>().into_iter().any(decides)
        || !relations.positions().is_empty()
        || relations.has_pairs();
    !vars.is_empty() && has_gaps
}

/// Whether a tensor stores only some of what some variables come to, or only for some of their values what is
/// below.
fn decides_presence<'c>(point: &Point<'c>, vars: &[Val<'c>], relations: &Relations<'c>) -> bool {
    let levels = point.format().levels;
    let is_moved = |expr: LevelExpr| match expr {
        LevelExpr::Mode(mode) | LevelExpr::Div(mode, _) | LevelExpr::Mod(mode, _) => {
            relations.roots(point.indices[mode]).iter().any(|root| vars.contains(root))
        }
        LevelExpr::Slot => false,
    };
    let from = levels.iter().position(|level| is_moved(level.expr)).unwrap_or(levels.len());
    levels[from..].iter().any(|level| level.kind != LevelKind::Dense)
}

impl<'c> Lowering<'c> {
    /// Before a value is stored below the coordinate `number` of a point's last compressed level: zeros in
    /// the dense levels below it, unless some value has been stored there by now.
    pub(super) fn fill_gaps(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        dense: Range<usize>,
        number: Val<'c>,
        [stored, values]: [Val<'c>; 2],
    ) -> Result<'c, ()> {
        let sizes =
            dense.map(|level| self.storage.size(point.tensor, level)).collect::<Result<'c, Vec<_>>>()?;
        let size = self.product(b, &sizes)?;
        let (step, never) = (self.storage.constant(1)?, b.int(types::int(b.context(), 1), 0)?);
        let is_first = b.cmpi(Compare::Eq, b.get(stored)?, never)?;
        b.if_then(is_first, |b| {
            let start = b.muli(number, size)?;
            let bounds = Bounds { start, stop: b.addi(start, size)?, step };
            let (values, element) = (b.get(values)?, types::element(point.tensor.r#type()));
            b.for_step(bounds, &[], |b, position, _| {
                b.store(b.number(element, 0.0, 0)?, values, position)?;
                Ok(Vec::new())
            })
            .map(|_| ())
        })
    }
}
