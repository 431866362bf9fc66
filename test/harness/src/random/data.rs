//! Positions and values of random tensors.
//!
//! Values are small multiples of a quarter, so that sums and products are exact in every type and in every
//! order.

use super::kernel::Entry;
use super::rng::Rng;

/// How many positions are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// All.
    Full,
    /// From none to all.
    Random,
}

/// Sorted positions of a tensor with those extents.
pub fn positions(rng: &mut Rng, dims: &[usize], density: Density) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &extent in dims {
        let longer =
            |at: &Vec<usize>| (0..extent).map(|next| [&at[..], &[next]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    if density == Density::Random {
        let share = rng.pick(&[0, 5, 15, 30, 30, 50, 80, 100]);
        all.retain(|_| rng.percent(share));
        empty_slices(rng, dims, &mut all);
    }
    all
}

/// Empties slices, because an empty row is where codes go wrong.
fn empty_slices(rng: &mut Rng, dims: &[usize], positions: &mut Vec<Vec<usize>>) {
    for (mode, &extent) in dims.iter().enumerate() {
        if extent > 0 && rng.percent(30) {
            let empty = rng.below(extent);
            positions.retain(|at| at[mode] != empty);
        }
    }
}

/// A value that is not 0.
pub fn value(rng: &mut Rng, element: &str) -> f64 {
    let size = rng.between(1, 8) as f64 / if element == "int" { 1.0 } else { 4.0 };
    if rng.percent(40) { -size } else { size }
}

/// Positions with values, of which a few are 0.
pub fn entries(rng: &mut Rng, element: &str, positions: Vec<Vec<usize>>) -> Vec<Entry> {
    let entry = |at| (at, if rng.percent(4) { 0.0 } else { value(rng, element) });
    positions.into_iter().map(entry).collect()
}

/// Brings some files out of order, and splits some entries in two, which a reader adds up.
pub fn disarrange(rng: &mut Rng, entries: &mut Vec<Entry>) {
    if rng.percent(40) {
        *entries = rng.some(entries, entries.len());
    }
    if rng.percent(10) && !entries.is_empty() {
        let (at, value) = rng.pick(entries);
        entries.push((at.clone(), 1.0));
        entries
            .iter_mut()
            .filter(|entry| entry.0 == at && entry.1 == value)
            .take(1)
            .for_each(|entry| entry.1 -= 1.0);
    }
}
