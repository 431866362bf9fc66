//! Values.

use super::call::Call;
use super::operator;
use super::scope::{Side, TextReader};
use super::typed::{Typed, Valued, common};
use crate::app::{Expr, ExprKind, Operator, Scalar};
use crate::text::Result;
use crate::text::tree::{Braces, ItemKind, Term, TermKind, TypeName, Word};
use comet_diag::{Diagnostic, Span};

impl TextReader {
    pub(super) fn expression(&self, term: &Term) -> Result<Valued> {
        let span = term.span;
        let constant = |kind, typed| Ok(Valued::new(kind, span, typed));
        match &term.kind {
            TermKind::Int(value) => constant(ExprKind::Int(*value), Typed::Whole),
            TermKind::Float(value) => constant(ExprKind::Float(*value), Typed::Fraction),
            TermKind::Bool(value) => constant(ExprKind::Bool(*value), Typed::Is(Scalar::Bit)),
            TermKind::Text(text) if self.side == Side::Host => {
                constant(ExprKind::Text(text.clone()), Typed::Text)
            }
            TermKind::Text(_) => Err(Diagnostic::error(span, "a text is no value of the accelerator")
                .hint("print on the host, with what `getArg` and `getMem` give")),
            TermKind::Binary(operator, left, right) => self.binary(operator, left, right, span),
            TermKind::Prefix(operator, operand) => self.prefix(operator, operand, span),
            TermKind::If(condition, then, otherwise) => {
                self.choice(condition, then, otherwise.as_deref(), span)
            }
            TermKind::Braces(braces) => self.expression(only_value(braces, span)?),
            TermKind::Tuple(_) => Err(Diagnostic::error(span, "several values, expected one")
                .hint("memories here have one dimension: write `m(i * n + j)`")),
            TermKind::Name(_) | TermKind::Select(..) | TermKind::Types(..) | TermKind::Apply(..) => {
                match Call::of(term) {
                    Some(call) => self.called(&call),
                    None => Err(Diagnostic::error(span, "this is no call").hint("a call begins with a name")),
                }
            }
        }
    }

    /// A value that counts or addresses something.
    pub(super) fn integer(&self, term: &Term) -> Result<Expr> {
        self.expression(term)?.integer()
    }

    fn binary(&self, operator: &Word, left: &Term, right: &Term, span: Span) -> Result<Valued> {
        let operator = operator::binary(operator)?;
        let (left, right) = (self.expression(left)?, self.expression(right)?);
        self.combined(operator, left, right, span)
    }

    pub(super) fn combined(
        &self,
        operator: Operator,
        left: Valued,
        right: Valued,
        span: Span,
    ) -> Result<Valued> {
        let is_text = left.typed == Typed::Text || right.typed == Typed::Text;
        let typed = match operator {
            Operator::Add if is_text => Typed::Text,
            _ if operator.compares() => {
                common(&left, &right)?;
                Typed::Is(Scalar::Bit)
            }
            Operator::And | Operator::Or => {
                left.clone().condition()?;
                right.clone().condition()?;
                Typed::Is(Scalar::Bit)
            }
            _ => {
                left.number()?;
                right.number()?;
                common(&left, &right)?
            }
        };
        let kind = ExprKind::Binary(operator, Box::new(left.expr), Box::new(right.expr));
        Ok(Valued::new(kind, span, typed))
    }

    fn prefix(&self, operator: &Word, operand: &Term, span: Span) -> Result<Valued> {
        let operand = self.expression(operand)?;
        match operator.text.as_str() {
            "-" => {
                operand.number()?;
                Ok(Valued::new(ExprKind::Negate(Box::new(operand.expr)), span, operand.typed))
            }
            "!" => {
                let kind = ExprKind::Not(Box::new(operand.condition()?));
                Ok(Valued::new(kind, span, Scalar::Bit))
            }
            "+" => Ok(operand),
            _ => Err(operator::unknown(operator)),
        }
    }

    /// `if (c) a else b` as a value is `mux(c, a, b)`, where nothing is taken from a FIFO in between.
    fn choice(&self, condition: &Term, then: &Term, otherwise: Option<&Term>, span: Span) -> Result<Valued> {
        let Some(otherwise) = otherwise else {
            return Err(Diagnostic::error(span, "a value only where a condition holds")
                .hint("say what it is elsewhere: `if (c) a else b`"));
        };
        let (then, otherwise) = (self.expression(then)?, self.expression(otherwise)?);
        for branch in [&then, &otherwise] {
            if has_effects(&branch.expr) {
                return Err(Diagnostic::not_supported(
                    branch.expr.span,
                    "a branch of a value that changes a memory",
                )
                .hint("give what it takes a name in front, and choose by `mux`"));
            }
        }
        self.mux(self.expression(condition)?, then, otherwise, span)
    }

    pub(super) fn mux(
        &self,
        condition: Valued,
        then: Valued,
        otherwise: Valued,
        span: Span,
    ) -> Result<Valued> {
        let typed = common(&then, &otherwise)?;
        let condition = Box::new(condition.condition()?);
        let kind = ExprKind::Mux(condition, Box::new(then.expr), Box::new(otherwise.expr));
        Ok(Valued::new(kind, span, typed))
    }

    /// `val n: Int = …`: the value as the type that is written, if one is. Constants become it.
    pub(super) fn annotated(&self, valued: Valued, of: Option<&TypeName>) -> Result<Valued> {
        let Some(of) = of else { return Ok(valued) };
        let of = self.types.read(of)?;
        let resolved = self.types.resolve(&of);
        let is_constant = matches!(valued.typed, Typed::Whole | Typed::Fraction);
        let expr = valued.stored_as(resolved)?;
        let span = expr.span;
        let expr = if is_constant { ExprKind::To(Box::new(expr), of).at(span) } else { expr };
        Ok(Valued { expr, typed: resolved.into() })
    }
}

/// What a block that is a value consists of.
fn only_value(braces: &Braces, span: Span) -> Result<&Term> {
    if let (None, [item]) = (&braces.binders, &braces.items[..])
        && let ItemKind::Term(term) = &item.kind
    {
        return Ok(term);
    }
    Err(Diagnostic::not_supported(span, "a block as a value").hint("write its statements in front"))
}

/// Whether it makes a difference how often this is evaluated.
fn has_effects(expr: &Expr) -> bool {
    use ExprKind::{BarrierRead, Dequeue, Modify};
    expr.any(&mut |part| matches!(part.kind, Dequeue(_) | Modify(_) | BarrierRead { .. }))
}
