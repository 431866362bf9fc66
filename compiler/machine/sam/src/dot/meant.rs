//! The ports that edges mean. Many edges with the same words enter what takes many copies side by side: what
//! they can mean is found once.

use std::collections::{HashMap, HashSet};

use super::network::Edge;
use super::port::{self, PortName};
use crate::graph::{BlockId, Port, StreamKind};

/// The inputs of all blocks, or the outputs.
pub(crate) struct PortTable<'all> {
    names: Vec<Vec<PortName>>,
    meant: HashMap<(BlockId, StreamKind, &'all str), Meant>,
    taken: HashSet<(BlockId, Port)>,
}

struct Meant {
    candidates: Vec<Port>,
    /// How many of the first ones are taken, at least.
    taken: usize,
}

impl<'all> PortTable<'all> {
    pub(crate) fn new(names: Vec<Vec<PortName>>) -> Self {
        Self { names, meant: HashMap::new(), taken: HashSet::new() }
    }

    pub(crate) fn names(&self, block: BlockId) -> &[PortName] {
        &self.names[block.0]
    }

    pub(crate) fn is_taken(&self, block: BlockId, port: Port) -> bool {
        self.taken.contains(&(block, port))
    }

    pub(crate) fn candidates(&mut self, block: BlockId, edge: &'all Edge) -> &[Port] {
        &self.meant(block, edge).candidates
    }

    /// The likeliest port that an edge can mean and that no other one has taken.
    pub(crate) fn take(&mut self, block: BlockId, edge: &'all Edge) -> Option<Port> {
        let taken = std::mem::take(&mut self.taken);
        let meant = self.meant(block, edge);
        while meant.candidates.get(meant.taken).is_some_and(|port| taken.contains(&(block, *port))) {
            meant.taken += 1;
        }
        let free = meant.candidates.get(meant.taken).copied();
        self.taken = taken;
        self.taken.extend(free.map(|port| (block, port)));
        free
    }

    fn meant(&mut self, block: BlockId, edge: &'all Edge) -> &mut Meant {
        let names = &self.names[block.0];
        self.meant.entry((block, edge.kind, edge.comment.as_str())).or_insert_with(|| Meant {
            candidates: port::candidates(names, edge.kind, &edge.comment),
            taken: 0,
        })
    }
}
