//! Whether references lead into the tensor that they come from.

use super::sources::Sources;
use super::{BlockId, BlockKind, Graph, Port, Serialize, StreamKind, ValuePlacement, WiringError};
use std::collections::HashMap;

impl Graph {
    /// Checks that references which enter what reads a tensor come from a scanner, a locator or the root of
    /// that tensor, from the level before the one that is read, and that a serializer merges those of one
    /// tensor.
    pub(super) fn check_references(&self, sources: &Sources<'_>) -> Result<(), WiringError> {
        let orders = self.tensors.iter().map(|tensor| (tensor.name.as_str(), tensor.order.as_slice()));
        let references = References { graph: self, sources, orders: orders.collect() };
        (0..self.blocks.len()).try_for_each(|id| references.check(BlockId(id)))
    }
}

#[derive(Clone, Copy)]
struct TensorPosition<'g> {
    tensor: &'g str,
    /// How many of its levels are behind them, if that is known: none of the root, all of a value.
    levels: Option<usize>,
}

struct References<'g> {
    graph: &'g Graph,
    sources: &'g Sources<'g>,
    orders: HashMap<&'g str, &'g [usize]>,
}

impl<'g> References<'g> {
    fn check(&self, id: BlockId) -> Result<(), WiringError> {
        match &self.graph.blocks[id.0].kind {
            BlockKind::Serialize(serialize) => self.check_serializer(id, serialize),
            kind => self.read(kind).map_or(Ok(()), |(port, expected)| self.check_place((id, port), expected)),
        }
    }

    /// All copies give references to the same.
    fn check_serializer(&self, id: BlockId, serialize: &Serialize) -> Result<(), WiringError> {
        if serialize.carries.is_none_or(|carried| carried.kind != StreamKind::Ref) {
            return Ok(());
        }
        let carried = |copy: usize| (id, Port::operand_ref(copy));
        let first = self.sources.made_by(carried(0)).and_then(|block| self.made(block));
        first.map_or(Ok(()), |expected| {
            (1..serialize.factor).try_for_each(|copy| self.check_place(carried(copy), expected))
        })
    }

    /// Checks what enters an input, if something does and it is known where it comes from.
    fn check_place(&self, input: (BlockId, Port), expected: TensorPosition<'_>) -> Result<(), WiringError> {
        let Some(from) = self.sources.made_by(input) else { return Ok(()) };
        let Some(found) = self.made(from) else { return Ok(()) };
        if found.tensor != expected.tensor {
            return Err(self.other_tensor(input, from, [found.tensor, expected.tensor]));
        }
        match (found.levels, expected.levels) {
            (Some(found), Some(levels)) if found != levels => {
                Err(self.other_level(input, from, expected.tensor, [found, levels]))
            }
            _ => Ok(()),
        }
    }

    fn other_tensor(
        &self,
        (block, input): (BlockId, Port),
        from: BlockId,
        [found, expected]: [&str; 2],
    ) -> WiringError {
        let (name, from) = (self.name(block), self.name(from));
        let message = format!(
            "references of `{found}`, from `{from}`, enter `{name}`, which takes those of `{expected}`"
        );
        let hint = format!(
            "lead references of `{expected}` there; a joiner gives at `out-{expected}` those that enter it at `in-{expected}`"
        );
        WiringError { input: Some(input), hint, ..WiringError::new(block, message) }
    }

    fn other_level(
        &self,
        (block, input): (BlockId, Port),
        from: BlockId,
        tensor: &str,
        [found, expected]: [usize; 2],
    ) -> WiringError {
        let (name, from) = (self.name(block), self.name(from));
        let message = format!(
            "references of `{tensor}`, from `{from}`, enter `{name}` behind {found} of its levels, expected {expected}"
        );
        let hint =
            "a level takes the references of the level before it, and the values those of the last one"
                .to_owned();
        WiringError { input: Some(input), hint, ..WiringError::new(block, message) }
    }

    fn name(&self, block: BlockId) -> &str {
        &self.graph.blocks[block.0].name
    }

    /// The input of a block for references, and what it takes them to lead to.
    fn read<'k>(&self, kind: &'k BlockKind) -> Option<(Port, TensorPosition<'k>)> {
        Some(match kind {
            BlockKind::Scanner(scanner) => (Port::FIRST, self.level(&scanner.tensor, scanner.mode)),
            BlockKind::Locate(locate) => (Port::SECOND, self.level(&locate.tensor, locate.mode)),
            BlockKind::Fetch(fetch) => (Port::FIRST, self.level(&fetch.tensor, fetch.mode)),
            BlockKind::Repeat(repeat) if repeat.carries == StreamKind::Ref => {
                (Port::FIRST, TensorPosition { tensor: &repeat.tensor, levels: None })
            }
            BlockKind::Array { tensor, .. } => (Port::FIRST, self.values(tensor)),
            BlockKind::WriteValues(write) if write.places != ValuePlacement::InOrder => {
                (Port::FIRST, self.values(&write.tensor))
            }
            _ => return None,
        })
    }

    fn made(&self, block: BlockId) -> Option<TensorPosition<'g>> {
        let behind = |place: TensorPosition<'g>| TensorPosition {
            levels: place.levels.map(|levels| levels + 1),
            ..place
        };
        match &self.graph.blocks[block.0].kind {
            BlockKind::Scanner(scanner) => Some(behind(self.level(&scanner.tensor, scanner.mode))),
            BlockKind::Locate(locate) => Some(behind(self.level(&locate.tensor, locate.mode))),
            BlockKind::Repeat(repeat) if repeat.root => {
                Some(TensorPosition { tensor: &repeat.tensor, levels: Some(0) })
            }
            _ => None,
        }
    }

    /// In front of the level that stores a mode.
    fn level<'k>(&self, tensor: &'k str, mode: usize) -> TensorPosition<'k> {
        let order = self.orders.get(tensor);
        TensorPosition {
            tensor,
            levels: order.and_then(|order| order.iter().position(|stored| *stored == mode)),
        }
    }

    /// At the values, behind all levels.
    fn values<'k>(&self, tensor: &'k str) -> TensorPosition<'k> {
        TensorPosition { tensor, levels: self.orders.get(tensor).map(|order| order.len()) }
    }
}
