//! A text to tokens and comments, and which ends of lines are ends of statements, by Scala's rules.

use comet_diag::{Diagnostic, Span};
use logos::Logos;

use super::token::Token;
use super::tree::Word;
use crate::text::Result;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned<'source> {
    pub(crate) token: Token<'source>,
    pub(crate) span: Span,
}

pub(crate) struct Lexed<'source> {
    /// With the end of every line.
    pub(crate) tokens: Vec<Spanned<'source>>,
    /// Those from `//` to the end of a line, without the `//`.
    pub(crate) comments: Vec<Word>,
}

/// The tokens of a text, or the first place that has none.
pub(crate) fn lex(text: &str) -> Result<Lexed<'_>> {
    let mut lexed = Lexed { tokens: Vec::new(), comments: Vec::new() };
    let mut lexer = Token::lexer(text);
    while let Some(result) = lexer.next() {
        let span = Span::new(lexer.span().start, lexer.span().end);
        match result {
            Ok(Token::Comment(comment)) => {
                lexed.comments.push(Word { text: comment[2..].trim_end().to_owned(), span });
            }
            Ok(token) => lexed.tokens.push(Spanned { token, span }),
            Err(()) => return Err(no_token(text, span)),
        }
    }
    Ok(lexed)
}

fn no_token(text: &str, span: Span) -> Diagnostic {
    let rest = &text[span.start..];
    let begin = Span::new(span.start, span.start + rest.chars().next().map_or(0, char::len_utf8));
    if rest.starts_with('"') {
        return Diagnostic::error(begin, "this string has no end")
            .hint("strings end with `\"`, in their line");
    }
    if rest.starts_with("/*") {
        return Diagnostic::error(begin, "this comment has no end").hint("comments end with `*/`");
    }
    let found = text[begin.start..begin.end].escape_debug();
    Diagnostic::error(begin, format!("`{found}` belongs to no application"))
        .hint("names consist of letters, digits, `_` and `$`")
}

/// Drops the ends of lines inside of parentheses and brackets, behind what ends no statement, and in front of
/// what begins none. Several in a row become one [`Token::Blank`].
pub(crate) fn end_statements(tokens: Vec<Spanned<'_>>) -> Vec<Spanned<'_>> {
    let mut kept: Vec<Spanned<'_>> = Vec::with_capacity(tokens.len());
    // For each open bracket whether lines end statements inside of it.
    let mut open = Vec::new();
    let mut ends: Option<Spanned<'_>> = None;
    for spanned in tokens {
        match spanned.token {
            Token::Newline => {
                let token = if ends.is_some() { Token::Blank } else { Token::Newline };
                ends = Some(Spanned { token, ..ends.unwrap_or(spanned) });
                continue;
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => drop(open.pop()),
            _ => {}
        }
        let can_end = kept.last().is_some_and(|last| last.token.can_end());
        let is_enabled = open.last().copied().unwrap_or(true);
        let end = ends.take().filter(|_| can_end && is_enabled && spanned.token.can_begin());
        kept.extend(end);
        match spanned.token {
            Token::LeftParen | Token::LeftBracket => open.push(false),
            Token::LeftBrace => open.push(true),
            _ => {}
        }
        kept.push(spanned);
    }
    kept
}
