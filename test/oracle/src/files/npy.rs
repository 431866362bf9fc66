//! `.npy`: NumPy's arrays of little-endian 4- and 8-byte floats and integers, in C and Fortran order.

use super::{FileData, Request, fitting};
use crate::error::{OracleError, Result};
use crate::number::TypedNumber;
use comet_syntax::ast::Element;
use half::f16;

pub(super) fn read(bytes: &[u8], request: Request) -> Result<FileData> {
    let malformed = || OracleError::new("not an .npy file");
    let (header, data) = split(bytes).ok_or_else(malformed)?;
    let kind = field(&header, "'descr':").and_then(|rest| rest.split('\'').nth(1)).ok_or_else(malformed)?;
    let shape = field(&header, "'shape':").ok_or_else(malformed)?;
    let dims = dims(shape).filter(|dims| dims.len() == request.rank).ok_or_else(malformed)?;
    let fortran =
        field(&header, "'fortran_order':").is_some_and(|rest| rest.trim_start().starts_with("True"));
    let values = values(kind, data, request.element)?;
    if values.len() != dims.iter().product::<usize>() {
        return Err(OracleError::new("the data does not fit the shape"));
    }
    let modes: Vec<usize> = if fortran { (0..dims.len()).collect() } else { (0..dims.len()).rev().collect() };
    let position = |number| position(number, &dims, &modes);
    let entries = values.into_iter().enumerate().map(|(number, value)| (position(number), value)).collect();
    Ok(FileData { exact: true, entries, dims })
}

/// The header's text and the bytes of the array.
fn split(bytes: &[u8]) -> Option<(String, &[u8])> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (length, start) = match rest.first()? {
        1 => (usize::from(u16::from_le_bytes([*rest.get(2)?, *rest.get(3)?])), 4),
        _ => (u32::from_le_bytes(rest.get(2..6)?.try_into().ok()?) as usize, 6),
    };
    let header = String::from_utf8_lossy(rest.get(start..start + length)?).to_string();
    Some((header, &rest[start + length..]))
}

fn field<'a>(header: &'a str, name: &str) -> Option<&'a str> {
    header.split_once(name).map(|(_, rest)| rest)
}

fn dims(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.split_once('(')?.1.split_once(')')?;
    let numbers = inside.split(',').map(str::trim).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}

fn values(kind: &str, data: &[u8], element: Element) -> Result<Vec<TypedNumber>> {
    let eight = data.chunks_exact(8).map(|chunk| chunk.try_into().unwrap_or([0; 8]));
    let sixteen = data.chunks_exact(16).map(|chunk| (bytes(&chunk[..8]), bytes(&chunk[8..])));
    let pairs = data.chunks_exact(8).map(|chunk| (bytes(&chunk[..4]), bytes(&chunk[4..])));
    let four = data.chunks_exact(4).map(|chunk| chunk.try_into().unwrap_or([0; 4]));
    let two = data.chunks_exact(2).map(|chunk| chunk.try_into().unwrap_or([0; 2]));
    let numbers: Vec<TypedNumber> = match kind {
        "<f8" => eight.map(|bytes| TypedNumber::F64(f64::from_le_bytes(bytes))).collect(),
        "<c16" => sixteen
            .map(|(re, im)| TypedNumber::C128(f64::from_le_bytes(re), f64::from_le_bytes(im)))
            .collect(),
        "<c8" => {
            pairs.map(|(re, im)| TypedNumber::C64(f32::from_le_bytes(re), f32::from_le_bytes(im))).collect()
        }
        "<i8" => eight.map(|bytes| TypedNumber::I64(i64::from_le_bytes(bytes))).collect(),
        "<f4" => four.map(|bytes| TypedNumber::F32(f32::from_le_bytes(bytes))).collect(),
        "<i4" => four.map(|bytes| TypedNumber::I64(i64::from(i32::from_le_bytes(bytes)))).collect(),
        "<u4" => four.map(|bytes| TypedNumber::I64(i64::from(u32::from_le_bytes(bytes)))).collect(),
        "<i2" => two.map(|bytes| TypedNumber::I64(i64::from(i16::from_le_bytes(bytes)))).collect(),
        "<f2" => two.map(|bytes| TypedNumber::F32(f16::from_le_bytes(bytes).to_f32())).collect(),
        "|i1" => data.iter().map(|byte| TypedNumber::I64(i64::from(byte.cast_signed()))).collect(),
        "|u1" => data.iter().map(|byte| TypedNumber::I64(i64::from(*byte))).collect(),
        "|b1" => data.iter().map(|byte| TypedNumber::I64(i64::from(*byte != 0))).collect(),
        _ => return Err(OracleError::new(format!("elements of kind `{kind}`"))),
    };
    let fitted = numbers.into_iter().map(|number| fitting(number, element)).collect::<Option<_>>();
    fitted.ok_or_else(|| OracleError::new("a value that is not an integer"))
}

fn bytes<const N: usize>(chunk: &[u8]) -> [u8; N] {
    chunk.try_into().unwrap_or([0; N])
}

/// The coordinates of the element of that number, where `modes` begins with the one that varies fastest.
fn position(mut number: usize, dims: &[usize], modes: &[usize]) -> Vec<usize> {
    let mut at = vec![0; dims.len()];
    for &mode in modes {
        at[mode] = number % dims[mode];
        number /= dims[mode];
    }
    at
}
