//! BV: a bit for each coordinate under each parent, in words, and the number of bits before each parent's.

use super::LevelCode;
use crate::error::Error;
use crate::kernel::CheckedLevel;
use crate::memory::{Array, checked_product};
use crate::pack::{EveryPosition, LevelBuilder, Weighing};
use crate::tensor::{Index, IndexArray, LevelStorage};
use std::fmt::Display;
use std::ops::Range;

#[derive(Clone, Copy)]
pub(crate) struct BitVector {
    pub(crate) bits: usize,
}

impl LevelCode for BitVector {
    fn pack<I: Index>(self, builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        let level = levels.start;
        let (pos, runs) = builder.runs(levels)?;
        let size = builder.tensor.level_size(level) as usize;
        let (words_each, bits) = (size.div_ceil(self.bits), self.bits);
        let len = words(builder.fibers.len(), size, bits, &builder.name("words"))?;
        let mut words = Array::<i64>::zeroed(len, &builder.name("words"))?;
        for parent in 0..builder.fibers.len() {
            for entry in builder.fibers.of(parent) {
                let coordinate = builder.keys.coordinate(level, entry) as usize;
                words[parent * words_each + coordinate / bits] |= 1 << (coordinate % bits);
            }
        }
        builder.push(I::store(pos), IndexArray::I64(words));
        builder.hand_on(runs, 0);
        Ok(())
    }

    fn store_every<I: Index>(
        self,
        every: &mut EveryPosition<'_, I>,
        levels: Range<usize>,
    ) -> Result<bool, Error> {
        let size = every.size(levels.start);
        let len = words(every.positions, size, self.bits, &every.name("words"))?;
        let mut words = Array::<i64>::unspecified(len, &every.name("words"))?;
        words.fill(lowest(self.bits));
        if !size.is_multiple_of(self.bits) {
            let last = words.chunks_mut(size.div_ceil(self.bits)).filter_map(<[i64]>::last_mut);
            last.for_each(|word| *word = lowest(size % self.bits));
        }
        every.push(every.starts(size)?, IndexArray::I64(words));
        every.multiply(size)?;
        Ok(true)
    }

    fn weigh<I: Index>(self, weighing: &mut Weighing<'_, I>, levels: Range<usize>) -> Result<(), Error> {
        weighing.add_starts();
        weighing.add_words((weighing.tensor.level_size(levels.start) as u64).div_ceil(self.bits as u64));
        weighing.positions = weighing.distinct(levels.end);
        Ok(())
    }

    fn walk(self, stored: &LevelStorage, size: usize, parent: usize, mut visit: impl FnMut(i64, usize)) {
        let words_each = size.div_ceil(self.bits);
        let mut position = stored.pos.get(parent) as usize;
        for word in 0..words_each {
            let mut set = stored.crd.get(parent * words_each + word) as u64;
            while set != 0 {
                visit((word * self.bits) as i64 + i64::from(set.trailing_zeros()), position);
                position += 1;
                set &= set - 1;
            }
        }
    }

    fn check(self, level: &CheckedLevel<'_>, parents: usize) -> Result<usize, Error> {
        level.positions(parents)?;
        Ok(level.stored.pos.get(parents) as usize)
    }
}

/// Returns a word with the lowest `bits` bits set.
fn lowest(bits: usize) -> i64 {
    (u64::MAX >> (64 - bits)).cast_signed()
}

/// Returns the number of words of that many parents.
pub(crate) fn words(parents: usize, size: usize, bits: usize, what: &dyn Display) -> Result<usize, Error> {
    checked_product(&[parents, size.div_ceil(bits)], what)
}
