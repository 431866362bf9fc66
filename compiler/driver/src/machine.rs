//! Files of machines, for the simulator and the choice of tiles: errors point into them.

use crate::failure::{Failure, Result};
use crate::text;
use comet_diag::{Diagnostic, Span};
use comet_sam::machine::MachineError;
use std::path::Path;

/// Reads what a file says of a machine; the hint says where all keys are described.
pub(crate) fn read<T>(
    path: &Path,
    hint: &str,
    parse: impl Fn(&str) -> std::result::Result<T, MachineError>,
) -> Result<T> {
    let source = text::source(path)?;
    parse(source.text()).map_err(|error| {
        let diagnostic = match error.place {
            Some(place) => Diagnostic::error(Span::new(place.start, place.end), error.message),
            None => Diagnostic::error_without_place(format!("{}: {}", text::name(path), error.message)),
        };
        Failure::in_source(vec![diagnostic.hint(hint)], &source)
    })
}
