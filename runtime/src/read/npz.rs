//! `.npz`: a zip archive of NumPy arrays. It holds a sparse tensor, as SciPy and pydata/sparse save one, or
//! an array by itself.

mod sparse;

use super::field::FileValue;
use super::message::shown;
use super::npy::{self, NpyHeader};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use comet_format::ValueType;
use std::borrow::Cow;
use std::io::{Cursor, Read as _};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// Arrays that a message names.
const NAMED: usize = 8;

/// The arrays of a file.
struct Members<'a> {
    path: &'a Path,
    archive: ZipArchive<Cursor<&'a [u8]>>,
}

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
enum ArchiveContent {
    /// A sparse tensor in a format.
    Sparse(String),
    /// An array of that name.
    Array(String),
}

/// The extents that a file states.
pub(super) fn dims(path: &Path, file: &[u8], rank: Option<usize>) -> Result<Vec<i64>, Error> {
    let mut members = Members::of(path, file)?;
    match members.content()? {
        ArchiveContent::Sparse(_) => members.dims(rank),
        ArchiveContent::Array(name) => {
            let header = members.header(&name)?;
            npy::check_rank(&members.member_path(&name), &header, rank)?;
            Ok(header.dims)
        }
    }
}

/// The type of the values that a file states.
pub(super) fn element(path: &Path, file: &[u8]) -> Result<ValueType, Error> {
    let mut members = Members::of(path, file)?;
    let name = match members.content()? {
        ArchiveContent::Sparse(_) => "data".to_owned(),
        ArchiveContent::Array(name) => name,
    };
    Ok(members.header(&name)?.element)
}

/// Returns whether a file holds an array by itself, with every position.
pub(super) fn is_array(path: &Path, file: &[u8]) -> Result<bool, Error> {
    Ok(matches!(Members::of(path, file)?.content()?, ArchiveContent::Array(_)))
}

pub(super) fn read<V: FileValue>(
    path: &Path,
    file: &[u8],
    rank: Option<usize>,
    value: ValueType,
) -> Result<CoordinateTensor, Error> {
    let mut members = Members::of(path, file)?;
    match members.content()? {
        ArchiveContent::Sparse(format) => sparse::read::<V>(&mut members, &format, rank, value),
        ArchiveContent::Array(name) => {
            let bytes = members.bytes(&name)?;
            npy::read::<V>(&members.member_path(&name), &bytes, rank, value)
        }
    }
}

impl<'a> Members<'a> {
    fn of(path: &'a Path, file: &'a [u8]) -> Result<Self, Error> {
        let archive = ZipArchive::new(Cursor::new(file)).map_err(|error| {
            let message = format!("expected a whole zip archive ({error}); copy or download the file again");
            Error::malformed(path, None, message)
        })?;
        Ok(Self { path, archive })
    }

    fn content(&mut self) -> Result<ArchiveContent, Error> {
        if self.has("data") && self.has("shape") {
            // The first versions of pydata/sparse wrote no name.
            let is_sparse = ["format", "compressed_axes", "coords"].map(|name| self.has(name));
            match is_sparse {
                [true, _, _] => return self.format().map(ArchiveContent::Sparse),
                [_, true, _] => return Ok(ArchiveContent::Sparse("gcxs".to_owned())),
                [_, _, true] => return Ok(ArchiveContent::Sparse("coo".to_owned())),
                _ => {}
            }
        }
        self.only_array().map(ArchiveContent::Array)
    }

    /// Returns the name of the array of a file that has no other.
    fn only_array(&self) -> Result<String, Error> {
        let names: Vec<_> = self.archive.file_names().filter_map(Result::ok).collect();
        let (found, remedy) = match &names[..] {
            [name] => match name.strip_suffix(".npy") {
                Some(name) => return Ok(name.to_owned()),
                None => (format!("`{}`", shown(name.as_bytes())), "unpack the archive".to_owned()),
            },
            [] => ("nothing".to_owned(), "save an array by `np.save`".to_owned()),
            [first, ..] => {
                let first = shown(first.trim_end_matches(".npy").as_bytes());
                (several(&names), format!("save one by itself: `np.save(\"{first}.npy\", {first})`"))
            }
        };
        let message = format!(
            "expected one array, or a sparse tensor of SciPy or pydata/sparse, found {found}; {remedy}"
        );
        Err(Error::malformed(self.path, None, message))
    }

    fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(&format!("{name}.npy")).is_some()
    }

    fn malformed(&self, name: &str, message: &str) -> Error {
        Error::malformed(&self.member_path(name), None, message)
    }

    /// Returns what messages call an array.
    fn member_path(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.npy"))
    }

    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let member = self.archive.by_name(&format!("{name}.npy"));
        let read = member
            .map_err(|error| error.to_string())
            .and_then(|mut member| member.read_to_end(&mut bytes).map_err(|error| error.to_string()));
        match read {
            Ok(_) => Ok(bytes),
            Err(error) => Err(self.malformed(name, &format!("expected an array, found none: {error}"))),
        }
    }

    fn header(&mut self, name: &str) -> Result<NpyHeader, Error> {
        let bytes = self.bytes(name)?;
        npy::parse_header(&self.member_path(name), &bytes)
    }

    /// Returns an array of a rank, in the order of the file.
    fn array<V: FileValue>(
        &mut self,
        name: &str,
        rank: usize,
        value: ValueType,
    ) -> Result<(NpyHeader, Vec<V>), Error> {
        let bytes = self.bytes(name)?;
        npy::elements::<V>(&self.member_path(name), &bytes, Some(rank), value)
    }

    /// Returns an array of integers of one dimension.
    fn integers(&mut self, name: &str) -> Result<Vec<i64>, Error> {
        Ok(self.array::<i64>(name, 1, ValueType::I64)?.1)
    }

    /// Returns the extents of a sparse tensor.
    fn dims(&mut self, rank: Option<usize>) -> Result<Vec<i64>, Error> {
        let dims = self.integers("shape")?;
        match rank {
            Some(rank) if rank != dims.len() => {
                let (found, shape) = (dims.len(), npy::shape(&dims));
                let message =
                    format!("expected a tensor of rank {rank}, found rank {found}, of the shape {shape}");
                Err(Error::malformed(self.path, None, message))
            }
            _ if dims.iter().any(|extent| *extent < 0) => {
                let found = npy::shape(&dims);
                Err(self.malformed("shape", &format!("expected extents of at least 0, found {found}")))
            }
            _ => Ok(dims),
        }
    }

    /// Returns the name of the format, which is text of one byte for each letter, or of four.
    fn format(&mut self) -> Result<String, Error> {
        let bytes = self.bytes("format")?;
        let text = npy::payload(&bytes).unwrap_or_default();
        Ok(text.iter().filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect())
    }
}

/// The names of several arrays.
fn several(names: &[Cow<'_, str>]) -> String {
    let shown =
        names.iter().take(NAMED).map(|name| format!("`{}`", shown(name.trim_end_matches(".npy").as_bytes())));
    let shown: Vec<String> = shown.collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    format!("{} arrays, {}{more}", names.len(), shown.join(", "))
}
