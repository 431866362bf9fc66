//! `tiling`: the tiles that are chosen from data, and those of other schemes, on real and generated data:
//! what they are expected to move, and what they move (d2t2.txt section 6).

mod kernels;

use crate::data;
use crate::setting::{Outcome, Setting};
use clap::Args;
use comet_tiling::{Machine, Observed, Points, Scheme, Statement, Tiles, compare, drt};
use kernels::Kernel;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct TilingArguments {
    /// Matrices and tensors; by default those of the shared data
    files: Vec<PathBuf>,
    /// The memories of Opal, 2 KB each, in place of one of 128 KiB
    #[arg(long)]
    opal: bool,
}

/// All files with their kernels.
#[derive(Debug)]
pub(crate) struct Tilings(Vec<Row>);

/// A kernel on a file.
#[derive(Debug)]
struct Row {
    file: String,
    kernel: Kernel,
    /// Seconds to cut the operands, to collect statistics, and to choose.
    times: [f64; 3],
    schemes: Vec<Cell>,
}

/// A scheme's tiles. Inputs and output in bytes.
#[derive(Debug)]
struct Cell {
    name: &'static str,
    /// Those of DRT have no one size.
    tiles: Option<String>,
    predicted: Option<[f64; 2]>,
    measured: [f64; 2],
}

impl Cell {
    fn total(&self) -> f64 {
        self.measured.iter().sum()
    }

    /// What was expected over what was counted.
    fn accuracy(&self) -> Option<f64> {
        self.predicted.map(|predicted| predicted.iter().sum::<f64>() / self.total())
    }
}

