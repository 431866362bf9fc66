//! From the syntax of a tensor expression to a term: names to tensors and values, labels to numbers.

use comet_syntax::ast::{Expr, ExprKind, Ident};

use crate::action;
use crate::error::{OracleError, Result};
use crate::frame::Variables;
use crate::function;
use crate::interpret::Interpreter;
use crate::number::TypedNumber;
use crate::part::{self, PlacedIndex};
use crate::term::{BoundTerm, Combination, Patterns};

/// The labels of one statement.
#[derive(Default)]
pub(crate) struct Labels {
    names: Vec<String>,
    pub(crate) extents: Vec<usize>,
    /// Those on the left of the statement, where it has a tensor there: a call's tensor stands under them.
    pub(crate) written: Option<Vec<usize>>,
    /// Whether what is resolved stands in `stored`.
    pub(crate) in_stored: bool,
}

impl Labels {
    /// The number of a label that stands at a mode of that extent.
    pub(crate) fn number(&mut self, label: &Ident, extent: usize) -> Result<usize> {
        let found = self.names.iter().position(|name| *name == label.name);
        let number = found.unwrap_or_else(|| self.fresh(&label.name, extent));
        match self.extents[number] == extent {
            true => Ok(number),
            false => Err(OracleError::at(label.span, format!("conflicting sizes of `{}`", label.name))),
        }
    }

    fn fresh(&mut self, name: &str, extent: usize) -> usize {
        self.names.push(name.to_string());
        self.extents.push(extent);
        self.names.len() - 1
    }

    /// All numbers but those.
    pub(crate) fn except(&self, kept: &[usize]) -> Vec<usize> {
        (0..self.names.len()).filter(|label| !kept.contains(label)).collect()
    }
}

impl Interpreter<'_> {
    fn called_tensor(&mut self, frame: &Variables, labels: &Labels, expr: &Expr) -> Result<BoundTerm> {
        let refuse = || OracleError::at(expr.span, "a tensor without labels");
        let (function, args) = action::tensor_call(self.module, expr).ok_or_else(refuse)?;
        let written = labels.written.clone().ok_or_else(refuse)?;
        let dims: Vec<usize> = written.iter().map(|&label| labels.extents[label]).collect();
        let tensor = self.call(frame, function, args, Some(&dims))?.tensor.ok_or_else(refuse)?;
        if tensor.borrow().dims != dims {
            return Err(OracleError::at(expr.span, "the tensor has another shape than the left-hand side"));
        }
        Ok(BoundTerm::access(
            tensor,
            written.into_iter().zip(dims).map(|(label, extent)| PlacedIndex::all(label, extent)).collect(),
        ))
    }

    /// The term of an expression, without its reductions.
    pub(crate) fn resolve(
        &mut self,
        frame: &Variables,
        labels: &mut Labels,
        expr: &Expr,
    ) -> Result<BoundTerm> {
        match &expr.kind {
            ExprKind::Number(number) => Ok(BoundTerm::written(TypedNumber::written(*number))),
            ExprKind::Access { tensor, indices } | ExprKind::Transpose { tensor, indices, .. } => {
                let shared = frame.tensor(&tensor.name, tensor.span)?;
                let placed = self.placed(frame, labels, (&shared, tensor), indices)?;
                Ok(part::access(shared, placed))
            }
            ExprKind::Name(name) if frame.tensors.contains_key(name) => {
                let shared = frame.tensor(name, expr.span)?;
                let dims = shared.borrow().dims.clone();
                Ok(BoundTerm::access(
                    shared,
                    dims.into_iter()
                        .map(|extent| PlacedIndex::all(labels.fresh("", extent), extent))
                        .collect(),
                ))
            }
            _ if function::is_elementwise(self, expr) || function::of_elements(self, expr).is_some() => {
                self.elementwise(frame, labels, expr)
            }
            ExprKind::Neg(inner) => Ok(BoundTerm::neg(self.resolve(frame, labels, inner)?)),
            ExprKind::Binary { op, op_span, left, right } => {
                let op = Combination::of(*op, self.module)
                    .ok_or_else(|| OracleError::at(*op_span, "for scalars only"))?;
                let patterns = if labels.in_stored { Patterns::Intersect } else { op.patterns };
                let op = Combination { patterns, ..op };
                let left_span = left.span;
                let left = self.resolve(frame, labels, left)?;
                // Parentheses leave no node, but they are in a node's span.
                let grouped = expr.span.start < left_span.start;
                Ok(BoundTerm { grouped, ..BoundTerm::binary(op, left, self.resolve(frame, labels, right)?) })
            }
            ExprKind::Call { .. } if action::tensor_call(self.module, expr).is_some() => {
                self.called_tensor(frame, labels, expr)
            }
            _ => Ok(BoundTerm::constant(self.scalar(frame, expr)?)),
        }
    }
}
