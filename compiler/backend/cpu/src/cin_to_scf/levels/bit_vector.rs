//! `BV`: a bit for each coordinate, in words (sam.txt section 4.3).
//!
//! Each word is loaded once. The coordinates in it are found by counting the zeros below its lowest bit, and
//! positions that are passed over by counting bits.

use super::{LevelAt, LevelIterator, Segment, State};
use crate::cin_to_scf::emit::env::Descent;
use comet_ir::{Builder, Compare, IrError, Result, Val, types};
use melior::ir::ValueLike;

pub(super) struct BitVector;

/// The place of a cursor in the words of a level.
#[derive(Clone, Copy)]
struct Words<'c> {
    position: Val<'c>,
    /// The number of the word that the cursor is in.
    current: Val<'c>,
    /// The bits of that word from the cursor's own on; none after the fiber's last one.
    rest: Val<'c>,
    /// All words of the level: a `memref<?xi64>`.
    array: Val<'c>,
    /// The number of the fiber's first word.
    first: Val<'c>,
}

impl<'c> Words<'c> {
    fn of(state: &State<'c>) -> Self {
        let ([position, current, rest], [array, first]) = (&state.moving[..], &state.fixed[..]) else {
            unreachable!("`open` has made the state")
        };
        Self { position: *position, current: *current, rest: *rest, array: *array, first: *first }
    }

    fn state(self) -> State<'c> {
        State { moving: vec![self.position, self.current, self.rest], fixed: vec![self.array, self.first] }
    }
}

impl LevelIterator for BitVector {
    fn coordinate<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        _parent: Val<'c>,
        _position: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        Err(IrError::not_supported(at.b.location(), "positions of a bit-vector level"))
    }

    fn parent<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        _position: Val<'c>,
        _above: Segment<'c>,
    ) -> Result<'c, Val<'c>> {
        Err(IrError::not_supported(at.b.location(), "positions of a bit-vector level"))
    }

    fn open<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        descent: &Descent<'c>,
        [position, end]: Segment<'c>,
    ) -> Result<'c, State<'c>> {
        let b = at.b;
        let array = at.coordinates()?;
        let each = at.emitter.ceil_div(b, at.size()?, width(at))?;
        let (zero, one) = (at.emitter.constant(0)?, at.emitter.constant(1)?);
        let first = b.muli(descent.last.unwrap_or(zero), each)?;
        let current = b.subi(first, one)?;
        let rest = b.int(types::int(b.context(), 64), 0)?;
        at_next_bit(at, Words { position, current, rest, array, first }, end).map(Words::state)
    }

    fn read<'c>(&self, at: LevelAt<'_, 'c>, state: &State<'c>) -> Result<'c, Val<'c>> {
        let b = at.b;
        let words = Words::of(state);
        let below = b.value("math.cttz", &[words.rest], words.rest.r#type())?;
        let width = at.emitter.constant(width(at))?;
        let start = b.muli(b.subi(words.current, words.first)?, width)?;
        b.addi(start, b.index_cast(below, types::index(b.context()))?)
    }

    fn following<'c>(&self, at: LevelAt<'_, 'c>, state: &State<'c>) -> Result<'c, State<'c>> {
        let b = at.b;
        let words = Words::of(state);
        let position = b.addi(words.position, at.emitter.constant(1)?)?;
        let one = b.int(words.rest.r#type(), 1)?;
        let rest = b.value_op("and", words.rest, b.subi(words.rest, one)?)?;
        Ok(Words { position, rest, ..words }.state())
    }

    fn settle<'c>(&self, at: LevelAt<'_, 'c>, state: State<'c>, end: Val<'c>) -> Result<'c, State<'c>> {
        at_next_bit(at, Words::of(&state), end).map(Words::state)
    }

    /// The first bit that is not below a coordinate, word by word.
    fn seek<'c>(
        &self,
        at: LevelAt<'_, 'c>,
        state: &State<'c>,
        end: Val<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Option<State<'c>>> {
        let b = at.b;
        let words = Words::of(state);
        let width = at.emitter.constant(width(at))?;
        let goal = b.addi(words.first, b.divi(coordinate, width)?)?;
        let words = word_from(at, words, (end, goal))?;
        let here = b.cmpi(Compare::Eq, words.current, goal)?;
        let integer = words.rest.r#type();
        let place = b.index_cast(b.remi(coordinate, width)?, integer)?;
        let (none, one) = (b.int(integer, 0)?, b.int(integer, 1)?);
        let smaller = b.subi(b.value("arith.shli", &[one, place], integer)?, one)?;
        let below = b.select(here, b.value_op("and", words.rest, smaller)?, none)?;
        let rest = b.value_op("xor", words.rest, below)?;
        let position = b.addi(words.position, count(b, below)?)?;
        at_next_bit(at, Words { position, rest, ..words }, end).map(|words| Some(words.state()))
    }
}

/// The number of bits of a word.
fn width(at: LevelAt<'_, '_>) -> i64 {
    i64::from(at.level().kind.word_bits().expect("bit vectors have words"))
}

/// Goes on to a word that has bits left if the position, which is that of the next bit, is one.
fn at_next_bit<'c>(at: LevelAt<'_, 'c>, words: Words<'c>, end: Val<'c>) -> Result<'c, Words<'c>> {
    let b = at.b;
    let one = at.emitter.constant(1)?;
    let results = b.while_loop(
        &[words.current, words.rest],
        |b, carried| {
            let none = b.int(carried[1].r#type(), 0)?;
            let is_empty = b.cmpi(Compare::Eq, carried[1], none)?;
            b.value_op("and", b.cmpi(Compare::Lt, words.position, end)?, is_empty)
        },
        |b, carried| {
            let current = b.addi(carried[0], one)?;
            Ok(vec![current, b.load(words.array, current)?])
        },
    )?;
    Ok(Words { current: results[0], rest: results[1], ..words })
}

/// The word with that number, or a later one that the cursor is in already; less far where the fiber has no
/// more bits.
fn word_from<'c>(
    at: LevelAt<'_, 'c>,
    words: Words<'c>,
    (end, goal): (Val<'c>, Val<'c>),
) -> Result<'c, Words<'c>> {
    let b = at.b;
    let one = at.emitter.constant(1)?;
    let results = b.while_loop(
        &[words.position, words.current, words.rest],
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
    Ok(Words { position: results[0], current: results[1], rest: results[2], ..words })
}

/// The number of bits that are set.
fn count<'c>(b: Builder<'c>, bits: Val<'c>) -> Result<'c, Val<'c>> {
    let count = b.value("math.ctpop", &[bits], bits.r#type())?;
    b.index_cast(count, types::index(b.context()))
}
