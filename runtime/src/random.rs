//! `random()`: reproducible content that depends on the seed, the density and the extents, never on the
//! format.
//!
//! The row-major positions of a tensor are walked with jumps: each jump passes over the positions that are
//! absent, its length drawn from the geometric distribution, so that each position is present with the
//! wanted probability on its own and the time is that of the entries, not of the positions. A value is a
//! hash of the seed and the position.

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::check_available;
use crate::pack::{self, DensePlaces, KeyedEntries};
use crate::tensor::{ArrayName, Tensor};
use crate::values::{Stores, Value, ValueColumn, with_stored};
use comet_notation::Complex;
use rayon::prelude::*;

/// Values that one task draws.
const TASK: usize = 1 << 15;

/// The increment of splitmix64: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Fills a tensor; its extents are set.
///
/// # Errors
/// A density outside [0, 1], and what packing refuses.
pub(crate) fn fill_random(tensor: &mut Tensor, density: f64, seed: i64) -> Result<(), Error> {
    tensor.check_dims()?;
    if !(0.0..=1.0).contains(&density) {
        return Err(Error::Unsupported(format!("the density of `random` is from 0 to 1, not {density}")));
    }
    if tensor.format.format.is_dense() {
        return with_stored!(tensor.format.value, V, T => fill_dense::<V, T>(tensor, density, seed as u64));
    }
    with_stored!(tensor.format.value, V, T => fill_sparse::<V, T>(tensor, density, seed as u64))
}

fn fill_sparse<V: RandomValue, T: Stores<V>>(
    tensor: &mut Tensor,
    density: f64,
    seed: u64,
) -> Result<(), Error> {
    let of = tensor.format.value;
    let expected = expected_entries(&tensor.dims, density)?;
    let mut entries = KeyedEntries::<T>::new(tensor, expected as usize, "random entries")?;
    each_entry(&tensor.dims, (density, seed), |entry, position| {
        entries.push(entry, T::stored(V::of_hash(hash(seed, position)), of))
    })?;
    entries.store(tensor)
}

/// Sets the present positions of a dense tensor in place, without a list of entries.
fn fill_dense<V: RandomValue, T: Stores<V>>(
    tensor: &mut Tensor,
    density: f64,
    seed: u64,
) -> Result<(), Error> {
    pack::store_nothing(tensor)?;
    let places = DensePlaces::new(tensor)?;
    let Tensor { dims, values, format, .. } = tensor;
    let positions = positions(dims)?;
    let drawn = |position: u128| T::stored(V::of_hash(hash(seed, position)), format.value);
    let Some(cells) = T::array_mut(values) else {
        return Err(Error::Internal("the values are of another type".to_owned()));
    };
    if density == 1.0 && places.are_row_major {
        let draw = |(position, cell): (usize, &mut T)| *cell = drawn(position as u128);
        cells.par_iter_mut().with_min_len(TASK).enumerate().for_each(draw);
        return Ok(());
    }
    let mut entry = vec![0; dims.len()];
    for position in DrawnPositions::new(positions, density, seed) {
        set_coordinates(&mut entry, dims, position);
        cells[places.of(|mode| entry[mode])] = drawn(position);
    }
    Ok(())
}

/// What `random(density, seed)` puts into a tensor of these extents.
///
/// # Errors
/// More entries than there is memory for, or more positions than can be counted.
pub fn random_doubles(dims: &[i64], name: &str, density: f64, seed: u64) -> Result<CoordinateTensor, Error> {
    let bytes = expected_entries(dims, density)? * 8.0 * (dims.len() + 1) as f64;
    check_available(bytes as usize, &ArrayName { tensor: name, part: "random entries" })?;
    let mut coords = vec![Vec::new(); dims.len()];
    let mut values = Vec::new();
    each_entry(dims, (density, seed), |entry, position| {
        coords.iter_mut().zip(entry).for_each(|(column, &coordinate)| column.push(coordinate));
        values.push(f64::of_hash(hash(seed, position)));
        Ok(())
    })?;
    Ok(CoordinateTensor { dims: dims.to_vec(), coords, values: ValueColumn::F64(values) })
}

