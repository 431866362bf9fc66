//! The header of a Matrix Market file: the banner, comments and the line of sizes.

use super::message::{alternatives, counted, shown};
use crate::error::Error;
use std::path::Path;
use std::str::SplitWhitespace;

/// A header and where the entries begin.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MarketHeader {
    pub(super) layout: MarketLayout,
    pub(super) field: MarketField,
    pub(super) symmetry: Symmetry,
    pub(super) rows: i64,
    pub(super) columns: i64,
    /// The offset of the first byte after the line of sizes.
    pub(super) body: usize,
    /// The number of the line there.
    pub(super) body_line: u64,
    /// The number of the line of the banner.
    pub(super) banner_line: u64,
}

impl MarketHeader {
    /// Returns the number of the line of sizes.
    pub(super) fn sizes_line(&self) -> u64 {
        self.body_line - 1
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarketLayout {
    /// One line an entry, and how many the header states.
    Coordinate { entries: i64 },
    /// One line a position, columns first.
    Array,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarketField {
    /// `real`, `double`.
    Real,
    Integer,
    /// `unsigned-integer`, which SciPy has added to the format.
    Unsigned,
    Pattern,
    Complex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symmetry {
    General,
    Symmetric,
    SkewSymmetric,
    Hermitian,
}

impl Symmetry {
    /// Returns the word of the banner.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Symmetric => "symmetric",
            Self::SkewSymmetric => "skew-symmetric",
            Self::Hermitian => "hermitian",
        }
    }
}

/// Reads the header.
pub(super) fn parse(path: &Path, text: &[u8]) -> Result<MarketHeader, Error> {
    let mut lines = HeaderLines { text, next: text.len() - without_mark(text).len(), line: 0 };
    let banner = lines.next_where(|line| !line.is_empty()).unwrap_or_default();
    let banner_line = lines.line.max(1);
    let (lines_are, field, symmetry) = parse_banner(path, banner_line, banner)?;
    let wanted = lines_are.sizes();
    let Some(sizes) = lines.next_where(|line| !line.is_empty() && !line.starts_with(b"%")) else {
        let message = format!("expected the sizes {wanted} after this line, found the end of the file");
        return Err(Error::malformed(path, lines.line, message));
    };
    let (layout, rows, columns) = match (lines_are, numbers(sizes).as_deref()) {
        (LineKind::Entry, Some(&[rows, columns, entries])) => {
            (MarketLayout::Coordinate { entries }, rows, columns)
        }
        (LineKind::Value, Some(&[rows, columns])) => (MarketLayout::Array, rows, columns),
        (_, found) => {
            let remedy = lines_are.sizes_remedy(found.map(<[i64]>::len));
            let message = format!("expected the sizes {wanted}, found `{}`{remedy}", shown(sizes));
            return Err(Error::malformed(path, lines.line, message));
        }
    };
    if symmetry != Symmetry::General && rows != columns {
        let message = format!(
            "expected as many rows as columns, since the banner says `{}`, found {} and {}",
            symmetry.word(),
            counted(rows as u64, "row", "rows"),
            counted(columns as u64, "column", "columns")
        );
        return Err(Error::malformed(path, lines.line, message));
    }
    let (body, body_line) = (lines.next, lines.line + 1);
    Ok(MarketHeader { layout, field, symmetry, rows, columns, body, body_line, banner_line })
}

/// What a banner says of the lines after the sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// `coordinate`: two indices, and the value that the field asks for.
    Entry,
    /// `array`: a value.
    Value,
}

impl LineKind {
    /// Returns what the line of sizes has.
    fn sizes(self) -> &'static str {
        match self {
            Self::Entry => "`rows columns entries`",
            Self::Value => "`rows columns`",
        }
    }

    /// Returns what to do about a line of sizes that has another number of them.
    fn sizes_remedy(self, found: Option<usize>) -> &'static str {
        match (self, found) {
            (Self::Entry, Some(2)) => {
                "; add the number of entries, or write `array` in the banner if each line is a value"
            }
            (Self::Value, Some(3)) => {
                "; write `coordinate` in the banner if each line begins with two indices"
            }
            _ => "",
        }
    }
}

/// Whether a file begins as a Matrix Market file does.
pub(super) fn is_banner(text: &[u8]) -> bool {
    let text = without_mark(text).trim_ascii_start();
    text.get(..14).is_some_and(|start| start.eq_ignore_ascii_case(b"%%MatrixMarket"))
}

/// Returns a text after the byte order mark that some editors put first.
pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

struct HeaderLines<'a> {
    text: &'a [u8],
    next: usize,
    line: u64,
}

