//! Copies of values and of the statements that their sums are computed by, under other index variables.

use super::loops::{copy_marks, open};
use super::part::where_of;
use crate::nest::{self, WorkspaceKind, point};
use crate::schedule::is_value;
use comet_ir::{Attr, Block, Builder, Op, Result, Ty, Val, cin};
use melior::ir::ValueLike;

/// What says what an operation does, operands aside.
const ATTRIBUTES: [&str; 6] = ["op", "complement", "reduction", "name", "kind", "capacity"];

/// What stands for what in the copy.
pub(super) struct Copier<'c> {
    values: Vec<(Val<'c>, Val<'c>)>,
}

impl<'c> Copier<'c> {
    /// With other index variables for some.
    pub(super) fn of(vars: &[(Val<'c>, Val<'c>)]) -> Self {
        Self { values: vars.to_vec() }
    }

    /// A value, inside of where-statements for the scalars that it reads; gives the place inside of these.
    pub(super) fn value_with_sums(
        &mut self,
        b: Builder<'c>,
        value: Val<'c>,
    ) -> Result<'c, (Builder<'c>, Val<'c>)> {
        let mut scalars = Vec::new();
        scalars_of(value, &mut scalars);
        let mut b = b;
        for scalar in scalars {
            let Some(where_op) = where_of(scalar) else { continue };
            let temporary = Op::defining(scalar).expect("it is a workspace");
            self.copy(b, temporary)?;
            let regions = vec![b.region(&[]), b.region(&[])];
            let copy = b.op_with_regions("cin.where", &[], &[], &[], regions)?;
            self.block(b.inside(copy.body(1)), where_op.body(1))?;
            b = b.inside(copy.body(0));
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
            if op.is::<cin::Forall>() {
                let copy = open(b, self.own(op.operand(0)))?;
                copy_marks(op, copy);
                self.block(b.inside(copy.body(0)), op.body(0))?;
            } else if op.is::<cin::Where>() {
                let regions = vec![b.region(&[]), b.region(&[])];
                let copy = b.op_with_regions("cin.where", &[], &[], &[], regions)?;
                self.block(b.inside(copy.body(0)), op.body(0))?;
                self.block(b.inside(copy.body(1)), op.body(1))?;
            } else if op.is::<cin::Temporary>() || is_value(op) {
                self.copy(b, op)?;
            } else if op.is::<cin::Assign>() {
                self.emit(b, op)?;
            }
        }
        Ok(())
    }

    fn copy(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Val<'c>> {
        let copy = self.emit(b, op)?.result(0);
        self.values.push((op.result(0), copy));
        Ok(copy)
    }

    fn emit(&self, b: Builder<'c>, op: Op<'c>) -> Result<'c, Op<'c>> {
        let operands: Vec<Val<'c>> = op.operands().into_iter().map(|operand| self.own(operand)).collect();
        let results: Vec<Ty<'c>> = (0..op.result_count()).map(|index| op.result(index).r#type()).collect();
        let attributes: Vec<(&str, Attr<'c>)> =
            ATTRIBUTES.iter().filter_map(|name| Some((*name, op.attribute(name)?))).collect();
        b.op(&op.name(), &operands, &results, &attributes)
    }

    fn own(&self, value: Val<'c>) -> Val<'c> {
        self.values.iter().rev().find(|(other, _)| *other == value).map_or(value, |(_, own)| *own)
    }
}

/// The scalars that a value reads, each once.
fn scalars_of<'c>(value: Val<'c>, found: &mut Vec<Val<'c>>) {
    let Some(op) = Op::defining(value).filter(|op| is_value(*op)) else { return };
    if !op.is::<cin::Access>() {
        op.operands().into_iter().for_each(|operand| scalars_of(operand, found));
        return;
    }
    let (tensor, _) = point(op);
    let is_scalar = nest::temporary(tensor).is_some_and(|op| WorkspaceKind::of(op) == WorkspaceKind::Scalar);
    if is_scalar && !found.contains(&tensor) {
        found.push(tensor);
    }
}
