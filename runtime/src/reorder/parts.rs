//! Parts of a square matrix, one for each process: rows that have few entries in columns of other parts.
//!
//! METIS cuts the graph of A + Aᵀ, once with few edges between parts and once with few vertices that several
//! parts need; the better of both by what moves is taken. A row of a dense operand moves to every other
//! process that has an entry in its column: the sum of λ − 1 over the columns, where λ is the number of parts
//! that need it.

use super::graph::Graph;
use super::pattern::EntryPattern;
use super::permutation::Permutation;
use crate::error::Error;
use comet_abi::reorder::Method;
use metis::option::{ObjType, Seed, UFactor};
use rayon::prelude::*;

/// Parts, as new numbers for rows and columns.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// The old numbers in the order of the new ones: part after part, and in each as they were.
    pub(crate) order: Vec<u32>,
    /// Where the new numbers of each part begin, and where the last ones end.
    pub(crate) bounds: Vec<i64>,
    pub(crate) worth: PartsWorth,
}

/// What parts are worth, next to ranges of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PartsWorth {
    /// How many rows move in one product with a vector, between ranges and between parts.
    pub(crate) moved: [usize; 2],
    /// The most entries of a part, as a multiple of the mean.
    pub(crate) most: f64,
}

/// The most entries of a part over the mean that METIS is asked for, in thousandths above 1,
const IMBALANCE: i32 = 30;
/// and the most that are taken where other parts have fewer.
const MOST: f64 = 1.05;

/// Finds parts; `None` where the method keeps rows as they are.
pub(super) fn find(pattern: &EntryPattern, method: Method, count: usize) -> Result<Option<Parts>, Error> {
    let FoundParts { of_rows: parts, most, moved: after } = best(pattern, count)?;
    let before = moved(pattern, &ranges(pattern, count), count);
    if method == Method::Auto && before <= after {
        return Ok(None);
    }
    let mut order: Vec<u32> = (0..parts.len() as u32).collect();
    order.sort_by_key(|row| parts[*row as usize]);
    let bound = |part: usize| order.partition_point(|row| (parts[*row as usize] as usize) < part) as i64;
    let bounds = (0..=count).map(bound).collect();
    Ok(Some(Parts { order, bounds, worth: PartsWorth { moved: [before, after], most } }))
}

/// The part of each row, and what the parts are worth.
pub(super) struct FoundParts {
    pub(super) of_rows: Vec<i32>,
    most: f64,
    moved: usize,
}

/// Finds parts once with few edges between them and once with few rows that several need, and takes those of
/// which fewer rows move, if their entries are even.
pub(super) fn best(pattern: &EntryPattern, count: usize) -> Result<FoundParts, Error> {
    match pattern.extents[..] {
        [rows, columns] if rows == columns => {}
        _ => {
            let message = format!("parts are found of square matrices, found {:?}", pattern.extents);
            return Err(Error::Shape(message));
        }
    }
    let graph = Graph::of(pattern);
    let found = |objective| -> Result<FoundParts, Error> {
        let of_rows = cut(pattern, &graph, objective, count)?;
        let (most, moved) = (most(pattern, &of_rows, count), moved(pattern, &of_rows, count));
        Ok(FoundParts { of_rows, most, moved })
    };
    let [few_edges, few_rows] = [found(ObjType::Cut)?, found(ObjType::Vol)?];
    let rank = |found: &FoundParts| (found.most > MOST, found.moved);
    Ok(if rank(&few_rows) < rank(&few_edges) { few_rows } else { few_edges })
}

impl Parts {
    /// The new numbers.
    pub(crate) fn permutation(&self) -> Result<Permutation, Error> {
        Permutation::from_order(&self.order)
    }
}

/// The entries of each row.
fn weights(pattern: &EntryPattern) -> Vec<i32> {
    let mut weights = vec![0; pattern.extents[0]];
    pattern.columns[0].iter().for_each(|row| weights[*row as usize] += 1);
    weights
}

