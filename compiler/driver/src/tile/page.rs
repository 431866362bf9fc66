//! The page that `comet tile --html` writes.

use super::plots;
use super::report::Compared;
use super::table::SchemeRow;
use comet_tiling::{Pattern, Tiles, Traffic};
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
    let titles: String = own.titles().iter().map(|title| format!("<th>{}</th>", escaped(title))).collect();
    let _ = writeln!(text, "<table><tr><th>scheme</th>{titles}<th>tiles</th></tr>");
    for SchemeRow { name, numbers, tiles } in own.rows() {
        let numbers: String = numbers.iter().map(|number| format!("<td>{number}</td>")).collect();
        let _ = writeln!(text, "<tr><td>{name}</td>{numbers}<td>{}</td></tr>", escaped(&tiles));
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

/// Those that something was counted of, with what was expected.
fn schemes(own: &Compared) -> Vec<(&'static str, [f64; 2], Option<f64>)> {
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
