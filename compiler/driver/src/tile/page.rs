//! The page that `comet tile --html` writes.

use super::plots;
use super::report::{Compared, Evaluated, counted};
use comet_tiling::{Pattern, Tiles};
use std::fmt::Write as _;

const STYLE: &str = "body{font:15px sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse}\
    td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ccc}td:first-child,th:first-child,\
    td:last-child,th:last-child{text-align:left}figure{display:inline-block;margin:1em 1em 1em 0}code{white-space:pre-wrap}";

/// Tiles, traffic and pictures of all statements.
pub(crate) fn page(title: &str, compared: &[Compared]) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tiles of {title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>Tiles of {title}</h1>\n"
    );
    compared.iter().for_each(|own| page += &section(own));
    page + "</body></html>\n"
}

fn section(own: &Compared) -> String {
    let mut text = format!("<h2><code>{}</code></h2>\n", escaped(&own.text));
    text += "<table><tr><th>scheme</th><th>expected in</th><th>out</th><th>counted in</th><th>out</th><th>all</th><th>tiles</th></tr>\n";
    for outcome in &own.evaluated {
        let predicted = &outcome.predicted;
        let [input, output, all] = counted(outcome);
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{:.0}</td><td>{:.0}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            outcome.name,
            predicted.input(),
            predicted.output,
            input,
            output,
            all,
            escaped(&outcome.tiles.text(&own.statement))
        );
    }
    text += "</table>\n";
    let schemes = schemes(own);
    if !schemes.is_empty() {
        text += &figure(&plots::traffic(&schemes), "What tiles of each scheme move");
    }
    text += &patterns(own, &own.chosen().tiles);
    for (name, corrs) in &own.corrs {
        let about =
            format!("Corrs of {name}: how much of what is at a coordinate is also that far behind it");
        text += &figure(&plots::correlations(name, corrs), &about);
    }
    text += "<h3>How it is expected</h3>\n";
    own.explained.iter().for_each(|line| {
        let _ = writeln!(text, "<p><code>{}</code></p>", escaped(line));
    });
    text
}

fn schemes(own: &Compared) -> Vec<(&'static str, [f64; 2], f64)> {
    let of = |outcome: &Evaluated| {
        let measured = outcome.measured.as_ref()?;
        let counted = [measured.input() as f64 / 1e6, measured.output.bytes as f64 / 1e6];
        Some((outcome.name, counted, outcome.predicted.total() / 1e6))
    };
    own.evaluated.iter().filter_map(of).collect()
}

/// The matrices with the chosen tiles.
fn patterns(own: &Compared, tiles: &Tiles) -> String {
    let mut text = String::new();
    for (number, access) in own.statement.accesses.iter().enumerate() {
        if let (Pattern::Points(points), [row, column]) = (&access.pattern, &access.indices[..]) {
            let picture = plots::pattern(points, [tiles.of(*row), tiles.of(*column)]);
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
