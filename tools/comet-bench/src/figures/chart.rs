//! Bars in groups, or lines over numbers, as a table, as CSV and as SVG.

mod bars;
mod curves;
mod frame;
mod lines;
mod mark;
mod ratios;
mod scatter;
mod shares;

use crate::setting::Outcome;
use comet_chart::AxisScale;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Lines where the categories are numbers, else groups of bars, on a logarithmic scale.
    Plain,
    /// Bars of parts in %, several for each category: a series for each part of the first bar, then of the
    /// second one.
    Shares { bars: &'static [&'static str], parts: &'static [&'static str] },
    /// Bars that begin at 1, on a logarithmic scale.
    Ratios,
    /// Lines over categories, whatever these are.
    Curves(AxisScale),
    /// Dots, one for each category; the first series is how far to the right they are.
    Scatter,
}

/// Numbers for categories.
#[derive(Debug)]
pub(crate) struct Chart {
    pub(crate) style: Style,
    pub(crate) title: String,
    /// What the categories are.
    pub(crate) of: &'static str,
    /// What is measured, with its unit.
    pub(crate) measure: &'static str,
    pub(crate) categories: Vec<String>,
    pub(crate) series: Vec<Series>,
    /// What others have measured of the first series, in the same order.
    pub(crate) references: Vec<Series>,
}

/// A name, and a number for each category.
pub(crate) type Series = (String, Vec<f64>);

impl Chart {
    fn columns(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().chain(&self.references)
    }

    fn numbers(&self) -> impl Iterator<Item = f64> {
        self.columns().flat_map(|(_, numbers)| numbers.iter().copied())
    }

    /// One line for each category.
    fn rows(&self) -> Vec<Vec<String>> {
        let head = std::iter::once(self.of.to_owned()).chain(self.columns().map(|(name, _)| name.clone()));
        let row = |place: usize| {
            let numbers = self.columns().map(|(_, numbers)| number(numbers[place]));
            std::iter::once(self.categories[place].clone()).chain(numbers).collect()
        };
        std::iter::once(head.collect()).chain((0..self.categories.len()).map(row)).collect()
    }

    /// A line of names, then one for each category.
    pub(crate) fn csv(&self) -> String {
        self.rows().iter().map(|row| row.join(",") + "\n").collect()
    }

    pub(crate) fn json(&self) -> Value {
        let row = |place: usize| {
            let numbers = self.columns().map(|(name, numbers)| (name.clone(), json!(numbers[place])));
            let category = (self.of.to_owned(), json!(self.categories[place]));
            Value::Object(std::iter::once(category).chain(numbers).collect())
        };
        (0..self.categories.len()).map(row).collect()
    }

    /// The same for people.
    pub(crate) fn table(&self) -> String {
        let rows = self.rows();
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let mut text = String::new();
        for row in &rows {
            let _ = write!(text, "  {:<w$}", row[0], w = width(0));
            for (column, cell) in row.iter().enumerate().skip(1) {
                let _ = write!(text, "  {cell:>w$}", w = width(column));
            }
            text.push('\n');
        }
        text
    }

    /// Draws it in its style.
    pub(crate) fn draw(&self, path: &Path) -> Outcome<()> {
        let drawn = match (self.style, self.places()) {
            (Style::Plain, Some(places)) => self.draw_lines(path, &places),
            (Style::Plain, None) => self.draw_bars(path),
            (Style::Shares { bars, parts }, _) => self.draw_shares(path, bars, parts),
            (Style::Ratios, _) => self.draw_ratios(path),
            (Style::Curves(scale), _) => self.draw_curves(path, scale),
            (Style::Scatter, _) => self.draw_scatter(path),
        };
        drawn.map_err(|error| format!("cannot draw `{}`: {error}", path.display()))
    }
}

/// Counts in full, shares with two digits.
fn number(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

/// The least and the largest number that is above 0.
fn range(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let numbers = numbers.filter(|number| *number > 0.0);
    numbers.fold(None, |range: Option<(f64, f64)>, number| {
        let (least, largest) = range.unwrap_or((number, number));
        Some((least.min(number), largest.max(number)))
    })
}
