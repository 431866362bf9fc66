//! Signals that end a process: what it was writing goes first. Only programs of ours install handlers; a
//! library leaves the signals to the process that it is loaded into.

use parking_lot::Mutex;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Once};

/// Files and folders that are there for a while only.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Has SIGHUP, SIGINT and SIGTERM remove what is unfinished before they end this process, and a limit of the
/// size of files be an error of writing.
pub fn handle() {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(|| {
        // With a handler, the system refuses the write instead of ending the process. Where a handler cannot
        // be installed, the signal does what it does.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
        let ignored = ignored();
        let ending = [SIGHUP, SIGINT, SIGTERM];
        let ending = ending.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = Signals::new(ending) else { return };
        let waiting = std::thread::Builder::new().name("signals".to_owned());
        let _ = waiting.spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end_by(signal);
            }
        });
    });
}

/// The signals that are ignored already, as `nohup` has it, one bit each.
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

fn end_by(signal: i32) {
    // Nothing more is created while this is held.
    let paths = TEMPORARY.lock();
    for path in paths.iter() {
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    let _ = emulate_default_handler(signal);
}

/// Creates a file or a folder that a signal removes until it is forgotten.
///
/// # Errors
/// What `create` fails with.
pub fn create<T>(path: &Path, create: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let mut paths = TEMPORARY.lock();
    let created = create()?;
    paths.push(path.to_owned());
    Ok(created)
}

/// Leaves a path alone from now on.
pub fn forget(path: &Path) {
    TEMPORARY.lock().retain(|other| other != path);
}
