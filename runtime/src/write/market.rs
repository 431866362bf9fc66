//! Matrix Market: `array` for dense matrices and vectors whose zeros are written, `coordinate` for all
//! others.

use super::{FileWriter, TextBlocks, WrittenRange, advice, for_each_written, skips_zeros};
use crate::error::Error;
use crate::number::write_integer;
use crate::options::NumberStyle;
use crate::pack::DensePlaces;
use crate::print::Printed;
use crate::tensor::Tensor;
use crate::values::{StoredNumber, Values};
use comet_notation::Complex;
use std::io::{self, Write};

pub(super) fn writer_for(tensor: &Tensor) -> Result<FileWriter, Error> {
    match tensor.dims.len() {
        // One column after the other: of a vector, in the order of rows.
        rank @ (1 | 2) if tensor.format.format.is_dense() && !skips_zeros(tensor) => {
            Ok(FileWriter { head: array_head, body: write_array, is_counted: false, is_by_rows: rank == 1 })
        }
        1 | 2 => {
            let (head, body) = (coordinate_head, write_coordinate);
            Ok(FileWriter { head, body, is_counted: true, is_by_rows: true })
        }
        rank => Err(Error::Unsupported(format!(
            "`.mtx` holds matrices and vectors, but `{}` has rank {rank}: {}",
            tensor.name,
            advice(tensor)
        ))),
    }
}

fn field(tensor: &Tensor) -> &'static str {
    match tensor.format.value {
        value if value.is_complex() => "complex",
        value if value.is_float() => "real",
        _ => "integer",
    }
}

/// Rows and columns of the whole; a vector is one column.
fn extents(tensor: &Tensor) -> [i64; 2] {
    [tensor.whole_extent(0), if tensor.dims.len() > 1 { tensor.whole_extent(1) } else { 1 }]
}

/// Appends a value; a complex one is two fields.
fn push_fields(text: &mut Vec<u8>, values: &Values, position: usize) {
    match values.number(position) {
        StoredNumber::C64(value) => push_parts(text, value),
        StoredNumber::C128(value) => push_parts(text, value),
        value => value.write(text, NumberStyle::Exact),
    }
}

fn push_parts<T: Printed>(text: &mut Vec<u8>, value: Complex<T>) {
    value.re.write(text, NumberStyle::Exact);
    text.push(b' ');
    value.im.write(text, NumberStyle::Exact);
}

fn array_head(tensor: &Tensor, _: u64) -> Vec<u8> {
    let [rows, columns] = extents(tensor);
    format!("%%MatrixMarket matrix array {} general\n{rows} {columns}\n", field(tensor)).into_bytes()
}

fn write_array(tensor: &Tensor, _: WrittenRange, to: &mut dyn Write) -> io::Result<()> {
    let (rows, [_, columns]) = (tensor.dims[0], extents(tensor));
    let places = DensePlaces::new(tensor).map_err(io::Error::other)?;
    let mut blocks = TextBlocks::new(to);
    for column in (0..columns).take_while(|_| rows > 0) {
        for row in 0..rows {
            let position = places.of(|mode| [row, column][mode]);
            blocks.line(|text| push_fields(text, &tensor.values, position));
        }
    }
    blocks.finish()
}

fn coordinate_head(tensor: &Tensor, entries: u64) -> Vec<u8> {
    let [rows, columns] = extents(tensor);
    let field = field(tensor);
    format!("%%MatrixMarket matrix coordinate {field} general\n{rows} {columns} {entries}\n").into_bytes()
}

fn write_coordinate(tensor: &Tensor, _: WrittenRange, to: &mut dyn Write) -> io::Result<()> {
    let mut blocks = TextBlocks::new(to);
    for_each_written(tensor, |entry, position| {
        blocks.line(|text| {
            write_integer(text, entry[0] + 1);
            text.push(b' ');
            write_integer(text, entry.get(1).copied().unwrap_or(0) + 1);
            text.push(b' ');
            push_fields(text, &tensor.values, position);
        });
    });
    blocks.finish()
}
