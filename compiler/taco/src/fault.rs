//! Syntax errors in the words of the user.

use comet_diag::{Diagnostic, Span};
use lalrpop_util::ParseError;

use crate::lexer::Spanned;
use crate::token::NotationToken;

type SyntaxError<'source> = ParseError<usize, NotationToken<'source>, ()>;

pub(crate) fn in_expression(error: SyntaxError<'_>, tokens: &[Spanned<'_>], text: Span) -> Diagnostic {
    let fault = NotationFault::new(&error, tokens, text);
    let hint = fault.expression_hint();
    fault.explain("the end of the expression").hint(hint)
}

pub(crate) fn in_schedule(error: SyntaxError<'_>, tokens: &[Spanned<'_>], text: Span) -> Diagnostic {
    let fault = NotationFault::new(&error, tokens, text);
    fault.explain("the end of the text").hint("write commands as `reorder(i,j), split(i,i0,i1,32)`")
}

/// A place where the tokens do not fit the grammar.
struct NotationFault<'run, 'source> {
    /// The token that does not fit, if it is not the end.
    found: Option<NotationToken<'source>>,
    span: Span,
    before: &'run [Spanned<'source>],
    expected: Vec<&'run str>,
}

impl<'run, 'source> NotationFault<'run, 'source> {
    fn new(error: &'run SyntaxError<'source>, tokens: &'run [Spanned<'source>], text: Span) -> Self {
        let (found, span, expected) = match error {
            ParseError::UnrecognizedToken { token: (start, token, end), expected } => {
                (Some(*token), Span::new(*start, *end), expected)
            }
            ParseError::UnrecognizedEof { expected, .. } => (None, Span::new(text.end, text.end), expected),
            other => unreachable!("the lexer and the actions never fail: {other:?}"),
        };
        let before = &tokens[..tokens.partition_point(|(start, ..)| *start < span.start)];
        let expected = expected.iter().map(|quoted| quoted.trim_matches('"')).collect();
        Self { found, span, before, expected }
    }

    fn explain(&self, end: &str) -> Diagnostic {
        let found = self.found.map_or_else(|| end.to_owned(), |token| format!("`{token}`"));
        Diagnostic::error(self.span, format!("expected {}, found {found}", self.phrase(end)))
    }

    fn expects(&self, terminal: &str) -> bool {
        self.expected.contains(&terminal)
    }

    /// Sets of terminals by one word: "an expression", not four signs.
    fn phrase(&self, end: &str) -> String {
        let mut rest = self.expected.clone();
        let mut words = Vec::new();
        for (signs, members, word) in [
            (["name", "number"], &["name", "number", "(", "-"][..], "an expression"),
            (["+", "-"], &["+", "-", "*", "/", "_", "("][..], "an operator"),
        ] {
            if signs.iter().all(|sign| rest.contains(sign)) {
                rest.retain(|terminal| !members.contains(terminal));
                words.push(word.to_owned());
            }
        }
        words.extend(rest.iter().map(|terminal| self.word(terminal)));
        match (words.pop(), words.is_empty()) {
            (Some(last), true) => last,
            (Some(last), false) => format!("{} or {last}", words.join(", ")),
            (None, _) => end.to_owned(),
        }
    }

    fn word(&self, terminal: &str) -> String {
        match terminal {
            "name" if self.before.is_empty() => "a name".to_owned(),
            "name" => "an index".to_owned(),
            sign => format!("`{sign}`"),
        }
    }

    fn last(&self) -> Option<NotationToken<'source>> {
        self.before.last().map(|(_, token, _)| *token)
    }

    /// The indices of an access are open: only names, commas and a parenthesis stand behind it.
    fn is_in_access(&self) -> bool {
        self.expects("name") && !self.expects("number")
    }

    fn expression_hint(&self) -> &'static str {
        match self.found {
            Some(NotationToken::RightParen) if self.last() == Some(NotationToken::LeftParen) => {
                "a tensor without indices stands without parentheses: `alpha`"
            }
            Some(NotationToken::RightParen) if self.expects("+") => "there is no `(` that it closes",
            Some(NotationToken::Number(_)) if self.is_in_access() => {
                "an index is a name; a window is written `A(i(0,8),j)`"
            }
            Some(NotationToken::Name(_) | NotationToken::Number(_) | NotationToken::LeftParen)
                if self.expects("*") =>
            {
                "a product is written with `*`"
            }
            Some(NotationToken::Assign) => "there is one `=`, between the result and what is computed",
            Some(NotationToken::Plus | NotationToken::Minus | NotationToken::Star | NotationToken::Slash)
                if self.is_in_access() =>
            {
                "an index is a name, or a name and a number: `A(i+1)`"
            }
            _ => "an expression is written as `y(i) = A(i,j) * x(j) + 2 * b(i)`",
        }
    }
}
