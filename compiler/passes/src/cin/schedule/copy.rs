//! Copies of values and of the statements that their sums are computed by, under other index variables.

use super::loops::copy_marks;
use super::part::where_of;
use crate::nest::{self, WorkspaceKind};
use crate::schedule::is_value;
use comet_ir::cin::{self, Cin};
use comet_ir::{Block, Builder, Op, Result, Val};
use comet_notation::distinct;

/// What stands for what in the copy.
pub(super) struct Copier<'c> {
    values: Vec<(Val<'c>, Val<'c>)>,
}

impl<'c> Copier<'c> {
    pub(super) fn of(vars: &[(Val<'c>, Val<'c>)]) -> Self {
        Self { values: vars.to_vec() }
    }

    /// A value, inside of where-statements for the scalars that it reads; returns the place inside of these.
    pub(super) fn value_with_sums(
        &mut self,
        b: Builder<'c>,
        value: Val<'c>,
    ) -> Result<'c, (Builder<'c>, Val<'c>)> {
        let read = nest::accesses_of(value).map(|access| access.tensor());
        let is_scalar =
            |tensor: &Val<'c>| nest::temporary(*tensor).is_some_and(|op| op.kind() == WorkspaceKind::Scalar);
        let scalars = distinct(read.filter(is_scalar));
        let mut b = b;
        for scalar in scalars {
            let Some(where_op) = where_of(scalar) else { continue };
            let temporary = nest::temporary(scalar).expect("it is a workspace");
            self.copy(b, *temporary)?;
            let copy = cin::Where::build(b)?;
            self.block(b.inside(copy.producer()), where_op.producer())?;
            b = b.inside(copy.consumer());
        }
        let copy = self.value(b, value)?;
        Ok((b, copy))
    }

    fn value(&mut self, b: Builder<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
        let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return Ok(value) };
        for operand in op.operands() {
            let own = self.value(b, operand)?;
            if own != operand {
                self.values.push((operand, own));
            }
        }
        self.copy(b, op)
    }

    fn block(&mut self, b: Builder<'c>, block: Block<'c>) -> Result<'c, ()> {
        for op in block.ops() {
            match Cin::of(op) {
                Some(Cin::Forall(forall)) => {
                    let copy = cin::Forall::build(b, self.own(forall.var()))?;
                    copy_marks(forall, copy);
                    self.block(b.inside(copy.body()), forall.body())?;
                }
                Some(Cin::Where(where_op)) => {
                    let copy = cin::Where::build(b)?;
                    self.block(b.inside(copy.consumer()), where_op.consumer())?;
                    self.block(b.inside(copy.producer()), where_op.producer())?;
                }
                Some(Cin::Assign(assign)) => {
                    let indices: Vec<Val<'c>> =
                        assign.indices().into_iter().map(|index| self.own(index)).collect();
                    let (value, tensor) = (self.own(assign.value()), self.own(assign.tensor()));
                    cin::Assign::build(b, value, tensor, &indices, assign.reduction())?;
                }
                Some(Cin::Temporary(_)) => {
                    self.copy(b, op)?;
                }
                _ if is_value(op) => {
                    self.copy(b, op)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn copy(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Val<'c>> {
        let copy = b.copy(op, |operand| self.own(operand));
        copy.set_location(b.location());
        let copy = copy.result(0);
        self.values.push((op.result(0), copy));
        Ok(copy)
    }

    fn own(&self, value: Val<'c>) -> Val<'c> {
        self.values.iter().rev().find(|(other, _)| *other == value).map_or(value, |(_, own)| *own)
    }
}
