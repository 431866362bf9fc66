//! Pictures of runs: blocks in the colours of how busy they were, tokens at their streams.

use super::scale::{COLOURS, ColourScale, text_on};
use super::{BACK, HEAD, label, quoted, shape, style, tensor_colour};
use crate::graph::{Graph, GraphBlock};
use crate::simulate::RunReport;
use std::fmt::Write as _;

/// DOT with a graph, and what it has done in a run. Borders have the colours of tensors.
pub fn write_run(graph: &Graph, outcome: &RunReport) -> String {
    let mut text = HEAD.to_owned();
    for (id, block) in graph.blocks.iter().enumerate() {
        let busy = outcome.blocks[id].busy as f64 / outcome.cycles.max(1) as f64;
        let _ = writeln!(text, "  b{id} [{} {}{}];", filled(block, busy), border(graph, block), shape(block));
    }
    for (stream, report) in graph.streams.iter().zip(&outcome.streams) {
        let (style, count) = (style(stream.kind), report.counts.total());
        for &(reader, port) in &stream.to {
            let back = if graph.is_skip_input((reader, port)) { BACK } else { "" };
            let (from, to) = (stream.from.0.0, reader.0);
            let _ = writeln!(text, "  b{from} -> b{to} [{style} label=\" {count}\"{back}];");
        }
    }
    text + "}\n"
}

fn filled(block: &GraphBlock, busy: f64) -> String {
    let step = ColourScale::linear(1.0).step(busy);
    let (fill, font) = (step.map_or("white", |step| COLOURS[step]), text_on(step));
    let label = quoted(&label(block));
    format!("label=\"{label}\\n{:.1}%\" fillcolor=\"{fill}\" fontcolor={font}", 100.0 * busy)
}

fn border(graph: &Graph, block: &GraphBlock) -> String {
    block
        .kind
        .tensor()
        .map_or_else(String::new, |tensor| format!("color=\"{}\" penwidth=3", tensor_colour(graph, tensor)))
}
