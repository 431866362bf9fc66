//! LexiOrder: the indices of one mode at a time are sorted by where their entries are, the others being in
//! the order that they have by then.
//!
//! The tensor is looked at as a matrix of zeros and ones, whose rows are the positions in the other modes
//! that hold an entry, in lexicographic order, and whose columns are the indices of the mode. Its columns
//! are sorted lexicographically, ones before zeros: [partition refinement](super::refine) does that in one
//! walk over the rows. Columns that are alike, among them those without an entry, keep their order.
//!
//! *Before*, *after* the rows are sorted, and *after* the columns:
//!
//! ```text
//!     0 1 2 3 4          0 1 2 3 4          0 2 4 3 1
//!   0 . x . x .        1 x . x . .        1 x x . . .
//!   1 x . x . .        3 x . . . x        3 x . x . .
//!   2 . . . x .        0 . x . x .        0 . . . x x
//!   3 x . . . x        2 . . . x .        2 . . . x .
//! ```
//!
//! One mode takes time in the entries and the extents. Repeated over all modes this leads towards a doubly
//! lexical ordering, in which every mode is sorted with respect to the others, and entries cluster around
//! the diagonal.

use super::counting::in_order;
use super::fibers::ModeFibers;
use super::pattern::EntryPattern;
use super::permutation::Permutation;
use super::refine::IndexClasses;
use crate::error::Error;
use rayon::prelude::*;

/// The chosen modes in turn, until a round changes nothing or there were enough of them.
pub(super) fn reorder(
    pattern: &EntryPattern,
    chosen: &[usize],
    iterations: u32,
) -> Result<Vec<Permutation>, Error> {
    let fibers: Vec<ModeFibers> = chosen.par_iter().map(|&mode| ModeFibers::of(pattern, mode)).collect();
    let mut orders = Orders::of(&pattern.extents);
    for _ in 0..iterations {
        let mut changed = false;
        for (&mode, fibers) in chosen.iter().zip(&fibers) {
            changed |= orders.sort(mode, fibers);
        }
        if !changed {
            break;
        }
    }
    orders.numbers.iter().map(|numbers| Permutation::from_new(numbers)).collect()
}

/// The order of each mode's indices so far.
struct Orders {
    /// The indices in their order.
    indices: Vec<Vec<u32>>,
    /// The place of each index in it: its new number.
    numbers: Vec<Vec<u32>>,
}

impl Orders {
    fn of(extents: &[usize]) -> Self {
        let indices: Vec<Vec<u32>> = extents.iter().map(|&extent| in_order(extent)).collect();
        Self { numbers: indices.clone(), indices }
    }

    /// Sorts the indices of a mode; whether that has changed something.
    fn sort(&mut self, mode: usize, fibers: &ModeFibers) -> bool {
        let mut classes = IndexClasses::new(self.indices[mode].len());
        for fiber in fibers.ordered(&self.numbers) {
            classes.refine(fibers.members(fiber));
        }
        let sorted = classes.ordered(&self.indices[mode]);
        if sorted == self.indices[mode] {
            return false;
        }
        let numbers = &mut self.numbers[mode];
        sorted.iter().enumerate().for_each(|(number, &index)| numbers[index as usize] = number as u32);
        self.indices[mode] = sorted;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The module's example.
    #[test]
    fn one_round_sorts_rows_and_then_columns() {
        let rows = vec![0, 0, 1, 1, 2, 3, 3];
        let columns = vec![1, 3, 0, 2, 3, 0, 4];
        let pattern = EntryPattern { extents: vec![4, 5], columns: vec![rows, columns] };
        let permutations = reorder(&pattern, &[0, 1], 1).unwrap();
        assert_eq!(permutations[0].inverse().numbers(), [1, 3, 0, 2]);
        assert_eq!(permutations[1].inverse().numbers(), [0, 2, 4, 3, 1]);
    }
}
