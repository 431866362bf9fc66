//! What is reported of a run: counts that add up, as text, as JSON and as a page.

use crate::pack::pack;
use comet_sam::dot;
use comet_sam::graph::{Element, Graph, GraphLevel, TensorFormat};
use comet_sam::simulate::{MemoryModel, Picture, RunReport, Shown, SimulationOptions, page, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

/// Three bytes a cycle, so that the result is longer on its way than what computes it.
const SLOW: MemoryModel =
    MemoryModel { dram: 3.0, last_level: 100, on_chip: 1.0, element: 100, buffers: 2, pages: None };

fn vector(level: GraphLevel) -> StoredTensor {
    let (levels, order) = (vec![level], vec![0]);
    let format = TensorFormat { name: "b".to_owned(), levels, order, element: Element::F64 };
    let entries: Vec<Entry> = [1, 2, 3, 5, 8, 13, 21, 34, 55]
        .into_iter()
        .map(|place| (vec![place], (place as f64 + 0.5).into()))
        .collect();
    pack(&format, &[60], &entries)
}

/// Words of bits that are taken apart, on a bus of so many wires.
fn apart(lanes: usize, options: SimulationOptions) -> (Graph, RunReport) {
    let text =
        include_str!("graphs/apart.gv").replace("type=intersect", &format!("lanes={lanes},type=intersect"));
    let graph = dot::read(&text).expect("it can be read");
    let tensors = BTreeMap::from([("b".to_owned(), vector(GraphLevel::BitVector(64)))]);
    let outcome = simulate(&graph, &tensors, options).expect("it runs");
    (graph, outcome)
}

/// A run without a picture.
fn shown<'r>(graph: &'r Graph, outcome: &'r RunReport) -> Shown<'r> {
    Shown { outcome, graph, picture: Picture::Missing("nobody draws it".to_owned()) }
}

fn slow() -> SimulationOptions {
    SimulationOptions { memory: Some(SLOW), ..SimulationOptions::default() }
}

/// Where a stream carries one token a cycle, its tokens and the cycles without any are all cycles, those in
/// which the result is on its way to DRAM as well.
#[test]
fn tokens_and_idle_cycles_are_all_cycles() {
    let (_, alone) = apart(1, SimulationOptions::default());
    let (graph, outcome) = apart(1, slow());
    assert!(outcome.cycles > alone.cycles, "the end waits for the result");
    let told = graph.streams.iter().zip(&outcome.streams);
    let narrow: Vec<_> = told.filter(|(stream, _)| graph.blocks[stream.from.0.0].lanes == 1).collect();
    assert_eq!(narrow.len(), 3);
    for (_, stream) in narrow {
        assert_eq!(stream.counts.total() + stream.idle, outcome.cycles, "{}", stream.name);
    }
}

/// On a bus there are more tokens than cycles with some.
#[test]
fn buses_are_idle_in_cycles_without_tokens() {
    let (_, outcome) = apart(16, SimulationOptions::default());
    let joined = outcome.streams.iter().find(|stream| stream.kind.name() == "crd").expect("there is one");
    assert_eq!(joined.counts.value, 9);
    // The nine bits of one word, the stop, and the end.
    assert_eq!(outcome.cycles - joined.idle, 3, "{joined:?}");
}

/// The bars of a stream are as long as the part of the run in which it carries something.
#[test]
fn bars_of_the_page_are_cycles() {
    let (graph, outcome) = apart(16, slow());
    let page = page("apart", &[shown(&graph, &outcome)]);
    for stream in &outcome.streams {
        let row = page.lines().find(|line| line.starts_with(&format!("<tr><td>{}</td>", stream.name)));
        let widths = row.expect("each stream has a row").split("width:").skip(1);
        let width = |text: &str| -> f64 { text.split('%').next().unwrap().parse().expect("a number") };
        let (found, cycles) = (widths.map(width).sum::<f64>(), outcome.cycles as f64);
        let expected = 100.0 * (cycles - stream.idle as f64) / cycles;
        assert!((found - expected).abs() < 0.03, "{}: {found} and {expected}", stream.name);
    }
}

/// The page has what the text has.
#[test]
fn the_page_has_what_the_text_has() {
    let bounded = SimulationOptions { queue_depth: NonZeroUsize::new(5), ..slow() };
    let (graph, outcome) = apart(1, bounded);
    let page = page("apart", &[shown(&graph, &outcome)]);
    let text = outcome.text(&graph.tensors[0]);
    let tokens = text.lines().find_map(|line| line.strip_prefix("tokens: ")).expect("they are told");
    assert!(page.contains(&format!("{} cycles, {tokens} tokens; <b>x</b> has 9 values.", outcome.cycles)));
    for told in ["at most ", "DRAM: ", "tiles: "] {
        let line = text.lines().find(|line| line.starts_with(told)).expect("it is told");
        assert!(page.contains(line), "{line}");
    }
    for column in ["value", "stop", "empty", "done", "idle"] {
        assert!(page.contains(&format!("<th>{column}</th>")), "{column}");
    }
}

/// A tensor of bit vectors moves by level, too: a word, a stop and an end, and the values with theirs.
#[test]
fn words_of_bits_are_tokens_of_levels() {
    let (_, outcome) = apart(1, SimulationOptions::default());
    let [told] = outcome.points.as_slice() else { panic!("one tensor is scanned") };
    assert_eq!((told.levels, told.points), (1 + 2 + 9 + 2, 2 * 9 + 1));
}
