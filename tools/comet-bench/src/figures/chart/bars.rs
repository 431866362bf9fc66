//! Groups of bars on a logarithmic scale. What others have measured stands as an outline beside each bar.

use super::frame::{Area, Drawn, Frame, Key, Names, axes, pixel};
use super::mark::colour;
use super::{Chart, Series};
use comet_chart::{Axis, quantity};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

/// More bars than that have no numbers at them.
const MOST_NUMBERS: usize = 24;
/// The share of a group's room that its bars take.
const FILLED: f64 = 0.8;

impl Chart {
    pub(super) fn draw_bars(&self, path: &Path) -> Drawn {
        let keys = self.bars().map(|(key, (name, _))| (name.clone(), key)).collect();
        let frame = Frame { size: (720, 420), title: &self.title, keys };
        frame.draw(path, |area| self.draw_groups(area))
    }

    /// Ours and, behind each, what others have measured of the same.
    fn bars(&self) -> impl Iterator<Item = (Key, &Series)> {
        self.series.iter().enumerate().flat_map(|(number, series)| {
            let reference = self.references.get(number).map(|series| (Key::Outline(number), series));
            std::iter::once((Key::Bar(number), series)).chain(reference)
        })
    }

    fn draw_groups(&self, area: &Area<'_>) -> Drawn {
        let (least, largest) = heights(self.numbers());
        let count = self.categories.len();
        let names = Names { across: self.of, up: self.measure, categories: Some((&self.categories, 0.5)) };
        let across = Axis::linear(0.0..count as f64);
        let mut chart = axes(area, across, Axis::logarithmic(least..largest), names)?;
        let bars: Vec<_> = self.bars().collect();
        let width = FILLED / bars.len() as f64;
        let style = ("sans-serif", 12).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Bottom));
        for (place, (key, (_, numbers))) in bars.iter().enumerate() {
            for (category, number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0.0) {
                let left = category as f64 + (1.0 - FILLED) / 2.0 + place as f64 * width;
                let corners = [(left + 0.06 * width, least), (left + 0.94 * width, *number)];
                chart.draw_series([Rectangle::new(corners, look(*key))])?;
                if bars.len() * count <= MOST_NUMBERS {
                    let (across, down) = pixel(area, &chart, (left + width / 2.0, *number));
                    area.draw_text(&quantity(*number), &style, (across, down - 3))?;
                }
            }
        }
        Ok(())
    }
}

fn look(key: Key) -> ShapeStyle {
    match key {
        Key::Outline(number) => colour(number).stroke_width(2),
        Key::Bar(number) | Key::Line(number) => colour(number).filled(),
        Key::Dot(_) => TRANSPARENT.into(),
    }
}

/// From a power of ten below the numbers that are above 0 to some more than the largest one.
fn heights(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, largest) = super::range(numbers).unwrap_or((0.1, 1.0));
    (10f64.powf(least.log10().floor()), largest * 2.0)
}
