//! Elements of types that are not computed in: integers of fewer bits, truths and halves, as their bits.

use super::{Cell, Value, ValueColumn, with_type};
use crate::asynchronous::is_forked;
use crate::error::Error;
use crate::memory::Array;
use comet_format::ValueType;
use comet_notation::Complex;
use rayon::prelude::*;

/// Values that one task encodes.
const TASK: usize = 1 << 15;

/// A cell with the low bits of a word.
pub(super) trait FromBits {
    fn from_bits(bits: u32) -> Self;
}

macro_rules! from_bits {
    ($($cell:ty)*) => {$(
        impl FromBits for $cell {
            fn from_bits(bits: u32) -> Self {
                bits as Self
            }
        }
    )*};
}

// Cells of elements that are stored as they are computed have no such bits; `Values::stored` keeps them.
from_bits!(u8 u16 u32 f64 f32 i64);

impl<T: FromBits + Default> FromBits for Complex<T> {
    fn from_bits(bits: u32) -> Self {
        Self { re: T::from_bits(bits), im: T::default() }
    }
}

/// Values as cells of elements of a type.
pub(super) fn cells<V: Value, T: Cell + FromBits>(values: &[V], of: ValueType) -> Result<Array<T>, Error> {
    let mut cells = Array::<T>::zeroed(values.len(), &"values")?;
    let store = |(cell, value): (&mut T, &V)| *cell = T::from_bits(value.encoded(of));
    match is_forked() {
        true => cells.iter_mut().zip(values).for_each(store),
        false => cells.par_iter_mut().with_min_len(TASK).zip(values).for_each(store),
    }
    Ok(cells)
}

/// Elements of a type as a column, in the type that they are computed in.
pub(super) fn column(bits: impl Iterator<Item = u32>, of: ValueType) -> ValueColumn {
    with_type!(of, T => T::column(bits.map(|bits| T::decoded(bits, of)).collect()))
}
