//! Programs on the simulator.

use crate::setting::{Outcome, Setting, create_folder, output, write};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder that a figure's programs and data are kept in.
pub(super) fn folder(setting: &Setting, name: &str) -> Outcome<PathBuf> {
    let folder = setting.kept.join(name);
    create_folder(&folder)?;
    Ok(folder)
}

/// Runs a program's `main` on these files; the result is what `comet sim --json` reports.
pub(super) fn simulate(setting: &Setting, folder: &Path, text: &str, inputs: &[&Path]) -> Outcome<Value> {
    simulate_with(setting, folder, text, inputs, &[])
}

/// The same with flags.
pub(super) fn simulate_with(
    setting: &Setting,
    folder: &Path,
    text: &str,
    inputs: &[&Path],
    flags: &[&str],
) -> Outcome<Value> {
    let (program, report) = (folder.join("program.ta"), folder.join("report.json"));
    write(&program, text)?;
    let mut arguments = vec!["sim".to_owned(), program.display().to_string()];
    for (number, path) in inputs.iter().enumerate() {
        arguments.push(format!("--input={number}={}", path.display()));
    }
    arguments.extend(flags.iter().map(|flag| (*flag).to_owned()));
    arguments.push(format!("--json={}", report.display()));
    output(&setting.comet, &arguments)?;
    let text =
        std::fs::read_to_string(&report).map_err(|error| format!("`{}`: {error}", report.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("`{}`: {error}", report.display()))
}

/// The cycles of the graphs whose results have these names, one after the other.
pub(super) fn cycles(report: &Value, results: &[&str]) -> Outcome<f64> {
    let graphs = report["graphs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |name: &&str| {
        let graph = graphs.iter().find(|graph| graph["name"] == **name);
        let cycles = graph.and_then(|graph| graph["cycles"].as_f64());
        cycles.ok_or_else(|| format!("`comet sim` reports no graph that computes `{name}`"))
    };
    results.iter().map(of).sum()
}
