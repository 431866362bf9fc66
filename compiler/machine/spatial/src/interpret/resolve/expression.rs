//! Values: their types, and the order in which they are computed.
//!
//! A number in the text has no type of its own: it takes that of the other operand, or of what it is for.
//! What is computed from such numbers and the parameters alone is computed here.

use super::literal::{Literal, common, folded, own_type, settled, too_large};
use super::names::{Binding, Name, misread};
use super::{Resolver, Result};
use crate::app::{AppExpr, ExprKind, Function, Operator, Scalar, Type};
use crate::interpret::program::{ArrayKind, Divide, Node, Read};
use crate::interpret::scalar::{self, Unary};
use comet_diag::{Diagnostic, Span};

pub(super) enum Typed {
    Literal(Literal),
    Value(Node, Scalar),
}

impl Resolver<'_> {
    pub(super) fn value(&mut self, expr: &AppExpr, of: Scalar) -> Result<Node> {
        match self.expression(expr)? {
            Typed::Literal(literal) => settled(literal, of, expr.span).map(Node::Constant),
            Typed::Value(node, found) if found == of => Ok(node),
            Typed::Value(_, found) => {
                let error = format!("this is of type `{}`, and `{}` is needed", found.word(), of.word());
                Err(Diagnostic::error(expr.span, error).hint("convert it: `x.to[…]`").into())
            }
        }
    }

    /// A value of whatever type it has.
    pub(super) fn any(&mut self, expr: &AppExpr) -> Result<(Node, Scalar)> {
        match self.expression(expr)? {
            Typed::Value(node, of) => Ok((node, of)),
            Typed::Literal(literal) => {
                let of = own_type(literal);
                Ok((Node::Constant(settled(literal, of, expr.span)?), of))
            }
        }
    }

    /// An address, a length, a bound.
    pub(super) fn integer(&mut self, expr: &AppExpr) -> Result<Node> {
        Ok(self.any(expr)?.0)
    }

    /// An integer that is known before anything runs, if it is.
    pub(super) fn constant(&mut self, expr: &AppExpr) -> Result<Option<i64>> {
        match self.expression(expr)? {
            Typed::Literal(Literal::Integer(value)) => Ok(Some(value)),
            Typed::Value(Node::Constant(word), of) if of.is_integer() => Ok(Some(word as i64)),
            Typed::Literal(Literal::Real(_)) | Typed::Value(..) => Ok(None),
        }
    }

    pub(super) fn expression(&mut self, expr: &AppExpr) -> Result<Typed> {
        self.deeper(expr.span, |resolver| resolver.expression_at(expr))
    }

    fn expression_at(&mut self, expr: &AppExpr) -> Result<Typed> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Typed::Literal(Literal::Integer(*value))),
            ExprKind::Float(value) => Ok(Typed::Literal(Literal::Real(*value))),
            ExprKind::Bool(value) => Ok(Typed::Value(Node::Constant(u64::from(*value)), Scalar::Bit)),
            ExprKind::Name(name) => self.named(name, span),
            ExprKind::To(operand, of) => self.converted(operand, of, span),
            ExprKind::Read(memory, index) => self.element(memory, index, span),
            ExprKind::Dequeue(fifo) => {
                let (fifo, of) = self.fifo(fifo, "dequeued from", span)?;
                Ok(Typed::Value(Node::Dequeue(fifo, span), of))
            }
            ExprKind::Length(array) => {
                let (array, _) = self.array_named(array);
                Ok(Typed::Value(Node::Length(array), Scalar::Int))
            }
            ExprKind::Argument(number) => self.argument(number, span),
            ExprKind::GetArg(name) => self.get_arg(name, span),
            ExprKind::Negate(operand) => self.negated(operand, span),
            ExprKind::Not(operand) => {
                let node = self.value(operand, Scalar::Bit)?;
                Ok(Typed::Value(Node::Unary(|bit| bit ^ 1, Box::new(node)), Scalar::Bit))
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, span),
            ExprKind::Mux(condition, left, right) => self.mux(condition, left, right),
            ExprKind::Call(function, operand) => self.called(*function, operand, span),
            ExprKind::Modify(modify) => self.modified(modify, span),
            ExprKind::BarrierRead { memory, index, barriers } => {
                self.barrier_read(memory, index, barriers, span)
            }
            ExprKind::Text(_) => Err(Diagnostic::error(span, "a text is no value to compute with").into()),
            ExprKind::Tabulate { .. } => unreachable!("`read` takes arrays for no values"),
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Result<Typed> {
        let found = self.name(name);
        match found.binding {
            Binding::Constant(literal) => Ok(Typed::Literal(literal)),
            Binding::Word(word, of) => Ok(Typed::Value(Node::Constant(word), of)),
            Binding::Value(slot, of) => {
                self.check_side(name, found, span)?;
                Ok(Typed::Value(Node::Slot(slot), of))
            }
            Binding::Register(slot, of) => Ok(Typed::Value(Node::Slot(slot), of)),
            Binding::ArgIn(argument) if argument.is_set => {
                Ok(Typed::Value(Node::Slot(argument.slot), argument.of))
            }
            Binding::ArgIn(_) => {
                let error = Diagnostic::error(span, format!("`{name}` is used and was not set"));
                let error = error.also(found.span, "declared here");
                Err(error.hint(format!("set it before: `setArg({name}, …)`")).into())
            }
            _ => misread(name),
        }
    }

    /// Values of the host are not there on the accelerator.
    fn check_side(&self, name: &str, found: Name, span: Span) -> Result<()> {
        if !(self.is_accelerator && found.is_host) {
            return Ok(());
        }
        let error = format!("`{name}` is of the host, and is used on the accelerator");
        Err(Diagnostic::error(span, error)
            .also(found.span, "declared here")
            .hint("pass it as an argument: `ArgIn[T]` and `setArg`")
            .into())
    }

    fn converted(&mut self, operand: &AppExpr, of: &Type, span: Span) -> Result<Typed> {
        let to = self.scalar(of);
        let (node, from) = match self.expression(operand)? {
            Typed::Literal(literal @ Literal::Real(_)) if to.is_integer() => {
                (Node::Constant(settled(literal, Scalar::Double, span)?), Scalar::Double)
            }
            Typed::Literal(literal) => {
                return Ok(Typed::Value(Node::Constant(settled(literal, to, span)?), to));
            }
            Typed::Value(node, from) => (node, from),
        };
        let convert = scalar::convert(from, to).ok_or_else(|| {
            let error = format!("`{}` cannot be converted to `{}`", from.word(), to.word());
            Diagnostic::error(span, error).hint("compare it: `x != 0`")
        })?;
        Ok(Typed::Value(unary(convert, node), to))
    }

    pub(super) fn element(&mut self, memory: &str, index: &AppExpr, span: Span) -> Result<Typed> {
        let found = self.name(memory);
        let (place, of) = match found.binding {
            Binding::Array(array, ArrayKind::Host, of) => (self.place(array, found), of),
            _ => self.elements(memory, found, span)?,
        };
        let read = Box::new(Read { place, index: self.integer(index)?, span });
        let is_dram = self.program.arrays[read.place.array].kind == ArrayKind::Dram;
        Ok(Typed::Value(if is_dram { Node::ReadDram(read) } else { Node::Read(read) }, of))
    }

    fn negated(&mut self, operand: &AppExpr, span: Span) -> Result<Typed> {
        let (node, of) = match self.expression(operand)? {
            Typed::Literal(Literal::Real(value)) => return Ok(Typed::Literal(Literal::Real(-value))),
            Typed::Literal(Literal::Integer(value)) => {
                let value = value.checked_neg().ok_or_else(|| too_large(span))?;
                return Ok(Typed::Literal(Literal::Integer(value)));
            }
            Typed::Value(node, of) => (node, of),
        };
        let negate = scalar::negate(of).ok_or_else(|| has_no("-", of, span))?;
        Ok(Typed::Value(unary(negate, node), of))
    }

    fn called(&mut self, function: Function, operand: &AppExpr, span: Span) -> Result<Typed> {
        let (node, of) = self.any(operand)?;
        let name = function.word();
        let function = scalar::function(function, of).ok_or_else(|| has_no(name, of, span))?;
        Ok(Typed::Value(unary(function, node), of))
    }

    fn binary(&mut self, operator: Operator, left: &AppExpr, right: &AppExpr, span: Span) -> Result<Typed> {
        let spans = [left.span, right.span];
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        let (operands, of) = match (left, right) {
            (Typed::Literal(left), Typed::Literal(right)) => return folded(operator, left, right, span),
            (left, right) => alike(left, right, spans)?,
        };
        let operation = scalar::binary(operator, of).ok_or_else(|| has_no(operator.word(), of, span))?;
        let result = if operator.compares() { Scalar::Bit } else { of };
        let node = match operator {
            Operator::Divide | Operator::Remainder if of.is_integer() => {
                Node::Divide(Box::new(Divide { operation, operands, span }))
            }
            _ => Node::Binary(operation, Box::new(operands)),
        };
        Ok(Typed::Value(node, result))
    }

    fn mux(&mut self, condition: &AppExpr, left: &AppExpr, right: &AppExpr) -> Result<Typed> {
        let condition = self.value(condition, Scalar::Bit)?;
        let spans = [left.span, right.span];
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        let ([left, right], of) = alike(left, right, spans)?;
        Ok(Typed::Value(Node::Mux(Box::new([condition, left, right])), of))
    }
}

