//! Distinguishes tokens that look the same and mean different things.
//!
//! The grammar is LR(1) once some of them are distinguished by their neighbours: the word `schedule` that
//! begins a schedule, the words `elif`, `break` and `continue` of control flow, the word `operator` behind a
//! function's result, the `{` of a function's body, and the `<` of a mask. So none of these words has to be a
//! keyword.

use comet_diag::Span;

use crate::lexer::Spanned;
use crate::token::Token;

/// The tokens as the grammar wants them.
pub(crate) fn contextualize<'source>(tokens: &[Spanned<'source>]) -> Vec<Spanned<'source>> {
    let mut result = tokens.to_vec();
    for at in 0..result.len() {
        result[at].token = in_context(&result, at);
    }
    split_mask_ends(result)
}

fn in_context<'source>(tokens: &[Spanned<'source>], at: usize) -> Token<'source> {
    match tokens[at].token {
        Token::Ident("schedule") if begins_schedule(tokens, at) => Token::Schedule,
        Token::Ident("elif") if begins_elif(tokens, at) => Token::Elif,
        Token::Ident("break") if is_jump(tokens, at) => Token::Break,
        Token::Ident("continue") if is_jump(tokens, at) => Token::Continue,
        Token::Ident("operator") if begins_properties(tokens, at) => Token::Operator,
        Token::LeftBrace if begins_body(tokens, at) => Token::BodyBrace,
        Token::Less if begins_mask(tokens, at) => Token::MaskOpen,
        token => token,
    }
}

fn token_at<'source>(tokens: &[Spanned<'source>], at: usize) -> Option<Token<'source>> {
    tokens.get(at).map(|spanned| spanned.token)
}

fn token_before<'source>(tokens: &[Spanned<'source>], at: usize) -> Option<Token<'source>> {
    token_at(tokens, at.checked_sub(1)?)
}

