//! The header of a Matrix Market file: the banner, comments and the line of sizes.

use super::lines::shown;
use crate::error::Error;
use std::path::Path;

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

/// Reads the header.
pub(super) fn parse(path: &Path, text: &[u8]) -> Result<MarketHeader, Error> {
    let mut lines = HeaderLines { text, next: text.len() - without_mark(text).len(), line: 0 };
    let banner = lines.next_line().unwrap_or_default();
    let (is_coordinate, field, symmetry) = parse_banner(path, banner)?;
    let wanted = if is_coordinate { "`rows columns entries`" } else { "`rows columns`" };
    let sizes = loop {
        match lines.next_line() {
            Some(line) if line.trim_ascii().is_empty() || line.starts_with(b"%") => {}
            Some(line) => break line,
            None => {
                return Err(Error::malformed(path, None, format!("the file ends before the line {wanted}")));
            }
        }
    };
    let numbers = numbers(sizes);
    let (layout, rows, columns) = match numbers.as_deref() {
        Some(&[rows, columns, entries]) if is_coordinate => {
            (MarketLayout::Coordinate { entries }, rows, columns)
        }
        Some(&[rows, columns]) if !is_coordinate => (MarketLayout::Array, rows, columns),
        _ => {
            let message = format!("expected {wanted}, found `{}`", shown(sizes));
            return Err(Error::malformed(path, lines.line, message));
        }
    };
    if symmetry != Symmetry::General && rows != columns {
        let message = format!("a symmetric matrix must be square, found {rows} rows and {columns} columns");
        return Err(Error::malformed(path, lines.line, message));
    }
    Ok(MarketHeader { layout, field, symmetry, rows, columns, body: lines.next, body_line: lines.line + 1 })
}

/// Whether a file begins as a Matrix Market file does.
pub(super) fn is_banner(text: &[u8]) -> bool {
    without_mark(text).get(..14).is_some_and(|start| start.eq_ignore_ascii_case(b"%%MatrixMarket"))
}

/// Returns a text after the byte order mark that some editors put first.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

struct HeaderLines<'a> {
    text: &'a [u8],
    next: usize,
    line: u64,
}

impl<'a> HeaderLines<'a> {
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

fn parse_banner(path: &Path, line: &[u8]) -> Result<(bool, MarketField, Symmetry), Error> {
    let text = String::from_utf8_lossy(line).to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let refuse = |message: String| Err(Error::malformed(path, 1, message));
    let found = if line.is_empty() { "nothing".to_owned() } else { format!("`{}`", shown(line)) };
    let ["%%matrixmarket", "matrix", layout, field, symmetry] = words[..] else {
        return refuse(format!(
            "expected `%%MatrixMarket matrix coordinate|array real|complex|integer|pattern \
             general|symmetric|skew-symmetric|hermitian`, \
             found {found}"
        ));
    };
    let is_coordinate = match layout {
        "coordinate" => true,
        "array" => false,
        _ => {
            return refuse(format!("expected `coordinate` or `array`, found `{}`", shown(layout.as_bytes())));
        }
    };
    let field = match field {
        "real" | "double" => MarketField::Real,
        "integer" => MarketField::Integer,
        "pattern" if is_coordinate => MarketField::Pattern,
        "pattern" => return refuse("a `pattern` file must be `coordinate`, found `array`".to_owned()),
        "complex" => MarketField::Complex,
        _ => {
            return refuse(format!(
                "expected `real`, `complex`, `integer` or `pattern`, found `{}`",
                shown(field.as_bytes())
            ));
        }
    };
    let symmetry = match symmetry {
        "general" => Symmetry::General,
        "symmetric" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::SkewSymmetric,
        "hermitian" if field == MarketField::Complex => Symmetry::Hermitian,
        "hermitian" => return refuse("a `hermitian` matrix is `complex`, found another field".to_owned()),
        _ => {
            let found = shown(symmetry.as_bytes());
            return refuse(format!(
                "expected `general`, `symmetric`, `skew-symmetric` or `hermitian`, found `{found}`"
            ));
        }
    };
    Ok((is_coordinate, field, symmetry))
}

/// The numbers of a line, if it holds nothing else and each fits.
fn numbers(line: &[u8]) -> Option<Vec<i64>> {
    let text = std::str::from_utf8(line).ok()?;
    let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?;
    text.split_whitespace().map(number).collect()
}
