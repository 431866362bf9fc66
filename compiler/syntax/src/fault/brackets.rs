//! Slips about brackets.

use comet_diag::Span;

use super::blocks::begins_statement;
use super::{Advice, Repair, SyntaxFault};
use crate::token::Token;

/// `A[i)`.
pub(super) fn wrong_bracket(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let open = fault.open_bracket()?;
    let wanted = closing(fault.tokens[open].token);
    let found = fault.found().filter(|found| is_closing(*found) && *found != wanted)?;
    if !fault.expects(wanted.text()) || found == Token::RightBrace {
        return None;
    }
    if closes_outer(fault, open, found) {
        return Some(unclosed(fault, open, vec![wanted]));
    }
    let hint = format!("write `{wanted}` instead of `{found}`");
    let repair = Some(Repair::Replace(vec![(fault.at, wanted)]));
    Some(Advice { hint, also: Some(opened(fault, open)), repair, place: None })
}

/// A bracket is still open where the statement ends.
pub(super) fn unclosed_bracket(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let open = fault.open_bracket()?;
    let wanted = closing(fault.tokens[open].token);
    let ends = matches!(
        fault.found(),
        None | Some(Token::Semicolon | Token::RightBrace | Token::End | Token::BodyBrace | Token::Colon)
    );
    if !fault.expects(wanted.text()) || !(ends || fault.on_new_line()) {
        return None;
    }
    Some(unclosed(fault, open, missing_behind(fault, wanted)))
}

/// In `f([1, 2)` the `]` is missing; the `)` is right.
fn closes_outer(fault: &SyntaxFault<'_, '_>, open: usize, found: Token<'_>) -> bool {
    let outer = fault.open_bracket_before(open);
    outer.is_some_and(|outer| closing(fault.tokens[outer].token) == found)
}

fn unclosed(fault: &SyntaxFault<'_, '_>, open: usize, missing: Vec<Token<'static>>) -> Advice {
    let hint = format!("close the bracket with `{}`", closing(fault.tokens[open].token));
    let repair = fault.insert(&missing);
    Advice { hint, place: Some(fault.behind_previous()), also: Some(opened(fault, open)), repair }
}

/// Where the next line begins a statement, the `;` is missing with the bracket, and one message is enough.
fn missing_behind(fault: &SyntaxFault<'_, '_>, wanted: Token<'static>) -> Vec<Token<'static>> {
    let ends_statement = fault.on_new_line() && begins_statement(fault);
    std::iter::once(wanted).chain(ends_statement.then_some(Token::Semicolon)).collect()
}

/// `x = 1);`.
pub(super) fn stray_bracket(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let found = fault.found().filter(|found| matches!(found, Token::RightParen | Token::RightBracket))?;
    if fault.open_bracket().is_some() {
        return None;
    }
    Advice::hint(format!("this `{found}` closes nothing"))
}

/// The file, or the function, ends inside of a function.
pub(super) fn unclosed_body(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    if !matches!(fault.found(), None | Some(Token::Def)) || !fault.expects("}") {
        return None;
    }
    let open = (0..fault.at).rev().find(|&index| fault.tokens[index].token == Token::BodyBrace)?;
    let also = Some(opened(fault, open));
    let repair = Some(Repair::Insert(fault.at, vec![Token::RightBrace]));
    Some(Advice { hint: "close the function with `}`".to_owned(), also, repair, place: None })
}

fn opened(fault: &SyntaxFault<'_, '_>, open: usize) -> (Span, String) {
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
