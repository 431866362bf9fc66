//! `fuse` and `pos`: one loop over the pairs of two variables, and loops over positions instead of
//! coordinates.

use super::loops::{move_body, only_loop, open};
use super::{Schedule, refuse_marked};
use crate::nest::{self, Relations, point};
use crate::schedule::{Command, LevelPositions, Pair};
use comet_dialects::cin::AccessOperation;
use comet_dialects::ta::ConvertOperation;
use comet_ir::{Builder, IrError, Op, Result, Val, format, types};
use comet_runtime::format::{LevelExpr, LevelKind};
use melior::ir::ValueLike;
use std::ops::Range;

impl<'c> Schedule<'c> {
    /// Two loops, the second right inside of the first, become one.
    pub(super) fn fuse(&mut self, command: &Command<'c>, pair: &Pair) -> Result<'c, ()> {
        let (outer, inner) =
            (self.uncut_loops(command, &pair.outer)?, self.uncut_loops(command, &pair.inner)?);
        let (Some(outer_var), Some(inner_var)) = (self.var(&pair.outer), self.var(&pair.inner)) else {
            return Ok(());
        };
        if outer_var == inner_var {
            let message = format!("expected two loops, found `{}` twice", pair.outer);
            return Err(IrError::at(command.location(), message).hint("name the loop right inside of it"));
        }
        let inside: Vec<Option<Op<'c>>> = outer.iter().map(|forall| only_loop(*forall)).collect();
        if !inner.iter().all(|forall| inside.contains(&Some(*forall))) || inside.len() != inner.len() {
            return Err(apart(command, pair));
        }
        let b = self.declarations(command);
        let name = [("name", b.string_attribute(&pair.fused))];
        let ty = types::cin_index(b.context());
        let fused = b.op("cin.fuse", &[outer_var, inner_var], &[ty], &name)?.result(0);
        for (outer, inner) in outer.into_iter().zip(inside.into_iter().flatten()) {
            refuse_marked(command, outer)?;
            refuse_marked(command, inner)?;
            let forall = open(Builder::before(outer), fused)?;
            move_body(inner, forall);
            outer.erase();
        }
        self.vars.insert(pair.fused.clone(), fused);
        Ok(())
    }

    /// A loop goes over the positions of a level.
    pub(super) fn pos(&mut self, command: &Command<'c>, positions: &LevelPositions) -> Result<'c, ()> {
        let loops = self.uncut_loops(command, &positions.var)?;
        let Some(var) = self.var(&positions.var) else { return Ok(()) };
        // Another compute of the statement has the access.
        let Some(access) = self.access(positions) else { return Ok(()) };
        let (tensor, indices) = point(access);
        let levels = self.levels_of(command, positions, var, access)?;
        let tensor = self.with_positions(command, tensor, &levels)?;
        let b = self.declarations(command);
        let attributes = [
            ("level", b.i64_attribute(levels.end as i64 - 1)),
            ("name", b.string_attribute(&positions.position)),
        ];
        let operands = [vec![var, tensor], indices].concat();
        let position = b.op("cin.pos", &operands, &[types::cin_index(b.context())], &attributes)?.result(0);
        for forall in loops {
            refuse_marked(command, forall)?;
            let over_positions = open(Builder::before(forall), position)?;
            move_body(forall, over_positions);
            forall.erase();
        }
        self.vars.insert(positions.position.clone(), position);
        Ok(())
    }

    /// The access that a command names. An operand that was copied into another format is still itself.
    pub(super) fn access(&self, positions: &LevelPositions) -> Option<Op<'c>> {
        self.compute.descendants::<AccessOperation>().into_iter().find(|access| {
            let (tensor, indices) = point(*access);
            let names: Vec<String> = indices.into_iter().map(nest::name).collect();
            let is_named = |tensor| nest::name(tensor) == positions.tensor;
            (is_named(tensor) || is_named(self.original(tensor))) && names == positions.indices
        })
    }

    /// The tensor that another one was copied from in front of the compute.
    pub(super) fn original(&self, tensor: Val<'c>) -> Val<'c> {
        let before = self.compute.block().map_or(Vec::new(), |block| block.ops());
        let copy = before
            .into_iter()
            .take_while(|op| *op != self.compute)
            .filter(|op| op.is::<ConvertOperation>() && op.operand(1) == tensor)
            .last();
        let is_copy = Op::defining(tensor).is_some_and(|decl| decl.attribute("copy").is_some());
        copy.filter(|_| is_copy).map_or(tensor, |copy| self.original(copy.operand(0)))
    }

    /// The level whose coordinates are the values of a variable; of a fused one, the levels that follow each
    /// other as its parts do.
    fn levels_of(
        &self,
        command: &Command<'c>,
        positions: &LevelPositions,
        var: Val<'c>,
        access: Op<'c>,
    ) -> Result<'c, Range<usize>> {
        let relations = Relations::of(self.compute);
        let (tensor, indices) = point(access);
        let levels = format::of_type(tensor.r#type()).levels;
        let refuse = |reason: String, hint: &str| {
            let message = format!("no positions of `{}` for `{}`: {reason}", positions.tensor, positions.var);
            Err(IrError::at(command.location(), message).hint(hint))
        };
        let stored = levels.iter().enumerate().filter(|(_, level)| level.expr != LevelExpr::Slot);
        let stored: Vec<(usize, Option<Val<'c>>)> =
            stored.map(|(number, level)| (number, relations.level_var(*level, &indices))).collect();
        let components = relations.components(relations.unbounded(var));
        let is_run = |run: &&[(usize, Option<Val<'c>>)]| {
            run.iter().zip(&components).all(|((_, level), component)| *level == Some(*component))
        };
        let Some(run) = stored.windows(components.len()).find(is_run) else {
            let reason = "none of its levels stores that, or levels in the same order".to_owned();
            return refuse(reason, "`pos` comes before the commands that cut a loop");
        };
        let run = run[0].0..run[run.len() - 1].0 + 1;
        if levels[run.clone()].iter().all(|level| level.kind == LevelKind::Dense) {
            return refuse("the level is dense, and stores every coordinate".to_owned(), "leave `pos` out");
        }
        Ok(run)
    }
}

fn apart<'c>(command: &Command<'c>, pair: &Pair) -> IrError<'c> {
    let Pair { outer, inner, .. } = pair;
    let message =
        format!("the loop over `{inner}` is not right inside of that over `{outer}`, with nothing beside it");
    let hint = format!(
        "put them next to each other with `order({outer}, {inner})` and the loops between them, or leave `fuse` out"
    );
    IrError::at(command.location(), message).hint(hint)
}
