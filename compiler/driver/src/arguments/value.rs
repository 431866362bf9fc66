//! Values of flags: words of tables, numbers and files, of which what is expected is said in the words of
//! this program and not in those of Rust's parsers.
//!
//! A result that may go to standard output is a [`Destination`]. The parsers for other files and for folders
//! refuse `-`, so that none is called that.

use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use comet_runtime::destination::Destination;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

/// The words that a flag takes, with their meanings.
pub(crate) type Words<T> = &'static [(&'static str, T)];

/// A parser for the words of a table.
pub(super) fn word<T: Clone + Send + Sync + 'static>(table: Words<T>) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(table.iter().map(|(word, _)| *word))
        .map(|word| meaning(table, &word).expect("only words of the table are taken"))
}

/// Returns what a word means.
pub(super) fn meaning<T: Clone>(table: Words<T>, word: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == word).map(|(_, meaning)| meaning.clone())
}

/// A parser for the place of what standard output cannot be, with the reason.
pub(super) fn place(reason: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |path| match Destination::from(&path) {
        Destination::StandardOutput => Err(format!("`-` is standard output, and {reason}")),
        Destination::File(path) => Ok(path),
    })
}

/// A parser for folders that files are written to.
pub(super) fn folder() -> impl TypedValueParser<Value = PathBuf> {
    place("several files are written to a folder")
}

/// A parser for whole numbers of a range.
pub(super) fn whole<N>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static
where
    N: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Parses the extent of a label.
pub(super) fn extent(text: &str) -> Result<(String, u64), String> {
    let parts = text.split_once('=').and_then(|(label, number)| Some((label, number.parse().ok()?)));
    let extent = parts.filter(|(label, extent)| !label.is_empty() && *extent > 0);
    let extent = extent.map(|(label, extent)| (label.to_owned(), extent));
    extent.ok_or_else(|| "expected a label and its extent, such as `j=64`".to_owned())
}

/// Parses any number.
pub(super) fn real(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "expected a number such as `0.5`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{extent, real, whole};
    use std::num::NonZeroUsize;

    /// Guards that no words of Rust's parsers reach the user, whatever is wrong with a number.
    #[test]
    fn what_is_no_number_of_the_range_is_refused() {
        let count = whole(1..=u32::MAX);
        assert_eq!(count("7"), Ok(7));
        for text in ["0", "-1", "4294967296", "few", "1.5", ""] {
            assert_eq!(count(text).unwrap_err(), "expected a whole number from 1 to 4294967295", "{text}");
        }
        let depth = whole(NonZeroUsize::MIN..=NonZeroUsize::MAX);
        assert_eq!(depth("2"), Ok(NonZeroUsize::new(2).unwrap()));
        assert_eq!(depth("0").unwrap_err(), "expected a whole number from 1 to 18446744073709551615");
        assert_eq!(extent("j=64"), Ok(("j".to_owned(), 64)));
        for text in ["j", "j=", "=3", "j=0", "j=-1", "64"] {
            assert!(extent(text).is_err(), "{text}");
        }
        assert_eq!(real("-0.5"), Ok(-0.5));
        assert_eq!(real("x").unwrap_err(), "expected a number such as `0.5`");
    }
}
