//! The part of a value that `precompute` names: where a compute has it, and what it is made of.

use crate::nest::{self, WorkspaceKind};
use crate::schedule::is_value;
use comet_ir::cin::{self, Cin};
use comet_ir::cin::{Operator, Reduction};
use comet_ir::{Block, Op, OpView, Val, types};
use melior::ir::ValueLike;

pub(super) struct ComputedPart<'c> {
    /// Its values: the same expression may stand in several places.
    pub(super) values: Vec<Val<'c>>,
    pub(super) assign: cin::Assign<'c>,
}

impl<'c> ComputedPart<'c> {
    /// That of an assignment's value for whose first value something holds.
    pub(super) fn of(assign: cin::Assign<'c>, is_it: &dyn Fn(Val<'c>) -> bool) -> Option<Self> {
        let mut values = Vec::new();
        find(assign.value(), is_it, &mut values);
        let first = *values.first()?;
        values.retain(|value| are_alike(first, *value));
        Some(Self { values, assign })
    }

    pub(super) fn vars(&self) -> Vec<Val<'c>> {
        vars_of(self.values[0])
    }

    /// The index variables that the rest of the assignment's value depends on.
    pub(super) fn vars_of_rest(&self) -> Vec<Val<'c>> {
        self.vars_beside(self.assign.value())
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
    pub(super) fn workspaces(&self) -> Vec<cin::Temporary<'c>> {
        let needed = |access: cin::Access<'c>| {
            let Some(temporary) = nest::temporary(access.tensor()) else { return Vec::new() };
            match where_of(access.tensor()) {
                Some(where_op) if temporary.kind() == WorkspaceKind::Scalar => {
                    let read = inside::<cin::Access>(where_op.producer()).into_iter();
                    let read = read.filter_map(|access| nest::temporary(access.tensor()));
                    read.filter(|own| *own != temporary && !own.is_inside(*where_op)).collect()
                }
                _ => vec![temporary],
            }
        };
        nest::accesses_of(self.values[0]).flat_map(needed).collect()
    }

    /// Whether a reduction of what is made of the part is made of the reduction of the part in the same way.
    /// A mask, which does not change while the part is reduced, lets all of it through or nothing.
    pub(super) fn distributes(&self) -> bool {
        let reduction = self.assign.reduction();
        self.is_reached(self.assign.value(), &|op| goes_through(reduction, op))
    }

    /// Whether the part is in one place of a value, below masks and certain operations only.
    fn is_reached(&self, value: Val<'c>, is_passed: &dyn Fn(Op<'c>) -> bool) -> bool {
        if self.values == [value] {
            return true;
        }
        let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return false };
        match op.cast::<cin::Mask>() {
            Some(mask) => self.is_reached(mask.value(), is_passed),
            None => {
                is_passed(op) && op.operands().into_iter().any(|operand| self.is_reached(operand, is_passed))
            }
        }
    }
}

/// Whether an operation can as well be done once, on what a reduction of its operand yields, where nothing
/// else in it changes. Integers that wrap around have no order that addition keeps.
fn goes_through(reduction: Reduction, op: Op<'_>) -> bool {
    let combine = match Cin::of(op) {
        Some(Cin::Neg(_)) => return reduction == Reduction::Add,
        Some(Cin::Combine(combine)) => combine,
        _ => return false,
    };
    match (reduction, combine.op()) {
        (Reduction::Add, Operator::Mul)
        | (Reduction::Min | Reduction::Max, Operator::Min | Operator::Max) => true,
        (Reduction::Min | Reduction::Max, Operator::Add) => types::is_float(combine.result().r#type()),
        _ => false,
    }
}

/// The where-statement that leaves its result in a workspace.
pub(super) fn where_of(tensor: Val<'_>) -> Option<cin::Where<'_>> {
    let temporary = nest::temporary(tensor)?;
    temporary.next().and_then(|next| next.cast::<cin::Where>())
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
    let applied = |op: Op<'c>| match Cin::of(op) {
        Some(Cin::Combine(combine)) => combine.op().word(),
        Some(Cin::Unite(unite)) => unite.op().word(),
        Some(Cin::Apply(apply)) => apply.function().word(),
        _ => "",
    };
    is_value(first)
        && is_value(second)
        && first.name() == second.name()
        && applied(first) == applied(second)
        && left.len() == right.len()
        && left.into_iter().zip(right).all(|(left, right)| are_alike(left, right))
}

fn vars_of<'c>(value: Val<'c>) -> Vec<Val<'c>> {
    let under = |access: cin::Access<'c>| {
        let produced = where_of(access.tensor())
            .map_or(Vec::new(), |where_op| inside::<cin::Assign>(where_op.producer()));
        let summed = produced.into_iter().flat_map(|assign| vars_of(assign.value()));
        access.indices().into_iter().chain(summed).collect::<Vec<_>>()
    };
    nest::accesses_of(value).flat_map(under).collect()
}

fn inside<'c, T: OpView<'c>>(block: Block<'c>) -> Vec<T> {
    let mut found = Vec::new();
    for op in block.ops() {
        match op.cast::<T>() {
            Some(view) => found.push(view),
            None => found.extend(op.walk::<T>()),
        }
    }
    found
}
