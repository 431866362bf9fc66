//! Finds the `comet` program and runs it, or what it built, with a limit of time.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What runs longer than this hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// What a process left.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// How it ended.
    pub end: End,
}

impl Finished {
    /// Whether standard error has a text. One that begins with a place, `a.ta:9:5: message`, may also stand
    /// as messages with an excerpt have it: the message, and the place in the line behind it.
    pub fn reports(&self, text: &str) -> bool {
        let is_excerpt = |(place, message): (&str, &str)| {
            let mut lines = self.stderr.lines().skip_while(|line| !line.contains(message));
            place.contains(':')
                && lines.nth(1).is_some_and(|line| line.contains("--> ") && line.ends_with(place))
        };
        self.stderr.contains(text) || text.split_once(": ").is_some_and(is_excerpt)
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With an exit code.
    Exit(i32),
    /// By a signal.
    Signal(i32),
    /// It was ended because it ran for too long.
    TimeOut,
}

/// The `comet` program: `COMET`, or what lies next to the running test in the target folder.
///
/// # Errors
/// A sentence that says where it was looked for and how to get it.
pub fn locate() -> Result<PathBuf, String> {
    find("comet", "COMET")
}

/// The `comet-opt` program: `COMET_OPT`, or what lies next to the running test in the target folder.
///
/// # Errors
/// A sentence that says where it was looked for and how to get it.
pub fn locate_opt() -> Result<PathBuf, String> {
    find("comet-opt", "COMET_OPT")
}

fn find(program: &str, variable: &str) -> Result<PathBuf, String> {
    let place = match std::env::var_os(variable) {
        Some(path) => PathBuf::from(path),
        None => beside_test(program).ok_or_else(|| {
            format!("the path of the running test has no target folder in it; set {variable}")
        })?,
    };
    match place.canonicalize() {
        Ok(place) if place.is_file() => Ok(place),
        _ => Err(format!(
            "there is no `{program}` program at `{}`: build it with `cargo build -p {program}` for the same profile and target \
             folder, or say where it is with {variable}=PATH",
            place.display()
        )),
    }
}

/// Tests are in `target/PROFILE/deps`, programs in `target/PROFILE`.
fn beside_test(program: &str) -> Option<PathBuf> {
    let test = std::env::current_exe().ok()?;
    Some(test.parent()?.parent()?.join(program))
}

/// The arguments that have a program run on so many processes.
pub fn on_ranks(ranks: u64) -> Vec<String> {
    vec!["--ranks".to_owned(), ranks.to_string()]
}

/// The variables that have processes divide modes however short they are. What MPI's compiler makes is kept:
/// it takes longer than most programs.
pub fn dividing_everything() -> Vec<(String, String)> {
    let cache = std::env::temp_dir().join("comet-ranks").to_string_lossy().into_owned();
    [("COMET_DIVIDE_FROM", "1"), ("COMET_CACHE_DIR", &cache)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec()
}

/// Runs a program in the folder `home` with those arguments and additional environment variables. Unless
/// these say otherwise, code that it compiles is kept nowhere behind its end.
///
/// # Errors
/// What keeps it from starting.
pub fn run<A: AsRef<OsStr>>(
    program: &Path,
    args: &[A],
    variables: &[(String, String)],
    home: &Path,
) -> io::Result<Finished> {
    run_within(program, args, variables, home, LIMIT)
}

/// [`run`] with another limit of time.
///
/// # Errors
/// What keeps it from starting.
pub fn run_within<A: AsRef<OsStr>>(
    program: &Path,
    args: &[A],
    variables: &[(String, String)],
    home: &Path,
    limit: Duration,
) -> io::Result<Finished> {
    let folder = tempfile::tempdir()?;
    // Files and not pipes: a process that prints a lot must not wait for its reader.
    let (out, err) = (folder.path().join("out"), folder.path().join("err"));
    let mut command = Command::new(program);
    command.args(args).current_dir(home).stdin(Stdio::null());
    command.env("COMET_CACHE_DIR", folder.path().join("cache"));
    command.envs(variables.iter().cloned()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let end = wait(command, limit)?;
    let text = |path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(Finished { stdout: text(&out)?, stderr: text(&err)?, end })
}

fn wait(mut command: Command, limit: Duration) -> io::Result<End> {
    let mut child = command.spawn()?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(end(status));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    child.kill()?;
    child.wait()?;
    Ok(End::TimeOut)
}

fn end(status: ExitStatus) -> End {
    let signal = || End::Signal(status.signal().unwrap_or_default());
    status.code().map_or_else(signal, End::Exit)
}
