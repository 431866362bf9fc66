//! Checked programs and messages, as a user sees them.

mod calls;
mod dump;
mod expressions;
mod formats;
mod initial_values;
mod invariants;
mod names;
mod no_panic;
mod operators;
mod programs;
mod reductions;
mod scalars;
mod schedules;
mod signatures;
mod sizes;
mod statements;

use comet_diag::{Diagnostic, Source, render};
use comet_sema::check;

use crate::dump::dump;

/// What the checked program looks like.
fn checked(text: &str) -> String {
    let source = Source::new("a.ta", text);
    match comet_syntax::parse(&source).and_then(|module| check(&module, &source)) {
        Ok(program) => dump(&program),
        Err(errors) => panic!("expected no error:\n{}", shown(&errors, &source)),
    }
}

/// Only the statements of `main` whose text is `statements`.
fn statements(text: &str) -> String {
    let dumped = checked(&main(text));
    let is_table = |line: &&str| {
        ["  size ", "  tensor ", "  scalar ", "def "].iter().any(|start| line.starts_with(start))
    };
    dumped.lines().filter(|line| !is_table(line)).map(|line| format!("{}\n", &line[2..])).collect()
}

/// The errors of a whole file.
fn errors(text: &str) -> String {
    let source = Source::new("a.ta", text);
    let module = match comet_syntax::parse(&source) {
        Ok(module) => module,
        Err(errors) => panic!("expected no syntax error:\n{}", shown(&errors, &source)),
    };
    match check(&module, &source) {
        Ok(program) => panic!("expected an error:\n{}", dump(&program)),
        Err(errors) => shown(&errors, &source),
    }
}

/// The errors of `main` with these statements.
fn errors_in(text: &str) -> String {
    errors(&main(text))
}

fn main(text: &str) -> String {
    format!("def main() {{\n{}\n}}\n", text.trim_matches('\n'))
}

fn shown(errors: &[Diagnostic], source: &Source) -> String {
    errors
        .iter()
        .map(|error| render(error, source, comet_diag::Color::Never))
        .collect::<Vec<_>>()
        .join("\n\n")
}
