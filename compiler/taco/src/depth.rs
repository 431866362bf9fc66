//! The limit on nesting: everything behind the parser walks the tree by recursion.

use comet_diag::{Diagnostic, Span};

use crate::lexer::Spanned;
use crate::token::NotationToken;

/// As in the `.ta` language: parentheses and operators on the way to a leaf.
const MAX_DEPTH: usize = 256;

/// The place where the nesting becomes too deep, by a count that is never too low: an operator counts to the
/// end of its parentheses.
pub(crate) fn check(tokens: &[Spanned<'_>]) -> Option<Diagnostic> {
    let mut outside = Vec::new();
    let mut depth = 0;
    // The deepest since the innermost open parenthesis.
    let mut deepest = 0;
    for (start, token, end) in tokens {
        match token {
            NotationToken::LeftParen => {
                outside.push((depth, deepest));
                depth += 1;
                deepest = depth;
            }
            NotationToken::RightParen => {
                let inside = deepest;
                (depth, deepest) = outside.pop().unwrap_or_default();
                deepest = deepest.max(inside);
            }
            // What stands on the left of an operator becomes deeper by one.
            NotationToken::Plus | NotationToken::Minus | NotationToken::Star | NotationToken::Slash => {
                depth += 1;
                deepest = (deepest + 1).max(depth);
            }
            _ => {}
        }
        if deepest > MAX_DEPTH {
            let message = format!("nested too deeply: the limit is {MAX_DEPTH} parentheses and operators");
            let hint = "compute a part of it by an expression of its own";
            return Some(Diagnostic::error(Span::new(*start, *end), message).hint(hint));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_too_deep(text: &str) -> bool {
        check(&crate::lexer::lex(text, 0).0).is_some()
    }

    /// Both ways of becoming deep are seen, and long expressions that are not deep pass.
    #[test]
    fn deep_expressions_are_found() {
        assert!(is_too_deep(&format!("y = {}x{}", "(".repeat(300), ")".repeat(300))));
        assert!(is_too_deep(&format!("y = x{}", " + x".repeat(300))));
        assert!(is_too_deep(&format!("y = {}x", "-".repeat(300))));
        assert!(is_too_deep(&format!("y = {}x", "-(".repeat(200))));
        assert!(!is_too_deep(&format!("y = {}x{}", "(".repeat(200), ")".repeat(200))));
        assert!(!is_too_deep(&format!("y = x{}", " * x(i)".repeat(120))));
    }
}
