//! Loops over blocks of vector lanes: each block of a variable's values is computed at once (`lanes.rs` says
//! where).

use super::{Lanes, Lowering};
use comet_ir::{Bounds, Builder, Op, Result, Val, types};
use comet_passes::nest::Split;
use melior::ir::{TypeLike, ValueLike};

/// The lanes of the last, masked blocks: one register of eight doubles, or two of four.
const TAIL_LANES: u64 = 8;

/// From so many bits of lanes on, a loop's body is long enough: repeating it in the code gains nothing and
/// costs a wrongly predicted branch for each row (SpMM, 32 columns, Zen 3: 1.00 to 1.03 times as long).
const LONG_BODY_BITS: u64 = 1024;

/// Consecutive blocks from `start` to `stop`.
struct VectorBlocks<'c> {
    start: Val<'c>,
    stop: Val<'c>,
    lanes: u64,
    /// The end of the lanes that exist, where the last block may reach over it.
    masked: Option<Val<'c>>,
}

impl<'c> Lowering<'c> {
    /// Whether a loop over `var` is over the lanes of the block around it. Any other vectorized loop runs
    /// value by value.
    pub(super) fn is_lane(&self, var: Val<'c>) -> bool {
        let whole = self.relations.remainder_of(var).map(|split| split.var);
        self.lanes.is_some_and(|lanes| whole == Some(lanes.var))
    }

    /// Whether a loop that carries these values computes many lanes in each round.
    pub(super) fn has_long_body(&self, carried: &[Val<'c>]) -> bool {
        let bits = |value: &Val<'c>| if types::scalar(value.r#type()).is_f32() { 32 } else { 64 };
        let is_long = |lanes: u64| carried.iter().any(|value| lanes * bits(value) >= LONG_BODY_BITS);
        self.lanes.is_some_and(|lanes| is_long(lanes.count))
    }

    /// Blocks of vector lanes: whole ones first, then masked ones of fewer lanes up to the end.
    pub(super) fn vector_blocks(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        split: Split<'c>,
        lanes: u64,
    ) -> Result<'c, ()> {
        let whole = self.extent(b, split.var)?;
        let width = self.storage.constant(lanes as i64)?;
        let rest = b.remi(whole, width)?;
        let stop = b.subi(whole, rest)?;
        let start = self.storage.constant(0)?;
        self.vector_block_loop(b, op, split, VectorBlocks { start, stop, lanes, masked: None })?;
        let tail = lanes.min(TAIL_LANES);
        self.vector_block_loop(
            b,
            op,
            split,
            VectorBlocks { start: stop, stop: whole, lanes: tail, masked: Some(whole) },
        )
    }

    fn vector_block_loop(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        split: Split<'c>,
        blocks: VectorBlocks<'c>,
    ) -> Result<'c, ()> {
        let step = self.storage.constant(blocks.lanes as i64)?;
        b.for_step(Bounds { start: blocks.start, stop: blocks.stop, step }, &[], |b, first, _| {
            let mask = match blocks.masked {
                Some(whole) => {
                    let left = b.subi(whole, first)?;
                    Some(b.mask(left, blocks.lanes)?)
                }
                None => None,
            };
            let lanes = Lanes { var: split.var, count: blocks.lanes, mask, are_added_up: false };
            let lanes = self.lanes.replace(lanes);
            let result = self.scoped(|this| {
                // Inside the block the variable stands for its first lane.
                this.coordinates.push((split.var, first));
                this.block(b, op.body(0))
            });
            self.lanes = lanes;
            result.map(|()| Vec::new())
        })?;
        Ok(())
    }
}
