//! What operations do with tensors, as far as new numbers for indices are concerned.

use comet_ir::ta::{self, Ta};
use comet_ir::{Block, Op, Val, types};
use melior::ir::ValueLike;

/// How an operation uses one of its operands, a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is an operand of an expression.
    Computed,
    /// It gets what an expression, a copy or another variable holds, or moves its storage into another one.
    Assigned,
    /// Every element gets the same value: numbers of indices do not matter.
    Filled,
    /// It gets content whose indices have the numbers of the program.
    Given,
    /// Its content is shown with the numbers of the program.
    Shown,
    Copied,
    Released,
    /// Something else, which may look at its storage.
    Other,
}

/// The tensors that an operation names, each with its use.
pub(super) fn uses<'c>(op: Op<'c>) -> Vec<(usize, Val<'c>, Use)> {
    let operands = op.operands().into_iter().enumerate();
    let tensors = operands.filter(|(_, value)| types::is_tensor(value.r#type()));
    let last = op.operands().len().saturating_sub(1);
    tensors.map(|(place, value)| (place, value, use_of(op, place, last))).collect()
}

fn use_of(op: Op<'_>, place: usize, last: usize) -> Use {
    match Ta::of(op) {
        Some(Ta::LabeledTensor(_)) => Use::Computed,
        Some(Ta::Tc(_)) if place < last => Use::Computed,
        Some(Ta::Convert(_)) if place == 0 => Use::Copied,
        Some(Ta::Tc(_) | Ta::Set(_) | Ta::Convert(_) | Ta::Move(_)) => Use::Assigned,
        Some(Ta::Fill(_)) => Use::Filled,
        Some(Ta::Read(_) | Ta::Random(_) | Ta::Literal(_)) => Use::Given,
        Some(Ta::Print(_) | Ta::PrintEntries(_) | Ta::Write(_)) => Use::Shown,
        Some(Ta::Release(_)) => Use::Released,
        _ => Use::Other,
    }
}

impl Use {
    /// Whether the tensor holds something else afterwards.
    pub(super) fn writes(self) -> bool {
        matches!(self, Self::Assigned | Self::Filled | Self::Given | Self::Other)
    }
}

/// The block of a function, with what happens in each of its operations, those inside of it included.
pub(super) struct Body<'c> {
    pub(super) ops: Vec<Op<'c>>,
    events: Vec<Vec<(Op<'c>, Val<'c>, Use)>>,
}

impl<'c> Body<'c> {
    pub(super) fn of(block: Block<'c>) -> Self {
        let ops = block.ops();
        let events = ops.iter().map(|op| {
            let mut events = Vec::new();
            let mut visit = |op: Op<'c>| {
                events.extend(uses(op).into_iter().map(|(_, value, found)| (op, value, found)));
            };
            visit(*op);
            op.for_each_inside(&mut visit);
            events
        });
        Self { events: events.collect(), ops }
    }

    /// The operations that use a tensor in some way, each with the place in the block of what holds it.
    pub(super) fn places(
        &self,
        tensor: Val<'c>,
        is_meant: impl Fn(Use) -> bool,
    ) -> impl DoubleEndedIterator<Item = (usize, Op<'c>)> {
        let of = move |(place, events): (usize, &Vec<(Op<'c>, Val<'c>, Use)>)| {
            let meant = events.iter().filter(|(_, value, found)| *value == tensor && is_meant(*found));
            meant.map(|(op, _, _)| (place, *op)).collect::<Vec<_>>()
        };
        self.events.iter().enumerate().flat_map(of).collect::<Vec<_>>().into_iter()
    }

    /// Every variable of the function, in the order of their declarations.
    pub(super) fn variables(&self) -> Vec<ta::TensorDecl<'c>> {
        let mut found = Vec::new();
        let mut visit = |op: Op<'c>| found.extend(op.cast::<ta::TensorDecl>());
        for op in &self.ops {
            visit(*op);
            op.for_each_inside(&mut visit);
        }
        found
    }

    /// The operands of expressions, in the order of the program, each once.
    pub(super) fn operands(&self) -> Vec<Val<'c>> {
        let mut found: Vec<Val<'c>> = Vec::new();
        for (_, value, _) in self.events.iter().flatten().filter(|event| event.2 == Use::Computed) {
            if !found.contains(value) {
                found.push(*value);
            }
        }
        found
    }
}
