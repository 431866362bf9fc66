//! Bars in groups, or lines over numbers, as a table, as CSV and as SVG.

mod curves;
mod lines;
mod ratios;
mod scatter;

use crate::setting::Outcome;
use plotters::prelude::*;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Colours that are told apart by all eyes (Okabe and Ito 2008).
pub(crate) const COLOURS: [RGBColor; 8] = [
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xf0, 0xe4, 0x42),
    RGBColor(0x99, 0x99, 0x99),
];

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Lines where the categories are numbers, else groups of bars, on a logarithmic scale.
    Plain,
    /// Bars that begin at 1, on a logarithmic scale.
    Ratios,
    /// Lines over categories, whatever these are.
    Curves(Scale),
    /// Dots, one for each category; the first series is how far to the right they are.
    Scatter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
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
    /// A name, and a number for each category.
    pub(crate) series: Vec<(String, Vec<f64>)>,
}

impl Chart {
    /// One line for each category.
    fn rows(&self) -> Vec<Vec<String>> {
        let head =
            std::iter::once(self.of.to_owned()).chain(self.series.iter().map(|(name, _)| name.clone()));
        let row = |place: usize| {
            let numbers = self.series.iter().map(|(_, numbers)| number(numbers[place]));
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
            let numbers = self.series.iter().map(|(name, numbers)| (name.clone(), json!(numbers[place])));
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
            (Style::Ratios, _) => self.draw_ratios(path),
            (Style::Curves(scale), _) => self.draw_curves(path, scale),
            (Style::Scatter, _) => self.draw_scatter(path),
        };
        drawn.map_err(|error| format!("cannot draw `{}`: {error}", path.display()))
    }

    fn draw_bars(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (900, 480)).into_drawing_area();
        root.fill(&WHITE)?;
        let (least, largest) = decades(self.series.iter().flat_map(|(_, numbers)| numbers));
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 20))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(80)
            .build_cartesian_2d(0.0..self.categories.len() as f64, (least..largest).log_scale())?;
        let name = |place: &f64| self.categories.get(*place as usize).cloned().unwrap_or_default();
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_desc(self.of)
            .y_desc(self.measure)
            .x_labels(self.categories.len() + 1)
            .x_label_formatter(&name)
            .draw()?;
        let width = 0.8 / self.series.len() as f64;
        for (place, (name, numbers)) in self.series.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let bars = numbers.iter().enumerate().map(|(category, number)| {
                let left = category as f64 + 0.1 + place as f64 * width;
                Rectangle::new([(left, least), (left + width, number.max(least))], colour.filled())
            });
            chart
                .draw_series(bars)?
                .label(name)
                .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }
}

/// The least and the largest number that is not 0.
fn range<'a>(numbers: impl Iterator<Item = &'a f64>) -> Option<(f64, f64)> {
    let numbers = numbers.copied().filter(|number| *number > 0.0);
    numbers.fold(None, |range: Option<(f64, f64)>, number| {
        let (least, largest) = range.unwrap_or((number, number));
        Some((least.min(number), largest.max(number)))
    })
}

/// Powers of ten around the numbers that are not 0.
fn decades<'a>(numbers: impl Iterator<Item = &'a f64>) -> (f64, f64) {
    match range(numbers) {
        Some((least, largest)) => {
            (10f64.powf(least.log10().floor()), 10f64.powf((largest * 1.01).log10().ceil()))
        }
        None => (0.1, 1.0),
    }
}

/// The number of which an axis has the logarithm.
fn power(exponent: &f64) -> String {
    let number = exponent.exp2();
    match number {
        1e5.. => format!("{number:.1e}"),
        10.0..1e5 => format!("{number:.0}"),
        _ => format!("{number:.2}"),
    }
}

/// Counts in full, shares with two digits.
fn number(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}
