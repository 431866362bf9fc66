//! SAM's text layout of tensors: a folder with files of one number a line.
//!
//! `tensor_B_mode_shape` has the extents of the modes, `tensor_B_mode_0_seg` and `tensor_B_mode_0_crd` the
//! arrays of the compressed level that stores mode 0, `tensor_B_mode_vals` the values. Dense levels have no
//! files, and a scalar has its value only.

use std::error::Error as StdError;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::{Storage, StoredLevel};
use crate::arithmetic::{Element, Value, Values};
use crate::graph::{Level, TensorFormat};

/// Why a tensor cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The file.
    pub path: PathBuf,
    /// The line of what was found, from 1 on, if it is one line's fault.
    pub line: Option<usize>,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))?;
        write!(f, ": {}", self.message)
    }
}

impl StdError for Error {}

/// The tensor of this name in a folder. What comes back fits the format: segments and coordinates ascend,
/// coordinates are below their extents, and every position has a value. Memory is bounded by the files'
/// sizes.
///
/// # Errors
/// The first file that is missing or wrong.
pub fn read(folder: &Path, format: &TensorFormat) -> Result<Storage, Error> {
    let files = Files::new(folder, format)?;
    let dims = shape(&files)?;
    let mut levels = Vec::new();
    let mut positions = 1;
    for (level, &mode) in format.levels.iter().zip(&format.order) {
        let stored = match level {
            Level::Dense => StoredLevel::Dense { size: dims[mode] },
            Level::Compressed => compressed(&files, mode, dims[mode], positions)?,
            Level::BitVector(_) => {
                let message = "bit vectors in files are not supported yet".to_owned();
                return Err(fault(folder, None, message));
            }
        };
        positions = positions_of(&stored, positions).ok_or_else(|| too_large(&files))?;
        levels.push(stored);
    }
    let values = values(&files)?;
    values
        .has_length(positions, || format!("{positions} values, one for each position of the last level"))?;
    let values = Values { element: format.element, bits: values.numbers };
    Ok(Storage { dims, levels, order: format.order.clone(), values })
}

/// Writes a tensor into a folder, which is made if it is not there.
///
/// # Errors
/// The tensor is not stored in this format, or a file cannot be written.
pub fn write(folder: &Path, format: &TensorFormat, storage: &Storage) -> Result<(), Error> {
    let files = Files::new(folder, format)?;
    let is_dense = |level: &StoredLevel| matches!(level, StoredLevel::Dense { .. });
    let fits = storage.order == format.order
        && storage.values.element == format.element
        && storage.dims.len() == format.levels.len()
        && storage.levels.len() == format.levels.len()
        && storage.levels.iter().zip(&format.levels).all(|(a, b)| is_dense(a) == (*b == Level::Dense));
    if !fits {
        return Err(fault(folder, None, format!("the tensor is not stored as `{format}` says")));
    }
    fs::create_dir_all(folder).map_err(|error| fault(folder, None, format!("cannot be made: {error}")))?;
    if !storage.dims.is_empty() {
        files.write("shape", storage.dims.iter())?;
    }
    for (level, mode) in storage.levels.iter().zip(&format.order) {
        if let StoredLevel::Compressed { seg, crd } = level {
            files.write(&format!("{mode}_seg"), seg.iter())?;
            files.write(&format!("{mode}_crd"), crd.iter())?;
        }
    }
    files.write("vals", storage.values.iter())
}

/// The files that a tensor of this format has in a folder, if it is there; none where it cannot be.
pub fn paths(folder: &Path, format: &TensorFormat) -> Vec<PathBuf> {
    let Ok(files) = Files::new(folder, format) else { return Vec::new() };
    let of_modes = format.order.iter().flat_map(|mode| [format!("{mode}_seg"), format!("{mode}_crd")]);
    let parts = ["shape".to_owned(), "vals".to_owned()].into_iter().chain(of_modes);
    parts.map(|part| files.path(&part)).collect()
}

/// The files of one tensor.
struct Files<'a> {
    folder: &'a Path,
    format: &'a TensorFormat,
}

impl<'a> Files<'a> {
    /// A name becomes a part of names of files and must not lead out of the folder.
    fn new(folder: &'a Path, format: &'a TensorFormat) -> Result<Self, Error> {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        if format.name.is_empty() || !format.name.chars().all(is_part) {
            let name = format.name.escape_debug();
            let message = format!("a tensor of files is called `{name}`, expected letters, digits and `_`");
            return Err(fault(folder, None, message));
        }
        Ok(Self { folder, format })
    }

    fn path(&self, part: &str) -> PathBuf {
        self.folder.join(format!("tensor_{}_mode_{part}", self.format.name))
    }

    fn numbers<T: FromStr>(&self, part: &str, expected: &str) -> Result<Numbers<T>, Error> {
        self.parsed(part, expected, |text| text.parse().ok())
    }

