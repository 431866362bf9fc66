//! Pictures of graphs for people: DOT for Graphviz to draw. Blocks have the colour of their tensor, streams
//! the style of what they carry, and a legend says which is which. SAM's tools read the files of `dot`.

mod legend;
mod run;
pub(crate) mod scale;

pub use run::write_run;

use crate::dot::label::title;
use crate::graph::{
    Accumulate, BlockId, BlockKind, Graph, GraphBlock, Operator, Port, Reduce, Stream, StreamKind,
};
use std::fmt::Write as _;

/// Colours that all eyes distinguish (Okabe and Ito 2008), from the result on.
const COLOURS: [&str; 7] = ["#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00"];

/// The style of the lines of a kind of streams, with what the legend says of it.
const STREAMS: [(StreamKind, &str, &str, &str); 5] = [
    (StreamKind::Crd, "style=dashed", "╌╌╌", "coordinates"),
    (StreamKind::Ref, "style=bold", "━━━", "references"),
    (StreamKind::Val, "style=solid", "───", "values"),
    (StreamKind::Repsig, "style=dotted", "┄┄┄", "repeat signals"),
    (StreamKind::Bv, "style=\"dashed,bold\"", "╍╍╍", "bit vectors"),
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlowDirection {
    #[default]
    TopDown,
    /// From left to right, for graphs that are longer than wide.
    LeftRight,
}

const HEAD: &str = "digraph comet {\n  compound=true; fontname=\"Helvetica\";\n  \
    node [fontname=\"Helvetica\" fontsize=11 shape=box style=\"filled,rounded\" fillcolor=white];\n  \
    edge [fontname=\"Helvetica\" fontsize=9 arrowsize=0.6 labelfontsize=8 labeldistance=1.4];\n";

/// DOT with all graphs of a program, from the first to the last.
pub fn write(graphs: &[Graph], layout: FlowDirection) -> String {
    let mut text = HEAD.to_owned();
    if layout == FlowDirection::LeftRight {
        text.push_str("  rankdir=LR;\n");
    }
    for (number, graph) in graphs.iter().enumerate() {
        cluster(&mut text, number, graph);
    }
    if !graphs.is_empty() {
        legend::draw(&mut text, graphs, layout);
    }
    text + "}\n"
}

fn cluster(text: &mut String, number: usize, graph: &Graph) {
    let formats: Vec<String> = graph.tensors.iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "  subgraph cluster_{number} {{");
    let _ = writeln!(text, "    label=\"{}\"; color=gray70; labeljust=l;", quoted(&formats.join(", ")));
    for (id, block) in graph.blocks.iter().enumerate() {
        let (label, colour) = (quoted(&label(block)), colour(graph, block));
        let _ =
            writeln!(text, "    g{number}b{id} [label=\"{label}\" fillcolor=\"{colour}\"{}];", shape(block));
    }
    tiles(text, number, graph);
    for stream in &graph.streams {
        lines(text, number, graph, stream);
    }
    text.push_str("  }\n");
}

/// A box around the blocks that walk over tiles, which lead to those that bring them.
fn tiles(text: &mut String, number: usize, graph: &Graph) {
    let is_fetcher = |block: &GraphBlock| matches!(block.kind, BlockKind::Fetch(_));
    let mut leads: Vec<bool> = graph.blocks.iter().map(is_fetcher).collect();
    // The longest way is not longer than there are blocks.
    for _ in &graph.blocks {
        for stream in &graph.streams {
            leads[stream.from.0.0] |= stream.to.iter().any(|(reader, _)| leads[reader.0]);
        }
    }
    if leads.contains(&true) {
        let blocks = (0..leads.len()).filter(|block| leads[*block]);
        let blocks: Vec<String> = blocks.map(|block| format!("g{number}b{block}")).collect();
        let label = "label=\"over tiles\"; style=dashed; color=gray50; labeljust=l;";
        let _ = writeln!(text, "    subgraph cluster_{number}_tiles {{ {label} {} }}", blocks.join("; "));
    }
}

fn lines(text: &mut String, number: usize, graph: &Graph, stream: &Stream) {
    let (bus, style) = (bus(graph.blocks[stream.from.0.0].lanes), style(stream.kind));
    for &(reader, port) in &stream.to {
        let back = if graph.is_skip_input((reader, port)) { BACK } else { "" };
        let (from, to) = (stream.from.0.0, reader.0);
        let port = port_label(graph, reader, port);
        let _ = writeln!(text, "    g{number}b{from} -> g{number}b{to} [{style}{bus}{back}{port}];");
    }
}

/// A skip stream does not pull its scanner below the intersecter.
const BACK: &str = " constraint=false color=gray50";

/// Which operand an edge is, where that matters: a joiner's by their names, those of a difference and the
/// like by their numbers.
fn port_label(graph: &Graph, reader: BlockId, port: Port) -> String {
    let name = match &graph.blocks[reader.0].kind {
        BlockKind::Join(join) => {
            let carried = (0..join.operands.len()).find(|operand| Port::operand_ref(*operand) == port);
            carried.map(|operand| join.operands[operand].name.clone())
        }
        BlockKind::Alu(alu) if !alu.operator.commutes() || alu.operator == Operator::Any => {
            Some((port.0 + 1).to_string())
        }
        _ => None,
    };
    name.map_or_else(String::new, |name| format!(" headlabel=\"{}\"", quoted(&name)))
}

/// A bus is wider than a wire, and says how many it has.
fn bus(lanes: usize) -> String {
    if lanes == 1 { String::new() } else { format!(" penwidth=3 label=\"{lanes}\"") }
}

/// What a block is, whether its scanner leaves coordinates out, and what becomes of fibers in which there is
/// nothing.
fn label(block: &GraphBlock) -> String {
    let title = title(&block.kind);
    match &block.kind {
        BlockKind::Scanner(scanner) if scanner.skips => format!("{title}, skips"),
        BlockKind::Reduce(Reduce { inputs, empty, .. })
        | BlockKind::Accumulate(Accumulate { inputs, empty, .. }) => {
            let of = if *inputs > 1 { format!(" of {inputs}") } else { String::new() };
            format!("{title}{of}\nif empty: {}", empty.name())
        }
        _ => title,
    }
}

fn style(kind: StreamKind) -> &'static str {
    STREAMS.iter().find(|(other, ..)| *other == kind).map_or("", |(_, style, ..)| style)
}

/// What merges and what computes has a shape of its own.
fn shape(block: &GraphBlock) -> &'static str {
    match block.kind {
        BlockKind::Join(ref join) if join.taken_apart().is_none() => " shape=hexagon",
        BlockKind::Alu(_) | BlockKind::Apply(_) | BlockKind::Mask(_) => " shape=circle",
        BlockKind::Reduce(_) | BlockKind::Accumulate(_) | BlockKind::Serialize(_) => " shape=invtrapezium",
        BlockKind::Parallelize(_) => " shape=trapezium",
        BlockKind::Fetch(_) => " shape=cylinder",
        _ => "",
    }
}

/// White where a block belongs to no tensor.
fn colour(graph: &Graph, block: &GraphBlock) -> &'static str {
    block.kind.tensor().map_or("white", |tensor| tensor_colour(graph, tensor))
}

fn tensor_colour(graph: &Graph, name: &str) -> &'static str {
    let names = graph.tensor_names();
    names.iter().position(|other| *other == name).map_or("white", |place| COLOURS[place % COLOURS.len()])
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
