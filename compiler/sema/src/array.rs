//! `A[..] = [[1, 2], [3, 4]]`: the values of a tensor, which also fix its extents. The entries of a
//! sparse one are those that are not 0.

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::{self, Element, Expr, ExprKind};

use crate::elementwise::Elementwise;
use crate::function::Checker;
use crate::literal::literal;
use crate::names::counted;
use crate::program::{Number, Operator, StmtKind, TensorId};
use crate::sizes::StatedExtent;

impl Checker<'_> {
    /// `None` where an error was reported.
    pub(crate) fn array(&mut self, assign: &ast::Assign) -> Option<StmtKind> {
        let is_whole = self.unscheduled(assign, "an array");
        let target = self.whole_target(assign)?;
        let tensor = self.content_target(assign, target);
        let array = &assign.value;
        let shape = shape(array);
        let mut values = Vec::new();
        self.flatten(tensor, array, &shape, &mut values)?;
        self.fix_shape(tensor, &shape, array.span)?;
        is_whole?;
        self.join_content(assign, target, tensor, StmtKind::Literal { tensor, values })
    }

    /// Adds the values in row-major order; complex ones are two numbers each.
    fn flatten(
        &mut self,
        tensor: TensorId,
        array: &Expr,
        shape: &[usize],
        values: &mut Vec<Number>,
    ) -> Option<()> {
        match (&array.kind, shape.split_first()) {
            (ExprKind::Array(rows), Some((&extent, inner))) => {
                if rows.len() != extent {
                    return self.unequal_rows(array.span, rows.len(), extent);
                }
                rows.iter().try_for_each(|row| self.flatten(tensor, row, inner, values))
            }
            (_, None) if let Some(value) = literal(array) => {
                self.check_fits(tensor, value, array.span)?;
                values.push(value);
                if self.scope.tensors[tensor.0].element.is_complex() {
                    values.push(Number::Int(0));
                }
                Some(())
            }
            (_, None) if let Some(parts) = self.complex_literal(array) => {
                let info = &self.scope.tensors[tensor.0];
                let (element, declared) = (info.element, info.span);
                self.check_real((element, Some(declared)), Element::C128, array.span)?;
                values.extend(parts);
                Some(())
            }
            _ => {
                let message = "an array holds numbers, or rows that are all equally deep";
                let hint =
                    "write numbers, or `complex(1, 2)`; assign what is computed by a statement of its own";
                self.refuse(Diagnostic::error(array.span, message).hint(hint))
            }
        }
    }

    /// The parts of `complex(1, -2)`.
    fn complex_literal(&self, expr: &Expr) -> Option<[Number; 2]> {
        match self.elementwise_callee(expr)? {
            (Elementwise::Operator(Operator::Complex), _, [re, im]) => Some([literal(re)?, literal(im)?]),
            _ => None,
        }
    }

    fn unequal_rows(&mut self, span: Span, found: usize, expected: usize) -> Option<()> {
        let message = format!("this row has {}, the first one has {expected}", counted(found, "element"));
        self.refuse(Diagnostic::error(span, message).hint("make all rows equally long"))
    }

    fn fix_shape(&mut self, tensor: TensorId, shape: &[usize], span: Span) -> Option<()> {
        let info = &self.scope.tensors[tensor.0];
        if shape.len() != info.rank() {
            let message = format!(
                "`{}` has rank {}, but the array has rank {}",
                info.name.name,
                info.rank(),
                shape.len()
            );
            let error = Diagnostic::error(span, message).also(info.span, "declared here");
            return self.refuse(error.hint("nest the brackets as deep as the tensor has modes"));
        }
        for (mode, &extent) in info.modes.clone().into_iter().zip(shape) {
            let known = StatedExtent { value: u64::try_from(extent).unwrap_or(u64::MAX), span };
            self.sizes.fix(mode, known, span, &mut self.diagnostics);
        }
        Some(())
    }
}

/// The first row of each depth states the extent of all.
fn shape(array: &Expr) -> Vec<usize> {
    let mut shape = Vec::new();
    let mut next = Some(array);
    while let Some(Expr { kind: ExprKind::Array(rows), .. }) = next {
        shape.push(rows.len());
        next = rows.first();
    }
    shape
}
