//! NumPy's `.npy`: a header in Python's notation, then the elements.

use super::field::FileValue;
use super::market::complex_into_real;
use super::message::{alternatives, number, shown};
use super::part::{Expected, FilePart, LongFile, PartChecks, PartNumber};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::{Array, bytes_of_mut, check_available};
use crate::tensor::Tensor;
use crate::values::{C64, C128, Stores, Value as _};
use comet_format::{Format, ValueKind, ValueType};
use rayon::prelude::*;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// Elements that are read at once.
const BLOCK: usize = 1 << 18;
/// Elements that one task decodes.
const TASK: usize = 1 << 14;

pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// What a header states, and where the elements begin.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NpyHeader {
    pub(super) element: ValueType,
    pub(super) fortran_order: bool,
    pub(super) dims: Vec<i64>,
    data: usize,
}

pub(super) fn read<V: FileValue>(
    path: &Path,
    file: &[u8],
    rank: Option<usize>,
    value: ValueType,
) -> Result<CoordinateTensor, Error> {
    let (header, values) = elements::<V>(path, file, rank, value)?;
    let memory = values.len().saturating_mul(8 * (header.dims.len() + 1));
    check_available(memory, &format!("the content of `{}`", path.display()))?;
    let coords = columns(&header, 0..values.len());
    Ok(CoordinateTensor { coords, dims: header.dims, values: V::column(values) })
}

/// Reads the elements of an array in the order of the file.
pub(super) fn elements<V: FileValue>(
    path: &Path,
    file: &[u8],
    rank: Option<usize>,
    value: ValueType,
) -> Result<(NpyHeader, Vec<V>), Error> {
    let header = parse_header(path, file)?;
    check_rank(path, &header, rank)?;
    if header.element.is_complex() && !V::TYPE.is_complex() {
        return Err(complex_into_real(path, None, value));
    }
    let data = &file[header.data..];
    let count = checked_count(path, &header, data.len() as u64)?;
    check_available(count.saturating_mul(8), &format!("the content of `{}`", path.display()))?;
    match decode_all::<V>(&header, data, value) {
        Some(values) => Ok((header, values)),
        None => Err(not_held::<V>(path, &header, (0, data), value)),
    }
}

/// The error about the first of some elements, from the number `first` on, that the type does not hold.
fn not_held<V: FileValue>(
    path: &Path,
    header: &NpyHeader,
    (first, data): (usize, &[u8]),
    value: ValueType,
) -> Error {
    let expected = match value.row().kind {
        ValueKind::Integer(i64::MIN, _) => "integers of 64 bits".to_owned(),
        ValueKind::Integer(min, max) => format!("integers from {min} to {max}"),
        _ => format!("numbers that a `{}` can hold", value.word()),
    };
    let mut elements = data.chunks_exact(header.element.bytes()).enumerate();
    let wrong = elements.find(|(_, bytes)| held::<V>(header, bytes, value).is_none());
    let found = wrong.map(|(place, bytes)| {
        let columns = columns(header, first + place..first + place + 1);
        let index: Vec<String> = columns.iter().flatten().map(i64::to_string).collect();
        format!("`{}` at [{}]", element_text(header.element, bytes), index.join(", "))
    });
    let found = found.unwrap_or_else(|| "another number".to_owned());
    let is_fraction = wrong.is_some_and(|(_, bytes)| decode::<i64>(header.element, bytes).is_none());
    let wider = if is_fraction && !value.is_float() { "`double`" } else { "a wider type" };
    let message = format!("expected {expected}, found {found}; a tensor of {wider} can hold it");
    Error::malformed(path, None, message)
}

fn element_text(element: ValueType, bytes: &[u8]) -> String {
    let text = match element {
        complex if complex.is_complex() => decode::<C128>(element, bytes).map(number),
        float if float.is_float() => decode::<f64>(element, bytes).map(number),
        _ => decode::<i64>(element, bytes).map(number),
    };
    text.unwrap_or_default()
}

