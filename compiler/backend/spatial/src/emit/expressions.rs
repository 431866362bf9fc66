//! Values.
//!
//! The parts of a value are written in the order in which the text evaluates them. Constants have no type in
//! the text: they get that of what they meet.

use super::{Attributes, Writer};
use crate::cases::{Case, compares};
use comet_ir::spatial::{self, Place};
use comet_ir::{IrError, Result, Ty, Val};
use comet_spatial::app::{BarrierUse, Expr, ExprKind, Modify, Operator};
use melior::ir::ValueLike;

impl<'a, 'c> Writer<'a, 'c> {
    /// Writes a value, whatever its type.
    pub(super) fn any_expr(&mut self, expr: &'a Expr) -> Result<'c, Val<'c>> {
        let ty = self.type_of(expr).unwrap_or_else(|| self.type_of_constant(expr));
        self.expr(expr, ty)
    }

    /// Writes a value. Constants are of the type that is wanted.
    pub(super) fn expr(&mut self, expr: &'a Expr, wanted: Ty<'c>) -> Result<'c, Val<'c>> {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Text(_) | ExprKind::Bool(_) => {
                self.constant(&expr.kind, wanted)
            }
            ExprKind::Name(name) => self.name(name),
            ExprKind::To(value, element) => {
                let value = self.any_expr(value)?;
                self.value("spatial.cast", &[value], self.element(element)?, self.alias(element))
            }
            ExprKind::Read(memory, index) => self.read(memory, index),
            ExprKind::Dequeue(fifo) => self.of_memory("spatial.dequeue", fifo),
            ExprKind::Length(array) => {
                self.value("spatial.length", &[self.named(array)?], self.int(), Vec::new())
            }
            ExprKind::Argument(number) => {
                let number = self.expr(number, self.int())?;
                self.value("spatial.argument", &[number], self.place(Place::Text), Vec::new())
            }
            ExprKind::GetArg(argument) => self.of_memory("spatial.get_arg", argument),
            ExprKind::Negate(value) => self.unary("spatial.negate", value, wanted, Vec::new()),
            ExprKind::Not(value) => self.unary("spatial.not", value, self.bit(), Vec::new()),
            ExprKind::Call(function, value) => {
                let function = ("function", self.b.enum_attribute(function.number()));
                self.unary("spatial.call", value, wanted, vec![function])
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, [left, right], wanted),
            ExprKind::Mux(condition, then, otherwise) => {
                let condition = self.expr(condition, self.bit())?;
                let [then, otherwise] = self.two([then, otherwise], wanted)?;
                let operands = [condition, then, otherwise];
                self.value("spatial.mux", &operands, then.r#type(), Vec::new())
            }
            ExprKind::Modify(modify) => {
                let (operands, attributes) = self.modify(modify)?;
                let element = operands[2].r#type();
                self.value("spatial.modified", &operands, element, attributes)
            }
            ExprKind::BarrierRead { memory, index, barriers } => self.barrier_read(memory, index, barriers),
            ExprKind::Tabulate { .. } => {
                Err(IrError::not_supported(self.b.location(), "an array that has no name"))
            }
        }
    }

    fn constant(&self, kind: &ExprKind, wanted: Ty<'c>) -> Result<'c, Val<'c>> {
        let (operation, ty, value) = match kind {
            ExprKind::Int(value) => ("spatial.int", wanted, self.b.i64_attribute(*value)),
            ExprKind::Float(value) => ("spatial.float", wanted, self.b.f64_attribute(*value)),
            ExprKind::Text(text) => ("spatial.text", self.place(Place::Text), self.b.string_attribute(text)),
            ExprKind::Bool(value) => ("spatial.bool", self.bit(), self.b.bool_attribute(*value)),
            _ => unreachable!("callers pass a constant"),
        };
        self.value(operation, &[], ty, vec![("value", value)])
    }

    /// A value that has a name, or what a register or an argument of that name holds.
    fn name(&self, name: &str) -> Result<'c, Val<'c>> {
        match spatial::element(self.named(name)?.r#type()) {
            Some(_) => self.of_memory("spatial.get", name),
            None => self.named(name),
        }
    }

    /// What a memory gives by itself.
    fn of_memory(&self, operation: &str, name: &str) -> Result<'c, Val<'c>> {
        let (memory, element) = self.memory(name)?;
        self.value(operation, &[memory], element, Vec::new())
    }

    fn read(&mut self, memory: &str, index: &'a Expr) -> Result<'c, Val<'c>> {
        let (memory, element) = self.memory(memory)?;
        let index = self.expr(index, self.int())?;
        self.value("spatial.read", &[memory, index], element, Vec::new())
    }

    fn barrier_read(
        &mut self,
        memory: &str,
        index: &'a Expr,
        barriers: &'a [BarrierUse],
    ) -> Result<'c, Val<'c>> {
        let (memory, element) = self.memory(memory)?;
        let mut operands = vec![memory, self.expr(index, self.int())?];
        let actions = self.barriers(barriers, &mut operands)?;
        self.value("spatial.barrier_read", &operands, element, actions)
    }

