//! Lines over numbers, both on logarithmic scales, as figures 13 and 15 of sam.txt have them.

use super::{COLOURS, Chart, decades, range};
use plotters::prelude::*;
use std::path::Path;

impl Chart {
    /// The categories, if all of them are numbers.
    pub(super) fn places(&self) -> Option<Vec<f64>> {
        self.categories.iter().map(|category| category.parse().ok()).collect()
    }

    pub(super) fn draw_lines(&self, path: &Path, places: &[f64]) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (900, 480)).into_drawing_area();
        root.fill(&WHITE)?;
        let (first, last) = range(places.iter()).unwrap_or((0.1, 1.0));
        let (least, largest) = decades(self.series.iter().flat_map(|(_, numbers)| numbers));
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 20))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(80)
            .build_cartesian_2d((first * 0.95..last * 1.05).log_scale(), (least..largest).log_scale())?;
        let whole = |number: &f64| format!("{number:.0}");
        chart
            .configure_mesh()
            .x_desc(self.of)
            .y_desc(self.measure)
            .x_label_formatter(&whole)
            .y_label_formatter(&whole)
            .draw()?;
        for ((name, numbers), colour) in self.series.iter().zip(COLOURS.iter().cycle()) {
            let points: Vec<(f64, f64)> = places.iter().copied().zip(numbers.iter().copied()).collect();
            let style = colour.stroke_width(2);
            chart
                .draw_series([PathElement::new(points.clone(), style)])?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 14, y)], style));
            chart.draw_series(points.into_iter().map(|point| Circle::new(point, 3, colour.filled())))?;
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }
}