/// Visits the coordinates and the position of every entry.
fn each_entry(
    dims: &[i64],
    (density, seed): (f64, u64),
    mut visit: impl FnMut(&[i64], u128) -> Result<(), Error>,
) -> Result<(), Error> {
    let positions = positions(dims)?;
    let mut entry = vec![0; dims.len()];
    DrawnPositions::new(positions, density, seed).try_for_each(|position| {
        set_coordinates(&mut entry, dims, position);
        visit(&entry, position)
    })
}

/// A number of entries that hardly ever is exceeded: six standard deviations more than expected.
fn expected_entries(dims: &[i64], density: f64) -> Result<f64, Error> {
    let positions = positions(dims)? as f64;
    let expected = positions * density;
    Ok((expected + 6.0 * expected.sqrt()).min(positions))
}

/// The number of positions; 128 bits hold those of any tensor that has two modes of the largest extent.
fn positions(dims: &[i64]) -> Result<u128, Error> {
    let product = dims.iter().try_fold(1u128, |product, &extent| product.checked_mul(extent as u128));
    product
        .ok_or_else(|| Error::Unsupported("the tensor has more positions than 128 bits can count".to_owned()))
}

/// The positions that are present.
struct DrawnPositions {
    next: u128,
    end: u128,
    density: f64,
    state: u64,
}

impl DrawnPositions {
    fn new(end: u128, density: f64, seed: u64) -> Self {
        Self { next: 0, end: if density == 0.0 { 0 } else { end }, density, state: start(seed) }
    }
}

impl Iterator for DrawnPositions {
    type Item = u128;

    fn next(&mut self) -> Option<u128> {
        if self.density < 1.0 {
            self.state = self.state.wrapping_add(GOLDEN);
            // A uniform number in (0, 1] has a logarithm; the jump is the number of failures before a
            // success.
            let uniform = 1.0 - unit(mix(self.state));
            self.next = self.next.saturating_add((uniform.ln() / (-self.density).ln_1p()) as u128);
        }
        let position = self.next;
        self.next = self.next.saturating_add(1);
        (position < self.end).then_some(position)
    }
}

/// The coordinates of a row-major position.
fn set_coordinates(entry: &mut [i64], dims: &[i64], position: u128) {
    // Division of 64 bits is several times faster than of 128.
    if let Ok(mut rest) = u64::try_from(position) {
        for (coordinate, &extent) in entry.iter_mut().zip(dims).rev() {
            *coordinate = (rest % extent as u64) as i64;
            rest /= extent as u64;
        }
        return;
    }
    let mut rest = position;
    for (coordinate, &extent) in entry.iter_mut().zip(dims).rev() {
        *coordinate = (rest % extent as u128) as i64;
        rest /= extent as u128;
    }
}

/// Turns hashes into values: uniform on [0, 1), integers on 1…9.
trait RandomValue: Value {
    fn of_hash(hash: u64) -> Self;
}

/// Both parts; the imaginary one is drawn from the hash of the real one's.
impl<T: RandomValue> RandomValue for Complex<T>
where
    Self: Value,
{
    fn of_hash(hash: u64) -> Self {
        Self { re: T::of_hash(hash), im: T::of_hash(mix(hash.wrapping_add(GOLDEN))) }
    }
}

impl RandomValue for f64 {
    fn of_hash(hash: u64) -> Self {
        unit(hash)
    }
}

impl RandomValue for f32 {
    fn of_hash(hash: u64) -> Self {
        // The highest 24 bits, so that rounding cannot give 1.
        (hash >> 40) as f32 / (1 << 24) as f32
    }
}

impl RandomValue for i64 {
    fn of_hash(hash: u64) -> Self {
        1 + (hash % 9) as i64
    }
}