fn unary(operation: Unary, operand: Node) -> Node {
    match operand {
        Node::Constant(word) => Node::Constant(operation(word)),
        operand => Node::Unary(operation, Box::new(operand)),
    }
}

/// Two values of the same type; a number takes that of the other.
fn alike(left: Typed, right: Typed, spans: [Span; 2]) -> Result<([Node; 2], Scalar)> {
    let of = match (&left, &right) {
        (Typed::Value(_, left), Typed::Value(_, right)) if left != right => {
            let error = format!("`{}` and `{}` meet here", left.word(), right.word());
            let error = Diagnostic::error(spans[0].to(spans[1]), error);
            return Err(error.hint("convert one of them: `x.to[…]`").into());
        }
        (Typed::Value(_, of), _) | (_, Typed::Value(_, of)) => *of,
        (Typed::Literal(left), Typed::Literal(right)) => common(*left, *right),
    };
    let node = |typed, span| match typed {
        Typed::Value(node, _) => Ok(node),
        Typed::Literal(literal) => settled(literal, of, span).map(Node::Constant),
    };
    Ok(([node(left, spans[0])?, node(right, spans[1])?], of))
}

/// An operation that is not there for a type.
pub(super) fn has_no(operation: &str, of: Scalar, span: Span) -> Box<Diagnostic> {
    Diagnostic::error(span, format!("there is no `{operation}` for type `{}`", of.word())).into()
}
