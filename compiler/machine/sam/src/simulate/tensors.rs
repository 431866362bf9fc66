//! What a graph reads.

use super::memory::Untiled;
use crate::graph::Graph;
use crate::storage::StoredTensor;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug)]
pub struct Tensors<'a> {
    pub stored: &'a BTreeMap<String, StoredTensor>,
    /// What a memory that moves tiles has to know besides.
    pub untiled: &'a Untiled,
}

impl Tensors<'_> {
    /// Whether a graph is one of a statement in tiles, which may only add up what others have computed.
    pub(super) fn are_tiled(&self, graph: &Graph) -> bool {
        graph.has_tiles() || !self.untiled.sums.is_empty()
    }
}

impl<'a> From<&'a BTreeMap<String, StoredTensor>> for Tensors<'a> {
    fn from(stored: &'a BTreeMap<String, StoredTensor>) -> Self {
        const NOTHING: &Untiled =
            &Untiled { dense: BTreeSet::new(), sums: BTreeSet::new(), cuts: BTreeMap::new() };
        Self { stored, untiled: NOTHING }
    }
}
