//! Bars that begin at 1, up where a number is larger and down where it is smaller, for many categories.

use super::{COLOURS, Chart, power, range};
use plotters::prelude::*;
use plotters::style::FontTransform;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::path::Path;

impl Chart {
    pub(super) fn draw_ratios(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (1000, 520)).into_drawing_area();
        root.fill(&WHITE)?;
        let count = self.categories.len();
        let (least, largest) =
            range(self.series.iter().flat_map(|(_, numbers)| numbers)).unwrap_or((0.5, 2.0));
        let heights = least.log2().min(0.0) - 0.1..largest.log2().max(0.0) + 0.4;
        // The names of the series stand on the right of the bars.
        let right = 1.35 * count as f64;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 18))
            .margin(10)
            .x_label_area_size(130)
            .y_label_area_size(60)
            .build_cartesian_2d(-0.5..right, heights.clone())?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .disable_x_axis()
            .y_desc(self.measure)
            .y_label_formatter(&power)
            .draw()?;
        // From the axis down, which the labels of the mesh are not when they are turned.
        let turned = ("sans-serif", 13).into_font().transform(FontTransform::Rotate90);
        let turned = turned.into_text_style(&root).pos(Pos::new(HPos::Left, VPos::Center));
        for (place, name) in self.categories.iter().enumerate() {
            let (across, down) = chart.backend_coord(&(place as f64, heights.start));
            root.draw_text(name, &turned, (across, down + 6))?;
        }
        let width = 0.8 / self.series.len() as f64;
        for (place, (name, numbers)) in self.series.iter().enumerate() {
            let colour = COLOURS[place % COLOURS.len()];
            let known = numbers.iter().enumerate().filter(|(_, number)| **number > 0.0);
            let bars = known.map(|(category, number)| {
                let left = category as f64 - 0.4 + place as f64 * width;
                Rectangle::new([(left, 0.0), (left + width, number.log2())], colour.filled())
            });
            chart
                .draw_series(bars)?
                .label(name)
                .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 10, y + 5)], colour.filled()));
        }
        chart.draw_series([PathElement::new([(-0.5, 0.0), (count as f64 - 0.5, 0.0)], BLACK)])?;
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }
}
