//! What `--instrument=workspace` reports on standard error: the counts of workspaces and conversions, summed
//! over all uses of one at one place of the program, as tables or as lines of JSON.

mod text;

use crate::assemble::points::{PointCounts, steps};
use crate::convert::Moves;
use crate::error::Error;
use crate::output;
use parking_lot::Mutex;

/// The variable that asks for lines of JSON instead of tables, by the word `json`.
const VARIABLE: &str = "COMET_INSTRUMENT";

/// The counts of one workspace, or of one conversion.
#[derive(Clone, Debug, PartialEq)]
struct Record {
    name: String,
    kind: &'static str,
    /// The place in the program.
    at: String,
    counts: Vec<Count>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Count {
    name: &'static str,
    number: f64,
    over_uses: OverUses,
}

/// What becomes of a count when a workspace is used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OverUses {
    Sum,
    Largest,
}

/// What was counted and not reported yet, in the order in which it was first counted.
static RECORDS: Mutex<Vec<Record>> = Mutex::new(Vec::new());

/// How a dense workspace was used for one row, say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DenseCounts {
    /// The bytes of its arrays.
    pub(crate) bytes: u64,
    /// Values that came.
    pub(crate) inserts: u64,
    /// The elements that they came to.
    pub(crate) touched: u64,
    /// Whether those were put in order, rather than only visited to clear them.
    pub(crate) is_sorted: bool,
}

/// Counts the points of a result, or of a workspace that is kept as one.
pub(crate) fn count_points(name: &str, at: &str, counts: &PointCounts) {
    let counts_of_it = vec![
        sum("uses", 1.0),
        sum("inserts", counts.inserts as f64),
        sum("hits", counts.hits as f64),
        sum("sorts", counts.sorts as f64),
        sum("sorted", counts.sorted as f64),
        sum("steps", counts.steps),
        sum("merges", counts.merges as f64),
        sum("merged", counts.merged as f64),
        sum("copied", counts.copied as f64),
        sum("elements", counts.elements as f64),
        largest("capacity", counts.capacity as f64),
        largest("capacity_bytes", counts.capacity_bytes as f64),
        largest("output_bytes", (counts.elements * counts.element_bytes) as f64),
        largest("peak_bytes", counts.peak as f64),
    ];
    add(name, counts.kind.name(), at, counts_of_it);
}

/// Counts one use of a dense workspace.
pub(crate) fn count_dense(name: &str, at: &str, counts: DenseCounts) {
    let DenseCounts { bytes, inserts, touched, is_sorted } = counts;
    let sorted = if is_sorted { touched } else { 0 };
    let counts = vec![
        sum("uses", f64::from(u8::from(inserts > 0))),
        sum("inserts", inserts as f64),
        sum("touched", touched as f64),
        sum("sorts", f64::from(u8::from(sorted > 0))),
        sum("sorted", sorted as f64),
        sum("steps", steps(sorted as usize)),
        sum("cleared", touched as f64),
        largest("peak_bytes", bytes as f64),
    ];
    add(name, "dense", at, counts);
}

/// Counts a conversion into the tensor of that name.
pub(crate) fn count_conversion(name: &str, at: &str, moves: Moves) {
    let counts = vec![
        sum("uses", 1.0),
        sum("entries", moves.entries as f64),
        sum("counters", moves.counters as f64),
        sum("counted", moves.counted as f64),
        sum("moved", moves.moved as f64),
        sum("sorted", moves.sorted as f64),
    ];
    add(name, "conversion", at, counts);
}

/// Refuses a form that is none; an empty text says nothing.
pub(crate) fn check_environment() -> Result<(), Error> {
    match std::env::var_os(VARIABLE).filter(|form| !form.is_empty() && form != "json") {
        Some(form) => {
            Err(Error::Option(format!("`{VARIABLE}` takes `json`, not `{}`", form.to_string_lossy())))
        }
        None => Ok(()),
    }
}

/// Reports what was counted since the last report.
pub fn report() {
    let records = std::mem::take(&mut *RECORDS.lock());
    if records.is_empty() {
        return;
    }
    let wants_json = std::env::var_os(VARIABLE).is_some_and(|form| form == "json");
    let text = if wants_json { text::json(&records) } else { text::tables(&records) };
    output::tell(format_args!("{text}"));
}

fn sum(name: &'static str, number: f64) -> Count {
    Count { name, number, over_uses: OverUses::Sum }
}

fn largest(name: &'static str, number: f64) -> Count {
    Count { name, number, over_uses: OverUses::Largest }
}

fn add(name: &str, kind: &'static str, at: &str, counts: Vec<Count>) {
    let mut records = RECORDS.lock();
    let new = Record { name: name.to_owned(), kind, at: at.to_owned(), counts };
    match records.iter_mut().find(|known| known.is_of(&new)) {
        Some(known) => known.join(&new),
        None => records.push(new),
    }
}

impl Record {
    fn is_of(&self, other: &Self) -> bool {
        (&self.name, self.kind, &self.at) == (&other.name, other.kind, &other.at)
    }

    /// Takes the counts of another use.
    fn join(&mut self, other: &Self) {
        for (count, other) in self.counts.iter_mut().zip(&other.counts) {
            count.number = match count.over_uses {
                OverUses::Sum => count.number + other.number,
                OverUses::Largest => count.number.max(other.number),
            };
        }
    }
}

#[cfg(test)]
mod tests;
