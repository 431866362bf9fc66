//! The graph of a square matrix: an edge between i and j ≠ i where (i, j) or (j, i) holds an entry.

use super::counting::{in_order, sorted_by, starts};
use super::pattern::EntryPattern;
use rayon::prelude::*;

/// Neighbours of vertex v are `neighbours[starts[v]..starts[v + 1]]`, those of the smallest degree first.
pub(super) struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    pub(super) fn of(pattern: &EntryPattern) -> Self {
        let vertices = pattern.extents[0];
        let (mut from, mut to) = edges(&pattern.columns[0], &pattern.columns[1]);
        let by_vertex = Self::by_vertex(&from, &to, vertices);
        // Listed once more, in the order of the degrees of where they begin, edges meet each vertex that
        // they lead to in the order that its list is to have.
        (from, to) = (Vec::with_capacity(from.len()), Vec::with_capacity(to.len()));
        for vertex in by_vertex.by_degree() {
            for &neighbour in by_vertex.neighbours(vertex) {
                from.push(neighbour);
                to.push(vertex);
            }
        }
        Self::by_vertex(&from, &to, vertices)
    }

    pub(super) fn vertices(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn neighbours(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.neighbours[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// Where the neighbours of each vertex begin, and where the last ones end, and the neighbours.
    pub(super) fn lists(&self) -> (&[u32], &[u32]) {
        (&self.starts, &self.neighbours)
    }

    pub(super) fn degree(&self, vertex: u32) -> usize {
        self.neighbours(vertex).len()
    }

    fn by_vertex(from: &[u32], to: &[u32], vertices: usize) -> Self {
        let edges = sorted_by(&in_order(from.len()), |edge| from[edge as usize], vertices);
        let neighbours = edges.into_iter().map(|edge| to[edge as usize]).collect();
        Self { starts: starts(from.iter().copied(), vertices), neighbours }
    }

    fn by_degree(&self) -> Vec<u32> {
        let degrees: Vec<u32> =
            (0..self.vertices() as u32).map(|vertex| self.degree(vertex) as u32).collect();
        let most = degrees.iter().copied().max().unwrap_or(0);
        sorted_by(&in_order(self.vertices()), |vertex| degrees[vertex as usize], most as usize + 1)
    }
}

/// Both directions of every edge, each once, sorted.
fn edges(rows: &[u32], columns: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let there = rows.iter().zip(columns).filter(|(row, column)| row != column);
    let mut edges: Vec<(u32, u32)> =
        there.flat_map(|(&row, &column)| [(row, column), (column, row)]).collect();
    edges.par_sort_unstable();
    edges.dedup();
    edges.into_iter().unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_have_both_directions_and_neighbours_are_sorted_by_degree() {
        let pattern = EntryPattern {
            extents: vec![4, 4],
            columns: vec![vec![0, 0, 0, 1, 2, 3], vec![0, 1, 2, 0, 1, 0]],
        };
        let graph = Graph::of(&pattern);
        assert_eq!(graph.neighbours(0), [3, 1, 2]);
        assert_eq!(graph.neighbours(1), [2, 0]);
        assert_eq!(graph.neighbours(3), [0]);
    }
}
