//! Whether a generated kernel and the C loops computed the same.

use crate::agree::Agreement;
use crate::data::read_doubles;
use crate::setting::Outcome;
use std::path::{Path, PathBuf};

/// Compares a result with those of the peers, element by element.
pub(crate) fn results_agree(ours: &Path, peers: impl Iterator<Item = PathBuf>) -> Outcome<()> {
    let ours = read_doubles(ours)?;
    let agreement = Agreement::on(&ours);
    for path in peers {
        let theirs = read_doubles(&path)?;
        if ours.len() != theirs.len() {
            return Err(format!(
                "the result has {} elements, in `{}` {}",
                ours.len(),
                path.display(),
                theirs.len()
            ));
        }
        let differ = |(_, (a, b)): &(usize, (&f64, &f64))| !agreement.holds(**a, **b);
        if let Some((place, (a, b))) = ours.iter().zip(&theirs).enumerate().find(differ) {
            return Err(format!("element {place} of the result is {a}, in `{}` {b}", path.display()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::write;

    #[test]
    fn a_wrong_element_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, values: [f64; 2]| {
            let path = folder.path().join(name);
            write(&path, values.map(f64::to_le_bytes).concat()).unwrap();
            path
        };
        let ours = file("ours", [1.0, 2.0]);
        assert_eq!(results_agree(&ours, [file("close", [1.0, 2.0 + 1e-12])].into_iter()), Ok(()));
        let error = results_agree(&ours, [file("far", [1.0, 2.1])].into_iter()).unwrap_err();
        assert!(error.starts_with("element 1 of the result is 2,"), "{error}");
        assert!(results_agree(&ours, [file("nan", [f64::NAN, 2.0])].into_iter()).is_err());
    }
}
