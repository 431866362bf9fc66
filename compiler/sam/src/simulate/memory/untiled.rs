//! What is not seen of tensors that are stored in tiles.

use std::collections::BTreeMap;

/// A tensor as it is without tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untiled {
    /// Whether it stores all of its elements. Where the last tile is not full, a level inside of tiles is
    /// compressed all the same.
    pub is_dense: bool,
    /// For each mode of the tensor in tiles, how many coordinates that mode has, or the one that it is a part
    /// of: so many tiles have in sum.
    pub extents: Vec<usize>,
}

/// What is known of the tensors of a graph, by their names. Of one that is not there the levels tell whether
/// it is dense, and all of its tiles are full.
pub type AllUntiled = BTreeMap<String, Untiled>;
