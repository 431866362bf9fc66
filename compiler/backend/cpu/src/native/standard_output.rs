//! Whether `comet` was started with a standard output. Rust's start of a program opens `/dev/null` in the
//! place of one that is closed, so that this is seen only before.

use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether standard output was closed when this process was started.
pub fn was_closed() -> bool {
    CHECK();
    WAS_CLOSED.load(Ordering::Relaxed)
}

// SAFETY: the section holds addresses of functions that the C library calls before `main`; this one only
// duplicates a file descriptor.
#[unsafe(link_section = ".init_array")]
#[used]
static CHECK: extern "C" fn() = check;

extern "C" fn check() {
    if std::io::stdout().as_fd().try_clone_to_owned().is_err() {
        WAS_CLOSED.store(true, Ordering::Relaxed);
    }
}
