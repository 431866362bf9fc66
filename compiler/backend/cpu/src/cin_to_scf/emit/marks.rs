//! The marks of a dense workspace that is drained: one for each element, and one for each stretch of
//! elements. Whatever comes sets both without looking, since whether an element is new is hard to foresee
//! where rows of the result have few products to an element; `ta.collect_marked` finds the elements in order
//! below the stretches, and takes the marks away.
//!
//! Products of matrices in C, Zen 5, times of looking whether an element is new, and of a third level of
//! marks, over this: bcsstk16 0.84, 1.19; Laplacian 58³ 0.93, 1.27; ca-AstroPh 1.61, 1.04; memplus 1.04,
//! 1.06.

use super::Emitter;
use comet_ir::{Builder, Result, Val, types};

/// So many marks are looked at together.
const BLOCK: i64 = 64;

/// 2 to the power of these elements are in a stretch, at least and at most.
const SHIFTS: [i64; 2] = [6, 12];

/// The bits of the number of stretches that is aimed at: all their marks are looked at for each row.
const BITS: i64 = 12;

/// Where the marks of the stretches begin, and how far elements are shifted to give the number of theirs.
#[derive(Clone, Copy)]
pub(in crate::cin_to_scf) struct Stretches<'c> {
    start: Val<'c>,
    pub(super) shift: Val<'c>,
}

impl<'c> Stretches<'c> {
    /// Those of so many elements; and how many marks there are in all.
    pub(super) fn of(
        emitter: &Emitter<'_, 'c>,
        b: Builder<'c>,
        size: Val<'c>,
    ) -> Result<'c, (Self, Val<'c>)> {
        let wide = types::int(b.context(), 64);
        let too_many = b.shift_right(b.index_cast(size, wide)?, b.int(wide, BITS)?)?;
        let zeros = b.value("math.ctlz", &[too_many], wide)?;
        let bits = b.index_cast(b.subi(b.int(wide, 64)?, zeros)?, types::index(b.context()))?;
        let [least, most] = [emitter.constant(SHIFTS[0])?, emitter.constant(SHIFTS[1])?];
        let shift = b.mini(b.maxi(bits, least)?, most)?;
        let start = in_blocks(emitter, b, size)?;
        let one = emitter.constant(1)?;
        // One more than the last element's, which is enough for none, too.
        let count = b.addi(b.shift_right(size, shift)?, one)?;
        let all = b.addi(start, in_blocks(emitter, b, count)?)?;
        Ok((Self { start, shift }, all))
    }

    /// Marks the stretch of an element.
    pub(super) fn mark(&self, b: Builder<'c>, marks: Val<'c>, element: Val<'c>) -> Result<'c, ()> {
        let mark = b.int(types::int(b.context(), 8), 1)?;
        b.store(mark, marks, b.addi(self.start, b.shift_right(element, self.shift)?)?)
    }
}

/// As many marks as whole blocks with at least so many have.
fn in_blocks<'c>(emitter: &Emitter<'_, 'c>, b: Builder<'c>, count: Val<'c>) -> Result<'c, Val<'c>> {
    b.muli(emitter.ceil_div(b, count, BLOCK)?, emitter.constant(BLOCK)?)
}
