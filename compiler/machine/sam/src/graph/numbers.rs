//! Numbers that a program states, in the blocks that multiply by them.
//!
//! ```text
//! n = repeat (signals of i), root of `number`
//! v = array `number` n                          becomes      w = (mul by 3) a
//! w = mul v, a
//! ```
//! SAM's own tools take a number from the block; as a tensor it would need a file.

use super::{Apply, Block, BlockId, Function, Graph, Kind, Operator, Port, Stream};
use crate::arithmetic::Constant;
use std::collections::BTreeMap;

impl Graph {
    /// The same graph, where these tensors of rank 0 have these values: products with them have the values in
    /// their blocks. Other blocks load them as before.
    #[must_use]
    pub fn with_numbers(&self, numbers: &BTreeMap<String, f64>) -> Self {
        let mut graph = self.clone();
        for (id, block) in self.blocks.iter().enumerate() {
            if let Kind::Array { tensor, .. } = &block.kind
                && let Some(number) = numbers.get(tensor)
            {
                graph.fold(BlockId(id), *number);
            }
        }
        graph.leave_out_unread()
    }

    /// Puts a number into the product that reads it, if nothing else does.
    fn fold(&mut self, array: BlockId, mut number: f64) {
        let mut loaded = array;
        while let [(reader, port)] = self.readers(loaded)[..] {
            match self.blocks[reader.0].kind {
                Kind::Apply(Apply { function: Function::Convert(_), .. }) => loaded = reader,
                Kind::Apply(Apply { function: Function::Negate, .. }) => {
                    number = -number;
                    loaded = reader;
                }
                Kind::Alu(alu) if alu.operator == Operator::Multiply => {
                    let function = Function::With(alu.operator, Constant::new(number));
                    self.blocks[reader.0].kind = Kind::Apply(Apply { function, element: alu.element });
                    for stream in &mut self.streams {
                        stream.to.retain(|to| *to != (reader, port));
                        let other = stream.to.iter_mut().find(|(to, _)| *to == reader);
                        other.into_iter().for_each(|to| to.1 = Port(0));
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    fn readers(&self, block: BlockId) -> Vec<(BlockId, Port)> {
        let own = self.streams.iter().filter(|stream| stream.from.0 == block);
        own.flat_map(|stream| stream.to.iter().copied()).collect()
    }

    /// Leaves out blocks that nobody reads, writers aside, and tensors that no block is about. Those that are
    /// left are numbered anew.
    fn leave_out_unread(mut self) -> Self {
        loop {
            self.streams.retain(|stream| !stream.to.is_empty());
            let is_writer = |kind: &Kind| matches!(kind, Kind::WriteLevel(_) | Kind::WriteValues(_));
            let is_read = |id: usize| self.streams.iter().any(|stream| stream.from.0 == BlockId(id));
            let unread =
                (0..self.blocks.len()).find(|id| !is_writer(&self.blocks[*id].kind) && !is_read(*id));
            let Some(unread) = unread else { break };
            self.remove(unread);
        }
        for (id, block) in self.blocks.iter_mut().enumerate() {
            block.name = Block::numbered(block.kind.clone(), id).name;
        }
        let blocks = &self.blocks;
        let is_used = |name: &String| blocks.iter().any(|block| block.kind.tensor() == Some(name.as_str()));
        self.tensors.retain(|tensor| is_used(&tensor.name));
        self
    }

    fn remove(&mut self, unread: usize) {
        self.blocks.remove(unread);
        let moved = |id: BlockId| BlockId(if id.0 > unread { id.0 - 1 } else { id.0 });
        for Stream { from, to, .. } in &mut self.streams {
            to.retain(|(reader, _)| reader.0 != unread);
            to.iter_mut().chain([from]).for_each(|(block, _)| *block = moved(*block));
        }
    }
}

impl Kind {
    /// The tensor that a block is about.
    fn tensor(&self) -> Option<&str> {
        match self {
            Self::Scanner(scanner) => Some(&scanner.tensor),
            Self::Repeat(repeat) => Some(&repeat.tensor),
            Self::Array { tensor, .. } => Some(tensor),
            Self::Locate(locate) => Some(&locate.tensor),
            Self::Fetch(fetch) => Some(&fetch.tensor),
            Self::WriteLevel(write) => Some(&write.tensor),
            Self::WriteValues(write) => Some(&write.tensor),
            _ => None,
        }
    }
}
