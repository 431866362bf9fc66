//! Monoids that look like reductions. `s[] = A[i,j] @(max) 0` combines each element with 0 and adds the
//! values up, where a reader may expect the largest element: into a scalar it is refused, and elsewhere a
//! monoid without an effect is worth a note.

use comet_diag::{Diagnostic, Span};

use crate::function::Checker;
use crate::program::{Access, LabelId, Number, Operator, TensorExpr, TensorExprKind, TensorOp};

/// A monoid of one operand, whose values are added up.
pub(crate) struct SummedMonoid<'e> {
    pub(crate) operator: Operator,
    pub(crate) operand: &'e TensorExpr,
    /// What the operand is combined with.
    pub(crate) other: &'e TensorExpr,
    pub(crate) labels: &'e [LabelId],
    pub(crate) span: Span,
}

impl SummedMonoid<'_> {
    /// Whether the values are those of the operand: it is combined with itself, or with the identity.
    pub(crate) fn has_no_effect(&self) -> bool {
        let returns_operand = matches!(
            self.operator,
            Operator::Min | Operator::Max | Operator::Any | Operator::First | Operator::Second
        );
        returns_operand && is_same(self.operand, self.other) || is_identity(self.operator, self.other)
    }
}

/// Returns the monoids of one operand in an expression whose values are added up.
pub(crate) fn summed(value: &TensorExpr) -> Vec<SummedMonoid<'_>> {
    value.parts().into_iter().filter_map(of_reduction).collect()
}

fn of_reduction(part: &TensorExpr) -> Option<SummedMonoid<'_>> {
    let TensorExprKind::Reduce { op: Operator::Add, labels, body } = &part.kind else { return None };
    let TensorExprKind::Binary { op: TensorOp::Combine(operator), reduce: None, left, right } = &body.kind
    else {
        return None;
    };
    let (operand, other) = if is_without_labels(left) { (right, left) } else { (left, right) };
    let found = SummedMonoid { operator: *operator, operand, other, labels, span: body.span };
    let is_of_one = is_same(operand, other) || is_without_labels(other);
    (is_of_one && (is_extreme(*operator) || found.has_no_effect())).then_some(found)
}

fn is_extreme(operator: Operator) -> bool {
    matches!(operator, Operator::Min | Operator::Max)
}

fn is_without_labels(value: &TensorExpr) -> bool {
    value.accesses().iter().all(|access| access.labels.is_empty())
}

/// Whether both are one access.
fn is_same(left: &TensorExpr, right: &TensorExpr) -> bool {
    match (&left.kind, &right.kind) {
        (TensorExprKind::Access(left), TensorExprKind::Access(right)) => {
            left.tensor == right.tensor && left.labels == right.labels
        }
        _ => false,
    }
}

/// Whether a number leaves every operand as it is. A sum is what adding up yields anyway.
fn is_identity(operator: Operator, other: &TensorExpr) -> bool {
    let is_one = matches!(other.kind, TensorExprKind::Number(Number::Int(1)))
        || matches!(other.kind, TensorExprKind::Number(Number::Float(one)) if one == 1.0);
    operator == Operator::Mul && is_one
}

impl Checker<'_> {
    /// Refuses a monoid of one operand that is added up into a scalar.
    pub(crate) fn check_summed_monoids(&mut self, target: &Access, value: &TensorExpr) -> Option<()> {
        if !target.labels.is_empty() {
            return Some(());
        }
        match summed(value).first() {
            Some(monoid) => self.refuse_summed(monoid),
            None => Some(()),
        }
    }

    /// Refuses a monoid without an effect in `SUM(…)`.
    pub(crate) fn check_monoid_in_sum(&mut self, value: &TensorExpr) -> Option<()> {
        match summed(value).into_iter().find(SummedMonoid::has_no_effect) {
            Some(monoid) => self.refuse_summed(&monoid),
            None => Some(()),
        }
    }

    fn refuse_summed<T>(&mut self, monoid: &SummedMonoid<'_>) -> Option<T> {
        let [operand, whole] = [monoid.operand.span, monoid.span].map(|span| self.written(span));
        let symbol = monoid.operator.symbol();
        let message = match monoid.has_no_effect() {
            true => format!("`@({symbol})` changes nothing here, and the values are added up"),
            false => format!("`@({symbol})` combines two operands, and the values are added up"),
        };
        let sum = if monoid.has_no_effect() { &operand } else { &whole };
        let reduction = match monoid.operator {
            Operator::Max => format!("the maximum is `MAX({operand})`"),
            Operator::Min => format!("the minimum is `MIN({operand})`"),
            _ => format!("to reduce by `{symbol}`, write `{operand} @({symbol},first) 1`"),
        };
        let hint = format!("{reduction}; a sum is written `SUM({sum})`");
        self.refuse(Diagnostic::error(monoid.span, message).hint(hint))
    }

    fn written(&self, span: Span) -> String {
        self.file.source.text().get(span.start..span.end).unwrap_or("…").to_owned()
    }
}
