//! What the comments of edges call the ports of blocks: `in-B`, `out-B`, `outer-i`, `inner-j`, `i`.

use crate::graph::{Kind, Port, StreamKind};

/// A port as edges name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortName {
    pub(crate) port: Port,
    pub(crate) kind: StreamKind,
    /// `in`, `out`, `outer`, `inner`, or nothing.
    pub(crate) role: &'static str,
    /// A tensor or an index variable; nothing where the kind of stream says which port it is.
    pub(crate) name: String,
}

impl PortName {
    /// `outer-i`, or `i` where there is no role.
    pub(crate) fn comment(&self) -> String {
        if self.role.is_empty() { self.name.clone() } else { format!("{}-{}", self.role, self.name) }
    }
}

/// The inputs of a block.
pub(crate) fn inputs(kind: &Kind) -> Vec<PortName> {
    let names: Vec<(&str, &str)> = match kind {
        Kind::Join(join) => {
            join.operands.iter().flat_map(|operand| [("in", operand.name.as_str()); 2]).collect()
        }
        Kind::Accumulate(accumulate) => accumulate.indices.iter().map(|index| ("", index.as_str())).collect(),
        _ => outer_and_inner(kind),
    };
    with_names(kind.inputs(), &names)
}

/// The outputs of a block.
pub(crate) fn outputs(kind: &Kind) -> Vec<PortName> {
    let names: Vec<(&str, &str)> = match kind {
        Kind::Join(join) => [("", "")]
            .into_iter()
            .chain(join.operands.iter().map(|operand| ("out", operand.name.as_str())))
            .collect(),
        Kind::Accumulate(accumulate) => {
            accumulate.indices.iter().map(|index| ("out", index.as_str())).collect()
        }
        _ => outer_and_inner(kind),
    };
    with_names(kind.outputs(), &names)
}

fn outer_and_inner(kind: &Kind) -> Vec<(&'static str, &str)> {
    match kind {
        Kind::Drop { outer, inner, .. } | Kind::Hold { outer, inner } => {
            vec![("outer", outer), ("inner", inner)]
        }
        _ => Vec::new(),
    }
}

/// Ports behind the last name have none.
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
    let mut fit: Vec<&PortName> =
        of_kind.into_iter().filter(|port| port.name.is_empty() || port.name == name).collect();
    fit.sort_by_key(|port| port.role != role);
    fit.into_iter().map(|port| port.port).collect()
}

/// The role and the name in a comment.
pub(crate) fn split(comment: &str) -> (&str, &str) {
    let split = comment.split_once('-').filter(|(role, _)| ["in", "out", "outer", "inner"].contains(role));
    split.unwrap_or(("", comment))
}
