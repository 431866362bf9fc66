//! What the comments of edges call the ports of blocks: `in-B`, `out-B`, `skip-B`, `outer-i`, `inner-j`, `i`.

use crate::graph::{Accumulate, BlockKind, Join, Parallelize, Port, StreamKind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortName {
    pub(crate) port: Port,
    pub(crate) kind: StreamKind,
    /// `in`, `out`, `skip`, `outer`, `inner`, or nothing.
    pub(crate) role: &'static str,
    /// A tensor, an index variable or a number; nothing where the kind of stream and the order of the edges
    /// say which port it is.
    pub(crate) name: String,
}

impl PortName {
    /// `outer-i`, or `i` where there is no role.
    pub(crate) fn comment(&self) -> String {
        if self.role.is_empty() { self.name.clone() } else { format!("{}-{}", self.role, self.name) }
    }
}

/// The role of coordinates that a scanner goes on with. They go against all other streams, and are taken for
/// none of these.
pub(crate) const SKIP: &str = "skip";

pub(crate) fn inputs(kind: &BlockKind) -> Vec<PortName> {
    let names: Vec<(&str, &str)> = match kind {
        BlockKind::Join(join) => {
            join.operands.iter().flat_map(|operand| [("in", operand.name.as_str()); 2]).collect()
        }
        BlockKind::Accumulate(accumulate) => accumulated(accumulate, "").repeat(accumulate.inputs),
        BlockKind::Scanner(_) => vec![("", ""), (SKIP, "")],
        _ => outer_and_inner(kind),
    };
    with_names(kind.inputs(), &names)
}

pub(crate) fn outputs(kind: &BlockKind) -> Vec<PortName> {
    let names: Vec<(&str, &str)> = match kind {
        BlockKind::Join(join) => joined(join),
        BlockKind::Accumulate(accumulate) => accumulated(accumulate, "out"),
        BlockKind::Parallelize(parallelize) => return numbered(parallelize),
        _ => outer_and_inner(kind),
    };
    with_names(kind.outputs(), &names)
}

fn joined(join: &Join) -> Vec<(&'static str, &str)> {
    let passed = join.operands.iter().map(|operand| ("out", operand.name.as_str()));
    let skipping = join.operands.iter().filter(|operand| operand.skips);
    let skips = skipping.map(|operand| (SKIP, operand.name.as_str()));
    [("", "")].into_iter().chain(passed).chain(skips).collect()
}

/// The coordinates of a tensor, and its value, which is the only one.
fn accumulated<'graph>(
    accumulate: &'graph Accumulate,
    role: &'static str,
) -> Vec<(&'static str, &'graph str)> {
    let coordinates = accumulate.indices.iter().map(|index| (role, index.as_str()));
    coordinates.chain([("", "")]).collect()
}

/// `out-0`, `out-1`: what is dealt out goes by numbers, since edges stand in the order of their readers.
fn numbered(parallelize: &Parallelize) -> Vec<PortName> {
    let port = |number: usize| PortName {
        port: Port(number),
        kind: parallelize.carries,
        role: "out",
        name: number.to_string(),
    };
    (0..parallelize.factor).map(port).collect()
}

fn outer_and_inner(kind: &BlockKind) -> Vec<(&'static str, &str)> {
    match kind {
        BlockKind::Drop { outer, inner, .. } | BlockKind::Hold { outer, inner } => {
            vec![("outer", outer), ("inner", inner)]
        }
        _ => Vec::new(),
    }
}

fn with_names(kinds: Vec<StreamKind>, names: &[(&'static str, &str)]) -> Vec<PortName> {
    let port = |(port, kind)| {
        let (role, name) = names.get(port).copied().unwrap_or_default();
        PortName { port: Port(port), kind, role, name: name.to_owned() }
    };
    kinds.into_iter().enumerate().map(port).collect()
}

/// The ports that an edge can mean, the likeliest first. A comment can be in the words of the block at the
/// edge's other end, where roles are others: `outer-j` of one dropper is the `inner-j` of the next.
pub(crate) fn candidates(ports: &[PortName], kind: StreamKind, comment: &str) -> Vec<Port> {
    let of_kind: Vec<&PortName> = ports.iter().filter(|port| port.kind == kind).collect();
    if of_kind.len() == 1 && comment.is_empty() {
        return vec![of_kind[0].port];
    }
    let (role, name) = split(comment);
    let fits = |port: &&PortName| {
        (port.name.is_empty() || port.name == name) && (port.role == SKIP) == (role == SKIP)
    };
    let mut fit: Vec<&PortName> = of_kind.iter().copied().filter(fits).collect();
    if fit.is_empty() && role.is_empty() {
        // `outer_i`, `crddrp-crd-j-out`: words around the name.
        let words: Vec<&str> = words(comment).collect();
        fit = of_kind.into_iter().filter(|port| words.contains(&port.name.as_str())).collect();
        fit.sort_by_key(|port| !words.contains(&port.role));
    }
    fit.sort_by_key(|port| port.role != role);
    fit.into_iter().map(|port| port.port).collect()
}

pub(crate) fn words(comment: &str) -> impl Iterator<Item = &str> {
    comment.split(['-', '_'])
}

pub(crate) fn split(comment: &str) -> (&str, &str) {
    let split =
        comment.split_once('-').filter(|(role, _)| ["in", "out", SKIP, "outer", "inner"].contains(role));
    split.unwrap_or(("", comment))
}
