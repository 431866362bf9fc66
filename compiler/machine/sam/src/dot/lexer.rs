//! A text to tokens. What DOT has and graphs of blocks have no use for is refused here.

use comet_diag::{Diagnostic, Span};
use logos::Logos;

use super::token::DotToken;

/// A token between its first byte and the one behind its last, as the parser takes it.
pub(crate) type Spanned<'source> = (usize, DotToken<'source>, usize);

pub(crate) fn lex(text: &str) -> Result<Vec<Spanned<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut lexer = DotToken::lexer(text);
    while let Some(result) = lexer.next() {
        let span = Span::new(lexer.span().start, lexer.span().end);
        let Ok(token) = result else {
            return Err(no_token(text, span));
        };
        if let Some((what, hint)) = unused(token) {
            return Err(Diagnostic::not_supported(span, what).hint(hint));
        }
        tokens.push((span.start, token, span.end));
    }
    Ok(tokens)
}

/// What is left open reaches to the end of the text; the place is where it begins.
fn no_token(text: &str, span: Span) -> Diagnostic {
    let rest = &text[span.start..];
    let begin = Span::new(span.start, span.start + rest.chars().next().map_or(0, char::len_utf8));
    if rest.starts_with('"') {
        return Diagnostic::error(begin, "this string has no end").hint("strings end with `\"`");
    }
    if rest.starts_with("/*") {
        return Diagnostic::error(begin, "this comment has no end").hint("comments end with `*/`");
    }
    let found = text[begin.start..begin.end].escape_debug();
    Diagnostic::error(begin, format!("`{found}` belongs to no graph"))
        .hint("a name with other characters than letters, digits and `_` stands in quotes")
}

fn unused(token: DotToken<'_>) -> Option<(&'static str, &'static str)> {
    Some(match token {
        DotToken::Subgraph => ("subgraphs", "write the nodes and edges of the subgraph without it"),
        DotToken::Strict => {
            ("strict graphs", "leave `strict` out: blocks can have several streams between them")
        }
        DotToken::Line => {
            ("edges without a direction", "write `->` from the block that gives to the one that takes")
        }
        DotToken::Colon => ("ports of nodes", "the `comment` of an edge names its ports: `comment=\"in-B\"`"),
        DotToken::Less => ("strings in HTML", "write the string in quotes"),
        DotToken::Plus => ("strings in parts", "write one string in quotes"),
        _ => return None,
    })
}
