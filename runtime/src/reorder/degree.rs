//! The indices of each mode by their numbers of entries, the largest first; equal ones keep their order.

use super::counting::{sorted_by, starts};
use super::pattern::Pattern;
use super::permutation::Permutation;
use crate::error::Error;

pub(super) fn reorder(pattern: &Pattern, chosen: &[usize]) -> Result<Vec<Permutation>, Error> {
    let permutation = |mode: usize| match chosen.contains(&mode) {
        true => descending(&pattern.columns[mode], pattern.extents[mode]),
        false => Permutation::identity(pattern.extents[mode]),
    };
    (0..pattern.rank()).map(permutation).collect()
}

fn descending(column: &[usize], extent: usize) -> Result<Permutation, Error> {
    let starts = starts(column, extent);
    let counts: Vec<usize> = starts.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let missing: Vec<usize> = counts.iter().map(|count| most - count).collect();
    let in_order: Vec<usize> = (0..extent).collect();
    Permutation::from_order(&sorted_by(&in_order, &missing, most + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_entries_come_first() {
        let pattern =
            Pattern { extents: vec![4, 3], columns: vec![vec![1, 1, 2, 3, 3], vec![0, 2, 2, 0, 2]] };
        let permutations = reorder(&pattern, &[0]).unwrap();
        assert_eq!(permutations[0].inverse().numbers(), [1, 3, 2, 0]);
        assert!(permutations[1].is_identity());
    }
}
