//! Expressions, fully parenthesised.

use super::{Dump, number};
use comet_sema::program::{
    Access, CallArg, Operator, ScalarExpr, ScalarExprKind, TensorExpr, TensorExprKind, TensorOp,
};

impl Dump<'_> {
    pub(super) fn access(&self, access: &Access) -> String {
        format!("{}[{}]", self.tensor(access.tensor), self.labels(&access.labels))
    }

    pub(super) fn tensor_expr(&self, expr: &TensorExpr) -> String {
        match &expr.kind {
            TensorExprKind::Access(access) => self.access(access),
            TensorExprKind::Number(value) => number(*value),
            TensorExprKind::Scalar(scalar) => self.scalar(*scalar).to_owned(),
            TensorExprKind::Neg(operand) => format!("-{}", self.tensor_expr(operand)),
            TensorExprKind::Convert { to, value } => format!("{}({})", to.word(), self.tensor_expr(value)),
            TensorExprKind::Apply { function, operand } => {
                format!("{}({})", function.name(), self.tensor_expr(operand))
            }
            TensorExprKind::Drop { value, condition } => {
                format!("drop({}, {})", self.tensor_expr(value), self.tensor_expr(condition))
            }
            TensorExprKind::Elementwise(value) => self.tensor_expr(value),
            TensorExprKind::Binary { op, left, right, .. } => {
                let op = tensor_op(*op);
                format!("({} {op} {})", self.tensor_expr(left), self.tensor_expr(right))
            }
            TensorExprKind::Reduce { op, labels, body } => {
                let op = if *op == Operator::Add { "Σ" } else { op.symbol() };
                format!("{op}{{{}}} {}", self.labels(labels), self.tensor_expr(body))
            }
        }
    }

    pub(super) fn scalar_expr(&self, expr: &ScalarExpr) -> String {
        match &expr.kind {
            ScalarExprKind::Number(value) => number(*value),
            ScalarExprKind::Scalar(scalar) => self.scalar(*scalar).to_owned(),
            ScalarExprKind::Neg(operand) => format!("-{}", self.scalar_expr(operand)),
            ScalarExprKind::Convert { to, value } => format!("{}({})", to.word(), self.scalar_expr(value)),
            ScalarExprKind::Binary { op, left, right } => {
                format!("({} {} {})", self.scalar_expr(left), <&str>::from(op), self.scalar_expr(right))
            }
            ScalarExprKind::Element(tensor) => format!("{}[]", self.tensor(*tensor)),
            ScalarExprKind::Reduction(body) => format!("reduction({})", self.tensor_expr(body)),
            ScalarExprKind::Point(body) => format!("point({})", self.tensor_expr(body)),
            ScalarExprKind::Time => "getTime()".to_owned(),
            ScalarExprKind::Call { callee, args } => self.call(callee, args),
        }
    }

    pub(super) fn call(&self, callee: &str, args: &[CallArg]) -> String {
        let args = args.iter().map(|arg| match arg {
            CallArg::Tensor(tensor) => self.tensor(*tensor).to_owned(),
            CallArg::Scalar(value) => self.scalar_expr(value),
        });
        format!("{callee}({})", args.collect::<Vec<_>>().join(", "))
    }
}

fn tensor_op(op: TensorOp) -> String {
    match op {
        TensorOp::Add => "+".to_owned(),
        TensorOp::Sub => "-".to_owned(),
        TensorOp::Mul => "*".to_owned(),
        TensorOp::Div => "/".to_owned(),
        TensorOp::Combine(op) => format!("@({})", op.symbol()),
        TensorOp::Unite(op) => format!("∪{}", op.symbol()),
    }
}
