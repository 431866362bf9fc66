//! Elements of types that are not computed in: integers of fewer bits, truths and halves, as their bits.

use super::{Cell, Value, ValueColumn, Values, with_type};
use crate::asynchronous::is_forked;
use crate::error::Error;
use crate::memory::Array;
use comet_format::ValueType;
use rayon::prelude::*;

/// Values that one task encodes.
const TASK: usize = 1 << 15;

/// A cell whose elements are computed as values of `V`.
pub(crate) trait Stores<V: Value>: Cell {
    /// Returns `value` in the form in which elements of the type `of` are stored.
    fn stored(value: V, of: ValueType) -> Self;
    /// Returns the value of a stored element of the type `of`.
    fn computed(self, of: ValueType) -> V;
    /// Returns values as cells, where they are stored as they are computed.
    fn of_computed(_values: &[V]) -> Option<&[Self]> {
        None
    }
    /// Returns the sum of elements of a type, which is rounded once.
    fn sum(cells: &[Self], of: ValueType) -> Self {
        match cells {
            [cell] => *cell,
            [first, others @ ..] => {
                let sum = others.iter().fold(first.computed(of), |sum, cell| sum.add(cell.computed(of)));
                Self::stored(sum, of)
            }
            [] => Self::default(),
        }
    }
}

impl<V: Value> Stores<V> for V {
    fn stored(value: V, _: ValueType) -> Self {
        value
    }

    fn computed(self, _: ValueType) -> V {
        self
    }

    fn of_computed(values: &[V]) -> Option<&[V]> {
        Some(values)
    }
}

macro_rules! stores {
    ($($cell:ty, $value:ty;)*) => {$(
        impl Stores<$value> for $cell {
            fn stored(value: $value, of: ValueType) -> Self {
                value.encoded(of) as Self
            }

            fn computed(self, of: ValueType) -> $value {
                <$value>::decoded(self.into(), of)
            }
        }
    )*};
}

stores! { u8, i64; u16, i64; u32, i64; u16, f32; }

/// Returns values as cells of elements of a type.
pub(crate) fn cells<V: Value, T: Stores<V>>(values: &[V], of: ValueType) -> Result<Array<T>, Error> {
    let mut cells = Array::<T>::unspecified(values.len(), &"values")?;
    let store = |(cell, value): (&mut T, &V)| *cell = T::stored(*value, of);
    match is_forked() {
        true => cells.iter_mut().zip(values).for_each(store),
        false => cells.par_iter_mut().with_min_len(TASK).zip(values).for_each(store),
    }
    Ok(cells)
}

/// Integers as elements of a narrower type of integers or truths.
pub(super) fn integers(values: &[i64], of: ValueType) -> Result<Values, Error> {
    Ok(match of.bytes() {
        1 => u8::store(cells(values, of)?, of),
        2 => u16::store(cells(values, of)?, of),
        _ => u32::store(cells(values, of)?, of),
    })
}

/// Floating-point numbers as elements of a type of halves.
pub(super) fn floats(values: &[f32], of: ValueType) -> Result<Values, Error> {
    Ok(u16::store(cells(values, of)?, of))
}

/// Elements of a type as a column, in the type that they are computed in.
pub(super) fn column(bits: impl Iterator<Item = u32>, of: ValueType) -> ValueColumn {
    with_type!(of, T => T::column(bits.map(|bits| T::decoded(bits, of)).collect()))
}
