//! Whether two programs have come to the same entries.

use crate::agree::Agreement;
use crate::data::packed;
use crate::setting::Outcome;
use comet_format::Format;
use comet_runtime::Tensor;
use comet_runtime::values::Values;
use std::path::Path;

/// Compares the results in two files of entries of that rank, whichever order they stand in.
pub(super) fn results_agree(ours: &Path, other: &Path, rank: usize) -> Outcome<()> {
    let sorted = |path: &Path| packed(path, Format::coo(rank));
    let (ours, other) = (sorted(ours)?, sorted(other)?);
    let (our_values, other_values) = (values(&ours)?, values(&other)?);
    if our_values.len() != other_values.len() {
        return Err(format!("{} entries and {}", our_values.len(), other_values.len()));
    }
    for (level, (a, b)) in ours.levels.iter().zip(&other.levels).enumerate() {
        if let Some((place, (a, b))) = a.crd.iter().zip(b.crd.iter()).enumerate().find(|(_, (a, b))| a != b) {
            return Err(format!("entry {place} is at {a} and at {b} of mode {level}"));
        }
    }
    let agreement = Agreement::on(our_values);
    let mut pairs = our_values.iter().zip(other_values);
    match pairs.find(|(a, b)| !agreement.holds(**a, **b)) {
        None => Ok(()),
        Some((a, b)) => Err(format!("{a} and {b}")),
    }
}

fn values(tensor: &Tensor) -> Outcome<&[f64]> {
    match &tensor.values {
        Values::F64(values) => Ok(values),
        _ => Err("the values are no doubles".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::write;

    /// The order of the lines does not count; positions and values do.
    #[test]
    fn the_first_difference_is_described() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            write(&path, text).unwrap();
            path
        };
        let ours = file("ours.tns", "1 2 0.5\n3 1 2.5\n");
        let same = file("same.tns", "3 1 2.5\n1 2 0.5\n");
        let moved = file("moved.tns", "1 1 0.5\n3 2 2.5\n");
        let other = file("other.tns", "1 2 0.5\n3 1 2.25\n");
        assert_eq!(results_agree(&ours, &same, 2), Ok(()));
        assert_eq!(results_agree(&ours, &moved, 2), Err("entry 0 is at 1 and at 0 of mode 1".to_owned()));
        assert_eq!(results_agree(&ours, &other, 2), Err("2.5 and 2.25".to_owned()));
    }
}
