//! Numbers as C's `%.6g` prints them, and as short as they can be to read back exactly.

use std::io::Write;

/// C's `%.6g`.
pub fn write_six_digits(out: &mut Vec<u8>, value: f64) {
    // Most printed numbers are small integers; `%.6g` prints those in full. −0 is not among them.
    if value.trunc() == value && value.abs() < 1e6 && !(value == 0.0 && value.is_sign_negative()) {
        write_integer(out, value as i64);
    } else if !write_special(out, value) {
        let mut text = [0u8; 32];
        let scientific = formatted(&mut text, format_args!("{value:.5e}"));
        write_digits(out, &Decimal::parse(scientific), 6);
    }
}

/// The shortest decimal that reads back as the same `double`.
pub fn write_exact_f64(out: &mut Vec<u8>, value: f64) {
    if !write_special(out, value) {
        let mut text = [0u8; 32];
        write_digits(out, &Decimal::parse(formatted(&mut text, format_args!("{value:e}"))), 17);
    }
}

/// The shortest decimal that reads back as the same `float`.
pub fn write_exact_f32(out: &mut Vec<u8>, value: f32) {
    if !write_special(out, f64::from(value)) {
        let mut text = [0u8; 32];
        write_digits(out, &Decimal::parse(formatted(&mut text, format_args!("{value:e}"))), 17);
    }
}

/// The shortest decimal that reads back as the same half; `reads_back` says whether one does.
pub fn write_exact_half(out: &mut Vec<u8>, value: f32, reads_back: impl Fn(f32) -> bool) {
    if write_special(out, f64::from(value)) {
        return;
    }
    let mut text = [0u8; 32];
    for digits in 0..5 {
        let found = formatted(&mut text, format_args!("{value:.digits$e}"));
        if found.parse().is_ok_and(&reads_back) {
            return write_digits(out, &Decimal::parse(found), 17);
        }
    }
    write_exact_f32(out, value);
}

/// An integer in full.
pub fn write_integer(out: &mut Vec<u8>, value: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Infinities and NaN, spelled as C does, but without the sign of NaN, which depends on the machine.
fn write_special(out: &mut Vec<u8>, value: f64) -> bool {
    if value.is_finite() {
        return false;
    }
    if value == f64::NEG_INFINITY {
        out.push(b'-');
    }
    out.extend_from_slice(if value.is_nan() { b"nan" } else { b"inf" });
    true
}

fn formatted<'a>(text: &'a mut [u8; 32], arguments: std::fmt::Arguments) -> &'a str {
    let mut rest = &mut text[..];
    rest.write_fmt(arguments).expect("a number in scientific notation has fewer than 32 characters");
    let len = 32 - rest.len();
    std::str::from_utf8(&text[..len]).expect("a number is ASCII")
}

/// A number as its significant digits, without zeros at the end, and the exponent of the first.
struct Decimal {
    negative: bool,
    digits: [u8; 20],
    count: usize,
    exponent: i32,
}

impl Decimal {
    /// Reads what `{:e}` prints: `-1.25e-7`.
    fn parse(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once('e').expect("scientific notation has an exponent");
        let mut digits = [b'0'; 20];
        let mut count = 0;
        for digit in mantissa.bytes().filter(u8::is_ascii_digit) {
            digits[count] = digit;
            count += 1;
        }
        while count > 1 && digits[count - 1] == b'0' {
            count -= 1;
        }
        let exponent = exponent.parse().expect("an exponent is an integer");
        Self { negative: mantissa.starts_with('-'), digits, count, exponent }
    }
}

/// Lays the digits out as `%g` does: plain between 1e-4 and `10^precision`, with an exponent elsewhere.
fn write_digits(out: &mut Vec<u8>, number: &Decimal, precision: i32) {
    let digits = &number.digits[..number.count];
    if number.negative {
        out.push(b'-');
    }
    if (-4..0).contains(&number.exponent) {
        out.extend_from_slice(b"0.");
        out.extend((1..-number.exponent).map(|_| b'0'));
        out.extend_from_slice(digits);
    } else if (0..precision).contains(&number.exponent) {
        write_plain(out, digits, number.exponent as usize + 1);
    } else {
        write_plain(out, digits, 1);
        let sign = if number.exponent < 0 { '-' } else { '+' };
        write!(out, "e{sign}{:02}", number.exponent.abs()).expect("a vector takes all that is written");
    }
}

/// Digits with the point after the first `whole` of them, and zeros where there are too few.
fn write_plain(out: &mut Vec<u8>, digits: &[u8], whole: usize) {
    let split = whole.min(digits.len());
    out.extend_from_slice(&digits[..split]);
    out.extend((split..whole).map(|_| b'0'));
    if split < digits.len() {
        out.push(b'.');
        out.extend_from_slice(&digits[split..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ffi::{CStr, c_char, c_int};

    unsafe extern "C" {
        fn snprintf(buffer: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
    }

    fn c_text(value: f64) -> String {
        let mut buffer = [0 as c_char; 64];
        // SAFETY: the buffer is 64 bytes long, and one double is passed for one conversion.
        unsafe {
            snprintf(buffer.as_mut_ptr(), 64, c"%.6g".as_ptr(), value);
            CStr::from_ptr(buffer.as_ptr()).to_str().unwrap().to_owned()
        }
    }

    fn six(value: f64) -> String {
        let mut out = Vec::new();
        write_six_digits(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    fn exact(value: f64) -> String {
        let mut out = Vec::new();
        write_exact_f64(&mut out, value);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn chosen_numbers_print_as_in_c() {
        for value in [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            1e5,
            999999.0,
            1e6,
            999999.5,
            1000000.5,
            100000.5,
            123456.5,
            1e-4,
            1e-5,
            9.999995e-5,
            1.5e300,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            2.5,
            1234567.0,
            0.5,
            1e15,
            3.0e100,
        ] {
            assert_eq!(six(value), c_text(value));
        }
    }

    #[test]
    fn exact_numbers_are_short() {
        assert_eq!(exact(0.1), "0.1");
        assert_eq!(exact(1e16), "10000000000000000");
        assert_eq!(exact(1e17), "1e+17");
        assert_eq!(exact(-0.0), "-0");
        assert_eq!(exact(5e-324), "5e-324");
        let mut out = Vec::new();
        write_exact_f32(&mut out, 0.1);
        assert_eq!(out, b"0.1");
    }

    proptest! {
        #[test]
        fn any_bits_print_as_in_c(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assert!(value.is_nan() || six(value) == c_text(value), "{value:e}");
        }

        #[test]
        fn short_decimals_print_as_in_c(digits in -99_999_999i64..99_999_999, exponent in -12i32..12) {
            let value = digits as f64 * 10f64.powi(exponent);
            prop_assert_eq!(six(value), c_text(value));
        }

        #[test]
        fn exact_numbers_read_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assert!(value.is_nan() || exact(value).parse::<f64>().unwrap() == value);
        }
    }
}
