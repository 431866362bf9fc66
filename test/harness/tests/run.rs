//! Every program of `test/run`, or of the folder COMET_RUN, in every way: `test/README.md`.

use std::path::PathBuf;
use std::process::ExitCode;

use comet_harness::program::{Mode, Program, programs};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = std::env::var_os("COMET_RUN").map(PathBuf::from);
    match programs(&folder.unwrap_or_else(|| comet_harness::test_folder().join("run"))) {
        Ok(programs) => {
            libtest_mimic::run(&arguments, programs.iter().flat_map(trials).collect()).exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// One for each run of the program and each way.
fn trials(program: &Program) -> Vec<Trial> {
    let runs = 0..program.directives.runs.len();
    let all = runs.flat_map(|run| Mode::ALL.map(|mode| trial(program.clone(), run, mode)));
    all.collect()
}

fn trial(program: Program, run: usize, mode: Mode) -> Trial {
    let number = if program.directives.runs.len() > 1 { format!("-{}", run + 1) } else { String::new() };
    let name = format!("{}{number}::{}", program.name(), mode.name());
    Trial::test(name, move || program.check(run, mode).map_err(Failed::from))
}
