//! Names of operations in string literals.

use crate::count::Finding;
use crate::file::RustFile;

/// The dialects of comet.
const OWN: [&str; 4] = ["ta", "cin", "sam", "spatial"];

/// The dialects of MLIR that comet builds operations of.
const UPSTREAM: [&str; 9] = ["arith", "async", "cf", "func", "llvm", "math", "memref", "scf", "vector"];

/// Finds the names of operations and attributes of comet's dialects.
pub(crate) fn own_operations(file: &RustFile<'_>) -> Vec<Finding> {
    names(file, &OWN)
}

/// Finds the names of operations and attributes of MLIR's dialects.
pub(crate) fn upstream_operations(file: &RustFile<'_>) -> Vec<Finding> {
    names(file, &UPSTREAM)
}

fn names(file: &RustFile<'_>, dialects: &[&str]) -> Vec<Finding> {
    let found = file.tokens.iter().filter_map(|token| {
        let name = token.text.strip_prefix('"')?.strip_suffix('"')?;
        is_name(name, dialects).then(|| Finding { line: token.line, amount: 1, text: Some(name.to_owned()) })
    });
    found.collect()
}

/// Returns whether a text is all of `dialect.name`, where a name may have several parts.
fn is_name(text: &str, dialects: &[&str]) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    text.split_once('.')
        .is_some_and(|(dialect, name)| dialects.contains(&dialect) && name.split('.').all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages and files that begin like a name are none.
    #[test]
    fn names_are_whole_literals() {
        let texts = ["ta.set_op", "cin.", "spatial.mem at", "tar.gz", "llvm.mlir.global"];
        assert_eq!(texts.map(|text| is_name(text, &OWN)), [true, false, false, false, false]);
        assert!(is_name("llvm.mlir.global", &UPSTREAM));
    }
}
