//! Every program of `test/run`, of `test/spatial/kernels` and of the documentation, or those of the folder
//! COMET_RUN, in every way: `test/README.md`.

use std::process::ExitCode;

use comet_harness::program::{Mode, Program, all};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match all() {
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
    let modes: Vec<Mode> = Mode::ALL.into_iter().filter(|mode| program.has(*mode)).collect();
    runs.flat_map(|run| modes.iter().map(move |mode| trial(program.clone(), run, *mode))).collect()
}

fn trial(program: Program, run: usize, mode: Mode) -> Trial {
    let number = if program.directives.runs.len() > 1 { format!("-{}", run + 1) } else { String::new() };
    let name = format!("{}{}{number}::{}", program.group, program.name(), mode.name());
    Trial::test(name, move || program.check(run, mode).map_err(Failed::from))
}
