//! Tokens to a syntax tree.

use comet_diag::{Diagnostic, Source, Span};

use crate::actions::{Actions, SyntaxError};
use crate::ast::Module;
use crate::context::contextualize;
use crate::grammar::ModuleParser;
use crate::lexer;

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

/// The tree of what could be read, with [`crate::ast::ExprKind::Error`] in the gaps, and every error of the file.
pub fn parse_with_recovery(source: &Source) -> (Module, Vec<Diagnostic>) {
    let lexed = lexer::lex(source.text());
    let tokens = contextualize(&lexed.tokens);
    let mut actions = Actions::default();
    let triples = tokens.iter().map(|spanned| (spanned.span.start, spanned.token, spanned.span.end));
    let module = match ModuleParser::new().parse(&mut actions, triples) {
        Ok(module) => module,
        Err(error) => {
            actions.syntax_errors.push(error);
            Module::default()
        }
    };
    let mut errors = lexed.errors;
    errors.append(&mut actions.word_errors);
    errors.extend(actions.syntax_errors.into_iter().map(|error| plain(&error)));
    (module, errors)
}

fn plain(error: &SyntaxError<'_>) -> Diagnostic {
    match error {
        SyntaxError::UnrecognizedToken { token: (start, token, end), expected } => {
            let span = Span::new(*start, *end);
            Diagnostic::error(span, format!("expected {}, found `{token}`", expected.join(", ")))
        }
        other => Diagnostic::error(Span::default(), format!("{other:?}")),
    }
}
