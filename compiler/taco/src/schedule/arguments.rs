//! What stands at a place of a scheduling command.

use comet_diag::{Diagnostic, Span, refuse};
use comet_syntax::ast::{CommandArg, CommandArgKind, Expr, ExprKind, Ident, Number};

use crate::notation::{ArgumentKind, Assignment, NotationArgument, NotationCommand};

/// The arguments of a command, with the way the command is written for hints.
pub(super) struct ScheduleArguments<'a> {
    pub(super) command: &'a NotationCommand,
    pub(super) usage: &'static str,
    /// The statement that is scheduled.
    pub(super) assignment: &'a Assignment,
}

impl ScheduleArguments<'_> {
    pub(super) fn expect(&self, count: usize, errors: &mut Vec<Diagnostic>) -> Option<()> {
        let (name, found) = (&self.command.name.name, self.command.arguments.len());
        if found == count {
            return Some(());
        }
        let message = format!("`{name}` takes {count} arguments, found {found}");
        self.report(self.command.span, message, errors)
    }

    /// A word: the name of an index, of a tensor, or one of TACO's own.
    pub(super) fn name(&self, at: usize, errors: &mut Vec<Diagnostic>) -> Option<Ident> {
        let argument = &self.command.arguments[at];
        match bare(argument) {
            Some(name) => Some(name.clone()),
            None => self.report(argument.span, "expected a name".to_owned(), errors),
        }
    }

    /// `i` or `{i, j}`.
    pub(super) fn names(&self, at: usize, errors: &mut Vec<Diagnostic>) -> Option<(Vec<Ident>, Span)> {
        let argument = &self.command.arguments[at];
        match &argument.kind {
            ArgumentKind::List(names) => Some((names.clone(), argument.span)),
            ArgumentKind::Expr(_) => Some((vec![self.name(at, errors)?], argument.span)),
        }
    }

    pub(super) fn expression(&self, at: usize, errors: &mut Vec<Diagnostic>) -> Option<Expr> {
        let argument = &self.command.arguments[at];
        match &argument.kind {
            ArgumentKind::Expr(expr) => Some(expr.clone()),
            ArgumentKind::List(_) => self.report(argument.span, "expected an expression".to_owned(), errors),
        }
    }

    pub(super) fn count(&self, at: usize, errors: &mut Vec<Diagnostic>) -> Option<CommandArg> {
        let argument = &self.command.arguments[at];
        if let Some(count) = positive(argument) {
            let expr = Expr { kind: ExprKind::Number(count), span: argument.span };
            return Some(CommandArg { kind: CommandArgKind::Expr(expr), span: argument.span });
        }
        self.report(argument.span, "expected a whole number of at least 1".to_owned(), errors)
    }

    fn report<T>(&self, span: Span, message: String, errors: &mut Vec<Diagnostic>) -> Option<T> {
        refuse(errors, Diagnostic::error(span, message).hint(format!("write `{}`", self.usage)))
    }
}

/// A whole number of at least 1.
pub(super) fn positive(argument: &NotationArgument) -> Option<Number> {
    match &argument.kind {
        ArgumentKind::Expr(Expr { kind: ExprKind::Number(number), .. }) => {
            Some(*number).filter(|number| number.integer.is_some_and(|count| count > 0))
        }
        _ => None,
    }
}

/// A word that stands alone.
pub(super) fn bare(argument: &NotationArgument) -> Option<&Ident> {
    match &argument.kind {
        ArgumentKind::Expr(Expr { kind: ExprKind::Access { tensor, indices }, .. }) if indices.is_empty() => {
            Some(tensor)
        }
        _ => None,
    }
}
