//! A test program, and every way in which it is run.

use std::path::{Path, PathBuf};

use comet_oracle::compare;

use crate::compiler::{self, End, Finished};
use crate::directives::{self, Directives, Expected};
use crate::oracle;

/// The ways to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `comet run -O0`.
    RunO0,
    /// `comet run -O3`.
    RunO3,
    /// `comet build`, and what it built.
    Build,
}

impl Mode {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::RunO0, Self::RunO3, Self::Build];

    /// The word for it in the name of a test.
    pub fn name(self) -> &'static str {
        match self {
            Self::RunO0 => "run-O0",
            Self::RunO3 => "run-O3",
            Self::Build => "build",
        }
    }
}

/// A file with its directives.
#[derive(Clone, Debug)]
pub struct Program {
    /// Absolute.
    pub path: PathBuf,
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

fn program(path: PathBuf) -> Result<Program, String> {
    let failed = |error: String| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(&path).map_err(|error| failed(error.to_string()))?;
    let directives = directives::parse(&text).map_err(failed)?;
    Ok(Program { path, text, directives })
}

impl Program {
    /// The file's name without its extension.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Does one of the runs in one of the ways.
    ///
    /// # Errors
    /// How what happened differs from what was expected.
    pub fn check(&self, run: usize, mode: Mode) -> Result<(), String> {
        let args = &self.directives.runs[run];
        let finished = self.execute(args, mode)?;
        match &self.directives.expected {
            Expected::Refusal(text) => refused(&finished, text),
            Expected::Output => {
                let expected = oracle::output(&self.text, args, &self.directives.variables)?;
                agrees(&finished, &expected, self.directives.tolerance)
            }
        }
    }

    fn execute(&self, args: &[String], mode: Mode) -> Result<Finished, String> {
        let comet = compiler::locate()?;
        let path = self.path.to_string_lossy().into_owned();
        let run = |level: &str| {
            let own = ["run", &path, level, "--print=exact"].map(String::from);
            compiler::run(&comet, &[&own, args].concat(), &self.directives.variables)
        };
        let finished = match mode {
            Mode::RunO0 => run("-O0"),
            Mode::RunO3 => run("-O3"),
            Mode::Build => self.build_and_run(&comet, &path, args),
        };
        finished.map_err(|error| format!("cannot run the compiler: {error}"))
    }

    /// Arguments that say how to compile go to `comet build`, the others to the executable.
    fn build_and_run(&self, comet: &Path, path: &str, args: &[String]) -> std::io::Result<Finished> {
        let folder = tempfile::tempdir()?;
        let executable = folder.path().join("program").to_string_lossy().into_owned();
        let (for_run, for_build) = split(args);
        let own = ["build", path, "-o", &executable].map(String::from);
        let built = compiler::run(comet, &[&own[..], &for_build].concat(), &self.directives.variables)?;
        if built.end != End::Exit(0) {
            return Ok(built);
        }
        let exact = ["--print=exact".to_string()];
        compiler::run(Path::new(&executable), &[&exact[..], &for_run].concat(), &self.directives.variables)
    }
}

/// The arguments that a built program takes (CLI.md), and the others.
fn split(args: &[String]) -> (Vec<String>, Vec<String>) {
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

fn refused(finished: &Finished, text: &str) -> Result<(), String> {
    if finished.end == End::Exit(1) && finished.stderr.contains(text) {
        return Ok(());
    }
    Err(format!("expected exit code 1 and `{text}` on standard error, found {}", report(finished)))
}

/// Whether a run ended well and printed what was expected.
///
/// # Errors
/// The first difference, with the whole of what was printed.
pub fn agrees(finished: &Finished, expected: &str, tolerance: f64) -> Result<(), String> {
    if finished.end != End::Exit(0) {
        return Err(format!("expected exit code 0, found {}", report(finished)));
    }
    let different = |mismatch| format!("{mismatch}\nexpected output:\n{expected}found {}", report(finished));
    compare(expected, &finished.stdout, tolerance).map_err(different)
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
