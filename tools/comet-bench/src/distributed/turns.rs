//! comet and its peers on the same processes, in turn.

use super::DistributedArguments;
use super::inputs::{Matrix, chosen};
use super::operations::{Operation, SPGEMM, SPMM, SPMV};
use super::processes::{Printed, combblas, comet_program, on_processes, petsc};
use crate::agree::Agreement;
use crate::peers::Peer;
use crate::report::{Compared, Report, Row};
use crate::setting::{Outcome, Setting};
use crate::timing::{Pairs, median, shortest};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const METHOD: &str = "seconds of a product on several processes of one thread each, by the clock of the first; of a run the \
    shortest block of repetitions, of all runs the median; ratio: ours as a multiple of the peer's, the median of neighbouring runs";

const PETSC: &str = "PETSc";
const COMBBLAS: &str = "CombBLAS";

/// The peers and numbers of processes of an operation. CombBLAS takes squares.
fn contests(operation: &Operation) -> &'static [(&'static str, u32)] {
    if operation.has_sparse_result { &[(PETSC, 2), (COMBBLAS, 1), (COMBBLAS, 4)] } else { &[(PETSC, 2)] }
}

/// A program with its arguments.
struct Entrant {
    program: PathBuf,
    arguments: Vec<OsString>,
}

/// What is compared in one row.
struct Contest<'a> {
    operation: &'a Operation,
    peer: &'static str,
    processes: u32,
    case: String,
}

pub(super) fn run(setting: &Setting, arguments: &DistributedArguments) -> Outcome<Report> {
    let folder = tempfile::Builder::new().prefix("programs-").tempdir_in(&setting.kept);
    let folder = folder.map_err(|error| format!("cannot create a folder for programs: {error}"))?;
    let peers = [(PETSC, petsc(folder.path())), (COMBBLAS, combblas(folder.path()))];
    let missing = peers.iter().filter_map(|(_, peer)| peer.clone().err()).collect();
    let mut report = Report { bench: "distributed", method: METHOD, rows: Vec::new(), missing };
    let mut operations = Vec::new();
    for operation in [SPMV, SPMM, SPGEMM].into_iter().filter(|one| one.name.contains(&arguments.only)) {
        let ours = comet_program(setting, operation.program, folder.path(), &[], &[])?;
        operations.push((operation, ours));
    }
    for (name, path) in chosen(setting, &arguments.matrices)? {
        let matrix = Matrix::read(setting, &name, &path)?;
        for (operation, ours) in &operations {
            if operation.has_sparse_result && matrix.has_large_square() {
                report.missing.push(format!("{} of {name}: more than 2^26 entries", operation.name));
                continue;
            }
            report.rows.extend(rows(setting.runs, operation, &matrix, ours, &peers)?);
        }
    }
    Ok(report)
}

/// The rows of an operation on a matrix; without a peer, ours alone.
fn rows(
    runs: u32,
    operation: &Operation,
    matrix: &Matrix,
    ours: &Path,
    peers: &[(&'static str, Peer)],
) -> Outcome<Vec<Row>> {
    let ours = Entrant { program: ours.to_owned(), arguments: our_arguments(operation, matrix)? };
    let row = |&(peer, processes): &(&'static str, u32)| {
        let word = if processes == 1 { "process" } else { "processes" };
        let case = format!("{} {}, {processes} {word}", operation.name, matrix.name);
        let contest = Contest { operation, peer, processes, case };
        let there = peers.iter().find(|(name, _)| *name == peer).and_then(|(_, peer)| peer.as_ref().ok());
        match there {
            Some(program) => {
                let arguments = arguments_of(peer, operation, matrix)?;
                contest.compared(runs, &ours, &Entrant { program: program.clone(), arguments })
            }
            None => contest.alone(runs, &ours),
        }
    };
    contests(operation).iter().map(row).collect()
}

impl Contest<'_> {
    fn compared(self, runs: u32, ours: &Entrant, peer: &Entrant) -> Outcome<Row> {
        let mut pairs = Pairs::default();
        for _ in 0..runs {
            let (ours, peers) = (self.start(ours)?, self.start(peer)?);
            if !Agreement::on(&[peers.sum]).holds(ours.sum, peers.sum) {
                let (case, name) = (&self.case, self.peer);
                let (ours, peers) = (ours.sum, peers.sum);
                return Err(format!("{case}: the sum of squares is {ours}, and {peers} by {name}"));
            }
            pairs.push(shortest(&ours.seconds), shortest(&peers.seconds));
        }
        let (name, seconds, ratio) = (self.peer.to_owned(), pairs.peer(), pairs.ratio());
        let compared = Compared::Peer { name, seconds, ratio };
        Ok(Row { case: self.case, ours: pairs.ours(), compared, goal: self.operation.goal })
    }

    fn alone(self, runs: u32, ours: &Entrant) -> Outcome<Row> {
        let times = (0..runs).map(|_| Ok(shortest(&self.start(ours)?.seconds)));
        let ours = median(times.collect::<Outcome<Vec<f64>>>()?);
        Ok(Row { case: self.case, ours, compared: Compared::Nothing, goal: None })
    }

    fn start(&self, entrant: &Entrant) -> Outcome<Printed> {
        let printed = on_processes(self.processes, &entrant.program, &entrant.arguments)?;
        Printed::parse(&printed, self.operation.blocks)
    }
}

/// What the program of comet reads: a matrix, and a dense operand if it has one.
pub(super) fn our_arguments(operation: &Operation, matrix: &Matrix) -> Outcome<Vec<OsString>> {
    let input = |name: &str, path: PathBuf| {
        let mut argument = OsString::from(format!("--input={name}="));
        argument.push(path);
        argument
    };
    let mut arguments = vec!["--print=exact".into(), input("A", matrix.file()?)];
    if let Some(columns) = operation.columns {
        arguments.push(input("B", matrix.dense(columns)?));
    }
    Ok(arguments)
}

/// What the program of a peer reads: PETSc arrays in CSR, CombBLAS the file that comet reads, too.
fn arguments_of(peer: &str, operation: &Operation, matrix: &Matrix) -> Outcome<Vec<OsString>> {
    let mut arguments: Vec<OsString> = vec![operation.program.into()];
    if peer == COMBBLAS {
        arguments.push(matrix.file()?.into());
    } else {
        arguments.push(matrix.arrays()?.into());
        arguments.push(operation.columns.map_or(Ok(PathBuf::new()), |columns| matrix.dense(columns))?.into());
    }
    arguments.extend([operation.blocks, operation.repetitions].map(|count| count.to_string().into()));
    Ok(arguments)
}
