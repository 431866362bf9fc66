//! The fields of a line: indices and values.

use crate::print::Printed;
use crate::values::Value;
use comet_notation::{Complex, fortran};

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldFault {
    /// An index is missing or is no number.
    Index {
        /// The column, from 0.
        mode: usize,
    },
    /// An index is outside the allowed range.
    Range {
        /// The column, from 0.
        mode: usize,
    },
    /// The value is missing or is no number.
    Value,
    /// The value is a number, but no integer of 64 bits.
    NotInteger,
    /// The value is a number with a fraction, or beyond all numbers, in a file of integers, or a negative one
    /// in a file of unsigned integers.
    Fraction,
    /// The value is a number beyond the largest of its type.
    TooLarge,
    /// Something follows the last field.
    Rest,
}

/// A position in bytes that are read from the left.
pub(super) struct Scanner<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Whether only the end of the line, or of the bytes, follows.
    #[inline]
    pub(super) fn is_at_line_end(&self) -> bool {
        match self.peek() {
            None | Some(b'\n') => true,
            Some(b'\r') => matches!(self.bytes.get(self.at + 1), None | Some(b'\n')),
            _ => false,
        }
    }

    /// Moves past the end of the line.
    #[inline]
    pub(super) fn next_line(&mut self) {
        match self.peek() {
            Some(b'\n') => self.at += 1,
            _ => {
                let rest = &self.bytes[self.at..];
                self.at += memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
            }
        }
    }

    #[inline]
    fn ends_field(&self) -> bool {
        self.ends_field_at(self.at)
    }

    #[inline]
    fn ends_field_at(&self, place: usize) -> bool {
        matches!(self.bytes.get(place), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
    }

    /// A number without a sign that fits an `i64`.
    #[inline]
    pub(super) fn index(&mut self) -> Option<i64> {
        self.skip_blanks();
        let start = self.at;
        let mut number = 0i64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        let digits = self.at - start;
        if digits == 0 || !self.ends_field() {
            return None;
        }
        // 18 digits always fit; longer numbers are rare and are read again with a check.
        if digits > 18 {
            return std::str::from_utf8(&self.bytes[start..self.at]).ok()?.parse().ok();
        }
        Some(number)
    }

    /// A value of the tensor's type.
    #[inline]
    pub(super) fn value<V: FileValue>(&mut self) -> Result<V, FieldFault> {
        self.skip_blanks();
        let parsed = V::parse(&self.bytes[self.at..]);
        match parsed {
            Ok((value, len)) if self.ends_field_at(self.at + len) => {
                self.at += len;
                Ok(value)
            }
            other => self.fortran_value().unwrap_or(Err(other.err().unwrap_or(FieldFault::Value))),
        }
    }

    /// A value with an exponent as Fortran writes it; `None` where the field is no such number.
    #[cold]
    fn fortran_value<V: FileValue>(&mut self) -> Option<Result<V, FieldFault>> {
        let len = (self.at..).take_while(|place| !self.ends_field_at(*place)).count();
        let field = std::str::from_utf8(&self.bytes[self.at..self.at + len]).ok()?;
        let parsed = V::parse(fortran::with_plain_exponent(field)?.as_bytes());
        self.at += len;
        Some(parsed.map(|(value, _)| value))
    }
}

impl Scanner<'_> {
    /// A value in two fields, the real part and the imaginary one; files of real values are read by others.
    pub(super) fn complex<V: FileValue>(&mut self) -> Result<V, FieldFault> {
        let (re, im) = (self.value::<V>()?, self.value::<V>()?);
        V::of_parts(re, im).ok_or(FieldFault::Value)
    }
}

/// A value type that files hold as text.
pub(super) trait FileValue: Value + Printed {
    /// Reads a number from the start of a text, and says how long it is.
    fn parse(text: &[u8]) -> Result<(Self, usize), FieldFault>;
    /// Returns whether the field is an integer.
    fn is_whole(self) -> bool;
    /// Returns the complex value of two that were read as its parts; `None` where values are real.
    fn of_parts(_re: Self, _im: Self) -> Option<Self> {
        None
    }
    /// Returns whether the value has no imaginary part.
    fn is_real(self) -> bool {
        true
    }
}

impl<T: FileValue> FileValue for Complex<T>
where
    Self: Value,
{
    fn parse(text: &[u8]) -> Result<(Self, usize), FieldFault> {
        let (re, len) = T::parse(text)?;
        Ok((Self { re, im: T::default() }, len))
    }

    fn is_whole(self) -> bool {
        self.re.is_whole()
    }

    fn of_parts(re: Self, im: Self) -> Option<Self> {
        Some(Self { re: re.re, im: im.re })
    }

    fn is_real(self) -> bool {
        self.im.is_zero()
    }
}

impl FileValue for f64 {
    #[inline]
    fn parse(text: &[u8]) -> Result<(Self, usize), FieldFault> {
        let (value, len) = fast_float2::parse_partial::<f64, _>(text).map_err(|_| FieldFault::Value)?;
        // `inf` may be written out, but digits must not become it.
        if value.is_infinite() && text[..len].iter().any(u8::is_ascii_digit) {
            return Err(FieldFault::TooLarge);
        }
        Ok((value, len))
    }

    fn is_whole(self) -> bool {
        self.fract() == 0.0
    }
}

impl FileValue for f32 {
    fn parse(text: &[u8]) -> Result<(Self, usize), FieldFault> {
        let (value, len) = f64::parse(text)?;
        // `inf` may be written out here too.
        let rounded = value as f32;
        if rounded.is_infinite() && value.is_finite() {
            Err(FieldFault::TooLarge)
        } else {
            Ok((rounded, len))
        }
    }

    fn is_whole(self) -> bool {
        self.fract() == 0.0
    }
}

impl FileValue for i64 {
    fn parse(text: &[u8]) -> Result<(Self, usize), FieldFault> {
        let signed = usize::from(matches!(text.first(), Some(b'-' | b'+')));
        let digits = text[signed..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let len = signed + digits;
        let is_plain = digits > 0 && !matches!(text.get(len), Some(b'.' | b'e' | b'E'));
        if is_plain {
            let integer = std::str::from_utf8(&text[..len]).ok().and_then(|text| text.parse().ok());
            return integer.map(|integer| (integer, len)).ok_or(FieldFault::NotInteger);
        }
        // `3.0` and `1e3` are integers too.
        let (value, len) = f64::parse(text)?;
        i64::from_f64(value).map(|integer| (integer, len)).ok_or(FieldFault::NotInteger)
    }

    fn is_whole(self) -> bool {
        true
    }
}
