//! Texts to statements.

use comet_diag::{Diagnostic, Source};
use comet_syntax::ast::{Stmt, StmtKind};
use comet_syntax::parse_statements;
use comet_taco::CommandLine;

/// What messages call the text.
const NAME: &str = "<expression>";

/// Statements with the text that they stand in.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What places point into.
    pub source: Source,
    /// The last one assigns the result.
    pub statements: Vec<Stmt>,
}

impl Expression {
    /// Reads statements in the language's notation, `y[i] = A[i,j] * x[j]`, or in TACO's,
    /// `y(i) = A(i,j) * x(j)`, with `;` between several.
    ///
    /// # Errors
    /// The text with every error in it.
    pub fn parse(text: &str) -> Result<Self, (Source, Vec<Diagnostic>)> {
        let source = Source::new(NAME, text);
        let parsed = if is_of_taco(text) { taco(text) } else { parse_statements(&source) };
        match parsed {
            Ok(statements) if !statements.is_empty() => Ok(Self { source, statements }),
            Ok(_) => {
                let error = Diagnostic::error_without_place("there is no statement: the text is empty");
                Err((source, vec![error.hint("write `y[i] = A[i,j] * x[j]`, for example")]))
            }
            Err(errors) => Err((source, errors)),
        }
    }
}

/// Whether the first target has its indices in parentheses.
fn is_of_taco(text: &str) -> bool {
    let target = text.split('=').next().unwrap_or_default();
    match target.find(['(', '[']) {
        Some(at) => target[at..].starts_with('('),
        // A scalar on the left.
        None => !text.contains('[') && !text.contains("SUM") && text.contains('('),
    }
}

fn taco(text: &str) -> Result<Vec<Stmt>, Vec<Diagnostic>> {
    let mut statements = Vec::new();
    let mut start = 0;
    for part in text.split(';') {
        // In front of a statement there is room for those before, so that it has its place in the text.
        if !part.trim().is_empty() {
            let line = CommandLine::new(&(" ".repeat(start) + part), []);
            let translation = comet_taco::translate(&line)?;
            let body = translation.module.functions.into_iter().flat_map(|function| function.body);
            statements.extend(body.filter(|stmt| matches!(stmt.kind, StmtKind::Assign(_))));
        }
        start += part.len() + 1;
    }
    Ok(statements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_syntax::ast::{Assign, ExprKind};

    fn targets(text: &str) -> Vec<String> {
        let expression = Expression::parse(text).unwrap();
        let assigns = expression.statements.iter().map(|stmt| match &stmt.kind {
            StmtKind::Assign(Assign { target_span, .. }) => {
                text[target_span.start..target_span.end].to_owned()
            }
            _ => "other".to_owned(),
        });
        assigns.collect()
    }

    /// Both notations, with places in the text.
    #[test]
    fn notations() {
        assert_eq!(targets("r[i] = b[i] - A[i,j] * x[j]"), ["r[i]"]);
        assert_eq!(targets("t(i) = A(i,j) * x(j); y(i) = 2 * t(i);"), ["t(i)", "y(i)"]);
        assert_eq!(targets("var s = 2; y[i] = s * x[i];"), ["other", "y[i]"]);
        let sum = Expression::parse("a = b(i) * c(i)").unwrap();
        assert!(
            matches!(&sum.statements[0].kind, StmtKind::Assign(assign) if matches!(assign.value.kind, ExprKind::Binary { .. }))
        );
    }

    /// Errors have the place in the text; there is no frame that a text could leave.
    #[test]
    fn errors() {
        let (source, errors) = Expression::parse("y[i] = A[i,j] *; ").unwrap_err();
        assert_eq!(source.text(), "y[i] = A[i,j] *; ");
        assert_eq!(errors[0].span().map(|span| span.start), Some(15), "{errors:?}");
        assert!(Expression::parse("y[i] = x[i]; } def g() { ").is_err());
        assert!(Expression::parse(" ").is_err());
    }
}
