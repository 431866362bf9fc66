//! Scalar and register workspaces: values that loops carry.

use super::Lowering;
use comet_dialects::cin::AssignOperation;
use comet_ir::{Builder, IrError, Op, Result, Ty, Val, types};
use comet_passes::nest;
use melior::ir::ValueLike;

/// The numbers of `cin`'s `WorkspaceKind`.
const SCALAR: i64 = 0;
const REGISTERS: i64 = 1;

/// Refuses workspaces of other kinds.
pub(super) fn check<'c>(op: Op<'c>) -> Result<'c, ()> {
    match nest::integer(op, "kind") {
        SCALAR | REGISTERS => Ok(()),
        _ => Err(IrError::not_supported(op.location(), "dense, hash and list workspaces")),
    }
}

impl<'c> Lowering<'c> {
    /// The producer starts from zero; the consumer sees what it left.
    pub(super) fn where_statement(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (consumer, producer) = (op.body(0), op.body(1));
        let depth = self.workspaces.len();
        for workspace in produced(op) {
            let ty = self.workspace_type(workspace);
            let zero = zero(b, ty)?;
            self.workspaces.push((workspace, zero));
        }
        self.block(b, producer)?;
        self.block(b, consumer)?;
        self.workspaces.truncate(depth);
        Ok(())
    }

    /// A scalar, or as many lanes as are computed at once.
    fn workspace_type(&self, workspace: Val<'c>) -> Ty<'c> {
        let element = types::element(workspace.r#type());
        match self.lanes {
            Some(lanes) if types::rank(workspace.r#type()) == 1 => types::vector(lanes.count, element),
            _ => element,
        }
    }

    /// What a workspace holds here.
    pub(super) fn workspace(&self, workspace: Val<'c>) -> Option<Val<'c>> {
        self.workspaces.iter().rev().find(|(other, _)| *other == workspace).map(|(_, value)| *value)
    }

    /// Changes what a workspace holds.
    pub(super) fn set_workspace(&mut self, workspace: Val<'c>, value: Val<'c>) {
        let slot = self.workspaces.iter_mut().rev().find(|(other, _)| *other == workspace);
        slot.expect("a where-statement has begun the workspace").1 = value;
    }

    /// The workspaces in use that `op` assigns to: what a loop made from it has to carry.
    pub(super) fn carried(&self, op: Op<'c>) -> Vec<Val<'c>> {
        let targets: Vec<Val<'c>> = assignments(op).into_iter().map(|assign| nest::point(assign).0).collect();
        self.workspaces
            .iter()
            .map(|(workspace, _)| *workspace)
            .filter(|workspace| targets.contains(workspace))
            .collect()
    }

    /// What some workspaces hold here.
    pub(super) fn contents(&self, workspaces: &[Val<'c>]) -> Vec<Val<'c>> {
        workspaces
            .iter()
            .map(|workspace| self.workspace(*workspace).expect("carried workspaces are in use"))
            .collect()
    }

    /// Changes what some workspaces hold.
    pub(super) fn set_contents(&mut self, workspaces: &[Val<'c>], values: &[Val<'c>]) {
        for (workspace, value) in workspaces.iter().zip(values) {
            self.set_workspace(*workspace, *value);
        }
    }
}

/// The workspaces that a where-statement begins: those that its producer assigns to and that are declared beside it. Others belong to where-statements around or inside it.
fn produced(where_op: Op<'_>) -> Vec<Val<'_>> {
    let mut found: Vec<Val<'_>> = Vec::new();
    for assign in where_op.body(1).ops().into_iter().flat_map(assignments) {
        let (target, _) = nest::point(assign);
        let is_beside = is_workspace(target) && Op::defining(target).and_then(Op::block) == where_op.block();
        if is_beside && !found.contains(&target) {
            found.push(target);
        }
    }
    found
}

/// Whether a tensor is a workspace of the compute.
pub(super) fn is_workspace(tensor: Val<'_>) -> bool {
    Op::defining(tensor).is_some_and(|op| op.is::<comet_dialects::cin::TemporaryOperation>())
}

/// The assignments in an operation, itself included.
fn assignments(op: Op<'_>) -> Vec<Op<'_>> {
    if op.is::<AssignOperation>() { vec![op] } else { op.descendants::<AssignOperation>() }
}

/// Zero, in every lane.
pub(super) fn zero<'c>(b: Builder<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
    let scalar = b.number(types::scalar(ty), 0.0, 0)?;
    b.broadcast(scalar, ty)
}
