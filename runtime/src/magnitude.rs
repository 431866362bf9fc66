//! The largest absolute value of a tensor, which decides whether products with padding are zeros.

use crate::threads;
use crate::values::{Value as _, Values};
use comet_format::ValueType;

/// The number of values that are worth a thread.
const WORTH_A_THREAD: usize = 1 << 17;
/// Values that are looked at side by side, in vector registers.
const LANES: usize = 8;

/// Returns the largest absolute value, infinity where a value is NaN, and 0 where there is none.
pub(crate) fn magnitude(values: &Values) -> f64 {
    match values {
        Values::F64(array) => largest(array, |value| value),
        Values::F32(array) => largest(array, f64::from),
        Values::I64(array) => largest(array, |value| value as f64),
        // No part of a product is beyond the product of such sums.
        Values::C64(array) => largest(array, |value| f64::from(value.re).abs() + f64::from(value.im).abs()),
        Values::C128(array) => largest(array, |value| value.re.abs() + value.im.abs()),
        Values::Bytes(of, array) => largest(array, |bits| decoded(bits.into(), *of)),
        Values::Halves(of, array) => largest(array, |bits| decoded(bits.into(), *of)),
        Values::Words(of, array) => largest(array, |bits| decoded(bits, *of)),
    }
}

fn decoded(bits: u32, of: ValueType) -> f64 {
    match of.is_float() {
        true => f64::from(f32::decoded(bits, of)),
        false => i64::decoded(bits, of) as f64,
    }
}

fn largest<V: Copy + Sync>(values: &[V], to_f64: impl Fn(V) -> f64 + Sync) -> f64 {
    let threads = threads::worth(values.len(), WORTH_A_THREAD);
    let pieces = values.chunks(values.len().div_ceil(threads).max(1));
    threads::map(pieces, |piece| largest_of_piece(piece, &to_f64)).into_iter().fold(0.0, f64::max)
}

fn largest_of_piece<V: Copy>(values: &[V], to_f64: impl Fn(V) -> f64) -> f64 {
    let (groups, rest) = values.as_chunks::<LANES>();
    let mut most = [0.0; LANES];
    // Stays 0 as long as all values are finite, and is NaN from then on.
    let mut finite = [0.0; LANES];
    let mut take = |lane: usize, value: f64| {
        most[lane] = if value.abs() > most[lane] { value.abs() } else { most[lane] };
        finite[lane] += value * 0.0;
    };
    for group in groups {
        for (lane, value) in group.iter().enumerate() {
            take(lane, to_f64(*value));
        }
    }
    for (lane, value) in rest.iter().enumerate() {
        take(lane, to_f64(*value));
    }
    if finite.iter().any(|sum| sum.is_nan()) { f64::INFINITY } else { most.into_iter().fold(0.0, f64::max) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Array;

    fn of(values: &[f64]) -> f64 {
        magnitude(&Values::F64(Array::copied(values, &"a few values").expect("memory for them")))
    }

    /// The sign does not count, and NaN is as bad as infinity wherever it occurs.
    #[test]
    fn of_values() {
        assert_eq!(of(&[]), 0.0);
        assert_eq!(of(&[1.0, -3.5, 2.0]), 3.5);
        for place in 0..20 {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let mut values: Vec<f64> = (0..20).map(f64::from).collect();
                values[place] = bad;
                assert_eq!(of(&values), f64::INFINITY);
            }
        }
        let copied = Array::copied(&[1.0_f32, f32::NAN], &"two values").expect("memory for them");
        assert_eq!(magnitude(&Values::F32(copied)), f64::INFINITY);
        let copied = Array::copied(&[3, i64::MIN], &"two values").expect("memory for them");
        assert_eq!(magnitude(&Values::I64(copied)), -(i64::MIN as f64));
        let long: Vec<f64> = (0..300_001).map(|value| f64::from(value) / 4.0).collect();
        assert_eq!(of(&long), 75_000.0);
    }
}
