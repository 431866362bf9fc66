//! A dot for each category, of which the first series says how far to the right it is and each other one
//! how high, both on logarithmic scales; where both are the same is a line.

use super::{COLOURS, Chart, power, range};
use plotters::prelude::*;
use std::path::Path;

impl Chart {
    pub(super) fn draw_scatter(&self, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let root = SVGBackend::new(path, (760, 560)).into_drawing_area();
        root.fill(&WHITE)?;
        let Some(((across, places), others)) = self.series.split_first() else { return Ok(()) };
        let (left, right) = range(places.iter()).unwrap_or((0.5, 2.0));
        let (least, largest) = range(others.iter().flat_map(|(_, numbers)| numbers)).unwrap_or((0.5, 2.0));
        // The names of the series stand on the right of the dots.
        let beside = left.log2() - 0.3..right.log2() + 0.3 + 0.25 * (right / left).log2();
        let mut chart = ChartBuilder::on(&root)
            .caption(&self.title, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(beside, least.log2() - 0.3..largest.log2() + 0.3)?;
        chart
            .configure_mesh()
            .x_desc(across)
            .y_desc(self.measure)
            .x_label_formatter(&power)
            .y_label_formatter(&power)
            .draw()?;
        let (from, to) = (left.max(least).log2(), right.min(largest).log2());
        if from < to {
            chart.draw_series([PathElement::new([(from, from), (to, to)], BLACK.mix(0.4))])?;
        }
        for ((name, numbers), colour) in others.iter().zip(COLOURS.iter().skip(2).cycle()) {
            let dots = places.iter().zip(numbers).filter(|(place, number)| **place > 0.0 && **number > 0.0);
            let dots =
                dots.map(|(place, number)| Circle::new((place.log2(), number.log2()), 4, colour.filled()));
            chart
                .draw_series(dots)?
                .label(name)
                .legend(move |(x, y)| Circle::new((x + 5, y), 4, colour.filled()));
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }
}
