//! Makes operations.
//!
//! A builder is an insertion point and a location; it is copied freely. The files below add the operations
//! of one dialect each.

pub(crate) mod arith;
mod call;
mod complex;
mod memref;
pub(crate) mod scf;
mod stored;
mod vector;

use crate::attribute::ToAttribute;
use crate::{Attr, Block, Loc, Op, Result, Ty, Val};
use melior::Context;
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use melior::ir::operation::{Operation, OperationBuilder};
use melior::ir::{Identifier, Region};
use mlir_sys::mlirOperationClone;

/// Where new operations go and which location they get.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: &'c Context,
    block: Block<'c>,
    before: Option<Op<'c>>,
    location: Loc<'c>,
}

impl<'c> Builder<'c> {
    /// Before `op`, with its location. Panics for an operation that stands in no block.
    pub fn before(op: impl Into<Op<'c>>) -> Self {
        let op = op.into();
        let block = op.block().expect("an operation of a module stands in a block");
        Self { context: op.context(), block, before: Some(op), location: op.location() }
    }

    pub fn at_end(context: &'c Context, block: Block<'c>, location: Loc<'c>) -> Self {
        Self { context, block, before: None, location }
    }

    #[must_use]
    pub fn with_location(self, location: Loc<'c>) -> Self {
        Self { location, ..self }
    }

    pub fn context(self) -> &'c Context {
        self.context
    }

    /// The location that new operations get.
    pub fn location(self) -> Loc<'c> {
        self.location
    }

    pub fn block(self) -> Block<'c> {
        self.block
    }

    /// The operation right in front of the place where new ones go.
    pub fn last(self) -> Option<Op<'c>> {
        let ops = self.block.ops();
        let end = self.before.and_then(|before| ops.iter().position(|op| *op == before));
        ops[..end.unwrap_or(ops.len())].last().copied()
    }

    /// Inserts an operation that a typed builder has made.
    pub fn insert(self, op: impl Into<Operation<'c>>) -> Op<'c> {
        match self.before {
            Some(before) => self.block.insert_before(before, op.into()),
            None => self.block.append(op.into()),
        }
    }

    /// Inserts a copy of an operation, and of what is inside, that has other operands.
    pub fn copy(self, op: Op<'c>, operand: impl Fn(Val<'c>) -> Val<'c>) -> Op<'c> {
        // SAFETY: the operation lives, and the copy is nobody else's.
        let copy = self.insert(unsafe { Operation::from_raw(mlirOperationClone(op.to_raw())) });
        let change = |op: Op<'c>| {
            for (index, old) in op.operands().into_iter().enumerate() {
                op.set_operand(index, operand(old));
            }
        };
        change(copy);
        copy.for_each_inside(&mut |inner| change(inner));
        copy
    }

    /// Makes an operation by its name; the files below and the dialects' builders give each its own function.
    pub fn op(
        self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Ty<'c>],
        attributes: &[(&str, Attr<'c>)],
    ) -> Result<'c, Op<'c>> {
        self.op_with_regions(name, operands, results, attributes, Vec::new())
    }

    /// The same with regions.
    pub fn op_with_regions(
        self,
        name: &str,
        operands: &[Val<'c>],
        results: &[Ty<'c>],
        attributes: &[(&str, Attr<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Result<'c, Op<'c>> {
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(self.context, name), *value)).collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()?;
        Ok(self.insert(op))
    }

    /// An operation with one result.
    pub fn value(self, name: &str, operands: &[Val<'c>], result: Ty<'c>) -> Result<'c, Val<'c>> {
        Ok(self.op(name, operands, &[result], &[])?.result(0))
    }

    pub fn attribute(self, value: impl ToAttribute<'c>) -> Attr<'c> {
        value.to_attribute(self.context)
    }

    /// A number as an attribute of a value type.
    pub fn number_attribute(self, ty: Ty<'c>, value: f64, exact: i64) -> Attr<'c> {
        if crate::types::is_float(ty) {
            FloatAttribute::new(self.context, ty, value).into()
        } else {
            IntegerAttribute::new(ty, exact).into()
        }
    }
}