/// Reads a long array into a dense tensor whose levels are in the order of the file, a block at a time.
pub(super) fn read_long<V: FileValue, T: Stores<V>>(
    path: &Path,
    (head, length): (&[u8], u64),
    (rank, value): Expected,
) -> Result<Tensor, Error> {
    let header = parse_header(path, head)?;
    check_rank(path, &header, rank)?;
    if header.element.is_complex() && !V::TYPE.is_complex() {
        return Err(complex_into_real(path, None, value));
    }
    let count = checked_count(path, &header, length - header.data as u64)?;
    let mut cells = Array::<T>::unspecified(count, &format!("the content of `{}`", path.display()))?;
    let failed = |error| Error::read(path, error);
    let mut file = File::open(path).map_err(failed)?;
    file.seek(SeekFrom::Start(header.data as u64)).map_err(failed)?;
    if is_stored_so(header.element, value) {
        file.read_exact(bytes_of_mut(&mut cells)).map_err(failed)?;
    } else {
        let mut bytes = vec![0; BLOCK * header.element.bytes()];
        let mut read = 0;
        for cells in cells.chunks_mut(BLOCK) {
            let bytes = &mut bytes[..cells.len() * header.element.bytes()];
            file.read_exact(bytes).map_err(failed)?;
            decode_block::<V, T>(&header, bytes, value, cells)
                .ok_or_else(|| not_held::<V>(path, &header, (read, bytes), value))?;
            read += cells.len();
        }
    }
    let mut levels = Format::dense(header.dims.len()).levels;
    if header.fortran_order {
        levels.reverse();
    }
    let format = Format { levels, ..Format::dense(header.dims.len()) };
    let mut tensor = Tensor::new(&path.display().to_string(), format.of(value));
    tensor.dims = header.dims;
    tensor.values = T::store(cells, value);
    Ok(tensor)
}

/// True if the elements of a file have the bytes of the tensor's; a `bool` may be any number in a file.
fn is_stored_so(element: ValueType, value: ValueType) -> bool {
    element == value && value.row().kind != ValueKind::Truth && cfg!(target_endian = "little")
}

fn decode_block<V: FileValue, T: Stores<V>>(
    header: &NpyHeader,
    bytes: &[u8],
    value: ValueType,
    cells: &mut [T],
) -> Option<()> {
    let width = header.element.bytes();
    let decode_one = |(cell, bytes): (&mut T, &[u8])| {
        *cell = T::stored(held_or_truth::<V>(header, bytes, value)?, value);
        Some(())
    };
    let tasks = cells.par_chunks_mut(TASK).zip(bytes.par_chunks(TASK * width));
    tasks
        .map(|(cells, bytes)| cells.iter_mut().zip(bytes.chunks_exact(width)).try_for_each(decode_one))
        .collect()
}

/// Decodes an element for a tensor of the type `value`; for `bool`, every number but 0 is 1. `None` if the
/// type does not hold the number.
fn held_or_truth<V: FileValue>(header: &NpyHeader, bytes: &[u8], value: ValueType) -> Option<V> {
    match value.row().kind {
        ValueKind::Truth => {
            decode::<f64>(header.element, bytes).map(|number| V::from_i64(value.integer_of_float(number)))
        }
        _ => held::<V>(header, bytes, value),
    }
}

/// Reads the elements of a part of an array: a range of the coordinates of the mode that changes last. `None`
/// where something is wrong.
pub(super) fn read_part<V: FileValue>(
    file: &LongFile<'_>,
    (part, parts): PartNumber,
    (rank, value): Expected,
    bytes: impl Fn(Range<u64>) -> Result<Vec<u8>, Error>,
) -> Result<Option<FilePart>, Error> {
    let Ok(header) = parse_header(file.path, &file.head) else { return Ok(None) };
    let is_expected =
        rank == Some(header.dims.len()) && (V::TYPE.is_complex() || !header.element.is_complex());
    let (Ok(count), width) = (count(file.path, &header), header.element.bytes()) else { return Ok(None) };
    let is_whole = count.checked_mul(width).map(|bytes| (bytes + header.data) as u64) == Some(file.length);
    let slowest = if header.fortran_order { header.dims.last() } else { header.dims.first() };
    let Some(extent) = slowest.filter(|_| is_expected && is_whole && count > 0) else { return Ok(None) };
    let each = count / *extent as usize;
    let bound = |part: usize| (*extent as u128 * part as u128 / parts as u128) as usize * each;
    let elements = bound(part)..bound(part + 1);
    let place = |element: usize| (header.data + element * width) as u64;
    let data = bytes(place(elements.start)..place(elements.end))?;
    let memory = elements.len().saturating_mul(8 * (header.dims.len() + 1));
    check_available(memory, &format!("the content of `{}`", file.path.display()))?;
    let Some(values) = decode_all::<V>(&header, &data, value) else { return Ok(None) };
    let coords = columns(&header, elements);
    let entries = CoordinateTensor { coords, dims: header.dims, values: V::column(values) };
    Ok(Some(FilePart { entries, checks: PartChecks::Elements }))
}

