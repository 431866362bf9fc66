//! A part of the command line to tokens and lexical errors.

use comet_diag::{Diagnostic, Span};
use logos::Logos;

use crate::command_line::CommandLine;
use crate::token::NotationToken;

/// A token between its first byte and the one behind its last, as the parser takes it.
pub(crate) type Spanned<'source> = (usize, NotationToken<'source>, usize);

/// The tokens of a text that begins at byte `start` of its source. What is no token is an error and is
/// skipped.
pub(crate) fn lex(text: &str, start: usize) -> (Vec<Spanned<'_>>, Vec<Diagnostic>) {
    let (mut tokens, mut errors) = (Vec::new(), Errors::default());
    let mut lexer = NotationToken::lexer(text);
    while let Some(result) = lexer.next() {
        let span = Span::new(start + lexer.span().start, start + lexer.span().end);
        match result {
            Ok(token) => {
                errors.number(token, span);
                tokens.push((span.start, token, span.end));
            }
            Err(()) => errors.character(lexer.slice(), span),
        }
    }
    (tokens, errors.found)
}

/// Joins the parts of words such as `i_0` and `j_pre`: a `_` belongs to a name in schedules, but for one in
/// front of a list of indices, `A_{i,j}`.
pub(crate) fn join_words<'line>(line: &'line CommandLine, tokens: &[Spanned<'line>]) -> Vec<Spanned<'line>> {
    let mut joined: Vec<Spanned<'line>> = Vec::new();
    for (at, &(start, token, end)) in tokens.iter().enumerate() {
        let before_list = matches!(tokens.get(at + 1), Some((_, NotationToken::LeftBrace, _)));
        match joined.last_mut() {
            Some((first, NotationToken::Name(word), last))
                if *last == start && continues(word, token) && !before_list =>
            {
                *last = end;
                *word = line.text(Span::new(*first, end));
            }
            _ => joined.push((start, token, end)),
        }
    }
    joined
}

/// True if a token right behind a word is a part of it.
fn continues(word: &str, token: NotationToken<'_>) -> bool {
    match token {
        NotationToken::Underscore => true,
        NotationToken::Name(_) => word.contains('_'),
        NotationToken::Number(digits) => {
            word.contains('_') && digits.bytes().all(|byte| byte.is_ascii_alphanumeric())
        }
        _ => false,
    }
}

#[derive(Default)]
struct Errors {
    found: Vec<Diagnostic>,
    /// Where the last bad character ends.
    end: Option<usize>,
    /// Brackets are reported once.
    brackets: bool,
}

impl Errors {
    /// Neighbouring bad characters make one error.
    fn character(&mut self, text: &str, span: Span) {
        let is_bracket = matches!(text, "[" | "]");
        if is_bracket && std::mem::replace(&mut self.brackets, true) {
            return;
        }
        let last = self.found.last_mut().filter(|_| self.end == Some(span.start) && !is_bracket);
        self.end = Some(span.end);
        if let Some(last) = last {
            last.labels[0].span.end = span.end;
            last.message = "these characters belong to no expression".to_owned();
            last.hint = None;
            return;
        }
        let error = Diagnostic::error(span, format!("`{}` belongs to no expression", text.escape_debug()));
        self.found.push(Diagnostic { hint: hint(text).map(str::to_owned), ..error });
    }

    fn number(&mut self, token: NotationToken<'_>, span: Span) {
        let NotationToken::Number(text) = token else { return };
        let number = comet_syntax::number(text);
        let is_integer = text.bytes().all(|byte| byte.is_ascii_digit());
        if number.value.is_infinite() || (is_integer && number.integer.is_none()) {
            let limit = if is_integer { "64 bits" } else { "a double" };
            self.found.push(Diagnostic::error(span, format!("the number does not fit {limit}")));
        }
    }
}

fn hint(text: &str) -> Option<&'static str> {
    Some(match text {
        "[" | "]" => "indices stand in parentheses: `A(i,j)`",
        "^" => "there is no power operator; write the product",
        "\u{2212}" | "\u{2013}" => "minus is written `-`",
        "\u{d7}" | "\u{b7}" | "\u{22c5}" => "a product is written `*`",
        "@" => "semirings have no place in this notation: `--print-ta` gives a program to write them in",
        _ => return None,
    })
}
