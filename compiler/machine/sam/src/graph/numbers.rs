//! Numbers that a program states, in the blocks that multiply by them.
//!
//! ```text
//! n = repeat (signals of i), root of `number`
//! v = array `number` n                          becomes      w = (mul by 3) a
//! w = mul v, a
//! ```
//! SAM's own tools take a number from the block; as a tensor it would need a file.

use super::{Apply, BlockId, BlockKind, Function, Graph, Operator, Port};
use crate::arithmetic::Constant;
use std::collections::BTreeMap;

impl Graph {
    /// The same graph, where these tensors of rank 0 have these values: products with them have the values in
    /// their blocks. Other blocks load them as before; blocks that nobody reads any more go,
    /// and tensors that no block is about.
    #[must_use]
    pub fn with_numbers(&self, numbers: &BTreeMap<String, f64>) -> Self {
        let mut graph = self.clone();
        for (id, block) in self.blocks.iter().enumerate() {
            if let BlockKind::Array { tensor, .. } = &block.kind
                && let Some(number) = numbers.get(tensor)
            {
                graph.fold(BlockId(id), *number);
            }
        }
        while graph.leave_out_unread(|kind| !kind.is_writer()) {}
        graph.renumber();
        let blocks = &graph.blocks;
        graph.tensors.retain(|tensor| blocks.iter().any(|block| block.kind.tensor() == Some(&tensor.name)));
        graph
    }

    fn fold(&mut self, array: BlockId, mut number: f64) {
        let mut loaded = array;
        while let [(reader, port)] = self.readers(loaded)[..] {
            match self.blocks[reader.0].kind {
                BlockKind::Apply(Apply { function: Function::Convert(_), .. }) => loaded = reader,
                BlockKind::Apply(Apply { function: Function::Negate, .. }) => {
                    number = -number;
                    loaded = reader;
                }
                BlockKind::Alu(alu) if alu.operator == Operator::Mul => {
                    let function = Function::With(alu.operator, Constant::new(number));
                    self.blocks[reader.0].kind = BlockKind::Apply(Apply { function, element: alu.element });
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
}
