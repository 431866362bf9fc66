//! Which program this is: an executable, or a library that an interpreter has loaded.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A library that a process has loaded, and how the same command line is started again.
#[derive(Clone, Debug)]
pub struct Host {
    /// The file of the library.
    pub library: PathBuf,
    /// The interpreter, and what it needs in front of the arguments.
    pub command: Vec<OsString>,
}

static HOST: OnceLock<Host> = OnceLock::new();
/// The command line of this process, without the program.
static ARGUMENTS: OnceLock<Vec<OsString>> = OnceLock::new();

/// States that this process is an interpreter which has loaded the compiler. The first call decides.
pub fn set_host(host: Host) {
    HOST.get_or_init(|| host);
}

pub(crate) fn set_arguments(arguments: &[OsString]) {
    ARGUMENTS.get_or_init(|| arguments.iter().skip(1).cloned().collect());
}

/// The arguments behind the name of the program.
pub(crate) fn arguments() -> Vec<OsString> {
    ARGUMENTS.get().cloned().unwrap_or_default()
}

/// What starts this program once more: its file, or an interpreter with what it needs.
pub(crate) fn program() -> std::io::Result<Vec<OsString>> {
    match HOST.get() {
        Some(host) => Ok(host.command.clone()),
        None => std::env::current_exe().map(|path| vec![path.into_os_string()]),
    }
}

/// A command of a program and its arguments.
pub(crate) fn command(words: &[OsString]) -> Command {
    let (program, arguments) = words.split_first().expect("a command has a program");
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// The file that holds the compiler. On Linux an executable is the file itself, even where another one has
/// taken its place meanwhile.
pub(crate) fn file() -> Option<(PathBuf, Metadata)> {
    match HOST.get() {
        Some(Host { library, .. }) => Some((library.clone(), library.metadata().ok()?)),
        None => {
            let path = std::env::current_exe().ok()?;
            let about = Path::new("/proc/self/exe").metadata().or_else(|_| path.metadata()).ok()?;
            Some((path, about))
        }
    }
}