pub(crate) fn run(_setting: &Setting, arguments: &TilingArguments) -> Outcome<Tilings> {
    let machine = if arguments.opal { Machine::opal() } else { Machine::of_buffer(128 << 10) };
    let files = if arguments.files.is_empty() { all_files()? } else { arguments.files.clone() };
    let mut rows = Vec::new();
    for file in &files {
        let points = kernels::points(file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('.').next().unwrap_or_default().to_owned();
        for &kernel in Kernel::of_rank(points.rank()) {
            let row = row(name.clone(), kernel, &points, machine)?;
            eprint!("{}", row.text());
            rows.push(row);
        }
    }
    Ok(Tilings(rows))
}

/// The matrices and tensors of the shared data, the smallest file first.
fn all_files() -> Outcome<Vec<PathBuf>> {
    let folder = data::shared("README.md")?;
    let folder = folder.parent().ok_or("the shared data has no folder")?;
    let listed = folder.read_dir().map_err(|error| format!("cannot list `{}`: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gz"));
    files.sort_by_key(|file| file.metadata().map_or(0, |data| data.len()));
    Ok(files)
}

fn row(file: String, kernel: Kernel, points: &Points, machine: Machine) -> Outcome<Row> {
    let statement = kernel.statement(points)?;
    let start = Instant::now();
    let base = Tiles::base(&statement, &machine);
    let tiled = Observed::tiled(&statement, &base);
    let cutting = start.elapsed();
    let observed = Observed::new(&statement, machine, base.clone(), &tiled, 1);
    let collecting = start.elapsed() - cutting;
    std::hint::black_box(observed.resize(&observed.optimize()));
    let choosing = start.elapsed() - cutting - collecting;
    let mut schemes: Vec<Cell> =
        Scheme::ALL.iter().chain(&Scheme::ABLATIONS).map(|&scheme| cell(&observed, scheme)).collect();
    if let Some(cell) = dynamic(&statement, &base, &machine) {
        schemes.push(cell);
    }
    let times = [cutting, collecting, choosing].map(|time| time.as_secs_f64());
    Ok(Row { file, kernel, times, schemes })
}

fn cell(observed: &Observed<'_>, scheme: Scheme) -> Cell {
    let compared = compare(observed, scheme);
    Cell {
        name: scheme.name(),
        tiles: Some(compared.tiles.to_string()),
        predicted: Some([compared.predicted.input(), compared.predicted.output]),
        measured: [compared.measured.input() as f64, compared.measured.output.bytes as f64],
    }
}

fn dynamic(statement: &Statement, micro: &Tiles, machine: &Machine) -> Option<Cell> {
    let traffic = drt(statement, micro, machine).ok()?.traffic;
    let measured = [traffic.input() as f64, traffic.output.bytes as f64];
    Some(Cell { name: "drt", tiles: None, predicted: None, measured })
}

impl Row {
    fn scheme(&self, name: &str) -> Option<&Cell> {
        self.schemes.iter().find(|cell| cell.name == name)
    }

    /// How many times less the chosen tiles move than those of a scheme.
    fn gain(&self, over: &str) -> Option<f64> {
        Some(self.scheme(over)?.total() / self.scheme(Scheme::D2t2.name())?.total())
    }

    /// What statistics and choice take, over what cutting the operands takes.
    fn overhead(&self) -> f64 {
        (self.times[1] + self.times[2]) / self.times[0]
    }

    fn text(&self) -> String {
        let [cutting, collecting, choosing] = self.times.map(|time| 1e3 * time);
        let mut text = format!(
            "{} {}: tiling {cutting:.1} ms, statistics {collecting:.1} ms, choice {choosing:.1} ms\n",
            self.file,
            self.kernel.name()
        );
        for cell in &self.schemes {
            let [input, output] = cell.measured.map(|bytes| bytes / 1e6);
            let accuracy = cell.accuracy().map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
            let _ = writeln!(
                text,
                "  {:<13}{input:>11.2} MB in{output:>11.2} MB out{:>11.2} MB   expected/counted {accuracy:<6} {}",
                cell.name,
                input + output,
                cell.tiles.as_deref().unwrap_or("")
            );
        }
        text
    }

    fn json(&self) -> Value {
        let schemes = self.schemes.iter().map(|cell| {
            json!({
                "name": cell.name,
                "tiles": cell.tiles,
                "predicted": cell.predicted.map(|[input, output]| json!({"input": input, "output": output})),
                "measured": {"input": cell.measured[0], "output": cell.measured[1]},
            })
        });
        json!({
            "file": self.file,
            "kernel": self.kernel.name(),
            "seconds": {"tiling": self.times[0], "statistics": self.times[1], "choice": self.times[2]},
            "schemes": schemes.collect::<Vec<_>>(),
        })
    }
}

/// What the chosen tiles are compared with, in a table.
const OTHERS: [&str; 8] = [
    "conservative",
    "prescient",
    "tailors",
    "drt",
    "exhaustive",
    "independent",
    "without-corrs",
    "corrs-only",
];

impl Tilings {
    /// A table of how many times less the chosen tiles move, and the means.
    pub(crate) fn text(&self) -> String {
        let others = OTHERS;
        let mut text = format!("{:<18}{:<10}", "", "");
        others.iter().for_each(|name| {
            let _ = write!(text, "{name:>14}");
        });
        text += "  expected/counted  overhead\n";
        for row in &self.0 {
            let _ = write!(text, "{:<18}{:<10}", row.file, row.kernel.name());
            for name in others {
                let gain = row.gain(name).map_or_else(|| "-".to_owned(), |gain| format!("{gain:.2}"));
                let _ = write!(text, "{gain:>14}");
            }
            let accuracy = row.scheme(Scheme::D2t2.name()).and_then(Cell::accuracy).unwrap_or(f64::NAN);
            let _ = writeln!(text, "{accuracy:>18.3}{:>9.0}%", 100.0 * row.overhead());
        }
        let _ = write!(text, "{:<28}", "geometric mean");
        for name in others {
            let _ = write!(text, "{:>14.2}", self.mean(name));
        }
        text + "\n"
    }

    fn mean(&self, over: &str) -> f64 {
        let gains: Vec<f64> = self.0.iter().filter_map(|row| row.gain(over)).map(f64::ln).collect();
        (gains.iter().sum::<f64>() / gains.len().max(1) as f64).exp()
    }

    pub(crate) fn json(&self) -> Value {
        self.0.iter().map(Row::json).collect()
    }
}
