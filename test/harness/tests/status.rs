//! `compiler/docs/reference/status.md` against the programs that it names: what works, and what is refused
//! with which words.

use std::collections::BTreeSet;

use comet_harness::directives::Expected;
use comet_harness::program::{Program, programs};
use comet_harness::test_folder;

/// A line of a table: a construct, what becomes of it, and the programs that show it.
struct Row {
    text: String,
    /// The words of the refusal; none where it works.
    refusal: Option<String>,
    programs: Vec<String>,
}

fn rows(page: &str) -> Vec<Row> {
    page.lines().filter_map(row).collect()
}

/// The heads and the rules of tables name no program.
fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> =
        line.strip_prefix('|')?.trim_end_matches('|').split(" | ").map(str::trim).collect();
    let [_, status, names] = cells[..] else { return None };
    let programs: Vec<String> = names.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    if programs.is_empty() {
        return None;
    }
    let refusal = status.strip_prefix("refused: ").map(|words| code(words).to_owned());
    assert!(refusal.is_some() || status == "works", "{line}");
    Some(Row { text: line.to_owned(), refusal, programs })
}

/// What is between the backticks, one or two on either side.
fn code(cell: &str) -> &str {
    match cell.strip_prefix("``").and_then(|cell| cell.strip_suffix("``")) {
        Some(inner) => inner.trim(),
        None => cell.trim_matches('`'),
    }
}

fn all_programs() -> Vec<Program> {
    programs(&test_folder().join("run")).expect("the test programs are well formed")
}

fn page() -> Vec<Row> {
    let path = test_folder().join("../compiler/docs/reference/status.md");
    let rows = rows(&std::fs::read_to_string(path).expect("the page exists"));
    assert!(rows.len() > 50, "the tables of the page are not found");
    rows
}

/// The programs of a line that works are no refusals, those of a refusal end with its words.
#[test]
fn lines_say_what_programs_show() {
    let programs = all_programs();
    for row in page() {
        for name in &row.programs {
            let program = programs.iter().find(|program| program.name() == *name);
            let program = program.unwrap_or_else(|| panic!("there is no program `{name}`: {}", row.text));
            match (&row.refusal, &program.directives.expected) {
                (None, Expected::NotSupported(_)) => {
                    panic!("`{name}` is refused: {}", row.text)
                }
                (None, _) => {}
                (Some(words), Expected::NotSupported(expected)) => {
                    assert!(
                        expected.ends_with(words.as_str()),
                        "`{name}` expects `{expected}`: {}",
                        row.text
                    );
                }
                (Some(_), _) => panic!("`{name}` is not refused any more: {}", row.text),
            }
        }
    }
}

/// A refusal that no line reports would be a surprise.
#[test]
fn every_refusal_has_a_line() {
    let named: BTreeSet<String> = page().into_iter().flat_map(|row| row.programs).collect();
    for program in all_programs() {
        let is_refused = matches!(program.directives.expected, Expected::NotSupported(_));
        assert!(
            !is_refused || named.contains(&program.name()),
            "compiler/docs/reference/status.md does not name `{}`",
            program.name()
        );
    }
}
