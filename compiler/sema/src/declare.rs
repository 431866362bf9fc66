//! Declarations: labels with their ranges, tensors with their modes.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{Dim, DimKind, Ident, Number, Range, RangeKind, TensorDecl};

use crate::function::Checker;
use crate::names::NameKind;
use crate::program::TensorId;
use crate::scope::TensorInfo;
use crate::sizes::{NodeId, StatedExtent, Subject};
use crate::storage::{self, TensorStorage};

impl Checker<'_> {
    /// `IndexLabel [i, j] = [?]`.
    pub(crate) fn declare_labels(&mut self, names: &[Ident], range: Option<&Range>) {
        let known = range.and_then(|range| self.extent(range));
        for name in names {
            let node = self.declare_label(name);
            if let Some(known) = known {
                self.sizes.fix(node, known, name.span, &mut self.diagnostics);
            }
            // Its size would look open, and that only because the range is wrong.
            if known.is_none() && range.is_some_and(|range| !is_open(range)) {
                self.sizes.poison(node);
            }
        }
    }

    fn declare_label(&mut self, name: &Ident) -> NodeId {
        let node = self.sizes.node(Subject::Label(name.name.clone()), name.span);
        self.scope.declare_label(name, node, &mut self.diagnostics);
        node
    }

    /// The labels of a parameter, those that an earlier parameter has declared left out.
    pub(crate) fn declare_missing_labels(&mut self, decl: &TensorDecl) {
        for dim in &decl.dims {
            let DimKind::Label(name) = &dim.kind else { continue };
            if self.scope.label_size(name).is_none() {
                self.declare_label(&Ident { name: name.clone(), span: dim.span });
            }
        }
    }

    fn extent(&mut self, range: &Range) -> Option<StatedExtent> {
        let value = match range.kind {
            RangeKind::Open | RangeKind::Bounds { hi: None, .. } => return None,
            RangeKind::Size(size) => whole(size),
            RangeKind::Bounds { lo, hi: Some(hi), step } => bounded(lo, hi, step),
        };
        if value.is_none() {
            let message = "a range is a size, or whole numbers `lo:hi:step` with `lo` up to `hi` and a step of 1 or more";
            self.diagnostics.push(
                Diagnostic::error(range.span, message)
                    .hint("write for example `[8]`, `[0:8]`, `[0:8:2]` or `[?]`"),
            );
        }
        value.map(|value| StatedExtent { value, span: range.span })
    }

    /// A declaration in a body. A tensor that nothing uses is checked and then forgotten, for nothing may fix
    /// its extents.
    pub(crate) fn declare_tensor(&mut self, decl: &TensorDecl) {
        let storage = storage::resolve_declaration(decl, &mut self.diagnostics);
        if self.scope.mentions(&decl.name.name) {
            self.add_tensor(decl, storage);
            return;
        }
        for dim in &decl.dims {
            self.dim_extent(dim);
        }
        self.scope.declare_unused_tensor(&decl.name, &mut self.diagnostics);
    }

    pub(crate) fn add_tensor(&mut self, decl: &TensorDecl, storage: Option<TensorStorage>) -> TensorId {
        let modes: Vec<NodeId> =
            decl.dims.iter().enumerate().map(|(mode, dim)| self.mode(decl, mode, dim)).collect();
        let info =
            TensorInfo { name: decl.name.clone(), element: decl.element, storage, modes, span: decl.span };
        self.scope.declare_tensor(info, &mut self.diagnostics)
    }

    fn mode(&mut self, decl: &TensorDecl, mode: usize, dim: &Dim) -> NodeId {
        let node = self.sizes.node(Subject::Mode(mode, decl.name.name.clone()), dim.span);
        match self.dim_extent(dim) {
            DeclaredExtent::Open => {}
            DeclaredExtent::Wrong => self.sizes.poison(node),
            DeclaredExtent::Label(label) => self.sizes.unify(label, node, dim.span, &mut self.diagnostics),
            DeclaredExtent::Known(known) => self.sizes.fix(node, known, dim.span, &mut self.diagnostics),
        }
        node
    }

    fn dim_extent(&mut self, dim: &Dim) -> DeclaredExtent {
        match &dim.kind {
            DimKind::Open => DeclaredExtent::Open,
            DimKind::Label(name) => self.dim_label(name, dim.span),
            DimKind::Size(size) => match whole(*size) {
                Some(value) => DeclaredExtent::Known(StatedExtent { value, span: dim.span }),
                None => {
                    let message = format!("a dimension is a whole number, found {}", size.value);
                    let hint = "write a label, a whole number or `?`";
                    self.diagnostics.push(Diagnostic::error(dim.span, message).hint(hint));
                    DeclaredExtent::Wrong
                }
            },
        }
    }

    fn dim_label(&mut self, name: &str, span: Span) -> DeclaredExtent {
        match self.scope.label_size(name) {
            Some(node) => DeclaredExtent::Label(node),
            None => {
                self.diagnostics.extend(self.scope.unknown(NameKind::Label, name, span));
                DeclaredExtent::Wrong
            }
        }
    }
}

enum DeclaredExtent {
    Open,
    Known(StatedExtent),
    Label(NodeId),
    /// An error was reported.
    Wrong,
}

fn is_open(range: &Range) -> bool {
    matches!(range.kind, RangeKind::Open | RangeKind::Bounds { hi: None, .. })
}

fn whole(number: Number) -> Option<u64> {
    number.integer.and_then(|value| u64::try_from(value).ok())
}

/// ⌈(hi − lo) / step⌉.
fn bounded(lo: Number, hi: Number, step: Option<Number>) -> Option<u64> {
    let length = whole(hi)?.checked_sub(whole(lo)?)?;
    let step = step.map_or(Some(1), whole).filter(|&step| step > 0)?;
    Some(length.div_ceil(step))
}
