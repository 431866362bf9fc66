//! Slips about words: misspelled keywords, words of other languages, keywords in place of names.

use super::{Advice, Repair, SyntaxFault};
use crate::token::Token;

/// Words that begin a statement here, next to what they are called elsewhere.
const FOREIGN: [(&str, &str); 14] = [
    ("let", "var"),
    ("const", "var"),
    ("auto", "var"),
    ("scalar", "var"),
    ("func", "def"),
    ("fn", "def"),
    ("function", "def"),
    ("elsif", "elif"),
    ("elseif", "elif"),
    ("endif", "end"),
    ("endfor", "end"),
    ("index", "IndexLabel"),
    ("label", "IndexLabel"),
    ("indices", "IndexLabel"),
];

const KEYWORDS: [&str; 10] =
    ["def", "var", "return", "IndexLabel", "Tensor", "for", "if", "else", "while", "end"];

/// A statement, or a function, that begins with an unknown word.
pub(super) fn misspelled_keyword(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let start = fault.statement_start();
    let Some(Token::Ident(word)) = fault.token(start) else { return None };
    let begins_statement = fault.at == start + 1 && follows_keyword(fault.found());
    let begins_function = fault.at == start && fault.expects("def");
    if !begins_statement && !begins_function && !differs_by_case(word) {
        return None;
    }
    let meant = meant(word)?;
    let hint = format!("did you mean `{meant}`?");
    Some(Advice { hint, place: Some(fault.tokens[start].span), ..Advice::default() })
}

/// `tensor`, `Indexlabel`: clear whatever follows.
fn differs_by_case(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// What never follows a name that is used as one, so that `A[i] … = …` is not called misspelled.
fn follows_keyword(found: Option<Token<'_>>) -> bool {
    use Token::{Colon, Double, Float, Ident, Int, Number, Str};
    matches!(found, Some(Ident(_) | Number(_) | Str(_) | Double | Float | Int | Colon))
}

fn meant(word: &str) -> Option<&'static str> {
    let foreign =
        FOREIGN.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(word)).map(|(_, meant)| *meant);
    let near = || KEYWORDS.into_iter().find(|keyword| is_near(word, keyword));
    foreign.or_else(near)
}

/// The same but for case, or but for one character (two in a long word).
fn is_near(word: &str, keyword: &str) -> bool {
    let allowed = if keyword.len() > 5 { 2 } else { 1 };
    let longest = word.len().max(keyword.len());
    let distance = || strsim::levenshtein(&word.to_lowercase(), &keyword.to_lowercase());
    longest <= keyword.len() + allowed && distance() <= allowed
}

/// `var end = 1`.
pub(super) fn keyword_as_name(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let found = fault.found()?;
    let is_word = found.text().starts_with(|first: char| first.is_ascii_alphabetic());
    let is_keyword = is_word && !matches!(found, Token::Ident(_));
    if !is_keyword || !fault.expects("name") || fault.expects("IndexLabel") || fault.on_new_line() {
        return None;
    }
    let hint = format!("`{found}` is a keyword and cannot be a name");
    let repair = Some(Repair::Replace(vec![(fault.at, Token::Ident("_"))]));
    Some(Advice { hint, repair, ..Advice::default() })
}

/// Statements, or a bracket too many, where only functions stand.
pub(super) fn outside_of_functions(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    if !fault.expects("def") || fault.expects("}") {
        return None;
    }
    match fault.found()? {
        Token::RightBrace => Advice::hint("this `}` closes nothing; the function has ended before it"),
        _ => Advice::hint("statements stand in a function: `def main() { … }`"),
    }
}

/// `def f(A, x)`.
pub(super) fn untyped_parameter(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let in_header = fault.first_of_statement()? == Token::Def;
    let expects_type = fault.expects("double") && fault.expects("Tensor");
    // A name is read as the type of a parameter, whose name is missing then.
    let has_name_alone = fault.expects("name")
        && matches!(fault.before(1), Some(Token::Ident(_)))
        && matches!(fault.before(2), Some(Token::LeftParen | Token::Comma));
    if !in_header || !(expects_type || has_name_alone) {
        return None;
    }
    Advice::hint("a parameter is declared: `Tensor<double> A([i, j], CSR)` or `double a`")
}

/// `A[i] = "a.mtx"`.
pub(super) fn string_outside_of_arguments(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    if !matches!(fault.found()?, Token::Str(_)) {
        return None;
    }
    Advice::hint("a string stands only as an argument, as in `comet_read(\"a.mtx\")` and `print(\"text\")`")
}

/// `IndexLabel i = 8`.
pub(super) fn bare_label_range(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let in_label = fault.first_of_statement()? == Token::IndexLabel;
    if in_label {
        Advice::hint("a label is declared as `IndexLabel [i, j] = [8];` or `… = [?];`")
    } else {
        None
    }
}

/// `for i in 0:8`.
pub(super) fn bare_loop_range(fault: &SyntaxFault<'_, '_>) -> Option<Advice> {
    let in_loop = fault.first_of_statement()? == Token::For;
    if in_loop { Advice::hint("a loop is written `for i in range(0, 8): … end;`") } else { None }
}
