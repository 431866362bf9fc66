//! Bit vectors under a cursor: levels that have a bit for each coordinate, in words (sam.txt section 4.3).
//!
//! Each word is loaded once. The coordinates in it are found by counting the zeros below its lowest bit, and
//! positions that are passed over by counting bits.

use super::Lowering;
use super::point::{Point, Positions};
use comet_ir::{Builder, Compare, Result, Val, types};
use melior::ir::ValueLike;

/// Where a cursor stands in the words of a level.
#[derive(Clone, Copy)]
pub(super) struct Words<'c> {
    /// All words of the level: a `memref<?xi64>`.
    array: Val<'c>,
    /// The coordinates in a word.
    bits: u32,
    /// The number of the fiber's first word.
    first: Val<'c>,
    /// The number of the word that the cursor stands in.
    pub(super) current: Val<'c>,
    /// The bits of that word from the cursor's own on; none behind the fiber's last one.
    pub(super) rest: Val<'c>,
}

impl<'c> Words<'c> {
    /// At another place of the fiber.
    pub(super) fn at(self, current: Val<'c>, rest: Val<'c>) -> Self {
        Self { current, rest, ..self }
    }
}

impl<'c> Lowering<'c> {
    /// In front of the words of the fiber below where a point has got.
    pub(super) fn words(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        at: &Positions<'c>,
        bits: u32,
    ) -> Result<'c, Words<'c>> {
        let array = self.storage.coordinates(point.tensor, at.levels)?;
        let size = self.storage.size(point.tensor, at.levels)?;
        let each = self.storage.ceil_div(b, size, i64::from(bits))?;
        let (zero, one) = (self.storage.constant(0)?, self.storage.constant(1)?);
        let first = b.muli(at.last.unwrap_or(zero), each)?;
        let current = b.subi(first, one)?;
        Ok(Words { array, bits, first, current, rest: b.int(types::int(b.context(), 64), 0)? })
    }

    /// The coordinate that the cursor stands at.
    pub(super) fn coordinate_of_bit(&mut self, b: Builder<'c>, words: &Words<'c>) -> Result<'c, Val<'c>> {
        let below = b.value("math.cttz", &[words.rest], words.rest.r#type())?;
        let start = self.start_of_word(b, words)?;
        b.addi(start, b.index_cast(below, types::index(b.context()))?)
    }

    fn start_of_word(&mut self, b: Builder<'c>, words: &Words<'c>) -> Result<'c, Val<'c>> {
        let width = self.storage.constant(i64::from(words.bits))?;
        b.muli(b.subi(words.current, words.first)?, width)
    }

    /// Goes on to a word that has bits left if the position, which is that of the next bit, is one.
    pub(super) fn at_next_bit(
        &mut self,
        b: Builder<'c>,
        words: Words<'c>,
        [position, end]: [Val<'c>; 2],
    ) -> Result<'c, Words<'c>> {
        let one = self.storage.constant(1)?;
        let results = b.while_loop(
            &[words.current, words.rest],
            |b, carried| {
                let none = b.int(carried[1].r#type(), 0)?;
                let is_empty = b.cmpi(Compare::Eq, carried[1], none)?;
                b.value_op("and", b.cmpi(Compare::Lt, position, end)?, is_empty)
            },
            |b, carried| {
                let current = b.addi(carried[0], one)?;
                Ok(vec![current, b.load(words.array, current)?])
            },
        )?;
        Ok(Words { current: results[0], rest: results[1], ..words })
    }

    /// The first bit that is not below a coordinate, and its position.
    pub(super) fn bit_from(
        &mut self,
        b: Builder<'c>,
        words: Words<'c>,
        range: [Val<'c>; 2],
        coordinate: Val<'c>,
    ) -> Result<'c, (Words<'c>, Val<'c>)> {
        let width = self.storage.constant(i64::from(words.bits))?;
        let goal = b.addi(words.first, b.divi(coordinate, width)?)?;
        let (words, position) = self.word_from(b, words, range, goal)?;
        let here = b.cmpi(Compare::Eq, words.current, goal)?;
        let integer = words.rest.r#type();
        let place = b.index_cast(b.remi(coordinate, width)?, integer)?;
        let (none, one) = (b.int(integer, 0)?, b.int(integer, 1)?);
        let smaller = b.subi(b.value("arith.shli", &[one, place], integer)?, one)?;
        let below = b.select(here, b.value_op("and", words.rest, smaller)?, none)?;
        let rest = b.value_op("xor", words.rest, below)?;
        let position = b.addi(position, count(b, below)?)?;
        let words = self.at_next_bit(b, Words { rest, ..words }, [position, range[1]])?;
        Ok((words, position))
    }

    /// The word with that number, or a later one that the cursor stands in already; less far where the fiber
    /// has no more bits.
    fn word_from(
        &mut self,
        b: Builder<'c>,
        words: Words<'c>,
        [position, end]: [Val<'c>; 2],
        goal: Val<'c>,
    ) -> Result<'c, (Words<'c>, Val<'c>)> {
        let one = self.storage.constant(1)?;
        let results = b.while_loop(
            &[position, words.current, words.rest],
            |b, carried| {
                let is_before = b.cmpi(Compare::Lt, carried[1], goal)?;
                b.value_op("and", b.cmpi(Compare::Lt, carried[0], end)?, is_before)
            },
            |b, carried| {
                let position = b.addi(carried[0], count(b, carried[2])?)?;
                let current = b.addi(carried[1], one)?;
                let has_more = b.cmpi(Compare::Lt, position, end)?;
                let load = |b: Builder<'c>| Ok(vec![b.load(words.array, current)?]);
                let none = |b: Builder<'c>| Ok(vec![b.int(carried[2].r#type(), 0)?]);
                let rest = b.if_else(has_more, &b.types_of(&carried[2..]), load, none)?[0];
                Ok(vec![position, current, rest])
            },
        )?;
        Ok((Words { current: results[1], rest: results[2], ..words }, results[0]))
    }
}

/// Without the bit that the cursor stands at.
pub(super) fn without_lowest<'c>(b: Builder<'c>, rest: Val<'c>) -> Result<'c, Val<'c>> {
    let one = b.int(rest.r#type(), 1)?;
    b.value_op("and", rest, b.subi(rest, one)?)
}

/// The number of bits.
fn count<'c>(b: Builder<'c>, bits: Val<'c>) -> Result<'c, Val<'c>> {
    let count = b.value("math.ctpop", &[bits], bits.r#type())?;
    b.index_cast(count, types::index(b.context()))
}
