//! `workspace`: what the model of sparse-workspace.txt predicts for a product of matrices in CSR that goes
//! into CSC, next to what was counted, and the times.

mod counted;
mod model;

use crate::data;
use crate::setting::{Outcome, Setting, create_folder, output, write};
use crate::timing::median;
use clap::Args;
use counted::Counts;
use model::{Cost, ModelledProduct};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Args)]
pub(crate) struct WorkspaceArguments {
    /// The matrices; by default bcsstk16, memplus and ca-AstroPh of the shared data and a 27-point Laplacian
    matrices: Vec<PathBuf>,
}

const MATRICES: [&str; 3] = ["bcsstk16", "memplus", "ca-AstroPh"];
const CAPACITIES: [Option<u64>; 5] = [Some(1_000), Some(10_000), Some(100_000), Some(1_000_000), None];
const METHOD: &str = "C = A*A, CSR times CSR into CSC; costs in millions, predicted and counted: stores, and loads with stores of \
    sorting, merging (predicted also as printed, without the factor a) and the rest; milliseconds are medians without counting";

/// Costs and times of all matrices and workspaces.
#[derive(Debug)]
pub(crate) struct Costs(Vec<WorkspaceRow>);

#[derive(Debug)]
struct WorkspaceRow {
    matrix: String,
    workspace: String,
    /// T, if merged by the number of values; how often it was.
    merges: Option<(f64, f64)>,
    predicted: Cost,
    counted: Cost,
    peak_bytes: f64,
    seconds: f64,
}

pub(crate) fn run(setting: &Setting, arguments: &WorkspaceArguments) -> Outcome<Costs> {
    let folder = setting.kept.join("workspace");
    create_folder(&folder)?;
    let mut rows = Vec::new();
    for path in matrices(setting, arguments)? {
        let bench = Bench { setting, folder: &folder, matrix: data::with_values(setting, &path)? };
        rows.extend(bench.rows()?);
    }
    Ok(Costs(rows))
}

fn matrices(setting: &Setting, arguments: &WorkspaceArguments) -> Outcome<Vec<PathBuf>> {
    if !arguments.matrices.is_empty() {
        return Ok(arguments.matrices.clone());
    }
    let shared = MATRICES.iter().map(|name| data::shared(&format!("{name}.mtx.gz")));
    let mut paths = shared.collect::<Outcome<Vec<_>>>()?;
    paths.push(data::small_laplacian(setting)?);
    Ok(paths)
}

struct Bench<'a> {
    setting: &'a Setting,
    folder: &'a Path,
    matrix: PathBuf,
}

impl Bench<'_> {
    /// The assembly solution, then hash tables and lists.
    fn rows(&self) -> Outcome<Vec<WorkspaceRow>> {
        let name = self.matrix.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_start_matches("values-").split('.').next().unwrap_or_default().to_owned();
        let statements = "T[i, j] = A[i, k] * B[k, j]; C[i, j] = T[i, j];";
        let report = self.counts("assembly", statements)?;
        let (dense, conversion) =
            (Counts::of_kind(&report, "dense")?, Counts::of_kind(&report, "conversion")?);
        let columns = conversion.number("counters")? - 1.0;
        let (inserts, elements) = (dense.number("inserts")?, conversion.number("entries")?);
        // The matrices are square.
        let product = ModelledProduct { rows: columns, columns, inserts, elements };
        let mut rows = vec![WorkspaceRow {
            matrix: name.clone(),
            workspace: "dense, conversion".to_owned(),
            merges: None,
            predicted: model::assembly(product),
            counted: counted::assembly(&dense, &conversion)?,
            peak_bytes: dense.number("peak_bytes")?,
            seconds: self.seconds("assembly", statements)?,
        }];
        for kind in ["hash", "list"] {
            for capacity in CAPACITIES {
                let row = self.sparse_row(kind, capacity, product)?;
                rows.push(WorkspaceRow { matrix: name.clone(), ..row });
            }
        }
        Ok(rows)
    }

    fn sparse_row(
        &self,
        kind: &str,
        capacity: Option<u64>,
        product: ModelledProduct,
    ) -> Outcome<WorkspaceRow> {
        let room = capacity.unwrap_or(product.inserts as u64);
        let statements = format!("C[i, j] = A[i, k] * B[k, j] schedule {{ workspace(C, {kind}, {room}); }};");
        let (name, shown) = match capacity {
            Some(points) => (format!("{kind}-{points}"), format!("{kind} {points}")),
            None => (format!("{kind}-all"), format!("{kind} everything")),
        };
        let points = Counts::of_kind(&self.counts(&name, &statements)?, kind)?;
        let capacity = room as f64;
        Ok(WorkspaceRow {
            matrix: String::new(),
            workspace: shown,
            merges: Some(((product.inserts / capacity).ceil(), points.number("merges")?)),
            predicted: model::sparse(product, capacity),
            counted: counted::sparse(&points, product.columns)?,
            peak_bytes: points.number("peak_bytes")?,
            seconds: self.seconds(&name, &statements)?,
        })
    }

    /// What a program that counts reports.
    fn counts(&self, name: &str, statements: &str) -> Outcome<String> {
        let source = self.source(name, statements)?;
        let mut command = Command::new(&self.setting.comet);
        command.arg("run").arg(&source).arg("--instrument=workspace").arg("--no-cache").args(self.inputs());
        let ran = command.env("COMET_INSTRUMENT", "json").output();
        let ran = ran.map_err(|error| format!("`{}`: {error}", self.setting.comet.display()))?;
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        if ran.status.success() { Ok(said) } else { Err(format!("`comet run` failed: {said}")) }
    }

    /// The median of `--runs` runs, without counting.
    fn seconds(&self, name: &str, statements: &str) -> Outcome<f64> {
        let (source, program) = (self.source(name, statements)?, self.folder.join(name));
        let build = ["build".as_ref(), source.as_os_str(), "-o".as_ref(), program.as_os_str()];
        output(&self.setting.comet, &build)?;
        let mut times = Vec::new();
        for _ in 0..self.setting.runs {
            let printed = output(&program, &self.inputs())?;
            let time = printed.lines().find_map(|line| line.trim_end_matches(',').parse().ok());
            times.push(time.ok_or_else(|| format!("expected a time, found {printed:?}"))?);
        }
        Ok(median(times))
    }

    fn inputs(&self) -> Vec<String> {
        vec!["--threads=1".to_owned(), format!("--input=0={}", self.matrix.display())]
    }

    fn source(&self, name: &str, statements: &str) -> Outcome<PathBuf> {
        let path = self.folder.join(format!("{name}.ta"));
        let text = format!(
            "def main() {{
  IndexLabel [i, j, k] = [?];
  Tensor<double> A([i, k], CSR);
  Tensor<double> B([k, j], CSR);
  Tensor<double> T([i, j], CSR);
  Tensor<double> C([i, j], CSC);
  A[i, k] = comet_read(0);
  B[k, j] = comet_read(0);
  var start = getTime();
  {statements}
  var stop = getTime();
  print(stop - start);
}}
"
        );
        write(&path, text)?;
        Ok(path)
    }
}

