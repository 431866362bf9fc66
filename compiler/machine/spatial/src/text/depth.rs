//! The limit on nesting: the parser and everything behind it walk the tree by recursion.

use comet_diag::Diagnostic;

use super::lexer::Spanned;
use super::token::Token;
use crate::text::Result;

/// Brackets and operators on the way from a class to a leaf: far above what applications have, and far below
/// what a thread's stack of 2 MiB holds.
const MAX_DEPTH: usize = 128;

/// What a block counts for: it takes the parser more calls than other brackets do.
const BLOCK: usize = 2;

/// An open bracket, or the text.
#[derive(Clone, Copy, Default)]
struct Nesting {
    base: usize,
    /// The depth of what comes next.
    depth: usize,
    /// The deepest of the statement or argument that is being read.
    deepest: usize,
    /// The deepest of those in front of it.
    others: usize,
    /// Whether it is what an `if` asks.
    is_condition: bool,
}

impl Nesting {
    /// What stands on the left becomes deeper, and so is what comes on the right.
    fn grow(&mut self, by: usize) {
        self.depth += by;
        self.deepest = (self.deepest + by).max(self.depth);
    }

    fn next(&mut self) {
        self.others = self.others.max(self.deepest);
        (self.depth, self.deepest) = (self.base, self.base);
    }
}

/// The place where the nesting becomes too deep, by a count that is never too low. Parentheses and braces
/// that are written where a text has none are counted as if they were there.
pub(crate) fn check(tokens: &[Spanned<'_>]) -> Result<()> {
    let mut outside = Vec::new();
    let mut frame = Nesting::default();
    let mut last = None;
    for (at, spanned) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|next| next.token);
        let follows_operand = last.is_some_and(Token::can_end);
        match spanned.token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                frame.grow(if spanned.token == Token::LeftBrace { BLOCK } else { 1 });
                outside.push(frame);
                let base = frame.depth;
                let is_condition = last == Some(Token::If);
                frame = Nesting { base, depth: base, deepest: base, others: base, is_condition };
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => {
                frame.next();
                let inside = std::mem::replace(&mut frame, outside.pop().unwrap_or_default());
                frame.deepest = frame.deepest.max(inside.others);
                if inside.is_condition && next != Some(Token::LeftBrace) {
                    frame.grow(BLOCK);
                }
            }
            Token::Newline | Token::Blank | Token::Semicolon | Token::Comma => frame.next(),
            Token::Operator(_) if follows_operand => frame.grow(1),
            Token::Operator(_) => frame.grow(1 + usize::from(next != Some(Token::LeftParen))),
            Token::Else => frame.grow(if next == Some(Token::LeftBrace) { 1 } else { 1 + BLOCK }),
            Token::Dot | Token::Arrow | Token::If => frame.grow(1),
            // `a load b`, `0 until n`
            Token::Name(_) if follows_operand => frame.grow(1),
            _ => {}
        }
        last = Some(spanned.token);
        if frame.deepest > MAX_DEPTH {
            let message = format!("nested too deeply: the limit is {MAX_DEPTH} brackets and operators");
            return Err(Diagnostic::error(spanned.span, message)
                .hint("give a part of it a name: `val part = …`, and use that"));
        }
    }
    Ok(())
}
