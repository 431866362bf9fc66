//! Parts of METIS, found as the run time finds those of `--partition=graph`: once with few edges between
//! parts and once with few vertices that several parts need.

use super::grid::{Blocks, Direction, FilePattern, Transfer, processes_of, traffic};
use crate::setting::Outcome;
use metis::option::{ObjType, Seed, UFactor};

/// The most entries of a part over the mean, in thousandths above 1.
const IMBALANCE: i32 = 30;

/// The parts of the rows of a square matrix of which fewer rows move in a product.
pub(super) fn metis_parts(pattern: &FilePattern, count: u32) -> Outcome<Blocks> {
    let graph = Adjacency::of(pattern);
    let found = [ObjType::Cut, ObjType::Vol].into_iter().map(|objective| graph.parts(objective, count));
    let found = found.collect::<Outcome<Vec<_>>>()?;
    let best = found.into_iter().min_by_key(|parts| rows_moved(pattern, parts));
    best.ok_or_else(|| "METIS finds no parts".to_owned())
}

fn rows_moved(pattern: &FilePattern, parts: &Blocks) -> u64 {
    let undivided = Blocks { count: 1, of: vec![0; pattern.extents[1]] };
    let processes = processes_of(pattern, &[parts.clone(), undivided]);
    let expand = Transfer { mode: 1, direction: Direction::Expand, owners: Some(&parts.of) };
    traffic(pattern, &processes, parts.count, &[expand]).rows
}

/// The graph of A + Aᵀ without loops, with the entries of rows as weights.
struct Adjacency {
    starts: Vec<i32>,
    neighbours: Vec<i32>,
    weights: Vec<i32>,
}

impl Adjacency {
    fn of(pattern: &FilePattern) -> Self {
        let entries =
            pattern.columns[0].iter().zip(&pattern.columns[1]).filter(|(row, column)| row != column);
        let both = |(row, column): (&u32, &u32)| [(*row, *column), (*column, *row)];
        let mut edges: Vec<(u32, u32)> = entries.flat_map(both).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; pattern.extents[0] + 1];
        edges.iter().for_each(|(vertex, _)| starts[*vertex as usize + 1] += 1);
        for vertex in 0..pattern.extents[0] {
            starts[vertex + 1] += starts[vertex];
        }
        let neighbours = edges.into_iter().map(|(_, neighbour)| neighbour as i32).collect();
        let weights = pattern.weights(0).into_iter().map(|weight| weight.max(1) as i32).collect();
        Self { starts, neighbours, weights }
    }

    fn parts(&self, objective: ObjType, count: u32) -> Outcome<Blocks> {
        let failed = |error: &dyn std::fmt::Display| format!("METIS finds no parts: {error}");
        let graph = metis::Graph::new(1, count as i32, &self.starts, &self.neighbours);
        let graph = graph.map_err(|error| failed(&error))?.set_vwgt(&self.weights);
        let graph = graph.set_option(objective).set_option(Seed(1)).set_option(UFactor(IMBALANCE));
        let mut parts = vec![0; self.weights.len()];
        graph.part_kway(&mut parts).map_err(|error| failed(&error))?;
        Ok(Blocks { count, of: parts.into_iter().map(|part| part as u32).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cycles whose vertices take turns: nothing has to move.
    #[test]
    fn parts_follow_the_graph() {
        let columns = vec![(0..80).collect(), (0..80).map(|vertex| (vertex + 2) % 80).collect()];
        let pattern = FilePattern { extents: vec![80, 80], columns };
        let parts = metis_parts(&pattern, 2).unwrap();
        assert_eq!(rows_moved(&pattern, &parts), 0);
        assert!(rows_moved(&pattern, &Blocks::ranges(&pattern, 0, 2)) > 0);
    }
}
