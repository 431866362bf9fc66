//! What `--explain` reports of a statement: the label that is divided, and what moves between processes.

use super::Processes;
use super::choice::DividedLabel;
use super::parts::Along;
use super::statement::DivisibleStatement;
use crate::error::Error;
use crate::output;
use crate::tensor::Tensor;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::sync::atomic::Ordering;

/// What is known of a statement so far.
pub(crate) struct DivisionReport {
    /// Where the statement is in the program.
    place: String,
    /// What is divided.
    divided: Option<String>,
    /// Why nothing is.
    reason: Option<String>,
    is_reduced: bool,
    /// In how many pieces each process computes its part.
    pieces: usize,
    /// What moves, and how many bytes of it this process sends.
    moves: Vec<(String, u64)>,
    /// How many it had sent before.
    sent: u64,
}

/// What was reported of each place, but for how many bytes it was.
static REPORTED: Mutex<Option<HashSet<(String, String)>>> = Mutex::new(None);

impl DivisionReport {
    /// Of the statement at a place.
    pub(crate) fn new(place: &str, processes: &Processes) -> Self {
        let sent = processes.sent.load(Ordering::Relaxed);
        Self {
            place: place.to_owned(),
            divided: None,
            reason: None,
            is_reduced: false,
            pieces: 1,
            moves: Vec::new(),
            sent,
        }
    }

    fn moved(&mut self, what: String, processes: &Processes) {
        let sent = processes.sent.load(Ordering::Relaxed);
        let bytes = sent - self.sent;
        match self.moves.iter_mut().find(|(other, _)| *other == what) {
            Some((_, sum)) => *sum += bytes,
            None => self.moves.push((what, bytes)),
        }
        self.sent = sent;
    }

    /// A whole tensor has moved: it is divided now, or gathered.
    pub(super) fn placed(&mut self, name: &str, how: &str, processes: &Processes) {
        self.moved(format!("`{name}` is {how}"), processes);
    }

    /// Processes know which rows others need of them.
    pub(super) fn agreed(
        &mut self,
        statement: &DivisibleStatement<'_>,
        divided: &DividedLabel,
        processes: &Processes,
    ) {
        self.divided = Some(statement.description.name_of(divided.label));
        self.is_reduced = divided.is_reduced;
        self.moved("which rows are needed".to_owned(), processes);
    }

    /// Notes why no label is divided.
    pub(super) fn undivided(&mut self, statement: &DivisibleStatement<'_>, processes: &Processes) {
        let Some(label) = statement.description.chosen else { return };
        let (name, extent) = (statement.description.name_of(label), statement.extent(label));
        if !statement.is_divisible(label) {
            let shortest = statement.description.shortest;
            self.reason =
                Some(format!("`{name}` has {extent} coordinates, and is divided from {shortest} on"));
        } else if extent < processes.count as i64 {
            self.reason =
                Some(format!("`{name}` has {extent} coordinates for {} processes", processes.count));
        }
    }

    pub(super) fn in_pieces(&mut self, count: usize) {
        self.pieces = count;
    }

    /// A tensor was taken.
    pub(super) fn taken(
        &mut self,
        statement: &DivisibleStatement<'_>,
        place: usize,
        along: &[Along],
        processes: &Processes,
    ) {
        let rows = statement.tensor(place).placement.rows.as_ref();
        let is_gathered = rows.is_some_and(|rows| {
            let has_divided = along.iter().any(|along| matches!(along, Along::Divided(_)));
            !has_divided && matches!(along[rows.mode], Along::All)
        });
        let name = &statement.labeled(place).name;
        let tensor = statement.tensor(place);
        let what = match tensor.is_divided() && !tensor.is_constant() {
            true if is_gathered => format!("`{name}` is gathered"),
            true => format!("rows of `{name}`"),
            false => format!("`{name}` is cut"),
        };
        self.moved(what, processes);
    }

    /// Reports it, where it is new.
    pub(super) fn finish(mut self, result: &Tensor, processes: &Processes) -> Result<(), Error> {
        if self.is_reduced {
            self.moved(format!("partial results of `{}`", result.name), processes);
        }
        let what = match (&self.divided, &self.reason) {
            (Some(label), _) if self.pieces > 1 => {
                format!("each process computes a range of `{label}` in {} pieces", self.pieces)
            }
            (Some(label), _) => format!("each process computes a range of `{label}`"),
            (None, Some(reason)) => format!("every process computes everything: {reason}"),
            (None, None) => "every process computes everything".to_owned(),
        };
        self.print(Some(what), processes)
    }

    /// Reports what has moved outside of statements, where it is new.
    pub(super) fn finish_moves(self, processes: &Processes) -> Result<(), Error> {
        self.print(None, processes)
    }

    fn print(self, what: Option<String>, processes: &Processes) -> Result<(), Error> {
        let own: Vec<u64> = self.moves.iter().map(|(_, bytes)| *bytes).collect();
        let table = processes.numbers_of_all(&own)?;
        let total = |number| -> u64 { table.iter().skip(number).step_by(own.len()).sum() };
        let moves = self.moves.iter().enumerate().filter(|(number, _)| total(*number) > 0);
        let with_bytes =
            |(number, (what, _)): (usize, &(String, u64))| format!("{what}: {} bytes", total(number));
        let kind: Vec<&str> = moves.clone().map(|(_, (what, _))| what.as_str()).collect();
        let key = (self.place.clone(), what.iter().map(String::as_str).chain(kind).collect());
        let text: Vec<String> = what.into_iter().chain(moves.map(with_bytes)).collect();
        let is_new = !text.is_empty() && REPORTED.lock().get_or_insert_default().insert(key);
        if is_new && processes.rank == 0 {
            output::tell(format_args!("explain: {}: {}", self.place, text.join("; ")));
        }
        Ok(())
    }
}
