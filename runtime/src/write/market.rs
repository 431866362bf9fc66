//! Matrix Market: `array` for dense matrices and vectors whose zeros are written, `coordinate` for all
//! others.

use super::{TextBlocks, Writer, advice, for_each_written, skips_zeros};
use crate::error::Error;
use crate::number::write_integer;
use crate::options::NumberStyle;
use crate::pack::DensePlaces;
use crate::print::Printed;
use crate::tensor::Tensor;
use crate::values::{StoredNumber, Values};
use comet_notation::Complex;
use std::io::{self, Write};

pub(super) fn writer_for(tensor: &Tensor) -> Result<Writer, Error> {
    match tensor.dims.len() {
        1 | 2 if tensor.format.format.is_dense() && !skips_zeros(tensor) => Ok(write_array),
        1 | 2 => Ok(write_coordinate),
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

/// Rows and columns; a vector is one column.
fn extents(tensor: &Tensor) -> [i64; 2] {
    [tensor.dims[0], tensor.dims.get(1).copied().unwrap_or(1)]
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

fn write_array(tensor: &Tensor, to: &mut dyn Write) -> io::Result<()> {
    let [rows, columns] = extents(tensor);
    let places = DensePlaces::new(tensor).map_err(io::Error::other)?;
    writeln!(to, "%%MatrixMarket matrix array {} general\n{rows} {columns}", field(tensor))?;
    let mut blocks = TextBlocks::new(to);
    for column in (0..columns).take_while(|_| rows > 0) {
        for row in 0..rows {
            let position = places.of(|mode| [row, column][mode]);
            blocks.line(|text| push_fields(text, &tensor.values, position));
        }
    }
    blocks.finish()
}

fn write_coordinate(tensor: &Tensor, to: &mut dyn Write) -> io::Result<()> {
    let [rows, columns] = extents(tensor);
    let mut entries = 0u64;
    for_each_written(tensor, |_, _| entries += 1);
    writeln!(to, "%%MatrixMarket matrix coordinate {} general\n{rows} {columns} {entries}", field(tensor))?;
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
