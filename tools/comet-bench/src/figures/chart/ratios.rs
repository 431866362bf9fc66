//! Bars that begin at 1, up where a number is larger and down where it is smaller, for many categories.

use super::Chart;
use super::frame::{Area, Drawn, Frame, Key, Names, axes};
use super::mark::colour;
use comet_chart::Axis;
use plotters::prelude::*;
use std::path::Path;

/// The share of a group's room that its bars take.
const FILLED: f64 = 0.8;

impl Chart {
    pub(super) fn draw_ratios(&self, path: &Path) -> Drawn {
        let keys = self.series.iter().enumerate().map(|(number, (name, _))| (name.clone(), Key::Bar(number)));
        let frame = Frame { size: (860, 500), title: &self.title, keys: keys.collect() };
        frame.draw(path, |area| self.draw_from_one(area))
    }

    fn draw_from_one(&self, area: &Area<'_>) -> Drawn {
        let count = self.categories.len() as f64;
        let (least, largest) = super::range(self.numbers()).unwrap_or((0.5, 2.0));
        let up = Axis::logarithmic(least.min(1.0) / 1.1..largest.max(1.0) * 1.1);
        let names = Names { across: self.of, up: self.measure, categories: Some((&self.categories, 0.5)) };
        let mut chart = axes(area, Axis::linear(0.0..count), up, names)?;
        let width = FILLED / self.series.len() as f64;
        for (place, (_, numbers)) in self.series.iter().enumerate() {
            let known = numbers.iter().enumerate().filter(|(_, number)| **number > 0.0);
            let bars = known.map(|(category, number)| {
                let left = category as f64 + (1.0 - FILLED) / 2.0 + place as f64 * width;
                Rectangle::new([(left, 1.0), (left + width, *number)], colour(place).filled())
            });
            chart.draw_series(bars)?;
        }
        chart.draw_series([PathElement::new([(0.0, 1.0), (count, 1.0)], BLACK)])?;
        Ok(())
    }
}
