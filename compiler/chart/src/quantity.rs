//! Numbers at axes and beside bars.

/// What stands for factors of a thousand.
const SUFFIXES: [&str; 5] = ["", "k", "M", "G", "T"];

/// A number in three digits at most: `0.25`, `750`, `10k`, `2.5M`.
pub fn quantity(number: f64) -> String {
    if number < 0.0 {
        return format!("-{}", quantity(-number));
    }
    let mut shown = rounded(number);
    let mut place = 0;
    while shown >= 1000.0 && place + 1 < SUFFIXES.len() {
        shown /= 1000.0;
        place += 1;
    }
    // Dividing may have left a last digit that is none.
    format!("{}{}", rounded(shown), SUFFIXES[place])
}

/// To three digits.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let digits = 2 - number.log10().floor() as i32;
    // Powers of ten that are no fractions are exact.
    let factor = 10f64.powi(digits.abs());
    if digits >= 0 { (number * factor).round() / factor } else { (number / factor).round() * factor }
}

#[cfg(test)]
mod tests {
    use super::quantity;

    #[test]
    fn three_digits_and_a_suffix() {
        let numbers =
            [0.0, 0.01, 0.25, 1.0, 12.34, 999.6, 1000.0, 2007.0, 10_000.0, 668_310.0, 2.55e6, 1.5e15];
        let shown = numbers.map(quantity);
        let expected =
            ["0", "0.01", "0.25", "1", "12.3", "1k", "1k", "2.01k", "10k", "668k", "2.55M", "1500T"];
        assert_eq!(shown, expected);
        assert_eq!(quantity(-0.3), "-0.3");
    }
}
