//! Which file a read names: a flag of the command line, a variable of the environment, or a path in the
//! program.

use crate::error::Error;
use crate::options::{current, input};
use std::path::PathBuf;

/// A misspelt name shows beside what was expected.
fn inputs_given() -> String {
    let keys: Vec<String> =
        current().inputs.iter().map(|input| format!("`--input {}=…`", input.key)).collect();
    if keys.is_empty() { String::new() } else { format!("; given were {}", keys.join(", ")) }
}

const VARIABLE: &str = "SPARSE_FILE_NAME";

/// The file of a source, `env:<digits>`, `env:` or `path:<path>`, for a tensor. `--input NAME=PATH` wins
/// over all of them, `--input k=PATH` over the variable.
///
/// # Errors
/// A variable that is not set.
pub fn resolve(source: &str, tensor: &str) -> Result<PathBuf, Error> {
    if let Some(path) = input(tensor) {
        return Ok(path);
    }
    if let Some(path) = source.strip_prefix("path:") {
        return Ok(PathBuf::from(path));
    }
    let Some(number) = source.strip_prefix("env:") else {
        return Err(Error::Internal(format!("expected a source `env:` or `path:`, found `{source}`")));
    };
    if let Some(path) = input(number) {
        return Ok(path);
    }
    let variable = format!("{VARIABLE}{number}");
    match std::env::var_os(&variable) {
        Some(path) if !path.is_empty() => Ok(PathBuf::from(path)),
        _ => Err(Error::Option(format!(
            "no file to read `{tensor}` from: set the environment variable `{variable}`, or pass `--input {}=PATH`{}",
            if number.is_empty() {
                tensor.to_owned()
            } else {
                format!("{number}=PATH` or `--input {tensor}")
            },
            inputs_given()
        ))),
    }
}
