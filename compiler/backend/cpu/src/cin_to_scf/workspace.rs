//! Scalar and register workspaces: values that loops carry.

use super::Lowering;
use super::operator::identity;
use super::value::Presence;
use comet_dialects::cin::{AccessOperation, AssignOperation, CombineOperation, WhereOperation};
use comet_ir::{Builder, IrError, Op, Result, Ty, Val, types};
use comet_passes::cin::sparse_workspace::packed_into;
pub(super) use comet_passes::nest::is_temporary;
use comet_passes::nest::{self, WorkspaceKind};
use comet_passes::operator::Reduction;
use melior::ir::ValueLike;

/// What a workspace is made of: its value and, where that matters, whether anything came to it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Slot<'c> {
    Value(Val<'c>),
    Reached(Val<'c>),
}

impl<'c> Slot<'c> {
    fn tensor(self) -> Val<'c> {
        match self {
            Slot::Value(tensor) | Slot::Reached(tensor) => tensor,
        }
    }
}

impl<'c> Lowering<'c> {
    /// Refuses registers that no loop carries.
    pub(super) fn temporary(&self, op: Op<'c>) -> Result<'c, ()> {
        match WorkspaceKind::of(op) {
            WorkspaceKind::Scalar
            | WorkspaceKind::Dense
            | WorkspaceKind::Hash
            | WorkspaceKind::List
            | WorkspaceKind::Levels => Ok(()),
            WorkspaceKind::Registers if self.lanes.is_some() => Ok(()),
            WorkspaceKind::Registers => Err(IrError::not_supported(
                op.location(),
                "a register workspace where no loop over its lanes can be vectorized",
            )),
        }
    }

    /// The producer starts from what its reduction starts from; the consumer sees what it left.
    pub(super) fn where_statement(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (consumer, producer) = (op.body(0), op.body(1));
        let depth = self.workspaces.len();
        let assigns = produced(op);
        for assign in &assigns {
            self.begin_produced(b, op, *assign)?;
        }
        self.block(b, producer)?;
        let mut is_packed = false;
        for workspace in assigns.into_iter().map(|assign| nest::point(assign).0) {
            self.end_produced(b, workspace)?;
            is_packed |= nest::temporary(workspace).and_then(packed_into).is_some();
        }
        if !is_packed {
            self.block(b, consumer)?;
        }
        self.workspaces.truncate(depth);
        Ok(())
    }

    /// Before the producer: a workspace that it assigns to holds nothing.
    fn begin_produced(&mut self, b: Builder<'c>, where_op: Op<'c>, assign: Op<'c>) -> Result<'c, ()> {
        let (workspace, _) = nest::point(assign);
        if !is_workspace(workspace) {
            return self.begin_result(b, where_op, assign);
        }
        if let Some(dense) = self.dense_workspace(workspace) {
            return self.empty_workspace(b, dense);
        }
        let start = identity(b, Reduction::of(assign), self.workspace_type(workspace))?;
        let counts = self.counts_reached(where_op, assign);
        self.workspaces.push((Slot::Value(workspace), start));
        if counts {
            let never = b.int(types::int(b.context(), 1), 0)?;
            self.workspaces.push((Slot::Reached(workspace), never));
        }
        Ok(())
    }

    /// After the producer: a workspace that is not carried by loops is completed for the consumer.
    fn end_produced(&mut self, b: Builder<'c>, workspace: Val<'c>) -> Result<'c, ()> {
        match is_workspace(workspace) {
            true => self.collect_for_loops(b, workspace),
            false => self.end_workspace(b, workspace),
        }
    }

    /// A scalar, or as many lanes as are computed at once.
    fn workspace_type(&self, workspace: Val<'c>) -> Ty<'c> {
        let element = types::element(workspace.r#type());
        match self.lanes {
            Some(lanes) if types::rank(workspace.r#type()) == 1 => types::vector(lanes.count, element),
            _ => element,
        }
    }

    /// Whether it matters that nothing came to a workspace: a sum of nothing may be taken for 0 where it is
    /// only added to a tensor's element or stored, and the result of any other reduction where it is stored
    /// as it is.
    pub(super) fn counts_reached(&self, where_op: Op<'c>, producer: Op<'c>) -> bool {
        let (workspace, _) = nest::point(producer);
        let is_sum = Reduction::of(producer) == Reduction::Add;
        where_op.body(0).ops().into_iter().flat_map(assignments).any(|consumer| {
            let target = nest::point(consumer).0;
            let is_counted = self.slot(Slot::Reached(target)).is_some()
                || (self.is_result(target) && !(is_sum && self.has_same_pattern(target)))
                || self.dense_workspace(target).is_some();
            let stores = Reduction::of(consumer) == Reduction::Set;
            let adds = Reduction::of(consumer) == Reduction::Add;
            let harmless = match is_sum {
                true => (adds || stores) && only_added(consumer.operand(0), workspace),
                false => stores && !is_workspace(target) && is_access(consumer.operand(0), workspace),
            };
            is_counted || !harmless
        })
    }

    /// What a workspace holds here.
    pub(super) fn workspace(&self, workspace: Val<'c>) -> Presence<'c> {
        let value = self.slot(Slot::Value(workspace)).expect("a where-statement has begun the workspace");
        match self.slot(Slot::Reached(workspace)) {
            Some(reached) => Presence::Maybe { value, reached },
            None => Presence::Present(value),
        }
    }

    /// What a slot holds here.
    pub(super) fn slot(&self, slot: Slot<'c>) -> Option<Val<'c>> {
        self.workspaces.iter().rev().find(|(other, _)| *other == slot).map(|(_, value)| *value)
    }

    /// Changes what a slot holds.
    pub(super) fn set_slot(&mut self, slot: Slot<'c>, value: Val<'c>) {
        let held = self.workspaces.iter_mut().rev().find(|(other, _)| *other == slot);
        held.expect("a where-statement has begun the workspace").1 = value;
    }

    /// The slots in use that `op` may change: what a loop made from it has to carry.
    pub(super) fn carried(&self, op: Op<'c>) -> Vec<Slot<'c>> {
        let targets: Vec<Val<'c>> = assignments(op).into_iter().map(|assign| nest::point(assign).0).collect();
        let slots = self.workspaces.iter().map(|(slot, _)| *slot);
        slots.filter(|slot| targets.contains(&slot.tensor())).collect()
    }

    /// What some slots hold here.
    pub(super) fn contents(&self, slots: &[Slot<'c>]) -> Vec<Val<'c>> {
        slots.iter().map(|slot| self.slot(*slot).expect("carried workspaces are in use")).collect()
    }

    /// Changes what some slots hold.
    pub(super) fn set_contents(&mut self, slots: &[Slot<'c>], values: &[Val<'c>]) {
        for (slot, value) in slots.iter().zip(values) {
            self.set_slot(*slot, *value);
        }
    }
}

/// Whether it makes no difference inside `op` that entries of one coordinate come one after another: every
/// workspace goes on as it is, into a target that combines as it does.
pub(super) fn combines_one_by_one(op: Op<'_>) -> bool {
    op.descendants::<WhereOperation>().into_iter().all(|where_op| {
        produced(where_op).into_iter().all(|producer| {
            let workspace = nest::point(producer).0;
            let goes_on = |consumer: Op<'_>| {
                Reduction::of(consumer) == Reduction::of(producer)
                    && is_access(consumer.operand(0), workspace)
            };
            where_op.body(0).ops().into_iter().flat_map(assignments).all(goes_on)
        })
    })
}

/// Whether a workspace has a part in a value only as a summand.
fn only_added<'c>(value: Val<'c>, workspace: Val<'c>) -> bool {
    let Some(op) = Op::defining(value).filter(|op| super::is_expression(*op)) else { return true };
    if op.is::<CombineOperation>() {
        return !uses(value, workspace);
    }
    op.is::<AccessOperation>() || op.operands().into_iter().all(|operand| only_added(operand, workspace))
}

fn uses<'c>(value: Val<'c>, workspace: Val<'c>) -> bool {
    let Some(op) = Op::defining(value).filter(|op| super::is_expression(*op)) else { return false };
    is_access(value, workspace) || op.operands().into_iter().any(|operand| uses(operand, workspace))
}

fn is_access<'c>(value: Val<'c>, tensor: Val<'c>) -> bool {
    Op::defining(value).is_some_and(|op| op.is::<AccessOperation>() && nest::point(op).0 == tensor)
}

/// One assignment to each workspace that a where-statement begins: those that its producer assigns to and
/// that are declared beside it. Others belong to where-statements around or inside it.
fn produced(where_op: Op<'_>) -> Vec<Op<'_>> {
    let mut found: Vec<Op<'_>> = Vec::new();
    for assign in where_op.body(1).ops().into_iter().flat_map(assignments) {
        let (target, _) = nest::point(assign);
        let is_beside = is_temporary(target) && Op::defining(target).and_then(Op::block) == where_op.block();
        if is_beside && !found.iter().any(|other| nest::point(*other).0 == target) {
            found.push(assign);
        }
    }
    found
}

/// Whether a tensor is a workspace of the compute that is not stored as tensors are.
pub(super) fn is_workspace(tensor: Val<'_>) -> bool {
    let is_stored = |kind| matches!(kind, WorkspaceKind::Levels | WorkspaceKind::Hash | WorkspaceKind::List);
    nest::temporary(tensor).is_some_and(|op| !is_stored(WorkspaceKind::of(op)))
}

/// The assignments in an operation, itself included.
fn assignments(op: Op<'_>) -> Vec<Op<'_>> {
    if op.is::<AssignOperation>() { vec![op] } else { op.descendants::<AssignOperation>() }
}
