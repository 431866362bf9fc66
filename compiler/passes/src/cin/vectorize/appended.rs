//! Results that coordinates are appended to: the loop over their innermost level, where that is dense, runs
//! in blocks with all that is in it. The loops of sums stand inside of it, and so inside of the blocks:
//! what they add up is kept in vector registers.

use super::{lanes_of, obstacle_along, over, split, told_obstacle};
use crate::assembly::appended_groups;
use crate::nest::{self, Relations, WorkspaceKind, is_statement, is_temporary, point, temporary};
use crate::operator::Reduction;
use comet_format::{LevelExpr, LevelKind};
use comet_ir::{Block, Builder, Op, Result, Val, cin, format, types};
use melior::ir::ValueLike;

/// The loop over the innermost level of a result that is appended to.
pub(super) struct Innermost<'c> {
    assign: Op<'c>,
    forall: Op<'c>,
}

impl<'c> Innermost<'c> {
    /// That of a compute, where the level is dense.
    pub(super) fn of(compute: Op<'c>, relations: &Relations<'c>) -> Option<Self> {
        let is_result = |assign: &Op<'c>| {
            let (tensor, _) = point(*assign);
            !format::of_type(tensor.r#type()).is_dense() && !is_temporary(tensor)
        };
        let assign = compute.descendants::<cin::Assign>().into_iter().find(is_result)?;
        let (tensor, _) = point(assign);
        appended_groups(compute, tensor, relations)?;
        let last = *format::of_type(tensor.r#type()).levels.last()?;
        let is_row = last.kind == LevelKind::Dense && matches!(last.expr, LevelExpr::Mode(_));
        let forall = assign.ancestors().find(|op| op.is::<cin::Forall>()).filter(|_| is_row)?;
        Some(Self { assign, forall })
    }

    /// Cuts the loop into blocks; says whether that was done.
    pub(super) fn vectorize(&self, relations: &Relations<'c>, lanes: u64) -> Result<'c, bool> {
        let var = self.forall.operand(0);
        if let Some(obstacle) = self.obstacle(relations) {
            told_obstacle(self.assign, var, &obstacle);
            return Ok(false);
        }
        let Some(lanes) = lanes_of(self.assign, self.forall, lanes) else { return Ok(false) };
        let (block, lane) = split(var, lanes)?;
        for temporary in self.forall.descendants::<cin::Temporary>() {
            widen(temporary, lane, lanes)?;
        }
        for leaf in self.leaves() {
            let ops = leaf.ops();
            let b = Builder::before(*ops.first().expect("an assignment is in it"));
            let each = over(b, lane, Some(lanes))?;
            ops.into_iter().for_each(|op| op.move_to_end(each.body(0)));
        }
        let blocks = over(Builder::before(self.forall), block, None)?;
        self.forall.body(0).ops().into_iter().for_each(|op| op.move_to_end(blocks.body(0)));
        self.forall.erase();
        Ok(true)
    }

    fn obstacle(&self, relations: &Relations<'c>) -> Option<String> {
        if ["parallel", "unroll"].iter().any(|mark| self.forall.attribute(mark).is_some()) {
            return Some("a command says how it runs".to_owned());
        }
        let assigns = self.forall.descendants::<cin::Assign>();
        for assign in &assigns {
            let is_carried =
                temporary(point(*assign).0).is_some_and(|op| WorkspaceKind::of(op) == WorkspaceKind::Scalar);
            if *assign != self.assign && !is_carried {
                return Some("a workspace that is no scalar is computed inside of it".to_owned());
            }
        }
        let reads = self.forall.descendants::<cin::Access>().into_iter().map(|access| point(access).0);
        let is_scalar = |op: &Op<'c>| WorkspaceKind::of(*op) == WorkspaceKind::Scalar;
        if let Some(workspace) = reads.filter_map(temporary).find(|op| !is_scalar(op)) {
            let name = nest::name(workspace.result(0));
            return Some(format!("each element of the workspace `{name}` is looked for"));
        }
        let is_leaf = |block: &Block<'c>| block.ops().iter().filter(|op| is_statement(op)).count() == 1;
        if !self.leaves().iter().all(is_leaf) {
            return Some("other statements stand beside an assignment".to_owned());
        }
        obstacle_along(relations, self.forall, &assigns)
    }

    /// The blocks that hold an assignment, with what its value is made of.
    fn leaves(&self) -> Vec<Block<'c>> {
        let assigns = self.forall.descendants::<cin::Assign>().into_iter();
        assigns.map(|assign| assign.block().expect("an assignment is in a block")).collect()
    }
}

/// A scalar becomes a register with an element for each lane.
fn widen<'c>(temporary: Op<'c>, lane: Val<'c>, lanes: u64) -> Result<'c, ()> {
    let scalar = temporary.result(0);
    let element = types::element(scalar.r#type());
    let b = Builder::before(temporary);
    let name = temporary.attribute("name").expect("the verifier demands a name");
    let attributes = [("name", name), ("kind", b.enum_attribute(WorkspaceKind::Registers as i32))];
    let ty = types::tensor(&[Some(lanes)], element, None);
    let registers = b.op("cin.temporary", &[], &[ty], &attributes)?.result(0);
    let scope = temporary.parent().expect("a workspace is declared in a loop");
    for access in scope.descendants::<cin::Access>().into_iter().filter(|op| point(*op).0 == scalar) {
        let value = Builder::before(access).value("cin.access", &[registers, lane], element)?;
        access.replace(&[value]);
    }
    for assign in scope.descendants::<cin::Assign>().into_iter().filter(|op| point(*op).0 == scalar) {
        let b = Builder::before(assign);
        let reduction = [("reduction", b.enum_attribute(Reduction::of(assign) as i32))];
        b.op("cin.assign", &[assign.operand(0), registers, lane], &[], &reduction)?;
        assign.erase();
    }
    temporary.erase();
    Ok(())
}
