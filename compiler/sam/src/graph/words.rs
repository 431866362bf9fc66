//! Whether words of bits enter as wide as they leave.

use super::{BlockId, Graph, Kind, Port, StreamKind, WiringError};
use std::collections::HashMap;

/// Which output leads to an input.
type Sources = HashMap<(BlockId, Port), (BlockId, Port)>;

impl Graph {
    /// Checks that joiners and writers take words as wide as those that come.
    pub(super) fn check_words(&self) -> Result<(), WiringError> {
        let streams = self.streams.iter().filter(|stream| stream.kind == StreamKind::Bv);
        let inputs: Vec<_> =
            streams.flat_map(|stream| stream.to.iter().map(|&to| (to, stream.from))).collect();
        let sources: Sources = inputs.iter().copied().collect();
        inputs.iter().try_for_each(|&(input, _)| self.check_width(&sources, input))
    }

    fn check_width(&self, sources: &Sources, input: (BlockId, Port)) -> Result<(), WiringError> {
        let (block, Port(number)) = input;
        let expected = match &self.blocks[block.0].kind {
            Kind::Join(join) if join.operands.iter().any(|operand| operand.carries != StreamKind::Ref) => {
                let name = &self.blocks[block.0].name;
                let message = format!("`{name}` takes words of bits, which come with references only");
                return Err(WiringError { block, message });
            }
            Kind::Join(join) => join.width,
            Kind::WriteLevel(write) => write.level.width(),
            _ => None,
        };
        match (self.width(sources, input), expected) {
            (Some(found), Some(expected)) if found != expected => {
                let name = &self.blocks[block.0].name;
                let message =
                    format!("words of `{name}` at input {number} have {found} bits, expected {expected}");
                Err(WiringError { block, message })
            }
            _ => Ok(()),
        }
    }

    /// How wide the words are that enter; blocks in between that pass them on are as many as there are blocks
    /// at most.
    fn width(&self, sources: &Sources, mut input: (BlockId, Port)) -> Option<u32> {
        for _ in 0..=self.blocks.len() {
            let (block, _) = *sources.get(&input)?;
            let passed = match &self.blocks[block.0].kind {
                Kind::Scanner(scanner) => return scanner.level.width(),
                Kind::ToWords(words) => return Some(words.width),
                Kind::Parallelize(_) => Port::FIRST,
                Kind::Serialize(_) => Port::SECOND,
                _ => return None,
            };
            input = (block, passed);
        }
        None
    }
}
