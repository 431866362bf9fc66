//! Which rows of dense operands move where the entries of a tensor are divided.
//!
//! A process that has an entry (i, j) needs row j of an operand along j, and has a part of row i of a result
//! along i: rows are *expanded* from their owners, or partial rows *folded* at their owners. Either way a row
//! that λ processes use moves λ − 1 times (Çatalyürek and Aykanat, TPDS 1999), or λ times where its owner
//! does not use it.

use crate::setting::Outcome;
use comet_runtime::{ReadOptions, read_file};
use std::path::Path;

/// The coordinates of the entries, a column for each mode.
#[derive(Clone, Debug)]
pub(super) struct FilePattern {
    pub(super) extents: Vec<usize>,
    pub(super) columns: Vec<Vec<u32>>,
}

impl FilePattern {
    /// # Errors
    /// A file that cannot be read, and coordinates of more than 32 bits.
    pub(super) fn read(path: &Path) -> Outcome<Self> {
        let entries = read_file(path, &ReadOptions::default()).map_err(|error| error.to_string())?;
        let narrow = |coordinate: &i64| {
            u32::try_from(*coordinate).map_err(|_| format!("`{}` has too long modes", path.display()))
        };
        let columns = entries.coords.iter().map(|column| column.iter().map(narrow).collect());
        let extents = entries.dims.iter().map(|extent| *extent as usize).collect();
        Ok(Self { extents, columns: columns.collect::<Outcome<_>>()? })
    }

    pub(super) fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// How many entries each coordinate of a mode has.
    pub(super) fn weights(&self, mode: usize) -> Vec<u32> {
        let mut weights = vec![0; self.extents[mode]];
        self.columns[mode].iter().for_each(|coordinate| weights[*coordinate as usize] += 1);
        weights
    }
}

/// The blocks of a mode: so many, and the one of each coordinate.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) count: u32,
    pub(super) of: Vec<u32>,
}

impl Blocks {
    /// Contiguous ranges with about as many entries each.
    pub(super) fn ranges(pattern: &FilePattern, mode: usize, count: u32) -> Self {
        let (total, mut before) = (pattern.len() as u64, 0u64);
        let block = |weight: u32| {
            let block = (before * u64::from(count)).checked_div(total).unwrap_or(0);
            before += u64::from(weight);
            (block as u32).min(count - 1)
        };
        Self { count, of: pattern.weights(mode).into_iter().map(block).collect() }
    }
}

/// The process of each entry, where processes are a grid of the blocks of the modes.
pub(super) fn processes_of(pattern: &FilePattern, grid: &[Blocks]) -> Vec<u32> {
    let mut processes = vec![0; pattern.len()];
    for (blocks, column) in grid.iter().zip(&pattern.columns) {
        for (process, coordinate) in processes.iter_mut().zip(column) {
            *process = *process * blocks.count + blocks.of[*coordinate as usize];
        }
    }
    processes
}

/// Which way the rows of a mode go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Direction {
    Expand,
    Fold,
}

/// What moves along a mode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transfer<'a> {
    pub(super) mode: usize,
    pub(super) direction: Direction,
    /// The owner of each row; by default one of those that use it, a different one from row to row.
    pub(super) owners: Option<&'a [u32]>,
}

/// What all transfers of an operation move.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Traffic {
    /// Rows that move.
    pub(super) rows: u64,
    /// The most rows that one process receives.
    pub(super) most_rows: u64,
    /// The most processes that one process receives rows from.
    pub(super) most_neighbours: u64,
    /// The most entries of one process.
    pub(super) most_entries: u64,
}

