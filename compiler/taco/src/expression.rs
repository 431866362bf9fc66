//! The tensors and indices of an expression, and whether each tensor has one rank.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Expr, ExprKind, Ident, Index};

use crate::names;
use crate::notation::{Assignment, NotationAccess};

/// What an expression names, in the order in which it appears.
pub(crate) struct ExpressionNames<'a> {
    pub(crate) tensors: Vec<ExpressionTensor<'a>>,
    /// Each index at its first place.
    pub(crate) indices: Vec<Ident>,
}

/// A tensor with all of its accesses.
pub(crate) struct ExpressionTensor<'a> {
    /// At its first place.
    pub(crate) name: &'a Ident,
    /// The indices of each access.
    pub(crate) accesses: Vec<&'a [Index]>,
    pub(crate) span: Span,
}

impl<'a> ExpressionTensor<'a> {
    pub(crate) fn rank(&self) -> usize {
        self.accesses[0].len()
    }

    /// The indices of the whole tensor, also shifted ones: where one access has a window of a mode, another
    /// may have all of it.
    pub(crate) fn whole(&self) -> impl Iterator<Item = Option<Ident>> {
        (0..self.rank()).map(|mode| {
            let mut shifted = self.indices(mode).filter_map(|index| Some(index.shifted()?.0));
            self.indices(mode).find_map(Index::name).cloned().or_else(|| shifted.next())
        })
    }

    /// What each access has in the place of a mode.
    pub(crate) fn indices(&self, mode: usize) -> impl Iterator<Item = &'a Index> {
        self.accesses.iter().filter_map(move |indices| indices.get(mode))
    }
}

impl<'a> ExpressionNames<'a> {
    /// Reports tensors with several ranks.
    pub(crate) fn of(assignment: &'a Assignment, errors: &mut Vec<Diagnostic>) -> Self {
        let mut names = Self { tensors: Vec::new(), indices: Vec::new() };
        names.access(&assignment.tensor, &assignment.indices, assignment.target, errors);
        names.expression(&assignment.value, errors);
        names
    }

    pub(crate) fn tensor(&self, name: &str) -> Option<&ExpressionTensor<'a>> {
        self.tensors.iter().find(|tensor| tensor.name.name == name)
    }

    pub(crate) fn has_index(&self, name: &str) -> bool {
        self.indices.iter().any(|index| index.name == name)
    }

    fn expression(&mut self, expr: &'a Expr, errors: &mut Vec<Diagnostic>) {
        match &expr.kind {
            ExprKind::Access { tensor, indices } => self.access(tensor, indices, expr.span, errors),
            ExprKind::Neg(operand) => self.expression(operand, errors),
            ExprKind::Binary { left, right, .. } => {
                self.expression(left, errors);
                self.expression(right, errors);
            }
            _ => {}
        }
    }

    fn access(&mut self, name: &'a Ident, indices: &'a [Index], span: Span, errors: &mut Vec<Diagnostic>) {
        for index in indices.iter().filter_map(Index::label) {
            if !self.has_index(&index.name) {
                self.indices.push(index);
            }
        }
        match self.tensors.iter_mut().find(|tensor| tensor.name.name == name.name) {
            None => self.tensors.push(ExpressionTensor { name, accesses: vec![indices], span }),
            Some(tensor) if tensor.rank() == indices.len() => tensor.accesses.push(indices),
            Some(tensor) => errors.push(two_ranks(tensor, indices.len(), span)),
        }
    }
}

fn two_ranks(tensor: &ExpressionTensor<'_>, rank: usize, span: Span) -> Diagnostic {
    let name = names::written(&tensor.name.name);
    Diagnostic::error(span, format!("`{name}` has {} here", counted(rank, "index", "indices")))
        .also(tensor.span, format!("and {} here", counted(tensor.rank(), "index", "indices")))
        .hint("a tensor has one rank in an expression; give one of the two another name")
}

/// `1 index`, `2 indices`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Every access of an expression to a tensor, the first one first.
pub(crate) fn first_access(assignment: &Assignment, tensor: &str) -> Option<NotationAccess> {
    fn find(expr: &Expr, name: &str) -> Option<NotationAccess> {
        match &expr.kind {
            ExprKind::Access { tensor, indices } if tensor.name == name => {
                Some(NotationAccess { tensor: tensor.clone(), indices: indices.clone(), span: expr.span })
            }
            ExprKind::Neg(operand) => find(operand, name),
            ExprKind::Binary { left, right, .. } => find(left, name).or_else(|| find(right, name)),
            _ => None,
        }
    }
    let target = || {
        let Assignment { tensor, indices, target: span, .. } = assignment;
        NotationAccess { tensor: tensor.clone(), indices: indices.clone(), span: *span }
    };
    find(&assignment.value, tensor).or_else(|| (assignment.tensor.name == tensor).then(target))
}