/// The part of each row, where parts are ranges of about as many entries each.
fn ranges(pattern: &EntryPattern, count: usize) -> Vec<i32> {
    let (total, mut before) = (pattern.len() as u128, 0u128);
    let part = |weight: i32| {
        // The first row in front of which there are p shares begins part p.
        let part = (before * count as u128).checked_div(total).unwrap_or(0);
        before += weight as u128;
        (part as i32).min(count as i32 - 1)
    };
    weights(pattern).into_iter().map(part).collect()
}

fn cut(pattern: &EntryPattern, graph: &Graph, objective: ObjType, count: usize) -> Result<Vec<i32>, Error> {
    let (starts, neighbours) = graph.lists();
    let signed = |numbers: &[u32]| -> Vec<i32> { numbers.iter().map(|number| *number as i32).collect() };
    let (starts, neighbours) = (signed(starts), signed(neighbours));
    // METIS expects edges where there are vertices.
    let mut parts = vec![0; pattern.extents[0]];
    if neighbours.is_empty() || count < 2 {
        return Ok(ranges(pattern, count));
    }
    let weights: Vec<i32> = weights(pattern).into_iter().map(|weight| weight.max(1)).collect();
    let failed = |error: &dyn std::fmt::Display| Error::Unsupported(format!("METIS finds no parts: {error}"));
    let graph = metis::Graph::new(1, count as i32, &starts, &neighbours).map_err(|error| failed(&error))?;
    let graph =
        graph.set_vwgt(&weights).set_option(objective).set_option(Seed(1)).set_option(UFactor(IMBALANCE));
    graph.part_kway(&mut parts).map_err(|error| failed(&error))?;
    Ok(parts)
}

/// The most entries of a part, as a multiple of the mean.
fn most(pattern: &EntryPattern, parts: &[i32], count: usize) -> f64 {
    let mut entries = vec![0usize; count];
    pattern.columns[0].iter().for_each(|row| entries[parts[*row as usize] as usize] += 1);
    let most = entries.into_iter().max().unwrap_or_default();
    (most * count) as f64 / pattern.len().max(1) as f64
}

/// How many rows of an operand move: those that other parts need, once for each.
fn moved(pattern: &EntryPattern, parts: &[i32], count: usize) -> usize {
    let needs = pattern.columns[0].par_iter().zip(&pattern.columns[1]);
    let mut needs: Vec<u64> = needs
        .filter(|(row, column)| parts[**row as usize] != parts[**column as usize])
        .map(|(row, column)| u64::from(*column) * count as u64 + parts[*row as usize] as u64)
        .collect();
    needs.par_sort_unstable();
    needs.dedup();
    needs.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cycles whose vertices take turns.
    fn cycles(half: u32) -> EntryPattern {
        let next = |vertex: u32| (vertex + 2) % (2 * half);
        let rows: Vec<u32> = (0..2 * half).flat_map(|vertex| [vertex, next(vertex)]).collect();
        let columns = (0..2 * half).flat_map(|vertex| [next(vertex), vertex]).collect();
        EntryPattern { extents: vec![2 * half as usize; 2], columns: vec![rows, columns] }
    }

    #[test]
    fn parts_are_found_where_nothing_moves() {
        let parts = find(&cycles(40), Method::Auto, 2).unwrap().expect("ranges cut both cycles");
        assert_eq!((parts.worth.moved[1], parts.worth.most), (0, 1.0));
        assert_eq!(parts.bounds, [0, 40, 80]);
        let of_first: Vec<u32> = parts.order[..40].iter().map(|vertex| vertex % 2).collect();
        assert!(of_first.iter().all(|cycle| *cycle == of_first[0]));
    }

    #[test]
    fn rows_stay_where_ranges_are_as_good() {
        let diagonal =
            EntryPattern { extents: vec![6, 6], columns: vec![(0..6).collect(), (0..6).collect()] };
        assert!(find(&diagonal, Method::Auto, 3).unwrap().is_none());
        let wide = EntryPattern { extents: vec![2, 3], columns: vec![vec![0], vec![2]] };
        assert!(matches!(find(&wide, Method::Graph, 2), Err(Error::Shape(_))));
    }
}
