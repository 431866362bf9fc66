//! Lines over numbers, as figures 11, 13 and 15 of sam.txt have them. What others have measured is a hollow
//! mark around the full one of the same series.

use super::Chart;
use super::frame::{Area, Drawn, Frame, Key, Names, axes, pixel};
use super::mark::{Mark, colour};
use comet_chart::Axis;
use plotters::prelude::*;
use std::path::Path;

/// The largest step from a place to the next over the least one, where places are on a linear scale.
const EVEN: f64 = 4.0;

impl Chart {
    /// The categories, if all of them are numbers.
    pub(super) fn places(&self) -> Option<Vec<f64>> {
        self.categories.iter().map(|category| category.parse().ok()).collect()
    }

    pub(super) fn draw_lines(&self, path: &Path, places: &[f64]) -> Drawn {
        let lines =
            self.series.iter().enumerate().map(|(number, (name, _))| (name.clone(), Key::Line(number)));
        let marks = self.references.iter().enumerate();
        let marks = marks.map(|(number, (name, _))| (name.clone(), Key::Dot(Mark::hollow(number))));
        let frame = Frame { size: (660, 440), title: &self.title, keys: lines.chain(marks).collect() };
        frame.draw(path, |area| self.draw_over(area, places))
    }

    fn draw_over(&self, area: &Area<'_>, places: &[f64]) -> Drawn {
        let up = Axis::around(self.numbers(), 0.05);
        let names = Names { across: self.of, up: self.measure, categories: None };
        let mut chart = axes(area, across(places), up, names)?;
        let points =
            |numbers: &[f64]| places.iter().copied().zip(numbers.iter().copied()).collect::<Vec<_>>();
        for (number, (_, numbers)) in self.series.iter().enumerate() {
            chart.draw_series([PathElement::new(points(numbers), colour(number).stroke_width(2))])?;
        }
        for (number, (_, numbers)) in self.references.iter().enumerate() {
            for point in points(numbers) {
                Mark::hollow(number).draw(area, pixel(area, &chart, point))?;
            }
        }
        for (number, (_, numbers)) in self.series.iter().enumerate() {
            for point in points(numbers) {
                Mark::full(number).draw(area, pixel(area, &chart, point))?;
            }
        }
        Ok(())
    }
}

/// Places that are about as far apart are by their differences, others by their ratios.
fn across(places: &[f64]) -> Axis {
    let steps = places.windows(2).map(|pair| (pair[1] - pair[0]).abs());
    let (least, largest) =
        steps.fold((f64::INFINITY, 0.0_f64), |(least, most), step| (least.min(step), most.max(step)));
    let (first, last) = super::range(places.iter().copied()).unwrap_or((0.1, 1.0));
    if largest < EVEN * least {
        let more = 0.04 * (last - first);
        Axis::linear((first - more).max(0.0)..last + more)
    } else {
        let more = (last / first).powf(0.04);
        Axis::logarithmic(first / more..last * more)
    }
}
