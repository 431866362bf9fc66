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

/// The innermost range of a file that a location has.
pub fn range(location: Loc<'_>) -> Option<Loc<'_>> {
    if location.is_file_line_col_range() {
        return Some(location);
    }
    if location.is_fused() {
        return (0..location.fused_num_locations()).find_map(|index| range(location.fused_location(index)));
    }
    if location.is_name() {
        return range(location.name_child_location());
    }
    if location.is_call_site() {
        return range(location.call_site_callee());
    }
    None
}

/// `file:line:column` of the innermost place that a location has.
pub fn describe(location: Loc<'_>) -> String {
    let Some(range) = range(location) else { return "?".to_owned() };
    let file = range.file_line_col_range_filename();
    let file = file.as_string_ref().as_str().unwrap_or("?").to_owned();
    format!("{file}:{}:{}", range.file_line_col_range_start_line(), range.file_line_col_range_start_column())
}
