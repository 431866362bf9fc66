//! Programs on a simulated cluster: SimGrid's SMPI runs the processes of an executable one after the other,
//! measures what they compute, and simulates what they send.

use super::DistributedArguments;
use super::inputs::{Matrix, chosen};
use super::operations::{CG, Operation, SPGEMM, SPMM};
use super::processes::{Printed, comet_program, source};
use super::turns::our_arguments;
use crate::agree::Agreement;
use crate::peers::ONE_THREAD;
use crate::setting::{Outcome, Setting, output_with, write};
use crate::text::shown;
use crate::timing::{median, shortest};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const PROCESSES: [u32; 4] = [1, 4, 16, 64];
/// What the bars of the page are about.
const MATRICES: [&str; 2] = ["ship_001", "laplacian58"];

const METHOD: &str = "seconds of a product, or of an iteration of CG, under SimGrid, with `--partition=auto`; of a run the shortest block \
    of repetitions, of all runs the median; in parentheses: how many times as fast as the first column";

/// A clock rate for which the simulated hosts compute as fast as this machine.
const OPTIONS: [&str; 3] =
    ["--cfg=smpi/host-speed:4Gf", "--cfg=smpi/privatization:dlopen", "--log=root.thres:critical"];

/// The times of all operations.
#[derive(Debug)]
pub(super) struct Speedups {
    processes: Vec<u32>,
    rows: Vec<SpeedupRow>,
}

#[derive(Debug)]
struct SpeedupRow {
    operation: &'static str,
    matrix: String,
    /// One for each number of processes.
    seconds: Vec<f64>,
}

/// What a simulated run needs.
struct Cluster {
    platform: PathBuf,
    hosts: PathBuf,
    runs: u32,
}

pub(super) fn run(setting: &Setting, arguments: &DistributedArguments) -> Outcome<Speedups> {
    let folder = tempfile::Builder::new().prefix("simulated-").tempdir_in(&setting.kept);
    let folder = folder.map_err(|error| format!("cannot create a folder for programs: {error}"))?;
    let processes = arguments.processes_or(&PROCESSES);
    let most = processes.iter().copied().max().unwrap_or(1);
    let cluster = Cluster {
        platform: arguments.platform.clone().unwrap_or_else(|| source("platform", "xml")),
        hosts: hosts(folder.path(), most)?,
        runs: setting.runs,
    };
    let named = if arguments.matrices.is_empty() {
        MATRICES.map(str::to_owned).to_vec()
    } else {
        arguments.matrices.clone()
    };
    let operations = programs(setting, &arguments.only, folder.path())?;
    let mut speedups = Speedups { processes, rows: Vec::new() };
    for (name, path) in chosen(setting, &named)? {
        let matrix = Matrix::read(setting, &name, &path)?;
        for (operation, program) in &operations {
            let seconds = cluster.times(operation, program, &matrix, &speedups.processes)?;
            speedups.rows.push(SpeedupRow { operation: operation.name, matrix: name.clone(), seconds });
        }
    }
    Ok(speedups)
}

/// The executables, linked by SimGrid's compiler.
fn programs(setting: &Setting, only: &str, folder: &Path) -> Outcome<Vec<(Operation, PathBuf)>> {
    let chosen = [SPMM, SPGEMM, CG].into_iter().filter(|operation| operation.name.contains(only));
    let built = chosen.map(|operation| {
        let (options, compiler) = (["--partition=auto"], [("CC", "smpicc")]);
        let program = comet_program(setting, operation.program, folder, &options, &compiler);
        let program = program.map_err(|error| format!("`libsimgrid-dev` and `simgrid` are needed: {error}"));
        Ok((operation, program?))
    });
    built.collect()
}

/// A file with the names of the hosts.
fn hosts(folder: &Path, count: u32) -> Outcome<PathBuf> {
    let path = folder.join("hosts");
    write(&path, (0..count).map(|host| format!("node-{host}\n")).collect::<String>())?;
    Ok(path)
}

impl Cluster {
    fn times(
        &self,
        operation: &Operation,
        program: &Path,
        matrix: &Matrix,
        processes: &[u32],
    ) -> Outcome<Vec<f64>> {
        let mut expected: Option<f64> = None;
        let time = |count: &u32| {
            let mut times = Vec::new();
            for _ in 0..self.runs {
                let printed = self.start(*count, operation, program, matrix)?;
                let sum = *expected.get_or_insert(printed.sum);
                if !Agreement::within(operation.tolerance, &[sum]).holds(sum, printed.sum) {
                    let (name, found) = (operation.name, printed.sum);
                    return Err(format!("{name} on {count} processes: the sum is {found}, and was {sum}"));
                }
                times.push(shortest(&printed.seconds));
            }
            Ok(median(times))
        };
        processes.iter().map(time).collect()
    }

    fn start(&self, count: u32, operation: &Operation, program: &Path, matrix: &Matrix) -> Outcome<Printed> {
        let mut words: Vec<OsString> = vec!["-np".into(), count.to_string().into()];
        words.extend(["-platform".into(), self.platform.clone().into()]);
        words.extend(["-hostfile".into(), self.hosts.clone().into()]);
        words.extend(OPTIONS.map(OsString::from));
        words.push(program.into());
        words.extend(our_arguments(operation, matrix)?);
        Printed::parse(&output_with(Path::new("smpirun"), &words, &ONE_THREAD)?, operation.blocks)
    }
}

impl SpeedupRow {
    fn cells(&self) -> Vec<String> {
        let first = self.seconds[0];
        let timed = self.seconds.iter().enumerate().map(|(number, seconds)| match number {
            0 => shown(*seconds),
            _ => format!("{} ({:.1})", shown(*seconds), first / seconds),
        });
        [self.operation.to_owned(), self.matrix.clone()].into_iter().chain(timed).collect()
    }
}

impl Speedups {
    /// For reading, and for a page: a table of Markdown.
    pub(super) fn text(&self) -> String {
        let counts = self.processes.iter().map(|count| format!(" P = {count} |")).collect::<String>();
        let rule = "|---".repeat(2 + self.processes.len());
        let rows = self.rows.iter().map(|row| format!("| {} |\n", row.cells().join(" | ")));
        format!("simulated: {METHOD}\n\n| | matrix |{counts}\n{rule}|\n{}", rows.collect::<String>())
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        let row = |row: &SpeedupRow| {
            let (operation, matrix) = (row.operation, &row.matrix);
            json!({ "operation": operation, "matrix": matrix, "seconds": row.seconds })
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        json!({ "bench": "simulated", "method": METHOD, "processes": self.processes, "rows": rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speedups_are_over_the_first_column() {
        let row = SpeedupRow { operation: "CG", matrix: "m".to_owned(), seconds: vec![0.02, 0.005] };
        let text = Speedups { processes: vec![1, 4], rows: vec![row] }.text();
        assert!(
            text.ends_with(
                "| | matrix | P = 1 | P = 4 |\n|---|---|---|---|\n| CG | m | 20.0 ms | 5.00 ms (4.0) |\n"
            ),
            "{text}"
        );
    }
}
