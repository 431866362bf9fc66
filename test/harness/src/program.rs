//! A test program, and every way in which it is run.

use std::path::{Path, PathBuf};

use comet_oracle::{Tolerance, compare};
use tempfile::TempDir;

use crate::compiler::{self, End, Finished};
use crate::directives::{self, Directives, Expected, OnMachine, Place};
use crate::{is_long, oracle};

/// The ways to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `comet run -O0`.
    RunO0,
    /// `comet run -O3`.
    RunO3,
    /// `comet build`, and what it built.
    Build,
    /// `comet sim`.
    Sim,
    /// `comet sim --target=spatial`.
    Spatial,
}

impl Mode {
    /// Every way.
    pub const ALL: [Self; 5] = [Self::RunO0, Self::RunO3, Self::Build, Self::Sim, Self::Spatial];

    /// The word for it in the name of a test.
    pub fn name(self) -> &'static str {
        match self {
            Self::RunO0 => "run-O0",
            Self::RunO3 => "run-O3",
            Self::Build => "build",
            Self::Sim => "sim",
            Self::Spatial => "spatial",
        }
    }
}

/// A file with its directives.
#[derive(Clone, Debug)]
pub struct Program {
    /// Absolute.
    pub path: PathBuf,
    /// What stands in front of its name in the list of tests.
    pub group: &'static str,
    /// The file's text.
    pub text: String,
    /// What it asks for.
    pub directives: Directives,
}

/// All programs of a folder, by name.
///
/// # Errors
/// A folder or file that cannot be read, a directive that is none.
pub fn programs(folder: &Path) -> Result<Vec<Program>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let folder = folder.canonicalize().map_err(failed)?;
    let entries =
        folder.read_dir().and_then(|entries| entries.collect::<Result<Vec<_>, _>>()).map_err(failed)?;
    let mut paths = entries.into_iter().map(|entry| entry.path()).collect::<Vec<_>>();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ta"));
    paths.sort();
    paths.into_iter().map(program).collect()
}

/// Those of `test/run`, of `test/spatial/kernels` and of the documentation, or those of the folder COMET_RUN.
///
/// # Errors
/// The errors of [`programs`].
pub fn all() -> Result<Vec<Program>, String> {
    if let Some(folder) = std::env::var_os("COMET_RUN") {
        return programs(&PathBuf::from(folder));
    }
    let tests = crate::test_folder();
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

fn program(path: PathBuf) -> Result<Program, String> {
    let failed = |error: String| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    let directives = directives::parse(&text).map_err(failed)?;
    Ok(Program { path, group: "", text, directives })
}

impl Program {
    /// The file's name without its extension.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether it is to be run in that way.
    pub fn has(&self, mode: Mode) -> bool {
        match mode {
            Mode::Build => is_long() || self.is_built(),
            Mode::Sim => self.directives.on_graphs != OnMachine::Left,
            Mode::Spatial => self.directives.on_spatial != OnMachine::Left,
            _ => true,
        }
    }

    /// Whether its executable is among those that are always tested: to build one takes as long as all other
    /// ways, for code that `comet run` makes as well. Those that read the environment are, and some others.
    fn is_built(&self) -> bool {
        let sum = self.name().bytes().map(usize::from).sum::<usize>();
        !self.directives.variables.is_empty() || sum.is_multiple_of(8)
    }

    /// Does one of the runs in one of the ways.
    ///
    /// # Errors
    /// How what happened differs from what was expected.
    pub fn check(&self, run: usize, mode: Mode) -> Result<(), String> {
        let comet = compiler::locate()?;
        let inputs = self.inputs(&comet, run)?;
        let (args, home) = (&inputs.args, &inputs.home);
        let execution = Execution { comet: &comet, home, args };
        let finished = self.execute(execution, mode).map_err(not_started)?;
        let machine = match mode {
            Mode::Sim => &self.directives.on_graphs,
            Mode::Spatial => &self.directives.on_spatial,
            _ => &OnMachine::Same,
        };
        if let OnMachine::Refused(text) = machine {
            return refused(&finished, text);
        }
        match &self.directives.expected {
            Expected::Error(text) | Expected::NotSupported(text) => refused(&finished, text),
            Expected::Success => succeeded(&finished),
            Expected::Output => {
                let expected = oracle::output(&self.text, args, &self.directives.variables, home)?;
                agrees(&finished, &expected, self.directives.tolerance)
            }
        }
    }

    /// Runs it in one of the ways with arguments that name its inputs, and compares with the oracle.
    ///
    /// # Errors
    /// How what happened differs from what was expected.
    pub fn check_with(&self, args: &[String], mode: Mode) -> Result<(), String> {
        let (comet, home) = (compiler::locate()?, crate::test_folder());
        let execution = Execution { comet: &comet, home: &home, args };
        let finished = self.execute(execution, mode).map_err(not_started)?;
        let expected = oracle::output(&self.text, args, &self.directives.variables, &home)?;
        agrees(&finished, &expected, self.directives.tolerance)
    }

    /// Makes what one of the runs is given.
    pub(crate) fn inputs(&self, comet: &Path, run: usize) -> Result<Inputs, String> {
        let fresh = tempfile::tempdir().map_err(|error| error.to_string())?;
        let home = match self.directives.place {
            Place::Tests => crate::test_folder(),
            Place::Fresh => fresh.path().to_owned(),
        };
        let args = [self.generate(comet, fresh.path())?, self.directives.runs[run].clone()].concat();
        Ok(Inputs { args, home, _fresh: fresh })
    }

    /// Makes the files that `comet gen` makes; returns the arguments that name them.
    fn generate(&self, comet: &Path, folder: &Path) -> Result<Vec<String>, String> {
        let mut inputs = Vec::new();
        for file in &self.directives.generated {
            let path = folder.join(&file.file).to_string_lossy().into_owned();
            let args = [&["gen".to_string()], &file.args[..], &["-o".to_string(), path.clone()]].concat();
            let finished = compiler::run(comet, &args, &[], folder).map_err(not_started)?;
            succeeded(&finished).map_err(|error| format!("comet {}: {error}", args.join(" ")))?;
            inputs.extend(["--input".to_string(), format!("{}={path}", file.input)]);
        }
        Ok(inputs)
    }

    fn execute(&self, execution: Execution<'_>, mode: Mode) -> std::io::Result<Finished> {
        match mode {
            Mode::RunO0 => self.run(execution, &["run"], "-O0"),
            Mode::RunO3 => self.run(execution, &["run"], "-O3"),
            Mode::Sim => self.run(execution, &["sim"], "-O0"),
            Mode::Spatial => self.run(execution, &["sim", "--target=spatial"], "-O0"),
            Mode::Build => self.build_and_run(execution),
        }
    }

    fn run(
        &self,
        Execution { comet, home, args }: Execution<'_>,
        command: &[&str],
        level: &str,
    ) -> std::io::Result<Finished> {
        let own = [&self.path.to_string_lossy(), level, "--print=exact"].map(String::from);
        let command: Vec<String> = command.iter().copied().map(String::from).collect();
        compiler::run(comet, &[&command, &own[..], args].concat(), &self.directives.variables, home)
    }

    /// Arguments that say how to compile go to `comet build`, the others to the executable.
    fn build_and_run(&self, Execution { comet, home, args }: Execution<'_>) -> std::io::Result<Finished> {
        let folder = tempfile::tempdir()?;
        let executable = folder.path().join("program").to_string_lossy().into_owned();
        let (for_run, for_build) = split(args);
        let own = ["build", &self.path.to_string_lossy(), "-o", &executable].map(String::from);
        let variables = &self.directives.variables;
        let built = compiler::run(comet, &[&own[..], &for_build].concat(), variables, home)?;
        if built.end != End::Exit(0) {
            return Ok(built);
        }
        let exact = ["--print=exact".to_string()];
        compiler::run(Path::new(&executable), &[&exact[..], &for_run].concat(), variables, home)
    }
}

/// What a run is given.
pub(crate) struct Inputs {
    pub(crate) args: Vec<String>,
    /// The working folder.
    pub(crate) home: PathBuf,
    /// Where generated files are.
    _fresh: TempDir,
}

/// What all ways of running a program need.
#[derive(Clone, Copy)]
struct Execution<'a> {
    comet: &'a Path,
    /// The working folder.
    home: &'a Path,
    args: &'a [String],
}

