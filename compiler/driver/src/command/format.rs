//! `comet fmt`.

use super::output;
use crate::arguments::FormatArguments;
use crate::failure::{Failure, Result};
use crate::{front, text};

/// Lays out every file; the first that has errors ends it.
pub(crate) fn format(arguments: &FormatArguments) -> Result<()> {
    let mut different = Vec::new();
    for path in &arguments.files {
        let source = front::read_source(path)?;
        let text =
            comet_syntax::format_module(&source).map_err(|errors| Failure::in_source(errors, &source))?;
        if arguments.stdout || (text::is_standard_input(path) && !arguments.check) {
            output::print(text.as_bytes())?;
        } else if text != source.text() {
            different.push(path.display().to_string());
            if !arguments.check {
                output::write(path, text.as_bytes())?;
            }
        }
    }
    if arguments.check && !different.is_empty() { Err(not_laid_out(&different)) } else { Ok(()) }
}

fn not_laid_out(files: &[String]) -> Failure {
    let message = format!("not in the canonical layout: `{}`", files.join("`, `"));
    Failure::hinted(message, "`comet fmt` without `--check` rewrites them")
}
