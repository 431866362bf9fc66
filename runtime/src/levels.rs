//! Level formats in the run time: one file for each, which packs, weighs, walks and checks a level. All else
//! asks [`comet_format::LevelFormat`] which arrays a level has and what they mean.
//!
//! The README describes what each format stores.

mod bit_vector;
mod compressed;
mod dense;
mod hashed;
mod range;
mod singleton;
mod slots;

use crate::error::Error;
use crate::kernel::CheckedLevel;
use crate::pack::{EveryPosition, LevelBuilder, Weighing};
use crate::tensor::{Index, LevelStorage};
use std::ops::Range;

pub(crate) use bit_vector::{BitVector, words};
pub(crate) use compressed::Compressed;
pub(crate) use dense::{Dense, size_as_pos};
pub(crate) use hashed::Hashed;
pub(crate) use range::RangeLevel;
pub(crate) use singleton::Singleton;

/// What the run time does with a level of one format.
pub(crate) trait LevelCode: Copy {
    /// Stores `levels`, one and those that join its tuples, from the entries under each parent.
    ///
    /// # Errors
    /// Coordinates that the format cannot store, and arrays that do not fit the memory.
    fn pack<I: Index>(self, builder: &mut LevelBuilder<'_, I>, levels: Range<usize>) -> Result<(), Error>;

    /// Stores `levels` where every position is an entry; false where the format cannot, or has positions that
    /// are no entries.
    ///
    /// # Errors
    /// Arrays that do not fit the memory or the width of positions.
    fn store_every<I: Index>(
        self,
        every: &mut EveryPosition<'_, I>,
        levels: Range<usize>,
    ) -> Result<bool, Error>;

    /// Adds the numbers that [`Self::pack`] would store.
    fn weigh<I: Index>(self, weighing: &mut Weighing<'_, I>, levels: Range<usize>) -> Result<(), Error>;

    /// Calls `visit` with the coordinate and the position of each child of a parent, in storage order.
    fn walk(self, stored: &LevelStorage, size: usize, parent: usize, visit: impl FnMut(i64, usize));

    /// Checks arrays that come from outside, and returns the number of positions.
    ///
    /// # Errors
    /// Positions that go back, coordinates out of range or out of order.
    fn check(self, level: &CheckedLevel<'_>, parents: usize) -> Result<usize, Error>;
}

/// Evaluates an expression with the [`LevelCode`] of a kind: the only match on kinds.
macro_rules! with_code {
    ($kind:expr, $code:ident => $body:expr) => {
        match $kind {
            comet_format::LevelKind::Dense => {
                let $code = $crate::levels::Dense;
                $body
            }
            comet_format::LevelKind::CompressedUnique | comet_format::LevelKind::CompressedNonUnique => {
                let $code = $crate::levels::Compressed;
                $body
            }
            comet_format::LevelKind::Singleton => {
                let $code = $crate::levels::Singleton;
                $body
            }
            comet_format::LevelKind::BitVector(bits) => {
                let $code = $crate::levels::BitVector { bits: bits as usize };
                $body
            }
            comet_format::LevelKind::Range => {
                let $code = $crate::levels::RangeLevel;
                $body
            }
            comet_format::LevelKind::Hashed => {
                let $code = $crate::levels::Hashed;
                $body
            }
        }
    };
}

pub(crate) use with_code;
