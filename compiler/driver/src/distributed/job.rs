//! `comet run --ranks N`: the job of `mpirun`, whose messages and exit code become those of this process.

use super::functions;
use crate::failure::{Failure, Result};
use crate::own;
use comet_backend_cpu::native::end_with_parent;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};

/// Starts the job, and waits for its end.
///
/// # Errors
/// The user's where there is no `mpirun`, and where a process has ended without a word.
pub(crate) fn run_job(ranks: u32) -> Result<()> {
    if ranks > MOST_RANKS {
        let message = format!("at most {MOST_RANKS} processes are started on one machine, found {ranks}");
        return Err(Failure::hinted(message, "start more with `mpirun` or `srun`, and `--distributed`"));
    }
    let launcher = Launcher::find()?;
    // Compiled once, for all of them.
    functions::prepare()?;
    let mut child = launcher.start(ranks)?;
    let has_reported = forward_messages(&mut child);
    let status = child.wait().map_err(|error| Failure::internal(format!("`mpirun` is lost: {error}")))?;
    match (status.success(), has_reported) {
        (true, _) => Ok(()),
        (false, true) => std::process::exit(code(status)),
        (false, false) => Err(Failure::plain(format!("a process of the job has ended: {}", cause(status)))),
    }
}

/// More would wait for each other rather than compute.
const MOST_RANKS: u32 = 1024;

/// What starts processes.
struct Launcher {
    program: OsString,
    implementation: Implementation,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Implementation {
    OpenMpi,
    Other,
}

impl Launcher {
    /// `COMET_MPIRUN`, or `mpirun`.
    fn find() -> Result<Self> {
        let given = std::env::var_os("COMET_MPIRUN").filter(|value| !value.is_empty());
        let program = given.unwrap_or_else(|| "mpirun".into());
        let shown = Command::new(&program).arg("--version").stdin(Stdio::null()).output();
        let shown = shown.map_err(|error| {
            let message = format!("cannot run `{}`, which starts the processes: {error}", program.display());
            let hint = "install MPI, `apt-get install openmpi-bin libopenmpi-dev` on Debian and Ubuntu, or name its \
                        program in the environment variable `COMET_MPIRUN`";
            Failure::hinted(message, hint)
        })?;
        let text = String::from_utf8_lossy(&shown.stdout).into_owned();
        let is_open = text.contains("Open MPI") || text.contains("OpenRTE");
        let implementation = if is_open { Implementation::OpenMpi } else { Implementation::Other };
        Ok(Self { program, implementation })
    }

    fn start(&self, ranks: u32) -> Result<Child> {
        let own = own::program().map_err(|error| Failure::internal(format!("no program: {error}")))?;
        let mut command = Command::new(&self.program);
        if self.implementation == Implementation::OpenMpi {
            // Words of its own stand around an error of ours otherwise.
            command.arg("-q");
            // One machine may have fewer cores than there are ranks, and no other user than root.
            for (name, value) in OPEN_MPI {
                if std::env::var_os(name).is_none() {
                    command.env(name, value);
                }
            }
        }
        command.arg("-n").arg(ranks.to_string()).args(own).args(arguments_of_rank());
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        let started = end_with_parent(&mut command).spawn();
        started.map_err(|error| Failure::plain(format!("cannot run `{}`: {error}", self.program.display())))
    }
}

const OPEN_MPI: [(&str, &str); 6] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    // Each process has threads.
    ("OMPI_MCA_hwloc_base_binding_policy", "none"),
    ("PRTE_MCA_hwloc_default_binding_policy", "none"),
];

/// This process's arguments, with `--distributed` in the place of `--ranks`.
fn arguments_of_rank() -> Vec<OsString> {
    let mut arguments = Vec::new();
    let mut given = own::arguments().into_iter();
    while let Some(argument) = given.next() {
        if argument == "--ranks" {
            given.next();
        } else if !argument.as_bytes().starts_with(b"--ranks=") {
            arguments.push(argument);
        }
    }
    arguments.push("--distributed".into());
    arguments
}

/// Hands on what the processes write to standard error; returns whether there was an error.
fn forward_messages(child: &mut Child) -> bool {
    let mut has_error = false;
    let Some(messages) = child.stderr.take() else { return false };
    let mut messages = BufReader::new(messages);
    let mut line = Vec::new();
    while messages.read_until(b'\n', &mut line).is_ok_and(|count| count > 0) {
        has_error |= is_error(&line);
        // Where standard error is closed, nobody is left to read it.
        let _ = std::io::stderr().write_all(&line);
        line.clear();
    }
    has_error
}

/// Whether a line is an error in one of the forms of messages.
fn is_error(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let text = console_text(&text);
    text.starts_with("error") || text.contains(": error: ") || text.contains("\"severity\":\"error\"")
}

/// A line without the colors of terminals in front of it.
fn console_text(line: &str) -> &str {
    let mut line = line;
    while let Some(rest) = line.strip_prefix("\u{1b}[") {
        line = rest.split_once('m').map_or("", |(_, rest)| rest);
    }
    line
}

fn code(status: ExitStatus) -> i32 {
    status.code().filter(|code| (1..=2).contains(code)).unwrap_or(1)
}

/// Why a process has ended: shells and `mpirun` add 128 to the number of a signal.
fn cause(status: ExitStatus) -> String {
    let signal =
        status.signal().or_else(|| status.code().map(|code| code - 128).filter(|signal| *signal > 0));
    match (signal, status.code()) {
        (Some(signal), _) => format!("signal {signal}{}", name_of(signal)),
        (None, Some(code)) => format!("exit code {code}"),
        (None, None) => "nobody knows why".to_owned(),
    }
}

fn name_of(signal: i32) -> &'static str {
    match signal {
        4 => " (illegal instruction)",
        6 => " (aborted)",
        7 => " (bus error)",
        9 => " (killed)",
        11 => " (segmentation fault)",
        15 => " (terminated)",
        _ => "",
    }
}
