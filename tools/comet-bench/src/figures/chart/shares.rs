//! Bars of parts, which are 100 % together; several bars for each category.

use super::Chart;
use super::frame::{Area, Drawn, Frame, Key, Names, axes, pixel};
use super::mark::colour;
use comet_chart::Axis;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

/// The share of a group's room that its bars take.
const FILLED: f64 = 0.84;

impl Chart {
    pub(super) fn draw_shares(&self, path: &Path, bars: &[&str], parts: &[&str]) -> Drawn {
        let keys = parts.iter().enumerate().map(|(number, part)| ((*part).to_owned(), Key::Bar(number)));
        let frame = Frame { size: (900, 460), title: &self.title, keys: keys.collect() };
        frame.draw(path, |area| self.draw_stacks(area, bars, parts.len()))
    }

    fn draw_stacks(&self, area: &Area<'_>, bars: &[&str], parts: usize) -> Drawn {
        let count = self.categories.len();
        let names = Names { across: self.of, up: self.measure, categories: Some((&self.categories, 0.5)) };
        let mut chart = axes(area, Axis::linear(0.0..count as f64), Axis::linear(0.0..108.0), names)?;
        let width = FILLED / bars.len() as f64;
        let style = ("sans-serif", 12).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Bottom));
        for category in 0..count {
            for (bar, name) in bars.iter().enumerate() {
                let left = category as f64 + (1.0 - FILLED) / 2.0 + bar as f64 * width;
                let mut from = 0.0;
                for part in 0..parts {
                    let to = from + self.series[bar * parts + part].1[category];
                    let corners = [(left + 0.04 * width, from), (left + 0.96 * width, to)];
                    chart.draw_series([Rectangle::new(corners, colour(part).filled())])?;
                    from = to;
                }
                let (across, down) = pixel(area, &chart, (left + width / 2.0, 100.0));
                area.draw_text(name, &style, (across, down - 3))?;
            }
        }
        Ok(())
    }
}
