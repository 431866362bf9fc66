//! `ablation`: table 2 of sam.txt on a list of expressions: how many are lost when a machine lacks a
//! primitive.

use crate::data;
use crate::setting::{Outcome, Setting, create_folder, write};
use clap::Args;
use comet_sam::dot;
use comet_sam::graph::{BlockKind, Graph, GraphLevel, Join, Merge, Operator, ValuePlacement};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Args)]
pub(crate) struct AblationArguments {
    /// A list of expressions with flags, one a line; by default the sample of the shared data
    expressions: Option<PathBuf>,
}

/// What a machine may lack.
#[derive(Clone, Copy, Debug)]
enum Removed {
    CompressedScanner,
    Scanners,
    Repeater,
    Unioner,
    /// Locators are kept: of the operands of an intersecter, dense ones can be located.
    Intersecter,
    /// Dense levels need none to meet: all coordinates are there.
    IntersecterAndLocator,
    Adder,
    Multiplier,
    Reducer,
    CoordinateDropper,
    CompressedWriter,
    /// Values that are scattered go to levels too.
    LevelWriters,
}

/// The rows of the table: what is removed, and how many of 3839 distinct expressions the paper loses, in %.
const ROWS: [(Removed, &str, f64); 12] = [
    (Removed::CompressedScanner, "compressed level scanner", 72.23),
    (Removed::Scanners, "compressed and uncompressed level scanners", 99.35),
    (Removed::Repeater, "repeater", 82.37),
    (Removed::Unioner, "unioner", 15.63),
    (Removed::Intersecter, "intersecter, locator kept", 18.75),
    (Removed::IntersecterAndLocator, "intersecter and locator", 48.92),
    (Removed::Adder, "adder", 26.65),
    (Removed::Multiplier, "multiplier", 83.88),
    (Removed::Reducer, "reducer", 78.35),
    (Removed::CoordinateDropper, "coordinate dropper", 16.07),
    (Removed::CompressedWriter, "compressed level writer", 28.0),
    (Removed::LevelWriters, "compressed and uncompressed level writers", 96.33),
];

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
        for (lost, (removed, ..)) in losses.lost.iter_mut().zip(ROWS) {
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
        for ((_, removed, paper), lost) in ROWS.iter().zip(self.lost) {
            let _ = writeln!(text, "| {removed} | {lost} | {:.1} | {paper:.1} |", self.share(lost));
        }
        let _ = writeln!(text, "\nof {} expressions; {} more are refused", self.lowered, self.refused);
        text
    }

    pub(crate) fn json(&self) -> Value {
        let rows = ROWS.iter().zip(self.lost);
        let rows: Vec<Value> =
            rows.map(|((_, removed, _), lost)| json!({"removed": removed, "lost": lost})).collect();
        json!({"expressions": self.lowered, "refused": self.refused, "rows": rows})
    }
}

impl Removed {
    fn loses(self, graph: &Graph) -> bool {
        graph.blocks.iter().any(|block| self.is(graph, &block.kind))
    }

    fn is(self, graph: &Graph, kind: &BlockKind) -> bool {
        match (self, kind) {
            (_, BlockKind::Join(join)) if join.taken_apart().is_some() => false,
            (Self::CompressedScanner, BlockKind::Scanner(scanner)) => scanner.level == GraphLevel::Compressed,
            (Self::Intersecter, BlockKind::Join(join)) => {
                join.how == Merge::Intersect && compressed_operands(graph, join) > 1
            }
            (Self::IntersecterAndLocator, BlockKind::Join(join)) => {
                join.how == Merge::Intersect && compressed_operands(graph, join) > 0
            }
            (Self::Unioner, BlockKind::Join(join)) => join.how == Merge::Union,
            (Self::Adder, BlockKind::Alu(alu)) => matches!(alu.operator, Operator::Add | Operator::Sub),
            (Self::Multiplier, BlockKind::Alu(alu)) => alu.operator == Operator::Mul,
            (Self::CompressedWriter, BlockKind::WriteLevel(write)) => write.level == GraphLevel::Compressed,
            (Self::LevelWriters, BlockKind::WriteValues(write)) => write.places != ValuePlacement::InOrder,
            (Self::Scanners, BlockKind::Scanner(_))
            | (Self::IntersecterAndLocator, BlockKind::Locate(_))
            | (Self::Repeater, BlockKind::Repeat(_))
            | (Self::Reducer, BlockKind::Reduce(_) | BlockKind::Accumulate(_))
            | (Self::CoordinateDropper, BlockKind::Drop { .. })
            | (Self::LevelWriters, BlockKind::WriteLevel(_)) => true,
            _ => false,
        }
    }
}

/// How many operands of a joiner cannot be located.
fn compressed_operands(graph: &Graph, join: &Join) -> usize {
    let is_dense = |name: &str| {
        graph.blocks.iter().any(|block| match &block.kind {
            BlockKind::Scanner(scanner) => {
                scanner.tensor == name && scanner.index == join.index && scanner.level.is_dense()
            }
            _ => false,
        })
    };
    join.operands.iter().filter(|operand| !is_dense(&operand.name)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that are taken apart meet no others.
    #[test]
    fn what_takes_words_apart_is_no_intersecter() {
        let text = include_str!("../../../compiler/machine/sam/tests/graphs/apart.gv");
        let graph = dot::read(text).expect("it can be read");
        assert!(!Removed::IntersecterAndLocator.loses(&graph));
    }
}