/// `schedule {`, but not the result of `-> double schedule {`.
fn begins_schedule(tokens: &[Spanned<'_>], at: usize) -> bool {
    let before = token_before(tokens, at);
    token_at(tokens, at + 1) == Some(Token::LeftBrace)
        && !matches!(before, Some(Token::Double | Token::Float | Token::Int))
}

/// `elif c:`. A statement that begins with the name `elif` has no `:` outside of brackets, and no operand
/// directly behind the name.
fn begins_elif(tokens: &[Spanned<'_>], at: usize) -> bool {
    let has_operand = matches!(
        token_at(tokens, at + 1),
        Some(Token::Ident(_) | Token::Number(_) | Token::Transpose | Token::Colon)
    );
    stands_in_body(tokens, at) && (has_operand || has_colon(&tokens[at + 1..]))
}

/// Whether a `:` comes in a statement outside of its brackets.
fn has_colon(rest: &[Spanned<'_>]) -> bool {
    let mut depth = 0usize;
    for spanned in rest {
        match spanned.token {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace => depth += 1,
            Token::RightParen | Token::RightBracket | Token::RightBrace => depth = depth.saturating_sub(1),
            Token::Colon if depth == 0 => return true,
            Token::Semicolon | Token::Assign | Token::End | Token::Def => return false,
            _ => {}
        }
    }
    false
}

/// `break` or `continue` as a whole statement: what follows goes on with no expression.
fn is_jump(tokens: &[Spanned<'_>], at: usize) -> bool {
    use Token::{Else, End, For, Ident, If, IndexLabel, Return, RightBrace, Semicolon, Tensor, Var, While};
    let ends = matches!(
        token_at(tokens, at + 1),
        None | Some(
            Semicolon
                | End
                | Else
                | RightBrace
                | Ident(_)
                | For
                | If
                | While
                | Var
                | Return
                | IndexLabel
                | Tensor
        )
    );
    stands_in_body(tokens, at) && ends
}

/// `operator (` in the head of a function, behind its parameters.
fn begins_properties(tokens: &[Spanned<'_>], at: usize) -> bool {
    use Token::{BodyBrace, Comma, Def, End, Greater, LeftParen, Semicolon};
    let mut before = tokens[..at].iter().rev().map(|spanned| spanned.token);
    token_at(tokens, at + 1) == Some(LeftParen)
        && !matches!(token_before(tokens, at), Some(Def | LeftParen | Comma | Greater))
        && before.find(|token| matches!(token, Def | Semicolon | BodyBrace | End)) == Some(Def)
}

/// Whether a word begins a statement of a function's body. A `:` in parentheses is that of a command's
/// argument.
fn stands_in_body(tokens: &[Spanned<'_>], at: usize) -> bool {
    use Token::{BodyBrace, Colon, End, Semicolon};
    match token_before(tokens, at) {
        Some(Semicolon | BodyBrace | End) => true,
        Some(Colon) => !stands_in_brackets(tokens, at),
        _ => false,
    }
}

fn stands_in_brackets(tokens: &[Spanned<'_>], at: usize) -> bool {
    use Token::{BodyBrace, Def, End, LeftBracket, LeftParen, RightBracket, RightParen, Semicolon};
    let mut closed = 0usize;
    for spanned in tokens[..at].iter().rev() {
        match spanned.token {
            RightParen | RightBracket => closed += 1,
            LeftParen | LeftBracket if closed == 0 => return true,
            LeftParen | LeftBracket => closed -= 1,
            Semicolon | BodyBrace | End | Def => return false,
            _ => {}
        }
    }
    false
}

/// A format, an order, a set of labels and a schedule begin with `{` as well, always after one of these, or
/// after the region of a workspace: `W : onchip {D}`.
fn begins_body(tokens: &[Spanned<'_>], at: usize) -> bool {
    let before = token_before(tokens, at);
    !follows_region(tokens, at)
        && !matches!(
            before,
            Some(
                Token::Comma
                    | Token::Colon
                    | Token::Assign
                    | Token::LeftParen
                    | Token::Schedule
                    | Token::RightBracket
            )
        )
}

/// `W : onchip` in front.
fn follows_region(tokens: &[Spanned<'_>], at: usize) -> bool {
    matches!(token_before(tokens, at), Some(Token::Ident(_)))
        && at.checked_sub(1).and_then(|region| token_before(tokens, region)) == Some(Token::Colon)
}

/// `A[i, j] <` at the beginning of a statement whose `>` stands directly before an assignment.
fn begins_mask(tokens: &[Spanned<'_>], at: usize) -> bool {
    ends_target(tokens, at) && mask_end(tokens, at).is_some()
}

fn ends_target(tokens: &[Spanned<'_>], at: usize) -> bool {
    if token_before(tokens, at) != Some(Token::RightBracket) {
        return false;
    }
    let is_inside = |token| {
        use Token::{Colon, Comma, Ident, In, Minus, Number, Plus};
        matches!(token, Ident(_) | Comma | Number(_) | Colon | In | Plus | Minus)
    };
    let inside = tokens[..at - 1].iter().rev().take_while(|spanned| is_inside(spanned.token)).count();
    let Some(name) = (at - 1).checked_sub(inside + 2) else { return false };
    tokens[name + 1].token == Token::LeftBracket
        && matches!(tokens[name].token, Token::Ident(_))
        && begins_statement(token_before(tokens, name))
}

fn begins_statement(before: Option<Token<'_>>) -> bool {
    use Token::{BodyBrace, Colon, End, LeftBrace, RightBrace, Semicolon};
    matches!(before, None | Some(Semicolon | BodyBrace | LeftBrace | RightBrace | Colon | End))
}

/// Where the `>` of the mask stands. A mask with a mistake in it is still one, so that the message can be
/// about masks; `>=` ends only a mask without one, because it is a comparison everywhere else.
fn mask_end(tokens: &[Spanned<'_>], at: usize) -> Option<usize> {
    let is_inside = |token| matches!(token, Token::Bang | Token::Ident(_) | Token::Comma | Token::Number(_));
    let inside = tokens[at + 1..].iter().take_while(|spanned| is_inside(spanned.token)).count();
    let end = at + 1 + inside;
    let assigns =
        matches!(token_at(tokens, end + 1), Some(Token::Assign | Token::AddAssign | Token::SubAssign));
    match token_at(tokens, end)? {
        Token::Greater if assigns => Some(end),
        Token::GreaterEqual if is_mask(&tokens[at + 1..end]) => Some(end),
        _ => None,
    }
}

/// `M`, `!M`, `M, push`, `M push`.
fn is_mask(inside: &[Spanned<'_>]) -> bool {
    let inside = match inside {
        [Spanned { token: Token::Bang, .. }, rest @ ..] => rest,
        all => all,
    };
    let words = inside.iter().filter(|spanned| matches!(spanned.token, Token::Ident(_))).count();
    let commas = inside.iter().filter(|spanned| spanned.token == Token::Comma).count();
    (1..=2).contains(&words) && commas <= 1 && words + commas == inside.len()
}

/// `C[i]<M>= x` is written without a space, and `>=` is one token to the lexer.
fn split_mask_ends(tokens: Vec<Spanned<'_>>) -> Vec<Spanned<'_>> {
    let mut result = Vec::with_capacity(tokens.len());
    let mut in_mask = false;
    for spanned in tokens {
        in_mask |= spanned.token == Token::MaskOpen;
        match spanned.token {
            Token::GreaterEqual if in_mask => result.extend(halves(spanned.span)),
            _ => result.push(spanned),
        }
        in_mask &= !matches!(spanned.token, Token::Greater | Token::GreaterEqual);
    }
    result
}

fn halves(span: Span) -> [Spanned<'static>; 2] {
    let middle = span.start + 1;
    [
        Spanned { token: Token::Greater, span: Span::new(span.start, middle) },
        Spanned { token: Token::Assign, span: Span::new(middle, span.end) },
    ]
}
