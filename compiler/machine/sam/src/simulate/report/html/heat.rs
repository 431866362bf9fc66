//! Rows of colours over the cycles of a run, as SVG.

use super::escaped;
use crate::picture::scale::{COLOURS, ColourScale};
use std::fmt::Write as _;

/// Measures in pixels: of a letter, of a row, and of all cycles.
const LETTER: usize = 6;
const ROW: usize = 14;
const CYCLES: usize = 760;
/// So many marks are on the axis at most.
const MOST_MARKS: u64 = 8;

pub(super) struct Heat<'h> {
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    pub(super) scale: ColourScale,
    pub(super) rows: Vec<(&'h str, Vec<f64>)>,
    /// The cycles of a bin, and of the run.
    pub(super) width: u64,
    pub(super) cycles: u64,
}

impl Heat<'_> {
    /// The rows under a title, with a key and an axis. Cells next to each other that have one colour are
    /// drawn as one.
    pub(super) fn write(&self, page: &mut String) {
        let height = ROW * self.rows.len();
        let _ = writeln!(page, "<h4>{}</h4>", self.title);
        self.key(page);
        let (all, deep) = (self.names() + CYCLES + 30, height + 24);
        let _ = writeln!(page, "<svg class=\"heat\" viewBox=\"0 0 {all} {deep}\" role=\"img\">");
        for (place, (name, amounts)) in self.rows.iter().enumerate() {
            self.row(place, name, amounts, page);
        }
        self.axis(height, page);
        *page += "</svg>\n";
    }

    fn key(&self, page: &mut String) {
        let _ = write!(page, "<p class=\"key\">{}:<i class=\"none\"></i>0", self.unit);
        for (colour, bound) in COLOURS.iter().zip(self.scale.bounds) {
            let _ = write!(page, "<i style=\"background:{colour}\"></i>≤ {}", short(bound));
        }
        *page += "</p>\n";
    }

    fn row(&self, place: usize, name: &str, amounts: &[f64], page: &mut String) {
        let (top, base) = (place * ROW, place * ROW + ROW - 3);
        let _ = writeln!(
            page,
            "<text x=\"{}\" y=\"{base}\" class=\"name\">{}</text>",
            self.names() - 6,
            escaped(name)
        );
        let mut paths = vec![String::new(); COLOURS.len()];
        let steps: Vec<Option<usize>> = amounts.iter().map(|amount| self.scale.step(*amount)).collect();
        let mut bin = 0;
        for run in steps.chunk_by(|one, other| one == other) {
            if let Some(step) = run[0] {
                let (left, right) =
                    (self.x(bin as u64 * self.width), self.x((bin + run.len()) as u64 * self.width));
                let _ = write!(paths[step], "M{left:.1} {top}h{:.1}v{}h-{0:.1}z", right - left, ROW - 1);
            }
            bin += run.len();
        }
        for (step, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            let _ = writeln!(page, "<path fill=\"{}\" d=\"{path}\"/>", COLOURS[step]);
        }
    }

    /// The pixels of the names, which stand in front of the cells.
    fn names(&self) -> usize {
        let letters = self.rows.iter().map(|(name, _)| name.chars().count()).max();
        LETTER * letters.unwrap_or_default().max("cycle".len()) + 12
    }

    /// Where a cycle has ended.
    fn x(&self, cycle: u64) -> f64 {
        let share = cycle.min(self.cycles) as f64 / self.cycles.max(1) as f64;
        self.names() as f64 + share * CYCLES as f64
    }

    fn axis(&self, top: usize, page: &mut String) {
        let step = step(self.cycles);
        let mut path = format!("M{} {top}h{CYCLES}", self.names());
        for mark in (0..=self.cycles).step_by(step as usize) {
            let x = self.x(mark);
            let _ = write!(path, "M{x:.1} {top}v4");
            let _ = writeln!(page, "<text x=\"{x:.1}\" y=\"{}\" class=\"mark\">{mark}</text>", top + 16);
        }
        let _ = writeln!(page, "<path class=\"axis\" d=\"{path}\"/>");
        let _ =
            writeln!(page, "<text x=\"{}\" y=\"{}\" class=\"name\">cycle</text>", self.names() - 6, top + 16);
    }
}

/// The cycles between two marks: 1, 2 or 5 times a power of 10.
fn step(cycles: u64) -> u64 {
    let mut power = 1;
    loop {
        let steps = [1, 2, 5].map(|factor| factor * power);
        if let Some(step) = steps.into_iter().find(|step| cycles / step <= MOST_MARKS) {
            return step;
        }
        power *= 10;
    }
}

/// A bound with no more digits than it takes.
fn short(bound: f64) -> String {
    let text = format!("{bound:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
