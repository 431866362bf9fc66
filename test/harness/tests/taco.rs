//! Expressions in TACO's notation: those of `test/taco`, and a sample of what people have typed, whose
//! outcomes are a table in the documentation.

use std::fs;
use std::path::PathBuf;

use comet_harness::taco::line::Line;
use comet_harness::taco::{Agreement, Breadth, Summary, check, run};
use comet_harness::{compiler, real, test_folder};

fn read(name: &str) -> String {
    fs::read_to_string(test_folder().join("taco").join(name)).expect("the list exists")
}

fn checked(lines: &[Line], breadth: Breadth) -> Summary {
    let comet = compiler::locate().expect("the program is built");
    run(&comet, lines, breadth).expect("the compiler runs")
}

/// Of long lists.
fn breadth() -> Breadth {
    if comet_harness::is_long() { Breadth::Every } else { Breadth::One }
}

/// Every line computes what its program computes.
#[test]
fn expressions_agree_with_the_oracle() {
    let summary = checked(&Line::all(&read("agree.txt")), Breadth::Every);
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    let refused: Vec<_> = summary.counts.keys().filter(|outcome| outcome.starts_with("refused")).collect();
    assert!(refused.is_empty(), "{refused:?}");
}

/// Every line is refused with its words.
#[test]
fn ill_formed_expressions_are_refused() {
    let comet = compiler::locate().expect("the program is built");
    for Line { text, .. } in Line::all(&read("refused.txt")) {
        let (words, line) = text.split_once(" => ").expect("words, `=>` and an expression");
        let outcome = check(&comet, &Line::new(line), Breadth::Every).expect("the compiler runs");
        assert_eq!(outcome, Agreement::Refused(words.to_owned()), "{line}");
    }
}

/// What became of the sample stands in the documentation; `COMET_BLESS=1` writes it there.
#[test]
fn the_table_of_the_sample_is_true() {
    let sample = real::folder().map(|folder| folder.join("taco-expressions-sample.txt"));
    let Some(text) = sample.and_then(|path| fs::read_to_string(path).ok()) else {
        eprintln!("SKIPPED: there is no sample of expressions in `shared/data` next to the repository");
        return;
    };
    let lines = Line::all(&text);
    let summary = checked(&lines, breadth());
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    let table = table(&summary, lines.len());
    println!("{table}");
    let path = test_folder().join("../compiler/docs/reference/taco.md");
    let page = fs::read_to_string(&path).expect("the page exists");
    let (before, after) = (page.find(BEGIN).expect("the table begins"), page.find(END).expect("it ends"));
    let written = format!("{}{table}{}", &page[..before + BEGIN.len()], &page[after..]);
    if std::env::var_os("COMET_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, written).expect("the page can be written");
    } else {
        assert!(
            page == written,
            "compiler/docs/reference/taco.md has another table; COMET_BLESS=1 writes this one:\n{table}"
        );
    }
}

const BEGIN: &str = "<!-- outcomes of the sample, written by the test -->\n";
const END: &str = "<!-- end -->";

fn table(summary: &Summary, all: usize) -> String {
    let mut rows: Vec<(&String, &usize)> = summary.counts.iter().collect();
    rows.sort_by_key(|(outcome, count)| (outcome.starts_with("refused"), std::cmp::Reverse(**count)));
    let rows: String = rows.iter().map(|(outcome, count)| format!("| {outcome} | {count} |\n")).collect();
    format!("| outcome | expressions |\n|---|---|\n{rows}| all | {all} |\n")
}

/// A larger list of the same kind, `COMET_TACO=FILE`, is only counted.
#[test]
fn another_list_has_no_differences() {
    let Some(path) = std::env::var_os("COMET_TACO").map(PathBuf::from) else { return };
    let lines = Line::all(&fs::read_to_string(path).expect("the list can be read"));
    let summary = checked(&lines, breadth());
    println!("{}", table(&summary, lines.len()));
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
}
