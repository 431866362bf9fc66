//! Whether values have the types that blocks compute with.

use super::{Block, BlockId, Dropped, Element, Graph, Kind, Places, Port, StreamKind, WiringError};
use std::collections::HashMap;

/// Which output leads to an input.
type Sources = HashMap<(BlockId, Port), (BlockId, Port)>;

impl Graph {
    /// Checks that values enter what computes with them in its type. Where they come from nothing that has a
    /// type, there is nothing to check.
    pub(super) fn check_elements(&self) -> Result<(), WiringError> {
        let streams = self.streams.iter().filter(|stream| stream.kind == StreamKind::Val);
        let sources: Sources =
            streams.flat_map(|stream| stream.to.iter().map(|&to| (to, stream.from))).collect();
        for (id, block) in self.blocks.iter().enumerate() {
            let Some((expected, inputs)) = self.expected(block) else { continue };
            for port in inputs {
                let found = self.element(&sources, (BlockId(id), Port(port)));
                if let Some(found) = found.filter(|found| *found != expected) {
                    let (name, found, expected) = (&block.name, found.name(), expected.name());
                    let message =
                        format!("values of `{name}` at input {port} are {found}, expected {expected}");
                    return Err(WiringError { block: BlockId(id), message });
                }
            }
        }
        Ok(())
    }

    /// The type that a block computes with, and the inputs where values of it enter.
    fn expected(&self, block: &Block) -> Option<(Element, Vec<usize>)> {
        Some(match &block.kind {
            Kind::Alu(alu) => (alu.element, vec![0, 1]),
            Kind::Apply(apply) => (apply.element, vec![0]),
            Kind::Reduce(reduce) => (reduce.element, (0..reduce.inputs).collect()),
            Kind::Accumulate(accumulate) => {
                let (ports, last) = (accumulate.indices.len() + 1, accumulate.indices.len());
                (accumulate.element, (0..accumulate.inputs).map(|input| input * ports + last).collect())
            }
            Kind::Drop { what: Dropped::Zeros(element), .. } => (*element, vec![1]),
            Kind::Mask(mask) => (mask.element, vec![1]),
            Kind::WriteValues(write) => (write.element, vec![usize::from(write.places != Places::InOrder)]),
            _ => return None,
        })
    }

    fn tensor(&self, name: &str) -> Option<Element> {
        self.tensors.iter().find(|tensor| tensor.name == name).map(|tensor| tensor.element)
    }

    /// The type of the values that enter an input; blocks in between that pass values on are as many as there
    /// are blocks at most.
    fn element(&self, sources: &Sources, mut input: (BlockId, Port)) -> Option<Element> {
        for _ in 0..=self.blocks.len() {
            let (block, Port(output)) = *sources.get(&input)?;
            let passed = match &self.blocks[block.0].kind {
                Kind::Array { tensor, .. } => return self.tensor(tensor),
                Kind::Alu(alu) => return Some(alu.element),
                Kind::Apply(apply) => return Some(apply.function.result(apply.element)),
                Kind::Reduce(reduce) => return Some(reduce.element),
                Kind::Accumulate(accumulate) => return Some(accumulate.element),
                Kind::Repeat(_) | Kind::Mask(_) | Kind::Parallelize(_) => Port::FIRST,
                Kind::Drop { .. } | Kind::Serialize(_) => Port::SECOND,
                Kind::Join(_) => Port::operand_ref(output.checked_sub(1)?),
                _ => return None,
            };
            input = (block, passed);
        }
        None
    }
}
