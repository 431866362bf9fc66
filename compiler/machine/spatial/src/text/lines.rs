//! Which ends of lines are ends of statements, by Scala's rules.

use super::lexer::Spanned;
use super::token::Token;

/// Drops the ends of lines inside of parentheses and brackets, behind what ends no statement, and in front of
/// what begins none. Several in a row become one [`Token::Blank`].
pub(crate) fn end_statements(tokens: Vec<Spanned<'_>>) -> Vec<Spanned<'_>> {
    let mut kept: Vec<Spanned<'_>> = Vec::with_capacity(tokens.len());
    // For each open bracket whether lines end statements inside of it.
    let mut open = Vec::new();
    let mut ends: Option<Spanned<'_>> = None;
    for spanned in tokens {
        match spanned.token {
            Token::Newline => {
                let token = if ends.is_some() { Token::Blank } else { Token::Newline };
                ends = Some(Spanned { token, ..ends.unwrap_or(spanned) });
                continue;
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace => drop(open.pop()),
            _ => {}
        }
        let can_end = kept.last().is_some_and(|last| last.token.can_end());
        let is_enabled = open.last().copied().unwrap_or(true);
        let end = ends.take().filter(|_| can_end && is_enabled && spanned.token.can_begin());
        kept.extend(end);
        match spanned.token {
            Token::LeftParen | Token::LeftBracket => open.push(false),
            Token::LeftBrace => open.push(true),
            _ => {}
        }
        kept.push(spanned);
    }
    kept
}