/// Counts what moves where entries are on these of `count` processes.
pub(super) fn traffic(
    pattern: &FilePattern,
    processes: &[u32],
    count: u32,
    transfers: &[Transfer],
) -> Traffic {
    let mut received = vec![0u64; count as usize];
    let mut pairs = Vec::new();
    for transfer in transfers {
        move_rows(&users(pattern, processes, transfer.mode), transfer, |receiver, sender| {
            received[receiver as usize] += 1;
            pairs.push(pair(receiver, sender));
        });
    }
    let rows = pairs.len() as u64;
    pairs.sort_unstable();
    pairs.dedup();
    Traffic {
        rows,
        most_rows: received.into_iter().max().unwrap_or(0),
        most_neighbours: most(pairs.iter().map(|pair| (pair >> 32) as u32), count),
        most_entries: most(processes.iter().copied(), count),
    }
}

/// The rows of a mode with the processes that use them, sorted.
fn users(pattern: &FilePattern, processes: &[u32], mode: usize) -> Vec<u64> {
    let used = pattern.columns[mode].iter().zip(processes);
    let mut users: Vec<u64> = used.map(|(row, process)| pair(*row, *process)).collect();
    users.sort_unstable();
    users.dedup();
    users
}

fn move_rows(users: &[u64], transfer: &Transfer, mut each: impl FnMut(u32, u32)) {
    for group in users.chunk_by(|one, other| one >> 32 == other >> 32) {
        let row = (group[0] >> 32) as usize;
        let owner = transfer.owners.map_or(group[row % group.len()] as u32, |owners| owners[row]);
        for user in group.iter().map(|user| *user as u32).filter(|user| *user != owner) {
            match transfer.direction {
                Direction::Expand => each(user, owner),
                Direction::Fold => each(owner, user),
            }
        }
    }
}

fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// How often the most frequent of some processes occurs.
fn most(processes: impl Iterator<Item = u32>, count: u32) -> u64 {
    let mut counts = vec![0u64; count as usize];
    processes.for_each(|process| counts[process as usize] += 1);
    counts.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x . x .
    /// . x . .
    /// . x x .
    /// x . . x
    fn pattern() -> FilePattern {
        let columns = vec![vec![0, 0, 1, 2, 2, 3, 3], vec![0, 2, 1, 1, 2, 0, 3]];
        FilePattern { extents: vec![4, 4], columns }
    }

    const ALONG_COLUMNS: Transfer = Transfer { mode: 1, direction: Direction::Expand, owners: None };

    /// The lower two rows need x[0] and x[1] of the upper ones, which need x[2] of them.
    #[test]
    fn rows_move_from_their_owners() {
        let pattern = pattern();
        let rows = Blocks::ranges(&pattern, 0, 2);
        assert_eq!(rows.of, [0, 0, 0, 1], "the first range has 5 of 7 entries: the next begins behind half");
        let rows = Blocks { count: 2, of: vec![0, 0, 1, 1] };
        let processes = processes_of(&pattern, &[rows.clone(), Blocks { count: 1, of: vec![0; 4] }]);
        assert_eq!(processes, [0, 0, 0, 1, 1, 1, 1]);
        let moved = traffic(&pattern, &processes, 2, &[Transfer { owners: Some(&rows.of), ..ALONG_COLUMNS }]);
        assert_eq!(moved, Traffic { rows: 3, most_rows: 2, most_neighbours: 1, most_entries: 4 });
    }

    /// In a grid of two by two x[2] has two users above each other, y[0], y[2] and y[3] have two beside each
    /// other.
    #[test]
    fn a_grid_expands_and_folds() {
        let pattern = pattern();
        let halves = Blocks { count: 2, of: vec![0, 0, 1, 1] };
        let processes = processes_of(&pattern, &[halves.clone(), halves]);
        assert_eq!(processes, [0, 1, 0, 2, 3, 2, 3]);
        let expanded = traffic(&pattern, &processes, 4, &[ALONG_COLUMNS]);
        assert_eq!((expanded.rows, expanded.most_rows), (3, 1));
        let fold = Transfer { mode: 0, direction: Direction::Fold, owners: None };
        assert_eq!(traffic(&pattern, &processes, 4, &[ALONG_COLUMNS, fold]).rows, 6);
    }
}
