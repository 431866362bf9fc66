//! Places in a `.ta` source as locations of operations.

use crate::{Attr, Loc};
use comet_diag::{Source, Span};
use melior::Context;
use melior::ir::AttributeLike;

/// The location of a span; it keeps the whole range, so that a failure in any pass points at it.
pub fn of_span<'c>(context: &'c Context, source: &Source, span: Span) -> Loc<'c> {
    let (name, start_line, start_column) = source.place(span.start);
    let (_, end_line, end_column) = source.place(span.end);
    Loc::file_line_col_range(context, name, start_line, start_column, end_line, end_column)
}

pub fn to_attribute(location: Loc<'_>) -> Attr<'_> {
    // SAFETY: every location is an attribute, which lives as long as its context.
    unsafe { Attr::from_raw(mlir_sys::mlirLocationGetAttribute(location.to_raw())) }
}

pub fn of_attribute(attribute: Attr<'_>) -> Option<Loc<'_>> {
    // SAFETY: the attribute lives, and is asked whether it is a location.
    unsafe {
        let raw = attribute.to_raw();
        mlir_sys::mlirAttributeIsALocation(raw)
            .then(|| Loc::from_raw(mlir_sys::mlirLocationFromAttribute(raw)))
    }
}

/// A place and others that belong to it. MLIR keeps equal places once, so each of the others has a name of
/// its own.
pub fn with_others<'c>(context: &'c Context, own: Loc<'c>, others: &[(String, Loc<'c>)]) -> Loc<'c> {
    let named = others.iter().map(|(name, place)| Loc::name(context, name, *place));
    let places: Vec<Loc<'c>> = std::iter::once(own).chain(named).collect();
    Loc::fused(context, &places, Attr::unit(context))
}

/// The other place at `index`; the location itself where it has none.
pub fn other(location: Loc<'_>, index: usize) -> Loc<'_> {
    let has_it = location.is_fused() && index + 1 < location.fused_num_locations();
    if has_it { location.fused_location(index + 1) } else { location }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A location is its own place first, and the others are found by their number, equal ones too.
    #[test]
    fn others_are_found_by_number() {
        let context = Context::new();
        let place = |line| Loc::file_line_col_range(&context, "a.ta", line, 1, line, 2);
        let location =
            with_others(&context, place(1), &[("A mode 0".into(), place(2)), ("A mode 1".into(), place(2))]);
        assert_eq!(describe(location), "a.ta:1:1");
        assert_eq!(describe(other(location, 0)), "a.ta:2:1");
        assert_eq!(describe(other(location, 1)), "a.ta:2:1");
        assert_eq!(describe(other(location, 2)), "a.ta:1:1");
    }
}
