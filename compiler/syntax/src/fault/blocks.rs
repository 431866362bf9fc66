//! Slips about what ends a statement or a block.

use super::{Advice, Repair, SyntaxFault};
use crate::token::Token;

/// A `;` is missing where the next statement begins on a new line, where the block ends, or where the next
/// tokens cannot be anything else.
pub(super) fn missing_semicolon(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let ends =
        matches!(fault.found(), None | Some(Token::RightBrace | Token::End | Token::Else | Token::Elif));
    if !fault.expects(";")
        || fault.expects("IndexLabel")
        || !(ends || fault.on_new_line() || begins_statement(fault))
    {
        return None;
    }
    let hint = "end the statement with `;`".to_owned();
    let also = fault.found().filter(|_| fault.on_new_line() && !ends).map(|_| (fault.span(), String::new()));
    let repair = fault.insert(&[Token::Semicolon]);
    Some(Advice { hint, place: Some(fault.behind_previous()), also, repair })
}

pub(super) fn begins_statement(fault: &SyntaxFault<'_, '_>) -> bool {
    use Token::{
        AddAssign, Assign, Break, Continue, DivAssign, For, If, IndexLabel, LeftBracket, LeftParen,
        MulAssign, Return, SubAssign, Tensor, Var, While,
    };
    match fault.found() {
        Some(IndexLabel | Tensor | Var | Return | Break | Continue | For | While | If) => true,
        Some(Token::Ident(_)) => {
            let next = fault.token(fault.at + 1);
            let assigns = matches!(next, Some(Assign | AddAssign | SubAssign | MulAssign | DivAssign));
            assigns || matches!(next, Some(LeftBracket | LeftParen))
        }
        _ => false,
    }
}

/// The function, or the file, ends inside of a `for`, `while` or `if`.
pub(super) fn missing_end(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let ends = matches!(fault.found(), None | Some(Token::RightBrace | Token::Def));
    if !ends || !fault.expects("end") {
        return None;
    }
    let open = open_block(fault)?;
    let word = fault.tokens[open].token;
    let also = Some((fault.tokens[open].span, format!("this `{word}` has no `end`")));
    let repair = Some(Repair::Insert(fault.at, vec![Token::End, Token::Semicolon]));
    Some(Advice { hint: format!("close the `{word}` with `end;`"), also, repair, ..Advice::default() })
}

/// The innermost `for`, `while` or `if` that is open where the fault is.
fn open_block(fault: &SyntaxFault<'_, '_>) -> Option<usize> {
    let mut closed = 0usize;
    for index in (0..fault.at).rev() {
        match fault.tokens[index].token {
            Token::Def => return None,
            Token::End => closed += 1,
            Token::For | Token::While | Token::If if closed == 0 => return Some(index),
            Token::For | Token::While | Token::If => closed -= 1,
            _ => {}
        }
    }
    None
}

/// An `end`, an `else` or an `elif` without the statement it belongs to.
pub(super) fn stray_end(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    match fault.found()? {
        Token::End if fault.expects("IndexLabel") => {
            Advice::hint("this `end` closes nothing: it has no `for`, `while` or `if`")
        }
        word @ (Token::Else | Token::Elif) if fault.expects("IndexLabel") => {
            Advice::hint(format!("this `{word}` has no `if`"))
        }
        _ => None,
    }
}

/// `else if c:`.
pub(super) fn else_if(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let (Some(Token::Else), Some(Token::If)) = (fault.before(1), fault.found()) else { return None };
    let words = vec![(fault.at - 1, Token::Semicolon), (fault.at, Token::Elif)];
    let repair = Some(Repair::Replace(words));
    Some(Advice { hint: "another condition is written `elif c:`".to_owned(), repair, ..Advice::default() })
}

/// `if x { … }`, as other languages write it.
pub(super) fn braces_for_colon(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    if !fault.expects(":") || !matches!(fault.found(), Some(Token::BodyBrace | Token::LeftBrace)) {
        return None;
    }
    let mut replaced = vec![(fault.at, Token::Colon)];
    replaced.extend(closing_brace(fault).map(|close| (close, end_for_brace(fault, close))));
    let hint = "the statements of a `for`, `while` or `if` stand between `:` and `end`".to_owned();
    Some(Advice { hint, repair: Some(Repair::Replace(replaced)), ..Advice::default() })
}

/// The `}` of the `{` that is the fault.
fn closing_brace(fault: &SyntaxFault<'_, '_>) -> Option<usize> {
    let mut open = 0usize;
    for index in fault.at + 1..fault.tokens.len() {
        match fault.tokens[index].token {
            Token::LeftBrace | Token::BodyBrace => open += 1,
            Token::RightBrace if open == 0 => return Some(index),
            Token::RightBrace => open -= 1,
            Token::Def => return None,
            _ => {}
        }
    }
    None
}

/// In `} else {` and `} elif c {` the brace ends no statement.
fn end_for_brace(fault: &SyntaxFault<'_, '_>, close: usize) -> Token<'static> {
    match fault.token(close + 1) {
        Some(Token::Else | Token::Ident("elif" | "elseif")) => Token::Semicolon,
        _ => Token::End,
    }
}

/// The line of a `for`, `while`, `if`, `elif` or `else` ends without its `:`.
pub(super) fn missing_colon(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let first = fault.first_of_statement()?;
    let is_header = matches!(first, Token::For | Token::While | Token::If | Token::Elif | Token::Else);
    if !is_header || !fault.expects(":") || !(fault.on_new_line() || begins_statement(fault)) {
        return None;
    }
    let hint = format!("a `:` stands in front of the statements of the `{first}`");
    let repair = fault.insert(&[Token::Colon]);
    Some(Advice { hint, place: Some(fault.behind_previous()), also: None, repair })
}
