//! The fibers of one mode: entries that agree in all other modes.

use super::counting::{in_order, sorted_by, starts};
use super::pattern::{EntryPattern, gathered};

/// The entries of a pattern, fiber by fiber; those of a fiber in any order, each once.
pub(super) struct ModeFibers {
    /// The other modes, each with the index of every fiber in it.
    others: Vec<(usize, Vec<u32>)>,
    /// Where each fiber begins, and at the end how many entries there are.
    starts: Vec<u32>,
    /// The index of every entry in the mode.
    members: Vec<u32>,
}

impl ModeFibers {
    /// Those of a pattern in any order, which may have positions several times.
    pub(super) fn of(pattern: &EntryPattern, mode: usize) -> Self {
        let others: Vec<usize> = (0..pattern.rank()).filter(|&other| other != mode).collect();
        let fibers = match others[..] {
            [other] => Self::of_matrix(pattern, mode, other),
            _ => Self::of_tensor(pattern, mode, &others),
        };
        fibers.each_once(pattern.extents[mode])
    }

    /// In a matrix, one pass by the other mode brings the indices to their fibers.
    fn of_matrix(pattern: &EntryPattern, mode: usize, other: usize) -> Self {
        let (lines, indices) = (&pattern.columns[other], &pattern.columns[mode]);
        let starts = starts(lines.iter().copied(), pattern.extents[other]);
        let mut next = starts.clone();
        let mut members = vec![0; indices.len()];
        for (&line, &index) in lines.iter().zip(indices) {
            let place = &mut next[line as usize];
            members[*place as usize] = index;
            *place += 1;
        }
        Self { others: vec![(other, in_order(pattern.extents[other]))], starts, members }
    }

    fn of_tensor(pattern: &EntryPattern, mode: usize, others: &[usize]) -> Self {
        let order = pattern.order_by(others);
        let columns: Vec<Vec<u32>> =
            others.iter().map(|&other| gathered(&pattern.columns[other], &order)).collect();
        let begins =
            |entry: usize| entry == 0 || columns.iter().any(|column| column[entry] != column[entry - 1]);
        let mut starts: Vec<u32> =
            (0..order.len()).filter(|&entry| begins(entry)).map(|entry| entry as u32).collect();
        let of_fibers = |column: &Vec<u32>| gathered(column, &starts);
        let indices: Vec<Vec<u32>> = columns.iter().map(of_fibers).collect();
        starts.push(order.len() as u32);
        let members = gathered(&pattern.columns[mode], &order);
        Self { others: others.iter().copied().zip(indices).collect(), starts, members }
    }

    /// Leaves out what a fiber has already.
    fn each_once(mut self, extent: usize) -> Self {
        // The number of the last fiber that has each index, from 1 on.
        let mut last = vec![0; extent];
        let (mut read, mut written) = (0, 0);
        for fiber in 1..self.starts.len() {
            let end = self.starts[fiber] as usize;
            while read < end {
                let member = self.members[read];
                read += 1;
                if last[member as usize] != fiber as u32 {
                    last[member as usize] = fiber as u32;
                    self.members[written] = member;
                    written += 1;
                }
            }
            self.starts[fiber] = written as u32;
        }
        self.members.truncate(written);
        self
    }

    /// The fibers in the lexicographic order of the other modes, whose indices have new numbers.
    pub(super) fn ordered(&self, numbers: &[Vec<u32>]) -> Vec<u32> {
        let fibers = in_order(self.starts.len() - 1);
        self.others.iter().rev().fold(fibers, |order, (mode, indices)| {
            let numbers = &numbers[*mode];
            sorted_by(&order, |fiber| numbers[indices[fiber as usize] as usize], numbers.len())
        })
    }

    /// The indices of a fiber's entries in the mode.
    pub(super) fn members(&self, fiber: u32) -> &[u32] {
        let fiber = fiber as usize;
        &self.members[self.starts[fiber] as usize..self.starts[fiber + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fibers(pattern: &EntryPattern, mode: usize) -> Vec<Vec<u32>> {
        let fibers = ModeFibers::of(pattern, mode);
        let numbers: Vec<Vec<u32>> = pattern.extents.iter().map(|&extent| in_order(extent)).collect();
        fibers.ordered(&numbers).into_iter().map(|fiber| fibers.members(fiber).to_vec()).collect()
    }

    #[test]
    fn positions_come_once_in_any_order() {
        let matrix = EntryPattern { extents: vec![3, 4], columns: vec![vec![2, 0, 2, 0], vec![1, 3, 1, 1]] };
        assert_eq!(fibers(&matrix, 0), [vec![], vec![2, 0], vec![], vec![0]]);
        assert_eq!(fibers(&matrix, 1), [vec![3, 1], vec![], vec![1]]);
        let columns = vec![vec![1, 0, 1, 1], vec![0, 1, 0, 1], vec![2, 2, 0, 2]];
        let tensor = EntryPattern { extents: vec![2, 2, 3], columns };
        assert_eq!(fibers(&tensor, 2), [vec![2], vec![2, 0], vec![2]]);
        assert_eq!(fibers(&tensor, 0), [vec![1], vec![1], vec![0, 1]]);
        let vector = EntryPattern { extents: vec![5], columns: vec![vec![4, 1, 4]] };
        assert_eq!(fibers(&vector, 0), [[4, 1]]);
    }
}
