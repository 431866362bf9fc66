//! Lines over categories that are evenly apart, one for each of many series, distinguished by colour and by
//! the marks at their points.

use super::Chart;
use super::frame::{Area, Drawn, Frame, Key, Names, axes, pixel};
use super::mark::{Mark, colour};
use comet_chart::{Axis, AxisScale};
use plotters::prelude::*;
use std::path::Path;

impl Chart {
    pub(super) fn draw_curves(&self, path: &Path, scale: AxisScale) -> Drawn {
        let keys =
            self.series.iter().enumerate().map(|(number, (name, _))| (name.clone(), Key::Line(number)));
        let frame = Frame { size: (760, 520), title: &self.title, keys: keys.collect() };
        frame.draw(path, |area| self.draw_over_categories(area, scale))
    }

    fn draw_over_categories(&self, area: &Area<'_>, scale: AxisScale) -> Drawn {
        let last = self.categories.len() as f64 - 1.0;
        let names = Names { across: self.of, up: self.measure, categories: Some((&self.categories, 0.0)) };
        let mut chart = axes(area, Axis::linear(-0.2..last + 0.2), self.heights(scale), names)?;
        for (number, (_, numbers)) in self.series.iter().enumerate() {
            let points: Vec<(f64, f64)> =
                numbers.iter().enumerate().map(|(place, height)| (place as f64, *height)).collect();
            chart.draw_series([PathElement::new(points.clone(), colour(number).stroke_width(2))])?;
            for point in points {
                Mark::full(number).draw(area, pixel(area, &chart, point))?;
            }
        }
        Ok(())
    }

    /// What the numbers reach, and a bit more; a linear axis has the 0.
    fn heights(&self, scale: AxisScale) -> Axis {
        match scale {
            AxisScale::Logarithmic => Axis::around(self.numbers(), 0.05),
            AxisScale::Linear => {
                let least = self.numbers().fold(0.0, f64::min);
                let largest = self.numbers().fold(0.0, f64::max);
                let more = 0.05 * (largest - least);
                Axis::linear(least - more..largest + more)
            }
        }
    }
}
