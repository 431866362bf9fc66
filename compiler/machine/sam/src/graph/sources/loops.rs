//! The loops that a token is inside of: index variables whose coordinates have come together before it.

use super::Sources;
use crate::graph::{BlockId, BlockKind, Port, StreamKind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop<'g> {
    pub(crate) index: &'g str,
    /// The mode of the token's tensor that it is over; none where the token is only repeated.
    pub(crate) mode: Option<usize>,
    pub(crate) crd: (BlockId, Port),
}

impl<'g> Sources<'g> {
    /// The loops around the tokens of an output, the outermost first: those of references, or of values that
    /// no reducer has made. Of a block that computes, they are those of its first operand.
    pub(crate) fn loops(&self, output: (BlockId, Port)) -> Vec<Loop<'g>> {
        let mut walk = StreamWalk { sources: self, loops: Vec::new(), dealt: Vec::new() };
        let mut next = Some(output);
        // A cycle of streams passes no more blocks than there are.
        for _ in 0..=self.graph.blocks.len() {
            let Some((block, port)) = next else { break };
            next = walk.passed((block, port)).and_then(|input| self.source((block, input)));
        }
        walk.loops.reverse();
        walk.loops
    }
}

struct StreamWalk<'s, 'g> {
    sources: &'s Sources<'g>,
    loops: Vec<Loop<'g>>,
    /// The variables whose coordinates were dealt out to copies, and which copy the stream is in.
    dealt: Vec<(&'g str, Port)>,
}

impl<'g> StreamWalk<'_, 'g> {
    /// The input that what comes out of an output has entered by; none of a root, and where values were made.
    fn passed(&mut self, (block, port): (BlockId, Port)) -> Option<Port> {
        match &self.sources.graph.blocks[block.0].kind {
            BlockKind::Scanner(scanner) => self.add(&scanner.index, Some(scanner.mode), (block, Port::FIRST)),
            BlockKind::Join(join) => {
                self.add(&join.index, None, (block, Port::FIRST));
                let operand = port.0.checked_sub(1).filter(|operand| *operand < join.operands.len());
                return operand.map(Port::operand_ref);
            }
            BlockKind::Repeat(repeat) => {
                let signals = self.sources.source((block, Port::SECOND))?;
                self.add(&repeat.index, None, self.sources.source((signals.0, Port::FIRST))?);
            }
            BlockKind::Locate(locate) => {
                self.add(&locate.index, Some(locate.mode), self.sources.source((block, Port::FIRST))?);
                return Some(Port::SECOND);
            }
            BlockKind::Parallelize(parallelize) => self.dealt.push((&parallelize.index, port)),
            BlockKind::ToWords(_) => return Some(Port::SECOND),
            BlockKind::Drop { .. } => return Some(port),
            BlockKind::Fetch(_)
            | BlockKind::Array { .. }
            | BlockKind::Alu(_)
            | BlockKind::Apply(_)
            | BlockKind::Mask(_) => {}
            _ => return None,
        }
        Some(Port::FIRST)
    }

    /// Adds a variable. After a joiner its scanner follows, which has the mode.
    fn add(&mut self, index: &'g str, mode: Option<usize>, crd: (BlockId, Port)) {
        let crd = self.dealt_out(index, crd);
        match self.loops.last_mut().filter(|last| last.index == index) {
            Some(last) => last.mode = last.mode.or(mode),
            None => self.loops.push(Loop { index, mode, crd }),
        }
    }

    fn dealt_out(&mut self, index: &str, crd: (BlockId, Port)) -> (BlockId, Port) {
        let Some(&(_, copy)) = self.dealt.iter().find(|(dealt, _)| *dealt == index) else { return crd };
        let graph = self.sources.graph;
        let readers = graph.streams.iter().filter(|stream| stream.from == crd).flat_map(|stream| &stream.to);
        let deals = |block: &BlockId| {
            matches!(&graph.blocks[block.0].kind, BlockKind::Parallelize(dealer)
                if dealer.index == index && dealer.carries == StreamKind::Crd)
        };
        let mut dealers = readers.map(|(block, _)| *block).filter(deals);
        dealers.next().map_or(crd, |dealer| (dealer, copy))
    }
}
