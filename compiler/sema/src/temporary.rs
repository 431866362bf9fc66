//! Tensors of the compiler's own: what fills a whole tensor goes there first, where the language has it
//! inside of something else. They are written right before the statement.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, AssignOp, Element, Expr, Ident};

use crate::function::Checker;
use crate::program::{Access, Assign, LabelId, StmtKind, TensorExpr, TensorExprKind, TensorId};
use crate::scope::{TensorInfo, UsedLabel};
use crate::signature::ParameterShape;
use crate::sizes::Subject;
use crate::storage::TensorStorage;

struct Held {
    /// What messages and inputs call it.
    name: Ident,
    element: Element,
    storage: Option<TensorStorage>,
    rank: usize,
}

impl Checker<'_> {
    /// The tensor that a call returns, as an operand with the labels of the left-hand side.
    pub(crate) fn called_tensor(
        &mut self,
        index: usize,
        callee: &Ident,
        args: &[Expr],
        span: Span,
    ) -> Option<(TensorExprKind, Element)> {
        let tensor = self.call_into_temporary(index, callee, args, span)?;
        let element = self.scope.tensors[tensor.0].element.computed();
        let Some(labels) = self.target_labels.clone() else {
            let message = format!("the tensor that `{}` gives has no labels here", callee.name);
            let hint = format!("take it whole first: `T[…] = {}(…)`, then use `T[…]`", callee.name);
            return self.refuse(Diagnostic::error(span, message).hint(hint));
        };
        let rank = self.scope.tensors[tensor.0].rank();
        if rank != labels.len() {
            let message = format!(
                "`{}` gives a tensor of rank {rank}, but the left-hand side has rank {}",
                callee.name,
                labels.len()
            );
            let hint = format!("take it whole first: `T[…] = {}(…)`, then use `T[…]`", callee.name);
            return self.refuse(Diagnostic::error(span, message).hint(hint));
        }
        Some((TensorExprKind::Access(self.labeled(tensor, labels, span)), element))
    }

    /// A tensor that holds what a call returns.
    pub(crate) fn call_into_temporary(
        &mut self,
        index: usize,
        callee: &Ident,
        args: &[Expr],
        span: Span,
    ) -> Option<TensorId> {
        let result = self.file.signatures.functions[index].result.as_ref()?;
        let ParameterShape::Tensor { rank, storage } = &result.shape else { return None };
        let storage = storage.clone();
        let name = Ident { name: format!("{}.{}", callee.name, result.name.name), span: callee.span };
        let held = Held { name, element: result.element, storage, rank: *rank };
        let tensor = self.temporary(held, span);
        let call = self.call_statement(index, callee, args, Some(tensor))?;
        self.before(call, span);
        Some(tensor)
    }

    /// Where the content of a whole tensor goes: the target itself, or where `+=`, `-=` or a mask joins it
    /// with what is there, a tensor like it.
    pub(crate) fn content_target(&mut self, assign: &ast::Assign, target: TensorId) -> TensorId {
        if assign.op == AssignOp::Set && assign.mask.is_none() {
            return target;
        }
        let info = &self.scope.tensors[target.0];
        let (name, storage) = (info.name.clone(), info.storage.clone());
        let held = Held { name, element: info.element, storage, rank: info.rank() };
        self.temporary(held, assign.target_span)
    }

    /// The statement that assigns `content` to the target of the assignment, which `content_target` has made.
    pub(crate) fn join_content(
        &mut self,
        assign: &ast::Assign,
        target: TensorId,
        content: TensorId,
        kind: StmtKind,
    ) -> Option<StmtKind> {
        if content == target {
            return Some(kind);
        }
        let span = assign.target_span;
        self.before(kind, assign.value.span);
        let labels = self.labels_of(target, span);
        let target = self.labeled(target, labels.clone(), span);
        let element = self.scope.tensors[content.0].element.computed();
        let kind = TensorExprKind::Access(self.labeled(content, labels, assign.value.span));
        let term = TensorExpr { kind, element, span: assign.value.span, is_grouped: false };
        let value = self.reduced(&term, &target.labels)?;
        let mask = match &assign.mask {
            Some(mask) => Some(self.mask(mask, Some(&target))?),
            None => None,
        };
        Some(StmtKind::Assign(Assign { target, op: assign.op, value, mask, schedule: None }))
    }

    fn temporary(&mut self, held: Held, span: Span) -> TensorId {
        let subject = |mode| Subject::Mode(mode, held.name.name.clone());
        let modes = (0..held.rank).map(|mode| self.sizes.node(subject(mode), span)).collect();
        let Held { name, element, storage, .. } = held;
        self.scope.add_tensor(TensorInfo { name, element, storage, modes, span })
    }

    /// A label for each mode of a tensor, of the compiler's own.
    fn labels_of(&mut self, tensor: TensorId, span: Span) -> Vec<LabelId> {
        let modes = self.scope.tensors[tensor.0].modes.clone();
        let label = |(mode, size)| UsedLabel { name: format!("d{mode}"), size, span };
        modes.into_iter().enumerate().map(|mode| self.scope.add_label(label(mode))).collect()
    }

    /// A tensor under labels, one for each of its modes, which have their extents.
    pub(crate) fn labeled(&mut self, tensor: TensorId, labels: Vec<LabelId>, span: Span) -> Access {
        let modes = self.scope.tensors[tensor.0].modes.clone();
        for (mode, label) in modes.into_iter().zip(&labels) {
            let size = self.scope.labels[label.0].size;
            self.sizes.unify(size, mode, span, &mut self.diagnostics);
        }
        Access { tensor, labels, span }
    }
}
