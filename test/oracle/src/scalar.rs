//! Scalar expressions.

use std::cmp::Ordering;

use comet_syntax::ast::{BinaryOp, Expr, ExprKind, Ident, Operator};

use crate::action;
use crate::assign::nothing_reached;
use crate::bind::bind;
use crate::error::{OracleError, Result};
use crate::eval::{LabelPoint, eval};
use crate::frame::Variables;
use crate::function;
use crate::interpret::Interpreter;
use crate::number::{TypedNumber, apply, part, wider};
use crate::own::Combiner;
use crate::part;
use crate::resolve::Labels;
use crate::term::BoundTerm;

impl Interpreter<'_> {
    /// The value of a scalar expression.
    pub(crate) fn scalar(&mut self, frame: &Variables, expr: &Expr) -> Result<TypedNumber> {
        let value = match &expr.kind {
            ExprKind::Number(number) => Ok(TypedNumber::written(*number)),
            ExprKind::Name(name) if frame.scalars.contains_key(name) => Ok(frame.scalars[name].value),
            ExprKind::Access { indices, .. } if part::is_element(frame, indices) => {
                self.reduced(frame, expr, Operator::Add)
            }
            ExprKind::Neg(inner) => Ok(self.scalar(frame, inner)?.negated()),
            ExprKind::Binary { op: BinaryOp::Semiring(..) | BinaryOp::Monoid(_), .. } => {
                self.reduced(frame, expr, Operator::Add)
            }
            ExprKind::Binary { op, left, right, .. } => {
                let left = self.scalar(frame, left)?;
                binary(*op, left, self.scalar(frame, right)?)
            }
            ExprKind::Call { callee, args } => self.called(frame, expr, (callee, args)),
            _ => Err(OracleError::new("expected a scalar")),
        };
        value.map_err(|error| error.placed(expr.span))
    }

    fn called(
        &mut self,
        frame: &Variables,
        expr: &Expr,
        (callee, args): (&Ident, &[Expr]),
    ) -> Result<TypedNumber> {
        if let Some(function) = action::function(self.module, &callee.name) {
            return self.scalar_call(frame, function, args);
        }
        match (action::reduction(callee), args) {
            (Some(operator), [arg]) => self.reduced(frame, arg, operator),
            _ if function::is_elementwise(self, expr) => self.reduced(frame, expr, Operator::Add),
            (_, []) if callee.name == "getTime" => Ok(TypedNumber::F64(0.0)),
            (_, args) => match (action::conversion(self.module, callee), args) {
                (Some(to), [value]) => Ok(self.scalar(frame, value)?.to(to)),
                _ => Err(OracleError::new(format!("`{}` is no scalar function", callee.name))),
            },
        }
    }

    /// Evaluates `SUM(expr)`, `MAX(expr)` or `MIN(expr)`. `SUM` reduces each term of a sum over the labels of
    /// that term, as `s[] = expr` does; `MAX` and `MIN` reduce the whole expression over all of its labels.
    fn reduced(&mut self, frame: &Variables, expr: &Expr, operator: Operator) -> Result<TypedNumber> {
        let mut labels = Labels::default();
        let term = self.resolve(frame, &mut labels, expr)?;
        let all = labels.except(&[]);
        let term = match operator {
            Operator::Add => bind(term, &all),
            _ if all.is_empty() => term,
            _ => BoundTerm::reduce(Combiner::Built(operator), all, term),
        };
        let mut point = LabelPoint { at: vec![0; labels.extents.len()], extents: &labels.extents };
        Ok(eval(&term, &mut point)?.unwrap_or_else(|| nothing_reached(&term, term.element)))
    }
}

/// An operator between scalars; comparisons and logic return the integers 0 and 1.
pub(crate) fn binary(op: BinaryOp, left: TypedNumber, right: TypedNumber) -> Result<TypedNumber> {
    let element = wider(left.element(), right.element());
    let truth = |truth: bool| Ok(TypedNumber::I64(i64::from(truth)));
    let order = || match (left.to(element), right.to(element)) {
        (TypedNumber::I64(x), TypedNumber::I64(y)) => Some(x.cmp(&y)),
        (x, y) if part(element) != element => (x.parts() == y.parts()).then_some(Ordering::Equal),
        (x, y) => x.to_f64().partial_cmp(&y.to_f64()),
    };
    match op {
        BinaryOp::Add => apply(Operator::Add, left, right),
        BinaryOp::Sub => apply(Operator::Sub, left, right),
        BinaryOp::Mul | BinaryOp::ElementwiseMul => apply(Operator::Mul, left, right),
        BinaryOp::Div => apply(Operator::Div, left, right),
        BinaryOp::Or => truth(!left.is_zero() || !right.is_zero()),
        BinaryOp::And => truth(!left.is_zero() && !right.is_zero()),
        BinaryOp::Eq => truth(order().is_some_and(|order| order.is_eq())),
        BinaryOp::Ne => truth(order().is_none_or(|order| order.is_ne())),
        BinaryOp::Lt => truth(order().is_some_and(|order| order.is_lt())),
        BinaryOp::Le => truth(order().is_some_and(|order| order.is_le())),
        BinaryOp::Gt => truth(order().is_some_and(|order| order.is_gt())),
        BinaryOp::Ge => truth(order().is_some_and(|order| order.is_ge())),
        BinaryOp::Semiring(..) | BinaryOp::Monoid(_) => Err(OracleError::new("semirings are for tensors")),
    }
}
