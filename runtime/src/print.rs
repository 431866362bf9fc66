//! `print`: the output that LANGUAGE.md, "Output of print", fixes to the letter.

mod sparse;

use crate::number::{write_exact_f32, write_exact_f64, write_integer, write_six_digits};
use crate::options::{self, NumberStyle};
use crate::output;
use crate::pack::DensePlaces;
use crate::tensor::Tensor;
use crate::values::Values;

/// A number that is printed: an integer in full, floating point in the style asked for.
pub(crate) trait Printed: Copy {
    fn write(self, out: &mut Vec<u8>, style: NumberStyle);
}

impl Printed for i64 {
    fn write(self, out: &mut Vec<u8>, _style: NumberStyle) {
        write_integer(out, self);
    }
}

impl Printed for u64 {
    fn write(self, out: &mut Vec<u8>, _style: NumberStyle) {
        out.extend_from_slice(self.to_string().as_bytes());
    }
}

impl Printed for f64 {
    fn write(self, out: &mut Vec<u8>, style: NumberStyle) {
        match style {
            NumberStyle::SixDigits => write_six_digits(out, self),
            NumberStyle::Exact => write_exact_f64(out, self),
        }
    }
}

impl Printed for f32 {
    fn write(self, out: &mut Vec<u8>, style: NumberStyle) {
        match style {
            NumberStyle::SixDigits => write_six_digits(out, f64::from(self)),
            NumberStyle::Exact => write_exact_f32(out, self),
        }
    }
}

/// The text of a printed tensor.
pub(crate) fn tensor_text(tensor: &Tensor, style: NumberStyle) -> Vec<u8> {
    let mut out = Vec::new();
    if tensor.format.format.is_dense() {
        write_dense(&mut out, tensor, style);
    } else {
        sparse::write(&mut out, tensor, style);
    }
    out
}

/// Prints a tensor.
pub(crate) fn print_tensor(tensor: &Tensor) {
    output::write(&tensor_text(tensor, options::number_style()));
}

/// Prints a scalar: bare on its line, or as an array of one element.
pub(crate) fn print_scalar<N: Printed>(value: N, bare: bool) {
    let mut out = Vec::new();
    if bare {
        value.write(&mut out, options::number_style());
        out.push(b'\n');
    } else {
        write_array(&mut out, [value], options::number_style());
    }
    output::write(&out);
}

/// `data = ` and the elements, each with a comma; nothing where there is none.
fn write_array<N: Printed>(out: &mut Vec<u8>, elements: impl IntoIterator<Item = N>, style: NumberStyle) {
    let mut elements = elements.into_iter().peekable();
    if elements.peek().is_none() {
        return;
    }
    out.extend_from_slice(b"data = \n");
    for element in elements {
        element.write(out, style);
        out.push(b',');
    }
    out.push(b'\n');
}

fn write_dense(out: &mut Vec<u8>, tensor: &Tensor, style: NumberStyle) {
    match &tensor.values {
        Values::F64(values) => write_row_major(out, tensor, values, style),
        Values::F32(values) => write_row_major(out, tensor, values, style),
        Values::I64(values) => write_row_major(out, tensor, values, style),
    }
}

/// The values in mode order, whatever the storage order; the padding of blocks is left out.
fn write_row_major<N: Printed>(out: &mut Vec<u8>, tensor: &Tensor, values: &[N], style: NumberStyle) {
    if values.is_empty() {
        return;
    }
    // The values are there, so that their number did not overflow when they were allocated.
    let Ok(places) = DensePlaces::new(tensor) else { return };
    if places.are_row_major {
        return write_array(out, values.iter().copied(), style);
    }
    let positions = row_major(&tensor.dims).map(|entry| places.of(|mode| entry[mode]));
    write_array(out, positions.map(|position| values[position]), style);
}

/// All coordinates of a box, the last mode fastest.
pub(crate) fn row_major(dims: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    let first = (!dims.contains(&0)).then(|| vec![0; dims.len()]);
    std::iter::successors(first, |entry| {
        let mut next = entry.clone();
        for mode in (0..dims.len()).rev() {
            next[mode] += 1;
            if next[mode] < dims[mode] {
                return Some(next);
            }
            next[mode] = 0;
        }
        None
    })
}
