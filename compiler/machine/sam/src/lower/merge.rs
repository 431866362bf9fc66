//! One variable: its coordinates are scanned and merged (sam.txt sections 3.3 and 3.5).

use super::build::Out;
use super::node::{Coverage, Leaf, Rest, ValueNode};
use super::shape::{CoordinateMerge, FiberShape};
use super::walk::VariableWalk;
use crate::graph::{BlockKind, Kept, Merge, Scanner};

#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) var: String,
    pub(super) crd: Out,
    pub(super) may_be_empty: bool,
    pub(super) is_full: bool,
    pub(super) has_dense: bool,
    /// Whether a fiber may have none where another one has some.
    pub(super) may_miss_fibers: bool,
}

/// What the scan of a variable finds besides coordinates.
struct Scan<'s, 'n> {
    coverage: &'s mut Coverage,
    absent: &'s mut Vec<&'n mut Leaf>,
}

impl VariableWalk<'_> {
    pub(super) fn merge(&mut self, node: &mut ValueNode, var: &str, coverage: &mut Coverage) -> Coordinates {
        if self.is_in_tile(var) {
            node.leaves_mut().into_iter().for_each(|leaf| self.fetch(leaf));
        }
        let (mut absent, was_exact) = (Vec::new(), *coverage == Coverage::Exact);
        let before = *coverage;
        let is_at_root = node.leaves_mut().iter().all(|leaf| leaf.is_at_root(var));
        let mut scan = Scan { coverage, absent: &mut absent };
        let merge = self.scan(node, var, &mut scan, before);
        let merge = self.brought(merge, var, &mut scan);
        let shape = merge.shape();
        let crd = self.join(merge, var);
        let may_be_empty = shape.may_be_empty || !was_exact && !shape.has_all();
        let FiberShape { is_full, has_dense, .. } = shape;
        let may_miss_fibers = (shape.may_lose_all || !was_exact && !shape.has_all()) && !is_at_root;
        let var = var.to_owned();
        let coordinates = Coordinates { var, crd, may_be_empty, is_full, has_dense, may_miss_fibers };
        let var = &coordinates.var;
        self.around.push(coordinates.clone());
        for leaf in absent {
            if leaf.stream.is_some() || self.located(leaf).is_none() {
                self.repeat(leaf, var, crd);
            }
        }
        for leaf in node.leaves_mut() {
            while let Some(locate) = self.located(leaf) {
                self.locate(leaf, locate);
            }
        }
        coordinates
    }

    fn scan<'n>(
        &mut self,
        node: &'n mut ValueNode,
        var: &str,
        scan: &mut Scan<'_, 'n>,
        around: Coverage,
    ) -> CoordinateMerge<'n> {
        match node {
            ValueNode::Access(leaf) => match self.is_located(leaf, var) {
                true => CoordinateMerge::Located(leaf),
                false => self.scan_leaf(leaf, var, scan),
            },
            ValueNode::Reduce(_, _, body) | ValueNode::Apply(_, body) => self.scan(body, var, scan, around),
            ValueNode::Combine(how, _, a, b) => {
                let around = around.inside(*how);
                let are_there = [a.is_there(around), b.is_there(around)];
                let [a, b] = [a, b].map(|side| self.side(side, (*how, var), scan, around));
                self.combine(*how, [a, b], are_there, var, scan)
            }
            ValueNode::Drop(a, b) => {
                let around = around.inside(Merge::Union);
                let are_there = [a.is_there(around), b.is_there(around)];
                let [a, b] = [a, b].map(|side| self.side(side, (Merge::Union, var), scan, around));
                self.combine(Merge::Union, [a, b], are_there, var, scan)
            }
            ValueNode::Mask(Kept::Stored, value, mask) => {
                let are_there = [value.is_there(around), mask.is_there()];
                let value = self.scan(value, var, scan, around);
                let mask = self.scan_leaf(mask, var, scan);
                self.combine(Merge::Intersect, [value, mask], are_there, var, scan)
            }
            ValueNode::Mask(_, value, mask) => {
                scan.absent.push(mask);
                self.scan(value, var, scan, around)
            }
        }
    }

    /// One of two operands. Where patterns unite over tiles, what a side has without the variable is repeated
    /// over the side's own coordinates: tiles of the product are not brought where it has none of the others.
    fn side<'n>(
        &mut self,
        node: &'n mut ValueNode,
        (how, var): (Merge, &str),
        scan: &mut Scan<'_, 'n>,
        around: Coverage,
    ) -> CoordinateMerge<'n> {
        let before = scan.absent.len();
        let merge = self.scan(node, var, scan, around);
        if how == Merge::Intersect || self.choices.tiled_from.is_none() || self.is_in_tile(var) {
            return merge;
        }
        let lacks = |leaf: &&mut Leaf| !leaf.is_next(&self.statement.tensors, var);
        let (lacking, others): (Vec<_>, Vec<_>) = scan.absent.split_off(before).into_iter().partition(lacks);
        scan.absent.extend(others);
        match merge {
            CoordinateMerge::Absent | CoordinateMerge::Located(_) | CoordinateMerge::All(..) => {
                scan.absent.extend(lacking)
            }
            merge if !lacking.is_empty() => return CoordinateMerge::Repeated(Box::new(merge), lacking),
            _ => {}
        }
        merge
    }

    fn combine<'n>(
        &mut self,
        how: Merge,
        operands: [CoordinateMerge<'n>; 2],
        are_there: [bool; 2],
        var: &str,
        scan: &mut Scan<'_, 'n>,
    ) -> CoordinateMerge<'n> {
        let operands = match (how, operands) {
            (Merge::Intersect, operands) => operands,
            (Merge::Union, operands) => operands.map(|operand| self.brought(operand, var, scan)),
        };
        let (is_there, other) = match operands {
            [CoordinateMerge::Absent, CoordinateMerge::Absent] => return CoordinateMerge::Absent,
            [CoordinateMerge::Absent, other] => (are_there[0], other),
            [other, CoordinateMerge::Absent] => (are_there[1], other),
            [CoordinateMerge::Located(leaf), other] => {
                scan.absent.push(leaf);
                (are_there[0], self.brought(other, var, scan))
            }
            [other, CoordinateMerge::Located(leaf)] => {
                scan.absent.push(leaf);
                (are_there[1], other)
            }
            [a, b] => return a.and(how, b),
        };
        // The side that lacks the variable is taken to be there.
        if !is_there {
            *scan.coverage = Coverage::Wider;
        }
        if how == Merge::Intersect || other.shape().has_all() {
            return other;
        }
        let (crd, reference) = self.universe(var);
        other.and(how, CoordinateMerge::All(crd, reference))
    }

    /// Whether the coordinates of others are looked for in the leaf's next level, which is over the variable.
    fn is_located(&self, leaf: &Leaf, var: &str) -> bool {
        let Rest::Levels { access, .. } = &leaf.rest else { return false };
        self.choices.located.contains(&access.tensor) && leaf.is_next(&self.statement.tensors, var)
    }

    /// What is to be located where there is nothing to look for is scanned.
    fn brought<'n>(
        &mut self,
        merge: CoordinateMerge<'n>,
        var: &str,
        scan: &mut Scan<'_, 'n>,
    ) -> CoordinateMerge<'n> {
        match merge {
            CoordinateMerge::Located(leaf) => self.scan_leaf(leaf, var, scan),
            other => other,
        }
    }

    /// The coordinates of a leaf's next level, if that is over the variable.
    fn scan_leaf<'n>(
        &mut self,
        leaf: &'n mut Leaf,
        var: &str,
        scan: &mut Scan<'_, 'n>,
    ) -> CoordinateMerge<'n> {
        let is_there = leaf.is_there();
        let scanned = match &mut leaf.rest {
            Rest::Levels { .. } => self.scan_level(leaf, var),
            Rest::Reduced { crds } if crds.front().is_some_and(|(index, _)| index == var) => {
                crds.pop_front().map(|(_, crd)| (crd, false, false))
            }
            Rest::Reduced { .. } => None,
        };
        let Some((crd, may_be_empty, is_full)) = scanned else {
            scan.absent.push(leaf);
            return CoordinateMerge::Absent;
        };
        let may_be_empty = may_be_empty || leaf.may_lack;
        let shape =
            FiberShape { may_be_empty, is_full, may_lose_all: may_be_empty, has_dense: is_full, is_there };
        leaf.may_miss = false;
        leaf.may_lack = false;
        CoordinateMerge::One(crd, shape, leaf)
    }

    /// Coordinates, whether a fiber may have none, and whether it has all.
    fn scan_level(&mut self, leaf: &mut Leaf, var: &str) -> Option<(Out, bool, bool)> {
        let Rest::Levels { access, level } = &leaf.rest else { return None };
        let (tensor, level) = (access.tensor, *level);
        let format = &self.statement.tensors[tensor];
        let mode = *format.order.get(level)?;
        if access.indices[mode] != var {
            return None;
        }
        let (index, tensor, root) = (var.to_owned(), format.name.clone(), leaf.stream.is_none());
        let scanner = Scanner { index, tensor, mode, level: format.levels[level], root, skips: false };
        let outputs = self.build.block(BlockKind::Scanner(scanner), &[leaf.stream]);
        let is_full = format.levels[level].is_dense();
        // Below coordinates that are stored there is something; below all of them, or in the whole of a
        // tensor, there need not be.
        let is_below_stored = level.checked_sub(1).is_some_and(|above| !format.levels[above].is_dense());
        leaf.goes_in(outputs[1]);
        Some((outputs[0], !is_full && !is_below_stored, is_full))
    }
}
