//! The legend of a picture: a table as wide as it is short, under the graphs.

use super::{FlowDirection, STREAMS, tensor_colour};
use crate::graph::{BlockKind, Graph, GraphLevel, TensorFormat};
use std::fmt::Write as _;

const COLUMNS: usize = 4;

/// Draws the tensors with their levels, the kinds of streams, and what else of the graphs is not plain.
pub(super) fn draw(text: &mut String, graphs: &[Graph], layout: FlowDirection) {
    text.push_str("  legend [shape=plain fillcolor=none label=<<TABLE CELLBORDER=\"0\" CELLSPACING=\"2\">");
    for row in entries(graphs).chunks(COLUMNS) {
        text.push_str("<TR>");
        row.iter().for_each(|entry| entry.draw(text));
        text.push_str("</TR>");
    }
    text.push_str("</TABLE>>];\n");
    // It stands under the last block of the last graph. Beside graphs that flow to the right it is under them
    // anyway.
    if layout == FlowDirection::TopDown
        && let Some((number, graph)) = graphs.iter().enumerate().next_back()
        && let Some(last) = graph.blocks.iter().rposition(|block| block.kind.outputs().is_empty())
    {
        let _ = writeln!(text, "  g{number}b{last} -> legend [style=invis];");
    }
}

struct Entry {
    colour: &'static str,
    sample: String,
    what: String,
}

impl Entry {
    fn new(colour: &'static str, sample: &str, what: impl Into<String>) -> Self {
        Self { colour, sample: sample.to_owned(), what: what.into() }
    }

    fn draw(&self, text: &mut String) {
        let (sample, what) = (escaped(&self.sample), escaped(&self.what));
        let colour = self.colour;
        let _ = write!(text, "<TD BGCOLOR=\"{colour}\">{sample}</TD><TD ALIGN=\"LEFT\">{what}</TD>");
    }
}

fn entries(graphs: &[Graph]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut told: Vec<(&TensorFormat, &str)> = Vec::new();
    for graph in graphs {
        for tensor in &graph.tensors {
            let known = (tensor, tensor_colour(graph, &tensor.name));
            if !told.contains(&known) {
                entries.push(Entry::new(known.1, &tensor.name, levels(tensor)));
                told.push(known);
            }
        }
    }
    for (kind, _, line, what) in STREAMS {
        if graphs.iter().flat_map(|graph| &graph.streams).any(|stream| stream.kind == kind) {
            entries.push(Entry::new("white", line, what));
        }
    }
    let mut blocks = graphs.iter().flat_map(|graph| &graph.blocks);
    if blocks.clone().any(|block| block.lanes > 1) {
        entries.push(Entry::new("white", "━ 4 ━", "a bus of so many wires"));
    }
    if blocks.any(|block| matches!(&block.kind, BlockKind::Scanner(scanner) if scanner.skips)) {
        entries.push(Entry::new("white", "╌ gray ╌", "what to go on with"));
    }
    entries
}

/// `mode 0 dense, mode 1 compressed`.
fn levels(tensor: &TensorFormat) -> String {
    let levels = tensor.levels.iter().zip(&tensor.order);
    let levels: Vec<String> = levels.map(|(level, mode)| format!("mode {mode} {}", stored(*level))).collect();
    if levels.is_empty() { "scalar".to_owned() } else { levels.join(", ") }
}

/// `compressed`, or `bitvector of 64`.
fn stored(level: GraphLevel) -> String {
    level.width().map_or(level.name().to_owned(), |width| format!("{} of {width}", level.name()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
