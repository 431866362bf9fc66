//! Sizes, rates and clocks as people write them.

use bytesize::ByteSize;

/// Returns the bytes of a text such as `64KiB` or `17MB`.
///
/// # Errors
/// It is no number of bytes, or 0.
pub fn bytes(text: &str) -> Result<u64, String> {
    let size: Result<ByteSize, _> = text.parse();
    match size {
        Ok(size) if size.as_u64() > 0 => Ok(size.as_u64()),
        _ => Err(format!("found `{text}`, expected a number of bytes such as `64KiB` or `17MB`")),
    }
}

/// The same, but `0` is one: of what holds nothing.
///
/// # Errors
/// It is no number of bytes.
pub fn bytes_or_none(text: &str) -> Result<u64, String> {
    if text == "0" { Ok(0) } else { bytes(text) }
}

/// Returns the bytes a cycle of a text such as `68.256GB/s`, at a clock in cycles a second.
///
/// # Errors
/// It is no number of bytes a second.
pub fn rate(text: &str, clock: f64) -> Result<f64, String> {
    let wrong = || format!("found `{text}`, expected bytes a second such as `68.256GB/s`");
    let bytes = text.strip_suffix("/s").and_then(|text| bytes(text).ok()).ok_or_else(wrong)?;
    Ok(bytes as f64 / clock)
}

/// Returns the cycles a second of a text such as `1GHz` or `800MHz`.
///
/// # Errors
/// It is no clock.
pub fn hertz(text: &str) -> Result<f64, String> {
    let wrong = || format!("found `{text}`, expected a clock such as `1GHz` or `800MHz`");
    let units = [("GHz", 1e9), ("MHz", 1e6)];
    let found = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = found.ok_or_else(wrong)?;
    let number: f64 = number.parse().map_err(|_| wrong())?;
    if number > 0.0 && number.is_finite() { Ok(number * factor) } else { Err(wrong()) }
}
