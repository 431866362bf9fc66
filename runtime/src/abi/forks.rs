//! Processes that were forked from one with threads, which have the memory of that one, and none of its
//! threads.

use std::ffi::c_int;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

static COUNT: AtomicUsize = AtomicUsize::new(0);

type Handler = Option<extern "C" fn()>;

unsafe extern "C" {
    /// The C library's registration of functions that run around `fork`.
    safe fn pthread_atfork(before: Handler, parent: Handler, child: Handler) -> c_int;
}

/// From now on, forks are counted.
pub(crate) fn follow() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        pthread_atfork(None, None, Some(count_one));
    });
}

extern "C" fn count_one() {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

/// Returns how many forks are between the process that has started threads and this one.
pub(crate) fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}
