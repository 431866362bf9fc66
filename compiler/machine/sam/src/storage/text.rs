//! SAM's text layout of tensors: a folder with files of one number a line.
//!
//! `tensor_B_mode_shape` has the extents of the modes, `tensor_B_mode_0_seg` and `tensor_B_mode_0_crd` the
//! arrays of the compressed level that stores mode 0, `tensor_B_mode_0_bv` the words of one of bit vectors,
//! `tensor_B_mode_vals` the values. Dense levels have no files, and a scalar has its value only.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::{BitVectors, StoredLevel, StoredTensor};
use crate::arithmetic::{Element, TypedValue, Values};
use crate::graph::{GraphLevel, TensorFormat};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {message}", path.display(), line.map_or_else(String::new, |line| format!(":{line}")))]
pub struct TensorFileError {
    pub path: PathBuf,
    /// The line of what was found, from 1 on, if it is one line's fault.
    pub line: Option<usize>,
    pub message: String,
}

/// The tensor of this name in a folder. What comes back fits the format: segments and coordinates ascend,
/// coordinates are below their extents, and every position has a value. Memory is bounded by the files'
/// sizes.
///
/// # Errors
/// The first file that is missing or wrong.
pub fn read(folder: &Path, format: &TensorFormat) -> Result<StoredTensor, TensorFileError> {
    let files = Files::new(folder, format)?;
    let dims = shape(&files)?;
    let mut levels = Vec::new();
    let mut positions = 1;
    for (level, &mode) in format.levels.iter().zip(&format.order) {
        let stored = match level {
            GraphLevel::Dense => StoredLevel::Dense { size: dims[mode] },
            GraphLevel::Compressed => compressed(&files, mode, dims[mode], positions)?,
            GraphLevel::BitVector(width) => bit_vectors(&files, mode, (dims[mode], *width), positions)?,
        };
        positions = stored.positions(positions).ok_or_else(|| too_large(&files))?;
        levels.push(stored);
    }
    let values = values(&files)?;
    values
        .has_length(positions, || format!("{positions} values, one for each position of the last level"))?;
    let values = Values { element: format.element, bits: values.numbers };
    Ok(StoredTensor { dims, levels, order: format.order.clone(), values })
}

/// Puts the text of a file in its place.
pub type Put<'a> = &'a dyn Fn(&Path, &[u8]) -> io::Result<()>;

/// Writes a tensor into a folder, which is made if it is not there, each file by `put`.
///
/// # Errors
/// The tensor is not stored in this format, or a file cannot be written.
pub fn write(
    folder: &Path,
    format: &TensorFormat,
    storage: &StoredTensor,
    put: Put<'_>,
) -> Result<(), TensorFileError> {
    let files = Files::new(folder, format)?;
    let write = |part: &str, text: String| {
        let path = files.path(part);
        put(&path, text.as_bytes()).map_err(|error| fault(&path, None, format!("cannot be written: {error}")))
    };
    if !fits(storage, format) {
        return Err(fault(folder, None, format!("the tensor is not stored as `{format}` says")));
    }
    fs::create_dir_all(folder).map_err(|error| fault(folder, None, format!("cannot be made: {error}")))?;
    if !storage.dims.is_empty() {
        write("shape", lines(&storage.dims))?;
    }
    for (level, mode) in storage.levels.iter().zip(&format.order) {
        for (part, numbers) in level.arrays() {
            write(&format!("{mode}_{part}"), lines(numbers))?;
        }
    }
    write("vals", lines(storage.values.iter()))
}

fn lines(numbers: impl IntoIterator<Item = impl fmt::Display>) -> String {
    numbers.into_iter().map(|number| format!("{number}\n")).collect()
}

fn fits(storage: &StoredTensor, format: &TensorFormat) -> bool {
    let levels = storage.levels.iter().zip(&format.levels);
    storage.order == format.order
        && storage.values.element == format.element
        && storage.dims.len() == format.levels.len()
        && storage.levels.len() == format.levels.len()
        && levels.zip(&format.order).all(|((stored, level), mode)| {
            stored.is_stored_as(*level) && stored.extent().is_none_or(|extent| extent == storage.dims[*mode])
        })
}

