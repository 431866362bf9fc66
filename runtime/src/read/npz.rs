//! SciPy's `.npz`: a zip archive of NumPy arrays, as `scipy.sparse.save_npz` writes them for `csr`, `csc` and
//! `coo`.

use super::field::FileValue;
use super::lines::shown;
use super::npy;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::values::ValueColumn;
use comet_format::ValueType;
use std::io::{Cursor, Read as _};
use std::path::Path;
use zip::ZipArchive;

pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// The arrays of a file.
struct Members<'a> {
    path: &'a Path,
    archive: ZipArchive<Cursor<&'a [u8]>>,
}

/// The extents that a file states.
pub(super) fn dims(path: &Path, file: &[u8], rank: Option<usize>) -> Result<Vec<i64>, Error> {
    let mut members = Members::of(path, file)?;
    let dims = members.integers("shape")?;
    match rank {
        Some(rank) if rank != dims.len() => {
            let message = format!("expected a tensor of rank {rank}, found rank {}", dims.len());
            Err(Error::malformed(path, None, message))
        }
        _ if dims.iter().any(|extent| *extent < 0) => {
            Err(members.malformed("shape", "expected extents of at least 0"))
        }
        _ => Ok(dims),
    }
}

/// The type of the values that a file states.
pub(super) fn element(path: &Path, file: &[u8]) -> Result<ValueType, Error> {
    let bytes = Members::of(path, file)?.bytes("data")?;
    Ok(npy::parse_header(path, &bytes)?.element)
}

pub(super) fn read<V: FileValue>(
    path: &Path,
    file: &[u8],
    rank: Option<usize>,
    value: ValueType,
) -> Result<CoordinateTensor, Error> {
    let dims = dims(path, file, rank)?;
    let mut members = Members::of(path, file)?;
    let format = members.format()?;
    if matches!(format.as_str(), "bsr" | "dia") {
        let message =
            format!("found the format `{format}`, expected `csr`, `csc` or `coo`: save `A.tocsr()`");
        return Err(members.malformed("format", &message));
    }
    let values = members.array::<V>("data", value)?;
    let coords = match (format.as_str(), dims.len()) {
        ("csr" | "csc", 2) => {
            let (inner, outer) = members.compressed(values.len())?;
            if format == "csr" { vec![outer, inner] } else { vec![inner, outer] }
        }
        ("csr", 1) => vec![members.integers("indices")?],
        ("coo", 2) => vec![members.integers("row")?, members.integers("col")?],
        _ => {
            let message =
                format!("expected `csr`, `csc` or `coo` of rank 2, found `{}`", shown(format.as_bytes()));
            return Err(members.malformed("format", &message));
        }
    };
    let tensor = CoordinateTensor { dims, coords, values };
    tensor.check().map_err(|error| Error::malformed(path, None, error.to_string()))?;
    Ok(tensor)
}

impl<'a> Members<'a> {
    fn of(path: &'a Path, file: &'a [u8]) -> Result<Self, Error> {
        let archive = ZipArchive::new(Cursor::new(file))
            .map_err(|error| Error::malformed(path, None, format!("expected a zip archive: {error}")))?;
        Ok(Self { path, archive })
    }

    fn malformed(&self, name: &str, message: &str) -> Error {
        Error::malformed(self.path, None, format!("`{name}.npy` in it: {message}"))
    }

    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let member = self.archive.by_name(&format!("{name}.npy"));
        let read = member
            .map_err(|error| error.to_string())
            .and_then(|mut member| member.read_to_end(&mut bytes).map_err(|error| error.to_string()));
        match read {
            Ok(_) => Ok(bytes),
            Err(error) => Err(self.malformed(name, &error)),
        }
    }

    /// Returns an array of one dimension.
    fn array<V: FileValue>(&mut self, name: &str, value: ValueType) -> Result<ValueColumn, Error> {
        let bytes = self.bytes(name)?;
        npy::read::<V>(&self.path.join(format!("{name}.npy")), &bytes, Some(1), value)
            .map(|array| array.values)
    }

    fn integers(&mut self, name: &str) -> Result<Vec<i64>, Error> {
        match self.array::<i64>(name, ValueType::I64)? {
            ValueColumn::I64(numbers) => Ok(numbers),
            _ => unreachable!("integers are read as integers"),
        }
    }

    /// Returns the name of the format, which is text of one byte for each letter, or of four.
    fn format(&mut self) -> Result<String, Error> {
        let bytes = self.bytes("format")?;
        let text = npy::payload(&bytes).unwrap_or_default();
        Ok(text.iter().filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect())
    }

    /// Returns the coordinates of compressed rows or columns, and for each the row or column.
    fn compressed(&mut self, entries: usize) -> Result<(Vec<i64>, Vec<i64>), Error> {
        let (inner, bounds) = (self.integers("indices")?, self.integers("indptr")?);
        let is_ascending = bounds.is_sorted() && bounds.first() == Some(&0);
        if !is_ascending || bounds.last().is_none_or(|last| *last != entries as i64) {
            let message = format!("expected numbers that ascend from 0 to {entries}, the number of entries");
            return Err(self.malformed("indptr", &message));
        }
        let lengths = bounds.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let outer = lengths.enumerate().flat_map(|(row, length)| std::iter::repeat_n(row as i64, length));
        Ok((inner, outer.collect()))
    }
}
