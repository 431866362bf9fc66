//! Nodes to blocks: each type has its attributes.

use comet_diag::Diagnostic;

use super::attributes::Value;
use super::broadcast::Link;
use super::label;
use super::network::{Edge, Network, Node};
use super::port;
use crate::graph::{
    Accumulate, Block, BlockId, Dropped, EmptyFiber, Form, How, Join, Kind, Level, Operand, Operator, Repeat,
    Scanner, StreamKind, WriteLevel,
};

/// The blocks, and which nodes they come from.
pub(crate) struct Blocks {
    pub(crate) blocks: Vec<Block>,
    /// For each block its node.
    pub(crate) nodes: Vec<usize>,
    /// For each node its block, if it is no broadcast.
    ids: Vec<Option<BlockId>>,
}

impl Blocks {
    pub(crate) fn kind(&self, id: BlockId) -> &Kind {
        &self.blocks[id.0].kind
    }

    /// The block at an end of a link.
    pub(crate) fn id(&self, node: usize) -> BlockId {
        self.ids[node].expect("links connect blocks")
    }

    /// Each block with its node.
    pub(crate) fn iter<'all>(
        &'all self,
        network: &'all Network,
    ) -> impl Iterator<Item = (&'all Kind, &'all Node)> {
        self.blocks.iter().zip(&self.nodes).map(|(block, &node)| (&block.kind, &network.nodes[node]))
    }
}

pub(crate) fn blocks(network: &Network, links: &[Link]) -> Result<Blocks, Diagnostic> {
    let mut incoming: Vec<Vec<&Edge>> = vec![Vec::new(); network.nodes.len()];
    for link in links {
        incoming[network.edges[link.last].to].push(&network.edges[link.named_last]);
    }
    let mut made = Blocks { blocks: Vec::new(), nodes: Vec::new(), ids: vec![None; network.nodes.len()] };
    for (index, node) in network.nodes.iter().enumerate().filter(|(_, node)| !node.is_broadcast()) {
        let kind = kind(node, &incoming[index])?;
        let name = format!("{} ({})", label::title(&kind).trim_end(), node.id.value);
        made.ids[index] = Some(BlockId(made.blocks.len()));
        made.blocks.push(Block { name, kind });
        made.nodes.push(index);
    }
    Ok(made)
}

fn kind(node: &Node, incoming: &[&Edge]) -> Result<Kind, Diagnostic> {
    match node.type_name() {
        "fiberlookup" => scanner(node),
        "repeat" => repeat(node),
        "repsiggen" => Ok(Kind::RepeatSignal { index: text(node, "index")? }),
        "intersect" => join(node, How::Intersect, incoming),
        "union" => join(node, How::Union, incoming),
        "arrayvals" => Ok(Kind::Array { tensor: text(node, "tensor")? }),
        "mul" => Ok(Kind::Alu(Operator::Multiply)),
        "add" => add(node),
        "reduce" => reduce(node),
        "spaccumulator" => accumulate(node),
        "crddrop" => drop(node, incoming),
        "crdhold" => Ok(Kind::Hold { outer: text(node, "outer")?, inner: text(node, "inner")? }),
        "fiberwrite" => write(node),
        _ => Err(unknown(node)),
    }
}

/// What SAM's tools and their users have besides.
const OTHERS: [&str; 24] = [
    "vectorreducer",
    "exp",
    "expf",
    "faddiv",
    "div",
    "fp_mul",
    "fp_add",
    "fp_div",
    "fp_max",
    "fp_relu",
    "max",
    "smax",
    "min",
    "relu",
    "leakyrelu",
    "locate",
    "crdlocate",
    "crdmask",
    "genref",
    "glb",
    "mask",
    "serialize",
    "parallelize",
    "shift",
];

fn unknown(node: &Node) -> Diagnostic {
    const HINT: &str = "blocks are `fiberlookup`, `repeat`, `repsiggen`, `intersect`, `union`, `arrayvals`, `mul`, \
                        `add`, `reduce`, `spaccumulator`, `crddrop`, `crdhold`, `fiberwrite` and `broadcast`";
    let name = node.type_name();
    let span = node.attributes.get("type").map_or(node.id.span, |value| value.span);
    if OTHERS.contains(&name) {
        return Diagnostic::not_supported(span, format!("`{name}` blocks")).hint(HINT);
    }
    Diagnostic::error(span, format!("`{}` is no type of block", name.escape_debug())).hint(HINT)
}

fn text(node: &Node, name: &str) -> Result<String, Diagnostic> {
    Ok(node.need(name)?.text.to_owned())
}

fn number(node: &Node, name: &str) -> Result<usize, Diagnostic> {
    let value = node.need(name)?;
    value.text.parse().map_err(|_| unfit(node, name, value, "a number", "write the number in digits"))
}

fn flag(node: &Node, name: &str, values: [&str; 2]) -> Result<bool, Diagnostic> {
    let value = node.need(name)?;
    let expected = format!("`{}` or `{}`", values[0], values[1]);
    let hint = format!("write `{name}=\"{}\"`", values[0]);
    let found = values.iter().position(|word| *word == value.text);
    found.map(|position| position == 1).ok_or_else(|| unfit(node, name, value, &expected, &hint))
}

