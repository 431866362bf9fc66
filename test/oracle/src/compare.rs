//! Compares two printed outputs, line by line and token by token.

use std::fmt;

/// The first place where two outputs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line, 1-based.
    pub line: usize,
    /// The token of that line, 1-based; 0 where a line is missing or too much.
    pub token: usize,
    /// What was expected there.
    pub expected: String,
    pub actual: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, token, expected, actual } = self;
        write!(f, "line {line}, token {token}: expected `{expected}`, found `{actual}`")
    }
}

impl std::error::Error for Mismatch {}

/// How much numbers may differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative to the larger of them.
    pub relative: f64,
    /// Beside that, for numbers that are not whole: what rounding leaves of a sum whose terms cancel.
    pub absolute: f64,
}

impl From<f64> for Tolerance {
    fn from(relative: f64) -> Self {
        Self { relative, absolute: 0.0 }
    }
}

/// Compares outputs whose numbers may differ a little. Whole numbers
/// that are written as such must be equal where both fit 53 bits, unless the line has others, too: then they
/// are whole by rounding. Times are not compared.
///
/// # Errors
/// The first difference.
pub fn compare(expected: &str, actual: &str, tolerance: impl Into<Tolerance>) -> Result<(), Mismatch> {
    let tolerance = tolerance.into();
    let expected = expected.lines().collect::<Vec<_>>();
    let actual = actual.lines().collect::<Vec<_>>();
    for line in 0..expected.len().max(actual.len()) {
        match (expected.get(line), actual.get(line)) {
            (Some(expected), Some(actual)) => compare_line(line + 1, expected, actual, tolerance)?,
            (expected, actual) => return Err(mismatch(line + 1, 0, expected.copied(), actual.copied())),
        }
    }
    Ok(())
}

fn compare_line(line: usize, expected: &str, actual: &str, tolerance: Tolerance) -> Result<(), Mismatch> {
    if expected.starts_with("ELAPSED_TIME = ") && actual.starts_with("ELAPSED_TIME = ") {
        return Ok(());
    }
    let expected = expected.split([',', ' ']).collect::<Vec<_>>();
    let actual = actual.split([',', ' ']).collect::<Vec<_>>();
    let are_whole = expected.iter().all(|text| number(text).is_none() || text.parse::<i64>().is_ok());
    for token in 0..expected.len().max(actual.len()) {
        let (expected, actual) = (expected.get(token).copied(), actual.get(token).copied());
        let same = |(expected, actual)| match (whole(expected), whole(actual)) {
            (Some(expected), Some(actual)) if are_whole => expected == actual,
            _ => near(expected, actual, tolerance),
        };
        if !expected.zip(actual).is_some_and(same) {
            return Err(mismatch(line, token + 1, expected, actual));
        }
    }
    Ok(())
}

fn mismatch(line: usize, token: usize, expected: Option<&str>, actual: Option<&str>) -> Mismatch {
    let text = |text: Option<&str>| text.unwrap_or("nothing").to_string();
    Mismatch { line, token, expected: text(expected), actual: text(actual) }
}

fn near(expected: &str, actual: &str, tolerance: Tolerance) -> bool {
    if expected == actual {
        return true;
    }
    let within = |difference: f64, size: f64| {
        difference.abs() <= (tolerance.relative * size).max(tolerance.absolute) && size.is_finite()
    };
    if let (Some((a, b)), Some((c, d))) = (complex(expected), complex(actual)) {
        // Parts are close where they are as near as the whole values allow.
        let size = a.hypot(b).max(c.hypot(d));
        let near = |x: f64, y: f64| x == y || (x.is_nan() && y.is_nan()) || within(x - y, size);
        return near(a, c) && near(b, d);
    }
    let (Some(x), Some(y)) = (number(expected), number(actual)) else { return false };
    x == y || (x.is_nan() && y.is_nan()) || within(x - y, x.abs().max(y.abs()))
}

/// A whole number that a double holds exactly: there, different digits are different numbers.
fn whole(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| number.unsigned_abs() < 1 << 53)
}

/// The parts of `1.5-2i`: the imaginary one begins with the last sign that is not an exponent's.
fn complex(text: &str) -> Option<(f64, f64)> {
    let parts = text.strip_suffix('i')?;
    let is_sign = |&(at, sign): &(usize, char)| {
        matches!(sign, '+' | '-') && at > 0 && !parts[..at].ends_with(['e', 'E'])
    };
    let (at, _) = parts.char_indices().rev().find(is_sign)?;
    Some((number(&parts[..at])?, number(&parts[at..])?))
}

/// C writes the sign of a NaN, Rust does not read it.
fn number(text: &str) -> Option<f64> {
    text.parse().or_else(|_| text.trim_start_matches(['-', '+']).parse()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_differ_a_little() {
        assert_eq!(compare("data = \n1,2.5,", "data = \n1,2.5000000000001,", 1e-9), Ok(()));
        assert_eq!(compare("data = \n-0,nan,inf,1e3,", "data = \n0,-nan,inf,1000,", 1e-9), Ok(()));
    }

    #[test]
    fn sums_whose_terms_cancel_may_be_compared_as_such() {
        let tolerance = Tolerance { relative: 1e-9, absolute: 1e-13 };
        assert_eq!(compare("2.5,1e-20,", "2.5,-2.220446049250313e-16,", tolerance), Ok(()));
        assert!(compare("2.5,1e-20,", "2.5,-1e-12,", tolerance).is_err());
        assert!(compare("2.5,1e-20,", "2.5,-2.220446049250313e-16,", 1e-9).is_err());
    }

    #[test]
    fn whole_numbers_may_not() {
        assert!(compare("1000000000000", "1000000000001", 1e-9).is_err());
        assert_eq!(compare("36028797018963969", "36028797018963970", 1e-9), Ok(()));
        assert_eq!(compare("0.5,4311258043100889,", "0.5,4311258043100890,", 1e-9), Ok(()));
    }

    #[test]
    fn complex_numbers_are_compared_by_their_size() {
        assert_eq!(compare("1e-20-2i,nan+nani,", "0-2.0000000000001i,nan-nani,", 1e-9), Ok(()));
        assert!(compare("1.5+2e-05i", "1.5-2e-05i", 1e-9).is_err());
        assert!(compare("1.5+2i", "1.5", 1e-9).is_err());
    }

    #[test]
    fn the_first_difference_is_named() {
        let found = compare("data = \n1,2.5,\n", "data = \n1,2.6,\n", 1e-9).unwrap_err();
        assert_eq!((found.line, found.token), (2, 2));
        assert_eq!(compare("1\n", "1\n2\n", 1e-9).unwrap_err().line, 2);
        assert_eq!(compare("1,", "1,2,", 1e-9).unwrap_err().token, 2);
        assert_eq!(compare("inf", "1e308", 1e-9).unwrap_err().token, 1);
    }
}
