//! `print`: the output that LANGUAGE.md, "Output of print", fixes to the letter.

mod parts;

use crate::convert::ordered_copy;
use crate::distributed::{self, Share};
use crate::error::Error;
use crate::number::{write_exact_f32, write_exact_f64, write_exact_half, write_integer, write_six_digits};
use crate::options::{self, NumberStyle};
use crate::output;
use crate::pack::DensePlaces;
use crate::tensor::{LevelStorage, Tensor};
use crate::unpack::unpack;
use crate::values::{StoredNumber, Value, ValueColumn, Values};
use comet_format::{Children, LevelArray, LevelKind};
use comet_notation::Complex;

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
        write_integer(out, self);
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

/// `1.5-2i`: the real part, and the imaginary one with its sign.
impl<T: Printed + Value> Printed for Complex<T> {
    fn write(self, out: &mut Vec<u8>, style: NumberStyle) {
        self.re.write(out, style);
        let sign = out.len();
        self.im.write(out, style);
        if out[sign] != b'-' {
            out.insert(sign, b'+');
        }
        out.push(b'i');
    }
}

impl Printed for StoredNumber {
    fn write(self, out: &mut Vec<u8>, style: NumberStyle) {
        match self {
            Self::F64(value) => value.write(out, style),
            Self::F32(value, of) => match (of.is_computed(), style) {
                (false, NumberStyle::Exact) => {
                    write_exact_half(out, value, |text| value.encoded(of) == text.encoded(of));
                }
                _ => value.write(out, style),
            },
            Self::I64(value) => value.write(out, style),
            Self::C64(value) => value.write(out, style),
            Self::C128(value) => value.write(out, style),
        }
    }
}

/// The text of a printed tensor.
pub(crate) fn tensor_text(tensor: &Tensor, style: NumberStyle) -> Vec<u8> {
    let mut out = Vec::new();
    if tensor.format.format.is_dense() {
        write_row_major(&mut out, tensor, style);
    } else {
        write_arrays(&mut out, tensor, style);
    }
    out
}

/// Prints a tensor, in the order of its coordinates. Where each process has rows of it, each makes the text
/// of its own, unless the order of the text is another one.
pub(crate) fn print_tensor(tensor: &Tensor) -> Result<(), Error> {
    match Share::of(tensor) {
        Some(share) => parts::print_share(tensor, &share),
        None => distributed::with_whole(tensor, print_whole),
    }
}

fn print_whole(tensor: &Tensor) -> Result<(), Error> {
    let ordered = ordered_copy(tensor)?;
    output::write(&tensor_text(ordered.as_ref().unwrap_or(tensor), options::number_style()));
    Ok(())
}

/// How a scalar is printed.
#[derive(Clone, Copy)]
pub(crate) enum ScalarForm {
    /// Bare on its line.
    Bare,
    /// Bare, as a part of a line.
    Part,
    /// As an array of one element.
    Array,
}

/// Prints a scalar.
pub(crate) fn print_scalar<N: Printed>(value: N, form: ScalarForm) {
    let mut out = Vec::new();
    match form {
        ScalarForm::Bare => {
            value.write(&mut out, options::number_style());
            out.push(b'\n');
        }
        ScalarForm::Part => value.write(&mut out, options::number_style()),
        ScalarForm::Array => write_array(&mut out, [value], options::number_style()),
    }
    output::write(&out);
}

/// Prints the entries of a tensor, each on a line.
///
/// # Errors
/// A list of entries that does not fit the memory.
pub(crate) fn print_entries(tensor: &Tensor) -> Result<(), Error> {
    let style = options::number_style();
    // Entries are in the order of the first mode, whatever stores it.
    let Some(share) = Share::of(tensor).filter(|share| share.mode() == 0) else {
        return distributed::with_whole(tensor, |tensor| {
            output::write(&entries_text(tensor, style, |_, number| number)?);
            Ok(())
        });
    };
    let own = entries_text(tensor, style, |mode, number| share.coordinate(mode, number))?;
    share.in_turn(&own, |text| {
        output::write(text);
        Ok(())
    })
}

/// The text of entries. `coordinate` returns what a number of a mode stands for.
fn entries_text(
    tensor: &Tensor,
    style: NumberStyle,
    coordinate: impl Fn(usize, i64) -> i64,
) -> Result<Vec<u8>, Error> {
    let mut entries = unpack(tensor)?;
    for (mode, column) in entries.coords.iter_mut().enumerate() {
        column.iter_mut().for_each(|number| *number = coordinate(mode, *number));
    }
    let of = tensor.format.value;
    let numbers: Vec<StoredNumber> = match entries.values {
        ValueColumn::F64(values) => values.into_iter().map(StoredNumber::F64).collect(),
        ValueColumn::F32(values) => values.into_iter().map(|value| StoredNumber::F32(value, of)).collect(),
        ValueColumn::I64(values) => values.into_iter().map(StoredNumber::I64).collect(),
        ValueColumn::C64(values) => values.into_iter().map(StoredNumber::C64).collect(),
        ValueColumn::C128(values) => values.into_iter().map(StoredNumber::C128).collect(),
    };
    Ok(write_entries(&entries.coords, &numbers, style))
}

/// The coordinates and the value of each entry, in the order of the coordinates in mode order.
fn write_entries<N: Printed>(coords: &[Vec<i64>], values: &[N], style: NumberStyle) -> Vec<u8> {
    let coordinates = |entry: usize| coords.iter().map(move |column| column[entry]);
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&left, &right| coordinates(left).cmp(coordinates(right)));
    let mut out = Vec::new();
    for entry in order {
        for coordinate in coordinates(entry) {
            write_integer(&mut out, coordinate);
            out.push(b' ');
        }
        values[entry].write(&mut out, style);
        out.push(b'\n');
    }
    out
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

