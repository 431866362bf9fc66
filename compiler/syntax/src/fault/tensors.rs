//! Slips about accesses and declarations of tensors.

use super::{Advice, SyntaxFault};
use crate::token::Token;

/// `A(i,j) = …`, as TACO writes it.
pub(super) fn parentheses_for_brackets(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let assigns = matches!(fault.found(), Some(Token::Assign | Token::AddAssign | Token::SubAssign));
    let start = fault.statement_start();
    let (Some(Token::Ident(name)), Some(Token::LeftParen)) = (fault.token(start), fault.token(start + 1))
    else {
        return None;
    };
    if !assigns || fault.before(1) != Some(Token::RightParen) {
        return None;
    }
    let labels: String =
        fault.tokens[start + 2..fault.at - 1].iter().map(|label| label.token.text()).collect();
    Advice::hint(format!("a tensor is indexed with brackets: `{name}[{labels}]`"))
}

/// `C[i]<M pusch pull> = …`, `C<M>[i] = …`.
pub(super) fn malformed_mask(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let start = fault.statement_start();
    let begins_with = |index: usize, token| fault.token(start + index) == Some(token);
    let in_mask = (start..fault.at).rev().find_map(|index| match fault.tokens[index].token {
        Token::MaskOpen => Some(true),
        Token::Greater => Some(false),
        _ => None,
    });
    let in_front = fault.found() == Some(Token::Assign)
        && begins_with(1, Token::Less)
        && (begins_with(3, Token::Greater) || begins_with(4, Token::Greater));
    if in_mask != Some(true) && !in_front {
        return None;
    }
    Advice::hint("a mask stands behind the labels: `C[i,j]<M>`, `C[i,j]<!M>` or `C[i,j]<M, push>`")
}

/// `A[i][j]`.
pub(super) fn chained_brackets(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let chained = fault.found() == Some(Token::LeftBracket) && fault.before(1) == Some(Token::RightBracket);
    if !chained || fault.on_new_line() {
        return None;
    }
    if fault.first_of_statement() == Some(Token::IndexLabel) {
        return Advice::hint("sizes stand behind `=`: `IndexLabel [i, j] = [4, ?]`");
    }
    Advice::hint("all labels of an access stand in one pair of brackets: `A[i,j]`")
}

/// `A[i j]`: only a declaration may leave out the commas.
pub(super) fn missing_comma(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let is_item = matches!(fault.found()?, Token::Ident(_) | Token::Number(_) | Token::Str(_));
    let inside =
        fault.open_bracket().is_some() && matches!(fault.before(1)?, Token::Ident(_) | Token::Number(_));
    if !is_item || !inside || !fault.expects(",") || fault.on_new_line() {
        return None;
    }
    Advice::hint("separate them with `,`")
}

/// `transpose(A[i,j])`, `transpose(A)`, `transpose(A[i,j], j, i)`.
pub(super) fn transpose_without_order(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let open = fault.open_bracket()?;
    let is_transpose = open.checked_sub(1).and_then(|word| fault.token(word)) == Some(Token::Transpose);
    if !is_transpose || !["[", ",", "{"].iter().any(|sign| fault.expects(sign)) {
        return None;
    }
    let names = fault.tokens[open + 1..fault.at].iter().filter_map(|spanned| match spanned.token {
        Token::Ident(name) => Some(name),
        _ => None,
    });
    let (tensor, labels) = match names.collect::<Vec<_>>()[..] {
        [tensor, ref labels @ ..] if !labels.is_empty() => (tensor, labels.to_vec()),
        [tensor] => (tensor, vec!["i", "j"]),
        _ => return None,
    };
    let turned: Vec<&str> = labels.iter().rev().copied().collect();
    let example = format!("transpose({tensor}[{}], {{{}}})", labels.join(","), turned.join(","));
    Advice::hint(format!("`transpose` takes the new order of the labels, too: `{example}`"))
}

/// `Tensor<double> A([i,j])`.
pub(super) fn missing_format(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let behind_dims =
        fault.found() == Some(Token::RightParen) && fault.before(1) == Some(Token::RightBracket);
    if !behind_dims || fault.expected.len() > 1 || !fault.expects(",") {
        return None;
    }
    Advice::hint("name the format behind the dimensions, `Dense` or `CSR` for example")
}

/// `W : {}` for a scalar, in `precompute`.
pub(super) fn format_without_levels(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let is_empty = fault.found() == Some(Token::RightBrace) && fault.before(1) == Some(Token::LeftBrace);
    if !is_empty || fault.before(2) != Some(Token::Colon) {
        return None;
    }
    let repair = fault.insert(&[Token::Ident("D")]);
    Some(Advice { repair, ..Advice::hint("a workspace without levels is a scalar: write `W : Dense`")? })
}

/// `Tensor A(…)`.
pub(super) fn missing_element(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let behind = fault.before(1) == Some(Token::Tensor) || fault.before(2) == Some(Token::Tensor);
    if !behind || !(fault.expects("<") || fault.expects("double")) {
        return None;
    }
    Advice::hint("a tensor names the type of its elements: `Tensor<double>`, `Tensor<int8>` for example")
}
