//! Whether programs have come to the same result.

use super::turns::Running;
use crate::agree::Agreement;
use crate::data::read_doubles;
use crate::setting::Outcome;
use std::path::Path;

/// Has ours and each peer write its result into the folder, and compares them.
pub(super) fn all_agree(
    ours: &mut Running,
    peers: &mut [Running],
    folder: &Path,
    read_result: fn(&Path) -> Outcome<Entries>,
) -> Outcome<()> {
    let read = |running: &mut Running| {
        let stem = folder.join("result");
        running.save(&stem)?;
        let result = read_result(&stem)?;
        std::fs::remove_file(stem.with_extension("val")).map_err(|error| error.to_string())?;
        Outcome::Ok(result)
    };
    let our_result = read(ours)?;
    for peer in peers {
        let result = read(peer)?;
        agree(&our_result, &result).map_err(|error| format!("comet and {} differ: {error}", peer.name))?;
    }
    Ok(())
}

/// A result: entries with their rows and columns, each of as many values; a dense one has values only.
pub(super) struct Entries {
    rows: Vec<i32>,
    columns: Vec<i32>,
    values: Vec<f64>,
}

impl Entries {
    pub(super) fn read(stem: &Path) -> Outcome<Self> {
        let rows = read_indices(&stem.with_extension("row"))?;
        let columns = read_indices(&stem.with_extension("crd"))?;
        Ok(Self { rows, columns, ..Self::dense(stem)? })
    }

    pub(super) fn dense(stem: &Path) -> Outcome<Self> {
        Ok(Self { rows: Vec::new(), columns: Vec::new(), values: read_doubles(&stem.with_extension("val"))? })
    }

    /// The places and values of what is not zero: some peers keep stored zeros, others do not. A place is a
    /// row, a column, and a number among the values there.
    fn iter(&self) -> impl Iterator<Item = (i32, i32, usize, f64)> + '_ {
        let width = self.values.len() / self.rows.len().max(1);
        let place = move |(number, value): (usize, &f64)| match self.rows.get(number / width.max(1)) {
            Some(row) => (*row, self.columns[number / width], number % width, *value),
            None => (0, 0, number, *value),
        };
        self.values.iter().enumerate().filter(|(_, value)| **value != 0.0).map(place)
    }
}

fn agree(ours: &Entries, theirs: &Entries) -> Outcome<()> {
    let agreement = Agreement::on(&ours.values);
    let (mut our_entries, mut their_entries) = (ours.iter(), theirs.iter());
    loop {
        match (our_entries.next(), their_entries.next()) {
            (None, None) => return Ok(()),
            (Some((i, j, r, a)), Some((k, l, s, b))) if (i, j, r) == (k, l, s) && agreement.holds(a, b) => {}
            (a, b) => return Err(format!("{} and {}", described(a), described(b))),
        }
    }
}

fn described(entry: Option<(i32, i32, usize, f64)>) -> String {
    match entry {
        Some((row, column, place, value)) => format!("{value} at ({row}, {column}, {place})"),
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

    fn entries(columns: &[i32], values: &[f64]) -> Entries {
        Entries { rows: vec![0; columns.len()], columns: columns.to_vec(), values: values.to_vec() }
    }

    /// Stored zeros do not count; other entries and other values are reported.
    #[test]
    fn the_first_difference_is_described() {
        let ours = entries(&[0, 2, 5], &[1.0, 0.0, 3.0]);
        let compared = |columns: &[i32], values: &[f64]| agree(&ours, &entries(columns, values));
        assert_eq!(compared(&[0, 5], &[1.0 + 1e-12, 3.0]), Ok(()));
        assert_eq!(compared(&[0, 4], &[1.0, 3.0]), Err("3 at (0, 5, 0) and 3 at (0, 4, 0)".to_owned()));
        assert_eq!(compared(&[0], &[1.0]), Err("3 at (0, 5, 0) and no further entry".to_owned()));
        assert_eq!(compared(&[0, 5], &[1.5, 3.0]), Err("1 at (0, 0, 0) and 1.5 at (0, 0, 0)".to_owned()));
        assert!(compared(&[0, 5], &[f64::NAN, 3.0]).is_err());
    }

    /// Entries of two values, and a dense result.
    #[test]
    fn every_value_has_a_place() {
        let places =
            |entries: &Entries| entries.iter().map(|(_, j, place, _)| (j, place)).collect::<Vec<_>>();
        assert_eq!(places(&entries(&[3, 7], &[1.0, 2.0, 3.0, 4.0])), [(3, 0), (3, 1), (7, 0), (7, 1)]);
        assert_eq!(places(&entries(&[], &[1.0, 2.0])), [(0, 0), (0, 1)]);
    }
}
