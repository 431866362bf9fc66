//! A dataflow graph: blocks, and the streams between their ports (sam.txt sections 3 and 4).
//!
//! The graph is plain data. Lowering and the files of graphs make it, the simulator and the writers of files
//! take it. A stream has one source and any number of readers: the broadcast of SAM's files is no block here.

mod binary;
mod block;
mod elements;
mod numbers;
pub(crate) mod order;
mod ports;
mod references;
mod sams;
mod skip;
pub(crate) mod sources;
mod tensor;
mod wiring;
mod words;

use crate::dot::label::title;
use crate::named::named_enum;
use comet_notation::distinct;
use std::collections::BTreeSet;

pub use crate::arithmetic::{Constant, Element, Function, NumberFunction, Operator, Reduction};
pub use block::*;
pub use ports::Port;
pub use sams::Foreign;
pub use sources::Sources;
pub use tensor::{GraphLevel, TensorFormat};
pub use wiring::WiringError;

/// The name of an operand of a joiner that is what a reducer has put out.
pub(crate) const REDUCED: &str = "sum";

/// The most lanes, copies and inputs of a block: far more than any machine has, and few enough for a text of
/// one line.
pub const MOST: usize = 1024;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The result, then the operands in order of first use; a tensor that is used twice is there twice.
    pub tensors: Vec<TensorFormat>,
    pub blocks: Vec<GraphBlock>,
    /// The streams; no two start at the same port.
    pub streams: Vec<Stream>,
}

impl Graph {
    /// Returns whether the graph reads what its result held before, and keeps the elements that it does not
    /// write.
    pub fn keeps_elements(&self) -> bool {
        let keeps = |kind: &BlockKind| matches!(kind, BlockKind::WriteValues(write) if write.places == ValuePlacement::Kept);
        self.blocks.iter().any(|block| keeps(&block.kind))
    }

    /// Returns the index variable of a tensor's mode: where that is scanned, located or written.
    pub fn index(&self, tensor: &str, mode: usize) -> Option<&str> {
        let access = |block: &'_ GraphBlock| {
            block.kind.level_access().is_some_and(|of| of.tensor == tensor && of.mode == mode)
        };
        self.blocks.iter().find(|block| access(block))?.kind.level_access().map(|of| of.index)
    }

    /// Returns whether the graph fetches tiles, which a finite memory is about.
    pub fn has_tiles(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block.kind, BlockKind::Fetch(_)))
    }

    /// Returns whether an input takes the coordinates that a scanner skips to. Their streams lead backwards:
    /// they are the only ones that close a cycle.
    pub fn is_skip_input(&self, (block, port): (BlockId, Port)) -> bool {
        port == Port::SKIP && matches!(self.blocks[block.0].kind, BlockKind::Scanner(_))
    }

    /// Returns the names of the tensors, each once.
    pub fn tensor_names(&self) -> Vec<&str> {
        distinct(self.tensors.iter().map(|tensor| tensor.name.as_str()))
    }

    /// Renames all blocks by what they do and by their numbers.
    pub(crate) fn renumber(&mut self) {
        for (number, block) in self.blocks.iter_mut().enumerate() {
            block.name = numbered_name(&block.kind, number);
        }
    }

    /// Adds to a graph that was lowered and written what a file does not keep: the names of blocks and of
    /// operands, and the order of streams, which is that of their readers.
    #[must_use]
    pub fn as_lowered(mut self) -> Self {
        self.renumber();
        let sources = Sources::new(&self);
        let carried = |block: usize, operand: usize| {
            let made_by = sources.made_by((BlockId(block), Port::operand_ref(operand)));
            made_by.and_then(|from| self.blocks[from.0].kind.tensor()).unwrap_or(REDUCED).to_owned()
        };
        let mut blocks = self.blocks.clone();
        for (number, block) in blocks.iter_mut().enumerate() {
            if let BlockKind::Join(join) = &mut block.kind {
                let operands = join.operands.iter_mut().enumerate();
                operands.for_each(|(operand, own)| own.name = carried(number, operand));
            }
        }
        let mut streams = std::mem::take(&mut self.streams);
        streams.sort_by_key(|Stream { from, to, .. }| {
            let first = to.first().filter(|to| !self.is_skip_input(**to)).copied();
            (first.unwrap_or((from.0, Port(usize::MAX))), *from)
        });
        Self { blocks, streams, ..self }
    }

    /// Removes the blocks of some kinds that nobody reads, with the streams to them. Returns whether there
    /// was one.
    pub(crate) fn leave_out_unread(&mut self, is_left_out: impl Fn(&BlockKind) -> bool) -> bool {
        self.streams.retain(|stream| !stream.to.is_empty());
        let is_read: BTreeSet<BlockId> = self.streams.iter().map(|stream| stream.from.0).collect();
        let before = self.blocks.len();
        self.retain_blocks(|id, block| is_read.contains(&BlockId(id)) || !is_left_out(&block.kind));
        self.blocks.len() < before
    }

    /// Removes the blocks that are not kept, and the streams that none of the others reads. Names stay.
    ///
    /// # Panics
    /// A block that is kept reads one that is not.
    pub(crate) fn retain_blocks(&mut self, is_kept: impl Fn(usize, &GraphBlock) -> bool) {
        let mut places = Vec::new();
        let mut kept = Vec::new();
        for (number, block) in std::mem::take(&mut self.blocks).into_iter().enumerate() {
            let is_kept = is_kept(number, &block);
            places.push(is_kept.then_some(BlockId(kept.len())));
            kept.extend(is_kept.then_some(block));
        }
        self.blocks = kept;
        self.streams.retain_mut(|Stream { from, to, .. }| {
            to.retain(|(reader, _)| places[reader.0].is_some());
            to.iter_mut().for_each(|(reader, _)| {
                *reader = places[reader.0].expect("only readers that are kept remain")
            });
            if !to.is_empty() {
                from.0 = places[from.0.0].expect("what is read is kept");
            }
            !to.is_empty()
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphBlock {
    /// The name in messages and reports; unique in its graph.
    pub name: String,
    pub kind: BlockKind,
    /// The most tokens that it moves in a cycle, on buses of so many wires (section 4.4).
    pub lanes: usize,
}

impl GraphBlock {
    /// Returns a block that is named by what it does and by its number in the graph, and moves a token a
    /// cycle.
    pub fn numbered(kind: BlockKind, number: usize) -> Self {
        Self { name: numbered_name(&kind, number), kind, lanes: 1 }
    }
}

fn numbered_name(kind: &BlockKind, number: usize) -> String {
    format!("{} ({number})", title(kind))
}

named_enum! {
    pub enum StreamKind {
        Crd = "crd",
        /// References: positions in the next level or in the values.
        Ref = "ref",
        Val = "val",
        Repsig = "repsig",
        Bv = "bv",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    pub kind: StreamKind,
    pub from: (BlockId, Port),
    pub to: Vec<(BlockId, Port)>,
}
