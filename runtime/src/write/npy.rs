//! NumPy: a dense tensor in C order.

use super::{FileWriter, WrittenRange, kinds};
use crate::error::Error;
use crate::pack::DensePlaces;
use crate::print::row_major;
use crate::tensor::Tensor;
use crate::values::{Cell, Value, with_values};
use std::io::{self, Write};

/// The header's length is a multiple of this.
const ALIGNMENT: usize = 64;
/// Values that are written at once.
const BLOCK: usize = 1 << 13;

pub(super) fn writer_for(tensor: &Tensor) -> Result<FileWriter, Error> {
    if tensor.format.format.is_dense() {
        let is_by_rows = DensePlaces::new(tensor)?.are_row_major;
        return Ok(FileWriter { head: header, body: write, is_counted: false, is_by_rows });
    }
    let other = kinds(tensor).map(|kinds| format!(", or write a {kinds}")).unwrap_or_default();
    Err(Error::Unsupported(format!(
        "`.npy` holds dense tensors, but `{}` is sparse: copy it to a dense tensor first{other}",
        tensor.name,
    )))
}

fn write(tensor: &Tensor, _: WrittenRange, to: &mut dyn Write) -> io::Result<()> {
    let places = DensePlaces::new(tensor).map_err(io::Error::other)?;
    if tensor.format.value.row().numpy.is_none() {
        let all = row_major(&tensor.dims).map(|entry| places.of(|mode| entry[mode]));
        let floats = Value::slice(&tensor.values.gather(all)).map(<[f32]>::to_vec).unwrap_or_default();
        return write_all(&floats, to);
    }
    if places.are_row_major {
        return with_values!(&tensor.values, values => write_all(values, to));
    }
    let mut element = Vec::new();
    for entry in row_major(&tensor.dims) {
        let position = places.of(|mode| entry[mode]);
        element.clear();
        with_values!(&tensor.values, values => values[position].push_bytes(&mut element));
        to.write_all(&element)?;
    }
    Ok(())
}

/// Writes values in the order in which they are stored.
fn write_all<V: Cell>(values: &[V], to: &mut dyn Write) -> io::Result<()> {
    let mut block = Vec::with_capacity(BLOCK * size_of::<V>());
    for values in values.chunks(BLOCK) {
        block.clear();
        values.iter().for_each(|value| value.push_bytes(&mut block));
        to.write_all(&block)?;
    }
    Ok(())
}

fn header(tensor: &Tensor, _: u64) -> Vec<u8> {
    header_of(descr(tensor), &tensor.whole_dims())
}

/// The type of the elements as NumPy writes it.
fn descr(tensor: &Tensor) -> &'static str {
    // What NumPy has no type for is written as it is computed.
    let value = tensor.format.value;
    value.row().numpy.or(value.computed().row().numpy).unwrap_or("<f8")
}

/// An array of integers of 64 bits.
pub(super) fn integers(numbers: &[i64]) -> Vec<u8> {
    let mut array = header_of("<i8", &[numbers.len() as i64]);
    array.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    array
}

/// An array of integers of 32 bits, which all of them fit.
pub(super) fn narrow_integers(numbers: &[i64]) -> Vec<u8> {
    let mut array = header_of("<i4", &[numbers.len() as i64]);
    array.extend(numbers.iter().flat_map(|number| (*number as i32).to_le_bytes()));
    array
}

/// A text in an array without dimensions.
pub(super) fn text(text: &str) -> Vec<u8> {
    let mut array = header_of(&format!("|S{}", text.len()), &[]);
    array.extend_from_slice(text.as_bytes());
    array
}

/// The values at some positions.
pub(super) fn values(tensor: &Tensor, positions: &[usize]) -> Vec<u8> {
    let mut array = header_of(descr(tensor), &[positions.len() as i64]);
    if tensor.format.value.row().numpy.is_none() {
        let all = positions.iter().copied();
        let floats = Value::slice(&tensor.values.gather(all)).map(<[f32]>::to_vec).unwrap_or_default();
        array.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
        return array;
    }
    with_values!(&tensor.values, values => {
        positions.iter().for_each(|position| values[*position].push_bytes(&mut array));
    });
    array
}

fn header_of(element: &str, dims: &[i64]) -> Vec<u8> {
    // Python writes a tuple of one element with a comma, and takes one after any other's last as well.
    let shape: String = dims.iter().map(|extent| format!("{extent}, ")).collect();
    let text = format!("{{'descr': '{element}', 'fortran_order': False, 'shape': ({}), }}", shape.trim_end());
    // Magic, version and length take 10 bytes, the end of the line one.
    let padding = ALIGNMENT - (10 + text.len() + 1) % ALIGNMENT;
    let len = (text.len() + padding + 1) as u16;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend_from_slice(&len.to_le_bytes());
    header.extend_from_slice(text.as_bytes());
    header.extend(std::iter::repeat_n(b' ', padding));
    header.push(b'\n');
    header
}
