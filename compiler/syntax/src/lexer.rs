//! Source text to tokens, comments and lexical errors.

use comet_diag::{Diagnostic, Span};
use logos::Logos;

use crate::ast::Number;
use crate::token::Token;

/// How many errors there may be before names of files without quotes are looked for no more.
const MOST_SEARCHES: usize = 20;

/// A token with its bytes; zero bytes wide where the parser put it in to go on after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spanned<'source> {
    pub(crate) token: Token<'source>,
    pub(crate) span: Span,
}

/// What is in a text.
#[derive(Debug, Default)]
pub(crate) struct Lexed<'source> {
    pub(crate) tokens: Vec<Spanned<'source>>,
    /// From `#` to the end of the line.
    pub(crate) comments: Vec<Span>,
    /// Lexical errors; the characters they are about are in no token.
    pub(crate) errors: Vec<Diagnostic>,
    /// The number of errors and the end of the text up to which the last one is about characters of no token.
    bad_characters: (usize, usize),
}

/// Never fails: what is no token becomes an error and is skipped.
pub(crate) fn lex(text: &str) -> Lexed<'_> {
    let mut lexed = Lexed::default();
    let mut lexer = Token::lexer(text);
    while let Some(result) = lexer.next() {
        let span = Span::new(lexer.span().start, lexer.span().end);
        match result {
            Ok(token) => lexed.add(token, span),
            Err(()) => match lexed.bare_path(text, span) {
                Some(path) => {
                    lexed.add_bare_path(text, path);
                    lexer.bump(path.end - span.end);
                }
                None => lexed.skip(lexer.slice(), span),
            },
        }
    }
    lexed
}

impl<'source> Lexed<'source> {
    fn add(&mut self, token: Token<'source>, span: Span) {
        match token {
            Token::Comment(_) => self.comments.push(span),
            Token::Number(text) => self.add_number(text, span),
            Token::Str(text) => self.add_string(text, span),
            Token::OpenStr(text) => self.add_open_string(text, span),
            token => self.tokens.push(Spanned { token, span }),
        }
    }

    fn add_number(&mut self, text: &'source str, span: Span) {
        self.errors.extend(number_error(text, span));
        self.tokens.push(Spanned { token: Token::Number(text), span });
    }

    /// Strings are names of files and printed texts: a zero byte would end one early for the system, and a
    /// terminal obeys other control characters.
    fn add_string(&mut self, text: &'source str, span: Span) {
        if let Some((at, control)) = text.char_indices().find(|(_, character)| character.is_control()) {
            let place = Span::new(span.start + at, span.start + at + control.len_utf8());
            let name = control.escape_default();
            let message =
                format!("found the control character `{name}` in a string, expected printable text");
            self.errors.push(Diagnostic::error(place, message).hint("name a file without it"));
        }
        self.tokens.push(Spanned { token: Token::Str(text), span });
    }

    fn add_open_string(&mut self, text: &'source str, span: Span) {
        let error = Diagnostic::error(span, "the string is not closed on its line");
        self.errors.push(error.label("begins here").hint("close it with `\"`"));
        self.tokens.push(Spanned { token: Token::Str(text), span });
    }

    /// A long row of bad characters is not searched for names over and over.
    fn bare_path(&self, text: &str, bad: Span) -> Option<Span> {
        if self.continues(bad) || self.errors.len() >= MOST_SEARCHES { None } else { bare_path(text, bad) }
    }

    /// The name of a file without its quotes is read as the string that was meant.
    fn add_bare_path(&mut self, text: &'source str, path: Span) {
        let word = &text[path.start..path.end];
        let kept = self.tokens.partition_point(|spanned| spanned.span.end <= path.start);
        self.tokens.truncate(kept);
        let call = match self.tokens[..] {
            [.., Spanned { token: Token::Ident(callee), .. }, Spanned { token: Token::LeftParen, .. }] => {
                format!("{callee}(\"{word}\")")
            }
            _ => format!("\"{word}\""),
        };
        let error = Diagnostic::error(path, format!("found the name of a file without quotes, `{word}`"));
        self.errors.push(error.hint(format!("the name of a file is quoted: `{call}`")));
        self.tokens.push(Spanned { token: Token::Str(word), span: path });
    }