impl WorkspaceRow {
    fn cells(&self) -> Vec<String> {
        let Self { predicted, counted, .. } = self;
        let pair = |predicted: f64, counted: f64| [millions(predicted), millions(counted)];
        let merges = self.merges.map_or([String::new(), String::new()], |(predicted, counted)| {
            [format!("{predicted:.0}"), format!("{counted:.0}")]
        });
        let printed =
            self.merges.map_or(String::new(), |(merges, _)| millions(3.0 * model::merges_term(merges)));
        let mut cells = vec![self.matrix.clone(), self.workspace.clone()];
        cells.extend(merges);
        cells.extend(pair(predicted.stores, counted.stores));
        cells.extend(pair(predicted.sort, counted.sort));
        cells.push(printed);
        cells.extend(pair(predicted.merge, counted.merge));
        cells.extend(pair(predicted.rest, counted.rest));
        cells.extend(pair(predicted.loads_and_stores(), counted.loads_and_stores()));
        cells.push(format!("{:.1}", self.peak_bytes / 1e6));
        cells.push(format!("{:.1}", self.seconds * 1e3));
        cells
    }

    fn json(&self) -> Value {
        let cost = |cost: Cost| json!({ "stores": cost.stores, "sort": cost.sort, "merge": cost.merge, "rest": cost.rest });
        json!({
            "matrix": self.matrix,
            "workspace": self.workspace,
            "merges": self.merges.map(|(predicted, counted)| json!({ "predicted": predicted, "counted": counted })),
            "predicted": cost(self.predicted),
            "counted": cost(self.counted),
            "peak_bytes": self.peak_bytes,
            "seconds": self.seconds,
        })
    }
}

impl Costs {
    /// For reading, and for a page: a table of Markdown.
    pub(crate) fn text(&self) -> String {
        let heading = "| matrix | workspace | T | merges | St | counted | sort | counted | merge as printed | merge | counted \
            | rest | counted | LaS | counted | peak MB | ms |";
        let rule = "|---".repeat(2) + &"|---:".repeat(15) + "|";
        let rows = self.0.iter().map(|row| format!("| {} |", row.cells().join(" | ")));
        let lines: Vec<String> = [heading.to_owned(), rule].into_iter().chain(rows).collect();
        format!("workspace: {METHOD}\n\n{}\n", lines.join("\n"))
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let rows: Vec<Value> = self.0.iter().map(WorkspaceRow::json).collect();
        json!({ "bench": "workspace", "method": METHOD, "rows": rows })
    }
}

fn millions(number: f64) -> String {
    let millions = number / 1e6;
    if millions < 10.0 { format!("{millions:.2}") } else { format!("{millions:.0}") }
}
