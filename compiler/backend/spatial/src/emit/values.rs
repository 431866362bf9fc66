//! Values.
//!
//! The parts of a value are written in the order in which the text evaluates them. Constants have no type in
//! the text: they get that of the values that they are combined with.

use super::{AppWriter, alias};
use crate::words::SameWords;
use comet_ir::spatial::{self as ops, ModifiedArgs, Place};
use comet_ir::{IrError, Result, Ty, Val, types};
use comet_spatial::app::{Expr, ExprKind, Modify, Operator};
use melior::ir::ValueLike;

impl<'a, 'c> AppWriter<'a, 'c> {
    /// Writes a value, whatever its type.
    pub(super) fn any_expr(&mut self, expr: &'a Expr) -> Result<'c, Val<'c>> {
        let ty = self.type_of(expr).unwrap_or_else(|| self.type_of_constant(expr));
        self.expr(expr, ty)
    }

    /// Writes a value. Constants are of the type that is wanted.
    pub(super) fn expr(&mut self, expr: &'a Expr, wanted: Ty<'c>) -> Result<'c, Val<'c>> {
        Ok(match &expr.kind {
            ExprKind::Int(value) => ops::Int::build(self.b, *value, wanted)?.result(),
            ExprKind::Float(value) => ops::Float::build(self.b, *value, wanted)?.result(),
            ExprKind::Text(text) => ops::Text::build(self.b, text)?.result(),
            ExprKind::Bool(value) => ops::Bool::build(self.b, *value)?.result(),
            // A value that has a name, or what a register or an argument of that name holds.
            ExprKind::Name(name) => match ops::element(self.named(name)?.r#type()) {
                Some(element) => ops::Get::build(self.b, self.named(name)?, element)?.result(),
                None => self.named(name)?,
            },
            ExprKind::To(value, element) => {
                let value = self.any_expr(value)?;
                let op = ops::Cast::build(self.b, value, self.element(element)?)?;
                op.set_alias(alias(element)).result()
            }
            ExprKind::Read(memory, index) => {
                let (memory, element) = self.memory(memory)?;
                let index = self.expr(index, self.int())?;
                ops::Read::build(self.b, memory, index, element)?.result()
            }
            ExprKind::Dequeue(fifo) => {
                let (fifo, element) = self.memory(fifo)?;
                ops::Dequeue::build(self.b, fifo, element)?.result()
            }
            ExprKind::Length(array) => ops::Length::build(self.b, self.named(array)?)?.result(),
            ExprKind::Argument(number) => {
                let number = self.expr(number, self.int())?;
                ops::Argument::build(self.b, number)?.result()
            }
            ExprKind::GetArg(argument) => {
                let (argument, element) = self.memory(argument)?;
                ops::GetArg::build(self.b, argument, element)?.result()
            }
            ExprKind::Negate(value) => {
                let value = self.expr(value, wanted)?;
                ops::Negate::build(self.b, value)?.result()
            }
            ExprKind::Not(value) => {
                let value = self.expr(value, self.bit())?;
                ops::Not::build(self.b, value)?.result()
            }
            ExprKind::Call(function, value) => {
                let value = self.expr(value, wanted)?;
                ops::Call::build(self.b, function.same_word(), value)?.result()
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, [left, right], wanted)?,
            ExprKind::Mux(condition, then, otherwise) => {
                let condition = self.expr(condition, self.bit())?;
                let [then, otherwise] = self.two([then, otherwise], wanted)?;
                ops::Mux::build(self.b, condition, then, otherwise)?.result()
            }
            ExprKind::Modify(modify) => self.modified(modify)?,
            ExprKind::BarrierRead { memory, index, barriers } => {
                let (memory, element) = self.memory(memory)?;
                let index = self.expr(index, self.int())?;
                let (barriers, actions) = self.barriers(barriers)?;
                let op = ops::BarrierRead::build(self.b, memory, index, &barriers, element)?;
                op.set_actions(actions.as_deref()).result()
            }
            ExprKind::Tabulate { .. } => {
                return Err(IrError::not_supported(self.b.location(), "an array that has no name"));
            }
        })
    }

