//! Names of the notation as names of the `.ta` language.

/// A name that is a keyword there gets a `_`, which no name of the notation has.
pub(crate) fn to_ta(name: &str) -> String {
    if comet_syntax::is_name(name) { name.to_owned() } else { format!("{name}_") }
}

/// The name as it was written.
pub(crate) fn written(name: &str) -> &str {
    name.strip_suffix('_').unwrap_or(name)
}