/// Decodes elements; `None` where one is no number that a type holds.
fn decode_all<V: FileValue>(header: &NpyHeader, data: &[u8], value: ValueType) -> Option<Vec<V>> {
    let elements = data.chunks_exact(header.element.bytes());
    elements.map(|bytes| held::<V>(header, bytes, value)).collect()
}

fn held<V: FileValue>(header: &NpyHeader, bytes: &[u8], value: ValueType) -> Option<V> {
    decode::<V>(header.element, bytes).filter(|number| number.fits(value))
}

pub(super) fn check_rank(path: &Path, header: &NpyHeader, rank: Option<usize>) -> Result<(), Error> {
    match rank {
        Some(rank) if rank != header.dims.len() => {
            let found = shape(&header.dims);
            let message = format!(
                "expected an array of rank {rank}, found rank {}, of the shape {found}",
                header.dims.len()
            );
            Err(Error::malformed(path, None, message))
        }
        _ => Ok(()),
    }
}

/// Refuses a header that states more elements than the file has bytes for, before memory is taken for them.
pub(super) fn check_length(path: &Path, header: &NpyHeader, most: u64) -> Result<(), Error> {
    let (count, width) = (count(path, header)?, header.element.bytes());
    let found = most - header.data as u64;
    if count as u128 * width as u128 <= u128::from(found) {
        return Ok(());
    }
    let message = format!(
        "expected {count} elements of {width} bytes, found at most {found} bytes: the end of the file is missing"
    );
    Err(Error::malformed(path, None, message))
}

/// Returns the number of elements, if that many bytes are those of all.
fn checked_count(path: &Path, header: &NpyHeader, found: u64) -> Result<usize, Error> {
    let (count, width) = (count(path, header)?, header.element.bytes());
    if count as u128 * width as u128 == u128::from(found) {
        return Ok(count);
    }
    let is_cut = count as u128 > u128::from(found) / width as u128;
    let fault = if is_cut { "the end of the file is missing" } else { "others follow them" };
    let message = format!("expected {count} elements of {width} bytes, found {found} bytes: {fault}");
    Err(Error::malformed(path, None, message))
}

fn count(path: &Path, header: &NpyHeader) -> Result<usize, Error> {
    if header.dims.contains(&0) {
        return Ok(0);
    }
    let product =
        header.dims.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent as usize));
    product.ok_or_else(|| Error::malformed(path, None, "the shape has more elements than a file can hold"))
}

/// The coordinates of elements in the order of the file.
fn columns(header: &NpyHeader, elements: Range<usize>) -> Vec<Vec<i64>> {
    let rank = header.dims.len();
    let stride = |mode: usize| -> usize {
        let faster = if header.fortran_order { &header.dims[..mode] } else { &header.dims[mode + 1..] };
        faster.iter().map(|&extent| extent as usize).product()
    };
    let column = |mode: usize| {
        if elements.is_empty() {
            return Vec::new();
        }
        let (stride, extent) = (stride(mode), header.dims[mode] as usize);
        elements.clone().map(|element| (element / stride % extent) as i64).collect()
    };
    (0..rank).map(column).collect()
}

/// A number of the file; `None` where it is no number of the type that is read.
fn decode<V: FileValue>(element: ValueType, bytes: &[u8]) -> Option<V> {
    let mut word = [0; 16];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u128::from_le_bytes(word);
    let fits =
        |value: f64| V::TYPE.part() != ValueType::F32 || !value.is_finite() || (value as f32).is_finite();
    match element {
        ValueType::F64 => {
            let value = f64::from_bits(bits as u64);
            V::from_f64(value).filter(|_| fits(value))
        }
        ValueType::C64 => {
            let C64 { re, im } = C64::from_bits(bits);
            V::from_complex(C128 { re: re.into(), im: im.into() })
        }
        ValueType::C128 => {
            let value = C128::from_bits(bits);
            V::from_complex(value).filter(|_| fits(value.re) && fits(value.im))
        }
        ValueType::F32 => V::from_f64(f64::from(f32::from_bits(bits as u32))),
        ValueType::I64 => Some(V::from_i64(bits as i64)),
        narrow if narrow.is_float() => V::from_f64(f64::from(f32::decoded(bits as u32, narrow))),
        narrow => Some(V::from_i64(i64::decoded(bits as u32, narrow))),
    }
}

