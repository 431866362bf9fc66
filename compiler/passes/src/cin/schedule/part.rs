//! The part of a value that `precompute` names: where a compute has it, and what it is made of.

use crate::nest::{self, WorkspaceKind, point};
use crate::operator::{Operator, Reduction};
use crate::schedule::is_value;
use comet_dialects::TypedOp;
use comet_ir::{Block, Op, Val, cin, types};
use melior::ir::ValueLike;

/// What is computed first.
pub(super) struct Part<'c> {
    /// Its values: the same expression may stand in several places.
    pub(super) values: Vec<Val<'c>>,
    /// The assignment whose value it is a part of.
    pub(super) assign: Op<'c>,
}

impl<'c> Part<'c> {
    /// That of an assignment's value for whose first value something holds.
    pub(super) fn of(assign: Op<'c>, is_it: &dyn Fn(Val<'c>) -> bool) -> Option<Self> {
        let mut values = Vec::new();
        find(assign.operand(0), is_it, &mut values);
        let first = *values.first()?;
        values.retain(|value| are_alike(first, *value));
        Some(Self { values, assign })
    }

    /// The index variables that it depends on.
    pub(super) fn vars(&self) -> Vec<Val<'c>> {
        vars_of(self.values[0])
    }

    /// The index variables that the rest of the assignment's value depends on.
    pub(super) fn vars_of_rest(&self) -> Vec<Val<'c>> {
        self.vars_beside(self.assign.operand(0))
    }

    fn vars_beside(&self, value: Val<'c>) -> Vec<Val<'c>> {
        if self.values.contains(&value) {
            return Vec::new();
        }
        match Op::defining(value).filter(|op| is_value(*op)) {
            Some(op) if !op.is::<cin::Access>() => {
                op.operands().into_iter().flat_map(|operand| self.vars_beside(operand)).collect()
            }
            _ => vars_of(value),
        }
    }

    /// The workspaces that have to be computed before it; sums in scalars go along with it.
    pub(super) fn workspaces(&self) -> Vec<Op<'c>> {
        workspaces_of(self.values[0])
    }

    /// Whether a reduction of what is made of the part is made of the reduction of the part in the same way.
    /// A mask, which does not change while the part is reduced, lets all of it through or nothing.
    pub(super) fn distributes(&self) -> bool {
        let reduction = Reduction::of(self.assign);
        self.is_reached(self.assign.operand(0), &|op| goes_through(reduction, op))
    }

    /// Whether the part is in one place of a value, below masks and certain operations only.
    fn is_reached(&self, value: Val<'c>, is_passed: &dyn Fn(Op<'c>) -> bool) -> bool {
        if self.values == [value] {
            return true;
        }
        let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return false };
        match op.is::<cin::Mask>() {
            true => self.is_reached(op.operand(0), is_passed),
            false => {
                is_passed(op) && op.operands().into_iter().any(|operand| self.is_reached(operand, is_passed))
            }
        }
    }
}

/// Whether an operation can as well be done once, on what a reduction of its operand gives, where nothing
/// else in it changes. Integers that wrap around have no order that addition keeps.
fn goes_through(reduction: Reduction, op: Op<'_>) -> bool {
    if op.is::<cin::Neg>() {
        return reduction == Reduction::Add;
    }
    op.is::<cin::Combine>()
        && match (reduction, Operator::of(op)) {
            (Reduction::Add, Operator::Mul)
            | (Reduction::Min | Reduction::Max, Operator::Min | Operator::Max) => true,
            (Reduction::Min | Reduction::Max, Operator::Add) => types::is_float(op.result(0).r#type()),
            _ => false,
        }
}

/// The where-statement that leaves its result in a workspace.
pub(super) fn where_of(tensor: Val<'_>) -> Option<Op<'_>> {
    let temporary = nest::temporary(tensor)?;
    temporary.next().filter(|next| next.is::<cin::Where>())
}

/// The values in a tree for which something holds, outermost ones.
fn find<'c>(value: Val<'c>, is_it: &dyn Fn(Val<'c>) -> bool, found: &mut Vec<Val<'c>>) {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return };
    if is_it(value) {
        found.push(value);
        return;
    }
    if !op.is::<cin::Access>() {
        op.operands().into_iter().for_each(|operand| find(operand, is_it, found));
    }
}

/// Whether two values are made of the same operations on the same operands.
fn are_alike<'c>(one: Val<'c>, other: Val<'c>) -> bool {
    if one == other {
        return true;
    }
    let (Some(first), Some(second)) = (Op::defining(one), Op::defining(other)) else { return false };
    let (left, right) = (first.operands(), second.operands());
    is_value(first)
        && is_value(second)
        && first.name() == second.name()
        && first.attribute("op") == second.attribute("op")
        && left.len() == right.len()
        && left.into_iter().zip(right).all(|(left, right)| are_alike(left, right))
}

/// The index variables that a value depends on.
fn vars_of(value: Val<'_>) -> Vec<Val<'_>> {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return Vec::new() };
    if op.is::<cin::Access>() {
        let (tensor, indices) = point(op);
        let produced =
            where_of(tensor).map_or(Vec::new(), |where_op| inside::<cin::Assign>(where_op.body(1)));
        let summed = produced.into_iter().flat_map(|assign| vars_of(assign.operand(0)));
        return indices.into_iter().chain(summed).collect();
    }
    op.operands().into_iter().flat_map(vars_of).collect()
}

fn workspaces_of(value: Val<'_>) -> Vec<Op<'_>> {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return Vec::new() };
    if !op.is::<cin::Access>() {
        return op.operands().into_iter().flat_map(workspaces_of).collect();
    }
    let Some(temporary) = nest::temporary(op.operand(0)) else { return Vec::new() };
    match where_of(op.operand(0)) {
        Some(where_op) if WorkspaceKind::of(temporary) == WorkspaceKind::Scalar => {
            let read = inside::<cin::Access>(where_op.body(1)).into_iter();
            let read = read.filter_map(|access| nest::temporary(access.operand(0)));
            read.filter(|own| *own != temporary && !own.is_inside(where_op)).collect()
        }
        _ => vec![temporary],
    }
}

/// The operations of a type in a block and inside of its operations.
fn inside<'c, T: TypedOp>(block: Block<'c>) -> Vec<Op<'c>> {
    let mut found = Vec::new();
    for op in block.ops() {
        match op.is::<T>() {
            true => found.push(op),
            false => found.extend(op.descendants::<T>()),
        }
    }
    found
}
