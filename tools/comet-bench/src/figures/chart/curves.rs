//! Lines over categories that are evenly apart, one for each of many series, told apart by colour and by
//! the marks at their points; their names stand beside them.

use super::{COLOURS, Chart, Scale, power, range};
use plotters::prelude::*;
use std::path::Path;

impl Chart {
    pub(super) fn draw_curves(&self, path: &Path, scale: Scale) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (1000, 560)).into_drawing_area();
        root.fill(&WHITE)?;
        let heights = self.heights(scale);
        let last = self.categories.len() as f64 - 1.0;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 18))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(70)
            .build_cartesian_2d(-0.2..1.35 * last, heights.clone())?;
        let name = |place: &f64| self.categories.get(place.round() as usize).cloned().unwrap_or_default();
        let height = |number: &f64| match scale {
            Scale::Linear if heights.end - heights.start < 10.0 => format!("{number:.1}"),
            Scale::Linear => format!("{number:.0}"),
            Scale::Logarithmic => power(number),
        };
        chart
            .configure_mesh()
            .x_desc(self.of)
            .y_desc(self.measure)
            .x_labels(2 * self.categories.len())
            .x_label_formatter(&name)
            .y_label_formatter(&height)
            .draw()?;
        for (place, (name, numbers)) in self.series.iter().enumerate() {
            let style = COLOURS[place % COLOURS.len()].stroke_width(2);
            // Colours come again: the marks of the first ones are full.
            let mark = if place < COLOURS.len() { style.filled() } else { style };
            let at = |(place, &number): (usize, &f64)| (place as f64, scale.place(number));
            let points: Vec<(f64, f64)> = numbers.iter().enumerate().map(at).collect();
            chart.draw_series([PathElement::new(points.clone(), style)])?.label(name).legend(
                move |(x, y)| {
                    EmptyElement::at((x, y))
                        + PathElement::new([(0, 0), (14, 0)], style)
                        + Circle::new((7, 0), 3, mark)
                },
            );
            chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, mark)))?;
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }

    /// What the numbers reach, and a bit more.
    fn heights(&self, scale: Scale) -> std::ops::Range<f64> {
        let numbers = || self.series.iter().flat_map(|(_, numbers)| numbers);
        let (least, largest) = match scale {
            Scale::Linear => numbers().fold((0.0, 0.0), |(least, largest): (f64, f64), number| {
                (least.min(*number), largest.max(*number))
            }),
            Scale::Logarithmic => range(numbers()).unwrap_or((1.0, 2.0)),
        };
        let (least, largest) = (scale.place(least), scale.place(largest));
        let more = 0.05 * (largest - least).max(0.1);
        least - more..largest + more
    }
}

impl Scale {
    fn place(self, number: f64) -> f64 {
        match self {
            Self::Linear => number,
            Self::Logarithmic => number.log2(),
        }
    }
}
