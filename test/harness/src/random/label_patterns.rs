//! Every way to repeat labels in an access, with every choice of labels for the result, in many formats.
//!
//! `R[i] = T[i,j,j]` and its like: which coordinates a sparse result has follows from the whole expression;
//! a repeated label makes them others than those of any level of the operand.

use super::data::{self, Density};
use super::format::Format;
use super::kernel::{Content, DrawnLabel, FileKind, Kernel, Operand, Value};
use super::rng::Rng;

/// The extent of each label.
const SIZES: [usize; 4] = [3, 2, 4, 2];

/// One kernel for each: the operand's rank is that, the ranks of results are 0 to the number of labels.
pub fn kernels(rank: usize) -> Vec<Kernel> {
    let mut found = Vec::new();
    for accessed in patterns(rank) {
        for target in targets(&accessed) {
            for format in operand_formats(rank) {
                for result in result_formats(target.len()) {
                    found.push(kernel(&accessed, &target, &format, result, found.len() as u64));
                }
            }
        }
    }
    found
}

/// The ways to write labels at that many modes, up to the names: each label is one that came before, or the
/// next new one.
fn patterns(rank: usize) -> Vec<Vec<usize>> {
    (0..rank).fold(vec![Vec::new()], |shorter, _| {
        let longer = shorter.iter().flat_map(|labels: &Vec<usize>| {
            let new = labels.iter().max().map_or(0, |label| label + 1);
            (0..=new).map(|label| [&labels[..], &[label]].concat())
        });
        longer.collect()
    })
}

/// All choices of those labels, each at most once, in all orders.
fn targets(accessed: &[usize]) -> Vec<Vec<usize>> {
    let count = accessed.iter().max().map_or(0, |label| label + 1);
    let (mut all, mut last) = (vec![Vec::new()], vec![Vec::new()]);
    for _ in 0..count {
        let longer = last.iter().flat_map(|labels: &Vec<usize>| {
            let rest = (0..count).filter(|label| !labels.contains(label));
            rest.map(|label| [&labels[..], &[label]].concat())
        });
        last = longer.collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn operand_formats(rank: usize) -> Vec<Format> {
    let with = |level: usize, kind: &'static str| {
        let mut kinds = vec!["CU"; rank];
        kinds[level] = kind;
        Format::Levels { kinds, order: None }
    };
    let ordered = |order: Vec<usize>| Format::Levels { kinds: vec!["CU"; rank], order: Some(order) };
    vec![
        Format::Other("CSF".to_owned()),
        Format::Other("COO".to_owned()),
        ordered((0..rank).rev().collect()),
        ordered((0..rank).map(|mode| (mode + 1) % rank).collect()),
        with(0, "D"),
        with(1, "D"),
        with(rank - 1, "D"),
        with(1, "BV<8>"),
        with(0, "CN"),
        Format::Dense,
    ]
}

fn result_formats(rank: usize) -> &'static [&'static str] {
    match rank {
        0 => &["Dense"],
        1 => &["SparseVector", "COO", "{BV<8>}"],
        2 => &["DCSR", "CSR", "CSC", "DCSC", "COO", "{CU, D}"],
        3 => &["CSF", "COO", "{D, CU, CU}", "{CU, CU, CU}, order={2, 0, 1}"],
        _ => &["CSF", "COO"],
    }
}

fn kernel(accessed: &[usize], target: &[usize], format: &Format, result: &str, number: u64) -> Kernel {
    let mut rng = Rng::numbered(28, number);
    let dims: Vec<usize> = accessed.iter().map(|&label| SIZES[label]).collect();
    // Not all off the diagonals, which most positions are.
    let repeats = |at: &[usize]| (0..at.len()).all(|mode| at[mode] == at[first(accessed, mode)]);
    let positions = data::positions(&mut rng, &dims, Density::Full).into_iter();
    let positions = positions.filter(|at| rng.percent(if repeats(at) { 50 } else { 15 })).collect();
    let entries = data::entries(&mut rng, "double", positions);
    let operand = Operand {
        labels: accessed.to_vec(),
        element: "double",
        format: format.clone(),
        content: Content::File(FileKind::Comet, entries),
        part: Vec::new(),
    };
    let format = if result == "Dense" { Format::Dense } else { Format::Other(result.to_owned()) };
    let target = Operand {
        labels: target.to_vec(),
        element: "double",
        format,
        content: Content::Nothing,
        part: Vec::new(),
    };
    let count = accessed.iter().max().map_or(0, |label| label + 1);
    Kernel {
        labels: SIZES[..count].iter().map(|&size| DrawnLabel { size, open: false }).collect(),
        operands: vec![target, operand],
        op: "=",
        mask: None,
        value: Value::Operand(1),
        prints_operands: false,
        rounds: 1,
        again: None,
        schedule: Vec::new(),
        prints_entries: false,
    }
}

/// The first mode with the label of that one.
fn first(accessed: &[usize], mode: usize) -> usize {
    accessed.iter().position(|label| *label == accessed[mode]).unwrap_or(mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_the_partitions_of_the_modes() {
        assert_eq!(patterns(2), [[0, 0], [0, 1]]);
        assert_eq!((patterns(3).len(), patterns(4).len()), (5, 15));
        assert_eq!(targets(&[0, 1, 1]), [vec![], vec![0], vec![1], vec![0, 1], vec![1, 0]]);
    }

    #[test]
    fn all_are_there() {
        assert!(kernels(3).len() >= 1020, "{}", kernels(3).len());
        assert!(kernels(4).len() >= 4824, "{}", kernels(4).len());
    }
}
