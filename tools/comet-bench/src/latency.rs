//! `latency`: from the text of a program to the first instruction of its kernel.

use crate::report::{Compared, Report, Row};
use crate::setting::{Outcome, Setting, create_folder, output_with, write};
use crate::timing::median;
use clap::Args;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct LatencyArguments {}

const METHOD: &str = "medians of the compiler's steps for SpMM as `--time-passes` reports them, \
    and of a whole process that runs it on a matrix of three entries, also with its code in the cache";
/// Parse, compile and JIT, without reading data.
const GOAL: f64 = 0.150;

const PROGRAM: &str = "def main() {
  IndexLabel [i] = [?];
  IndexLabel [j] = [?];
  IndexLabel [k] = [32];
  Tensor<double> A([i, j], CSR);
  Tensor<double> B([j, k], Dense);
  Tensor<double> C([i, k], Dense);
  A[i, j] = comet_read(0);
  B[j, k] = 1.5;
  C[i, k] = A[i, j] * B[j, k];
}
";
const MATRIX: &str = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.5\n2 1 1.5\n3 3 2.5\n";

pub(crate) fn run(setting: &Setting, _arguments: &LatencyArguments) -> Outcome<Report> {
    let folder = setting.kept.join("latency");
    create_folder(&folder)?;
    let (program, matrix) = (folder.join("spmm.ta"), folder.join("small.mtx"));
    write(&program, PROGRAM)?;
    write(&matrix, MATRIX)?;
    let mut samples = Vec::new();
    for _ in 0..setting.runs {
        let mut command = Command::new(&setting.comet);
        command.arg("run").arg(&program).arg(format!("--input=0={}", matrix.display()));
        command.args(["--time-passes", "--no-cache"]);
        let start = Instant::now();
        let output = command.output().map_err(|error| format!("`{}`: {error}", setting.comet.display()))?;
        let process = start.elapsed().as_secs_f64();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Err(format!("`comet run` failed: {said}"));
        }
        let mut steps = steps(&said);
        steps.push(("whole process".to_owned(), process));
        steps.push(("whole process, cached".to_owned(), cached(setting, &folder, &program, &matrix)?));
        samples.push(steps);
    }
    Ok(Report { bench: "latency", method: METHOD, rows: rows(&samples), missing: Vec::new() })
}

/// Runs the program until its code is in a cache of its own, and once more; returns the seconds of that.
fn cached(setting: &Setting, folder: &Path, program: &Path, matrix: &Path) -> Outcome<f64> {
    let arguments =
        ["run".into(), program.as_os_str().to_owned(), format!("--input=0={}", matrix.display()).into()];
    let cache = folder.join("cache").display().to_string();
    let variables = [("COMET_CACHE_DIR", cache.as_str())];
    output_with(&setting.comet, &arguments, &variables)?;
    let start = Instant::now();
    output_with(&setting.comet, &arguments, &variables)?;
    Ok(start.elapsed().as_secs_f64())
}

/// Lines such as `time:    12.527 ms  passes`.
fn steps(said: &str) -> Vec<(String, f64)> {
    let step = |line: &str| {
        let (milliseconds, name) = line.strip_prefix("time:")?.split_once(" ms  ")?;
        Some((name.to_owned(), milliseconds.trim().parse::<f64>().ok()? / 1e3))
    };
    said.lines().filter_map(step).collect()
}

/// The median of each step; the total is what the goal is about.
fn rows(samples: &[Vec<(String, f64)>]) -> Vec<Row> {
    let times_of = |step: &str| {
        let times = samples.iter().flatten().filter(|(name, _)| name == step);
        median(times.map(|(_, seconds)| *seconds).collect())
    };
    let row = |(name, _): &(String, f64)| Row {
        case: name.clone(),
        ours: times_of(name),
        compared: Compared::Nothing,
        goal: (name == "total").then_some(GOAL),
    };
    samples.first().into_iter().flatten().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_from_what_the_compiler_says() {
        let said = "  0.0000 (  0.2%)  ta-to-cin\ntime:     8.500 ms  target\ntime:   250.000 ms  total\n";
        let steps = steps(said);
        assert_eq!(steps, [("target".to_owned(), 0.0085), ("total".to_owned(), 0.25)]);
        let rows = rows(&[steps.clone(), steps]);
        assert_eq!((rows[0].goal, rows[1].goal), (None, Some(GOAL)));
    }
}