/// The files that a tensor of this format has in a folder, if it is there; none where it cannot be.
pub fn paths(folder: &Path, format: &TensorFormat) -> Vec<PathBuf> {
    let Ok(files) = Files::new(folder, format) else { return Vec::new() };
    let of_modes =
        format.order.iter().flat_map(|mode| ["seg", "crd", "bv"].map(|part| format!("{mode}_{part}")));
    let parts = ["shape".to_owned(), "vals".to_owned()].into_iter().chain(of_modes);
    parts.map(|part| files.path(&part)).collect()
}

struct Files<'a> {
    folder: &'a Path,
    format: &'a TensorFormat,
}

impl<'a> Files<'a> {
    /// A name becomes a part of names of files and must not lead out of the folder.
    fn new(folder: &'a Path, format: &'a TensorFormat) -> Result<Self, TensorFileError> {
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

    fn numbers<T: FromStr>(&self, part: &str, expected: &str) -> Result<Numbers<T>, TensorFileError> {
        self.parsed(part, expected, |text| text.parse().ok())
    }

    fn parsed<T>(
        &self,
        part: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Numbers<T>, TensorFileError> {
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
}

struct Numbers<T> {
    path: PathBuf,
    numbers: Vec<T>,
}

impl<T> Numbers<T> {
    fn has_length(&self, length: usize, expected: impl Fn() -> String) -> Result<(), TensorFileError> {
        if self.numbers.len() == length {
            return Ok(());
        }
        let message = format!("found {} lines, expected {}", self.numbers.len(), expected());
        Err(fault(&self.path, None, message))
    }
}

/// The bits of the values. An integer has no point.
fn values(files: &Files<'_>) -> Result<Numbers<u64>, TensorFileError> {
    let element = files.format.element;
    let expected = if element == Element::I64 { "an integer" } else { "a number" };
    files.parsed("vals", expected, |text| TypedValue::parse(text, element).map(TypedValue::bits))
}

fn fault(path: &Path, line: Option<usize>, message: String) -> TensorFileError {
    TensorFileError { path: path.to_owned(), line, message }
}

fn too_large(files: &Files<'_>) -> TensorFileError {
    fault(
        &files.path("shape"),
        None,
        "dense levels of this shape have more positions than can be counted".to_owned(),
    )
}

/// The extents of the modes. A scalar has none, and may have no file of them.
fn shape(files: &Files<'_>) -> Result<Vec<usize>, TensorFileError> {
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
fn compressed(
    files: &Files<'_>,
    mode: usize,
    size: usize,
    parents: usize,
) -> Result<StoredLevel, TensorFileError> {
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

/// How many fibers a level of extent 0 has at most, of which its file says nothing.
const MOST_WITHOUT_WORDS: usize = 1 << 20;

/// A level of bit vectors, of an extent and a width, under a number of positions. How many bits are set
/// before each fiber is counted.
fn bit_vectors(
    files: &Files<'_>,
    mode: usize,
    (size, width): (usize, u32),
    parents: usize,
) -> Result<StoredLevel, TensorFileError> {
    let words = files.numbers::<u64>(&format!("{mode}_bv"), "a word of bits")?;
    let mut bits = BitVectors { size, width, seg: vec![0], words: Vec::new() };
    let each = bits.words_each();
    let is_too_large = each == 0 && parents > MOST_WITHOUT_WORDS;
    let count = parents.checked_mul(each).filter(|_| !is_too_large).ok_or_else(|| too_large(files))?;
    words.has_length(count, || format!("{count}, {each} for each position of the level before"))?;
    let mut set = 0;
    for fiber in 0..parents {
        for number in 0..each {
            let at = fiber * each + number;
            word_fits(&words, at, size - number * width as usize, width)?;
            set += words.numbers[at].count_ones() as usize;
        }
        bits.seg.push(set);
    }
    bits.words = words.numbers;
    Ok(StoredLevel::BitVector(bits))
}

/// A word has bits for its width, and for so many coordinates as are left.
fn word_fits(words: &Numbers<u64>, at: usize, left: usize, width: u32) -> Result<(), TensorFileError> {
    let last = left.min(width as usize) - 1;
    let word = words.numbers[at];
    if word >> last <= 1 {
        return Ok(());
    }
    let most = if last < width as usize - 1 { "the extent" } else { "the width of a word" };
    let message = format!("found {word}, expected bits below {}, {most}", last + 1);
    Err(fault(&words.path, Some(at + 1), message))
}

fn segments_ascend(seg: &Numbers<usize>, coordinates: usize) -> Result<(), TensorFileError> {
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

fn fiber_ascends(crd: &Numbers<usize>, begin: usize, end: usize, size: usize) -> Result<(), TensorFileError> {
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
