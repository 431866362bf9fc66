//! The limit on nesting.
//!
//! The parser itself keeps its stack on the heap, but everything after it walks the tree by recursion. So a
//! tree that is too deep is refused before it is built, with a count on the tokens that is never too low.

use comet_diag::Diagnostic;

use crate::lexer::Spanned;
use crate::token::Token;

/// How deep a tree may be: brackets, blocks and operators on the way from a statement to a leaf. A sum of n
/// terms is n deep, because it associates to the left. Far above what anyone writes by hand, and far below
/// what a thread's stack of 2 MiB holds.
pub const MAX_DEPTH: usize = 256;

#[derive(Clone, Copy, Default)]
struct OpenBracket {
    is_block: bool,
    base: usize,
    /// Operators since the last comma.
    operators: usize,
    /// The deepest bracket since the last comma.
    operand: usize,
    /// The deepest of the items before that comma.
    item: usize,
}

impl OpenBracket {
    const BLOCK: Self = Self { is_block: true, base: 0, operators: 0, operand: 0, item: 0 };
}

/// The place where the nesting becomes too deep.
pub(crate) fn check_depth(tokens: &[Spanned<'_>]) -> Option<Diagnostic> {
    let mut stack = Stack { frames: vec![OpenBracket::BLOCK] };
    let too_deep = tokens.iter().find(|spanned| {
        stack.take(spanned.token);
        stack.depth() > MAX_DEPTH
    })?;
    let message = format!("nested too deeply: the limit is {MAX_DEPTH} brackets, blocks and operators");
    let hint = "split the statement: assign a part of it to a tensor or a scalar of its own";
    Some(Diagnostic::error(too_deep.span, message).hint(hint))
}

struct Stack {
    /// Never empty: the first stands for the file.
    frames: Vec<OpenBracket>,
}

impl Stack {
    fn take(&mut self, token: Token<'_>) {
        use Token::{
            And, At, DotStar, Equal, Greater, GreaterEqual, Less, LessEqual, Minus, NotEqual, Or, Plus,
        };
        match token {
            Plus
            | Minus
            | Token::Star
            | Token::Slash
            | DotStar
            | At
            | And
            | Or
            | Equal
            | NotEqual
            | Less
            | LessEqual
            | Greater
            | GreaterEqual => self.top().operators += 1,
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => self.open(OpenBracket::default()),
            Token::RightParen | Token::RightBracket | Token::RightBrace => self.close_bracket(),
            Token::Comma => self.next_item(),
            Token::For | Token::While | Token::If => self.open(OpenBracket::BLOCK),
            Token::End => self.close_block(),
            Token::Semicolon => self.next_statement(),
            Token::Colon if self.top().is_block => self.next_statement(),
            Token::Def => self.frames.truncate(1),
            _ => {}
        }
    }

    fn top(&mut self) -> &mut OpenBracket {
        self.frames.last_mut().expect("the frame of the file is never closed")
    }

    fn depth(&mut self) -> usize {
        let top = *self.top();
        top.base + top.operators + top.operand
    }

    fn open(&mut self, bracket: OpenBracket) {
        let base = self.top().base + self.top().operators + 1;
        self.frames.push(OpenBracket { base, ..bracket });
    }

    fn next_item(&mut self) {
        let top = self.top();
        top.item = top.item.max(top.operators + top.operand);
        (top.operators, top.operand) = (0, 0);
    }

    /// A bracket too many closes no block, as in the parser.
    fn close_bracket(&mut self) {
        if self.top().is_block {
            return;
        }
        self.next_item();
        let closed = self.frames.pop().unwrap_or_default();
        let top = self.top();
        top.operand = top.operand.max(closed.item + 1);
    }

    /// Brackets that are open at the end of a statement are a mistake in it, and the parser drops them.
    fn next_statement(&mut self) {
        while !self.top().is_block {
            self.frames.pop();
        }
        let OpenBracket { base, .. } = *self.top();
        *self.top() = OpenBracket { base, ..OpenBracket::BLOCK };
    }

    fn close_block(&mut self) {
        self.next_statement();
        if self.frames.len() > 1 {
            self.frames.pop();
        }
    }
}
