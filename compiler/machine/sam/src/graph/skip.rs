//! Checks that an intersecter sends the scanners of its operands the coordinate that it needs next, and that
//! no other block reads what these leave out.

use super::{BlockId, BlockKind, Graph, Join, Merge, Port, Sources, WiringError};

impl Graph {
    /// Checks that each operand with a skip stream comes straight from a scanner that skips,
    /// which has no other reader, and that each such scanner has its intersecter.
    pub(super) fn check_skips(&self, sources: &Sources<'_>) -> Result<(), WiringError> {
        for (id, block) in self.blocks.iter().enumerate() {
            match &block.kind {
                BlockKind::Join(join) => self.check_skipping_joiner(BlockId(id), join, sources)?,
                BlockKind::Scanner(scanner) if scanner.skips => {
                    self.check_skipping_scanner(BlockId(id), sources)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_skipping_joiner(
        &self,
        id: BlockId,
        join: &Join,
        sources: &Sources<'_>,
    ) -> Result<(), WiringError> {
        for (number, operand) in join.operands.iter().enumerate() {
            let Some(skip) = join.skip(number) else { continue };
            let (operand, name) = (&operand.name, self.name(id));
            let fault = |message: String| Err(WiringError::new(id, message));
            if join.how == Merge::Union || join.width.is_some() {
                let what = if join.how == Merge::Union { "unites" } else { "takes words of bits" };
                return fault(format!("`{name}` {what}, and cannot leave out coordinates of `{operand}`"));
            }
            let to = self.readers_of((id, skip));
            if to.len() != 1 {
                let message = format!("`{name}` signals to {} blocks", to.len());
                return fault(format!("{message} what `{operand}` is to go on with, expected one"));
            }
            let expected = sources.source((id, Port::operand_crd(number))).map(|(block, _)| block);
            if Some(to[0].0) != expected {
                let told = self.name(to[0].0);
                return fault(format!("`{name}` signals to `{told}`, which does not scan `{operand}`"));
            }
        }
        Ok(())
    }

    fn check_skipping_scanner(&self, id: BlockId, sources: &Sources<'_>) -> Result<(), WiringError> {
        let fault = |message: String| Err(WiringError::new(id, message));
        let name = self.name(id);
        let told = sources.source((id, Port::SKIP));
        let Some((join, operand)) = told.and_then(|from| self.skipping_operand(from)) else {
            return fault(format!("`{name}` skips, expected an intersecter that signals what is needed"));
        };
        let expected = [Port::operand_crd(operand), Port::operand_ref(operand)];
        for (output, expected) in expected.into_iter().enumerate() {
            let readers = self.readers_of((id, Port(output)));
            let other = readers.iter().find(|to| **to != (join, expected));
            match other {
                Some((other, _)) if *other == join => {
                    let join = self.name(join);
                    return fault(format!(
                        "`{join}` signals to `{name}` what another operand is to go on with"
                    ));
                }
                Some((other, _)) => {
                    let (other, join) = (self.name(*other), self.name(join));
                    let message = format!("`{other}` reads what `{name}` scans, expected `{join}` alone");
                    return fault(format!("{message}, which signals what to leave out"));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// The joiner and the operand that an output belongs to, if that says what to go on with.
    fn skipping_operand(&self, (id, port): (BlockId, Port)) -> Option<(BlockId, usize)> {
        let BlockKind::Join(join) = &self.blocks[id.0].kind else { return None };
        let operand = (0..join.operands.len()).find(|operand| join.skip(*operand) == Some(port))?;
        Some((id, operand))
    }

    fn readers_of(&self, output: (BlockId, Port)) -> &[(BlockId, Port)] {
        self.streams.iter().find(|stream| stream.from == output).map_or(&[], |stream| &stream.to)
    }

    pub(super) fn name(&self, id: BlockId) -> &str {
        &self.blocks[id.0].name
    }
}
