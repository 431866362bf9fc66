//! Every application that stands in the tests is Scala, as a grammar has it that is not ours.

use std::fs;
use std::path::{Path, PathBuf};
use tree_sitter::{Node, Parser};

/// Texts that were written by hand, and those that the compiler writes for the kernels of the paper.
fn texts() -> Vec<PathBuf> {
    let folders = ["tests/texts", "../../../test/spatial/kernels"];
    let folders = folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let entries = folders.iter().flat_map(|folder| folder.read_dir().expect("the folder is there"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let texts = paths.filter(|path| path.extension().is_some_and(|extension| extension == "scala"));
    texts.collect()
}

#[test]
fn texts_follow_the_grammar_of_scala() {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_scala::LANGUAGE.into()).expect("the grammar is of this version");
    let texts = texts();
    assert!(texts.len() > 20, "the texts are there");
    for path in texts {
        let text = fs::read_to_string(&path).expect("a text is text");
        let tree = parser.parse(&text, None).expect("there is a language, and no limit of time");
        if let Some(wrong) = first_error(tree.root_node()) {
            let row = wrong.start_position().row;
            let line = text.lines().nth(row).unwrap_or_default();
            panic!("{}:{}: this is not Scala: {line}", path.display(), row + 1);
        }
    }
}

/// The innermost first node that the grammar has no rule for, or that the text lacks.
fn first_error(node: Node<'_>) -> Option<Node<'_>> {
    if !node.has_error() {
        return None;
    }
    let inner = (0..node.child_count()).filter_map(|child| node.child(child as u32)).find_map(first_error);
    inner.or(Some(node))
}
