//! What a source text holds beside its tree: comments, blank lines, and where its closing words stand.

use comet_diag::Span;

use crate::context::contextualize;
use crate::lexer::{self, Spanned};
use crate::token::Token;

/// The comments that are still to be printed, and the tokens to find places by.
#[derive(Default)]
pub(super) struct Trivia<'source> {
    pub(super) text: &'source str,
    tokens: Vec<Spanned<'source>>,
    comments: Vec<Span>,
    /// The first comment that is not printed yet.
    next: usize,
}

impl<'source> Trivia<'source> {
    /// That of a text; a tree that has none is printed with `Trivia::default()`.
    pub(super) fn of(text: &'source str) -> Self {
        let lexed = lexer::lex(text);
        Self { text, tokens: contextualize(&lexed.tokens), comments: lexed.comments, next: 0 }
    }

    /// The next comment if it begins before `limit`.
    pub(super) fn comment_before(&mut self, limit: usize) -> Option<(Span, &'source str)> {
        let span = *self.comments.get(self.next).filter(|span| span.start < limit)?;
        self.next += 1;
        Some((span, self.text[span.start..span.end].trim_end()))
    }

    /// Whether a comment is still to be printed in front of `limit`.
    pub(super) fn has_comment_before(&self, limit: usize) -> bool {
        self.comments.get(self.next).is_some_and(|span| span.start < limit)
    }

    /// The next comment if it stands on the line that ends with what ends at `end`.
    pub(super) fn comment_behind(&mut self, end: usize) -> Option<(Span, &'source str)> {
        let start = self.comments.get(self.next)?.start;
        let between = self.text.get(end..start)?;
        let is_behind = between.chars().all(|c| c == ';' || (c.is_whitespace() && c != '\n'));
        if is_behind { self.comment_before(start + 1) } else { None }
    }

    /// Whether a line is empty between the two places.
    pub(super) fn has_blank_line(&self, from: usize, to: usize) -> bool {
        self.text.get(from..to).is_some_and(|between| between.matches('\n').count() > 1)
    }

    /// The first such token that begins at `from` or behind it; `from` itself where the tree has no text.
    pub(super) fn find(&self, token: Token<'_>, from: usize) -> Span {
        let first = self.tokens.partition_point(|spanned| spanned.span.start < from);
        let found = self.tokens[first..].iter().find(|spanned| spanned.token == token);
        found.map_or(Span::new(from, from), |spanned| spanned.span)
    }
}
