//! `--memory` of `comet sim`: sizes and rates, as `last-level=17MB,dram=68.256GB/s`.

use bytesize::ByteSize;
use comet_sam::simulate::Memory;

/// What can be said of a memory.
const KEYS: &str = "`dram`, `on-chip`, `last-level`, `element`, `buffers` or `clock`";

/// Cycles a second, where nothing is said.
const CLOCK: f64 = 1e9;

/// The memory of a comma-separated list; what it does not say is as in the paper.
pub(crate) fn parse(text: &str) -> Result<Memory, String> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    let pairs: Vec<(&str, &str)> = pairs
        .map(|pair| {
            pair.split_once('=').ok_or_else(|| format!("found `{pair}`, expected a value for {KEYS}"))
        })
        .collect::<Result<_, _>>()?;
    let clock = pairs.iter().find(|(key, _)| *key == "clock").map_or(Ok(CLOCK), |(_, value)| hertz(value))?;
    // Rates that are not given are the paper's by second, too.
    let mut memory = Memory::default();
    memory.dram *= CLOCK / clock;
    memory.on_chip *= CLOCK / clock;
    for (key, value) in pairs {
        match key {
            "clock" => {}
            "dram" => memory.dram = rate(value, clock)?,
            "on-chip" => memory.on_chip = rate(value, clock)?,
            "last-level" => memory.last_level = bytes(value)?,
            "element" => memory.element = bytes(value)?,
            "buffers" => memory.buffers = buffers(value)?,
            other => return Err(format!("found `{other}`, expected {KEYS}")),
        }
    }
    Ok(memory)
}

/// A number of bytes.
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    bytes(text)
}

fn bytes(text: &str) -> Result<u64, String> {
    let size: Result<ByteSize, _> = text.parse();
    match size {
        Ok(size) if size.as_u64() > 0 => Ok(size.as_u64()),
        _ => Err(format!("found `{text}`, expected a number of bytes such as `64KiB` or `17MB`")),
    }
}

/// Bytes a cycle.
fn rate(text: &str, clock: f64) -> Result<f64, String> {
    let wrong = || format!("found `{text}`, expected bytes a second such as `68.256GB/s`");
    let bytes = text.strip_suffix("/s").and_then(|text| bytes(text).ok()).ok_or_else(wrong)?;
    Ok(bytes as f64 / clock)
}

fn hertz(text: &str) -> Result<f64, String> {
    let wrong = || format!("found `{text}`, expected a clock such as `1GHz` or `800MHz`");
    let units = [("GHz", 1e9), ("MHz", 1e6)];
    let found = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (number, factor) = found.ok_or_else(wrong)?;
    let number: f64 = number.parse().map_err(|_| wrong())?;
    if number > 0.0 && number.is_finite() { Ok(number * factor) } else { Err(wrong()) }
}

fn buffers(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count) if count >= 2 => Ok(count),
        _ => Err(format!("found `{text}` buffers, expected 2 or more: one to work on, others to read ahead")),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use comet_sam::simulate::Memory;

    #[test]
    fn rates_are_by_cycle() {
        assert_eq!(parse(""), Ok(Memory::default()));
        let memory = parse("dram=64GB/s, last-level=1MiB,element=16KiB,buffers=3,clock=2GHz").unwrap();
        let expected = Memory {
            dram: 32.0,
            on_chip: 1024.0,
            last_level: 1 << 20,
            element: 1 << 14,
            buffers: 3,
            pages: None,
        };
        assert_eq!(memory, expected);
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (text, found) in [
            ("dram", "found `dram`, expected a value for"),
            ("ram=1GB", "found `ram`, expected `dram`"),
            ("dram=1GB", "found `1GB`, expected bytes a second"),
            ("last-level=0", "found `0`, expected a number of bytes"),
            ("clock=fast", "found `fast`, expected a clock"),
            ("clock=-1GHz", "found `-1GHz`, expected a clock"),
            ("buffers=1", "found `1` buffers, expected 2 or more"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(found), "{error}");
        }
    }
}
