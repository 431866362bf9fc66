//! Which coordinates of a mode each process has: contiguous ranges, in the order of the processes.

use std::ops::Range;

/// A range of coordinates for each process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    /// Where the range of each process begins, and where the last one ends.
    bounds: Vec<i64>,
}

impl Partition {
    /// Ranges of the same length, as far as the extent permits.
    pub(crate) fn even(extent: i64, processes: usize) -> Self {
        let bound = |process: usize| (extent as i128 * process as i128 / processes as i128) as i64;
        Self { bounds: (0..=processes).map(bound).collect() }
    }

    /// Ranges of about the same number of entries: process p begins at the first coordinate in front of which
    /// there are at least p shares of them. `entries_before` counts them, up to the extent.
    pub(crate) fn balanced(extent: i64, processes: usize, entries_before: impl Fn(i64) -> usize) -> Self {
        let entries = entries_before(extent);
        if entries == 0 {
            return Self::even(extent, processes);
        }
        let bound = |process: usize| {
            let share = (entries as u128 * process as u128 / processes as u128) as usize;
            match process {
                0 => 0,
                _ if process == processes => extent,
                _ => first_where(extent, |coordinate| entries_before(coordinate) >= share),
            }
        };
        Self { bounds: (0..=processes).map(bound).collect() }
    }

    /// Of bounds, which ascend from 0 on.
    pub(crate) fn with_bounds(bounds: Vec<i64>) -> Self {
        Self { bounds }
    }

    pub(crate) fn processes(&self) -> usize {
        self.bounds.len() - 1
    }

    pub(crate) fn extent(&self) -> i64 {
        self.bounds[self.processes()]
    }

    pub(crate) fn range(&self, process: usize) -> Range<i64> {
        self.bounds[process]..self.bounds[process + 1]
    }

    /// Returns the process that has a coordinate.
    pub(crate) fn owner(&self, coordinate: i64) -> usize {
        // Empty ranges begin where the next one does.
        self.bounds.partition_point(|bound| *bound <= coordinate) - 1
    }
}

/// The first number for which something holds that holds for all after it, too; `end` where it holds for
/// none.
fn first_where(end: i64, holds: impl Fn(i64) -> bool) -> i64 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_the_mode() {
        for (extent, processes) in [(10, 3), (2, 5), (0, 2), (7, 1)] {
            let partition = Partition::even(extent, processes);
            assert_eq!(partition.extent(), extent);
            for process in 0..processes {
                for coordinate in partition.range(process) {
                    assert_eq!(partition.owner(coordinate), process);
                }
            }
        }
    }

    /// As `searchsorted` of NumPy finds them in the row pointers of a matrix.
    #[test]
    fn ranges_are_balanced_by_entries() {
        let pos = [0, 6, 6, 7, 8, 12];
        let partition = Partition::balanced(5, 3, |coordinate| pos[coordinate as usize]);
        assert_eq!(partition.bounds, [0, 1, 4, 5]);
        assert_eq!(Partition::balanced(3, 2, |_| 0), Partition::even(3, 2));
        let last = Partition::balanced(3, 2, |coordinate| usize::from(coordinate == 3) * 2);
        assert_eq!((last.range(0), last.range(1)), (0..3, 3..3));
    }
}
