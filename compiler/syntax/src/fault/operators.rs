//! Slips about operators, and about signs that are operators or comments elsewhere.

use super::{Advice, Repair, SyntaxFault};
use crate::token::Token;

/// `if a = b:`.
pub(super) fn single_equals_in_condition(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let in_condition = matches!(fault.first_of_statement(), Some(Token::If | Token::Elif | Token::While));
    if fault.found() != Some(Token::Assign) || !in_condition || !fault.expects("==") {
        return None;
    }
    let hint = "`=` assigns; compare with `==`".to_owned();
    Some(Advice { hint, repair: Some(Repair::Replace(vec![(fault.at, Token::Equal)])), ..Advice::default() })
}

/// `&&`, `||`, `**`, `++`, `!x`.
pub(super) fn foreign_operator(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let before = fault.before(1).filter(|_| fault.is_adjacent());
    Advice::hint(match (before, fault.found()?) {
        (Some(Token::And), Token::And) => "the logical and is written `&`",
        (Some(Token::Or), Token::Or) => "the logical or is written `|`",
        (Some(Token::Star), Token::Star) => "a power is written `pow(x, 2)`",
        (Some(Token::Plus), Token::Plus | Token::Semicolon) => "add one with `x += 1`",
        (_, found) if fault.before(1) == Some(Token::At) && found != Token::LeftParen => {
            "a semiring is written `@(+,*)`, a monoid `@(max)`"
        }
        (_, Token::At) if fault.expects("transpose") => {
            "an operator such as `@(max)` stands between two operands; the maximum of a tensor is `MAX(A[i,j])`"
        }
        (_, Token::Ident("and" | "AND")) if fault.expects("&") => "the logical and is written `&`",
        (_, Token::Ident("or" | "OR")) if fault.expects("|") => "the logical or is written `|`",
        (_, Token::Ident(_)) if fault.before(1) == Some(Token::Ident("not")) => {
            "there is no operator `not`; compare with `== 0`"
        }
        (_, Token::Bang) if fault.expects("transpose") => "there is no operator `!`; compare with `== 0`",
        (_, Token::Percent) if fault.expects("*") => "there is no remainder operator",
        (_, Token::Question) if fault.expects("*") => "there is no conditional expression; use `if`",
        _ => return None,
    })
}

/// `// …` and `/* … */`.
pub(super) fn foreign_comment(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let second =
        matches!(fault.found(), Some(Token::Slash | Token::Star)) && fault.before(1) == Some(Token::Slash);
    let first =
        fault.found() == Some(Token::Slash) && fault.token(fault.at + 1).is_some_and(is_comment_second);
    if (second && fault.is_adjacent()) || first { Advice::hint("a comment begins with `#`") } else { None }
}

fn is_comment_second(token: Token<'_>) -> bool {
    matches!(token, Token::Slash | Token::Star | Token::DotStar)
}

/// `2x`, `1e`, `1 + 2i`.
pub(super) fn missing_operator(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let (Some(Token::Number(number)), Some(Token::Ident(name))) = (fault.before(1), fault.found()) else {
        return None;
    };
    if !fault.is_adjacent() || !fault.expects("*") {
        return None;
    }
    if let "i" | "j" = name {
        let real = match (fault.before(3), fault.before(2)) {
            (Some(Token::Number(real)), Some(Token::Plus | Token::Minus)) => real,
            _ => "0",
        };
        let sign = if fault.before(2) == Some(Token::Minus) { "-" } else { "" };
        let complex = format!("complex({real}, {sign}{number})");
        let hint = format!("a complex number is written `{complex}`, a product `{number} * {name}`");
        return Advice::hint(hint);
    }
    Advice::hint(match name {
        "e" | "E" => format!("an exponent has digits, as in `{number}e3`"),
        _ => format!("a product is written `{number} * {name}`"),
    })
}
