//! Whether the ports of a graph fit together.

use super::sources::Sources;
use super::{BlockId, BlockKind, Graph, Port, StreamKind};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WiringError {
    pub block: BlockId,
    /// The input that the wrong stream enters, where it is one stream.
    pub input: Option<Port>,
    pub message: String,
    pub hint: String,
}

impl WiringError {
    pub(super) fn new(block: BlockId, message: String) -> Self {
        let hint = "correct the attributes of the block, or connect it to others".to_owned();
        Self { block, input: None, message, hint }
    }
}

impl Graph {
    /// Checks that every stream connects ports that are there and take what moves on it, that every input has
    /// one stream, and every output at most one, that values have the types that blocks compute with and
    /// words of bits their widths, that skip streams lead back to the scanners that they belong to, and that
    /// references lead into the tensor that they come from.
    pub fn check_wiring(&self) -> Result<(), WiringError> {
        let kinds = |ports: fn(&BlockKind) -> Vec<StreamKind>| -> Vec<Vec<StreamKind>> {
            self.blocks.iter().map(|block| ports(&block.kind)).collect()
        };
        let (in_kinds, out_kinds) = (kinds(BlockKind::inputs), kinds(BlockKind::outputs));
        let none = |kinds: &[Vec<StreamKind>]| -> Vec<Vec<usize>> {
            kinds.iter().map(|ports| vec![0; ports.len()]).collect()
        };
        let (mut inputs, mut outputs) = (none(&in_kinds), none(&out_kinds));
        for stream in &self.streams {
            let (from, port) = stream.from;
            self.check_port(from, port, stream.kind, &out_kinds[from.0], "output")?;
            outputs[from.0][port.0] += 1;
            for &(to, port) in &stream.to {
                self.check_port(to, port, stream.kind, &in_kinds[to.0], "input")?;
                inputs[to.0][port.0] += 1;
            }
        }
        self.check_counts(&in_kinds, &inputs, &outputs)?;
        let sources = Sources::new(self);
        self.check_skips(&sources)?;
        self.check_words(&sources)?;
        self.check_elements(&sources)?;
        self.check_references(&sources)
    }

    /// A repeater repeats values as well as references.
    fn check_port(
        &self,
        block: BlockId,
        port: Port,
        kind: StreamKind,
        ports: &[StreamKind],
        side: &str,
    ) -> Result<(), WiringError> {
        let expected = ports.get(port.0);
        if expected == Some(&kind) {
            return Ok(());
        }
        let found =
            format!("`{}` has a {} stream at {side} {}", self.blocks[block.0].name, kind.name(), port.0);
        let message = match expected {
            Some(expected) => format!("{found}, where it takes {}", expected.name()),
            None => format!("{found}, and only {} {side}s", ports.len()),
        };
        Err(WiringError::new(block, message))
    }

    fn check_counts(
        &self,
        kinds: &[Vec<StreamKind>],
        inputs: &[Vec<usize>],
        outputs: &[Vec<usize>],
    ) -> Result<(), WiringError> {
        for (id, block) in self.blocks.iter().enumerate() {
            let fault = |message| Err(WiringError::new(BlockId(id), message));
            for (port, &count) in inputs[id].iter().enumerate() {
                let kind = kinds[id][port].name();
                match count {
                    0 if !block.kind.is_optional(Port(port)) => {
                        return fault(format!("`{}` has no {kind} stream at input {port}", block.name));
                    }
                    0 | 1 => {}
                    _ => {
                        return fault(format!(
                            "`{}` has {count} streams at input {port}, expected one",
                            block.name
                        ));
                    }
                }
            }
            if let Some(port) = outputs[id].iter().position(|&count| count > 1) {
                return fault(format!("two streams start at output {port} of `{}`", block.name));
            }
        }
        Ok(())
    }
}
