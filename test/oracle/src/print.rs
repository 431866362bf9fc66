//! What a program prints, as numbers and as text: LANGUAGE.md, "Output of print".

use std::fmt::Write;

use crate::number::TypedNumber;
use crate::tensor::DenseTensor;

/// One print.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    /// The tensor's name; empty for scalars.
    pub label: String,
    /// How it is shown.
    pub form: PrintForm,
    /// The arrays of numbers, in their order.
    pub arrays: Vec<StoredArray>,
}

/// An array of a print.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredArray {
    Numbers(Vec<TypedNumber>),
    /// A bit vector's words, which have no sign.
    Words(Vec<u64>),
    /// A part of a line.
    Text(String),
}

impl StoredArray {
    fn texts(&self, digits: Digits) -> Vec<String> {
        match self {
            Self::Numbers(numbers) => numbers.iter().map(|&number| digits.of(number)).collect(),
            Self::Text(text) => vec![text.clone()],
            Self::Words(words) => words.iter().map(u64::to_string).collect(),
        }
    }
}

/// The forms of a print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintForm {
    /// Two lines for each array that is not empty.
    Arrays,
    Bare,
    /// One part behind the other, with the line breaks among them.
    Line,
    /// `ELAPSED_TIME = 0.000000`.
    Elapsed,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// C's `%.6g`, integers in full.
    Six,
    /// `--print=exact`: as many as it takes to read the same number back.
    Exact,
}

impl Printed {
    pub(crate) fn tensor(name: &str, tensor: &DenseTensor) -> Self {
        Self { label: name.to_string(), form: PrintForm::Arrays, arrays: tensor.arrays() }
    }

    pub(crate) fn scalar(value: TypedNumber, form: PrintForm) -> Self {
        Self { label: String::new(), form, arrays: vec![StoredArray::Numbers(vec![value])] }
    }

    pub(crate) fn elapsed() -> Self {
        Self { label: String::new(), form: PrintForm::Elapsed, arrays: Vec::new() }
    }

    /// The lines it prints.
    pub fn text(&self, digits: Digits) -> String {
        let mut text = String::new();
        let arrays = self.arrays.iter().map(|array| array.texts(digits));
        for numbers in arrays.filter(|numbers| !numbers.is_empty()) {
            // Writing to a string cannot fail.
            let _ = match self.form {
                PrintForm::Arrays => writeln!(text, "data = \n{},", numbers.join(",")),
                PrintForm::Line => write!(text, "{}", numbers.concat()),
                PrintForm::Bare | PrintForm::Elapsed => writeln!(text, "{}", numbers.concat()),
            };
        }
        match self.form {
            PrintForm::Elapsed => "ELAPSED_TIME = 0.000000\n".to_string(),
            _ => text,
        }
    }
}

/// What `print` with several arguments, or with a text, shows.
#[derive(Default)]
pub(crate) struct PrintedLine {
    parts: Vec<StoredArray>,
    /// How many items are on the line.
    items: usize,
    /// Whether these are more than an empty text.
    is_visible: bool,
}

impl PrintedLine {
    fn text(&mut self, text: &str) {
        self.parts.push(StoredArray::Text(text.to_string()));
    }

    /// Adds a text or a number.
    pub(crate) fn add(&mut self, item: StoredArray) {
        if self.items > 0 {
            self.text(" ");
        }
        self.is_visible |= self.items > 0 || item != StoredArray::Text(String::new());
        self.items += 1;
        self.parts.push(item);
    }

    /// Adds a tensor: a number where it has no modes, else a line for each of its entries.
    pub(crate) fn add_tensor(&mut self, tensor: &DenseTensor) {
        let entries = tensor.cells().iter().enumerate();
        let entries = entries.filter_map(|(at, cell)| Some((tensor.position(at), (*cell)?)));
        if tensor.dims.is_empty() {
            return entries.for_each(|(_, value)| self.add(StoredArray::Numbers(vec![value])));
        }
        if self.is_visible {
            self.text("\n");
        }
        for (position, value) in entries {
            position.iter().for_each(|at| self.text(&format!("{at} ")));
            self.parts.push(StoredArray::Numbers(vec![value.printed(tensor.element)]));
            self.text("\n");
        }
        (self.items, self.is_visible) = (0, false);
    }

    /// The line break is that of an entry where a tensor comes last.
    pub(crate) fn end(mut self) -> Printed {
        if self.items > 0 {
            self.text("\n");
        }
        Printed { label: String::new(), form: PrintForm::Line, arrays: self.parts }
    }
}

impl Digits {
    fn of(self, number: TypedNumber) -> String {
        match (self, number) {
            (_, TypedNumber::I64(value)) => value.to_string(),
            (_, TypedNumber::C64(re, im)) => {
                joined(self.of(TypedNumber::F32(re)), &self.of(TypedNumber::F32(im)))
            }
            (_, TypedNumber::C128(re, im)) => {
                joined(self.of(TypedNumber::F64(re)), &self.of(TypedNumber::F64(im)))
            }
            (Self::Six, _) => six_digits(number.to_f64()),
            (Self::Exact, TypedNumber::F32(value)) if value.is_finite() => value.to_string(),
            (Self::Exact, _) if number.to_f64().is_finite() => number.to_f64().to_string(),
            _ => not_finite(number.to_f64()),
        }
    }
}

/// `1.5-2i`; the sign of a NaN is not shown.
fn joined(re: String, im: &str) -> String {
    let sign = if im.starts_with('-') { "" } else { "+" };
    format!("{re}{sign}{im}i")
}

/// C's `%g`.
fn six_digits(value: f64) -> String {
    if !value.is_finite() {
        return not_finite(value);
    }
    let scientific = format!("{value:.5e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent = exponent.parse::<i32>().unwrap_or(0);
    match exponent {
        -4..=5 => trimmed(&format!("{value:.*}", (5 - exponent) as usize)).to_string(),
        _ => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
        }
    }
}

fn trimmed(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

fn not_finite(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_those_of_c() {
        let cases = [
            (0.0, "0"),
            (-2.5, "-2.5"),
            (1.0 / 3.0, "0.333333"),
            (123456.7, "123457"),
            (999999.5, "1e+06"),
            (1234567.0, "1.23457e+06"),
            (0.0001, "0.0001"),
            (0.000012345, "1.2345e-05"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
        ];
        for (value, text) in cases {
            assert_eq!(six_digits(value), text);
        }
    }
}