/// A value that an attribute cannot have.
fn unfit(node: &Node, name: &str, value: Value<'_>, expected: &str, hint: &str) -> Diagnostic {
    let (found, id) = (value.text.escape_debug(), &node.id.value);
    Diagnostic::error(value.span, format!("`{name}` of `{id}` is `{found}`, expected {expected}")).hint(hint)
}

fn level(node: &Node) -> Result<Level, Diagnostic> {
    let value = node.need("format")?;
    match value.text {
        "dense" => Ok(Level::Dense),
        "compressed" => Ok(Level::Compressed),
        other if ["bitvector", "bittree", "unique", "singleton", "bv"].contains(&other) => {
            Err(Diagnostic::not_supported(value.span, format!("levels of format `{other}`"))
                .hint("store the level `compressed` or `dense`"))
        }
        _ => {
            let hint = "write the format that the graph's comment has for this level";
            Err(unfit(node, "format", value, "`compressed` or `dense`", hint))
        }
    }
}

fn scanner(node: &Node) -> Result<Kind, Diagnostic> {
    Ok(Kind::Scanner(Scanner {
        index: text(node, "index")?,
        tensor: text(node, "tensor")?,
        mode: number(node, "mode")?,
        level: level(node)?,
        root: flag(node, "root", ["false", "true"])?,
    }))
}

fn repeat(node: &Node) -> Result<Kind, Diagnostic> {
    Ok(Kind::Repeat(Repeat {
        index: text(node, "index")?,
        tensor: text(node, "tensor")?,
        root: flag(node, "root", ["false", "true"])?,
        carries: StreamKind::Ref,
    }))
}

/// The operands are those of the edges that enter, in their order. One that enters twice is two operands.
fn join(node: &Node, how: How, incoming: &[&Edge]) -> Result<Kind, Diagnostic> {
    let mut operands = Vec::new();
    for edge in incoming.iter().filter(|edge| edge.kind == StreamKind::Crd) {
        let (_, name) = port::split(&edge.comment);
        if name.is_empty() {
            let message = format!("this edge does not say which operand of `{}` it is", node.id.value);
            return Err(Diagnostic::error(edge.span, message)
                .hint("name the operand in the edge's comment: `comment=\"in-B\"`"));
        }
        operands.push(Operand { name: name.to_owned(), carries: StreamKind::Ref });
    }
    if operands.is_empty() {
        let message = format!("`{}` has no operands", node.id.value);
        return Err(Diagnostic::error(node.id.span, message)
            .hint("coordinates and references of each enter by edges with the comment `in-B`, with the tensor's name"));
    }
    Ok(Kind::Join(Join { how, index: text(node, "index")?, operands }))
}

fn add(node: &Node) -> Result<Kind, Diagnostic> {
    let is_difference = node.attributes.get("sub").is_some() && flag(node, "sub", ["0", "1"])?;
    Ok(Kind::Alu(if is_difference { Operator::Subtract } else { Operator::Add }))
}

/// SAM's own reducers make a zero of an empty fiber; those that do not say so by an attribute.
fn reduce(node: &Node) -> Result<Kind, Diagnostic> {
    let removes = node.attributes.get("empty").is_some() && flag(node, "empty", ["zero", "removed"])?;
    Ok(Kind::Reduce { empty: if removes { EmptyFiber::Removed } else { EmptyFiber::Zero } })
}

fn accumulate(node: &Node) -> Result<Kind, Diagnostic> {
    let mut indices: Vec<String> = vec![text(node, "in0")?];
    while let Some(index) = node.attributes.get(&format!("in{}", indices.len())) {
        if indices.iter().any(|other| other == index.text) {
            let hint = "name each index variable once, the innermost first";
            return Err(unfit(node, &format!("in{}", indices.len()), index, "another index variable", hint));
        }
        indices.push(index.text.to_owned());
    }
    let order = number(node, "order")?;
    if !(1..=indices.len()).contains(&order) {
        let expected = format!("1 to {}, as many as it has index variables", indices.len());
        let hint = "`order` says how many of `in0`, `in1`, … are kept in memory";
        return Err(unfit(node, "order", node.need("order")?, &expected, hint));
    }
    let (form, empty) = (Form::Points, EmptyFiber::Removed);
    Ok(Kind::Accumulate(Accumulate { order, indices, form, empty }))
}

/// A `mode` is for droppers that also look at values, which SAM's users draw by hand.
fn drop(node: &Node, incoming: &[&Edge]) -> Result<Kind, Diagnostic> {
    if let Some(mode) = node.attributes.get("mode") {
        return Err(Diagnostic::not_supported(mode.span, "droppers that remove explicit zeros")
            .hint("leave `mode` out for one that removes empty fibers only"));
    }
    let takes_values = incoming.iter().any(|edge| edge.kind == StreamKind::Val);
    let what = if takes_values { Dropped::Zeros } else { Dropped::EmptyFibers };
    Ok(Kind::Drop { outer: text(node, "outer")?, inner: text(node, "inner")?, what })
}

fn write(node: &Node) -> Result<Kind, Diagnostic> {
    let tensor = text(node, "tensor")?;
    if node.need("mode")?.text == "vals" {
        return Ok(Kind::WriteValues { tensor });
    }
    let (mode, level) = (number(node, "mode")?, level(node)?);
    Ok(Kind::WriteLevel(WriteLevel { index: text(node, "index")?, tensor, mode, level }))
}
