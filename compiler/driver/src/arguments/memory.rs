//! `--memory` of `comet sim`: sizes and rates, as `last-level=17MB,dram=68.256GB/s`.

use comet_sam::machine::quantity::{bytes, bytes_or_none, hertz, rate};
use comet_sam::simulate::MemoryModel;

/// What can be said of a memory.
const KEYS: &str = "`dram`, `on-chip`, `last-level`, `element`, `buffers` or `clock`";

/// Cycles a second, where nothing is said.
const CLOCK: f64 = 1e9;

/// The memory of a comma-separated list; what it does not say is as in the paper.
pub(crate) fn parse(text: &str) -> Result<MemoryModel, String> {
    let pairs = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    let pairs: Vec<(&str, &str)> = pairs
        .map(|pair| {
            pair.split_once('=').ok_or_else(|| format!("found `{pair}`, expected a value for {KEYS}"))
        })
        .collect::<Result<_, _>>()?;
    let clock = pairs.iter().find(|(key, _)| *key == "clock").map_or(Ok(CLOCK), |(_, value)| hertz(value))?;
    // Rates that are not given are the paper's by second, too.
    let mut memory = MemoryModel::default();
    memory.dram *= CLOCK / clock;
    memory.on_chip *= CLOCK / clock;
    for (key, value) in pairs {
        match key {
            "clock" => {}
            "dram" => memory.dram = rate(value, clock)?,
            "on-chip" => memory.on_chip = rate(value, clock)?,
            "last-level" => memory.last_level = bytes_or_none(value)?,
            "element" => memory.element = bytes(value)?,
            "buffers" => memory.buffers = buffers(value)?,
            other => return Err(format!("found `{other}`, expected {KEYS}")),
        }
    }
    Ok(memory)
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
    use comet_sam::simulate::MemoryModel;

    #[test]
    fn rates_are_by_cycle() {
        assert_eq!(parse(""), Ok(MemoryModel::default()));
        let memory = parse("dram=64GB/s, last-level=1MiB,element=16KiB,buffers=3,clock=2GHz").unwrap();
        let expected = MemoryModel {
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
    fn a_last_level_buffer_may_hold_nothing() {
        assert_eq!(parse("last-level=0"), Ok(MemoryModel { last_level: 0, ..MemoryModel::default() }));
    }

    #[test]
    fn what_is_wrong_is_reported() {
        for (text, found) in [
            ("dram", "found `dram`, expected a value for"),
            ("ram=1GB", "found `ram`, expected `dram`"),
            ("dram=1GB", "found `1GB`, expected bytes a second"),
            ("last-level=none", "found `none`, expected a number of bytes"),
            ("element=0", "found `0`, expected a number of bytes"),
            ("clock=fast", "found `fast`, expected a clock"),
            ("clock=-1GHz", "found `-1GHz`, expected a clock"),
            ("buffers=1", "found `1` buffers, expected 2 or more"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(found), "{error}");
        }
    }
}
