//! Sorting by counting: linear in the entries and the extent.

/// Reorders a list of entries by the key of each, below `extent`. Entries of equal keys stay in the order
/// they have in the list, so that sorting by one mode after another, the most significant last, sorts by all.
pub(super) fn sorted_by(entries: &[u32], key: impl Fn(u32) -> u32, extent: usize) -> Vec<u32> {
    let mut next = starts(entries.iter().map(|&entry| key(entry)), extent);
    let mut sorted = vec![0; entries.len()];
    for &entry in entries {
        let place = &mut next[key(entry) as usize];
        sorted[*place as usize] = entry;
        *place += 1;
    }
    sorted
}

/// Where each key's entries begin when they are sorted, and at the end how many there are.
pub(super) fn starts(keys: impl Iterator<Item = u32>, extent: usize) -> Vec<u32> {
    let mut starts = vec![0; extent + 1];
    keys.for_each(|key| starts[key as usize + 1] += 1);
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    starts
}

/// The numbers below `len`, which are at most 2³² − 1.
pub(super) fn in_order(len: usize) -> Vec<u32> {
    (0..len as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorting_is_stable() {
        let keys = [2, 0, 2, 1, 0];
        let key = |entry: u32| keys[entry as usize];
        assert_eq!(sorted_by(&in_order(5), key, 3), [1, 4, 3, 0, 2]);
        assert_eq!(sorted_by(&[4, 3, 2, 1, 0], key, 3), [4, 1, 3, 2, 0]);
        assert_eq!(starts(keys.into_iter(), 4), [0, 2, 3, 5, 5]);
    }
}
