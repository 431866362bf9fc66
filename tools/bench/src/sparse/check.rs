//! Whether two programs have come to the same sparse matrix.

use crate::data::read_doubles;
use crate::setting::Outcome;
use std::path::Path;

/// The difference of two values, relative to the larger, that another order of additions explains, and the
/// one relative to the largest of the matrix, where terms cancel.
const TOLERANCE: f64 = 1e-9;
const CANCELLED: f64 = 1e-13;

/// The arrays that a program has written.
struct Matrix {
    pos: Vec<i32>,
    crd: Vec<i32>,
    values: Vec<f64>,
}

impl Matrix {
    fn read(stem: &Path) -> Outcome<Self> {
        let pos = read_indices(&stem.with_extension("pos"))?;
        let crd = read_indices(&stem.with_extension("crd"))?;
        let values = read_doubles(&stem.with_extension("val"))?;
        Ok(Self { pos, crd, values })
    }

    /// Rows, columns and values of what is not zero: some peers keep stored zeros, others do not.
    fn entries(&self) -> impl Iterator<Item = (usize, i32, f64)> + '_ {
        let row = move |(row, ends): (usize, &[i32])| {
            let entries = ends[0] as usize..ends[1] as usize;
            entries.map(move |entry| (row, self.crd[entry], self.values[entry])).collect::<Vec<_>>()
        };
        self.pos.windows(2).enumerate().flat_map(row).filter(|(.., value)| *value != 0.0)
    }
}

/// Compares the results that stand in two sets of files.
pub(super) fn results_agree(ours: &Path, peer: &Path) -> Outcome<()> {
    let (ours, theirs) = (Matrix::read(ours)?, Matrix::read(peer)?);
    let largest = ours.values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let close = |a: f64, b: f64| {
        let difference = (a - b).abs();
        difference <= TOLERANCE * a.abs().max(b.abs()) || difference <= CANCELLED * largest
    };
    let (mut our_entries, mut their_entries) = (ours.entries(), theirs.entries());
    loop {
        match (our_entries.next(), their_entries.next()) {
            (None, None) => return Ok(()),
            (Some((i, j, a)), Some((k, l, b))) if (i, j) == (k, l) && close(a, b) => {}
            (a, b) => return Err(format!("{} and {}", told(a), told(b))),
        }
    }
}

fn told(entry: Option<(usize, i32, f64)>) -> String {
    match entry {
        Some((row, column, value)) => format!("{value} at ({row}, {column})"),
        None => "no further entry".to_owned(),
    }
}

fn read_indices(path: &Path) -> Outcome<Vec<i32>> {
    let content =
        std::fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let (indices, []) = content.as_chunks::<4>() else {
        return Err(format!("`{}` does not hold whole indices", path.display()));
    };
    Ok(indices.iter().map(|index| i32::from_le_bytes(*index)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::write;
    use std::path::PathBuf;

    fn stored(folder: &Path, name: &str, crd: &[i32], values: &[f64]) -> PathBuf {
        let stem = folder.join(name);
        let pos = [0, crd.len() as i32];
        let bytes =
            |indices: &[i32]| indices.iter().flat_map(|index| index.to_le_bytes()).collect::<Vec<_>>();
        write(&stem.with_extension("pos"), bytes(&pos)).unwrap();
        write(&stem.with_extension("crd"), bytes(crd)).unwrap();
        let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        write(&stem.with_extension("val"), values).unwrap();
        stem
    }

    /// Stored zeros do not count; other entries and other values are told.
    #[test]
    fn the_first_difference_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let ours = stored(folder, "ours", &[0, 2, 5], &[1.0, 0.0, 3.0]);
        let same = stored(folder, "same", &[0, 5], &[1.0 + 1e-12, 3.0]);
        assert_eq!(results_agree(&ours, &same), Ok(()));
        let moved = stored(folder, "moved", &[0, 4], &[1.0, 3.0]);
        assert_eq!(results_agree(&ours, &moved), Err("3 at (0, 5) and 3 at (0, 4)".to_owned()));
        let shorter = stored(folder, "shorter", &[0], &[1.0]);
        assert_eq!(results_agree(&ours, &shorter), Err("3 at (0, 5) and no further entry".to_owned()));
        let other = stored(folder, "other", &[0, 5], &[1.5, 3.0]);
        assert_eq!(results_agree(&ours, &other), Err("1 at (0, 0) and 1.5 at (0, 0)".to_owned()));
    }
}
