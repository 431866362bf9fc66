//! Reads tensor files: LANGUAGE.md, "Files". Slow and simple; every malformed line is an error with its
//! number.

mod matrix_market;
mod npy;
mod tns;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use comet_syntax::ast::Element;
use flate2::read::MultiGzDecoder;

use crate::error::{OracleError, Result};
use crate::number::{TypedNumber, computed};

/// How `.tns` files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TnsForm {
    /// COMET's own form where the first line can be its header, else FROSTT.
    #[default]
    Detect,
    /// 1-based, without a header.
    Frostt,
    /// A header line, then 0-based entries.
    Comet,
}

/// What is to be read.
#[derive(Clone, Copy)]
pub(crate) struct Request {
    /// The modes of the tensor.
    pub(crate) rank: usize,
    /// The type its values must fit.
    pub(crate) element: Element,
    /// For `.tns`.
    pub(crate) form: TnsForm,
}

/// The content of a file.
pub(crate) struct FileData {
    /// The extents the file states, or its largest indices.
    pub(crate) dims: Vec<usize>,
    /// Whether the file states them.
    pub(crate) exact: bool,
    /// Positions, 0-based, and values, in the order of the file.
    pub(crate) entries: Vec<(Vec<usize>, TypedNumber)>,
}

/// Reads a file; its name decides the format.
pub(crate) fn read(path: &Path, request: Request) -> Result<FileData> {
    let name = path.to_string_lossy().to_string();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let bytes = bytes_of(path)?;
    if plain.ends_with(".npy") {
        return npy::read(&bytes, request).map_err(|error| in_file(&name, error));
    }
    let text = String::from_utf8(bytes).map_err(|_| OracleError::new(format!("{name}: not a text")))?;
    let lines = Lines::of(&text);
    let data = match plain.rsplit_once('.').map(|(_, extension)| extension) {
        Some("mtx") => matrix_market::read(&lines, request),
        Some("tns") => tns::read(&lines, request),
        _ => Err(OracleError::new("neither .mtx, .tns nor .npy")),
    };
    data.map_err(|error| in_file(&name, error))
}

fn in_file(name: &str, error: OracleError) -> OracleError {
    OracleError::new(format!("{name}: {}", error.message))
}

/// The content of a file, decompressed where its name says so.
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| match path.extension() {
        Some(extension) if extension == "gz" => MultiGzDecoder::new(file).read_to_end(&mut bytes),
        _ => file.read_to_end(&mut bytes),
    });
    read.map_err(|error| OracleError::new(format!("{}: {error}", path.display())))?;
    Ok(bytes)
}

/// The lines of a text that carry something, split at white space, with their numbers.
struct Lines<'a> {
    lines: Vec<FileLine<'a>>,
}

/// A line's fields.
#[derive(Clone)]
struct FileLine<'a> {
    number: usize,
    fields: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let lines = text
            .lines()
            .zip(1..)
            .map(|(line, number)| FileLine { number, fields: line.split_whitespace().collect() });
        Self { lines: lines.filter(|line| !line.fields.is_empty()).collect() }
    }

    /// The lines that do not begin with that character.
    fn without_comments(&self, mark: char) -> Vec<FileLine<'a>> {
        self.lines.iter().filter(|line| !line.fields[0].starts_with(mark)).cloned().collect()
    }
}

impl FileLine<'_> {
    fn error(&self, expected: &str) -> OracleError {
        OracleError::new(format!(
            "line {}: expected {expected}, found `{}`",
            self.number,
            self.fields.join(" ")
        ))
    }

    /// All fields as non-negative integers.
    fn integers(&self) -> Option<Vec<usize>> {
        self.fields.iter().map(|field| field.parse().ok()).collect()
    }

    /// The indices of an entry, counted from `first`, as 0-based ones.
    fn position(&self, rank: usize, first: usize) -> Result<Vec<usize>> {
        let index = |field: &&str| field.parse::<usize>().ok()?.checked_sub(first);
        let at = self.fields.iter().take(rank).map(index).collect::<Option<Vec<_>>>();
        at.filter(|at| at.len() == rank).ok_or_else(|| self.error("indices"))
    }

    /// The field as a value of that type.
    fn value(&self, field: usize, element: Element) -> Result<TypedNumber> {
        let value = self.fields.get(field).and_then(|text| parse(text, element));
        value.ok_or_else(|| self.error("a value"))
    }
}

/// A value; an `int` must be an integer, though it may be written `3.0`. Fortran writes `D` in exponents.
fn parse(text: &str, element: Element) -> Option<TypedNumber> {
    let text = &text.replace(['D', 'd'], "e");
    let number = match computed(element) {
        Element::F64 => text.parse().ok().map(TypedNumber::F64)?,
        Element::F32 => text.parse().ok().map(TypedNumber::F32)?,
        Element::C64 | Element::C128 => text.parse().ok().map(TypedNumber::F64)?,
        _ if element == Element::Bool => text.parse().ok().map(TypedNumber::F64)?,
        _ => text.parse().ok().map(TypedNumber::I64).or_else(|| whole(text.parse().ok()?))?,
    };
    fitting(number, element)
}

/// A number of a file as an element; none where the type has no such integer.
pub(crate) fn fitting(number: TypedNumber, element: Element) -> Option<TypedNumber> {
    let is_integer = computed(element) == Element::I64 && element != Element::Bool;
    let number = match number {
        TypedNumber::I64(_) => number,
        _ if is_integer => whole(number.to_f64())?,
        _ => number,
    };
    let stored = number.to(element);
    (!is_integer || stored == number).then_some(stored)
}

/// An integer that comes as a float.
fn whole(value: f64) -> Option<TypedNumber> {
    (value.fract() == 0.0 && value.abs() < 9.2e18).then_some(TypedNumber::I64(value as i64))
}
