//! Pictures of graphs for people: DOT for Graphviz to draw. Blocks have the colour of their tensor, streams
//! the style of what they carry, and a legend says which is which. SAM's tools read the files of `dot`.

mod run;
pub(crate) mod scale;

pub use run::write_run;

use crate::dot::label::title;
use crate::graph::{
    Accumulate, Block, BlockId, Graph, Kind, Level, Port, Reduce, Stream, StreamKind, TensorFormat,
};
use std::fmt::Write as _;

/// Colours that are told apart by all eyes (Okabe and Ito 2008), from the result on.
const COLOURS: [&str; 7] = ["#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00"];

/// The style of the lines of a kind of streams, with what the legend says of it.
const STREAMS: [(StreamKind, &str, &str, &str); 5] = [
    (StreamKind::Crd, "style=dashed", "╌╌╌", "coordinates"),
    (StreamKind::Ref, "style=bold", "━━━", "references"),
    (StreamKind::Val, "style=solid", "───", "values"),
    (StreamKind::Repsig, "style=dotted", "┄┄┄", "repeat signals"),
    (StreamKind::Bv, "style=\"dashed,bold\"", "╍╍╍", "bit vectors"),
];

/// What each text begins with.
const HEAD: &str = "digraph comet {\n  compound=true; rankdir=TB; fontname=\"Helvetica\";\n  \
    node [fontname=\"Helvetica\" fontsize=11 shape=box style=\"filled,rounded\" fillcolor=white];\n  \
    edge [fontname=\"Helvetica\" fontsize=9 arrowsize=0.6];\n";

/// DOT with all graphs of a program, from the first to the last.
pub fn write(graphs: &[Graph]) -> String {
    let mut text = HEAD.to_owned();
    for (number, graph) in graphs.iter().enumerate() {
        cluster(&mut text, number, graph);
    }
    if !graphs.is_empty() {
        legend(&mut text, graphs);
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
    for stream in &graph.streams {
        lines(text, number, graph, stream);
    }
    text.push_str("  }\n");
}

fn lines(text: &mut String, number: usize, graph: &Graph, stream: &Stream) {
    let (bus, style) = (bus(graph.blocks[stream.from.0.0].lanes), style(stream.kind));
    for &(reader, port) in &stream.to {
        let back = if goes_back(graph, reader, port) { BACK } else { "" };
        let (from, to) = (stream.from.0.0, reader.0);
        let _ = writeln!(text, "    g{number}b{from} -> g{number}b{to} [{style}{bus}{back}];");
    }
}

/// What tells a scanner where to go on does not pull it below the block that does.
const BACK: &str = " constraint=false color=gray50";

fn goes_back(graph: &Graph, reader: BlockId, port: Port) -> bool {
    port == Port::SKIP && matches!(graph.blocks[reader.0].kind, Kind::Scanner(_))
}

/// A bus is wider than a wire, and says how many it has.
fn bus(lanes: usize) -> String {
    if lanes == 1 { String::new() } else { format!(" penwidth=3 label=\"{lanes}\"") }
}

/// What a block is, and whether its scanner leaves coordinates out.
fn label(block: &Block) -> String {
    let title = title(&block.kind);
    match &block.kind {
        Kind::Scanner(scanner) if scanner.skips => format!("{title}, skips"),
        Kind::Reduce(Reduce { inputs, .. }) | Kind::Accumulate(Accumulate { inputs, .. }) if *inputs > 1 => {
            format!("{title} of {inputs}")
        }
        _ => title,
    }
}

fn style(kind: StreamKind) -> &'static str {
    STREAMS.iter().find(|(other, ..)| *other == kind).map_or("", |(_, style, ..)| style)
}

/// What merges and what computes has a shape of its own.
fn shape(block: &Block) -> &'static str {
    match block.kind {
        Kind::Join(ref join) if join.taken_apart().is_none() => " shape=hexagon",
        Kind::Alu(_) | Kind::Apply(_) | Kind::Mask(_) => " shape=circle",
        Kind::Reduce(_) | Kind::Accumulate(_) | Kind::Serialize(_) => " shape=invtrapezium",
        Kind::Parallelize(_) => " shape=trapezium",
        Kind::Fetch(_) => " shape=cylinder",
        _ => "",
    }
}

/// White where a block belongs to no tensor.
fn colour(graph: &Graph, block: &Block) -> &'static str {
    tensor_of(block).map_or("white", |tensor| tensor_colour(graph, tensor))
}

fn tensor_of(block: &Block) -> Option<&str> {
    Some(match &block.kind {
        Kind::Scanner(scanner) => &scanner.tensor,
        Kind::Repeat(repeat) => &repeat.tensor,
        Kind::Array { tensor, .. } => tensor,
        Kind::Locate(locate) => &locate.tensor,
        Kind::Fetch(fetch) => &fetch.tensor,
        Kind::WriteLevel(write) => &write.tensor,
        Kind::WriteValues(write) => &write.tensor,
        _ => return None,
    })
}

fn tensor_colour(graph: &Graph, name: &str) -> &'static str {
    let mut names: Vec<&str> = Vec::new();
    for tensor in &graph.tensors {
        if !names.contains(&tensor.name.as_str()) {
            names.push(&tensor.name);
        }
    }
    names.iter().position(|other| *other == name).map_or("white", |place| COLOURS[place % COLOURS.len()])
}

/// One table: the tensors with their levels, then the streams.
fn legend(text: &mut String, graphs: &[Graph]) {
    text.push_str("  legend [shape=plain fillcolor=none label=<<TABLE CELLBORDER=\"0\" CELLSPACING=\"2\">");
    let mut told: Vec<(&TensorFormat, &str)> = Vec::new();
    for graph in graphs {
        for tensor in &graph.tensors {
            let entry = (tensor, tensor_colour(graph, &tensor.name));
            if !told.contains(&entry) {
                row(text, entry.1, &tensor.name, &levels(tensor));
                told.push(entry);
            }
        }
    }
    for (kind, _, line, what) in STREAMS {
        if graphs.iter().flat_map(|graph| &graph.streams).any(|stream| stream.kind == kind) {
            row(text, "white", line, what);
        }
    }
    let mut blocks = graphs.iter().flat_map(|graph| &graph.blocks);
    if blocks.clone().any(|block| block.lanes > 1) {
        row(text, "white", "━ 4 ━", "a bus of so many wires");
    }
    if blocks.any(|block| matches!(&block.kind, Kind::Scanner(scanner) if scanner.skips)) {
        row(text, "white", "╌ gray ╌", "what to go on with");
    }
    text.push_str("</TABLE>>];\n");
}

fn row(text: &mut String, colour: &str, sample: &str, what: &str) {
    let (sample, what) = (escaped(sample), escaped(what));
    let _ = write!(text, "<TR><TD BGCOLOR=\"{colour}\">{sample}</TD><TD ALIGN=\"LEFT\">{what}</TD></TR>");
}

/// `mode 0 dense, mode 1 compressed`.
fn levels(tensor: &TensorFormat) -> String {
    let levels = tensor.levels.iter().zip(&tensor.order);
    let levels: Vec<String> = levels.map(|(level, mode)| format!("mode {mode} {}", stored(*level))).collect();
    if levels.is_empty() { "scalar".to_owned() } else { levels.join(", ") }
}

/// `compressed`, or `bitvector of 64`.
fn stored(level: Level) -> String {
    level.width().map_or(level.name().to_owned(), |width| format!("{} of {width}", level.name()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
