//! A text to its statements, or the first syntax error.

use comet_diag::{Diagnostic, Span};
use comet_notation::distinct;
use lalrpop_util::ParseError;

use super::grammar::DocumentParser;
use super::lexer;
use super::syntax::Document;
use super::token::DotToken;

pub(crate) fn parse(text: &str) -> Result<Document, Diagnostic> {
    let tokens = lexer::lex(text)?;
    DocumentParser::new().parse(tokens).map_err(|error| explain(&error, text))
}

fn explain(error: &ParseError<usize, DotToken<'_>, ()>, text: &str) -> Diagnostic {
    let (found, span, expected) = match error {
        ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
            (Some(*token), Span::new(*start, *end), expected.as_slice())
        }
        ParseError::UnrecognizedEof { expected, .. } => {
            (None, Span::new(text.len(), text.len()), expected.as_slice())
        }
        // Something behind the closing brace.
        ParseError::ExtraToken { token: (start, token, end) } => {
            (Some(*token), Span::new(*start, *end), &[][..])
        }
        ParseError::InvalidToken { location } => (None, Span::new(*location, *location), &[][..]),
        ParseError::User { error: () } => unreachable!("the actions of the grammar never fail"),
    };
    let written = &text[span.start..span.end];
    let name = match found {
        None => "the end of the text".to_owned(),
        Some(DotToken::Name(_) | DotToken::Number(_) | DotToken::Quoted(_)) => format!("`{written}`"),
        Some(_) => format!("`{}`", written.to_ascii_lowercase()),
    };
    Diagnostic::error(span, format!("expected {}, found {name}", phrase(expected)))
        .hint(hint(found, expected))
}

/// Sets of terminals by one word: "an identifier", not three kinds of it.
fn phrase(expected: &[String]) -> String {
    let mut words = distinct(expected.iter().map(|quoted| match quoted.trim_matches('"') {
        "name" | "number" | "string" => "an identifier".to_owned(),
        sign => format!("`{sign}`"),
    }));
    match (words.pop(), words.is_empty()) {
        (Some(last), true) => last,
        (Some(last), false) => format!("{} or {last}", words.join(", ")),
        (None, _) => "the end of the text".to_owned(),
    }
}

fn hint(found: Option<DotToken<'_>>, expected: &[String]) -> &'static str {
    match found {
        Some(DotToken::Graph) if expected.iter().any(|terminal| terminal.contains("digraph")) => {
            "streams have a direction: write `digraph`"
        }
        Some(DotToken::LeftBrace) => "a graph has no other graphs inside",
        None => "a graph ends with `}`",
        _ => "a graph is written as `digraph SAM { 1 [type=\"mul\"] 1 -> 0 [type=\"val\"] }`",
    }
}