impl<'a> HeaderLines<'a> {
    /// Returns the next line that is wanted, without the blanks around it.
    fn next_where(&mut self, is_wanted: impl Fn(&[u8]) -> bool) -> Option<&'a [u8]> {
        loop {
            let line = self.next_line()?.trim_ascii();
            if is_wanted(line) {
                return Some(line);
            }
        }
    }

    fn next_line(&mut self) -> Option<&'a [u8]> {
        let rest = &self.text[self.next..];
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest);
        self.next += end.map_or(rest.len(), |end| end + 1);
        self.line += 1;
        Some(&rest[..end.unwrap_or(rest.len())])
    }
}

type Banner = (LineKind, MarketField, Symmetry);

const FIELDS: [(&str, MarketField); 6] = [
    ("real", MarketField::Real),
    ("double", MarketField::Real),
    ("complex", MarketField::Complex),
    ("integer", MarketField::Integer),
    ("unsigned-integer", MarketField::Unsigned),
    ("pattern", MarketField::Pattern),
];

const SYMMETRIES: [(&str, Symmetry); 4] = [
    ("general", Symmetry::General),
    ("symmetric", Symmetry::Symmetric),
    ("skew-symmetric", Symmetry::SkewSymmetric),
    ("hermitian", Symmetry::Hermitian),
];

fn parse_banner(path: &Path, line: u64, banner: &[u8]) -> Result<Banner, Error> {
    let text = String::from_utf8_lossy(banner).to_lowercase();
    let mut words = BannerWords { path, line, banner, words: text.split_whitespace() };
    words.start()?;
    words.next_of(&[("matrix", ())])?;
    let lines_are = words.next_of(&[("coordinate", LineKind::Entry), ("array", LineKind::Value)])?;
    let field = words.next_of(&FIELDS)?;
    if field == MarketField::Pattern && lines_are == LineKind::Value {
        return Err(
            words.refused("`coordinate` for a `pattern`", "`array`; write `real` if there are values")
        );
    }
    let symmetry = words.next_of(&SYMMETRIES)?;
    if symmetry == Symmetry::Hermitian && field != MarketField::Complex {
        let found = "another field; write `symmetric` if the values are real";
        return Err(words.refused("`complex` for a `hermitian` matrix", found));
    }
    words.end()?;
    Ok((lines_are, field, symmetry))
}

/// The words of a banner, read one after the other.
struct BannerWords<'a> {
    path: &'a Path,
    line: u64,
    banner: &'a [u8],
    /// In lower case.
    words: SplitWhitespace<'a>,
}

impl BannerWords<'_> {
    fn refused(&self, expected: &str, found: &str) -> Error {
        Error::malformed(self.path, self.line, format!("expected {expected}, found {found}"))
    }

    fn start(&mut self) -> Result<(), Error> {
        let word = self.words.next().unwrap_or_default();
        if word == "%%matrixmarket" {
            return Ok(());
        }
        let expected = "`%%MatrixMarket matrix coordinate|array real|complex|integer|pattern \
                        general|symmetric|skew-symmetric|hermitian`";
        let found = match self.banner {
            [] => "an empty file".to_owned(),
            banner => format!("`{}`", shown(banner)),
        };
        let remedy = match word.trim_start_matches('%') {
            "matrixmarket" => "; write `%%MatrixMarket`, with two percent signs",
            number if number.parse::<f64>().is_ok() => {
                "; add this line, or name a file of indices and values alone `.tns`"
            }
            _ => "",
        };
        Err(self.refused(expected, &format!("{found}{remedy}")))
    }

    /// Returns what a table has for the next word.
    fn next_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Result<T, Error> {
        let word = self.words.next();
        if let Some((_, meaning)) = table.iter().find(|(known, _)| word == Some(known)) {
            return Ok(*meaning);
        }
        let known: Vec<String> = table.iter().map(|(known, _)| format!("`{known}`")).collect();
        Err(self.refused(&alternatives(&known), &found_word(word)))
    }

    fn end(&mut self) -> Result<(), Error> {
        match self.words.next() {
            None => Ok(()),
            word => Err(self.refused("the end of the line after five words", &found_word(word))),
        }
    }
}

fn found_word(word: Option<&str>) -> String {
    word.map_or_else(|| "the end of the line".to_owned(), |word| format!("`{}`", shown(word.as_bytes())))
}

/// The numbers of a line, if it holds nothing else and each fits.
fn numbers(line: &[u8]) -> Option<Vec<i64>> {
    let text = std::str::from_utf8(line).ok()?;
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?;
    text.split_whitespace().map(number).collect()
}
