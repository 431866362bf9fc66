//! The tree of paths.

use super::shares::Shares;

/// The tree is made small again when it has so many nodes.
const MOST_NODES: usize = 1 << 14;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

/// A block from a cycle on, until the next node of the path begins.
#[derive(Debug, Default)]
struct PathNode {
    block: usize,
    start: u64,
    parent: Option<NodeId>,
    /// The cycle in which the next node begins behind the parent: this one, if nothing was in between.
    parent_end: u64,
    between: Shares,
}

/// Paths, with their later parts behind the earlier ones that they have in common. A node comes behind its
/// parent in the list.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<PathNode>,
    /// How many nodes were left when it was made small.
    left: usize,
}

impl Tree {
    /// Begins a node. A path begins with the first cycle.
    pub(super) fn add(&mut self, block: usize, parent: Option<NodeId>, cycle: u64) -> NodeId {
        let start = if parent.is_some() { cycle } else { 1 };
        self.nodes.push(PathNode { block, start, parent, parent_end: start, between: Shares::default() });
        NodeId(small(self.nodes.len() - 1))
    }

    pub(super) fn is_large(&self) -> bool {
        self.nodes.len() >= MOST_NODES.max(2 * self.left)
    }

    /// Forgets all that leads to no head, and takes nodes together between which no path branches off.
    pub(super) fn shrink(&mut self, heads: &mut [Option<NodeId>], width: u64) {
        let mut uses = self.uses(heads);
        for number in 0..self.nodes.len() {
            if uses[number] > 0 {
                self.take_in_parent(number, &mut uses, width);
            }
        }
        let moved = self.retain(&uses);
        heads.iter_mut().flatten().for_each(|head| *head = moved[head.index()]);
        self.left = self.nodes.len();
    }

    fn uses(&self, heads: &[Option<NodeId>]) -> Vec<u32> {
        let mut uses = vec![0; self.nodes.len()];
        heads.iter().flatten().for_each(|head| uses[head.index()] += 1);
        for (number, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent.filter(|_| uses[number] > 0) {
                uses[parent.index()] += 1;
            }
        }
        uses
    }

    /// Where a node is the only one behind its parent, it has all of it.
    fn take_in_parent(&mut self, number: usize, uses: &mut [u32], width: u64) {
        let Some(id) = self.nodes[number].parent.filter(|parent| uses[parent.index()] == 1) else { return };
        let parent = std::mem::take(&mut self.nodes[id.index()]);
        uses[id.index()] = 0;
        let node = &mut self.nodes[number];
        let behind = std::mem::replace(&mut node.between, parent.between);
        node.between.add(parent.block, parent.start..node.parent_end, width);
        node.between.append(behind);
        (node.parent, node.parent_end) = (parent.parent, parent.parent_end);
    }

    /// Leaves out the nodes that nothing uses. The result is where the others are.
    fn retain(&mut self, uses: &[u32]) -> Vec<NodeId> {
        let mut moved = Vec::with_capacity(self.nodes.len());
        let mut kept = 0;
        for uses in uses {
            moved.push(NodeId(small(kept)));
            kept += usize::from(*uses > 0);
        }
        let mut number = 0;
        self.nodes.retain(|_| {
            number += 1;
            uses[number - 1] > 0
        });
        for parent in self.nodes.iter_mut().filter_map(|node| node.parent.as_mut()) {
            *parent = moved[parent.index()];
        }
        moved
    }

    /// The path that ends with a head in this cycle.
    pub(super) fn shares(&mut self, head: Option<NodeId>, last: u64, width: u64) -> Shares {
        let mut shares = Shares::default();
        let (mut next, mut end) = (head, last + 1);
        while let Some(id) = next {
            let node = &mut self.nodes[id.index()];
            shares.add(node.block, node.start..end, width);
            shares.append(std::mem::take(&mut node.between));
            (next, end) = (node.parent, node.parent_end);
        }
        shares
    }
}

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("the tree is made small long before it has 2^32 nodes")
}
