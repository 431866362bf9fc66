//! Numbers in tables.

/// Three digits of the unit that fits.
pub(crate) fn shown(seconds: f64) -> String {
    let (number, unit) = match seconds {
        1.0.. => (seconds, "s"),
        1e-3..1.0 => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "µs"),
    };
    let digits = 2usize.saturating_sub(number.max(1.0).log10() as usize);
    format!("{number:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        assert_eq!([1.5, 0.0123, 0.1234, 0.00000071].map(shown), ["1.50 s", "12.3 ms", "123 ms", "0.71 µs"]);
    }
}
