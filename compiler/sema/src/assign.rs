//! Assignments to tensors: told apart by their right-hand sides, then tensor expressions with masks.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, AssignOp, ExprKind, Ident};

use crate::builtin::{self, Builtin, Callee};
use crate::function::Checker;
use crate::initialize::literal;
use crate::program::{Access, Assign, LabelId, Mask, MaskMethod, StmtKind};
use crate::reduce;

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
            _ if is_plain(assign) && literal(&assign.value).is_some() => self.fill(assign),
            _ => self.expression(assign),
        }
    }

    fn expression(&mut self, assign: &ast::Assign) -> Option<StmtKind> {
        let target = self.access(&assign.tensor, &assign.indices, assign.target_span);
        let value = self.tensor_expr(&assign.value);
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
        let value = reduce::bind(&value, &target.labels);
        let schedule = assign.schedule.clone();
        Some(StmtKind::Assign(Assign { target, op: assign.op, value, mask, schedule }))
    }

    /// The mask's modes have the extents of the target's.
    fn mask(&mut self, mask: &ast::Mask, target: Option<&Access>) -> Option<Mask> {
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
            self.diagnostics.push(
                Diagnostic::error(mask.span, message)
                    .also(info.span, "the mask is declared here")
                    .also(masked.span, "the tensor it masks is declared here")
                    .hint("a mask has the shape of the tensor that is assigned"),
            );
            return None;
        }
        let modes = info.modes.clone();
        for (mode, label) in modes.into_iter().zip(&target.labels) {
            let size = self.scope.labels[label.0].size;
            self.sizes.unify(size, mode, mask.span, &mut self.diagnostics);
        }
        let method = mask.method.unwrap_or(MaskMethod::Auto);
        Some(Mask { tensor, complement: mask.complement, method, span: mask.span })
    }

    /// `y[i] = spmv(A, x)`: the result goes into the whole of `y`.
    fn take_result(
        &mut self,
        assign: &ast::Assign,
        index: usize,
        callee: &Ident,
        args: &[ast::Expr],
    ) -> Option<StmtKind> {
        let what = format!("the result of `{}`", callee.name);
        let is_whole = self.whole_assignment(assign, &what);
        let target = self.access(&assign.tensor, &assign.indices, assign.target_span);
        let result = target.filter(|target| self.distinct(target, assign.target_span));
        let tensor = result.map(|target| target.tensor);
        let call = self.call_statement(index, callee, args, tensor);
        is_whole?;
        tensor?;
        call
    }

    fn distinct(&mut self, target: &Access, span: Span) -> bool {
        let labels = &target.labels;
        let repeats = |at: usize, label: &LabelId| labels[..at].contains(label);
        if !labels.iter().enumerate().any(|(at, label)| repeats(at, label)) {
            return true;
        }
        let what = "a call whose result goes to a diagonal";
        let hint = "take the result into a tensor with different labels first";
        self.diagnostics.push(Diagnostic::not_supported(span, what).hint(hint));
        false
    }

    /// Fills, reads and results of calls write the whole tensor at once: reports `+=`, `-=`, masks and
    /// schedules.
    pub(crate) fn whole_assignment(&mut self, assign: &ast::Assign, what: &str) -> Option<()> {
        let name = &assign.tensor.name;
        let first =
            format!("give it to a tensor `T` of its own, then write `{name}[…]` with `T[…]` on the right");
        let before = self.diagnostics.len();
        if assign.op != AssignOp::Set {
            let op = if assign.op == AssignOp::Add { "+=" } else { "-=" };
            let error = Diagnostic::not_supported(assign.target_span, format!("`{op}` with {what}"));
            self.diagnostics.push(error.hint(first.clone()));
        }
        if let Some(mask) = &assign.mask {
            let error = Diagnostic::not_supported(mask.span, format!("a mask on {what}"));
            self.diagnostics.push(error.hint(first));
        }
        if let Some(schedule) = &assign.schedule {
            let message = format!("nothing to schedule: {what} is no tensor expression");
            self.diagnostics.push(Diagnostic::error(schedule.span, message).hint("remove the schedule"));
        }
        (self.diagnostics.len() == before).then_some(())
    }
}

/// `A[…] = 1.0` is a fill; with `+=`, a mask or a schedule it is an expression.
fn is_plain(assign: &ast::Assign) -> bool {
    assign.op == AssignOp::Set && assign.mask.is_none() && assign.schedule.is_none()
}
