//! `sparse`: operations on sparse matrices, next to SciPy, Eigen, MKL, GraphBLAS and MLIR's sparsifier.

mod check;
mod problem;
mod programs;

use crate::peers::ONE_THREAD;
use crate::report::{Compared, Report, Row};
use crate::rounds::{Pairs, median, shortest};
use crate::setting::{Outcome, Setting, create_folder, output_with};
use clap::Args;
use problem::Problem;
use programs::Program;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct SparseArguments {
    /// The matrices; by default ship_001, soc-slashdot0902 and memplus of the shared data
    matrices: Vec<PathBuf>,
    /// How often a process repeats an operation, at most
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(2..))]
    repetitions: u32,
    /// After how many seconds it repeats it no more, once it is done twice
    #[arg(long, value_name = "S", default_value = "0.3")]
    seconds: f64,
    /// Only the operations whose name holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
}

const METHOD: &str = "seconds from the operands to a complete result and its release on one thread, the shortest of a process, the median of \
    the processes; ratio: ours as a multiple of the peer's, the median of neighbouring processes; the goal is about the fastest peer";
/// What the project allows itself over the fastest peer: for products 1.05, and for those that are turned it
/// wants to be 1.3 times as fast.
fn goal(operation: &str) -> f64 {
    match operation {
        "spgemm" => 1.05,
        "spgemm-to-csc" => 1.0 / 1.3,
        _ => 1.2,
    }
}
const SHARED: &str = "../shared/data";
/// A finite-element matrix with dense blocks, a directed graph with a power law, a circuit with short rows.
const MATRICES: [&str; 3] = ["ship_001", "soc-slashdot0902", "memplus"];
const OPERATIONS: [&str; 7] =
    ["add", "multiply", "sddmm", "spgemm", "spgemm-to-csc", "coo-to-csr", "csr-to-csc"];

pub(crate) fn run(setting: &Setting, arguments: &SparseArguments) -> Outcome<Report> {
    let folder = setting.kept.join("sparse");
    create_folder(&folder)?;
    let mut report = Report { bench: "sparse", method: METHOD, rows: Vec::new(), missing: Vec::new() };
    let ours = programs::ours(setting, &folder)?;
    let peers = present(programs::peers(setting, &folder), &mut report.missing);
    for path in matrices(arguments, &mut report.missing) {
        let problem = Problem::prepare(setting, &path, &folder)?;
        let mut programs = peers.clone();
        programs.extend(present(vec![programs::mlir(&folder, &problem)], &mut report.missing));
        for operation in OPERATIONS.iter().filter(|operation| operation.contains(&arguments.only)) {
            if operation.starts_with("spgemm") && problem.rows != problem.columns {
                continue;
            }
            let bench = Bench { arguments, operation, problem: &problem, folder: &folder };
            report.rows.extend(bench.rows(&ours, &programs, setting.rounds)?);
        }
    }
    report.missing.sort();
    report.missing.dedup();
    Ok(report)
}

fn present(peers: Vec<Result<Program, String>>, missing: &mut Vec<String>) -> Vec<Program> {
    let told = |peer: Result<Program, String>| peer.map_err(|error| missing.push(error)).ok();
    peers.into_iter().filter_map(told).collect()
}

fn matrices(arguments: &SparseArguments, missing: &mut Vec<String>) -> Vec<PathBuf> {
    if !arguments.matrices.is_empty() {
        return arguments.matrices.clone();
    }
    let paths = MATRICES.iter().map(|name| Path::new(SHARED).join(format!("{name}.mtx.gz")));
    let (there, absent): (Vec<_>, Vec<_>) = paths.partition(|path| path.exists());
    let told = |path: PathBuf| format!("`{}` is not there, seen from this folder", path.display());
    missing.extend(absent.into_iter().map(told));
    there
}

/// An operation on a matrix.
struct Bench<'a> {
    arguments: &'a SparseArguments,
    operation: &'a str,
    problem: &'a Problem,
    folder: &'a Path,
}

impl Bench<'_> {
    /// One row a peer that has the operation, the fastest first.
    fn rows(&self, ours: &Program, peers: &[Program], rounds: u32) -> Outcome<Vec<Row>> {
        let mut alone = Vec::new();
        let mut compared: Vec<(&Program, Pairs)> = Vec::new();
        for round in 0..rounds {
            let our_time = self.time(ours, round == 0)?.ok_or("comet has every operation")?;
            alone.push(our_time);
            for peer in peers {
                let known = compared.iter().position(|(other, _)| other.name == peer.name);
                if round > 0 && known.is_none() {
                    continue;
                }
                let Some(time) = self.time(peer, round == 0)? else { continue };
                match known {
                    Some(number) => compared[number].1.push(our_time, time),
                    None => {
                        self.check(ours, peer)?;
                        let mut pairs = Pairs::default();
                        pairs.push(our_time, time);
                        compared.push((peer, pairs));
                    }
                }
            }
        }
        compared.sort_by(|(_, a), (_, b)| a.peer().total_cmp(&b.peer()));
        let case = format!("{}, {}", self.operation, self.problem.name);
        if compared.is_empty() {
            return Ok(vec![Row { case, ours: median(alone), compared: Compared::Nothing, goal: None }]);
        }
        let row = |(place, (peer, pairs)): (usize, (&Program, Pairs))| Row {
            case: case.clone(),
            ours: pairs.ours(),
            compared: Compared::Peer {
                name: peer.name.to_owned(),
                seconds: pairs.peer(),
                ratio: pairs.ratio(),
            },
            goal: (place == 0).then_some(goal(self.operation)),
        };
        Ok(compared.into_iter().enumerate().map(row).collect())
    }

    /// The shortest repetition of a process; nothing where the program has no such operation.
    fn time(&self, program: &Program, saves_result: bool) -> Outcome<Option<f64>> {
        let result = if saves_result { self.result(program).into_os_string() } else { "-".into() };
        let mut arguments = program.arguments.clone();
        arguments.push(self.operation.into());
        arguments.push(self.problem.folder.clone().into_os_string());
        arguments.push(self.arguments.repetitions.to_string().into());
        arguments.push(self.arguments.seconds.to_string().into());
        arguments.push(result);
        let printed = output_with(&program.path, &arguments, &ONE_THREAD)?;
        if printed.trim() == "none" {
            return Ok(None);
        }
        let times = printed.split_whitespace().map(str::parse).collect::<Result<Vec<f64>, _>>();
        match times {
            Ok(times) if !times.is_empty() => Ok(Some(shortest(&times))),
            _ => Err(self.failed(&format!("{} printed {printed:?}", program.name))),
        }
    }

    fn result(&self, program: &Program) -> PathBuf {
        self.folder.join(format!("result-{}", program.name))
    }

    fn check(&self, ours: &Program, peer: &Program) -> Outcome<()> {
        check::results_agree(&self.result(ours), &self.result(peer))
            .map_err(|error| self.failed(&format!("comet and {} differ: {error}", peer.name)))
    }

    fn failed(&self, error: &str) -> String {
        format!("{}, {}: {error}", self.operation, self.problem.name)
    }
}
