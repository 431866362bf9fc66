//! Readers: Matrix Market, FROSTT and COMET's own tensor files, NumPy arrays, all also gzip-compressed, and
//! archives of arrays, among them sparse tensors of SciPy and of pydata/sparse.
//!
//! Nothing is ever silently skipped: a line that is not what its kind demands is an error with the file,
//! the line and what was expected. Memory is taken for the lines that are there, never for the number that
//! a header states.

mod bytes;
pub(crate) mod cache;
mod extents;
mod field;
mod foreign;
mod lines;
mod market;
mod market_header;
mod message;
mod npy;
mod npz;
mod part;
mod tns;
mod triangle;

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::options::TnsForm;
use crate::tensor::Tensor;
use crate::values::{ValueColumn, with_stored, with_type};
use bytes::FileBytes;
use comet_format::{ValueKind, ValueType};
use field::FileValue;
use std::path::Path;

pub use bytes::is_utf16;
pub use comet_abi::Triangle;
pub use extents::{
    FileExtents, is_array_file, read_element_type, read_extents, read_most_entries, read_value_type,
};
pub(crate) use part::{FilePart, LongFile, PartChecks, TextPart};

/// How a file is read.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions {
    /// The rank that is expected; `None` takes the file's own.
    pub rank: Option<usize>,
    /// The type of the values.
    pub value: ValueType,
    /// The entries that are kept.
    pub triangle: Triangle,
    /// What a `.tns` file's first line is.
    pub tns: TnsForm,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { rank: None, value: ValueType::F64, triangle: Triangle::All, tns: TnsForm::Detect }
    }
}

/// What a file holds, by its first bytes or its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Market,
    Tns,
    Npy,
    Npz,
}

/// Reads a file's entries, in the order of the file, duplicates included. A Matrix Market file with one row
/// or one column can be read as a vector.
///
/// # Errors
/// Files that cannot be opened, lines or headers that are malformed, ranks and value types that do not fit.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<CoordinateTensor, Error> {
    Ok(read_tensor(path, options)?.entries)
}

/// Reads a file of any numbers for where its entries are; complex values are read as their real parts.
///
/// # Errors
/// The errors of [`read_file`].
pub fn read_pattern(path: &Path, options: &ReadOptions) -> Result<CoordinateTensor, Error> {
    let value = read_value_type(path)?;
    if !value.is_complex() {
        return read_file(path, options);
    }
    let mut entries = read_file(path, &ReadOptions { value, ..*options })?;
    match &entries.values {
        ValueColumn::C128(values) => {
            entries.values = ValueColumn::F64(values.iter().map(|value| value.re).collect());
        }
        ValueColumn::C64(values) => {
            entries.values = ValueColumn::F64(values.iter().map(|value| f64::from(value.re)).collect());
        }
        _ => {}
    }
    Ok(entries)
}

/// A file's entries, and what is known of its sizes.
pub struct FileTensor {
    /// All that the file has.
    pub entries: CoordinateTensor,
    /// Whether the extents are the largest indices only.
    pub(crate) at_least: bool,
}

/// Reads all entries of a file, of whatever triangle the options ask for, ahead of a program that reads it.
/// [`FileTensor::give_back`] lets the program take them.
///
/// # Errors
/// The errors of [`read_file`].
pub fn read_ahead(path: &Path, options: &ReadOptions) -> Result<FileTensor, Error> {
    match cache::take(path, options) {
        Some(kept) => Ok(kept),
        None => parse_file(path, options),
    }
}

/// What a file says of the extents of its tensor.
pub(crate) struct StatedExtents<'a> {
    pub(crate) dims: &'a [i64],
    /// True if the extents are the largest indices only.
    pub(crate) at_least: bool,
}

impl FileTensor {
    pub(crate) fn stated_extents(&self) -> StatedExtents<'_> {
        StatedExtents { dims: &self.entries.dims, at_least: self.at_least }
    }

    /// Keeps the entries for the next read of the file with these options, which takes them in place of
    /// parsing it again, unless the file changes before.
    pub fn give_back(self, path: &Path, options: &ReadOptions) {
        cache::give_back(path, options, self);
    }
}

/// Reads a long `.npy` file into a dense tensor of the type that is asked for, whose levels are in the order
/// of the file; `None` of any other file, and where not all entries are wanted.
pub(crate) fn read_array(path: &Path, options: &ReadOptions) -> Result<Option<Tensor>, Error> {
    if options.triangle != Triangle::All || options.rank == Some(0) {
        return Ok(None);
    }
    let Some((head, length)) = bytes::long_start(path)? else { return Ok(None) };
    if !head.starts_with(npy::MAGIC) {
        return Ok(None);
    }
    let expected = (options.rank, options.value);
    with_stored!(options.value, V, T => npy::read_long::<V, T>(path, (&head, length), expected)).map(Some)
}

/// Reads a file's entries, or takes those that were read when its extents were asked for.
pub(crate) fn read_tensor(path: &Path, options: &ReadOptions) -> Result<FileTensor, Error> {
    let FileTensor { entries, at_least } = read_ahead(path, options)?;
    Ok(FileTensor { entries: triangle::keep(options.triangle, entries, path)?, at_least })
}

fn parse_file(path: &Path, options: &ReadOptions) -> Result<FileTensor, Error> {
    // A truth is made of any number.
    if options.value.row().kind == ValueKind::Truth {
        let FileTensor { mut entries, at_least } = parse_as::<f64>(path, options)?;
        entries.values = entries.values.cast_to(options.value)?;
        return Ok(FileTensor { entries, at_least });
    }
    with_type!(options.value, T => parse_as::<T>(path, options))
}

fn parse_as<V: FileValue>(path: &Path, options: &ReadOptions) -> Result<FileTensor, Error> {
    let file = FileBytes::open(path)?;
    // One number looks the same in every kind of text, so such a file may have any name.
    if options.rank == Some(0) && !file.starts_with(npy::MAGIC) && !file.starts_with(npz::MAGIC) {
        return Ok(FileTensor {
            entries: tns::read_scalar::<V>(path, &file, options.value)?,
            at_least: false,
        });
    }
    let entries = match (FileKind::of(path, &file)?, options.rank) {
        (FileKind::Npy, rank) => npy::read::<V>(path, &file, rank, options.value)?,
        (FileKind::Npz, rank) => npz::read::<V>(path, &file, rank, options.value)?,
        (FileKind::Market, rank) => market::read::<V>(path, &file, rank, options.value)?,
        (FileKind::Tns, rank) => return tns::read::<V>(path, &file, rank, options),
    };
    Ok(FileTensor { entries, at_least: false })
}

impl FileKind {
    fn of(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.starts_with(npy::MAGIC) {
            return Ok(Self::Npy);
        }
        if bytes.starts_with(npz::MAGIC) {
            return Ok(Self::Npz);
        }
        if market_header::is_banner(bytes) {
            return Ok(Self::Market);
        }
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        match name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.').map(|(_, extension)| extension) {
            Some("mtx") => Ok(Self::Market),
            Some("tns") => Ok(Self::Tns),
            Some("npy") => Ok(Self::Npy),
            Some("npz") => Ok(Self::Npz),
            _ => {
                let message = format!(
                    "expected a file named `.mtx`, `.tns`, `.npy` or `.npz`, or one of these with `.gz`, found `{name}`; \
                     lines of indices and a value are a `.tns` file"
                );
                Err(Error::malformed(path, None, message))
            }
        }
    }
}
