//! The positions of a tensor's entries.

use super::counting::{in_order, sorted_by};
use super::permutation::Permutation;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::{check_available, checked_product, zeroed_vec};
use crate::tensor::{ArrayName, Tensor};
use crate::unpack::for_each_entry;
use rayon::prelude::*;

/// Entries and the indices of a mode are fewer: so all numbers take 32 bits, one of which is free.
const TOO_MANY: usize = 1 << 31;

/// Positions.
#[derive(Debug, PartialEq)]
pub(super) struct EntryPattern {
    /// One a mode.
    pub(super) extents: Vec<usize>,
    /// One column a mode.
    pub(super) columns: Vec<Vec<u32>>,
}

impl EntryPattern {
    /// The positions of all entries, in their order.
    pub(super) fn of(entries: &CoordinateTensor) -> Result<Self, Error> {
        entries.check()?;
        let extents: Vec<usize> = entries.dims.iter().map(|&extent| extent as usize).collect();
        check_sizes(&extents, entries.len())?;
        let column = |column: &Vec<i64>| column.par_iter().map(|&coordinate| coordinate as u32).collect();
        let columns = entries.coords.iter().map(column).collect();
        Ok(Self { extents, columns })
    }

    /// The positions that a tensor stores, in storage order.
    pub(super) fn of_tensor(tensor: &Tensor) -> Result<Self, Error> {
        let extents: Vec<usize> = tensor.dims.iter().map(|&extent| extent as usize).collect();
        let stored = tensor.values.len();
        check_sizes(&extents, stored)?;
        let name = ArrayName { tensor: &tensor.name, part: "positions" };
        check_available(checked_product(&[stored, extents.len(), size_of::<u32>()], &name)?, &name)?;
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); extents.len()];
        columns.iter_mut().for_each(|column| column.reserve(stored));
        for_each_entry(tensor, |entry, _| {
            columns.iter_mut().zip(entry).for_each(|(column, &coordinate)| column.push(coordinate as u32));
        });
        Ok(Self { extents, columns })
    }

    /// The same positions, the indices of every mode with new numbers.
    pub(super) fn renumbered(&self, permutations: &[Permutation]) -> Self {
        let renumbered = |(column, permutation): (&Vec<u32>, &Permutation)| {
            let numbers = permutation.numbers();
            column.par_iter().map(|&index| numbers[index as usize] as u32).collect()
        };
        let columns = self.columns.iter().zip(permutations).map(renumbered).collect();
        Self { extents: self.extents.clone(), columns }
    }

    /// The number of modes.
    pub(super) fn rank(&self) -> usize {
        self.extents.len()
    }

    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// The entries in the lexicographic order of some modes, the most significant first.
    pub(super) fn order_by(&self, modes: &[usize]) -> Vec<u32> {
        modes.iter().rev().fold(in_order(self.len()), |order, &mode| {
            let column = &self.columns[mode];
            sorted_by(&order, |entry| column[entry as usize], self.extents[mode])
        })
    }

    /// Whether two entries have the same coordinates in some modes.
    pub(super) fn agree(&self, modes: &[usize], a: usize, b: usize) -> bool {
        modes.iter().all(|&mode| self.columns[mode][a] == self.columns[mode][b])
    }

    /// The positions in lexicographic order, each once.
    pub(super) fn sorted(self) -> Self {
        let entry = |entry: usize| self.columns.iter().map(move |column| column[entry]);
        if (1..self.len()).into_par_iter().all(|next| entry(next - 1).lt(entry(next))) {
            return self;
        }
        let modes: Vec<usize> = (0..self.rank()).collect();
        let mut order = self.order_by(&modes);
        order.dedup_by(|b, a| self.agree(&modes, *a as usize, *b as usize));
        let columns = self.columns.iter().map(|column| gathered(column, &order)).collect();
        Self { columns, extents: self.extents }
    }
}

/// The elements of a column at some entries.
pub(super) fn gathered(column: &[u32], entries: &[u32]) -> Vec<u32> {
    entries.par_iter().map(|&entry| column[entry as usize]).collect()
}

/// Everything that follows takes memory for the entries, which are there, and for the extents, which may be
/// anything: whether there is room for these is asked here.
fn check_sizes(extents: &[usize], entries: usize) -> Result<(), Error> {
    let name = ArrayName { tensor: "reorder", part: "numbers of indices" };
    for (mode, &extent) in extents.iter().enumerate() {
        drop(zeroed_vec::<i64>(extent.saturating_add(1), &name)?);
        if extent >= TOO_MANY {
            let message =
                format!("mode {mode} has {extent} indices, and fewer than {TOO_MANY} can be reordered");
            return Err(Error::Shape(message));
        }
    }
    match entries < TOO_MANY {
        true => Ok(()),
        false => Err(Error::Shape(format!(
            "{entries} entries are too many to reorder: expected fewer than {TOO_MANY}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::ValueColumn;

    fn entries(dims: &[i64], coords: &[&[i64]]) -> CoordinateTensor {
        let values = ValueColumn::F64(vec![1.5; coords[0].len()]);
        let coords = coords.iter().map(|column| column.to_vec()).collect();
        CoordinateTensor { dims: dims.to_vec(), coords, values }
    }

    #[test]
    fn positions_are_sorted_and_each_once() {
        let sorted =
            |dims: &[i64], coords: &[&[i64]]| EntryPattern::of(&entries(dims, coords)).unwrap().sorted();
        let pattern = sorted(&[3, 4], &[&[2, 0, 2, 0], &[1, 3, 1, 0]]);
        assert_eq!(pattern.columns, [[0, 0, 2], [0, 3, 1]]);
        assert_eq!(pattern.order_by(&[1]), [0, 2, 1]);
        assert_eq!(sorted(&[3, 4], &[&[0, 0, 2], &[0, 3, 1]]), pattern);
        assert_eq!(sorted(&[3], &[&[0, 2, 2]]).columns, [[0, 2]]);
    }

    #[test]
    fn coordinates_and_extents_are_checked() {
        let outside = EntryPattern::of(&entries(&[2], &[&[2]])).unwrap_err();
        assert_eq!(outside.to_string(), "the coordinate 2 in mode 0 is outside the extent 2");
        let large = EntryPattern::of(&entries(&[i64::MAX, 2], &[&[1], &[1]])).unwrap_err();
        assert!(large.to_string().starts_with("out of memory: `reorder` (numbers of indices)"), "{large}");
        let wide = check_sizes(&[7, 1 << 31], 1).unwrap_err().to_string();
        assert!(
            wide.starts_with("mode 1 has 2147483648 indices") || wide.starts_with("out of memory"),
            "{wide}"
        );
    }
}
