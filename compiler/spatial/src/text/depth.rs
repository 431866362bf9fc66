//! The limit on nesting: the parser and everything behind it walk the tree by recursion.

use comet_diag::Diagnostic;

use super::lexer::Spanned;
use super::token::Token;

/// Brackets and operators on the way from a class to a leaf: far above what applications have, and far below
/// what a thread's stack of 2 MiB holds.
const MAX_DEPTH: usize = 128;

/// An open bracket, or the text.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// The depth at its beginning.
    base: usize,
    /// The depth of what comes next.
    depth: usize,
    /// The deepest of the statement or argument that is being read.
    deepest: usize,
    /// The deepest of those in front of it.
    others: usize,
}

impl Frame {
    /// What stands on the left becomes deeper by one, and so is what comes on the right.
    fn grow(&mut self) {
        self.depth += 1;
        self.deepest = (self.deepest + 1).max(self.depth);
    }

    fn next(&mut self) {
        self.others = self.others.max(self.deepest);
        (self.depth, self.deepest) = (self.base, self.base);
    }
}

/// The place where the nesting becomes too deep, by a count that is never too low.
pub(crate) fn check(tokens: &[Spanned<'_>]) -> Result<(), Diagnostic> {
    let mut outside = Vec::new();
    let mut frame = Frame::default();
    let mut follows_operand = false;
    for spanned in tokens {
        match spanned.token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => {
                frame.grow();
                outside.push(frame);
                let base = frame.depth;
                frame = Frame { base, depth: base, deepest: base, others: base };
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => {
                frame.next();
                let inside = frame.others;
                frame = outside.pop().unwrap_or_default();
                frame.deepest = frame.deepest.max(inside);
            }
            Token::Newline | Token::Blank | Token::Semicolon | Token::Comma => frame.next(),
            Token::Operator(_) | Token::Dot | Token::If | Token::Else | Token::Arrow => frame.grow(),
            // `a load b`, `0 until n`
            Token::Name(_) if follows_operand => frame.grow(),
            _ => {}
        }
        follows_operand = spanned.token.can_end();
        if frame.deepest > MAX_DEPTH {
            let message = format!("nested too deeply: the limit is {MAX_DEPTH} brackets and operators");
            return Err(Diagnostic::error(spanned.span, message)
                .hint("give a part of it a name: `val part = …`, and use that"));
        }
    }
    Ok(())
}
