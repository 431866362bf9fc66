//! The positions of a tensor's entries.

use super::counting::sorted_by;
use super::permutation::Permutation;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::zeroed_vec;
use crate::tensor::ArrayName;

/// Positions, sorted lexicographically, each once.
#[derive(Debug, PartialEq)]
pub(super) struct Pattern {
    /// One a mode.
    pub(super) extents: Vec<usize>,
    /// One column a mode.
    pub(super) columns: Vec<Vec<usize>>,
}

impl Pattern {
    pub(super) fn of(entries: &CoordinateTensor) -> Result<Self, Error> {
        entries.check()?;
        let extents: Vec<usize> = entries.dims.iter().map(|&extent| extent as usize).collect();
        // Everything that follows takes memory for the entries, which are there, and for the extents, which
        // may be anything: whether there is room for these is asked here.
        let name = ArrayName { tensor: "reorder", part: "numbers of indices" };
        for &extent in &extents {
            zeroed_vec::<i64>(extent.saturating_add(1), &name)?;
        }
        let column = |column: &Vec<i64>| column.iter().map(|&coordinate| coordinate as usize).collect();
        let columns = entries.coords.iter().map(column).collect();
        Ok(Self { extents, columns }.sorted())
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
    pub(super) fn order_by(&self, modes: &[usize]) -> Vec<usize> {
        let in_order = (0..self.len()).collect();
        modes
            .iter()
            .rev()
            .fold(in_order, |order, &mode| sorted_by(&order, &self.columns[mode], self.extents[mode]))
    }

    /// Whether two entries have the same coordinates in some modes.
    pub(super) fn agree(&self, modes: &[usize], a: usize, b: usize) -> bool {
        modes.iter().all(|&mode| self.columns[mode][a] == self.columns[mode][b])
    }

    /// Gives the indices of one mode new numbers; what was sorted no longer is.
    pub(super) fn renumber(&mut self, mode: usize, permutation: &Permutation) {
        let numbers = permutation.numbers();
        self.columns[mode].iter_mut().for_each(|index| *index = numbers[*index] as usize);
    }

    fn sorted(self) -> Self {
        let modes: Vec<usize> = (0..self.rank()).collect();
        let mut order = self.order_by(&modes);
        order.dedup_by(|b, a| self.agree(&modes, *a, *b));
        let columns = self.columns.iter().map(|column| order.iter().map(|&entry| column[entry]).collect());
        Self { columns: columns.collect(), extents: self.extents }
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
        let pattern = Pattern::of(&entries(&[3, 4], &[&[2, 0, 2, 0], &[1, 3, 1, 0]])).unwrap();
        assert_eq!(pattern.columns, [[0, 0, 2], [0, 3, 1]]);
        assert_eq!(pattern.order_by(&[1]), [0, 2, 1]);
    }

    #[test]
    fn coordinates_and_extents_are_checked() {
        let outside = Pattern::of(&entries(&[2], &[&[2]])).unwrap_err();
        assert_eq!(outside.to_string(), "the coordinate 2 in mode 0 is outside the extent 2");
        let large = Pattern::of(&entries(&[i64::MAX, 2], &[&[1], &[1]])).unwrap_err();
        assert!(large.to_string().starts_with("out of memory: `reorder` (numbers of indices)"), "{large}");
    }
}
