//! Whether words of bits enter as wide as they leave.

use super::sources::Sources;
use super::{BlockId, BlockKind, Graph, Port, StreamKind, WiringError};

impl Graph {
    pub(super) fn check_words(&self, sources: &Sources<'_>) -> Result<(), WiringError> {
        let streams = self.streams.iter().filter(|stream| stream.kind == StreamKind::Bv);
        streams.flat_map(|stream| &stream.to).try_for_each(|&input| self.check_width(sources, input))
    }

    fn check_width(&self, sources: &Sources<'_>, input: (BlockId, Port)) -> Result<(), WiringError> {
        let (block, Port(number)) = input;
        let expected = match &self.blocks[block.0].kind {
            BlockKind::Join(join)
                if join.operands.iter().any(|operand| operand.carries != StreamKind::Ref) =>
            {
                let name = &self.blocks[block.0].name;
                let message = format!("`{name}` takes words of bits, which come with references only");
                return Err(WiringError::new(block, message));
            }
            BlockKind::Join(join) => join.width,
            BlockKind::WriteLevel(write) => write.level.width(),
            _ => None,
        };
        match (self.width(sources, input), expected) {
            (Some(found), Some(expected)) if found != expected => {
                let name = &self.blocks[block.0].name;
                let message =
                    format!("words of `{name}` at input {number} have {found} bits, expected {expected}");
                Err(WiringError::new(block, message))
            }
            _ => Ok(()),
        }
    }

    fn width(&self, sources: &Sources<'_>, input: (BlockId, Port)) -> Option<u32> {
        match &self.blocks[sources.made_by(input)?.0].kind {
            BlockKind::Scanner(scanner) => scanner.level.width(),
            BlockKind::ToWords(words) => Some(words.width),
            _ => None,
        }
    }
}
