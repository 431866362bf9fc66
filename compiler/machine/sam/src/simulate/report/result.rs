//! Results in JSON. They may be far larger than all else of a report, and are written entry by entry.

use crate::arithmetic::TypedValue;
use crate::simulate::RunReport;
use crate::storage::Entry;
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

/// What stands under `result`: `{"entries": [[i, …, value], …], "shape": […]}`.
#[derive(Clone, Copy, Debug)]
pub struct ResultJson<'r> {
    pub shape: &'r [usize],
    pub entries: &'r [Entry],
}

impl Serialize for ResultJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("entries", &EntryRows(self.entries))?;
        map.serialize_entry("shape", self.shape)?;
        map.end()
    }
}

struct EntryRows<'r>(&'r [Entry]);

impl Serialize for EntryRows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(point, value)| EntryRow(point, *value)))
    }
}

struct EntryRow<'r>(&'r [usize], TypedValue);

impl Serialize for EntryRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_seq(Some(self.0.len() + 1))?;
        self.0.iter().try_for_each(|coordinate| row.serialize_element(coordinate))?;
        match self.1 {
            TypedValue::I64(value) => row.serialize_element(&value)?,
            TypedValue::F64(value) => number(&mut row, value)?,
            TypedValue::F32(value) => number(&mut row, value.into())?,
        }
        row.end()
    }
}

/// JSON has no numbers for what is none and for what is too large: they are named, as programs print them.
fn number<S: SerializeSeq>(row: &mut S, value: f64) -> Result<(), S::Error> {
    match value {
        _ if value.is_nan() => row.serialize_element("nan"),
        f64::INFINITY => row.serialize_element("inf"),
        f64::NEG_INFINITY => row.serialize_element("-inf"),
        _ => row.serialize_element(&value),
    }
}

impl Serialize for RunReport {
    /// [`RunReport::counts_json`] and the result, which is `null` where what was written is no tensor.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.result.entries();
        let result = ResultJson { shape: &self.result.dims, entries: &entries };
        let result = self.unfit.is_none().then_some(result);
        RunJson { counts: &self.counts_json(), result: Some(&result) }.serialize(serializer)
    }
}

/// The report of a run: its counts, and under `result` what it has written, in the order of the names.
pub struct RunJson<'r, R> {
    pub counts: &'r serde_json::Value,
    /// Nothing if it is left out.
    pub result: Option<&'r R>,
}

impl<R: Serialize> Serialize for RunJson<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const RESULT: &str = "result";
        let mut map = serializer.serialize_map(None)?;
        let counts = || self.counts.as_object().into_iter().flatten();
        let is_before = |name: &String| name.as_str() < RESULT;
        for (name, count) in counts().filter(|(name, _)| is_before(name)) {
            map.serialize_entry(name, count)?;
        }
        if let Some(result) = self.result {
            map.serialize_entry(RESULT, result)?;
        }
        for (name, count) in counts().filter(|(name, _)| !is_before(name)) {
            map.serialize_entry(name, count)?;
        }
        map.end()
    }
}
