//! The indices of each mode by their numbers of entries, the largest first; equal ones keep their order.

use super::counting::{in_order, sorted_by, starts};
use super::pattern::EntryPattern;
use super::permutation::Permutation;
use crate::error::Error;

pub(super) fn reorder(pattern: &EntryPattern, chosen: &[usize]) -> Result<Vec<Permutation>, Error> {
    let permutation = |mode: usize| match chosen.contains(&mode) {
        true => descending(&pattern.columns[mode], pattern.extents[mode]),
        false => Permutation::identity(pattern.extents[mode]),
    };
    (0..pattern.rank()).map(permutation).collect()
}

fn descending(column: &[u32], extent: usize) -> Result<Permutation, Error> {
    let starts = starts(column.iter().copied(), extent);
    let counts: Vec<u32> = starts.windows(2).map(|ends| ends[1] - ends[0]).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let missing = |index: u32| most - counts[index as usize];
    Permutation::from_order(&sorted_by(&in_order(extent), missing, most as usize + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_entries_come_first() {
        let pattern =
            EntryPattern { extents: vec![4, 3], columns: vec![vec![1, 1, 2, 3, 3], vec![0, 2, 2, 0, 2]] };
        let permutations = reorder(&pattern, &[0]).unwrap();
        assert_eq!(permutations[0].inverse().numbers(), [1, 3, 2, 0]);
        assert!(permutations[1].is_identity());
    }
}
