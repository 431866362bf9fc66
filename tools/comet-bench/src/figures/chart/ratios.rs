//! Bars that begin at 1, up where a number is larger and down where it is smaller, for many categories.

use super::{COLOURS, Chart, power, range};
use plotters::prelude::*;
use plotters::style::FontTransform;
use std::path::Path;

impl Chart {
    pub(super) fn draw_ratios(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (1000, 520)).into_drawing_area();
        root.fill(&WHITE)?;
        let count = self.categories.len();
        let (least, largest) =
            range(self.series.iter().flat_map(|(_, numbers)| numbers)).unwrap_or((0.5, 2.0));
        let heights = least.log2().min(0.0) - 0.1..largest.log2().max(0.0) + 0.4;
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 18))
            .margin(10)
            .x_label_area_size(110)
            .y_label_area_size(60)
            .build_cartesian_2d(-0.5..count as f64 - 0.5, heights)?;
        let name = |place: &f64| {
            let whole = place.round();
            let is_category = (place - whole).abs() < 1e-6 && whole >= 0.0;
            self.categories.get(whole as usize).filter(|_| is_category).cloned().unwrap_or_default()
        };
        let upright = ("sans-serif", 13).into_font().transform(FontTransform::Rotate90);
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(2 * count)
            .x_label_style(upright)
            .x_label_formatter(&name)
            .y_desc(self.measure)
            .y_label_formatter(&power)
            .draw()?;
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