    fn parsed<T>(
        &self,
        part: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Numbers<T>, Error> {
        let path = self.path(part);
        let text = fs::read_to_string(&path)
            .map_err(|error| fault(&path, None, format!("cannot be read: {error}")))?;
        let lines = text.trim_end().lines().enumerate();
        let number = |(line, number): (usize, &str)| {
            let number = number.trim();
            parse(number).ok_or_else(|| {
                // What follows may be a whole file of something else.
                let found: String = number.chars().take(40).flat_map(char::escape_debug).collect();
                let found = if found.is_empty() { "an empty line".to_owned() } else { format!("`{found}`") };
                fault(&path, Some(line + 1), format!("found {found}, expected {expected}"))
            })
        };
        let numbers = lines.map(number).collect::<Result<_, _>>()?;
        Ok(Numbers { path, numbers })
    }

    fn write(&self, part: &str, numbers: impl Iterator<Item = impl fmt::Display>) -> Result<(), Error> {
        let path = self.path(part);
        let text: String = numbers.map(|number| format!("{number}\n")).collect();
        fs::write(&path, text).map_err(|error| fault(&path, None, format!("cannot be written: {error}")))
    }
}

/// What a file has, line by line.
struct Numbers<T> {
    path: PathBuf,
    numbers: Vec<T>,
}

impl<T> Numbers<T> {
    fn has_length(&self, length: usize, expected: impl Fn() -> String) -> Result<(), Error> {
        if self.numbers.len() == length {
            return Ok(());
        }
        let message = format!("found {} lines, expected {}", self.numbers.len(), expected());
        Err(fault(&self.path, None, message))
    }
}

/// The bits of the values. An integer has no point.
fn values(files: &Files<'_>) -> Result<Numbers<u64>, Error> {
    let element = files.format.element;
    let expected = if element == Element::I64 { "an integer" } else { "a number" };
    files.parsed("vals", expected, |text| Value::parse(text, element).map(Value::bits))
}

fn fault(path: &Path, line: Option<usize>, message: String) -> Error {
    Error { path: path.to_owned(), line, message }
}

fn too_large(files: &Files<'_>) -> Error {
    fault(
        &files.path("shape"),
        None,
        "dense levels of this shape have more positions than can be counted".to_owned(),
    )
}

/// The extents of the modes. A scalar has none, and may have no file of them.
fn shape(files: &Files<'_>) -> Result<Vec<usize>, Error> {
    let rank = files.format.levels.len();
    if rank == 0 && !files.path("shape").exists() {
        return Ok(Vec::new());
    }
    let shape = files.numbers::<usize>("shape", "the extent of a mode")?;
    shape.has_length(rank, || format!("{rank}, the extent of each mode of `{}`", files.format))?;
    if let Some(mode) = shape.numbers.iter().position(|extent| i64::try_from(*extent).is_err()) {
        let message = format!("found the extent {}, expected one below 2^63", shape.numbers[mode]);
        return Err(fault(&shape.path, Some(mode + 1), message));
    }
    Ok(shape.numbers)
}

/// A compressed level under a number of positions.
fn compressed(files: &Files<'_>, mode: usize, size: usize, parents: usize) -> Result<StoredLevel, Error> {
    let seg = files.numbers::<usize>(&format!("{mode}_seg"), "where a fiber begins or ends")?;
    let crd = files.numbers::<usize>(&format!("{mode}_crd"), "a coordinate")?;
    let ends = parents.checked_add(1).ok_or_else(|| too_large(files))?;
    seg.has_length(ends, || format!("{ends}, one more than the level before has positions"))?;
    segments_ascend(&seg, crd.numbers.len())?;
    for fiber in seg.numbers.windows(2) {
        fiber_ascends(&crd, fiber[0], fiber[1], size)?;
    }
    Ok(StoredLevel::Compressed { seg: seg.numbers, crd: crd.numbers })
}

/// From 0 to the number of coordinates.
fn segments_ascend(seg: &Numbers<usize>, coordinates: usize) -> Result<(), Error> {
    let fault = |line: usize, message: String| Err(fault(&seg.path, Some(line), message));
    let (first, last) = (seg.numbers[0], seg.numbers[seg.numbers.len() - 1]);
    if first != 0 {
        return fault(1, format!("the first fiber begins at {first}, expected 0"));
    }
    if let Some(at) = seg.numbers.windows(2).position(|fiber| fiber[0] > fiber[1]) {
        let (begin, end) = (seg.numbers[at], seg.numbers[at + 1]);
        return fault(at + 2, format!("found {end} behind {begin}, expected segments that ascend"));
    }
    if last != coordinates {
        let message =
            format!("the last fiber ends at {last}, expected {coordinates}, the number of coordinates");
        return fault(seg.numbers.len(), message);
    }
    Ok(())
}

fn fiber_ascends(crd: &Numbers<usize>, begin: usize, end: usize, size: usize) -> Result<(), Error> {
    for at in begin..end {
        let coordinate = crd.numbers[at];
        if coordinate >= size {
            let message = format!("found the coordinate {coordinate}, expected one below the extent, {size}");
            return Err(fault(&crd.path, Some(at + 1), message));
        }
        if at > begin && crd.numbers[at - 1] >= coordinate {
            let message = format!(
                "found the coordinate {coordinate} behind {}, expected them to ascend in a fiber",
                crd.numbers[at - 1]
            );
            return Err(fault(&crd.path, Some(at + 1), message));
        }
    }
    Ok(())
}

fn positions_of(level: &StoredLevel, parents: usize) -> Option<usize> {
    match level {
        StoredLevel::Dense { size } => parents.checked_mul(*size),
        StoredLevel::Compressed { crd, .. } => Some(crd.len()),
        StoredLevel::BitVector(bits) => bits.seg.last().copied(),
    }
}
