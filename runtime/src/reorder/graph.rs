//! The graph of a square matrix: an edge between i and j ≠ i where (i, j) or (j, i) holds an entry.

use super::counting::{sorted_by, starts};
use super::pattern::Pattern;

/// Neighbours of vertex v are `neighbours[starts[v]..starts[v + 1]]`, those of the smallest degree first.
pub(super) struct Graph {
    starts: Vec<usize>,
    neighbours: Vec<usize>,
}

impl Graph {
    pub(super) fn of(pattern: &Pattern) -> Self {
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

    pub(super) fn neighbours(&self, vertex: usize) -> &[usize] {
        &self.neighbours[self.starts[vertex]..self.starts[vertex + 1]]
    }

    pub(super) fn degree(&self, vertex: usize) -> usize {
        self.neighbours(vertex).len()
    }

    fn by_vertex(from: &[usize], to: &[usize], vertices: usize) -> Self {
        let in_order: Vec<usize> = (0..from.len()).collect();
        let neighbours = sorted_by(&in_order, from, vertices).into_iter().map(|edge| to[edge]).collect();
        Self { starts: starts(from, vertices), neighbours }
    }

    fn by_degree(&self) -> Vec<usize> {
        let degrees: Vec<usize> = (0..self.vertices()).map(|vertex| self.degree(vertex)).collect();
        let most = degrees.iter().copied().max().unwrap_or(0);
        sorted_by(&(0..self.vertices()).collect::<Vec<_>>(), &degrees, most + 1)
    }
}

/// Both directions of every edge, each once, sorted.
fn edges(rows: &[usize], columns: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let there = rows.iter().zip(columns).filter(|(row, column)| row != column);
    let mut edges: Vec<(usize, usize)> =
        there.flat_map(|(&row, &column)| [(row, column), (column, row)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_iter().unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_have_both_directions_and_neighbours_are_sorted_by_degree() {
        let pattern =
            Pattern { extents: vec![4, 4], columns: vec![vec![0, 0, 0, 1, 2, 3], vec![0, 1, 2, 0, 1, 0]] };
        let graph = Graph::of(&pattern);
        assert_eq!(graph.neighbours(0), [3, 1, 2]);
        assert_eq!(graph.neighbours(1), [2, 0]);
        assert_eq!(graph.neighbours(3), [0]);
    }
}
