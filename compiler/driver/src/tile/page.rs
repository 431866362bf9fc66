//! The page that `comet tile --html` writes.

use super::report::{ComparedSchemes, SchemeRow};
use comet_chart::{COLOURS, svg};
use comet_tiling::{Pattern, Points, Tiles, Traffic};
use plotters::prelude::*;
use std::fmt::Write as _;

const STYLE: &str = "body{font:15px sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse}\
    td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ccc}td:first-child,th:first-child,\
    td:last-child,th:last-child{text-align:left}figure{display:inline-block;margin:1em 1em 1em 0}code{white-space:pre-wrap}";

/// Tiles, traffic and pictures of all statements.
pub(crate) fn page(title: &str, compared: &[ComparedSchemes]) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tiles of {title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>Tiles of {title}</h1>\n"
    );
    compared.iter().for_each(|own| page += &section(own));
    page + "</body></html>\n"
}

fn section(own: &ComparedSchemes) -> String {
    let mut text = format!("<h2><code>{}</code></h2>\n", escaped(&own.text));
    let titles: String = own.titles().iter().map(|title| format!("<th>{}</th>", escaped(title))).collect();
    let _ = writeln!(text, "<table><tr><th>scheme</th>{titles}<th>tiles</th></tr>");
    for SchemeRow { name, numbers, tiles } in own.rows() {
        let numbers: String = numbers.iter().map(|number| format!("<td>{number}</td>")).collect();
        let _ = writeln!(text, "<tr><td>{name}</td>{numbers}<td>{}</td></tr>", escaped(&tiles));
    }
    text += "</table>\n";
    let schemes = schemes(own);
    if !schemes.is_empty() {
        text += &figure(&traffic(&schemes), "What tiles of each scheme move");
    }
    text += &patterns(own, &own.chosen().tiles);
    for (name, corrs) in &own.corrs {
        let about =
            format!("Corrs of {name}: how much of what is at a coordinate is also that far behind it");
        text += &figure(&correlations(name, corrs), &about);
    }
    text += "<h3>How it is expected</h3>\n";
    own.explained.iter().for_each(|line| {
        let _ = writeln!(text, "<p><code>{}</code></p>", escaped(line));
    });
    text
}

/// Those that something was counted of, with what was expected.
fn schemes(own: &ComparedSchemes) -> Vec<(&'static str, [f64; 2], Option<f64>)> {
    let counted = |traffic: &Traffic| [traffic.input() as f64 / 1e6, traffic.output.bytes as f64 / 1e6];
    let evaluated = own.evaluated.iter().filter_map(|own| {
        Some((own.name, counted(own.measured.as_ref()?), Some(own.predicted.total() / 1e6)))
    });
    let others = own.others.iter().filter_map(|other| {
        let predicted = other.outcome.predicted().map(|own| own.total() / 1e6);
        Some((other.name, counted(other.outcome.traffic()?), predicted))
    });
    evaluated.chain(others).collect()
}

/// The matrices with the chosen tiles.
fn patterns(own: &ComparedSchemes, tiles: &Tiles) -> String {
    let mut text = String::new();
    for (number, access) in own.statement.accesses.iter().enumerate() {
        if let (Pattern::Points(points), [row, column]) = (&access.pattern, &access.indices[..]) {
            let picture = pattern(points, [tiles.of(*row), tiles.of(*column)]);
            text += &figure(&picture, &format!("{} in the chosen tiles", own.statement.access_name(number)));
        }
    }
    text
}

