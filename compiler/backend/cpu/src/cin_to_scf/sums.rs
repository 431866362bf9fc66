//! Sums in vector registers: with n lanes, each adds up every n-th value of a dense loop; the lanes are added
//! up behind it.

use super::operator::zero;
use super::workspace::Slot;
use super::{Lanes, Lowering};
use comet_ir::{Bounds, Builder, Compare, Op, Result, Val, types};
use comet_passes::cin::vectorize::MOST_LANES;
use comet_passes::cin::vectorize_sums::sums_lanes;
use comet_passes::nest::optional_integer;
use comet_passes::sums::Sums;
use melior::ir::ValueLike;

impl<'c> Lowering<'c> {
    /// The scalar that a marked loop can add to in the lanes of a vector.
    pub(super) fn vector_sum(&self, op: Op<'c>) -> Option<Val<'c>> {
        let lanes = optional_integer(op, "vectorize").and_then(|lanes| u64::try_from(lanes).ok())?;
        let sum = sums_lanes(op.typed(), &self.relations).filter(|_| self.sums == Sums::AnyOrder)?;
        let is_free = self.lanes.is_none() && self.bound(op.operand(0)).is_none();
        ((2..=MOST_LANES).contains(&lanes) && lanes.is_power_of_two() && is_free).then_some(sum)
    }

    /// Whole blocks of lanes, and then what is left, masked.
    pub(super) fn add_up_lanes(&mut self, b: Builder<'c>, op: Op<'c>, sum: Val<'c>) -> Result<'c, ()> {
        let lanes = optional_integer(op, "vectorize").map_or(1, |lanes| lanes as u64);
        // The sum, and whether anything has come to it where that matters.
        let slots: Vec<Slot<'c>> = self.carried(op);
        let before = self.contents(&slots);
        let place = slots.iter().position(|slot| *slot == Slot::Value(sum));
        let place = place.expect("a where-statement has begun the workspace");
        let var = op.operand(0);
        let (whole, step) = (self.extent(b, var)?, self.storage.constant(lanes as i64)?);
        let rest = b.remi(whole, step)?;
        let stop = b.subi(whole, rest)?;
        let mut nothing = before.clone();
        nothing[place] = zero(b, types::vector(lanes, before[place].r#type()))?;
        let types: Vec<_> = nothing.iter().map(|value| value.r#type()).collect();
        let bounds = Bounds { start: self.storage.constant(0)?, stop, step };
        let blocks = b.for_step(bounds, &nothing, |b, first, held| {
            let all = Lanes { var, count: lanes, mask: None, are_added_up: true };
            self.add_block(b, op, &slots, all, first, held)
        })?;
        let is_left = b.cmpi(Compare::Ne, rest, self.storage.constant(0)?)?;
        let mut after = b.if_else(
            is_left,
            &types,
            |b| {
                let mask = Some(b.mask(rest, lanes)?);
                let some = Lanes { var, count: lanes, mask, are_added_up: true };
                self.add_block(b, op, &slots, some, stop, &blocks)
            },
            |_| Ok(blocks.clone()),
        )?;
        after[place] = b.add_reassociable(before[place], b.sum_of_lanes(after[place], lanes)?)?;
        self.set_contents(&slots, &after);
        Ok(())
    }

    /// What the slots hold after a block whose first value is given.
    fn add_block(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        slots: &[Slot<'c>],
        lanes: Lanes<'c>,
        first: Val<'c>,
        held: &[Val<'c>],
    ) -> Result<'c, Vec<Val<'c>>> {
        let outer = (self.lanes.replace(lanes), std::mem::replace(&mut self.reassociates, true));
        let before = self.contents(slots);
        self.set_contents(slots, held);
        let result = self.scoped(|this| {
            // Inside of the block the variable stands for its first lane.
            this.coordinates.push((lanes.var, first));
            this.block(b, op.body(0))
        });
        let after = self.contents(slots);
        self.set_contents(slots, &before);
        (self.lanes, self.reassociates) = outer;
        result.map(|()| after)
    }
}
