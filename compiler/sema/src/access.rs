//! `A[i,j]`: the rank fits, and each label has its mode's extent.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Ident, Index};
use itertools::Itertools as _;

use crate::function::Checker;
use crate::names::counted;
use crate::program::{Access, LabelId, TensorId};

impl Checker<'_> {
    /// A whole tensor with labels: the rank fits, and each label has its mode's extent.
    pub(crate) fn labeled_access(&mut self, tensor: &Ident, indices: &[Ident], span: Span) -> Option<Access> {
        let id = self.scope.tensor(tensor, &mut self.diagnostics);
        let labels: Vec<Option<LabelId>> =
            indices.iter().map(|index| self.scope.label(index, &mut self.diagnostics)).collect();
        let (tensor, labels): (_, Option<Vec<LabelId>>) = (id?, labels.into_iter().collect());
        self.check_label_count(tensor, indices.len(), span)?;
        let labels = labels?;
        let modes = self.scope.tensors[tensor.0].modes.clone();
        for ((mode, label), index) in modes.into_iter().zip(&labels).zip(indices) {
            let size = self.scope.labels[label.0].size;
            self.sizes.unify(size, mode, index.span, &mut self.diagnostics);
        }
        Some(Access { tensor, labels, span })
    }

    /// Whether a transpose lists the labels of its access, in any order.
    pub(crate) fn permutes(&mut self, indices: &[Index], permuted: &[Ident]) -> bool {
        let names = |label: &Ident| label.name.clone();
        let accessed = indices.iter().filter_map(Index::name).map(names).sorted();
        if accessed.eq(permuted.iter().map(names).sorted()) {
            return true;
        }
        let place = permuted.iter().map(|label| label.span).reduce(Span::to);
        let from = indices.iter().map(Index::span).reduce(Span::to);
        let (Some(place), Some(from)) = (place.or(from), from.or(place)) else { return true };
        self.diagnostics.push(
            Diagnostic::error(
                place,
                "the labels of a transposed tensor are those it is accessed with, in any order",
            )
            .also(from, "accessed with these labels")
            .hint("list each of them once: `transpose(A[i, j], {j, i})`"),
        );
        false
    }

    /// Reports a number of labels that is not the tensor's rank.
    pub(crate) fn check_label_count(&mut self, tensor: TensorId, found: usize, span: Span) -> Option<()> {
        let info = &self.scope.tensors[tensor.0];
        let (name, rank) = (&info.name.name, info.rank());
        if rank == found {
            return Some(());
        }
        let message = format!("`{name}` has {}, found {}", counted(rank, "mode"), counted(found, "label"));
        self.refuse(
            Diagnostic::error(span, message)
                .also(info.span, "declared here")
                .hint("write one label for each mode, in the order of the declaration"),
        )
    }
}