fn figure(svg: &str, about: &str) -> String {
    format!("<figure>{svg}<figcaption>{}</figcaption></figure>\n", escaped(about))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

const SIDE: u32 = 360;
const WIDE: (u32, u32) = (640, 280);

/// How many cells a pattern is drawn with along each mode, at most.
const CELLS: u64 = 180;

const INPUTS: RGBColor = COLOURS[5];
const RESULT: RGBColor = COLOURS[1];

/// The entries of a matrix, and lines where tiles of these sizes begin, if they are far enough apart to be
/// seen.
pub(crate) fn pattern(points: &Points, sizes: [u64; 2]) -> String {
    let [rows, columns] = [points.extents()[0].max(1), points.extents()[1].max(1)];
    let step = rows.max(columns).div_ceil(CELLS).max(1);
    let mut cells: Vec<(u64, u64)> = points
        .column(0)
        .iter()
        .zip(points.column(1))
        .map(|(&row, &column)| (u64::from(row) / step, u64::from(column) / step))
        .collect();
    cells.sort_unstable();
    cells.dedup();
    let pixels = f64::from(SIDE) / rows.max(columns) as f64;
    let pixel = |place: u64| (place as f64 * pixels).round() as i32;
    let (bottom, right) = (pixel(rows), pixel(columns));
    svg((SIDE, SIDE), |area| {
        for (row, column) in cells {
            let corners = [
                (pixel(column * step), pixel(row * step)),
                (pixel((column + 1) * step).min(right), pixel((row + 1) * step).min(bottom)),
            ];
            area.draw(&Rectangle::new(corners, BLACK.mix(0.6).filled()))?;
        }
        let line = INPUTS.stroke_width(1);
        let begins = |size: u64, extent: u64| {
            let is_seen = size as f64 * pixels >= 4.0;
            (0..=extent / size).map(move |tile| tile * size).filter(move |_| is_seen)
        };
        for row in begins(sizes[0], rows) {
            area.draw(&PathElement::new(vec![(0, pixel(row)), (right, pixel(row))], line))?;
        }
        for column in begins(sizes[1], columns) {
            area.draw(&PathElement::new(vec![(pixel(column), 0), (pixel(column), bottom)], line))?;
        }
        area.draw(&Rectangle::new([(0, 0), (right.min(SIDE as i32 - 1), bottom.min(SIDE as i32 - 1))], BLACK))
    })
}

/// `Corrs` by shift (d2t2.txt, figure 4).
pub(crate) fn correlations(name: &str, corrs: &[f64]) -> String {
    svg(WIDE, |area| {
        let mut chart = ChartBuilder::on(area)
            .caption(name, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(30)
            .y_label_area_size(40)
            .build_cartesian_2d(0.0..corrs.len().max(2) as f64, 0.0..1.0)?;
        chart.configure_mesh().x_desc("shift").y_desc("share in common").draw()?;
        let line: Vec<(f64, f64)> =
            corrs.iter().enumerate().map(|(shift, &share)| (shift as f64, share)).collect();
        chart.draw_series([PathElement::new(line, INPUTS.stroke_width(2))])?;
        Ok(())
    })
}

/// For each scheme the inputs and the output that were counted, and what was expected of both, if anything
/// was, in megabytes.
pub(crate) fn traffic(schemes: &[(&str, [f64; 2], Option<f64>)]) -> String {
    let most =
        schemes.iter().map(|(_, [input, output], expected)| (input + output).max(expected.unwrap_or(0.0)));
    let most = most.fold(f64::MIN_POSITIVE, f64::max);
    svg(WIDE, |area| {
        let names = (0..(schemes.len() as i32 - 1).max(0)).into_segmented();
        let mut chart = ChartBuilder::on(area)
            .caption("MB moved: inputs, output; expected as a line", ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(30)
            .y_label_area_size(60)
            .build_cartesian_2d(names, 0.0..1.1 * most)?;
        let name = |place: &SegmentValue<i32>| match place {
            SegmentValue::CenterOf(place) => {
                schemes.get(*place as usize).map_or("", |scheme| scheme.0).to_owned()
            }
            _ => String::new(),
        };
        chart.configure_mesh().disable_x_mesh().x_label_formatter(&name).draw()?;
        for (place, (_, [input, output], expected)) in (0..).zip(schemes) {
            let (left, right) = (SegmentValue::Exact(place), SegmentValue::Exact(place + 1));
            let bar = |from: f64, to: f64, colour: RGBColor| {
                let mut bar = Rectangle::new([(left.clone(), from), (right.clone(), to)], colour.filled());
                bar.set_margin(0, 0, 16, 16);
                bar
            };
            chart.draw_series([bar(0.0, *input, INPUTS), bar(*input, input + output, RESULT)])?;
            if let Some(expected) = expected {
                let line = vec![(left.clone(), *expected), (right.clone(), *expected)];
                chart.draw_series([PathElement::new(line, BLACK.stroke_width(2))])?;
            }
        }
        Ok(())
    })
}