pub(crate) fn not_started(error: std::io::Error) -> String {
    format!("cannot run the compiler: {error}")
}

/// The arguments that a built program takes (CLI.md), and the others.
pub(crate) fn split(args: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut for_run, mut for_build) = (Vec::new(), Vec::new());
    let mut args = args.iter().peekable();
    while let Some(arg) = args.next() {
        let flag = arg.split('=').next().unwrap_or_default();
        let side = match flag {
            "--input" | "--threads" | "--tns" | "--print" => &mut for_run,
            _ => &mut for_build,
        };
        side.push(arg.clone());
        side.extend(
            args.next_if(|next| arg.starts_with("--") && flag == arg && !next.starts_with('-')).cloned(),
        );
    }
    (for_run, for_build)
}

pub(crate) fn refused(finished: &Finished, text: &str) -> Result<(), String> {
    if finished.end == End::Exit(1) && finished.reports(text) {
        return Ok(());
    }
    Err(format!("expected exit code 1 and `{text}` on standard error, found {}", report(finished)))
}

/// Whether a run ended well and printed what was expected.
///
/// # Errors
/// The first difference, with the whole of what was printed.
pub fn agrees(finished: &Finished, expected: &str, tolerance: impl Into<Tolerance>) -> Result<(), String> {
    succeeded(finished)?;
    let different = |mismatch| format!("{mismatch}\nexpected output:\n{expected}found {}", report(finished));
    compare(expected, &finished.stdout, tolerance).map_err(different)
}

fn succeeded(finished: &Finished) -> Result<(), String> {
    match finished.end {
        End::Exit(0) => Ok(()),
        _ => Err(format!("expected exit code 0, found {}", report(finished))),
    }
}

fn report(finished: &Finished) -> String {
    let Finished { stdout, stderr, end } = finished;
    format!("{end:?}\nstandard output:\n{stdout}standard error:\n{stderr}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_where_they_are_understood() {
        let args = ["--input", "0=a.mtx", "--schedule", "order(i)", "--tns=comet", "-O1", "--input=1=b"];
        let (for_run, for_build) = split(&args.map(String::from));
        assert_eq!(for_run, ["--input", "0=a.mtx", "--tns=comet", "--input=1=b"]);
        assert_eq!(for_build, ["--schedule", "order(i)", "-O1"]);
    }
}
