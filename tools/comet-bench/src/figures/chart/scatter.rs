//! A dot for each category, of which the first series says how far to the right it is and each other one how
//! high, both on logarithmic scales; where both are the same is a line.

use super::frame::{Area, Drawn, Frame, Key, Names, axes, pixel};
use super::mark::Mark;
use super::{Chart, Series, range};
use comet_chart::Axis;
use plotters::prelude::*;
use std::path::Path;

impl Chart {
    pub(super) fn draw_scatter(&self, path: &Path) -> Drawn {
        let Some((across, others)) = self.series.split_first() else { return Ok(()) };
        let dots = others.iter().enumerate();
        let keys = dots.map(|(number, (name, _))| (name.clone(), Key::Dot(Mark::full(number))));
        let frame = Frame { size: (620, 520), title: &self.title, keys: keys.collect() };
        frame.draw(path, |area| self.draw_dots(area, across, others))
    }

    fn draw_dots(&self, area: &Area<'_>, (across, places): &Series, others: &[Series]) -> Drawn {
        let (left, right) = range(places.iter().copied()).unwrap_or((0.5, 2.0));
        let heights = || others.iter().flat_map(|(_, numbers)| numbers.iter().copied());
        let (least, largest) = range(heights()).unwrap_or((0.5, 2.0));
        let names = Names { across, up: self.measure, categories: None };
        let axis = |from: f64, to: f64| Axis::logarithmic(from / 1.2..to * 1.2);
        let mut chart = axes(area, axis(left, right), axis(least, largest), names)?;
        let (from, to) = (left.max(least), right.min(largest));
        if from < to {
            chart.draw_series([PathElement::new([(from, from), (to, to)], BLACK.mix(0.4))])?;
        }
        for (number, (_, numbers)) in others.iter().enumerate() {
            let points = places.iter().copied().zip(numbers.iter().copied());
            for point in points.filter(|(place, height)| *place > 0.0 && *height > 0.0) {
                Mark::full(number).draw(area, pixel(area, &chart, point))?;
            }
        }
        Ok(())
    }
}
