//! Accesses to parts of tensors: `A[2,j]`, `A[0:8,j]`, `A[i + 1,j]`. The part is copied to a tensor of the
//! compiler's own before the statement, which the access is then to; what is assigned to a part is put back
//! after it.

mod index;
mod storage;

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, AssignOp, Ident, Index};

use self::index::{PartExtent, PartIndex};
use crate::function::Checker;
use crate::program::{Access, LabelId, PartMode, Stmt, StmtKind, TensorId, TensorPart};
use crate::scope::{TensorInfo, UsedLabel};
use crate::sizes::{NodeId, StatedExtent, Subject};

/// The labels of slices that have none: the n-th of an access has the n-th.
#[derive(Debug, Default)]
pub(crate) struct Slices {
    pub(crate) labels: Vec<LabelId>,
    /// Whether an access may have more of them than there are.
    pub(crate) may_grow: bool,
}

impl Checker<'_> {
    /// Whether all indices are labels, so that the access is to the whole tensor. A word that is neither a
    /// label nor a scalar is a label that was not declared.
    pub(crate) fn is_whole(&self, indices: &[Index]) -> bool {
        indices.iter().all(|index| index.name().is_some_and(|name| !self.is_scalar(name)))
    }

    /// Whether all indices are single coordinates.
    pub(crate) fn is_element(&self, indices: &[Index]) -> bool {
        indices.iter().all(|index| match index {
            Index::Name(name) => self.is_scalar(name),
            Index::At(_) => {
                index.shifted().is_none_or(|(label, _)| self.scope.label_size(&label.name).is_none())
            }
            Index::Window(_) => false,
        })
    }

    /// A tensor under labels, or a part of one, which is copied before the statement.
    pub(crate) fn access(&mut self, tensor: &Ident, indices: &[Index], span: Span) -> Option<Access> {
        if self.is_whole(indices) {
            let labels: Vec<Ident> = indices.iter().filter_map(Index::name).cloned().collect();
            return self.labeled_access(tensor, &labels, span);
        }
        let (whole, found) = self.part_indices(tensor, indices, span)?;
        let modes: Vec<PartMode> = found.iter().map(|index| index.mode).collect();
        let labels: Vec<LabelId> = found.iter().filter_map(|index| index.label).collect();
        if let Some(part) = self.taken_part(whole, &modes, &labels) {
            return Some(self.labeled(part, labels, span));
        }
        let (part, access) = self.new_part(whole, &found, span);
        self.labels_of_parts.insert(part.part, labels);
        self.before(StmtKind::TakePart(part), span);
        Some(access)
    }

    /// Returns the copy of the same part under the same labels, where the statement has one already.
    fn taken_part(&self, whole: TensorId, modes: &[PartMode], labels: &[LabelId]) -> Option<TensorId> {
        self.hoisted.iter().rev().map_while(Stmt::taken_part).find_map(|taken| {
            let is_same = taken.whole == whole
                && taken.modes == modes
                && self.labels_of_parts.get(&taken.part).is_some_and(|others| others == labels);
            is_same.then_some(taken.part)
        })
    }

    /// The left-hand side of an assignment. Where that is a part of a tensor, it is put back after the
    /// statement.
    pub(crate) fn target(&mut self, assign: &ast::Assign) -> Option<Access> {
        let span = assign.target_span;
        self.slices = Slices { labels: Vec::new(), may_grow: true };
        let is_whole = self.is_whole(&assign.indices);
        if !is_whole {
            self.check_target(assign)?;
        }
        let target = match is_whole {
            true => self.access(&assign.tensor, &assign.indices, span),
            false => self.part(&assign.tensor, &assign.indices, span).map(|(part, access)| {
                if assign.op != AssignOp::Set {
                    self.before(StmtKind::TakePart(part.clone()), span);
                }
                self.after(StmtKind::PutPart(part), span);
                access
            }),
        };
        self.slices.may_grow = false;
        target
    }

    fn check_target(&mut self, assign: &ast::Assign) -> Option<()> {
        if let Some(mask) = &assign.mask {
            let error = Diagnostic::not_supported(mask.span, "a mask on a part of a tensor");
            return self.refuse(error.hint("assign under the mask to a tensor of the part's size first"));
        }
        let is_label = |(label, _): (Ident, i64)| self.scope.label_size(&label.name).is_some();
        let shifted = assign.indices.iter().find(|index| index.shifted().is_some_and(is_label));
        if let Some(span) = shifted.map(Index::span) {
            let error = Diagnostic::not_supported(span, "assigning to a shifted label");
            return self.refuse(error.hint("assign to a slice: `x[i in 1:8] = …`"));
        }
        Some(())
    }

    fn part(&mut self, tensor: &Ident, indices: &[Index], span: Span) -> Option<(TensorPart, Access)> {
        let (whole, found) = self.part_indices(tensor, indices, span)?;
        Some(self.new_part(whole, &found, span))
    }

    fn part_indices(
        &mut self,
        tensor: &Ident,
        indices: &[Index],
        span: Span,
    ) -> Option<(TensorId, Vec<PartIndex>)> {
        let whole = self.scope.tensor(tensor, &mut self.diagnostics);
        let mut unnamed = 0;
        let found: Vec<Option<PartIndex>> =
            indices.iter().map(|index| self.part_index(tensor, index, &mut unnamed)).collect();
        let (whole, found): (_, Option<Vec<PartIndex>>) = (whole?, found.into_iter().collect());
        self.check_label_count(whole, indices.len(), span)?;
        Some((whole, found?))
    }

    /// A tensor for a part, and the access to it.
    fn new_part(&mut self, whole: TensorId, found: &[PartIndex], span: Span) -> (TensorPart, Access) {
        let (mut modes, mut extents, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        let nodes = self.scope.tensors[whole.0].modes.clone();
        for ((mode, node), index) in nodes.into_iter().enumerate().zip(found) {
            modes.push(index.mode);
            self.check_bound(whole, (mode, node), index);
            if let Some(extent) = self.part_extent(whole, node, index) {
                extents.push(extent);
                labels.extend(index.label);
            }
        }
        let part = self.part_tensor(whole, &modes, extents, span);
        (TensorPart { whole, part, modes }, self.labeled(part, labels, span))
    }

    /// What the part's mode has the extent of, where it has the mode.
    fn part_extent(&mut self, whole: TensorId, mode: NodeId, index: &PartIndex) -> Option<NodeId> {
        let label = self.scope.labels[index.label?.0].size;
        match index.extent {
            PartExtent::Whole => Some(mode),
            PartExtent::Label => {
                self.sizes.suggest(label, mode, index.span);
                Some(label)
            }
            PartExtent::Known(value) => {
                let tensor = self.scope.tensors[whole.0].name.name.clone();
                let subject = self.slice_subject(&tensor, index.span);
                let node = self.sizes.node(subject, index.span);
                let known = StatedExtent { value, span: index.span };
                self.sizes.fix(node, known, index.span, &mut self.diagnostics);
                Some(node)
            }
        }
    }

    fn part_tensor(
        &mut self,
        whole: TensorId,
        modes: &[PartMode],
        extents: Vec<NodeId>,
        span: Span,
    ) -> TensorId {
        let info = &self.scope.tensors[whole.0];
        let storage = info.storage.as_ref().map(|storage| storage::of_part(storage, modes));
        let (name, element) = (info.name.clone(), info.element);
        self.scope.add_tensor(TensorInfo { name, element, storage, modes: extents, span })
    }

    /// Coordinates lie inside of the mode, which is checked when its extent is known.
    fn check_bound(&mut self, whole: TensorId, (mode, node): (usize, NodeId), index: &PartIndex) {
        if let Some(least) = index.least {
            let name = self.scope.tensors[whole.0].name.name.clone();
            self.sizes.need(node, least, (mode, name), index.span);
        }
    }

    /// A slice as the text has it.
    fn slice_subject(&self, tensor: &str, span: Span) -> Subject {
        let text = self.file.source.text().get(span.start..span.end).unwrap_or("…");
        Subject::Slice(text.to_owned(), tensor.to_owned())
    }

    /// The label of the n-th slice without one. Messages about its size name the slice of the left-hand side.
    fn slice_label(&mut self, tensor: &Ident, number: usize, span: Span) -> Option<LabelId> {
        if let Some(label) = self.slices.labels.get(number) {
            return Some(*label);
        }
        if !self.slices.may_grow {
            let message = "this slice has no label, and the left-hand side has no slice that it matches";
            let hint =
                "name what goes over it: `A[i in 0:8,j]`, with `i` on the left, too, or to sum over it";
            return self.refuse(Diagnostic::error(span, message).hint(hint));
        }
        let mut name = format!("slice{number}");
        while self.scope.label_size(&name).is_some() {
            name.push('_');
        }
        let size = self.sizes.node(self.slice_subject(&tensor.name, span), span);
        let label = self.scope.add_label(UsedLabel { name, size, span });
        self.slices.labels.push(label);
        Some(label)
    }
}
