//! A square matrix times dense columns: rows divided in ranges, in parts of METIS, and divided in two
//! dimensions.

use super::super::DistributedArguments;
use super::super::inputs::chosen;
use super::cost::{MACHINE, Problem, Share};
use super::grid::{Blocks, Direction, FilePattern, Traffic, Transfer, processes_of, traffic};
use super::parts::metis_parts;
use super::{grouped, table};
use crate::setting::{Outcome, Setting};
use serde_json::{Value, json};

/// The fewest rows of a part, on average: METIS leaves parts empty where there are fewer.
const FEWEST_ROWS: usize = 8;

/// One matrix on one number of processes.
#[derive(Debug)]
pub(super) struct MatrixRow {
    matrix: String,
    processes: u32,
    /// What comet divides: rows, in the order of the file or in parts of METIS, which are not found where
    /// they would have fewer rows than [`FEWEST_ROWS`].
    ranges: Traffic,
    parts: Option<Traffic>,
    /// A grid of blocks of rows and columns, where only needed rows move.
    grid: Traffic,
    /// A grid where all rows move.
    two_d: Share,
    /// 1.5D with so many copies.
    copies: f64,
    replicated: Share,
}

pub(super) fn rows(
    setting: &Setting,
    arguments: &DistributedArguments,
    processes: &[u32],
) -> Outcome<Vec<MatrixRow>> {
    let mut rows = Vec::new();
    for (name, path) in chosen(setting, &arguments.matrices)? {
        let pattern = FilePattern::read(&path)?;
        let [extent, columns] = pattern.extents[..] else { return Err(format!("`{name}` is no matrix")) };
        if extent != columns {
            return Err(format!("`{name}` is {extent} by {columns}, expected a square matrix"));
        }
        // A process without rows is of no use.
        for &count in processes.iter().filter(|count| **count as usize <= extent) {
            rows.push(MatrixRow::of(&name, &pattern, count)?);
        }
    }
    Ok(rows)
}

impl MatrixRow {
    fn of(name: &str, pattern: &FilePattern, count: u32) -> Outcome<Self> {
        let (rows, entries) = (pattern.extents[0] as f64, pattern.len() as f64);
        let problem = Problem { rows, entries, processes: f64::from(count) };
        let copies = problem.best_copies(&MACHINE);
        let has_parts = pattern.extents[0] >= FEWEST_ROWS * count as usize;
        let parts = has_parts.then(|| metis_parts(pattern, count)).transpose()?;
        Ok(Self {
            matrix: name.to_owned(),
            processes: count,
            ranges: by_rows(pattern, &Blocks::ranges(pattern, 0, count)),
            parts: parts.map(|parts| by_rows(pattern, &parts)),
            grid: by_grid(pattern, count),
            two_d: problem.two_d(),
            copies,
            replicated: problem.replicated(copies),
        })
    }

    /// The model's times: ranges, parts, grid, 2D, 1.5D.
    fn seconds(&self) -> [f64; 5] {
        let of = |traffic: &Traffic| MACHINE.seconds(share(traffic));
        let parts = self.parts.as_ref().map_or(f64::INFINITY, of);
        let [two_d, replicated] = [self.two_d, self.replicated].map(|share| MACHINE.seconds(share));
        [of(&self.ranges), parts, of(&self.grid), two_d, replicated]
    }

    /// What comet's divisions move.
    fn cells(&self) -> Vec<String> {
        let [ranges, parts, ..] = self.seconds().map(microseconds);
        let counted = |traffic: &Traffic| {
            let Traffic { rows, most_rows, most_neighbours, .. } = *traffic;
            [rows, most_rows, most_neighbours].map(grouped)
        };
        let absent = || ["–"; 3].map(str::to_owned);
        let mut cells = vec![self.matrix.clone(), grouped(u64::from(self.processes))];
        cells.extend(counted(&self.ranges).into_iter().chain([ranges]));
        cells.extend(self.parts.as_ref().map_or_else(absent, counted).into_iter().chain([parts]));
        cells
    }

    /// What other divisions move.
    fn others(&self) -> Vec<String> {
        let [ranges, parts, grid, two_d, replicated] = self.seconds();
        let mut cells = vec![self.matrix.clone(), grouped(u64::from(self.processes))];
        cells.push(microseconds(ranges.min(parts)));
        cells.extend([self.grid.most_rows, self.grid.most_neighbours].map(grouped));
        cells.extend([microseconds(grid), grouped(self.two_d.rows as u64), microseconds(two_d)]);
        cells.extend([
            format!("{}", self.copies),
            grouped(self.replicated.rows as u64),
            microseconds(replicated),
        ]);
        cells
    }

