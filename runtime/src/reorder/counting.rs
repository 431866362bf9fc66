//! Sorting by counting: linear in the entries and the extent.

/// Reorders a list of entries by a key each, below `extent`. Entries of equal keys stay in the order they
/// have in the list, so that sorting by one mode after another, the most significant last, sorts by all.
pub(super) fn sorted_by(entries: &[usize], keys: &[usize], extent: usize) -> Vec<usize> {
    let mut next = starts(keys, extent);
    let mut sorted = vec![0; entries.len()];
    for &entry in entries {
        let place = &mut next[keys[entry]];
        sorted[*place] = entry;
        *place += 1;
    }
    sorted
}

/// Where each key's entries begin when they are sorted, and at the end how many there are.
pub(super) fn starts(keys: &[usize], extent: usize) -> Vec<usize> {
    let mut starts = vec![0; extent + 1];
    keys.iter().for_each(|&key| starts[key + 1] += 1);
    for key in 0..extent {
        starts[key + 1] += starts[key];
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_stable() {
        let keys = [2, 0, 2, 1, 0];
        assert_eq!(sorted_by(&[0, 1, 2, 3, 4], &keys, 3), [1, 4, 3, 0, 2]);
        assert_eq!(sorted_by(&[4, 3, 2, 1, 0], &keys, 3), [4, 1, 3, 2, 0]);
        assert_eq!(starts(&keys, 4), [0, 2, 3, 5, 5]);
    }
}
