//! Standard output, buffered for the whole process and flushed before it ends.

use crate::distributed;
use crate::error::{Error, reason};
use crate::exit::fail;
use parking_lot::Mutex;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::fd::{AsFd as _, IntoRawFd as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Once, OnceLock};

/// Printed text above this goes to the system at once.
const CAPACITY: usize = 1 << 16;

/// Text is appended whole, so that a panic elsewhere leaves nothing half done.
static PENDING: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static AT_EXIT: Once = Once::new();
/// Whether this process was started without a standard output.
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    /// The C library's registration of functions that run when the process ends normally.
    safe fn atexit(function: extern "C" fn()) -> std::ffi::c_int;
}

/// Looks whether there is a standard output, before any file is opened. Where there is none, writing to it is
/// an error from now on, and no file takes its number.
pub fn check_open() {
    if io::stdout().as_fd().try_clone_to_owned().is_ok() {
        return;
    }
    note_closed();
    // The lowest numbers are taken first.
    while let Ok(file) = File::open("/dev/null") {
        if file.into_raw_fd() >= 1 {
            return;
        }
    }
}

/// From now on, writing to standard output is an error: whoever has started this process has closed it.
pub fn note_closed() {
    IS_CLOSED.store(true, Ordering::Relaxed);
}

/// True if standard output is reserved for one result, so that all other text goes to standard error.
static IS_RESERVED: AtomicBool = AtomicBool::new(false);

/// From now on, standard output is for what is written through [`StandardOutput`] alone: everything that is
/// printed otherwise is written to standard error.
pub fn reserve() {
    IS_RESERVED.store(true, Ordering::Relaxed);
}

/// Hands text to the system, in the first of several processes.
///
/// # Errors
/// A standard output that is closed or full. One whose reader has gone away, as `head` does, is no error.
pub fn print(text: &[u8]) -> io::Result<()> {
    if !IS_RESERVED.load(Ordering::Relaxed) {
        return send_result(text);
    }
    if distributed::is_first() {
        // Where standard error is closed, nobody is left to read it.
        let _ = io::stderr().write_all(text);
    }
    Ok(())
}

/// A writer of a result to standard output. Text that was printed before and is still buffered is written
/// first.
#[derive(Debug)]
pub struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        send(&mut PENDING.lock())?;
        send_result(text)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn send_result(text: &[u8]) -> io::Result<()> {
    if text.is_empty() || !distributed::is_first() {
        return Ok(());
    }
    if IS_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    let mut stdout = io::stdout().lock();
    let sent = stdout.write_all(text).and_then(|()| stdout.flush());
    sent.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
}

/// Appends to standard output. Ends the process where that cannot be written to.
pub fn write(text: &[u8]) {
    // A C program that calls kernels from a library never passes through `comet_rt_main`.
    AT_EXIT.call_once(|| {
        atexit(flush_at_exit);
    });
    end_if_refused(append(text));
}

/// Hands everything printed so far to the system. Ends the process, with exit code 1, where that is refused.
pub fn flush() {
    // The lock must be free again when the process ends, which flushes once more.
    let sent = send(&mut PENDING.lock());
    end_if_refused(sent);
}

/// Flushes like [`flush`] where the process ends for another reason already.
pub(crate) fn flush_before_end() {
    if let Err(error) = send(&mut PENDING.lock()) {
        tell_refused(&error);
    }
}

extern "C" fn flush_at_exit() {
    flush_before_end();
}

/// Rewrites messages, where somebody wants another form of them.
static REWRITE: OnceLock<fn(&str) -> String> = OnceLock::new();

/// From now on, messages pass through `rewrite` before they are written. The first call decides.
pub fn rewrite_messages(rewrite: fn(&str) -> String) {
    REWRITE.get_or_init(|| rewrite);
}

/// Writes a message to standard error, of several processes the first one alone. Where that is closed or
/// full, nobody is left to report it to.
pub fn tell(message: fmt::Arguments<'_>) {
    if distributed::is_first() {
        write_message(message);
    }
}

/// Writes why the program ends to standard error; of several processes the one whose failure it is.
pub fn report(error: fmt::Arguments<'_>) {
    if distributed::reports() {
        write_message(error);
    }
}

fn write_message(message: fmt::Arguments<'_>) {
    let text = message.to_string();
    let text = REWRITE.get().map_or(text.clone(), |rewrite| rewrite(&text));
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

fn append(text: &[u8]) -> io::Result<()> {
    let mut pending = PENDING.lock();
    pending.extend_from_slice(text);
    if pending.len() >= CAPACITY { send(&mut pending) } else { Ok(()) }
}

fn send(pending: &mut Vec<u8>) -> io::Result<()> {
    let sent = print(pending);
    pending.clear();
    sent
}

fn end_if_refused(sent: io::Result<()>) {
    if let Err(error) = sent {
        fail("", &Error::Option(refused(&error)));
    }
}

fn tell_refused(error: &io::Error) {
    report(format_args!("error: {}", refused(error)));
}

/// What messages say where standard output cannot be written to.
pub fn refused(error: &io::Error) -> String {
    format!("cannot write to standard output: {}", reason(error))
}
