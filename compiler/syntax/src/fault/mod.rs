//! Syntax errors in the words of the user: what was found, what was expected, and which slip it probably is.

mod blocks;
mod brackets;
mod expected;
mod operators;
mod tensors;
mod words;

use comet_diag::{Diagnostic, Span};

use crate::actions::SyntaxError;
use crate::lexer::Spanned;
use crate::token::Token;

/// A place where the tokens do not fit the grammar.
pub(crate) struct SyntaxFault<'run, 'source> {
    text: &'source str,
    tokens: &'run [Spanned<'source>],
    /// The token that does not fit; one past the last at the end of the file.
    at: usize,
    /// The terminals of the grammar that would fit.
    expected: Vec<String>,
}

/// A change of the tokens after which the parser can go on as if the slip had not been made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Repair {
    /// These belong in front of the token.
    Insert(usize, Vec<Token<'static>>),
    /// These were meant instead of the tokens at their places.
    Replace(Vec<(usize, Token<'static>)>),
}

/// What is known about a slip beyond the bare syntax error.
#[derive(Default)]
struct Advice {
    hint: String,
    /// Where the mistake is, when that is not the token that does not fit.
    place: Option<Span>,
    /// A second place that explains it.
    also: Option<(Span, String)>,
    repair: Option<Repair>,
}

/// The common slips; the first that recognizes the fault explains it, so the particular ones come first.
const SLIPS: [fn(&SyntaxFault<'_, '_>) -> Option<Advice>; 29] = [
    operators::single_equals_in_condition,
    operators::foreign_operator,
    operators::foreign_comment,
    operators::missing_operator,
    tensors::parentheses_for_brackets,
    tensors::malformed_mask,
    tensors::chained_brackets,
    tensors::transpose_without_order,
    tensors::missing_comma,
    words::misspelled_keyword,
    tensors::missing_format,
    tensors::format_without_levels,
    tensors::missing_element,
    words::keyword_as_name,
    words::untyped_parameter,
    words::outside_of_functions,
    blocks::missing_end,
    blocks::stray_end,
    blocks::else_if,
    blocks::braces_for_colon,
    blocks::missing_colon,
    brackets::wrong_bracket,
    brackets::unclosed_bracket,
    brackets::stray_bracket,
    brackets::unclosed_body,
    blocks::missing_semicolon,
    words::string_outside_of_arguments,
    words::bare_label_range,
    words::bare_loop_range,
];

impl<'run, 'source> SyntaxFault<'run, 'source> {
    pub(crate) fn new(
        error: SyntaxError<'source>,
        tokens: &'run [Spanned<'source>],
        text: &'source str,
    ) -> Self {
        let (at, expected) = match error {
            SyntaxError::UnrecognizedToken { token: (start, token, end), expected } => {
                (position(tokens, Spanned { token, span: Span::new(start, end) }), expected)
            }
            SyntaxError::UnrecognizedEof { expected, .. } => (tokens.len(), expected),
            other => unreachable!("the lexer and the actions never fail: {other:?}"),
        };
        let expected = expected.iter().map(|quoted| quoted.trim_matches('"').to_owned()).collect();
        Self { text, tokens, at, expected }
    }

    /// The message, and how to go on where that is known.
    pub(crate) fn explain(&self) -> (Diagnostic, Option<Repair>) {
        let message = format!("expected {}, found {}", expected::phrase(self), self.found_phrase());
        let Some(advice) = SLIPS.iter().find_map(|slip| slip(self)) else {
            return (Diagnostic::error(self.span(), message), None);
        };
        let mut diagnostic =
            Diagnostic::error(advice.place.unwrap_or(self.span()), message).hint(advice.hint);
        if let Some((span, text)) = advice.also {
            diagnostic = diagnostic.also(span, text);
        }
        (diagnostic, advice.repair)
    }

    /// From the beginning of the statement to the fault.
    pub(crate) fn statement_span(&self) -> Span {
        let start = self.tokens.get(self.statement_start()).map_or(self.text.len(), |first| first.span.start);
        Span::new(start.min(self.previous_end()), self.span().start)
    }

    /// The bytes of the token that does not fit; empty at the end of the file.
    pub(crate) fn span(&self) -> Span {
        let end = Span::new(self.text.len(), self.text.len());
        self.tokens.get(self.at).map_or(end, |spanned| spanned.span)
    }

    fn found(&self) -> Option<Token<'source>> {
        self.token(self.at)
    }

    fn found_phrase(&self) -> String {
        match self.found() {
            // What is put around commands and statements was not written by anybody.
            Some(_) if self.span() == Span::new(self.text.len(), self.text.len()) => {
                "the end of the text".to_owned()
            }
            Some(token) => format!("`{}`", shortened(token.text())),
            None => "the end of the file".to_owned(),
        }
    }

    fn token(&self, index: usize) -> Option<Token<'source>> {
        self.tokens.get(index).map(|spanned| spanned.token)
    }

    /// The token `distance` before the fault.
    fn before(&self, distance: usize) -> Option<Token<'source>> {
        self.token(self.at.checked_sub(distance)?)
    }

    fn previous_end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |previous| self.tokens[previous].span.end)
    }

    /// The empty place behind the last token that fits.
    fn behind_previous(&self) -> Span {
        Span::new(self.previous_end(), self.previous_end())
    }

    fn expects(&self, terminal: &str) -> bool {
        self.expected.iter().any(|expected| expected == terminal)
    }

    /// Whether a line ends between the last token that fits and the one that does not.
    fn on_new_line(&self) -> bool {
        self.text.get(self.previous_end()..self.span().start).is_some_and(|between| between.contains('\n'))
    }

    /// Whether the fault stands directly behind the token before it.
    fn is_adjacent(&self) -> bool {
        self.previous_end() == self.span().start
    }

    /// The parser has put a token in here already; a second one would not help.
    fn follows_repair(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|previous| {
            let span = self.tokens[previous].span;
            span.start == span.end
        })
    }

    /// Inserting `tokens` here lets the parser go on.
    fn insert(&self, tokens: &[Token<'static>]) -> Option<Repair> {
        (!self.follows_repair()).then(|| Repair::Insert(self.at, tokens.to_vec()))
    }

    /// The first token of the statement, of the function's header, or of the scheduling command.
    fn statement_start(&self) -> usize {
        let mut depth = 0usize;
        for index in (0..self.at).rev() {
            match self.tokens[index].token {
                Token::RightBrace | Token::RightBracket | Token::RightParen => depth += 1,
                Token::LeftBrace | Token::LeftBracket | Token::LeftParen => depth = depth.saturating_sub(1),
                Token::Semicolon | Token::BodyBrace | Token::End => return index + 1,
                Token::Def | Token::Else | Token::Elif => return index,
                Token::Colon if depth == 0 => return index + 1,
                _ => {}
            }
        }
        0
    }

    fn first_of_statement(&self) -> Option<Token<'source>> {
        self.token(self.statement_start()).filter(|_| self.statement_start() < self.at)
    }

    /// The innermost bracket that is open where the fault is.
    fn open_bracket(&self) -> Option<usize> {
        self.open_bracket_before(self.at)
    }

    /// The innermost bracket of the same statement that is open in front of a token.
    fn open_bracket_before(&self, end: usize) -> Option<usize> {
        let mut closed = 0usize;
        for index in (0..end).rev() {
            match self.tokens[index].token {
                Token::Semicolon | Token::BodyBrace | Token::Def | Token::End | Token::Else | Token::Elif => {
                    return None;
                }
                Token::RightBrace | Token::RightBracket | Token::RightParen => closed += 1,
                Token::LeftBrace | Token::LeftBracket | Token::LeftParen if closed == 0 => {
                    return Some(index);
                }
                Token::LeftBrace | Token::LeftBracket | Token::LeftParen => closed -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether the innermost open bracket is that of an access: `A[`.
    fn is_in_access(&self) -> bool {
        let Some(open) = self.open_bracket() else { return false };
        let before = open.checked_sub(1).and_then(|index| self.token(index));
        self.token(open) == Some(Token::LeftBracket) && matches!(before, Some(Token::Ident(_)))
    }
}

impl Advice {
    fn hint(text: impl Into<String>) -> Option<Self> {
        Some(Self { hint: text.into(), ..Self::default() })
    }
}

/// The index of a token; the zero bytes wide tokens of repairs may share their start with it.
fn position(tokens: &[Spanned<'_>], wanted: Spanned<'_>) -> usize {
    let first = tokens.partition_point(|spanned| spanned.span.start < wanted.span.start);
    let behind = tokens[first..].iter().position(|spanned| *spanned == wanted);
    first + behind.expect("the parser returns one of its tokens")
}

fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(32).collect();
    if characters.next().is_none() { start } else { format!("{start}…") }
}
