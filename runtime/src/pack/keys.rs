//! Sort keys: the coordinates of an entry's levels, outermost in the highest bits, in one or more 64-bit
//! words.

use crate::error::Error;
use crate::memory::zeroed_vec;
use crate::tensor::{ArrayName, Tensor};
use comet_format::LevelExpr;
use rayon::prelude::*;

/// Entries that one task handles, so that the words it fills stay in the cache from level to level.
const TASK: usize = 1 << 14;

/// The keys of all entries, one column a word.
#[derive(Clone)]
pub(crate) struct Keys {
    pub(crate) words: Vec<Vec<u64>>,
    pub(crate) fields: Vec<Field>,
}

/// The bits of the key that hold a level's coordinate.
#[derive(Clone, Copy)]
pub(crate) struct Field {
    expr: LevelExpr,
    word: usize,
    shift: u32,
    mask: u64,
}

impl Field {
    /// Returns the number of bits by which the level's coordinate is shifted in its word of a key.
    pub(crate) fn shift(&self) -> u32 {
        self.shift
    }

    /// Puts the level's coordinate of a point into its key.
    pub(crate) fn add(&self, key: &mut [u64], coordinates: &[i64]) {
        let Some(mode) = self.expr.mode() else { return };
        let coordinate = coordinates[mode] as u64;
        let part = match self.expr {
            LevelExpr::Div(_, n) => coordinate / n,
            LevelExpr::Mod(_, n) => coordinate % n,
            LevelExpr::Mode(_) | LevelExpr::Slot => coordinate,
        };
        key[self.word] |= part << self.shift;
    }
}

/// The bits of a word that keys use: no key has the highest one.
const BITS: u32 = 63;

impl Keys {
    /// The keys of entries, in the order of the entries.
    pub(super) fn new(tensor: &Tensor, coords: &[Vec<i64>], entries: usize) -> Result<Self, Error> {
        let (fields, words) = layout(tensor);
        let name = ArrayName { tensor: &tensor.name, part: "sort keys" };
        let fill = |word: usize| {
            let mut column = zeroed_vec(entries, &name)?;
            column.par_chunks_mut(TASK).enumerate().for_each(|(task, keys)| {
                for field in fields.iter().filter(|field| field.word == word) {
                    add_field(keys, task * TASK, coords, field);
                }
            });
            Ok(column)
        };
        let words = (0..words).map(fill).collect::<Result<_, Error>>()?;
        Ok(Self { words, fields })
    }

    /// An entry's coordinate in a level; 0 in a slot level.
    pub(crate) fn coordinate(&self, level: usize, entry: usize) -> u64 {
        let field = self.fields[level];
        (self.words[field.word][entry] >> field.shift) & field.mask
    }

    /// Whether two entries agree in all of these levels.
    pub(super) fn agree(&self, levels: std::ops::Range<usize>, a: usize, b: usize) -> bool {
        levels.into_iter().all(|level| self.coordinate(level, a) == self.coordinate(level, b))
    }

    /// Whether each key is above the one before it.
    pub(super) fn strictly_increase(&self, entries: usize) -> bool {
        let before = |entry: usize| {
            let differ = self.words.iter().map(|word| (word[entry - 1], word[entry])).find(|(a, b)| a != b);
            differ.is_some_and(|(a, b)| a < b)
        };
        (1..entries).into_par_iter().with_min_len(TASK).all(before)
    }
}

/// Assigns each level as many bits as its largest coordinate needs, and begins another word where they do
/// not fit.
pub(crate) fn layout(tensor: &Tensor) -> (Vec<Field>, usize) {
    let mut fields = Vec::new();
    let mut free = BITS;
    let mut word = 0;
    for level in &tensor.format.format.levels {
        let size = level.expr.size(&tensor.dims).unwrap_or(1);
        let bits = 64 - (size.max(1) as u64 - 1).leading_zeros();
        if bits > free {
            word += 1;
            free = BITS;
        }
        free -= bits;
        // A field without bits may be at the very end of a word, where a shift by 64 would be none.
        let shift = if bits == 0 { 0 } else { free };
        fields.push(Field { expr: level.expr, word, shift, mask: (1 << bits) - 1 });
    }
    align_right(&mut fields, word, free);
    (fields, word + 1)
}

/// Moves the fields of the last word to its low bits, so that keys are small numbers where that is possible.
fn align_right(fields: &mut [Field], word: usize, free: u32) {
    for field in fields.iter_mut().filter(|field| field.word == word && field.mask != 0) {
        field.shift -= free;
    }
}

fn add_field(keys: &mut [u64], first: usize, coords: &[Vec<i64>], field: &Field) {
    let Field { expr, shift, .. } = *field;
    let Some(mode) = expr.mode() else { return };
    let column = &coords[mode][first..first + keys.len()];
    match expr {
        LevelExpr::Div(_, n) => add_each(keys, column, shift, |coordinate| coordinate / n),
        LevelExpr::Mod(_, n) => add_each(keys, column, shift, |coordinate| coordinate % n),
        LevelExpr::Mode(_) | LevelExpr::Slot => add_each(keys, column, shift, |coordinate| coordinate),
    }
}

fn add_each(keys: &mut [u64], column: &[i64], shift: u32, part: impl Fn(u64) -> u64) {
    for (key, &coordinate) in keys.iter_mut().zip(column) {
        *key |= part(coordinate as u64) << shift;
    }
}