/// A sparse tensor's arrays: two for each storage level in storage order, then the values.
fn write_arrays(out: &mut Vec<u8>, tensor: &Tensor, style: NumberStyle) {
    for (level, arrays) in tensor.format.format.levels.iter().zip(&tensor.levels) {
        write_level(out, level.kind, arrays, style);
    }
    write_array(out, all_numbers(&tensor.values), style);
}

/// Writes the element −1 for an array that the level does not have.
fn write_level(out: &mut Vec<u8>, kind: LevelKind, arrays: &LevelStorage, style: NumberStyle) {
    match kind.children() {
        Children::One => write_array(out, [-1i64], style),
        Children::Every | Children::Segment => write_array(out, arrays.pos.iter(), style),
    }
    match kind.coordinate_array() {
        // A word is no signed number, so that its highest bit is no sign.
        Some(LevelArray::Words) => write_array(out, arrays.crd.iter().map(|word| word as u64), style),
        Some(_) => write_array(out, arrays.crd.iter(), style),
        None => write_array(out, [-1i64], style),
    }
}

/// The values in mode order, whatever the storage order; the padding of blocks is left out.
fn write_row_major(out: &mut Vec<u8>, tensor: &Tensor, style: NumberStyle) {
    if tensor.values.is_empty() {
        return;
    }
    // The values are there, so that their number did not overflow when they were allocated.
    let Ok(places) = DensePlaces::new(tensor) else { return };
    if places.are_row_major {
        return write_array(out, all_numbers(&tensor.values), style);
    }
    let positions = row_major(&tensor.dims).map(|entry| places.of(|mode| entry[mode]));
    write_array(out, positions.map(|position| tensor.values.number(position)), style);
}

pub(super) fn all_numbers(values: &Values) -> impl Iterator<Item = StoredNumber> {
    (0..values.len()).map(|position| values.number(position))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coordinates::CoordinateTensor;
    use crate::pack::pack;
    use crate::values::ValueColumn;

    /// What `print` shows of 3 × 4 with (0,3) = 1.5, (2,1) = −2 and (2,2) = 0.1, or of its first row's
    /// vector.
    fn printed(format: &str) -> String {
        let format: comet_format::TypedFormat = format.parse().unwrap();
        let entries = CoordinateTensor {
            dims: vec![3, 4],
            coords: vec![vec![2, 0, 2], vec![2, 3, 1]],
            values: ValueColumn::F64(vec![0.1, 1.5, -2.0]),
        };
        let text = tensor_text(&pack(&entries, &format).unwrap(), NumberStyle::SixDigits);
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.matches("data = \n").count() * 2, text.lines().count());
        text.lines().filter(|line| *line != "data = ").collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn dense_tensors_print_row_major_in_any_storage_order() {
        let expected = "0,0,0,1.5,0,0,0,0,0,-2,0.1,0,";
        for format in [
            "f64 i32 (0 : D, 1 : D)",
            "f64 i32 (1 : D, 0 : D)",
            "f64 i32 (0/2 : D, 1/3 : D, 0%2 : D, 1%3 : D)",
        ] {
            assert_eq!(printed(format), expected);
        }
    }

    #[test]
    fn each_level_prints_two_arrays() {
        assert_eq!(printed("f64 i32 (0 : D, 1 : CU)"), "3, -1, 0,1,1,3, 3,1,2, 1.5,-2,0.1,");
        assert_eq!(printed("f64 i32 (0 : CN, 1 : S)"), "0,3, 0,2,2, -1, 3,1,2, 1.5,-2,0.1,");
        assert_eq!(
            printed("f64 i32 (0 : D, slot : D, 1 : S)"),
            "3, -1, 2, -1, -1, 3,-1,-1,-1,1,2, 1.5,0,0,0,-2,0.1,"
        );
        assert_eq!(printed("f64 i32 (0 : D, 1 : BV<4>)"), "3, -1, 0,1,1,3, 8,0,6, 1.5,-2,0.1,");
    }

    #[test]
    fn entries_print_in_the_order_of_their_coordinates() {
        let entries = CoordinateTensor {
            dims: vec![3, 4],
            coords: vec![vec![2, 0, 2], vec![2, 3, 1]],
            values: ValueColumn::F64(vec![0.0, 1.5, -2.0]),
        };
        for format in [
            "f64 i32 (0 : D, 1 : CU)",
            "f64 i32 (1 : CU, 0 : CU)",
            "f64 i32 (0 : D, slot : D, 1 : S)",
            "f64 i32 (0/2 : D, 1/3 : CU, 0%2 : D, 1%3 : D)",
            "f64 i32 (0 : H, 1 : H)",
        ] {
            let text = entries_text(
                &pack(&entries, &format.parse().unwrap()).unwrap(),
                NumberStyle::Exact,
                |_, number| number,
            );
            assert_eq!(String::from_utf8(text.unwrap()).unwrap(), "0 3 1.5\n2 1 -2\n2 2 0\n", "{format}");
        }
    }

    #[test]
    fn empty_arrays_print_nothing() {
        let mut tensor = Tensor::new("A", "f64 i32 (0 : CU)".parse().unwrap());
        tensor.dims = vec![5];
        crate::pack::store_nothing(&mut tensor).unwrap();
        assert_eq!(tensor_text(&tensor, NumberStyle::SixDigits), b"data = \n0,0,\n");
    }
}
