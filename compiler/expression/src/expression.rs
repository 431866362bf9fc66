//! Texts to statements.

use crate::walk;
use comet_diag::{Diagnostic, Source};
use comet_syntax::ast::{AssignOp, Stmt, StmtKind};
use comet_syntax::parse_statements;
use comet_taco::CommandLine;

/// What messages call the text.
const NAME: &str = "<expression>";

/// Statements with the text that they stand in.
#[derive(Clone, Debug)]
pub struct StatementText {
    /// What places point into.
    pub source: Source,
    /// The last one assigns the result.
    pub statements: Vec<Stmt>,
}

impl StatementText {
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

impl StatementText {
    /// What a caller passes, and what is returned.
    pub fn interface(&self) -> Interface {
        let mut interface = Interface::default();
        let mut assigned: Vec<&str> = Vec::new();
        for stmt in &self.statements {
            let own = std::slice::from_ref(stmt);
            let target = match &stmt.kind {
                StmtKind::Assign(assign) => Some(&assign.tensor.name),
                StmtKind::Var { name, .. } | StmtKind::SetScalar { name, .. } => Some(&name.name),
                _ => None,
            };
            // The first access of an assignment is its target.
            let is_read_too = matches!(&stmt.kind, StmtKind::Assign(assign) if assign.op != AssignOp::Set);
            let skipped = usize::from(matches!(stmt.kind, StmtKind::Assign(_)) && !is_read_too);
            let accesses = walk::accesses(own).into_iter().skip(skipped);
            let tensors = accesses.map(|access| (access.tensor.clone(), Some(access.indices.len())));
            let mut read: Vec<_> =
                tensors.chain(walk::words(own).into_iter().map(|word| (word, None))).collect();
            read.sort_by_key(|(name, _)| name.span.start);
            for (name, rank) in read {
                interface.add(&name.name, rank, &assigned);
            }
            assigned.extend(target.map(String::as_str));
            interface.result = target.cloned();
        }
        interface
    }
}

/// The operands of an expression, and its result.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Interface {
    /// What statements read before they assign it, in the order of the text, with the number of modes; none
    /// of a scalar.
    pub operands: Vec<(String, Option<usize>)>,
    /// What the last statement assigns.
    pub result: Option<String>,
}

impl Interface {
    fn add(&mut self, name: &str, rank: Option<usize>, assigned: &[&str]) {
        let is_known = self.operands.iter().any(|(known, _)| known == name);
        if !is_known && !assigned.contains(&name) {
            self.operands.push((name.to_owned(), rank));
        }
    }
}

/// Whether the first target has its indices in parentheses.
fn is_of_taco(text: &str) -> bool {
    let target = text.split('=').next().unwrap_or_default();
    match target.find(['(', '[']) {
        Some(at) => target[at..].starts_with('('),
        // A scalar on the left.
        None => {
            let reduces = comet_sema::reductions().any(|word| calls(text, word));
            !text.contains('[') && !reduces && text.contains('(')
        }
    }
}

/// True if a text has the name of a function in front of a parenthesis.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        !is_part && text[at + name.len()..].trim_start().starts_with('(')
    })
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
        let expression = StatementText::parse(text).unwrap();
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
        let sum = StatementText::parse("a = b(i) * c(i)").unwrap();
        assert!(
            matches!(&sum.statements[0].kind, StmtKind::Assign(assign) if matches!(assign.value.kind, ExprKind::Binary { .. }))
        );
    }

    /// What is read before it is assigned is an operand.
    #[test]
    fn interfaces() {
        let interface = |text: &str| {
            let Interface { operands, result } = StatementText::parse(text).unwrap().interface();
            let words = operands.into_iter().map(|(name, rank)| match rank {
                Some(rank) => format!("{name}{rank}"),
                None => name,
            });
            (words.collect::<Vec<_>>().join(" "), result.unwrap_or_default())
        };
        let expect = |operands: &str, result: &str| (operands.to_owned(), result.to_owned());
        assert_eq!(interface("r[i] = b[i] - a * A[i,j] * x[j]"), expect("b1 a A2 x1", "r"));
        assert_eq!(interface("t[i] = A[i,j]; y[i] = t[i] / SUM(t[k])"), expect("A2", "y"));
        assert_eq!(interface("x[i] += A[i,j]"), expect("x1 A2", "x"));
        assert_eq!(interface("C[i,j]<M> = A[i,k] * A[k,j]"), expect("M2 A2", "C"));
        assert_eq!(interface("var s = 2 * a; y[i] = s * x[i]"), expect("a x1", "y"));
    }

    /// Errors have the place in the text; there is no frame that a text could leave.
    #[test]
    fn errors() {
        let (source, errors) = StatementText::parse("y[i] = A[i,j] *; ").unwrap_err();
        assert_eq!(source.text(), "y[i] = A[i,j] *; ");
        assert_eq!(errors[0].span().map(|span| span.start), Some(15), "{errors:?}");
        assert!(StatementText::parse("y[i] = x[i]; } def g() { ").is_err());
        assert!(StatementText::parse(" ").is_err());
    }
}