/// Returns the bytes of the elements, whatever their type is.
pub(super) fn payload(file: &[u8]) -> Option<&[u8]> {
    let len = file.strip_prefix(MAGIC).and_then(|_| file.get(8..10))?;
    file.get(10 + usize::from(u16::from_le_bytes([len[0], len[1]]))..)
}

pub(super) fn parse_header(path: &Path, file: &[u8]) -> Result<NpyHeader, Error> {
    let refuse = |message: &str| Error::malformed(path, None, message);
    let version = file.strip_prefix(MAGIC).and_then(|rest| rest.first());
    let version = *version.ok_or_else(|| {
        let found = if file.is_empty() { "an empty file".to_owned() } else { format!("`{}`", shown(file)) };
        refuse(&format!("expected a NumPy file, which begins with `\\x93NUMPY`, found {found}"))
    })?;
    let (len, start) = match version {
        1 => (file.get(8..10).map(|bytes| usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))), 10),
        2 | 3 => {
            let bytes = file.get(8..12);
            (bytes.map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize), 12)
        }
        _ => {
            return Err(refuse(&format!("expected version 1, 2 or 3 of the NumPy format, found {version}")));
        }
    };
    let data = len.and_then(|len| len.checked_add(start));
    let text = data
        .and_then(|data| file.get(start..data))
        .ok_or_else(|| refuse("expected a header, found the end of the file in it"))?;
    let text = String::from_utf8_lossy(text);
    let element = parse_element(path, entry(path, &text, "descr")?)?;
    let fortran_order = match entry(path, &text, "fortran_order")? {
        order if order.starts_with("True") => true,
        order if order.starts_with("False") => false,
        order => {
            return Err(refuse(&format!("expected `True` or `False`, found `{}`", shown(order.as_bytes()))));
        }
    };
    let dims = parse_shape(path, entry(path, &text, "shape")?)?;
    Ok(NpyHeader { element, fortran_order, dims, data: start + len.unwrap_or(0) })
}

/// Returns the text after a key of the header.
fn entry<'a>(path: &Path, text: &'a str, key: &str) -> Result<&'a str, Error> {
    let quoted = [format!("'{key}':"), format!("\"{key}\":")];
    let found = quoted.iter().find_map(|key| text.split_once(key.as_str()));
    match found {
        Some((_, rest)) => Ok(rest.trim_start()),
        None => {
            let message = format!("expected `{key}` in the header, found `{}`", shown(text.as_bytes()));
            Err(Error::malformed(path, None, message))
        }
    }
}

/// Extents for a message.
pub(super) fn shape(dims: &[i64]) -> String {
    let extents: Vec<String> = dims.iter().map(i64::to_string).collect();
    format!("[{}]", extents.join(", "))
}

fn parse_element(path: &Path, text: &str) -> Result<ValueType, Error> {
    let name = text.get(1..).and_then(|rest| rest.split(['\'', '"']).next());
    if let Some(element) =
        ValueType::ALL.into_iter().find(|element| element.row().numpy == name && name.is_some())
    {
        return Ok(element);
    }
    let found = text.split(',').next().unwrap_or_default().trim_matches(['\'', '"']);
    let known: Vec<String> = ValueType::ALL
        .iter()
        .filter_map(|element| element.row().numpy)
        .map(|name| format!("`{name}`"))
        .collect();
    let message = format!(
        "expected elements {}, found `{}`; save `a.astype(\"{}\")`",
        alternatives(&known),
        shown(found.as_bytes()),
        nearest_element(found)
    );
    Err(Error::malformed(path, None, message))
}

/// Returns the element type that holds most numbers of another one.
fn nearest_element(descriptor: &str) -> &'static str {
    match descriptor.trim_start_matches(['<', '>', '=', '|']).bytes().next() {
        Some(b'i' | b'u') => "<i8",
        Some(b'c') => "<c16",
        _ => "<f8",
    }
}

fn parse_shape(path: &Path, text: &str) -> Result<Vec<i64>, Error> {
    let list = text.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(list, _)| list);
    let fields = list.map(|list| list.split(',').map(str::trim).filter(|field| !field.is_empty()));
    let extents: Option<Vec<i64>> = fields.and_then(|fields| {
        fields.map(|field| field.parse().ok().filter(|&extent: &i64| extent >= 0)).collect()
    });
    extents.ok_or_else(|| {
        Error::malformed(
            path,
            None,
            format!("expected a shape as `(2, 3)`, found `{}`", shown(text.as_bytes())),
        )
    })
}
