//! What holds for every benchmark: the program under test, folders, the number of runs, running a
//! process.

use clap::Args;
use comet_runtime::replace::replace;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A result, or why the benchmark cannot be done.
pub(crate) type Outcome<T> = Result<T, String>;

#[derive(Debug, Args)]
pub(crate) struct SettingArguments {
    /// The compiler under test; by default the one next to this program
    #[arg(long, global = true, value_name = "PATH")]
    comet: Option<PathBuf>,
    /// How often ours and the peer take turns; 10 times in `run`, elsewhere 7 when not given
    #[arg(long, alias = "rounds", global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    runs: Option<u32>,
}

/// Where and how it is measured.
#[derive(Debug)]
pub(crate) struct Setting {
    /// The program `comet`.
    pub(crate) comet: PathBuf,
    pub(crate) runs: u32,
    /// What may be kept from run to run: generated data, a peer's installation.
    pub(crate) kept: PathBuf,
}

impl Setting {
    /// With so many runs where none are given.
    ///
    /// # Errors
    /// A compiler that is not there.
    pub(crate) fn new(arguments: &SettingArguments, runs: u32) -> Outcome<Self> {
        let this = std::env::current_exe().map_err(|error| format!("this program's own path: {error}"))?;
        let profile = this.parent().ok_or("this program's path has no folder")?;
        let comet = arguments.comet.clone().unwrap_or_else(|| profile.join("comet"));
        if !comet.is_file() {
            let path = comet.display();
            return Err(format!(
                "there is no `{path}`: build it with `cargo build --release`, or name it with --comet"
            ));
        }
        let target = profile.parent().unwrap_or(profile);
        let kept = target.join("bench");
        create_folder(&kept)?;
        Ok(Self { comet, runs: arguments.runs.unwrap_or(runs), kept })
    }
}

pub(crate) fn create_folder(path: &Path) -> Outcome<()> {
    std::fs::create_dir_all(path)
        .map_err(|error| format!("cannot create the folder `{}`: {error}", path.display()))
}

pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Outcome<()> {
    replace(path, |file| file.write_all(content.as_ref()))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Runs a program to its end and returns its standard output.
///
/// # Errors
/// A program that cannot be started, or that fails, with what it said.
pub(crate) fn output<A: AsRef<OsStr>>(program: &Path, arguments: &[A]) -> Outcome<String> {
    output_with(program, arguments, &[])
}

/// The same with more variables in its environment.
pub(crate) fn output_with<A: AsRef<OsStr>>(
    program: &Path,
    arguments: &[A],
    variables: &[(&str, &str)],
) -> Outcome<String> {
    let failed = |reason: String| format!("`{}` {reason}", program.display());
    let output = Command::new(program).args(arguments).envs(variables.iter().copied()).output();
    let output = output.map_err(|error| failed(format!("cannot be started: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("failed ({}): {}", output.status, said.trim_end())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
