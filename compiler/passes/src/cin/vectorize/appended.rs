//! Results that coordinates are appended to: the loop over their innermost level, where that is dense, runs
//! in blocks with all that is in it. The loops of sums stand inside of it, and so inside of the blocks:
//! what they add up is kept in vector registers.

use super::{Limits, lanes_of, obstacle_along, over, report_obstacle, split};
use crate::assembly::appended_groups;
use crate::nest::{Relations, WorkspaceKind, is_statement, is_temporary, temporary};
use comet_format::LevelExpr;
use comet_ir::{Block, Builder, Result, Val, cin, format, types};

/// The loop over the innermost level of a result that is appended to.
pub(super) struct Innermost<'c> {
    assign: cin::Assign<'c>,
    forall: cin::Forall<'c>,
}

impl<'c> Innermost<'c> {
    /// That of a compute, where the level is dense.
    pub(super) fn of(compute: cin::Compute<'c>, relations: &Relations<'c>) -> Option<Self> {
        let is_result = |assign: &cin::Assign<'c>| {
            let tensor = assign.tensor();
            !format::of(tensor).is_dense() && !is_temporary(tensor)
        };
        let assign = compute.walk::<cin::Assign>().into_iter().find(is_result)?;
        let tensor = assign.tensor();
        appended_groups(*compute, tensor, relations)?;
        let last = *format::of(tensor).levels.last()?;
        let is_row = last.kind.is_full() && matches!(last.expr, LevelExpr::Mode(_));
        let forall = assign.ancestors().find_map(|op| op.cast::<cin::Forall>()).filter(|_| is_row)?;
        Some(Self { assign, forall })
    }

    pub(super) fn vectorize(&self, relations: &Relations<'c>, limits: Limits) -> Result<'c, ()> {
        let var = self.forall.var();
        if let Some(obstacle) = self.obstacle(relations) {
            report_obstacle(*self.assign, var, &obstacle);
            return Ok(());
        }
        let lanes = limits.lanes_for(self.forall.var(), self.assign.tensor());
        let Some(lanes) = lanes_of(*self.assign, self.forall, lanes) else { return Ok(()) };
        let (block, lane) = split(var, lanes)?;
        for temporary in self.forall.walk::<cin::Temporary>() {
            widen(temporary, lane, lanes)?;
        }
        for leaf in self.leaves() {
            let ops = leaf.ops();
            let b = Builder::before(*ops.first().expect("an assignment is in it"));
            let each = over(b, lane, Some(lanes))?;
            ops.into_iter().for_each(|op| op.move_to_end(each.body()));
        }
        let blocks = over(Builder::before(self.forall), block, None)?;
        self.forall.body().ops().into_iter().for_each(|op| op.move_to_end(blocks.body()));
        self.forall.erase();
        Ok(())
    }

    fn obstacle(&self, relations: &Relations<'c>) -> Option<String> {
        if self.forall.parallel().is_some() || self.forall.unroll().is_some() {
            return Some("a command says how it runs".to_owned());
        }
        let assigns = self.forall.walk::<cin::Assign>();
        for assign in &assigns {
            let is_carried = temporary(assign.tensor()).is_some_and(|op| op.kind() == WorkspaceKind::Scalar);
            if *assign != self.assign && !is_carried {
                return Some("a workspace that is no scalar is computed inside of it".to_owned());
            }
        }
        let reads = self.forall.walk::<cin::Access>().into_iter().map(|access| access.tensor());
        let is_scalar = |op: &cin::Temporary<'c>| op.kind() == WorkspaceKind::Scalar;
        if let Some(workspace) = reads.filter_map(temporary).find(|op| !is_scalar(op)) {
            let name = workspace.name();
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
        let assigns = self.forall.walk::<cin::Assign>().into_iter();
        assigns.map(|assign| assign.block().expect("an assignment is in a block")).collect()
    }
}

/// A scalar becomes a register with an element for each lane.
fn widen<'c>(temporary: cin::Temporary<'c>, lane: Val<'c>, lanes: u64) -> Result<'c, ()> {
    let scalar = temporary.tensor();
    let element = types::element_of(scalar);
    let b = Builder::before(temporary);
    let ty = types::tensor(&[Some(lanes)], element, None);
    let registers = cin::Temporary::build(b, temporary.name(), WorkspaceKind::Registers, ty)?.tensor();
    let scope = temporary.parent().expect("a workspace is declared in a loop");
    for access in scope.walk::<cin::Access>().into_iter().filter(|op| op.tensor() == scalar) {
        let value = cin::access(Builder::before(access), registers, &[lane])?;
        access.replace(&[value]);
    }
    for assign in scope.walk::<cin::Assign>().into_iter().filter(|op| op.tensor() == scalar) {
        let b = Builder::before(assign);
        cin::Assign::build(b, assign.value(), registers, &[lane], assign.reduction())?;
        assign.erase();
    }
    temporary.erase();
    Ok(())
}
