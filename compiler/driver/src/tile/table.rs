//! The rows of the table that `comet tile` shows on a terminal and on its page: one for each scheme.

use super::report::{ComparedSchemes, Evaluated, GIVEN};
use super::schemes::{Other, OtherOutcome};
use comet_tiling::{Prediction, Traffic, Variable};
use std::fmt::Write as _;

/// A scheme with its numbers and its tiles.
pub(crate) struct SchemeRow {
    pub(crate) name: &'static str,
    pub(crate) numbers: Vec<String>,
    pub(crate) tiles: String,
}

impl ComparedSchemes {
    /// Whether the paper's model was asked for.
    fn has_paper(&self) -> bool {
        self.evaluated.iter().any(|own| own.by_paper.is_some())
    }

    pub(crate) fn titles(&self) -> Vec<&'static str> {
        let paper: &[&str] = if self.has_paper() { &["paper's in", "out"] } else { &[] };
        [&["expected in", "out"], paper, &["counted in", "out", "all"]].concat()
    }

    /// Those with tiles of one size, those without, and the tiles that were given.
    pub(crate) fn rows(&self) -> Vec<SchemeRow> {
        let (given, chosen): (Vec<_>, Vec<_>) = self.evaluated.iter().partition(|own| own.name == GIVEN);
        let chosen = chosen.into_iter().map(|own| self.row(own));
        let others = self.others.iter().map(|other| self.other_row(other));
        chosen.chain(others).chain(given.into_iter().map(|own| self.row(own))).collect()
    }

    fn row(&self, own: &Evaluated) -> SchemeRow {
        let paper = own.by_paper.as_ref().map(|by_paper| predicted(Some(by_paper)));
        SchemeRow {
            name: own.name,
            numbers: [
                predicted(Some(&own.predicted)),
                paper.unwrap_or_default(),
                counted(own.measured.as_ref()),
            ]
            .concat(),
            tiles: own.tiles.text(&self.statement),
        }
    }

    fn other_row(&self, Other { name, outcome }: &Other) -> SchemeRow {
        let paper = if self.has_paper() { predicted(None) } else { Vec::new() };
        let tiles = match outcome {
            OtherOutcome::Occupancy(own) => self.lengths(&own.bounds),
            OtherOutcome::Packed(packed) => {
                let [tiles, small] = [&packed.tiles, &packed.small].map(|own| own.text(&self.statement));
                format!("{tiles}, made of {small}")
            }
            OtherOutcome::Dynamic(_) => "dynamic".to_owned(),
            OtherOutcome::Unsupported(reason) => format!("unsupported: {reason}"),
        };
        SchemeRow {
            name,
            numbers: [predicted(outcome.predicted()), paper, counted(outcome.traffic())].concat(),
            tiles,
        }
    }

    /// `i: 12 of 3 to 455, k: 1`: how many tiles there are along each variable, and how long they are.
    fn lengths(&self, bounds: &[Vec<u64>]) -> String {
        let along = |(variable, begins): (&Variable, &Vec<u64>)| {
            let ends = begins.iter().skip(1).chain([&variable.extent]);
            let lengths: Vec<u64> = begins.iter().zip(ends).map(|(begin, end)| end - begin).collect();
            let [shortest, longest] =
                [lengths.iter().min(), lengths.iter().max()].map(|own| own.unwrap_or(&0));
            format!("{}: {} of {shortest} to {longest}", variable.name, begins.len())
        };
        self.statement.variables.iter().zip(bounds).map(along).collect::<Vec<_>>().join(", ")
    }

    /// Titles and rows, one a line.
    pub(crate) fn table(&self) -> String {
        let line = |name: &str, numbers: Vec<&str>, tiles: &str| {
            let numbers: String = numbers.iter().map(|number| format!("{number:>15}")).collect();
            format!("{name:<14}{numbers}   {tiles}\n")
        };
        let mut text = line("", self.titles(), "tiles");
        for SchemeRow { name, numbers, tiles } in self.rows() {
            text += &line(name, numbers.iter().map(String::as_str).collect(), &tiles);
        }
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            let _ = writeln!(text, "left out, since nothing is known of it without counting: {names}");
        }
        text
    }
}

fn predicted(prediction: Option<&Prediction>) -> Vec<String> {
    let bytes = |own: &Prediction| [own.input(), own.output].map(|bytes| format!("{bytes:.0}"));
    prediction.map_or_else(|| ["-"; 2].map(str::to_owned), bytes).to_vec()
}

fn counted(traffic: Option<&Traffic>) -> Vec<String> {
    let bytes = |own: &Traffic| [own.input(), own.output.bytes, own.total()].map(|bytes| bytes.to_string());
    traffic.map_or_else(|| ["-"; 3].map(str::to_owned), bytes).to_vec()
}
