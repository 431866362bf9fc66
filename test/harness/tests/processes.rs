//! The programs of `--test run` on several processes, or one of 24 of them without COMET_LONG:
//! `test/README.md`.

use std::process::ExitCode;

use comet_harness::is_long;
use comet_harness::processes::{Code, has_mpi};
use comet_harness::program::{Program, all};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match all() {
        Ok(programs) => {
            let trials = programs.iter().flat_map(trials).filter(|trial| is_taken(trial.name()));
            let is_skipped = !has_mpi();
            if is_skipped && !arguments.list {
                eprintln!("skipped: there is no MPI; `tools/setup --mpi` installs it");
            }
            let trials = trials.map(|trial| trial.with_ignored_flag(is_skipped)).collect();
            libtest_mimic::run(&arguments, trials).exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One for each run of the program, in memory and as an executable.
fn trials(program: &Program) -> Vec<Trial> {
    let codes = [(Code::InMemory, "in-memory"), (Code::Executable, "executable")];
    let runs = 0..program.directives.runs.len();
    let each = runs.flat_map(|run| codes.map(|(code, name)| (run, code, name)));
    each.map(|(run, code, name)| {
        let name = format!("{}{}-{}::{name}", program.group, program.name(), run + 1);
        let program = program.clone();
        Trial::test(name, move || program.check_on_processes(run, code, counts()).map_err(Failed::from))
    })
    .collect()
}

fn counts() -> &'static [u64] {
    if is_long() { &[2, 3, 4, 7] } else { &[3] }
}

/// Whether a test is among those that are always run: to start three processes several times takes as long
/// as all other ways.
fn is_taken(name: &str) -> bool {
    is_long() || name.bytes().map(usize::from).sum::<usize>().is_multiple_of(24)
}
