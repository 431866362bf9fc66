//! Assignments to tensors: classified by their right-hand sides, then tensor expressions with masks.

use comet_diag::Diagnostic;
use comet_syntax::ast::{self, AssignOp, ExprKind, Ident, Index};
use itertools::Itertools as _;

use crate::builtin::{self, Builtin, Callee};
use crate::function::Checker;
use crate::literal::literal;
use crate::program::{Access, Assign, Mask, MaskMethod, Operator, StmtKind, TensorExpr};

impl Checker<'_> {
    /// `A[i, j]<M> = value schedule { … }`.
    pub(crate) fn assign(&mut self, assign: &ast::Assign) -> Option<StmtKind> {
        // Even an assignment with an error is one: the result is not called unassigned as well.
        let target = self.scope.tensor(&assign.tensor, &mut self.diagnostics);
        self.assigned.extend(target);
        match &assign.value.kind {
            ExprKind::Call { callee, args } => match builtin::resolve(callee, self.file.signatures) {
                Some(Callee::Builtin(Builtin::Read)) => self.read(assign, callee, args),
                Some(Callee::Builtin(Builtin::Random)) => self.random(assign, callee, args),
                Some(Callee::Function(index)) if self.returns_tensor(index) => {
                    self.take_result(assign, index, callee, args)
                }
                _ => self.expression(assign),
            },
            ExprKind::Array(_) => self.array(assign),
            _ if is_overwritten(assign) && literal(&assign.value).is_some() => match assign.schedule {
                None => self.fill(assign),
                Some(_) => self.scheduled_fill(assign),
            },
            _ => self.expression(assign),
        }
    }

    /// A fill whose loops are scheduled.
    fn scheduled_fill(&mut self, assign: &ast::Assign) -> Option<StmtKind> {
        let tensor = self.whole_target(assign)?;
        self.check_fill(assign, tensor)?;
        self.expression(assign)
    }

    fn expression(&mut self, assign: &ast::Assign) -> Option<StmtKind> {
        let target = self.target(assign);
        self.target_labels = target.as_ref().map(|target| target.labels.clone());
        let value = self.tensor_expr(&assign.value);
        self.target_labels = None;
        let mask = assign.mask.as_ref().map(|mask| self.mask(mask, target.as_ref()));
        let schedule = assign.schedule.as_ref().map(|schedule| self.check_schedule(assign, schedule));
        let (target, value) = (target?, value?);
        if schedule == Some(false) {
            return None;
        }
        let mask = match mask {
            Some(mask) => Some(mask?),
            None => None,
        };
        let info = &self.scope.tensors[target.tensor.0];
        let (element, declared) = (info.element, info.span);
        self.check_real((element, Some(declared)), value.element, assign.value.span)?;
        let value = self.reduced(&value, &target.labels)?;
        self.check_summed_monoids(&target, &value)?;
        self.check_order_of_reductions(assign.schedule.as_ref(), &value)?;
        let schedule = assign.schedule.clone();
        let (op, value) = match assign.op {
            AssignOp::Set | AssignOp::Add | AssignOp::Sub => (assign.op, value),
            AssignOp::Mul => (AssignOp::Set, self.scaled(assign, &target, Operator::Mul, value)?),
            AssignOp::Div => (AssignOp::Set, self.scaled(assign, &target, Operator::Div, value)?),
        };
        Some(StmtKind::Assign(Assign { target, op, value, mask, schedule }))
    }

    /// `A[i,j] *= value`: entries stay entries, and a missing value counts as 0.
    fn scaled(
        &mut self,
        assign: &ast::Assign,
        target: &Access,
        operator: Operator,
        value: TensorExpr,
    ) -> Option<TensorExpr> {
        if repeats(&assign.indices) {
            let op: &str = assign.op.into();
            let error = Diagnostic::not_supported(assign.target_span, format!("`{op}` of a diagonal"));
            return self.refuse(error.hint("compute the factors into a tensor first, with 1 elsewhere"));
        }
        Some(self.scaled_entries(target, operator, value))
    }

    /// The mask's modes have the extents of the target's.
    pub(crate) fn mask(&mut self, mask: &ast::Mask, target: Option<&Access>) -> Option<Mask> {
        let tensor = self.scope.tensor(&mask.tensor, &mut self.diagnostics)?;
        let target = target?;
        let (info, masked) = (&self.scope.tensors[tensor.0], &self.scope.tensors[target.tensor.0]);
        if info.rank() != target.labels.len() {
            let (name, rank) = (&mask.tensor.name, info.rank());
            let message = format!(
                "mask `{name}` has rank {rank}, but `{}` has rank {}",
                masked.name.name,
                masked.rank()
            );
            return self.refuse(
                Diagnostic::error(mask.span, message)
                    .also(info.span, "the mask is declared here")
                    .also(masked.span, "the tensor it masks is declared here")
                    .hint("a mask has the shape of the tensor that is assigned"),
            );
        }
        let modes = info.modes.clone();
        for (mode, label) in modes.into_iter().zip(&target.labels) {
            let size = self.scope.labels[label.0].size;
            self.sizes.unify(size, mode, mask.span, &mut self.diagnostics);
        }
        let method = mask.method.unwrap_or(MaskMethod::Auto);
        Some(Mask { tensor, complement: mask.complement, method, span: mask.span })
    }

    /// `y[i] = spmv(A, x)`: the result goes into the whole of `y`, or else is an operand like any other.
    fn take_result(
        &mut self,
        assign: &ast::Assign,
        index: usize,
        callee: &Ident,
        args: &[ast::Expr],
    ) -> Option<StmtKind> {
        let is_whole = self.unscheduled(assign, &format!("the result of `{}`", callee.name));
        let joins = assign.op != AssignOp::Set || assign.mask.is_some();
        if joins || repeats(&assign.indices) {
            let statement = self.expression(assign);
            is_whole?;
            return statement;
        }
        let target = self.target(assign);
        let tensor = target.map(|target| target.tensor);
        let call = self.call_statement(index, callee, args, tensor);
        is_whole?;
        tensor?;
        call
    }

    /// Fills, reads and results of calls have no loops: reports a schedule.
    pub(crate) fn unscheduled(&mut self, assign: &ast::Assign, what: &str) -> Option<()> {
        let Some(schedule) = &assign.schedule else { return Some(()) };
        let message = format!("nothing to schedule: {what} is no tensor expression");
        self.refuse(Diagnostic::error(schedule.span, message).hint("remove the schedule"))
    }
}

fn repeats(indices: &[Index]) -> bool {
    let mut labels = indices.iter().filter_map(Index::label).map(|label| label.name);
    !labels.all_unique()
}

/// `A[…] = 1.0` is a fill; with `+=`, a mask or a schedule it is an expression.
fn is_overwritten(assign: &ast::Assign) -> bool {
    assign.op == AssignOp::Set && assign.mask.is_none()
}
