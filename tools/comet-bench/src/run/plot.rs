//! The ratios of `run` as a picture: for each line the quartiles, the median, and the goal.

use super::table::{Line, Table};
use crate::setting::Outcome;
use plotters::prelude::*;
use std::path::Path;

/// What is met, what is not, and what has no goal (Okabe and Ito 2008).
const MET: RGBColor = RGBColor(0x00, 0x9e, 0x73);
const MISSED: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
const NEITHER: RGBColor = RGBColor(0x99, 0x99, 0x99);

const LINE_HEIGHT: u32 = 18;
const MARGINS: u32 = 90;

/// Draws the lines that have ratios, the first one on top; ratios are on a logarithmic scale.
pub(super) fn draw(table: &Table, path: &Path) -> Outcome<()> {
    let lines: Vec<&Line> = table.lines.iter().filter(|line| line.compared.is_some()).collect();
    if lines.is_empty() {
        return Ok(());
    }
    drawn(&lines, path).map_err(|error| format!("cannot draw `{}`: {error}", path.display()))
}

fn drawn(lines: &[&Line], path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::new(path, (1000, MARGINS + LINE_HEIGHT * lines.len() as u32)).into_drawing_area();
    root.fill(&WHITE)?;
    let ratios = |line: &&Line| line.compared.as_ref().map(|compared| compared.ratios).unwrap_or([1.0; 3]);
    let least = lines.iter().map(|line| ratios(line)[0]).fold(0.5, f64::min);
    let largest = lines.iter().map(|line| ratios(line)[2]).fold(2.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .caption(
            "time of comet as a multiple of the fastest peer's (dot and bar), and the goal (line)",
            ("sans-serif", 16),
        )
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(330)
        .build_cartesian_2d((least * 0.9..largest * 1.1).log_scale(), 0..lines.len())?;
    let name = |place: &usize| match lines.len().checked_sub(place + 1).and_then(|number| lines.get(number)) {
        Some(line) => format!("{}, {}, {}", line.kernel, line.input, line.threads),
        None => String::new(),
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(lines.len() + 1)
        .y_label_formatter(&name)
        .x_label_formatter(&|ratio| format!("{ratio:.1}"))
        .draw()?;
    chart.draw_series([PathElement::new([(1.0, 0), (1.0, lines.len())], BLACK)])?;
    for (place, line) in lines.iter().rev().enumerate() {
        let [first, median, third] = ratios(line);
        let colour = match line.met() {
            None => NEITHER,
            Some(true) => MET,
            Some(false) => MISSED,
        };
        chart.draw_series([PathElement::new([(first, place), (third, place)], colour.stroke_width(3))])?;
        chart.draw_series([Circle::new((median, place), 4, colour.filled())])?;
        if let Some(goal) = line.goal {
            let tick =
                EmptyElement::at((goal, place)) + PathElement::new([(0, -7), (0, 7)], BLACK.stroke_width(2));
            chart.draw_series([tick])?;
        }
    }
    root.present()?;
    Ok(())
}
