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

use super::pattern::Pattern;
use super::permutation::Permutation;
use super::refine::Classes;
use crate::error::Error;

/// The chosen modes in turn, until a round changes nothing or there were enough of them.
pub(super) fn reorder(
    mut pattern: Pattern,
    chosen: &[usize],
    iterations: u32,
) -> Result<Vec<Permutation>, Error> {
    let identities = pattern.extents.iter().map(|&extent| Permutation::identity(extent));
    let mut permutations = identities.collect::<Result<Vec<_>, _>>()?;
    for _ in 0..iterations {
        let mut changed = false;
        for &mode in chosen {
            let step = sort_mode(&pattern, mode)?;
            if !step.is_identity() {
                changed = true;
                pattern.renumber(mode, &step);
                permutations[mode].then(&step);
            }
        }
        if !changed {
            break;
        }
    }
    Ok(permutations)
}

fn sort_mode(pattern: &Pattern, mode: usize) -> Result<Permutation, Error> {
    let others: Vec<usize> = (0..pattern.rank()).filter(|&other| other != mode).collect();
    let order = pattern.order_by(&others);
    let indices = &pattern.columns[mode];
    let mut classes = Classes::new(pattern.extents[mode]);
    for row in order.chunk_by(|&a, &b| pattern.agree(&others, a, b)) {
        classes.refine(row.iter().map(|&entry| indices[entry]));
    }
    Permutation::from_numbers(classes.places().into_iter().map(|place| place as i64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The module's example.
    #[test]
    fn one_round_sorts_rows_and_then_columns() {
        let rows = vec![0, 0, 1, 1, 2, 3, 3];
        let columns = vec![1, 3, 0, 2, 3, 0, 4];
        let pattern = Pattern { extents: vec![4, 5], columns: vec![rows, columns] };
        let permutations = reorder(pattern, &[0, 1], 1).unwrap();
        assert_eq!(permutations[0].inverse().numbers(), [1, 3, 0, 2]);
        assert_eq!(permutations[1].inverse().numbers(), [0, 2, 4, 3, 1]);
    }
}
