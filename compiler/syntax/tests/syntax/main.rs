//! Text to tree, text to messages, tree to text: everything through the public functions of the crate.

mod declarations;
mod expressions;
mod layout;
mod lexical;
mod random;
mod recovery;
mod schedules;
mod slips;
mod statements;

use comet_diag::{Source, render};
use comet_syntax::{dump, parse, parse_with_recovery};

/// The dump of `statements` in a function `main`, without the line of the function, the spans and one indent.
fn tree(statements: &str) -> String {
    let source = Source::new("a.ta", format!("def main() {{ {statements} }}"));
    let module = parse(&source).unwrap_or_else(|errors| panic!("{}", shown(&errors, &source)));
    let lines = without_spans(&dump(&module));
    lines.lines().skip(1).map(|line| format!("{}\n", &line[2..])).collect()
}

/// The dump of an expression.
fn expr(text: &str) -> String {
    tree(&format!("{text};")).lines().skip(1).map(|line| format!("{}\n", &line[2..])).collect()
}

/// The messages for a whole file.
fn errors(text: &str) -> String {
    let source = Source::new("a.ta", text);
    let (_, errors) = parse_with_recovery(&source);
    shown(&errors, &source)
}

/// The messages for statements that stand on lines of their own in a function.
fn errors_in(statements: &str) -> String {
    errors(&format!("def main() {{\n{statements}\n}}\n"))
}

fn shown(errors: &[comet_diag::Diagnostic], source: &Source) -> String {
    errors.iter().map(|error| format!("{}\n", render(error, source, comet_diag::Color::Never))).collect()
}

/// A dump without the bytes of its nodes.
fn without_spans(dump: &str) -> String {
    let without = |line: &str| {
        let node =
            line.rfind(" @").filter(|at| line[at + 2..].chars().all(|c| c == '.' || c.is_ascii_digit()));
        format!("{}\n", &line[..node.unwrap_or(line.len())])
    };
    dump.lines().map(without).collect()
}
