//! Slips about what ends a statement, a block or a bracket.

use comet_diag::Span;

use super::{Advice, Fault};
use crate::token::Token;

/// A `;` is missing where the next statement begins on a new line, where the block ends, or where the next
/// tokens cannot be anything else.
pub(super) fn missing_semicolon(fault: &Fault<'_, '_>) -> Option<Advice> {
    let ends = matches!(fault.found(), None | Some(Token::RightBrace | Token::End | Token::Else));
    if !fault.expects(";") || !(ends || fault.on_new_line() || begins_statement(fault)) {
        return None;
    }
    let hint = "end the statement with `;`".to_owned();
    let also = fault.found().filter(|_| fault.on_new_line() && !ends).map(|_| (fault.span(), String::new()));
    let repair = fault.insert(&[Token::Semicolon]);
    Some(Advice { hint, place: Some(fault.behind_previous()), also, repair })
}

fn begins_statement(fault: &Fault<'_, '_>) -> bool {
    use Token::{
        AddAssign, Assign, For, If, IndexLabel, LeftBracket, LeftParen, Return, SubAssign, Tensor, Var, While,
    };
    match fault.found() {
        Some(IndexLabel | Tensor | Var | Return | For | While | If) => true,
        Some(Token::Ident(_)) => {
            let next = fault.token(fault.at + 1);
            matches!(next, Some(LeftBracket | LeftParen | Assign | AddAssign | SubAssign))
        }
        _ => false,
    }
}

/// The function, or the file, ends inside of a `for`, `while` or `if`.
pub(super) fn missing_end(fault: &Fault<'_, '_>) -> Option<Advice> {
    let ends = matches!(fault.found(), None | Some(Token::RightBrace | Token::Def));
    if !ends || !fault.expects("end") {
        return None;
    }
    let open = open_block(fault)?;
    let word = fault.tokens[open].token;
    let also = Some((fault.tokens[open].span, format!("this `{word}` has no `end`")));
    let repair = Some(super::Repair::Insert(fault.at, vec![Token::End, Token::Semicolon]));
    Some(Advice { hint: format!("close the `{word}` with `end;`"), also, repair, ..Advice::default() })
}

/// The innermost `for`, `while` or `if` that is open where the fault is.
fn open_block(fault: &Fault<'_, '_>) -> Option<usize> {
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

/// An `end` or an `else` without the statement it belongs to.
pub(super) fn stray_end(fault: &Fault<'_, '_>) -> Option<Advice> {
    match fault.found()? {
        Token::End if fault.expects("IndexLabel") => {
            Advice::hint("this `end` closes nothing: it has no `for`, `while` or `if`")
        }
        Token::Else if fault.expects("IndexLabel") => Advice::hint("this `else` has no `if`"),
        _ => None,
    }
}

/// `if x {`, as other languages write it.
pub(super) fn braces_for_colon(fault: &Fault<'_, '_>) -> Option<Advice> {
    if !fault.expects(":") || !matches!(fault.found(), Some(Token::BodyBrace | Token::LeftBrace)) {
        return None;
    }
    Advice::hint("the statements of a `for`, `while` or `if` stand between `:` and `end`")
}

/// The line of a `for`, `while`, `if` or `else` ends without its `:`.
pub(super) fn missing_colon(fault: &Fault<'_, '_>) -> Option<Advice> {
    let first = fault.first_of_statement()?;
    let is_header = matches!(first, Token::For | Token::While | Token::If | Token::Else);
    if !is_header || !fault.expects(":") || !(fault.on_new_line() || begins_statement(fault)) {
        return None;
    }
    let hint = format!("a `:` stands in front of the statements of the `{first}`");
    let repair = fault.insert(&[Token::Colon]);
    Some(Advice { hint, place: Some(fault.behind_previous()), also: None, repair })
}

/// `A[i)`.
pub(super) fn wrong_bracket(fault: &Fault<'_, '_>) -> Option<Advice> {
    let open = fault.open_bracket()?;
    let wanted = closing(fault.tokens[open].token);
    let found = fault.found().filter(|found| is_closing(*found) && *found != wanted)?;
    if !fault.expects(wanted.text()) || found == Token::RightBrace {
        return None;
    }
    let hint = format!("write `{wanted}` instead of `{found}`");
    let repair = Some(super::Repair::Replace(fault.at, wanted));
    Some(Advice { hint, also: Some(opened(fault, open)), repair, place: None })
}

/// A bracket is still open where the statement ends.
pub(super) fn unclosed_bracket(fault: &Fault<'_, '_>) -> Option<Advice> {
    let open = fault.open_bracket()?;
    let wanted = closing(fault.tokens[open].token);
    let ends = matches!(
        fault.found(),
        None | Some(Token::Semicolon | Token::RightBrace | Token::End | Token::BodyBrace | Token::Colon)
    );
    if !fault.expects(wanted.text()) || !(ends || fault.on_new_line()) {
        return None;
    }
    let hint = format!("close the bracket with `{wanted}`");
    let repair = fault.insert(missing_behind(fault, wanted));
    Some(Advice { hint, place: Some(fault.behind_previous()), also: Some(opened(fault, open)), repair })
}

/// Where the next line begins a statement, the `;` is missing with the bracket, and one message is enough.
fn missing_behind(fault: &Fault<'_, '_>, wanted: Token<'static>) -> &'static [Token<'static>] {
    let with_semicolon = fault.on_new_line() && begins_statement(fault);
    match (wanted, with_semicolon) {
        (Token::RightParen, false) => &[Token::RightParen],
        (Token::RightParen, true) => &[Token::RightParen, Token::Semicolon],
        (Token::RightBracket, false) => &[Token::RightBracket],
        (Token::RightBracket, true) => &[Token::RightBracket, Token::Semicolon],
        (_, false) => &[Token::RightBrace],
        (_, true) => &[Token::RightBrace, Token::Semicolon],
    }
}

/// The file, or the function, ends inside of a function.
pub(super) fn unclosed_body(fault: &Fault<'_, '_>) -> Option<Advice> {
    if !matches!(fault.found(), None | Some(Token::Def)) || !fault.expects("}") {
        return None;
    }
    let open = (0..fault.at).rev().find(|&index| fault.tokens[index].token == Token::BodyBrace)?;
    let also = Some(opened(fault, open));
    let repair = Some(super::Repair::Insert(fault.at, vec![Token::RightBrace]));
    Some(Advice { hint: "close the function with `}`".to_owned(), also, repair, place: None })
}

fn opened(fault: &Fault<'_, '_>, open: usize) -> (Span, String) {
    (fault.tokens[open].span, format!("this `{}` is not closed", fault.tokens[open].token))
}

fn closing(open: Token<'_>) -> Token<'static> {
    match open {
        Token::LeftParen => Token::RightParen,
        Token::LeftBracket => Token::RightBracket,
        _ => Token::RightBrace,
    }
}

fn is_closing(token: Token<'_>) -> bool {
    matches!(token, Token::RightParen | Token::RightBracket | Token::RightBrace)
}
