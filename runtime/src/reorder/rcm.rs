//! Reverse Cuthill–McKee: the vertices of each connected component in the order of a breadth-first search,
//! neighbours of small degree first, reversed.
//!
//! A search begins at a pseudo-peripheral vertex, one that is far from some other: then its levels are many
//! and small, and neighbours get numbers that are not far apart (A. George, J. W. H. Liu: An implementation
//! of a pseudoperipheral node finder, 1979). Components stay in the order of their first vertices.

use super::graph::Graph;
use super::pattern::EntryPattern;
use super::permutation::Permutation;
use crate::error::Error;

/// One permutation for the rows and the columns.
pub(super) fn reorder(pattern: &EntryPattern, chosen: &[usize]) -> Result<Vec<Permutation>, Error> {
    check(pattern, chosen)?;
    let permutation = Permutation::from_order(&order(&Graph::of(pattern)))?;
    Ok(vec![permutation.clone(), permutation])
}

fn check(pattern: &EntryPattern, chosen: &[usize]) -> Result<(), Error> {
    let refuse = |message: String| Err(Error::Shape(message));
    match pattern.extents[..] {
        [rows, columns] if rows == columns && chosen.len() == 2 => Ok(()),
        [rows, columns] if rows == columns => refuse(
            "reverse Cuthill–McKee numbers rows and columns alike, expected all modes: LexiOrder and the \
             order by degree take some modes only"
                .to_owned(),
        ),
        [rows, columns] => refuse(format!(
            "reverse Cuthill–McKee needs a square matrix, found {rows} rows and {columns} columns: LexiOrder \
             takes any"
        )),
        _ => refuse(format!(
            "reverse Cuthill–McKee needs a square matrix, found rank {}: LexiOrder takes any tensor",
            pattern.rank()
        )),
    }
}

fn order(graph: &Graph) -> Vec<u32> {
    let mut order = Vec::with_capacity(graph.vertices());
    let mut is_numbered = vec![false; graph.vertices()];
    let mut search = RcmSearch::new(graph);
    for vertex in 0..graph.vertices() as u32 {
        if is_numbered[vertex as usize] {
            continue;
        }
        search.run_from_periphery(vertex);
        search.reached.iter().for_each(|&reached| is_numbered[reached as usize] = true);
        order.extend(search.reached.iter().rev());
    }
    order
}

/// A breadth-first search.
struct RcmSearch<'a> {
    graph: &'a Graph,
    /// The vertices of the component, level by level.
    reached: Vec<u32>,
    /// Where the last level begins.
    last_level: usize,
    /// The distance from the first vertex to those of the last level.
    depth: usize,
    /// The run that has reached each vertex last.
    reached_in: Vec<usize>,
    run: usize,
}

impl<'a> RcmSearch<'a> {
    fn new(graph: &'a Graph) -> Self {
        let reached_in = vec![0; graph.vertices()];
        Self { graph, reached: Vec::new(), last_level: 0, depth: 0, reached_in, run: 0 }
    }

    /// Searches from a vertex of the component that is about as far from another as can be.
    fn run_from_periphery(&mut self, any: u32) {
        self.run_from(any);
        loop {
            let (root, depth) = (self.reached[0], self.depth);
            let last = self.reached[self.last_level..].iter().copied();
            let farthest = last.min_by_key(|&vertex| (self.graph.degree(vertex), vertex));
            self.run_from(farthest.expect("the last level has a vertex"));
            if self.depth <= depth {
                return self.run_from(root);
            }
        }
    }

    fn run_from(&mut self, root: u32) {
        self.run += 1;
        self.reached.clear();
        self.reached.push(root);
        self.reached_in[root as usize] = self.run;
        (self.last_level, self.depth) = (0, 0);
        loop {
            let end = self.reached.len();
            for place in self.last_level..end {
                self.reach_neighbours(self.reached[place]);
            }
            if self.reached.len() == end {
                return;
            }
            (self.last_level, self.depth) = (end, self.depth + 1);
        }
    }

    fn reach_neighbours(&mut self, vertex: u32) {
        for &neighbour in self.graph.neighbours(vertex) {
            if self.reached_in[neighbour as usize] != self.run {
                self.reached_in[neighbour as usize] = self.run;
                self.reached.push(neighbour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> EntryPattern {
        EntryPattern {
            extents: vec![4, 4],
            columns: vec![vec![0, 0, 0, 1, 1, 2, 2, 3, 3, 3], vec![0, 2, 3, 1, 3, 0, 2, 0, 1, 3]],
        }
    }

    /// The example of the module above.
    #[test]
    fn a_chain_becomes_a_band() {
        let permutations = reorder(&chain(), &[0, 1]).unwrap();
        assert_eq!(permutations[0].numbers(), [1, 3, 0, 2]);
        assert_eq!(permutations[0], permutations[1]);
    }

    #[test]
    fn other_shapes_and_single_modes_are_refused() {
        let message =
            |pattern: &EntryPattern, chosen: &[usize]| reorder(pattern, chosen).unwrap_err().to_string();
        assert!(message(&chain(), &[0]).contains("expected all modes"));
        let wide = EntryPattern { extents: vec![2, 3], columns: vec![vec![], vec![]] };
        assert!(message(&wide, &[0, 1]).contains("found 2 rows and 3 columns: LexiOrder takes any"));
        let cube = EntryPattern { extents: vec![2; 3], columns: vec![vec![]; 3] };
        assert!(message(&cube, &[0, 1, 2]).contains("found rank 3: LexiOrder takes any tensor"));
    }
}