    fn modified(&mut self, modify: &'a Modify) -> Result<'c, Val<'c>> {
        let Modify { memory, index, value, with, order, barriers } = modify;
        let (memory, index, value) = self.element_of(memory, index, value)?;
        let (barriers, actions) = self.barriers(barriers)?;
        let (barriers, with, result_type) = (&barriers[..], with.same_word(), value.r#type());
        let args = ModifiedArgs { memory, index, value, barriers, with, order, result_type };
        Ok(ops::Modified::build(self.b, args)?.set_actions(actions.as_deref()).result())
    }

    fn binary(&mut self, operator: Operator, operands: [&'a Expr; 2], wanted: Ty<'c>) -> Result<'c, Val<'c>> {
        // The sum of texts is one after the other, whatever their types.
        if self.is_text(operands[0]) || self.is_text(operands[1]) {
            let [left, right] = [self.any_expr(operands[0])?, self.any_expr(operands[1])?];
            return Ok(ops::Join::build(self.b, left, right)?.result());
        }
        let wanted = if operator.compares() { self.type_of_constants(operands) } else { wanted };
        let [left, right] = self.two(operands, wanted)?;
        let result = if operator.compares() { self.bit() } else { left.r#type() };
        Ok(ops::Binary::build(self.b, operator.same_word(), left, right, result)?.result())
    }

    fn is_text(&self, expr: &Expr) -> bool {
        self.type_of(expr) == Some(self.place(Place::Text))
    }

    /// Two values of one type. Where one of them is a constant, it is of the other's.
    fn two(&mut self, [one, other]: [&'a Expr; 2], wanted: Ty<'c>) -> Result<'c, [Val<'c>; 2]> {
        let ty = self.type_of(one).or_else(|| self.type_of(other)).unwrap_or(wanted);
        Ok([self.expr(one, ty)?, self.expr(other, ty)?])
    }

    /// The type of a value; none for a constant, and for what has no type.
    pub(super) fn type_of(&self, expr: &Expr) -> Option<Ty<'c>> {
        let element = |name: &str| ops::element(self.find(name)?.r#type());
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Tabulate { .. } => None,
            ExprKind::Text(_) | ExprKind::Argument(_) => Some(self.place(Place::Text)),
            ExprKind::Bool(_) | ExprKind::Not(_) => Some(self.bit()),
            ExprKind::Name(name) => element(name).or_else(|| Some(self.find(name)?.r#type())),
            ExprKind::To(_, ty) => self.element(ty).ok(),
            ExprKind::Read(memory, _)
            | ExprKind::Dequeue(memory)
            | ExprKind::GetArg(memory)
            | ExprKind::BarrierRead { memory, .. } => element(memory),
            ExprKind::Modify(modify) => element(&modify.memory),
            ExprKind::Length(_) => Some(self.int()),
            ExprKind::Negate(value) | ExprKind::Call(_, value) => self.type_of(value),
            ExprKind::Binary(operator, ..) if operator.compares() => Some(self.bit()),
            // Each side is looked at once, as sums may be long; what is joined to a text is one.
            ExprKind::Binary(_, one, other) => match (self.type_of(one), self.type_of(other)) {
                (_, Some(text)) if text == self.place(Place::Text) => Some(text),
                (one, other) => one.or(other),
            },
            ExprKind::Mux(_, one, other) => self.type_of(one).or_else(|| self.type_of(other)),
        }
    }

    /// The type of a constant where nothing decides it.
    pub(super) fn type_of_constant(&self, expr: &Expr) -> Ty<'c> {
        self.type_of_size(size_of_constant(expr))
    }

    fn type_of_constants(&self, [one, other]: [&Expr; 2]) -> Ty<'c> {
        self.type_of_size(size_of_constant(one).max(size_of_constant(other)))
    }

    fn type_of_size(&self, size: ConstantSize) -> Ty<'c> {
        match size {
            ConstantSize::Int => self.int(),
            ConstantSize::Long => types::int(self.b.context(), 64),
            ConstantSize::Fraction => Ty::float64(self.b.context()),
        }
    }
}

/// What a constant needs, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ConstantSize {
    Int,
    Long,
    Fraction,
}

fn size_of_constant(expr: &Expr) -> ConstantSize {
    match &expr.kind {
        ExprKind::Float(_) => ConstantSize::Fraction,
        ExprKind::Int(value) if i32::try_from(*value).is_err() => ConstantSize::Long,
        ExprKind::Negate(value) | ExprKind::Call(_, value) => size_of_constant(value),
        ExprKind::Binary(_, one, other) | ExprKind::Mux(_, one, other) => {
            size_of_constant(one).max(size_of_constant(other))
        }
        _ => ConstantSize::Int,
    }
}
