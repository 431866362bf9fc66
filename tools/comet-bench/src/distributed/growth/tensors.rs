//! MTTKRP of a tensor: divided along its best mode, and in the best grid over all modes (Smith and Karypis,
//! *A Medium-Grained Algorithm for Sparse Tensor Factorization*, 2016).
//!
//! The factors of all modes but one are expanded, and the result along that one is folded. A row moves once
//! for each process that uses it but its owner, whichever of the modes the result has.

use super::grid::{Blocks, Direction, FilePattern, Traffic, Transfer, processes_of, traffic};
use super::{grouped, table};
use crate::data;
use crate::setting::Outcome;
use serde_json::{Value, json};

const TENSORS: [&str; 3] = ["kg_FB15K237", "kg_WN18RR", "splatt_med"];

/// One tensor on one number of processes.
#[derive(Debug)]
pub(super) struct TensorRow {
    tensor: String,
    processes: u32,
    /// The mode along which the fewest rows arrive at one process, and what moves.
    mode: usize,
    one_d: Traffic,
    /// The grid of which the same holds.
    shape: Vec<u32>,
    grid: Traffic,
    /// Rows that move where every process gets all factors.
    everything: u64,
}

pub(super) fn rows(processes: &[u32]) -> Outcome<Vec<TensorRow>> {
    let mut rows = Vec::new();
    for name in TENSORS {
        let path = data::shared(&format!("{name}.tns.gz"))?;
        let pattern = FilePattern::read(&path)?;
        rows.extend(processes.iter().filter_map(|count| TensorRow::of(name, &pattern, *count)));
    }
    Ok(rows)
}

impl TensorRow {
    /// Nothing where no grid has so many processes.
    fn of(name: &str, pattern: &FilePattern, count: u32) -> Option<Self> {
        let shapes = shapes(count, &pattern.extents);
        let counted = shapes.into_iter().map(|shape| (moved(pattern, &shape), shape));
        let counted: Vec<(Traffic, Vec<u32>)> = counted.collect();
        let is_one_d = |shape: &[u32]| shape.iter().filter(|side| **side > 1).count() <= 1;
        let key = |(traffic, _): &&(Traffic, Vec<u32>)| (traffic.most_rows, traffic.rows);
        let (one_d, of_one_d) = counted.iter().filter(|(_, shape)| is_one_d(shape)).min_by_key(key)?;
        let (grid, shape) = counted.iter().min_by_key(key)?;
        let mode = of_one_d.iter().position(|side| *side > 1)?;
        let everything = pattern.extents.iter().sum::<usize>() as u64 * u64::from(count - 1);
        let (one_d, shape, grid) = (one_d.clone(), shape.clone(), grid.clone());
        Some(Self { tensor: name.to_owned(), processes: count, mode, one_d, shape, grid, everything })
    }

    fn cells(&self) -> Vec<String> {
        let counted = |traffic: &Traffic| {
            let Traffic { rows, most_rows, most_neighbours, .. } = *traffic;
            [grouped(rows), grouped(most_rows), grouped(most_neighbours)]
        };
        let shape: Vec<String> = self.shape.iter().map(u32::to_string).collect();
        let mut cells = vec![self.tensor.clone(), grouped(u64::from(self.processes)), self.mode.to_string()];
        cells.extend(counted(&self.one_d).into_iter().chain([shape.join(" × ")]).chain(counted(&self.grid)));
        cells.push(format!("{:.2}", self.one_d.most_rows as f64 / self.grid.most_rows.max(1) as f64));
        cells.push(grouped(self.everything));
        cells
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "tensor": self.tensor, "processes": self.processes, "mode": self.mode, "rows": self.one_d.rows,
            "most_rows": self.one_d.most_rows, "grid": self.shape, "grid_rows": self.grid.rows,
            "grid_most_rows": self.grid.most_rows, "everything": self.everything,
        })
    }
}

/// What moves in a grid of ranges.
fn moved(pattern: &FilePattern, shape: &[u32]) -> Traffic {
    let blocks = shape.iter().enumerate().map(|(mode, side)| Blocks::ranges(pattern, mode, *side));
    let processes = processes_of(pattern, &blocks.collect::<Vec<_>>());
    let expand = |mode| Transfer { mode, direction: Direction::Expand, owners: None };
    let transfers: Vec<Transfer> = (0..shape.len()).map(expand).collect();
    traffic(pattern, &processes, shape.iter().product(), &transfers)
}

/// All grids of so many processes with no more blocks than coordinates along any mode.
fn shapes(count: u32, extents: &[usize]) -> Vec<Vec<u32>> {
    let Some((extent, rest)) = extents.split_first() else {
        return if count == 1 { vec![Vec::new()] } else { Vec::new() };
    };
    let sides = (1..=count).filter(|side| count.is_multiple_of(*side) && *side as usize <= *extent);
    let with = |side: u32| {
        let others = shapes(count / side, rest);
        others.into_iter().map(move |others| [side].into_iter().chain(others).collect())
    };
    sides.flat_map(with).collect()
}

const HEADING: [&str; 12] = [
    "tensor",
    "P",
    "mode",
    "1D: rows",
    "most",
    "from",
    "grid",
    "grid: rows",
    "most",
    "from",
    "most, 1D / grid",
    "all factors: rows",
];

pub(super) fn text(rows: &[TensorRow]) -> String {
    let method = "rows of factors and of the result that move in one MTTKRP, with the best mode and the best grid by the most that \
        one process receives";
    format!("\n{method}\n\n{}", table(&HEADING, rows.iter().map(TensorRow::cells)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_fit_the_tensor() {
        assert_eq!(shapes(4, &[9, 2, 1]), [vec![2, 2, 1], vec![4, 1, 1]]);
    }

    /// Along the first mode only the second factor moves: its row 0, which both processes use.
    #[test]
    fn one_mode_is_divided_where_that_moves_least() {
        let columns = vec![vec![0, 1, 2, 3], vec![0, 1, 0, 3], vec![0, 1, 2, 3]];
        let pattern = FilePattern { extents: vec![4, 4, 4], columns };
        let row = TensorRow::of("t", &pattern, 2).unwrap();
        assert_eq!((row.mode, row.one_d.rows, row.everything), (1, 0, 12));
        assert_eq!(moved(&pattern, &[2, 1, 1]).rows, 1);
    }
}
