//! Levels of memory in the file of a machine: what `comet tile` chooses tiles for. The simulator checks how
//! they are written, and leaves them out.
//!
//! ```toml
//! name = "two levels"
//!
//! [words]
//! value = 8
//! coordinate = 4
//!
//! [[levels]]
//! name = "LLB"
//! shared = "30MiB"
//! rate = "68.256GB/s"
//! energy = 160.0
//!
//! [[levels]]
//! name = "PE"
//! count = 128
//! buffer = "16KiB"
//! buffers = { B = "32KiB" }
//!
//! [compute]
//! rate = "1GHz"
//! ```

use super::file::{MachineError, MachineFile, check_cost, parse, wrong};
use super::quantity;
use comet_tiling::{Hierarchy, Machine, MemoryLevel, Room};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

pub const PRESET_NAMES: [&str; 2] = ["opal", "extensor"];

const PRESETS: [(&str, &str); 2] = [
    (PRESET_NAMES[0], include_str!("presets/opal.toml")),
    (PRESET_NAMES[1], include_str!("presets/extensor.toml")),
];

pub fn preset(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(own, _)| *own == name).map(|(_, text)| *text)
}

/// How many levels a machine has at most: the search looks at tiles of all of them together.
const MOST_LEVELS: usize = 4;

/// The most bytes that a word has, and how many units may stand side by side.
const WIDEST: u64 = 1024;
const MOST_UNITS: u64 = 1 << 30;

/// What values, coordinates and segments take, in bytes.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordSizes {
    value: Option<Spanned<u64>>,
    coordinate: Option<Spanned<u64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelFields {
    name: Spanned<String>,
    buffer: Option<Spanned<String>>,
    #[serde(default)]
    buffers: BTreeMap<String, Spanned<String>>,
    shared: Option<Spanned<String>>,
    #[serde(default)]
    apart: bool,
    count: Option<Spanned<u64>>,
    rate: Option<Spanned<String>>,
    energy: Option<Spanned<f64>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Compute {
    rate: Option<Spanned<String>>,
    energy: Option<Spanned<f64>>,
}

/// Returns the levels of a machine's file.
///
/// # Errors
/// The first thing that is wrong with it, or that there are none.
pub fn hierarchy(text: &str) -> Result<Hierarchy, MachineError> {
    let MachineFile { name, words, levels, compute, .. } = parse(text)?;
    if levels.is_empty() {
        return Err(wrong("the machine has no `[[levels]]`, expected one with a `buffer` at least"));
    }
    if let Some(level) = levels.get(MOST_LEVELS) {
        let message = format!("found {} levels, expected {MOST_LEVELS} or fewer", levels.len());
        return Err(at(level, message));
    }
    let named = levels.iter().map(|level| &level.get_ref().name);
    for (number, name) in named.clone().enumerate() {
        check_name(name)?;
        if named.clone().take(number).any(|other| other.get_ref() == name.get_ref()) {
            return Err(at(name, format!("found two levels `{}`, expected a name for each", name.get_ref())));
        }
    }
    let usual = Machine::of_buffer(0);
    Ok(Hierarchy {
        name,
        value_bytes: whole("value", words.value.as_ref(), usual.value_bytes, WIDEST)?,
        word_bytes: whole("coordinate", words.coordinate.as_ref(), usual.word_bytes, WIDEST)?,
        levels: levels.iter().map(level).collect::<Result<_, _>>()?,
        rate: compute.rate.as_ref().map(|rate| quantity_of(rate, quantity::hertz)).transpose()?,
        energy: energy("compute", compute.energy.as_ref())?,
    })
}

fn at<T>(place: &Spanned<T>, message: impl Into<String>) -> MachineError {
    MachineError { message: message.into(), place: Some(place.span()) }
}

/// Names are letters, digits and `_`, since `--tiles` has signs behind them.
fn check_name(name: &Spanned<String>) -> Result<(), MachineError> {
    let text = name.get_ref();
    let is_word = text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_word && !text.is_empty() {
        return Ok(());
    }
    Err(at(name, format!("found `{text}` as the name of a level, expected letters, digits and `_`")))
}

fn quantity_of<T>(
    text: &Spanned<String>,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, MachineError> {
    read(text.get_ref()).map_err(|message| at(text, message))
}

fn whole(name: &str, number: Option<&Spanned<u64>>, usual: u64, most: u64) -> Result<u64, MachineError> {
    let Some(number) = number else { return Ok(usual) };
    match *number.get_ref() {
        own if (1..=most).contains(&own) => Ok(own),
        own => Err(at(number, format!("found {own} for `{name}`, expected a whole number from 1 to {most}"))),
    }
}

fn energy(of: &str, energy: Option<&Spanned<f64>>) -> Result<f64, MachineError> {
    let Some(own) = energy else { return Ok(0.0) };
    check_cost(of, "energy", *own.get_ref()).map_err(|error| at(own, error.message))?;
    Ok(*own.get_ref())
}

fn level(fields: &Spanned<LevelFields>) -> Result<MemoryLevel, MachineError> {
    let own = fields.get_ref();
    let name = own.name.get_ref();
    Ok(MemoryLevel {
        name: name.clone(),
        room: room(fields)?,
        is_apart: own.apart,
        count: whole("count", own.count.as_ref(), 1, MOST_UNITS)?,
        // At a clock of one cycle a second bytes a cycle are bytes a second.
        rate: own
            .rate
            .as_ref()
            .map(|rate| quantity_of(rate, |text| quantity::rate(text, 1.0)))
            .transpose()?,
        energy: energy(name, own.energy.as_ref())?,
    })
}

fn room(fields: &Spanned<LevelFields>) -> Result<Room, MachineError> {
    let LevelFields { name, buffer, buffers, shared, apart, .. } = fields.get_ref();
    let name = name.get_ref();
    match shared {
        Some(shared) if buffer.is_some() || !buffers.is_empty() => {
            let message = format!("`{name}` has both `shared` and buffers of operands, expected one of them");
            Err(at(shared, message))
        }
        Some(shared) if *apart => {
            let message = format!("`{name}` is `shared` and `apart`, expected a `buffer` for what is apart");
            Err(at(shared, message))
        }
        Some(shared) => Ok(Room::Shared(quantity_of(shared, quantity::bytes)?)),
        None if buffer.is_none() && buffers.is_empty() => {
            Err(at(fields, format!("`{name}` has no room, expected `buffer`, `buffers` or `shared`")))
        }
        None => {
            let own = |(tensor, size): (&String, &Spanned<String>)| {
                Ok((tensor.clone(), quantity_of(size, quantity::bytes)?))
            };
            let others = buffer.as_ref().map(|size| quantity_of(size, quantity::bytes)).transpose()?;
            Ok(Room::Each(buffers.iter().map(own).collect::<Result<_, MachineError>>()?, others))
        }
    }
}
