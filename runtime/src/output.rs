//! Standard output, buffered for the whole process and flushed before it ends.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Printed text above this goes to the system at once.
const CAPACITY: usize = 1 << 16;

static PENDING: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static AT_EXIT: Once = Once::new();

unsafe extern "C" {
    /// The C library's registration of functions that run when the process ends normally.
    safe fn atexit(function: extern "C" fn()) -> std::ffi::c_int;
}

/// Appends to standard output.
pub fn write(text: &[u8]) {
    // A C program that calls kernels from a library never passes through `comet_rt_main`.
    AT_EXIT.call_once(|| {
        atexit(flush_at_exit);
    });
    let mut pending = pending();
    pending.extend_from_slice(text);
    if pending.len() >= CAPACITY {
        send(&mut pending);
    }
}

/// Hands everything printed so far to the system.
pub fn flush() {
    send(&mut pending());
}

extern "C" fn flush_at_exit() {
    flush();
}

fn pending() -> MutexGuard<'static, Vec<u8>> {
    // Text is appended whole, so that a panic elsewhere leaves nothing half done.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A reader that has gone away, as `head` does, is no error of the program.
fn send(pending: &mut Vec<u8>) {
    let mut stdout = std::io::stdout().lock();
    let sent = stdout.write_all(pending).and_then(|()| stdout.flush());
    pending.clear();
    match sent {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
        }
        _ => {}
    }
}
