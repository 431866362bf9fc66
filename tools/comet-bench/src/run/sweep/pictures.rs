//! The pictures of a sweep: dots over the inputs, which come by the number of their entries, as figures 7
//! and 8 have them, and bars over the tensors, as figure 10.

use super::super::with_threads;
use super::{Point, Sweep, Swept};
use crate::figures::chart::{Chart, Style};
use crate::setting::Outcome;
use comet_chart::COLOURS;
use plotters::prelude::*;
use std::path::Path;

pub(super) fn draw(sweep: &Sweep, folder: &Path) -> Outcome<()> {
    for (kernel, threads, points) in sweep.groups() {
        let (name, rank) = (kernel.name, kernel.rank);
        let file = |figure: &str| folder.join(format!("{figure}-{name}-{threads}.svg"));
        if rank == 2 {
            dots(&times(sweep, kernel, threads, &points), &file("figure7"))?;
        }
        dots(&gains(kernel, threads, &points), &file("figure8"))?;
    }
    for name in ["TTV", "TTM"] {
        let points: Vec<&Point> = sweep.points.iter().filter(|point| point.kernel.name == name).collect();
        if !points.is_empty() {
            bars(sweep, name, &points).draw(&folder.join(format!("figure10-{name}.svg")))?;
        }
    }
    Ok(())
}

/// Numbers for each of some inputs.
struct Dots {
    title: String,
    measure: &'static str,
    series: Vec<(String, Vec<f64>)>,
}

fn times(sweep: &Sweep, kernel: Swept, threads: u32, points: &[&Point]) -> Dots {
    let of = |time: fn(&Point) -> f64| points.iter().map(|point| time(point)).collect();
    Dots {
        title: format!("{}, {}", kernel.name, with_threads(threads)),
        measure: "seconds",
        series: vec![
            ("comet".to_owned(), of(|point| point.ours)),
            (sweep.baseline.to_owned(), of(|point| point.baseline)),
        ],
    }
}

fn gains(kernel: Swept, threads: u32, points: &[&Point]) -> Dots {
    Dots {
        title: format!("{}, {}: LexiOrder", kernel.name, with_threads(threads)),
        measure: "times as fast after reordering",
        series: vec![("comet".to_owned(), points.iter().map(|point| point.gain()).collect())],
    }
}

/// Speedups over the baseline, whose tensors have one thread.
fn bars(sweep: &Sweep, name: &str, points: &[&Point]) -> Chart {
    let mut threads: Vec<u32> = points.iter().map(|point| point.threads).collect();
    threads.sort_unstable();
    threads.dedup();
    let with = |threads: u32| points.iter().filter(move |point| point.threads == threads);
    let series = threads.iter().flat_map(|&threads| {
        let plain = with(threads).map(|point| point.speedup()).collect();
        let reordered = with(threads).map(|point| point.baseline / point.reordered).collect();
        [(with_threads(threads), plain), (with_threads(threads) + ", reordered", reordered)]
    });
    Chart {
        style: Style::Plain,
        title: format!("{name} next to {} with one thread", sweep.baseline),
        of: "tensor",
        measure: "times as fast",
        categories: with(threads[0]).map(|point| point.input.clone()).collect(),
        series: series.collect(),
        references: Vec::new(),
    }
}

fn dots(dots: &Dots, path: &Path) -> Outcome<()> {
    drawn(dots, path).map_err(|error| format!("cannot draw `{}`: {error}", path.display()))
}

/// Both figures have a logarithmic scale.
fn drawn(dots: &Dots, path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::new(path, (700, 420)).into_drawing_area();
    root.fill(&WHITE)?;
    let numbers = || dots.series.iter().flat_map(|(_, numbers)| numbers).copied();
    let least = numbers().fold(f64::INFINITY, f64::min);
    let largest = numbers().fold(0.0, f64::max);
    let count = dots.series.first().map_or(0, |(_, numbers)| numbers.len());
    let mut chart = ChartBuilder::on(&root)
        .caption(&dots.title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(80)
        .build_cartesian_2d(0..count + 1, (least * 0.8..largest * 1.25).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("inputs, by the number of entries")
        .y_desc(dots.measure)
        .y_label_formatter(&|number| tick(*number))
        .draw()?;
    for ((name, numbers), colour) in dots.series.iter().zip(COLOURS.iter().cycle()) {
        let places = numbers.iter().enumerate();
        chart
            .draw_series(places.map(|(place, number)| Circle::new((place + 1, *number), 3, colour.filled())))?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 5, y), 4, colour.filled()));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}

/// A number with as few digits as it has on an axis.
fn tick(number: f64) -> String {
    if (0.01..1000.0).contains(&number) {
        format!("{:.2}", number).trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{number:.0e}")
    }
}