    /// The operands and attributes of a modification.
    pub(super) fn modify(&mut self, modify: &'a Modify) -> Result<'c, (Vec<Val<'c>>, Attributes<'c>)> {
        let (memory, element) = self.memory(&modify.memory)?;
        let mut operands = vec![memory, self.expr(&modify.index, self.int())?];
        operands.push(self.expr(&modify.value, element)?);
        let mut attributes = self.barriers(&modify.barriers, &mut operands)?;
        attributes.push(("with", self.b.enum_attribute(modify.with.number())));
        attributes.push(("order", self.b.string_attribute(&modify.order)));
        Ok((operands, attributes))
    }

    /// Adds the barriers of an access to its operands; gives what it does with them.
    pub(super) fn barriers(
        &self,
        barriers: &[BarrierUse],
        operands: &mut Vec<Val<'c>>,
    ) -> Result<'c, Attributes<'c>> {
        if barriers.is_empty() {
            return Ok(Vec::new());
        }
        for used in barriers {
            operands.push(self.named(&used.barrier)?);
        }
        let actions: Vec<String> = barriers.iter().map(|used| used.action.word().to_owned()).collect();
        Ok(vec![("actions", self.b.strings_attribute(&actions))])
    }

    fn unary(
        &mut self,
        operation: &str,
        value: &'a Expr,
        wanted: Ty<'c>,
        attributes: Attributes<'c>,
    ) -> Result<'c, Val<'c>> {
        let value = self.expr(value, wanted)?;
        self.value(operation, &[value], value.r#type(), attributes)
    }

    fn binary(&mut self, operator: Operator, operands: [&'a Expr; 2], wanted: Ty<'c>) -> Result<'c, Val<'c>> {
        if self.is_text(operands[0]) || self.is_text(operands[1]) {
            return self.join(operands);
        }
        let wanted = if compares(operator) { self.type_of_constants(operands) } else { wanted };
        let operands = self.two(operands, wanted)?;
        let result = if compares(operator) { self.bit() } else { operands[0].r#type() };
        let attributes = vec![("op", self.b.enum_attribute(operator.number()))];
        self.value("spatial.binary", &operands, result, attributes)
    }

    /// The sum of texts is one behind the other, whatever their types.
    fn join(&mut self, operands: [&'a Expr; 2]) -> Result<'c, Val<'c>> {
        let operands = [self.any_expr(operands[0])?, self.any_expr(operands[1])?];
        self.value("spatial.join", &operands, self.place(Place::Text), Vec::new())
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
        let element = |name: &str| spatial::element(self.names.find(name)?.r#type());
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Tabulate { .. } => None,
            ExprKind::Text(_) | ExprKind::Argument(_) => Some(self.place(Place::Text)),
            ExprKind::Bool(_) | ExprKind::Not(_) => Some(self.bit()),
            ExprKind::Name(name) => element(name).or_else(|| Some(self.names.find(name)?.r#type())),
            ExprKind::To(_, ty) => self.element(ty).ok(),
            ExprKind::Read(memory, _)
            | ExprKind::Dequeue(memory)
            | ExprKind::GetArg(memory)
            | ExprKind::BarrierRead { memory, .. } => element(memory),
            ExprKind::Modify(modify) => element(&modify.memory),
            ExprKind::Length(_) => Some(self.int()),
            ExprKind::Negate(value) | ExprKind::Call(_, value) => self.type_of(value),
            ExprKind::Binary(operator, ..) if compares(*operator) => Some(self.bit()),
            // Each side is looked at once, as sums may be long; what is joined to a text is one.
            ExprKind::Binary(_, one, other) => match (self.type_of(one), self.type_of(other)) {
                (_, Some(text)) if text == self.place(Place::Text) => Some(text),
                (one, other) => one.or(other),
            },
            ExprKind::Mux(_, one, other) => self.type_of(one).or_else(|| self.type_of(other)),
        }
    }

    /// What a constant is where nothing tells.
    pub(super) fn type_of_constant(&self, expr: &Expr) -> Ty<'c> {
        self.type_of_size(size_of_constant(expr))
    }

    fn type_of_constants(&self, [one, other]: [&Expr; 2]) -> Ty<'c> {
        self.type_of_size(size_of_constant(one).max(size_of_constant(other)))
    }

    fn type_of_size(&self, size: Size) -> Ty<'c> {
        match size {
            Size::Int => self.int(),
            Size::Long => comet_ir::types::int(self.b.context(), 64),
            Size::Fraction => Ty::float64(self.b.context()),
        }
    }
}

/// What a constant needs, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Int,
    Long,
    Fraction,
}

fn size_of_constant(expr: &Expr) -> Size {
    match &expr.kind {
        ExprKind::Float(_) => Size::Fraction,
        ExprKind::Int(value) if i32::try_from(*value).is_err() => Size::Long,
        ExprKind::Negate(value) | ExprKind::Call(_, value) => size_of_constant(value),
        ExprKind::Binary(_, one, other) | ExprKind::Mux(_, one, other) => {
            size_of_constant(one).max(size_of_constant(other))
        }
        _ => Size::Int,
    }
}
