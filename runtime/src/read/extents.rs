//! The extents of a file, before it is read: of `.mtx` and `.npy` from the header alone, of `.tns` from a
//! parse whose result is kept for the read that follows. And the type of its values, as far as it says one.

use super::bytes::FileBytes;
use super::market_header::{MarketField, MarketHeader, MarketLayout, Symmetry};
use super::{FileKind, ReadOptions, cache, market, market_header, npy, npz, parse_file, tns};
use crate::error::Error;
use crate::options::TnsForm;
use comet_format::ValueType;
use std::path::Path;

/// The extents that a file states or shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileExtents {
    /// One a mode.
    pub dims: Vec<i64>,
    /// Whether the tensor may be larger: a FROSTT file shows its largest indices only.
    pub at_least: bool,
}

/// The extents of a file that is read as a tensor of that rank.
///
/// # Errors
/// The errors of [`super::read_file`].
pub fn read_extents(path: &Path, rank: usize, form: TnsForm) -> Result<FileExtents, Error> {
    if rank == 0 {
        return Ok(FileExtents { dims: Vec::new(), at_least: false });
    }
    let head = FileBytes::open_head(path)?;
    let kind = FileKind::of(path, &head.bytes)?;
    if kind == FileKind::Npz {
        let bytes = FileBytes::open(path)?;
        return Ok(FileExtents { dims: npz::dims(path, &bytes, Some(rank))?, at_least: false });
    }
    if kind == FileKind::Tns {
        drop(head);
        return tns_extents(path, rank, form);
    }
    match header_extents(path, &head.bytes, kind, rank, head.most) {
        // The header may go on where the unpacked bytes end.
        Err(_) if !head.is_all => {
            let bytes = FileBytes::open(path)?;
            header_extents(path, &bytes, kind, rank, bytes.len() as u64)
        }
        extents => extents,
    }
}

/// The type that keeps all values of a file: integers where a Matrix Market file says so, complex
/// values of its type where it, a NumPy or a SciPy file does, doubles elsewhere.
///
/// # Errors
/// The errors of [`super::read_file`].
pub fn read_value_type(path: &Path) -> Result<ValueType, Error> {
    match numpy_element(path)? {
        Some(element) if element.is_complex() => Ok(element),
        Some(_) => Ok(ValueType::F64),
        None => market_type(path),
    }
}

/// The type that a file's values are stored in: that of the elements of a NumPy or a SciPy file, and of
/// others as [`read_value_type`] has it.
///
/// # Errors
/// The errors of [`super::read_file`].
pub fn read_element_type(path: &Path) -> Result<ValueType, Error> {
    numpy_element(path)?.map_or_else(|| market_type(path), Ok)
}

/// Returns whether a file is an array of NumPy, in which every position has an element: a `.npy`, or a `.npz`
/// that holds one array by itself.
///
/// # Errors
/// The errors of [`super::read_file`].
pub fn is_array_file(path: &Path) -> Result<bool, Error> {
    match FileKind::of(path, &FileBytes::open_head(path)?.bytes)? {
        FileKind::Npy => Ok(true),
        FileKind::Npz => npz::is_array(path, &FileBytes::open(path)?),
        FileKind::Market | FileKind::Tns => Ok(false),
    }
}

fn numpy_element(path: &Path) -> Result<Option<ValueType>, Error> {
    let head = FileBytes::open_head(path)?;
    match FileKind::of(path, &head.bytes)? {
        FileKind::Npz => npz::element(path, &FileBytes::open(path)?).map(Some),
        FileKind::Npy => Ok(Some(npy::parse_header(path, &head.bytes)?.element)),
        _ => Ok(None),
    }
}

fn market_type(path: &Path) -> Result<ValueType, Error> {
    Ok(market_header(path)?.map_or(ValueType::F64, |header| type_of(header.field)))
}

fn type_of(field: MarketField) -> ValueType {
    match field {
        MarketField::Integer | MarketField::Unsigned => ValueType::I64,
        MarketField::Complex => ValueType::C128,
        MarketField::Real | MarketField::Pattern => ValueType::F64,
    }
}

/// Returns the most entries of a file, where its header states it, as in Matrix Market.
///
/// # Errors
/// Files that cannot be opened, and headers that are malformed.
pub fn read_most_entries(path: &Path) -> Result<Option<u64>, Error> {
    let Some(header) = market_header(path)? else { return Ok(None) };
    let MarketLayout::Coordinate { entries } = header.layout else { return Ok(None) };
    let times = if header.symmetry == Symmetry::General { 1 } else { 2 };
    Ok(u64::try_from(entries).ok().and_then(|entries| entries.checked_mul(times)))
}

/// The header of a Matrix Market file; none of a file of another kind.
fn market_header(path: &Path) -> Result<Option<MarketHeader>, Error> {
    let head = FileBytes::open_head(path)?;
    if FileKind::of(path, &head.bytes)? != FileKind::Market {
        return Ok(None);
    }
    let header = match market_header::parse(path, &head.bytes) {
        // The header may go on where the unpacked bytes end.
        Err(_) if !head.is_all => market_header::parse(path, &FileBytes::open(path)?),
        header => header,
    };
    header.map(Some)
}

/// Returns the extents of the header, which are checked against the largest possible size of the file.
fn header_extents(
    path: &Path,
    head: &[u8],
    kind: FileKind,
    rank: usize,
    most: u64,
) -> Result<FileExtents, Error> {
    if kind == FileKind::Npy {
        let header = npy::parse_header(path, head)?;
        npy::check_rank(path, &header, Some(rank))?;
        npy::check_length(path, &header, most)?;
        return Ok(FileExtents { dims: header.dims, at_least: false });
    }
    let header = market_header::parse(path, head)?;
    if !market::can_be_whole(path, &header, most - header.body as u64)? {
        // Reading what is there finds what is missing, and where.
        let value = if header.field == MarketField::Complex { ValueType::C128 } else { ValueType::F64 };
        let options = ReadOptions { rank: Some(rank), value, ..ReadOptions::default() };
        return Ok(FileExtents { dims: parse_file(path, &options)?.entries.dims, at_least: false });
    }
    let dims = match market::mode_choice(path, &header, Some(rank))? {
        market::Modes::Both => vec![header.rows, header.columns],
        market::Modes::Only(mode) => vec![[header.rows, header.columns][mode]],
    };
    Ok(FileExtents { dims, at_least: false })
}

fn tns_extents(path: &Path, rank: usize, form: TnsForm) -> Result<FileExtents, Error> {
    let options = ReadOptions { rank: Some(rank), tns: form, ..ReadOptions::default() };
    if let Some(extents) = cache::extents(path, &options) {
        return Ok(extents);
    }
    let parsed = tns::read::<f64>(path, &FileBytes::open(path)?, Some(rank), &options)?;
    let extents = FileExtents { dims: parsed.entries.dims.clone(), at_least: parsed.at_least };
    cache::keep(path, &options, extents.clone(), parsed.entries);
    Ok(extents)
}
