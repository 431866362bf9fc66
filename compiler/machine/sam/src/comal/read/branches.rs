//! Forks deal the elements of fibers out, one to each branch in turn; joins take them back in the same order.
//! A join becomes a serializer, which goes by the coordinates that belong to what was dealt out.

use super::{ComalReader, End, Key};
use crate::comal::ComalError;
use crate::graph::{BlockId, BlockKind, Carried, Parallelize, Port, Serialize, StreamKind};
use std::collections::VecDeque;

#[derive(Clone)]
pub(super) struct BranchMerge {
    pub(super) block: BlockId,
    pub(super) inputs: Vec<Key>,
}

/// A serializer of which is not known yet how deep what it carries is.
pub(super) fn unmerged(kind: StreamKind, factor: usize) -> BlockKind {
    BlockKind::Serialize(Serialize {
        index: String::new(),
        factor,
        carries: Some(Carried { kind, depth: 0 }),
    })
}

impl ComalReader {
    /// Names what forks deal out, and connects joins with the coordinates that they go by.
    pub(super) fn merge_branches(&mut self) -> Result<(), ComalError> {
        for block in (0..self.kinds.len()).map(BlockId) {
            if matches!(self.kinds[block.0], BlockKind::Parallelize(_)) {
                self.name_fork(block);
            }
        }
        self.merged.clone().iter().try_for_each(|merge| self.merge_one(merge))
    }

    fn name_fork(&mut self, block: BlockId) {
        let from = self.sources.get(&(block, Port::FIRST)).copied();
        let index = from.and_then(|from| self.index(self.coordinates(from)?));
        if let BlockKind::Parallelize(fork) = &mut self.kinds[block.0] {
            fork.index = index.unwrap_or_default();
        }
    }

    fn merge_one(&mut self, merge: &BranchMerge) -> Result<(), ComalError> {
        let factor = merge.inputs.len();
        let mut streams = Vec::new();
        for (branch, key) in merge.inputs.iter().enumerate() {
            let name = self.name(merge.block);
            let unknown = || {
                let message = format!("{name} merges what no fork has dealt out");
                ComalError::new(
                    message,
                    "a join takes from each branch of a fork what belongs to its elements",
                )
            };
            let carried = self.resolve(*key, merge.block)?.ok_or_else(unknown)?;
            let dealt = self.dealt(carried, (branch, factor)).ok_or_else(unknown)?;
            let depths = self.depth(carried).zip(self.depth(dealt));
            let depth = depths.and_then(|(inner, outer)| inner.checked_sub(outer)).ok_or_else(unknown)?;
            let coordinates = self.dealt_coordinates(dealt).ok_or_else(unknown)?;
            streams.push((coordinates, carried, depth));
        }
        let Some(&(first, _, depth)) = streams.first() else { return Ok(()) };
        let kind = merge.inputs[0].0;
        let carries = (kind != StreamKind::Crd || depth > 0).then_some(Carried { kind, depth });
        let index = self.index(first).unwrap_or_default();
        self.kinds[merge.block.0] = BlockKind::Serialize(Serialize { index, factor, carries });
        for (branch, (coordinates, carried, _)) in streams.into_iter().enumerate() {
            if carries.is_none() {
                self.sources.insert((merge.block, Port(branch)), carried);
                continue;
            }
            self.sources.insert((merge.block, Port::operand_crd(branch)), coordinates);
            self.sources.insert((merge.block, Port::operand_ref(branch)), carried);
        }
        Ok(())
    }

    /// The branch of a fork that a stream is made of, the nearest that fits.
    fn dealt(&self, from: End, (branch, factor): (usize, usize)) -> Option<End> {
        let mut open = VecDeque::from([from]);
        let mut seen = vec![false; self.kinds.len()];
        while let Some(end) = open.pop_front() {
            let (block, port) = end;
            if let BlockKind::Parallelize(fork) = &self.kinds[block.0]
                && (port.0, fork.factor) == (branch, factor)
            {
                return Some(end);
            }
            if std::mem::replace(&mut seen[block.0], true) {
                continue;
            }
            let inputs = 0..self.kinds[block.0].inputs().len();
            open.extend(inputs.filter_map(|port| self.sources.get(&(block, Port(port))).copied()));
            let over = self.repeated.iter().find(|(repeat, _)| *repeat == block);
            open.extend(over.and_then(|(_, key)| self.resolve(*key, block).ok()?));
        }
        None
    }

    /// The coordinates that go with a branch, which are dealt out in the same way.
    fn dealt_coordinates(&mut self, (fork, branch): End) -> Option<End> {
        if let Some(coordinates) = self.coordinates((fork, branch)) {
            return Some(coordinates);
        }
        let BlockKind::Parallelize(Parallelize { factor, .. }) = self.kinds[fork.0] else { return None };
        let coordinates = self.coordinates(*self.sources.get(&(fork, Port::FIRST))?)?;
        let index = self.index(coordinates).unwrap_or_default();
        let kind = BlockKind::Parallelize(Parallelize { index, factor, carries: StreamKind::Crd });
        let block = self.block(self.operations[fork.0], kind);
        self.sources.insert((block, Port::FIRST), coordinates);
        Some((block, branch))
    }
}
