//! Checks that an intersecter sends the scanners of its operands the coordinate that it needs next, and that
//! no other block reads what these leave out.

use super::{BlockId, BlockKind, Graph, Join, Merge, Port, Stream, WiringError};
use std::collections::HashMap;

impl Graph {
    /// Checks that each operand with a skip stream comes straight from a scanner that skips,
    /// which has no other reader, and that each such scanner has its intersecter.
    pub(super) fn check_skips(&self) -> Result<(), WiringError> {
        let streams = Streams::new(self);
        for (id, block) in self.blocks.iter().enumerate() {
            match &block.kind {
                BlockKind::Join(join) => streams.check_joiner(BlockId(id), join)?,
                BlockKind::Scanner(scanner) if scanner.skips => streams.check_scanner(BlockId(id))?,
                _ => {}
            }
        }
        Ok(())
    }
}

struct Streams<'g> {
    graph: &'g Graph,
    from: HashMap<(BlockId, Port), &'g Stream>,
    to: HashMap<(BlockId, Port), &'g Stream>,
}

impl<'g> Streams<'g> {
    fn new(graph: &'g Graph) -> Self {
        let from = graph.streams.iter().map(|stream| (stream.from, stream)).collect();
        let ends = |stream: &'g Stream| stream.to.iter().map(move |to| (*to, stream));
        Self { graph, from, to: graph.streams.iter().flat_map(ends).collect() }
    }

    fn check_joiner(&self, id: BlockId, join: &Join) -> Result<(), WiringError> {
        for (number, operand) in join.operands.iter().enumerate() {
            let Some(skip) = join.skip(number) else { continue };
            let (operand, name) = (&operand.name, self.name(id));
            let fault = |message: String| Err(WiringError::new(id, message));
            if join.how == Merge::Union || join.width.is_some() {
                let what = if join.how == Merge::Union { "unites" } else { "takes words of bits" };
                return fault(format!("`{name}` {what}, and cannot leave out coordinates of `{operand}`"));
            }
            let to = self.from.get(&(id, skip)).map_or(&[][..], |stream| &stream.to);
            if to.len() != 1 {
                let message = format!("`{name}` tells {} blocks", to.len());
                return fault(format!("{message} what `{operand}` is to go on with, expected one"));
            }
            let expected = self.to.get(&(id, Port::operand_crd(number))).map(|stream| stream.from.0);
            if Some(to[0].0) != expected {
                let told = self.name(to[0].0);
                return fault(format!("`{name}` tells `{told}`, which does not scan `{operand}`"));
            }
        }
        Ok(())
    }

    fn check_scanner(&self, id: BlockId) -> Result<(), WiringError> {
        let fault = |message: String| Err(WiringError::new(id, message));
        let name = self.name(id);
        let told = self.to.get(&(id, Port::SKIP)).map(|stream| stream.from);
        let Some((join, operand)) = told.and_then(|from| self.skipping_operand(from)) else {
            return fault(format!("`{name}` skips, expected an intersecter that tells it what is needed"));
        };
        let expected = [Port::operand_crd(operand), Port::operand_ref(operand)];
        for (output, expected) in expected.into_iter().enumerate() {
            let stream = self.from.get(&(id, Port(output)));
            let other = stream.and_then(|stream| stream.to.iter().find(|to| **to != (join, expected)));
            match other {
                Some((other, _)) if *other == join => {
                    let join = self.name(join);
                    return fault(format!("`{join}` tells `{name}` what another operand is to go on with"));
                }
                Some((other, _)) => {
                    let (other, join) = (self.name(*other), self.name(join));
                    let message = format!("`{other}` reads what `{name}` scans, expected `{join}` alone");
                    return fault(format!("{message}, which tells it what to leave out"));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The joiner and the operand that an output belongs to, if that says what to go on with.
    fn skipping_operand(&self, (id, port): (BlockId, Port)) -> Option<(BlockId, usize)> {
        let BlockKind::Join(join) = &self.graph.blocks[id.0].kind else { return None };
        let operand = (0..join.operands.len()).find(|operand| join.skip(*operand) == Some(port))?;
        Some((id, operand))
    }

    fn name(&self, id: BlockId) -> &str {
        &self.graph.blocks[id.0].name
    }
}
