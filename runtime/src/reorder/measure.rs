//! What an order is worth: measures of where the entries are.

use super::pattern::EntryPattern;
use super::permutation::Permutation;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::tensor::Tensor;

/// The elements of a cache line: eight doubles.
const LINE: usize = 8;
/// What was used so many accesses ago is taken to be in the cache still: so many different lines are
/// 256 KiB.
const WINDOW: usize = 4096;
/// The number of parts that the first mode is cut into.
const PARTS: usize = 16;
/// What a far access costs, in entries whose operands are near.
const FAR_COST: f64 = 2.0;
/// What a loop costs that ends elsewhere than the one before, which the processor does not expect.
const UNEVEN_COST: f64 = 12.0;

/// Measures of the positions of a tensor's entries, each position counted once, in lexicographic order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// The largest distance |row − column|, of square matrices.
    pub bandwidth: Option<usize>,
    /// The mean distance between the last coordinates of neighbours: entries that follow one another and
    /// agree in all other modes, in a matrix those of one row. 0 where there are none.
    pub mean_gap: f64,
    /// The fraction of accesses that are far. Each entry accesses, for every mode but the first, an element
    /// of a vector at its coordinate; an access is far unless the same line of 8 elements was accessed for
    /// one of the 4096 entries before. 0 where there are none.
    pub far: f64,
    /// The fraction of fibers, in a matrix rows with entries, whose number of entries is not that of the
    /// fiber before. 0 where there are none.
    pub uneven: f64,
    /// The time of an entry in a product with vectors, in a unit of our own: 1, and 2 for each far access,
    /// 12 for each uneven fiber. 1 where there are no entries.
    pub cost: f64,
    /// The entries in the fullest of 16 parts of the first mode, which have as many indices each, over the
    /// mean: 1 where all are equally full, or there are no entries.
    pub imbalance: f64,
}

/// Measures a tensor.
///
/// # Errors
/// [`Error::Shape`] for coordinates outside of the extents; [`Error::OutOfMemory`] for extents that the
/// memory cannot hold a number an index of.
pub fn measure(entries: &CoordinateTensor) -> Result<Measures, Error> {
    Ok(of_pattern(EntryPattern::of(entries)?))
}

/// Measures a stored tensor, and what it is with new numbers.
///
/// # Errors
/// Those of [`measure`].
pub fn measure_reordered(tensor: &Tensor, permutations: &[Permutation]) -> Result<[Measures; 2], Error> {
    let pattern = EntryPattern::of_tensor(tensor)?;
    let after = of_pattern(pattern.renumbered(permutations));
    Ok([of_pattern(pattern), after])
}

fn of_pattern(pattern: EntryPattern) -> Measures {
    let pattern = pattern.sorted();
    let accesses = pattern.len() * pattern.rank().saturating_sub(1);
    let far = far_accesses(&pattern);
    let (fibers, uneven) = fibers(&pattern);
    let extra = FAR_COST * far as f64 + UNEVEN_COST * uneven as f64;
    Measures {
        bandwidth: bandwidth(&pattern),
        mean_gap: mean_gap(&pattern),
        far: fraction(far, accesses).unwrap_or(0.0),
        uneven: fraction(uneven, fibers).unwrap_or(0.0),
        cost: 1.0 + extra / pattern.len().max(1) as f64,
        imbalance: imbalance(&pattern),
    }
}

fn bandwidth(pattern: &EntryPattern) -> Option<usize> {
    let [rows, columns] = &pattern.columns[..] else { return None };
    let is_square = pattern.extents[0] == pattern.extents[1];
    let distances = rows.iter().zip(columns).map(|(&row, &column)| row.abs_diff(column) as usize);
    is_square.then(|| distances.max().unwrap_or(0))
}

fn mean_gap(pattern: &EntryPattern) -> f64 {
    let Some((last, _)) = pattern.columns.split_last() else { return 0.0 };
    let others: Vec<usize> = (0..pattern.rank() - 1).collect();
    let neighbours = (1..pattern.len()).filter(|&entry| pattern.agree(&others, entry - 1, entry));
    let gaps = neighbours.map(|entry| last[entry] - last[entry - 1]);
    let (sum, count) = gaps.fold((0, 0), |(sum, count), gap| (sum + gap as usize, count + 1));
    fraction(sum, count).unwrap_or(0.0)
}

fn far_accesses(pattern: &EntryPattern) -> usize {
    (1..pattern.rank()).map(|mode| far_indices(&pattern.columns[mode], pattern.extents[mode])).sum()
}

