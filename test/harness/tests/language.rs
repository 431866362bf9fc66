//! `compiler/docs/reference/language.md`: its programs are parts of the examples, and they print what it says
//! that they print.

use std::fs;
use std::path::PathBuf;

use comet_harness::compiler::{self, End};
use comet_harness::test_folder;

fn docs() -> PathBuf {
    test_folder().canonicalize().expect("the folder exists").join("../compiler/docs")
}

/// The blocks between fences that begin with those words, with what stands behind the words.
fn blocks(fence: &str) -> Vec<(String, String)> {
    let page = fs::read_to_string(docs().join("reference/language.md")).expect("the page exists");
    let fence = format!("\n```{fence}");
    let block = |part: &str| {
        let (rest, body) = part.split_once('\n').expect("a fence ends its line");
        (rest.trim().to_owned(), body.split("```").next().unwrap_or_default().to_owned())
    };
    page.split(&fence).skip(1).map(block).collect()
}

#[test]
fn programs_are_parts_of_examples() {
    let folder = docs().join("examples").read_dir().expect("the folder exists");
    let files = folder.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file());
    let examples: Vec<String> =
        files.map(|path| fs::read_to_string(path).expect("a readable example")).collect();
    let programs = blocks("ta");
    assert!(programs.len() > 10);
    for (_, program) in programs {
        assert!(examples.iter().any(|example| example.contains(&program)), "no example holds\n{program}");
    }
}

#[test]
fn outputs_are_those_of_examples() {
    let comet = compiler::locate().expect("the program is built");
    let outputs = blocks("text");
    assert!(!outputs.is_empty());
    for (name, output) in outputs {
        let path = docs().join("examples").join(&name);
        let finished =
            compiler::run(&comet, &["run", &path.to_string_lossy()], &[], &docs()).expect("it starts");
        assert_eq!(finished.end, End::Exit(0), "{}", finished.stderr);
        assert!(finished.stdout.contains(&output), "{name} does not print\n{output}but\n{}", finished.stdout);
    }
}
