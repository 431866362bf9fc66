//! Every program of `test/run`, of `test/spatial/kernels` and of the documentation, or those of the folder
//! COMET_RUN, in every way: `test/README.md`.

use std::path::PathBuf;
use std::process::ExitCode;

use comet_harness::directives::Place;
use comet_harness::program::{Mode, Program, programs};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match all_programs() {
        Ok(programs) => {
            libtest_mimic::run(&arguments, programs.iter().flat_map(trials).collect()).exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn all_programs() -> Result<Vec<Program>, String> {
    if let Some(folder) = std::env::var_os("COMET_RUN") {
        return programs(&PathBuf::from(folder));
    }
    let tests = comet_harness::test_folder();
    let mut examples = programs(&tests.join("../compiler/docs/examples"))?;
    for example in &mut examples {
        example.directives.place = Place::Fresh;
        example.group = "examples/";
    }
    let mut kernels = programs(&tests.join("spatial/kernels"))?;
    for kernel in &mut kernels {
        kernel.group = "kernels/";
    }
    Ok([programs(&tests.join("run"))?, kernels, examples].concat())
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