fn far_indices(indices: &[u32], extent: usize) -> usize {
    // The number of the last entry that has accessed each line, from 1 on.
    let mut last = vec![0; extent.div_ceil(LINE)];
    let mut far = 0;
    for (entry, index) in indices.iter().enumerate() {
        let line = &mut last[*index as usize / LINE];
        if *line == 0 || entry + 1 - *line > WINDOW {
            far += 1;
        }
        *line = entry + 1;
    }
    far
}

/// The number of fibers of the last mode that have entries, and of those with another number of entries than
/// the fiber before.
fn fibers(pattern: &EntryPattern) -> (usize, usize) {
    let others: Vec<usize> = (0..pattern.rank().saturating_sub(1)).collect();
    let (mut fibers, mut uneven) = (0, 0);
    let (mut start, mut before) = (0, None);
    for end in 1..=pattern.len() {
        if end == pattern.len() || !pattern.agree(&others, end - 1, end) {
            fibers += 1;
            uneven += usize::from(before.is_some_and(|before| before != end - start));
            (start, before) = (end, Some(end - start));
        }
    }
    (fibers, uneven)
}

fn imbalance(pattern: &EntryPattern) -> f64 {
    let Some((indices, &extent)) = pattern.columns.first().zip(pattern.extents.first()) else { return 1.0 };
    let parts = PARTS.min(extent);
    let mut counts = vec![0; parts];
    let part = |index: u32| (u128::from(index) * parts as u128 / extent as u128) as usize;
    indices.iter().for_each(|&index| counts[part(index)] += 1);
    let fullest = counts.into_iter().max().unwrap_or(0);
    fraction(fullest * parts, indices.len()).unwrap_or(1.0)
}

/// A quotient, where there is something to divide by.
fn fraction(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::ValueColumn;

    fn measures(dims: &[i64], coords: &[&[i64]]) -> Measures {
        let values = ValueColumn::F64(vec![2.5; coords[0].len()]);
        let coords = coords.iter().map(|column| column.to_vec()).collect();
        measure(&CoordinateTensor { dims: dims.to_vec(), coords, values }).unwrap()
    }

    /// Two lines of columns are used, each at first by a far access; rows have 3, 2 and 1 entries; 16 parts
    /// of 32 rows have 5, 1, 0, … 0.
    #[test]
    fn a_small_matrix() {
        let found = measures(&[32, 32], &[&[0, 0, 0, 1, 1, 2], &[9, 1, 2, 7, 1, 2]]);
        assert_eq!(found.bandwidth, Some(9));
        assert_eq!(found.mean_gap, (1 + 7 + 6) as f64 / 3.0);
        assert_eq!(found.far, 2.0 / 6.0);
        assert_eq!(found.uneven, 2.0 / 3.0);
        assert_eq!(found.cost, 1.0 + (2.0 * 2.0 + 2.0 * 12.0) / 6.0);
        assert_eq!(found.imbalance, 5.0 * 16.0 / 6.0);
    }

    #[test]
    fn a_line_is_near_for_4096_entries() {
        let columns: Vec<i64> = (0..=4096).map(|row| if row % 4096 == 0 { 0 } else { 8 }).collect();
        let rows: Vec<i64> = (0..=4096).collect();
        assert_eq!(measures(&[4097, 16], &[&rows, &columns]).far, 2.0 / 4097.0);
        let columns: Vec<i64> = (0..=4097).map(|row| if row % 4097 == 0 { 0 } else { 8 }).collect();
        let rows: Vec<i64> = (0..=4097).collect();
        assert_eq!(measures(&[4098, 16], &[&rows, &columns]).far, 3.0 / 4098.0);
    }

    #[test]
    fn vectors_tensors_and_what_is_empty() {
        let vector = measures(&[9], &[&[8, 2, 4]]);
        assert_eq!((vector.bandwidth, vector.mean_gap, vector.far), (None, 3.0, 0.0));
        let tensor = measures(&[2, 2, 9], &[&[0, 0, 1], &[1, 1, 1], &[3, 8, 0]]);
        assert_eq!((tensor.mean_gap, tensor.far), (5.0, (1 + 2) as f64 / 6.0));
        assert_eq!((tensor.uneven, tensor.cost), (0.5, 1.0 + (2.0 * 3.0 + 12.0) / 3.0));
        let empty = measures(&[3, 0], &[&[], &[]]);
        let nothing =
            Measures { bandwidth: None, mean_gap: 0.0, far: 0.0, uneven: 0.0, cost: 1.0, imbalance: 1.0 };
        assert_eq!(empty, nothing);
    }
}
