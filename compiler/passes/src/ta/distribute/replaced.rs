//! Results that take the place of an operand: `x = x + p` is computed in a tensor of its own, which is moved
//! to `x`. This is done with the local parts, so that `cin-in-place` can write to that of `x`.

use crate::nest;
use comet_ir::{Builder, Op, Result, Val, format, ta};
use melior::ir::ValueLike;

/// The operand of an assignment that assigns to it.
const TARGET: usize = 1;

/// What becomes of a result behind the statement.
pub(super) struct Replaced<'c> {
    declaration: ta::TensorDecl<'c>,
    moved: ta::Move<'c>,
    released: ta::Release<'c>,
}

/// A local result, and the local part that it is moved to.
pub(super) struct LocalResult<'c> {
    result: Val<'c>,
    target: Val<'c>,
}

impl<'c> Replaced<'c> {
    /// Looks for a dense result without reductions that is only declared, assigned, moved and released.
    pub(super) fn behind(op: Op<'c>) -> Option<Self> {
        let set: ta::Set<'c> = op.cast()?;
        let result = set.operands()[TARGET];
        let declaration = ta::TensorDecl::defining(result)?;
        let uses: Vec<Op<'c>> = declaration.following().filter(|op| op.names(result)).collect();
        let [assigned, moved, released] = uses[..] else { return None };
        let (moved, released) = (moved.cast::<ta::Move<'c>>()?, released.cast::<ta::Release<'c>>()?);
        let is_between = |other: &Op<'c>| *other != *moved;
        let untouched = |other: Op<'c>| other.is::<ta::Release>() || !other.names(moved.target());
        let is_next = assigned == op && op.following().take_while(is_between).all(untouched);
        let is_same = result.r#type() == moved.target().r#type() && set.beta() == 0.0;
        if !is_next || !is_same || !format::of(result).is_dense() || !is_elementwise(set, moved.target()) {
            return None;
        }
        Some(Self { declaration, moved, released })
    }

    /// Has the statement assign to what the result is moved to.
    pub(super) fn assign_target(&self, op: Op<'c>) {
        op.set_operand(TARGET, self.moved.target());
    }

    /// Declares a local result for the part of what it is moved to.
    pub(super) fn declare_local(
        self,
        b: Builder<'c>,
        op: Op<'c>,
        target: Val<'c>,
    ) -> Result<'c, LocalResult<'c>> {
        let labels = ta::TensorDecl::defining(target).map_or(Vec::new(), |declared| declared.labels());
        let name = nest::name(self.declaration.tensor());
        let result = ta::TensorDecl::build(b, &name, &labels, target.r#type())?.tensor();
        op.set_operand(TARGET, result);
        self.moved.erase();
        self.released.erase();
        self.declaration.erase();
        Ok(LocalResult { result, target })
    }
}

impl<'c> LocalResult<'c> {
    /// Moves it, and ends its life.
    pub(super) fn move_local(self, after: Builder<'c>) -> Result<'c, ()> {
        ta::Move::build(after, self.result, self.target)?;
        ta::Release::build(after, self.result)?;
        Ok(())
    }
}

/// Whether nothing is reduced, and each element of a target is computed from no other one of it.
fn is_elementwise<'c>(set: ta::Set<'c>, target: Val<'c>) -> bool {
    let (mut values, labels) = (vec![set.value()], set.labels());
    while let Some(value) = values.pop() {
        let Some(op) = Op::defining(value).filter(|op| ta::is_expression(*op)) else { continue };
        let reads_other =
            |access: ta::LabeledTensor<'c>| access.operands()[0] == target && access.labels() != labels;
        if op.is::<ta::Reduce>() || op.cast::<ta::LabeledTensor<'c>>().is_some_and(reads_other) {
            return false;
        }
        if !op.is::<ta::LabeledTensor>() {
            values.extend(op.operands());
        }
    }
    true
}
