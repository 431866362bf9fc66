//! Places in a `.ta` source as locations of operations.

use crate::Loc;
use comet_diag::{Source, Span};
use melior::Context;

/// The location of a span; it keeps the whole range, so that a failure in any pass points at it.
pub fn of_span<'c>(context: &'c Context, source: &Source, span: Span) -> Loc<'c> {
    let (start_line, start_column) = source.line_column(span.start);
    let (end_line, end_column) = source.line_column(span.end);
    Loc::file_line_col_range(context, source.name(), start_line, start_column, end_line, end_column)
}

/// `file:line:column` of the innermost place that a location has.
pub fn describe(location: Loc<'_>) -> String {
    if location.is_file_line_col_range() {
        let file = location.file_line_col_range_filename();
        let file = file.as_string_ref().as_str().unwrap_or("?").to_owned();
        return format!("{file}:{}:{}", location.file_line_col_range_start_line(), location.file_line_col_range_start_column());
    }
    if location.is_fused() && location.fused_num_locations() > 0 {
        return describe(location.fused_location(0));
    }
    if location.is_name() {
        return describe(location.name_child_location());
    }
    "?".to_owned()
}
