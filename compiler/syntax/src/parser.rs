//! Tokens to a syntax tree.
//!
//! The generated parser recovers at the end of a statement, a block or a header. Where a slip is recognized
//! as such (a missing `;`, a missing `end`), skipping a whole statement would hide the errors in it; then the
//! token that is missing is put in and the file is parsed again.

use comet_diag::{Diagnostic, Source, Span};

use crate::actions::Actions;
use crate::ast::Module;
use crate::context::contextualize;
use crate::depth::check_depth;
use crate::fault::{Fault, Repair};
use crate::grammar::ModuleParser;
use crate::lexer::{self, Spanned};
use crate::token::Token;

/// How many tokens the parser looks at in all its runs together, so that a long file without a single `;`
/// does not take long.
const MAX_WORK: usize = 200_000;
/// How often it runs at most.
const MAX_RUNS: usize = 64;

/// The tree of a whole file.
///
/// # Errors
/// Every error of the file, in its order.
pub fn parse(source: &Source) -> Result<Module, Vec<Diagnostic>> {
    match parse_with_recovery(source) {
        (module, errors) if errors.is_empty() => Ok(module),
        (_, errors) => Err(errors),
    }
}

/// The tree of what could be read, with [`crate::ast::ExprKind::Error`] in the gaps, and every error of the
/// file in its order. A file that is nested too deeply gives an empty tree.
pub fn parse_with_recovery(source: &Source) -> (Module, Vec<Diagnostic>) {
    let lexed = lexer::lex(source.text());
    if let Some(error) = check_depth(&lexed.tokens) {
        return (Module::default(), in_order(lexed.errors, vec![error]));
    }
    let (module, mut errors) = parse_tokens(&lexed.tokens, source.text());
    errors.retain(|(_, statement)| !is_disturbed(*statement, &lexed.errors));
    let errors = errors.into_iter().map(|(error, _)| error).collect();
    (module, in_order(lexed.errors, errors))
}

/// A syntax error in a statement whose characters could not all be read says nothing new.
fn is_disturbed(statement: Span, lexical: &[Diagnostic]) -> bool {
    let first =
        lexical.partition_point(|error| error.span().is_some_and(|span| span.start < statement.start));
    lexical.get(first).and_then(Diagnostic::span).is_some_and(|span| span.end <= statement.end)
}

/// Sorted by place; what two runs have both found is one error.
fn in_order(mut errors: Vec<Diagnostic>, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    errors.extend(more);
    errors.sort_by_key(Diagnostic::span);
    errors.dedup();
    errors
}

/// An error with the part of its statement that lies before it.
type Placed = (Diagnostic, Span);

fn parse_tokens<'source>(tokens: &[Spanned<'source>], text: &'source str) -> (Module, Vec<Placed>) {
    let runs = (MAX_WORK / (tokens.len() + 1)).clamp(1, MAX_RUNS);
    let mut tokens = tokens.to_vec();
    let mut repaired = Vec::new();
    for _ in 1..runs {
        tokens = contextualize(&tokens);
        let run = Run::new(&tokens, text);
        let Some((first, repair)) = run.first_repair() else { return run.finish(repaired) };
        repaired.push(first);
        apply(repair, &mut tokens);
    }
    Run::new(&contextualize(&tokens), text).finish(repaired)
}

/// What the parser makes of the tokens.
struct Run<'run, 'source> {
    module: Module,
    faults: Vec<Fault<'run, 'source>>,
    word_errors: Vec<Diagnostic>,
}

impl<'run, 'source> Run<'run, 'source> {
    fn new(tokens: &'run [Spanned<'source>], text: &'source str) -> Self {
        let mut actions = Actions::default();
        let triples = tokens.iter().map(|spanned| (spanned.span.start, spanned.token, spanned.span.end));
        let module = ModuleParser::new().parse(&mut actions, triples).unwrap_or_else(|error| {
            actions.syntax_errors.push(error);
            Module::default()
        });
        let faults = actions.syntax_errors.into_iter().map(|error| Fault::new(error, tokens, text)).collect();
        Self { module, faults, word_errors: actions.word_errors }
    }

    /// Later errors may be consequences of the first, so only one slip is repaired at a time.
    fn first_repair(&self) -> Option<(Placed, Repair)> {
        self.faults.iter().find_map(|fault| {
            let (error, repair) = fault.explain();
            Some(((error, fault.statement_span()), repair?))
        })
    }

    fn finish(self, mut errors: Vec<Placed>) -> (Module, Vec<Placed>) {
        errors.extend(self.faults.iter().map(|fault| (fault.explain().0, fault.statement_span())));
        errors.extend(self.word_errors.into_iter().map(|error| (error, Span::default())));
        (self.module, errors)
    }
}

fn apply(repair: Repair, tokens: &mut Vec<Spanned<'_>>) {
    match repair {
        Repair::Replace(replaced) => replaced.into_iter().for_each(|(at, token)| tokens[at].token = token),
        Repair::Insert(at, inserted) => {
            let end = at.checked_sub(1).map_or(0, |previous| tokens[previous].span.end);
            let put_in = |token: Token<'static>| Spanned { token, span: Span::new(end, end) };
            tokens.splice(at..at, inserted.into_iter().map(put_in));
        }
    }
}