    /// Neighbouring bad characters make one error, so that a pasted line of them is not a page of messages.
    fn skip(&mut self, text: &str, span: Span) {
        let continues = self.continues(span);
        if let Some(last) = self.errors.last_mut().filter(|_| continues) {
            last.labels[0].span.end = span.end;
            last.message = "these characters belong to no token of the language".to_owned();
            last.hint = None;
        } else {
            self.errors.push(bad_character(text, span));
        }
        self.bad_characters = (self.errors.len(), span.end);
    }

    /// Returns whether the last error is about characters of no token that end where `bad` begins.
    fn continues(&self, bad: Span) -> bool {
        self.bad_characters == (self.errors.len(), bad.start) && !self.errors.is_empty()
    }
}

/// The whole name of a file around a character that is in no token, where it is an argument: `(a.mtx)`,
/// `, ../b.tns)`.
fn bare_path(text: &str, bad: Span) -> Option<Span> {
    const ENDINGS: [&str; 4] = [".mtx", ".tns", ".npy", ".gz"];
    let is_of_path =
        |character: char| character.is_alphanumeric() || matches!(character, '.' | '/' | '-' | '_' | '~');
    let before = text[..bad.start].trim_end_matches(is_of_path);
    let behind = text[bad.start..].trim_start_matches(is_of_path);
    let path = Span::new(before.len(), text.len() - behind.len());
    let is_argument =
        before.trim_end().ends_with(['(', ',']) && behind.trim_start().starts_with([')', ',', ';']);
    let names_a_file = ENDINGS.iter().any(|ending| text[path.start..path.end].ends_with(ending));
    (is_argument && names_a_file && path.end >= bad.end).then_some(path)
}

fn bad_character(text: &str, span: Span) -> Diagnostic {
    let error =
        Diagnostic::error(span, format!("`{}` belongs to no token of the language", text.escape_debug()));
    match look_alike(text) {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// Characters that word processors and other languages put where an ASCII sign is meant.
fn look_alike(text: &str) -> Option<&'static str> {
    Some(match text {
        "\u{2212}" | "\u{2013}" | "\u{2014}" => "minus is written `-`",
        "\u{d7}" | "\u{b7}" | "\u{2022}" | "\u{22c5}" | "\u{2217}" => "a product is written `*`",
        "\u{201c}" | "\u{201d}" | "\u{2018}" | "\u{2019}" | "'" | "`" => {
            "a string stands between `\"` and `\"`"
        }
        "\u{2264}" => "less or equal is written `<=`",
        "\u{2265}" => "greater or equal is written `>=`",
        "\u{2260}" => "not equal is written `!=`",
        "\u{2192}" => "an arrow is written `->`",
        "." => "a dot stands in a number (`0.5`) or in the operator `.*`",
        "^" => "there is no power operator; write the product",
        _ => return None,
    })
}

fn number_error(text: &str, span: Span) -> Option<Diagnostic> {
    let number = number(text);
    let is_integer = text.bytes().all(|byte| byte.is_ascii_digit());
    if number.value.is_infinite() {
        let error =
            Diagnostic::error(span, format!("the number `{}` is too large for a double", shortened(text)));
        return Some(error.hint(format!("the largest double is `{:e}`", f64::MAX)));
    }
    if is_integer && number.integer.is_none() {
        let error =
            Diagnostic::error(span, format!("the integer `{}` does not fit 64 bits", shortened(text)));
        return Some(
            error.hint(format!("the largest integer is `{}`; `1e20` and `1.0` are doubles", i64::MAX)),
        );
    }
    None
}

fn shortened(text: &str) -> String {
    if text.len() <= 24 { text.to_owned() } else { format!("{}…", &text[..24]) }
}

/// Whether a word can name something: it is an identifier and no keyword.
pub fn is_name(word: &str) -> bool {
    let mut lexer = Token::lexer(word);
    matches!(lexer.next(), Some(Ok(Token::Ident(_)))) && lexer.next().is_none()
}

/// The value of a number token; infinite where a double cannot hold it.
pub fn number(text: &str) -> Number {
    let value = text.parse().unwrap_or(f64::INFINITY);
    Number { value, integer: text.parse().ok() }
}