/// Where a seed begins. Seed 0 by itself is a fixed point of `mix`.
fn start(seed: u64) -> u64 {
    mix(seed.wrapping_add(GOLDEN))
}

/// Jumps begin at `start`, so values begin elsewhere: otherwise they would follow the pattern.
fn hash(seed: u64, position: u128) -> u64 {
    let low = mix(mix(start(seed)).wrapping_add((position as u64).wrapping_mul(GOLDEN)));
    match (position >> 64) as u64 {
        0 => low,
        high => mix(low.wrapping_add(high.wrapping_mul(GOLDEN))),
    }
}

/// The output function of splitmix64.
fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// The highest 53 bits as a number in [0, 1).
fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unpack::unpack;
    use comet_format::{Format, IndexWidth, TypedFormat, ValueType};
    use std::collections::BTreeMap;

    fn content(format: TypedFormat, dims: &[i64], density: f64, seed: i64) -> BTreeMap<Vec<i64>, u64> {
        let mut tensor = Tensor::new("A", format);
        tensor.dims = dims.to_vec();
        fill_random(&mut tensor, density, seed).unwrap();
        let entries = unpack(&tensor).unwrap();
        let ValueColumn::F64(values) = &entries.values else { panic!("doubles") };
        let entry = |n: usize| (entries.coords.iter().map(|column| column[n]).collect(), values[n].to_bits());
        (0..entries.len()).map(entry).collect()
    }

    #[test]
    fn content_does_not_depend_on_the_format() {
        let csr = content(Format::csr().of(ValueType::F64), &[40, 50], 0.1, 7);
        assert_eq!(csr, content(Format::dcsc().of(ValueType::F64), &[40, 50], 0.1, 7));
        let mut dense = content(Format::dense(2).of(ValueType::F64), &[40, 50], 0.1, 7);
        dense.retain(|_, value| *value != 0);
        assert_eq!(csr, dense);
        let full = content(Format::csc().of(ValueType::F64), &[40, 50], 1.0, 7);
        assert_eq!(full, content(Format::dense(2).of(ValueType::F64), &[40, 50], 1.0, 7));
        assert_eq!(full.len(), 2000);
        assert_ne!(csr, content(Format::csr().of(ValueType::F64), &[40, 50], 0.1, 8));
        assert!((140..260).contains(&csr.len()), "{}", csr.len());
        let rows: std::collections::BTreeSet<_> = csr.keys().map(|entry| entry[0]).collect();
        assert!(rows.len() > 30);
    }

    /// `mix(0)` is 0: seed 0 began with the value 0 once.
    #[test]
    fn no_small_seed_begins_with_zero() {
        for seed in -3..4 {
            let full = content(Format::dense(1).of(ValueType::F64), &[3], 1.0, seed);
            assert!(full.values().all(|value| *value != 0), "seed {seed}");
        }
    }

    #[test]
    fn huge_tensors_take_the_time_of_their_entries() {
        let extent = 1 << 40;
        let content = content(
            Format::coo(3).with_index_width(IndexWidth::I64).of(ValueType::F64),
            &[extent; 3],
            1e-34,
            1,
        );
        assert!((50..250).contains(&content.len()), "{}", content.len());
    }

    #[test]
    fn integers_are_1_to_9_and_densities_are_checked() {
        let mut tensor = Tensor::new("A", Format::dense(1).of(ValueType::I64));
        tensor.dims = vec![1000];
        fill_random(&mut tensor, 1.0, 3).unwrap();
        let ValueColumn::I64(mut values) = unpack(&tensor).unwrap().values else { panic!("integers") };
        values.sort_unstable();
        values.dedup();
        assert_eq!(values, (1..=9).collect::<Vec<_>>());
        fill_random(&mut tensor, 0.0, 3).unwrap();
        assert_eq!(unpack(&tensor).unwrap().values, ValueColumn::I64(vec![0; 1000]));
        assert!(fill_random(&mut tensor, 1.5, 3).is_err());
        assert!(fill_random(&mut tensor, f64::NAN, 3).is_err());
    }
}