    pub(super) fn json(&self) -> Value {
        let counted = |traffic: &Traffic| {
            json!({
                "rows": traffic.rows, "most_rows": traffic.most_rows, "most_neighbours": traffic.most_neighbours,
                "most_entries": traffic.most_entries,
            })
        };
        json!({
            "matrix": self.matrix, "processes": self.processes, "seconds": self.seconds(),
            "ranges": counted(&self.ranges), "metis": self.parts.as_ref().map(counted), "grid": counted(&self.grid),
            "two_d_rows": self.two_d.rows, "copies": self.copies, "replicated_rows": self.replicated.rows,
        })
    }
}

/// Rows in blocks: a process has the rows of the operand that have the numbers of its own.
fn by_rows(pattern: &FilePattern, blocks: &Blocks) -> Traffic {
    let undivided = Blocks { count: 1, of: vec![0; pattern.extents[1]] };
    let processes = processes_of(pattern, &[blocks.clone(), undivided]);
    let expand = Transfer { mode: 1, direction: Direction::Expand, owners: Some(&blocks.of) };
    traffic(pattern, &processes, blocks.count, &[expand])
}

/// A grid as square as the number of processes allows.
fn by_grid(pattern: &FilePattern, count: u32) -> Traffic {
    let side = (1..=count.isqrt()).rev().find(|side| count.is_multiple_of(*side)).unwrap_or(1);
    let grid = [Blocks::ranges(pattern, 0, count / side), Blocks::ranges(pattern, 1, side)];
    let transfer = |mode, direction| Transfer { mode, direction, owners: None };
    let transfers = [transfer(1, Direction::Expand), transfer(0, Direction::Fold)];
    traffic(pattern, &processes_of(pattern, &grid), count, &transfers)
}

fn share(traffic: &Traffic) -> Share {
    Share {
        entries: traffic.most_entries as f64,
        rows: traffic.most_rows as f64,
        messages: traffic.most_neighbours as f64,
    }
}

fn microseconds(seconds: f64) -> String {
    if seconds.is_finite() { format!("{:.0}", seconds * 1e6) } else { "–".to_owned() }
}

const HEADING: [&str; 10] =
    ["matrix", "P", "ranges: rows", "most", "from", "µs", "METIS: rows", "most", "from", "µs"];
const OTHERS: [&str; 11] =
    ["matrix", "P", "rows: µs", "grid: most", "from", "µs", "2D: most", "µs", "1.5D: copies", "most", "µs"];

pub(super) fn text(rows: &[MatrixRow]) -> String {
    let mut text = "rows that move in one product, in all, the most that one process receives, and from how \
        many; µs: the model's time of SpMM with 32 columns\n\n"
        .to_owned();
    text += &table(&HEADING, rows.iter().map(MatrixRow::cells));
    text +=
        "\nthe better of ranges and METIS, and a grid where needed rows move, 2D and 1.5D where all do\n\n";
    text += &table(&OTHERS, rows.iter().map(MatrixRow::others));
    text += "\nthe number of processes from which on others are faster than rows, by the model\n\n";
    let names = rows.chunk_by(|one, other| one.matrix == other.matrix);
    let firsts = names.map(|rows| {
        let others = [2, 3, 4].map(|place| first_faster(rows, place));
        [rows[0].matrix.clone()].into_iter().chain(others).collect::<Vec<_>>()
    });
    text + &table(&["matrix", "grid", "2D", "1.5D"], firsts)
}

/// The first number of processes from which on the division at a place is faster than both of rows.
fn first_faster(rows: &[MatrixRow], place: usize) -> String {
    let is_faster = |row: &&MatrixRow| {
        let seconds = row.seconds();
        seconds[place] < seconds[0].min(seconds[1])
    };
    let faster = rows.iter().rev().take_while(is_faster).last();
    faster.map_or_else(|| "–".to_owned(), |row| grouped(u64::from(row.processes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tridiagonal matrix: each range needs one row at either side.
    #[test]
    fn a_line_has_two_neighbours() {
        let entries =
            (0..400u32).flat_map(|row| (row.saturating_sub(1)..(row + 2).min(400)).map(move |k| (row, k)));
        let (rows, columns) = entries.unzip();
        let pattern = FilePattern { extents: vec![400, 400], columns: vec![rows, columns] };
        let row = MatrixRow::of("line", &pattern, 16).unwrap();
        assert_eq!((row.ranges.rows, row.ranges.most_rows, row.ranges.most_neighbours), (30, 2, 2));
        assert_eq!(row.two_d.rows, 150.0);
        assert_eq!(first_faster(&[row], 3), "–");
    }
}
