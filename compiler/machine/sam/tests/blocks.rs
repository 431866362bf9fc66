//! The blocks that statements take which the paper's table 1 does not have: no more than what they need.

use crate::notation::{statement, variables};
use comet_sam::graph::{BlockKind, GraphLevel};
use comet_sam::lower::{IndexStatement, lower};

/// Expressions in alphabetical order of the variables, and the levels of the result and of the operands.
const STATEMENTS: [(&str, &str); 16] = [
    ("x(i) = B(i,j) * c(j)", "d dsd"),
    ("x(i) = B(i,j) * c(j)", "d sss"),
    ("X(i,k) = B(i,j) * C(j,k)", "ds dsds"),
    ("X(i,j) = B(i,j) + C(i,j)", "dd dddd"),
    ("X(i,j) = B(i,j)", "sd sd"),
    ("X(j,i) = B(i,j)", "dd ss"),
    ("x(i) = a()", "d"),
    ("x() = a() * b()", ""),
    ("X(i,j) = b(i) * c(j)", "ss ss"),
    ("X(i,j) = b(i) + c(j)", "ss ss"),
    ("X(i,j) = B(i,j) + a()", "dd ss"),
    ("X(i,j) = B(i,j) + a()", "dd dd"),
    ("x(i) = B(i,i)", "s ss"),
    ("x(i) = B(i,i)", "d dd"),
    ("X(i,i) = b(i)", "ss s"),
    ("X(i,i) = b(i)", "dd s"),
];

fn with_levels(mut statement: IndexStatement, letters: &str) -> IndexStatement {
    let mut letters = letters.chars().filter(|letter| *letter != ' ').cycle();
    for level in statement.tensors.iter_mut().flat_map(|format| &mut format.levels) {
        *level = if letters.next() == Some('d') { GraphLevel::Dense } else { GraphLevel::Compressed };
    }
    statement
}

/// Each kind of block with its count, in the order of their first use.
fn counted(kinds: impl Iterator<Item = &'static str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for kind in kinds {
        match counts.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    counts.join(", ")
}

#[test]
fn blocks_of_statements() {
    let mut lines = Vec::new();
    for (text, letters) in STATEMENTS {
        let mut order = variables(text);
        if text.starts_with("X(j,i)") {
            order.sort();
        }
        let statement = with_levels(statement(text, &order), letters);
        let lowered = lower(&statement).expect("every statement is lowered");
        for graph in &lowered.graphs {
            let kinds = graph.blocks.iter().map(|block| &block.kind);
            let kinds = kinds.filter(|kind| !matches!(kind, BlockKind::RepeatSignal { .. }));
            let formats: Vec<String> = graph.tensors.iter().map(ToString::to_string).collect();
            lines.push(format!(
                "{text} {}\n    {}",
                formats.join(" "),
                counted(kinds.map(BlockKind::type_name))
            ));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}
