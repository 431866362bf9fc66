//! What is not seen of tensors that are stored in tiles.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of the statement that a graph in tiles computes, beside its tensors. Where nothing is known,
/// levels say which tensors are dense, and all tiles are full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untiled {
    /// The tensors that store all of their elements. Where the last tile may not be full, a level inside of
    /// tiles is compressed all the same.
    pub dense: BTreeSet<String>,
    /// Tensors that are part of the result: graphs before have computed them.
    pub sums: BTreeSet<String>,
    /// For index variables inside of tiles, what they are parts of.
    pub cuts: BTreeMap<String, Cut>,
}

/// An index variable that is cut into tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub over_tiles: String,
    /// How many coordinates all tiles have in sum.
    pub extent: usize,
}
