//! The graphs and inputs of `../shared/reference`: the cycles of the reference simulator.

use comet_sam::graph::{Graph, Level, TensorFormat};
use comet_sam::simulate::{Options, simulate};
use comet_sam::storage::{Entry, Storage};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn reference() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/reference");
    if !folder.exists() {
        eprintln!("SKIPPED: `{}` is not there", folder.display());
        return None;
    }
    Some(folder)
}

/// `ss01`, or `none` for a scalar.
fn format(name: &str, text: &str) -> TensorFormat {
    let level = |letter| if letter == 'd' { Level::Dense } else { Level::Compressed };
    let levels: Vec<Level> = if text == "none" {
        vec![]
    } else {
        text.chars().filter(char::is_ascii_alphabetic).map(level).collect()
    };
    let order = text.chars().filter_map(|digit| digit.to_digit(10)).map(|mode| mode as usize).collect();
    TensorFormat { name: name.to_owned(), levels, order }
}

fn number(value: &Value) -> usize {
    value.as_u64().expect("a number") as usize
}

fn entry(value: &Value) -> Entry {
    let fields = value.as_array().expect("an entry");
    let (value, coordinates) = fields.split_last().expect("an entry has a value");
    (coordinates.iter().map(number).collect(), value.as_f64().expect("a value"))
}

fn input(name: &str, input: &Value) -> Storage {
    let text = input["format"].as_str().expect("a format");
    let dims: Vec<usize> = input["shape"].as_array().expect("a shape").iter().map(number).collect();
    let entries: Vec<Entry> = input["entries"].as_array().expect("entries").iter().map(entry).collect();
    Storage::pack(&format(name, text), &dims, &entries)
}

fn read(folder: &Path, case: &Value) -> (Graph, BTreeMap<String, Storage>) {
    let path = folder.join(case["graph"].as_str().expect("a graph"));
    let graph =
        comet_sam::dot::read(&fs::read_to_string(path).expect("the graph is there")).expect("it can be read");
    let inputs = case["inputs"].as_object().expect("inputs");
    (graph, inputs.iter().map(|(name, value)| (name.clone(), input(name, value))).collect())
}

#[test]
fn cycles_are_those_of_the_reference_simulator() {
    let Some(folder) = reference() else { return };
    let text = fs::read_to_string(folder.join("sam-cycles.json")).expect("the cases are there");
    let cases: Vec<Value> = serde_json::from_str(&text).expect("they are JSON");
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| case["exact"] == true) {
        let (graph, tensors) = read(&folder, case);
        let name = format!("{} {}", case["set"], case["kernel"]);
        match simulate(&graph, &tensors, Options::default()) {
            Ok(outcome) if Some(outcome.cycles) == case["cycles"].as_u64() => {}
            Ok(outcome) => wrong.push(format!("{name}: {} and not {}", outcome.cycles, case["cycles"])),
            Err(fault) => wrong.push(format!("{name}: {fault}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
