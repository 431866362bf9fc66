//! What applies to complex values, and what is refused.

use comet_diag::{Diagnostic, Span};
use comet_notation::Function;
use comet_syntax::ast::Element;

use super::tree::{Tree, apply, convert, pair};
use crate::function::Checker;
use crate::program::Operator;

/// What a complex value is taken by where a real one is wanted.
const PARTS: &str = "take its `real`, `imag` or `abs`";

impl Checker<'_> {
    pub(super) fn checked_apply(&mut self, function: Function, operand: Tree, span: Span) -> Option<Tree> {
        if operand.element().is_complex() && !function.applies_to_complex() {
            let message = format!("`{}` is not defined for complex values", function.name());
            let functions: Vec<String> = Function::ALL
                .iter()
                .filter(|function| function.applies_to_complex())
                .map(|function| format!("`{}`", function.name()))
                .collect();
            let hint = format!("functions of complex values are {}; or {PARTS}", functions.join(", "));
            return self.refuse(Diagnostic::error(span, message).hint(hint));
        }
        Some(apply(function, operand))
    }

    pub(super) fn checked_pair(
        &mut self,
        operator: Operator,
        [left, right]: [Tree; 2],
        span: Span,
    ) -> Option<Tree> {
        if operator == Operator::Complex && (left.element().is_complex() || right.element().is_complex()) {
            let message = "the parts of `complex(x, y)` are real, found a complex value";
            return self.refuse(Diagnostic::error(span, message).hint(PARTS));
        }
        self.check_complex(operator, left.element().widest(right.element()), span)?;
        Some(pair(operator, left, right))
    }

    pub(super) fn checked_convert(&mut self, to: Element, value: Tree, span: Span) -> Option<Tree> {
        self.check_real((to, None), value.element(), span)?;
        Some(convert(to, value))
    }

    /// Refuses an operator that complex values do not have: they have no order, and are no conditions.
    pub(crate) fn check_complex(&mut self, operator: Operator, element: Element, span: Span) -> Option<()> {
        if !element.is_complex() || operator.applies_to_complex() {
            return Some(());
        }
        let word = if operator == Operator::Pow { "pow" } else { operator.symbol() };
        let message = format!("`{word}` is not defined for complex values");
        let hint = match operator {
            Operator::And | Operator::Or => "compare first: `z != 0`".to_owned(),
            Operator::Pow => "write powers as products".to_owned(),
            Operator::Own(_) => "operators of the file compute real values".to_owned(),
            _ => format!("complex values have no order: {PARTS}"),
        };
        self.refuse(Diagnostic::error(span, message).hint(hint))
    }

    /// Refuses a complex value where a real one is stored, in what was declared at a place.
    pub(crate) fn check_real(
        &mut self,
        (to, declared): (Element, Option<Span>),
        found: Element,
        span: Span,
    ) -> Option<()> {
        if !found.is_complex() || to.is_complex() {
            return Some(());
        }
        let message = format!("found a `{}`, expected a real value for `{}`", found.word(), to.word());
        let error = Diagnostic::error(span, message).hint(PARTS);
        self.refuse(match declared {
            Some(declared) => error.also(declared, "declared here"),
            None => error,
        })
    }
}
