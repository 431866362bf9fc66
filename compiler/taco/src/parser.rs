//! Texts to trees, with every lexical error and the first syntax error.

use comet_diag::{Diagnostic, Span};

use crate::command_line::CommandLine;
use crate::grammar::{AssignmentParser, ScheduleParser};
use crate::lexer::{self, Spanned};
use crate::notation::{Assignment, NotationCommand};
use crate::{depth, fault};

pub(crate) fn assignment(line: &CommandLine, errors: &mut Vec<Diagnostic>) -> Option<Assignment> {
    let tokens = tokens(line, line.expression(), errors)?;
    let parsed = AssignmentParser::new().parse(tokens.iter().copied());
    parsed.map_err(|error| errors.push(fault::in_expression(error, &tokens, line.expression()))).ok()
}

/// The commands of a `-s`.
pub(crate) fn schedule(
    line: &CommandLine,
    value: Span,
    errors: &mut Vec<Diagnostic>,
) -> Vec<NotationCommand> {
    let Some(tokens) = tokens(line, value, errors) else { return Vec::new() };
    let tokens = lexer::join_words(line, &tokens);
    let parsed = ScheduleParser::new().parse(tokens.iter().copied());
    parsed.map_err(|error| errors.push(fault::in_schedule(error, &tokens, value))).unwrap_or_default()
}

/// Nothing where there was an error: what the parser says then is a consequence.
fn tokens<'line>(
    line: &'line CommandLine,
    span: Span,
    errors: &mut Vec<Diagnostic>,
) -> Option<Vec<Spanned<'line>>> {
    let (tokens, mut found) = lexer::lex(line.text(span), span.start);
    found.extend(depth::check(&tokens));
    let is_clean = found.is_empty();
    errors.append(&mut found);
    is_clean.then_some(tokens)
}
