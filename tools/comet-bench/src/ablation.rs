//! `ablation`: table 2 of sam.txt on a list of expressions: how many are lost when a machine lacks a
//! primitive.

use crate::data;
use crate::setting::{Outcome, Setting, create_folder, write};
use clap::Args;
use comet_sam::dot;
use comet_sam::graph::Graph;
use comet_sam::primitives::Removed;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Args)]
pub(crate) struct AblationArguments {
    /// A list of expressions with flags, one a line; by default the sample of the shared data
    expressions: Option<PathBuf>,
}

/// What the paper counts of 3839 distinct expressions, in %.
const PAPER: [f64; 12] = [72.23, 99.35, 82.37, 15.63, 18.75, 48.92, 26.65, 83.88, 78.35, 16.07, 28.0, 96.33];

/// How many expressions there are, and how many each removal loses.
#[derive(Debug)]
pub(crate) struct Losses {
    lowered: usize,
    /// Expressions that the front end refuses.
    refused: usize,
    lost: [usize; 12],
}

pub(crate) fn run(setting: &Setting, arguments: &AblationArguments) -> Outcome<Losses> {
    let path = match &arguments.expressions {
        Some(path) => path.clone(),
        None => data::shared("taco-expressions-sample.txt")?,
    };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let folder = setting.kept.join("ablation");
    create_folder(&folder)?;
    let mut losses = Losses { lowered: 0, refused: 0, lost: [0; 12] };
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let Some(program) = program(setting, line)? else {
            losses.refused += 1;
            continue;
        };
        let graphs = graphs(setting, &folder.join("program.ta"), &program)?;
        losses.lowered += 1;
        for (lost, removed) in losses.lost.iter_mut().zip(Removed::ALL) {
            *lost += usize::from(graphs.iter().any(|graph| removed.loses(graph)));
        }
    }
    Ok(losses)
}

/// The program of an expression; none where it is refused.
fn program(setting: &Setting, line: &str) -> Outcome<Option<String>> {
    let command = format!("{} expr {line} --print-ta", setting.comet.display());
    let output = Command::new("sh").args(["-c", &command]).output();
    let output = output.map_err(|error| format!("`sh` cannot be started: {error}"))?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

fn graphs(setting: &Setting, path: &Path, program: &str) -> Outcome<Vec<Graph>> {
    write(path, program)?;
    let arguments = ["build", &path.to_string_lossy(), "--emit=sam-dot"];
    let text = crate::setting::output(&setting.comet, &arguments)?;
    let files = text.split("\n\n").filter(|file| !file.trim().is_empty());
    files.map(|file| dot::read(file).map_err(|error| format!("{}\n{program}", error.message))).collect()
}

impl Losses {
    fn share(&self, lost: usize) -> f64 {
        100.0 * lost as f64 / self.lowered.max(1) as f64
    }

    pub(crate) fn text(&self) -> String {
        let mut text =
            String::from("| primitive removed | expressions lost | % | paper's % |\n|---|---|---|---|\n");
        for ((removed, lost), paper) in Removed::ALL.iter().zip(self.lost).zip(PAPER) {
            let _ = writeln!(text, "| {} | {lost} | {:.1} | {paper:.1} |", removed.name(), self.share(lost));
        }
        let _ = writeln!(text, "\nof {} expressions; {} more are refused", self.lowered, self.refused);
        text
    }

    pub(crate) fn json(&self) -> Value {
        let rows = Removed::ALL.iter().zip(self.lost);
        let rows: Vec<Value> =
            rows.map(|(removed, lost)| json!({"removed": removed.name(), "lost": lost})).collect();
        json!({"expressions": self.lowered, "refused": self.refused, "rows": rows})
    }
}
