//! Which coordinates of a mode each process has: contiguous ranges, in the order of the processes.

use crate::tensor::Index;
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

    /// Ranges of about the same number of entries, which a pos array counts: process p begins at the first
    /// coordinate in front of which there are at least p shares of them.
    pub(crate) fn balanced<I: Index>(pos: &[I], processes: usize) -> Self {
        let entries = pos.last().map_or(0, |last| last.number());
        let share = |process: usize| (entries as u128 * process as u128 / processes as u128) as u64;
        let bound = |process: usize| match process {
            0 => 0,
            _ if process == processes => pos.len().saturating_sub(1),
            _ => pos.partition_point(|before| before.number() < share(process)),
        };
        Self { bounds: (0..=processes).map(|process| bound(process) as i64).collect() }
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
        let pos = [0i32, 6, 6, 7, 8, 12];
        let partition = Partition::balanced(&pos, 3);
        assert_eq!(partition.bounds, [0, 1, 4, 5]);
        let empty = Partition::balanced(&[0i32, 0, 0, 0], 2);
        assert_eq!((empty.range(0), empty.range(1)), (0..0, 0..3));
        assert_eq!(empty.owner(0), 1);
    }
}
