//! Whether values have the types that blocks compute with.

use super::sources::Sources;
use super::{
    BlockId, BlockKind, Dropped, Element, Graph, GraphBlock, Port, Stream, StreamKind, ValuePlacement,
    WiringError,
};
use crate::named::Named as _;

impl Graph {
    /// For each stream the type of its values. `None`: it carries something else, or values that come from
    /// nothing that has a type.
    pub fn elements(&self) -> Vec<Option<Element>> {
        let sources = Sources::new(self);
        let of = |stream: &Stream| {
            let input = *stream.to.first().filter(|_| stream.kind == StreamKind::Val)?;
            self.element(&sources, input)
        };
        self.streams.iter().map(of).collect()
    }

    /// Checks that values enter what computes with them in its type. Where they come from nothing that has a
    /// type, there is nothing to check.
    pub(super) fn check_elements(&self, sources: &Sources<'_>) -> Result<(), WiringError> {
        for (id, block) in self.blocks.iter().enumerate() {
            let Some((expected, inputs)) = self.expected(block) else { continue };
            for port in inputs {
                let found = self.element(sources, (BlockId(id), Port(port)));
                if let Some(found) = found.filter(|found| *found != expected) {
                    let (name, found, expected) = (&block.name, found.case_name(), expected.case_name());
                    let message =
                        format!("values of `{name}` at input {port} are {found}, expected {expected}");
                    return Err(WiringError::new(BlockId(id), message));
                }
            }
        }
        Ok(())
    }

    /// The type that a block computes with, and the inputs where values of it enter.
    fn expected(&self, block: &GraphBlock) -> Option<(Element, Vec<usize>)> {
        Some(match &block.kind {
            BlockKind::Alu(alu) => (alu.element, vec![0, 1]),
            BlockKind::Apply(apply) => (apply.element, vec![0]),
            BlockKind::Reduce(reduce) => (reduce.element, (0..reduce.inputs).collect()),
            BlockKind::Accumulate(accumulate) => {
                let (ports, last) = (accumulate.indices.len() + 1, accumulate.indices.len());
                (accumulate.element, (0..accumulate.inputs).map(|input| input * ports + last).collect())
            }
            BlockKind::Drop { what: Dropped::Zeros(element), .. } => (*element, vec![1]),
            BlockKind::Mask(mask) => (mask.element, vec![1]),
            BlockKind::WriteValues(write) => {
                (write.element, vec![usize::from(write.places != ValuePlacement::InOrder)])
            }
            _ => return None,
        })
    }

    fn tensor(&self, name: &str) -> Option<Element> {
        self.tensors.iter().find(|tensor| tensor.name == name).map(|tensor| tensor.element)
    }

    fn element(&self, sources: &Sources<'_>, input: (BlockId, Port)) -> Option<Element> {
        match &self.blocks[sources.made_by(input)?.0].kind {
            BlockKind::Array { tensor, .. } => self.tensor(tensor),
            BlockKind::Alu(alu) => Some(alu.element),
            BlockKind::Apply(apply) => Some(apply.function.result(apply.element)),
            BlockKind::Reduce(reduce) => Some(reduce.element),
            BlockKind::Accumulate(accumulate) => Some(accumulate.element),
            _ => None,
        }
    }
}
