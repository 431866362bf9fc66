//! Figure 14: the tokens of the scanners of a matrix that is only copied.

use super::Shown;
use super::chart::{Chart, Style};
use super::program::{folder, simulate};
use crate::data;
use crate::setting::{Outcome, Setting};
use serde_json::Value;
use std::path::PathBuf;

const KINDS: [&str; 4] = ["value", "stop", "done", "idle"];
/// The scanned levels of the matrix, the outer one first.
const LEVELS: [&str; 2] = ["B_i", "B_j"];
const PROGRAM: &str = "def main() {
  IndexLabel [i] = [?];
  IndexLabel [j] = [?];
  Tensor<double> B([i, j], DCSR);
  Tensor<double> X([i, j], DCSR);
  B[i,j] = comet_read(0);
  X[i,j] = B[i,j];
}
";

/// The mean shares of control tokens in the paper, in %.
const OUTER: f64 = 0.95;
const INNER: f64 = 16.20;

pub(super) fn show(setting: &Setting) -> Outcome<Shown> {
    let folder = folder(setting, "figure14")?;
    let mut categories = Vec::new();
    let mut shares: Vec<Vec<f64>> = vec![Vec::new(); 2 * KINDS.len()];
    let (mut outer, mut inner, mut points) = (Vec::new(), Vec::new(), 0);
    for path in matrices()? {
        let report = simulate(setting, &folder, PROGRAM, &[&path])?;
        let (above, below) = (tokens(&report, "B0")?, tokens(&report, "B1")?);
        for (place, share) in [above.shares(), below.shares()].concat().into_iter().enumerate() {
            shares[place].push(share);
        }
        outer.push(above.control());
        inner.push(below.control());
        let report = &report["graphs"][0]["points"][0];
        points += usize::from(number(report, "levels")? < number(report, "points")?);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        categories.push(name.split('.').next().unwrap_or_default().to_owned());
    }
    let names = LEVELS.iter().flat_map(|level| KINDS.map(|kind| format!("{level} {kind} %")));
    let (outer, inner) = (mean(&outer), mean(&inner));
    let holds = outer <= OUTER && inner <= INNER;
    let here = format!(
        "{outer:.2} % and {inner:.2} %; streams of levels have fewer tokens than points for {points} of {} matrices",
        categories.len()
    );
    let chart = Chart {
        style: Style::Shares { bars: &LEVELS, parts: &KINDS },
        title: "Tokens of the streams of coordinates of a matrix in DCSR".to_owned(),
        of: "matrix",
        measure: "share of cycles, %",
        categories,
        series: names.zip(shares).collect(),
        references: Vec::new(),
    };
    let found = "control tokens that are not idle are 0.95 % of the outer and 16.20 % of the inner streams on average";
    Ok(Shown { number: "14", chart, found, holds, here })
}

fn matrices() -> Outcome<Vec<PathBuf>> {
    let entries = data::shared("")?.read_dir();
    let entries = entries.map_err(|error| format!("cannot read the shared data: {error}"))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut matrices: Vec<PathBuf> =
        paths.filter(|path| path.to_string_lossy().ends_with(".mtx.gz")).collect();
    matrices.sort();
    Ok(matrices)
}

/// What a stream has carried.
struct Tokens {
    value: f64,
    stop: f64,
    done: f64,
    idle: f64,
}

impl Tokens {
    fn moved(&self) -> f64 {
        self.value + self.stop + self.done
    }

    /// Of all cycles, in %.
    fn shares(&self) -> Vec<f64> {
        let all = self.moved() + self.idle;
        [self.value, self.stop, self.done, self.idle].map(|count| 100.0 * count / all).into()
    }

    /// Stops and ends of the tokens that moved, in %.
    fn control(&self) -> f64 {
        100.0 * (self.stop + self.done) / self.moved()
    }
}

fn tokens(report: &Value, level: &str) -> Outcome<Tokens> {
    let streams = report["streams"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_it = |stream: &&Value| {
        let name = stream["name"].as_str().unwrap_or_default();
        stream["kind"] == "crd" && name.starts_with("FiberLookup") && name.contains(&format!(": {level} "))
    };
    let stream = streams.iter().find(is_it).ok_or(format!("no stream of coordinates of `{level}`"))?;
    let count = |kind: &str| number(stream, kind);
    Ok(Tokens { value: count("value")?, stop: count("stop")?, done: count("done")?, idle: count("idle")? })
}

fn number(report: &Value, field: &str) -> Outcome<f64> {
    report[field].as_f64().ok_or_else(|| format!("`comet sim` reports no `{field}` in {report}"))
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}
