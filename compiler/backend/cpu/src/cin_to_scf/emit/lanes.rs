//! Loops over blocks of vector lanes, each of which is computed at once, and sums in vector registers: with n
//! lanes, each adds up every n-th value of a dense loop; the lanes are added up after it.

use super::Emitter;
use super::env::Env;
use super::operator::zero;
use crate::cin_to_scf::plan::{Slot, Step};
use comet_ir::{Bounds, Builder, Compare, Result, Val, types};
use comet_notation::concrete::{LoopId, TensorId, Var};
use comet_notation::relations::Split;
use melior::ir::ValueLike;

/// The lanes of the last, masked blocks: one register of eight doubles, or two of four.
const TAIL_LANES: u64 = 8;

/// From that many bits of lanes on, a loop's body is long enough: repeating it in the code gains nothing,
/// costs a wrongly predicted branch for each row (SpMM, 32 columns, Zen 3: 1.00 to 1.03 times as long), and
/// takes longer to compile.
const LONG_BODY_BITS: u64 = 512;

/// A block of consecutive values of a variable, computed at once.
#[derive(Clone, Copy)]
pub(in crate::cin_to_scf) struct Lanes<'c> {
    /// The variable of the expression whose values they are.
    pub(super) var: Var,
    pub(super) count: u64,
    /// The lanes that exist; absent where all do.
    pub(super) mask: Option<Val<'c>>,
    /// Whether the lanes are added up in the end, so that those that do not exist must be 0.
    pub(super) are_added_up: bool,
}

impl<'c> Emitter<'_, 'c> {
    /// Whether the iterations of a loop compute many lanes of what it carries.
    pub(super) fn has_long_body(&self, env: &Env<'c>, forall: LoopId) -> bool {
        let bits = |value: &Val<'c>| u64::from(types::width(types::scalar(value.r#type())));
        let Some(lanes) = env.lanes else { return false };
        let carried = env.contents(&self.carried(env, forall));
        carried.iter().any(|value| lanes.count * bits(value) >= LONG_BODY_BITS)
    }

    /// Blocks of vector lanes: whole ones first, then one of half as many lanes where that many are left,
    /// then masked ones of fewer lanes up to the end. Each block goes through the operands once more: SpMM
    /// with 16 columns takes 0.85 of the time with that block, and 0.63 with `float` (Zen 5, Laplacian).
    pub(super) fn vector_blocks(
        &self,
        env: &mut Env<'c>,
        split: Split<Var>,
        lanes: u64,
        body: &[Step],
    ) -> Result<'c, ()> {
        let b = env.b;
        let whole = self.extent(env, split.var)?;
        let lanes_of = |count, mask| Lanes { var: split.var, count, mask, are_added_up: false };
        let masked = |bounds, count| {
            self.vector_block_loop(env, bounds, count, body, |b, first| {
                Ok(lanes_of(count, Some(b.mask(b.subi(whole, first)?, count)?)))
            })
        };
        let mut start = self.constant(0)?;
        // Tasks inside of a block are code for threads: with three numbers of lanes, SpMM takes 1.26 of the
        // time to compile. What it costs is that long rows of 8 columns take 1.3 to 2.4 times as long.
        if env.chunks.is_some() {
            return masked([start, whole], lanes);
        }
        // Masked ones take what is left.
        let sizes = [lanes, lanes / 2];
        for count in sizes.into_iter().filter(|count| *count == lanes || *count > TAIL_LANES) {
            let rest = b.remi(whole, self.constant(count as i64)?)?;
            let stop = b.subi(whole, rest)?;
            self.vector_block_loop(env, [start, stop], count, body, |_, _| Ok(lanes_of(count, None)))?;
            start = stop;
        }
        masked([start, whole], lanes.min(TAIL_LANES))
    }

    fn vector_block_loop(
        &self,
        env: &Env<'c>,
        [start, stop]: [Val<'c>; 2],
        step: u64,
        body: &[Step],
        lanes: impl FnOnce(Builder<'c>, Val<'c>) -> Result<'c, Lanes<'c>>,
    ) -> Result<'c, ()> {
        let bounds = Bounds { start, stop, step: self.constant(step as i64)? };
        env.b
            .for_step(bounds, &[], |b, first, _| {
                let mut inside = env.within(b);
                let lanes = lanes(b, first)?;
                inside.lanes = Some(lanes);
                // Inside of the block the variable stands for its first lane.
                inside.bind(lanes.var, first);
                self.steps(&mut inside, body).map(|()| Vec::new())
            })
            .map(|_| ())
    }

    /// A sum in the lanes of a vector: whole blocks of lanes, and then what is left, masked.
    pub(super) fn add_up_lanes(
        &self,
        env: &mut Env<'c>,
        (forall, sum): (LoopId, TensorId),
        lanes: u64,
        body: &[Step],
    ) -> Result<'c, ()> {
        let b = env.b;
        // The sum, and whether anything has come to it where that matters.
        let slots = self.carried(env, forall);
        let before = env.contents(&slots);
        let place = slots.iter().position(|slot| *slot == Slot::Value(sum));
        let place = place.expect("a where-statement has begun the workspace");
        let var = self.compute.forall(forall).var;
        let (whole, step) = (self.extent(env, var)?, self.constant(lanes as i64)?);
        let rest = b.remi(whole, step)?;
        let stop = b.subi(whole, rest)?;
        let mut nothing = before.clone();
        nothing[place] = zero(b, types::vector(lanes, before[place].r#type()))?;
        let bounds = Bounds { start: self.constant(0)?, stop, step };
        let lanes_of = |mask| Lanes { var, count: lanes, mask, are_added_up: true };
        let blocks = b.for_step(bounds, &nothing, |b, first, held| {
            self.add_block(&env.within(b), (&slots, held), (lanes_of(None), first), body)
        })?;
        let is_left = b.cmpi(Compare::Ne, rest, self.constant(0)?)?;
        let mut after = b.if_else(
            is_left,
            &b.types_of(&nothing),
            |b| {
                let mask = Some(b.mask(rest, lanes)?);
                self.add_block(&env.within(b), (&slots, &blocks), (lanes_of(mask), stop), body)
            },
            |_| Ok(blocks.clone()),
        )?;
        after[place] = b.add_reassociable(before[place], b.sum_of_lanes(after[place], lanes)?)?;
        env.set_contents(&slots, &after);
        Ok(())
    }

    /// What the slots hold after a block whose first value is given.
    fn add_block(
        &self,
        env: &Env<'c>,
        (slots, held): (&[Slot], &[Val<'c>]),
        (lanes, first): (Lanes<'c>, Val<'c>),
        body: &[Step],
    ) -> Result<'c, Vec<Val<'c>>> {
        let mut inside = env.clone();
        (inside.lanes, inside.is_innermost) = (Some(lanes), true);
        inside.set_contents(slots, held);
        // Inside of the block the variable stands for its first lane.
        inside.bind(lanes.var, first);
        self.steps(&mut inside, body)?;
        Ok(inside.contents(slots))
    }
}
