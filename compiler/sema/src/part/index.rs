//! Indices that are not just labels.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{BinaryOp, Element, Expr, ExprKind, Ident, Index, Window};

use crate::function::Checker;
use crate::literal::literal;
use crate::names::NameKind;
use crate::program::{Coordinate, LabelId, Number, PartMode, ScalarExprKind};
use crate::walk;

/// An index of a part.
pub(super) struct PartIndex {
    pub(super) mode: PartMode,
    /// What goes over the coordinates, where there are several.
    pub(super) label: Option<LabelId>,
    /// The extent of the part.
    pub(super) extent: PartExtent,
    /// The least extent that the mode must have.
    pub(super) least: Option<u64>,
    pub(super) span: Span,
}

pub(super) enum PartExtent {
    /// That of the whole mode.
    Whole,
    Label,
    Known(u64),
}

impl Checker<'_> {
    /// Whether the word is a scalar, which it is in an index if it is no label.
    pub(crate) fn is_scalar(&self, name: &Ident) -> bool {
        self.scope.label_size(&name.name).is_none() && self.scope.kind(&name.name) == Some(NameKind::Scalar)
    }

    /// An index of a tensor. `unnamed` counts the slices of the access without a label.
    pub(super) fn part_index(
        &mut self,
        tensor: &Ident,
        index: &Index,
        unnamed: &mut usize,
    ) -> Option<PartIndex> {
        let span = index.span();
        match index {
            Index::Name(name) if self.is_scalar(name) => {
                let (kind, element) = self.scalar_name(&name.name, span)?;
                self.check_integer(element, span)?;
                let ScalarExprKind::Scalar(scalar) = kind else { return None };
                Some(at(Coordinate::Scalar(scalar), None, span))
            }
            Index::Name(name) => {
                let label = self.scope.label(name, &mut self.diagnostics)?;
                let (label, extent) = (Some(label), PartExtent::Whole);
                Some(PartIndex { mode: PartMode::ALL, label, extent, least: None, span })
            }
            Index::At(expr) => match index.shifted() {
                Some((label, by)) if self.scope.label_size(&label.name).is_some() => {
                    let label = self.scope.label(&label, &mut self.diagnostics)?;
                    let (label, extent) = (Some(label), PartExtent::Label);
                    Some(PartIndex { mode: PartMode::Shift { by }, label, extent, least: None, span })
                }
                _ => self.coordinate(expr),
            },
            Index::Window(window) => {
                let label = match &window.label {
                    Some(label) => self.scope.label(label, &mut self.diagnostics),
                    None => {
                        *unnamed += 1;
                        self.slice_label(tensor, *unnamed - 1, span)
                    }
                };
                self.window(window, label)
            }
        }
    }

    /// One coordinate: a number, or a scalar that is computed before the statement.
    fn coordinate(&mut self, expr: &Expr) -> Option<PartIndex> {
        let span = expr.span;
        if let Some(number) = literal(expr) {
            let number = self.whole_bound(number, span)?;
            let least = Some(number.saturating_add(1));
            return Some(at(Coordinate::Number(number), least, span));
        }
        self.refuse_labels(expr)?;
        let value = self.scalar_expr(expr)?;
        self.check_integer(value.element, span)?;
        Some(at(Coordinate::Scalar(self.hoist(value)), None, span))
    }

    /// Only a number can be added to a label.
    fn refuse_labels(&mut self, expr: &Expr) -> Option<()> {
        for inner in walk::all_expressions(expr) {
            match &inner.kind {
                ExprKind::Name(name)
                    if self.scope.label_size(name).is_some()
                        && self.scope.kind(name) != Some(NameKind::Scalar) =>
                {
                    let what = "an index that computes with a label more than a sum with a whole number";
                    let hint = match &expr.kind {
                        ExprKind::Binary { op: BinaryOp::Mul, .. } => {
                            format!("go over a slice with a step, `{name} in 0:8:2`")
                        }
                        _ => format!(
                            "add or subtract a number, `{name} + 1`, or multiply by a matrix that shifts"
                        ),
                    };
                    return self.refuse(Diagnostic::not_supported(expr.span, what).hint(hint));
                }
                ExprKind::Access { indices, .. } if !self.is_element(indices) => {
                    let what = "an index that is read from a tensor under labels";
                    let hint = "multiply by a sparse matrix that selects the elements";
                    return self.refuse(Diagnostic::not_supported(expr.span, what).hint(hint));
                }
                _ => {}
            }
        }
        Some(())
    }

    fn check_integer(&mut self, element: Element, span: Span) -> Option<()> {
        if element == Element::I64 {
            return Some(());
        }
        let message = format!("an index is an `int`, found a `{}`", element.word());
        self.refuse(Diagnostic::error(span, message).hint("use a scalar that only holds whole numbers"))
    }

    fn window(&mut self, window: &Window, label: Option<LabelId>) -> Option<PartIndex> {
        let span = window.span;
        let bound = |checker: &mut Self, expr: &Option<Expr>| match expr {
            Some(expr) => checker.slice_bound(expr).map(Some),
            None => Some(None),
        };
        let lo = bound(self, &window.lo);
        let hi = bound(self, &window.hi);
        let step = bound(self, &window.step);
        let (label, lo, hi, step) = (label?, lo?.unwrap_or(0), hi?, step?.unwrap_or(1));
        if step == 0 {
            let error = Diagnostic::error(span, "the step of a slice is at least 1, found 0");
            return self.refuse(error.hint("leave it out, `0:8`, or write another number"));
        }
        let label = Some(label);
        let Some(hi) = hi else {
            if (lo, step) == (0, 1) {
                return Some(PartIndex {
                    mode: PartMode::ALL,
                    label,
                    extent: PartExtent::Whole,
                    least: None,
                    span,
                });
            }
            let error = Diagnostic::not_supported(span, "a slice without an end");
            return self.refuse(error.hint(format!("write the end as a number: `{lo}:8`")));
        };
        let Some(length) = hi.checked_sub(lo) else {
            let message = format!("a slice ends before it begins: {lo} to {hi}");
            return self.refuse(Diagnostic::error(span, message).hint("write the smaller number first"));
        };
        let length = length.div_ceil(step);
        let least =
            length.checked_sub(1).map(|last| lo.saturating_add(last.saturating_mul(step)).saturating_add(1));
        let mode = PartMode::Window { from: lo, step };
        Some(PartIndex { mode, label, extent: PartExtent::Known(length), least, span })
    }

    /// A number of a slice.
    fn slice_bound(&mut self, expr: &Expr) -> Option<u64> {
        if let Some(number) = literal(expr) {
            return self.whole_bound(number, expr.span);
        }
        let error = Diagnostic::not_supported(expr.span, "a slice whose bounds are not numbers");
        self.refuse(error.hint("write numbers; a single coordinate may be a scalar: `A[n,j]`"))
    }

    fn whole_bound(&mut self, number: Number, span: Span) -> Option<u64> {
        let message = match number {
            Number::Int(value) => match u64::try_from(value) {
                // Coordinates are signed in the run time.
                Ok(value) => return Some(value),
                Err(_) => format!("an index is at least 0, found {value}"),
            },
            Number::Float(value) => format!("an index is a whole number, found {value}"),
        };
        self.refuse(Diagnostic::error(span, message).hint("coordinates are counted from 0"))
    }
}

fn at(coordinate: Coordinate, least: Option<u64>, span: Span) -> PartIndex {
    let extent = PartExtent::Known(1);
    PartIndex { mode: PartMode::At(coordinate), label: None, extent, least, span }
}
