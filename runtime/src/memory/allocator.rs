//! Allocators of the calls of kernels: memory that belongs to the caller.

use super::array::with_any_content;
use super::available::check_available;
use super::pages::prefer_large_pages;
use std::cell::Cell;
use std::ffi::c_void;

thread_local! {
    static ALLOCATOR: Cell<Option<Allocator>> = const { Cell::new(None) };
}

/// Where the arrays of a kernel's call come from: `comet_call` in `include/comet.h`.
#[derive(Clone, Copy, Debug)]
pub struct Allocator {
    /// Handed to both functions.
    pub context: *mut c_void,
    /// So many bytes, aligned so, of any content; null where there are none.
    pub allocate: extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    /// Takes back what `allocate` gave.
    pub release: extern "C" fn(*mut c_void, *mut c_void),
    /// Where both may be called.
    pub threads: AllocatorThreads,
}

/// The threads that an allocator may be called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocatorThreads {
    /// That of the call.
    Own,
    /// Any, several at the same time.
    All,
}

/// The C library's `aligned_alloc` and `free`.
pub(crate) fn c_allocator() -> Allocator {
    let threads = AllocatorThreads::All;
    Allocator { context: std::ptr::null_mut(), allocate: c_allocate, release: c_release, threads }
}

unsafe extern "C" {
    fn aligned_alloc(alignment: usize, bytes: usize) -> *mut c_void;
    fn free(start: *mut c_void);
}

extern "C" fn c_allocate(_context: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void {
    // Not aligned to large pages: the C library maps such memory anew each time, and the system clears it.
    let Some(rounded) = bytes.checked_next_multiple_of(alignment) else { return std::ptr::null_mut() };
    if check_available(rounded, &"").is_err() {
        return std::ptr::null_mut();
    }
    // SAFETY: the alignment is a power of two, and the size a multiple of it.
    let start = unsafe { aligned_alloc(alignment, rounded) };
    if start.is_null() {
        return start;
    }
    prefer_large_pages(start.cast(), rounded);
    // SAFETY: the bytes were given just now, and nobody else has them.
    unsafe { with_any_content(start.cast()) }.cast()
}

extern "C" fn c_release(_context: *mut c_void, start: *mut c_void) {
    // SAFETY: `c_allocate` has given it.
    unsafe { free(start) }
}

/// Runs a body whose arrays, as far as this thread makes them, come from an allocator.
pub fn allocating<R>(allocator: Allocator, body: impl FnOnce() -> R) -> R {
    with_allocator(Some(allocator), body)
}

/// Runs a body whose arrays come from the run time's own memory, whatever call this thread is in.
pub(crate) fn apart<R>(body: impl FnOnce() -> R) -> R {
    with_allocator(None, body)
}

fn with_allocator<R>(allocator: Option<Allocator>, body: impl FnOnce() -> R) -> R {
    /// A body that unwinds leaves the allocator of the call around it, too.
    struct Before(Option<Allocator>);
    impl Drop for Before {
        fn drop(&mut self) {
            ALLOCATOR.set(self.0);
        }
    }
    let _before = Before(ALLOCATOR.replace(allocator));
    body()
}

/// Returns the allocator of the call that this thread is in.
pub(super) fn current() -> Option<Allocator> {
    ALLOCATOR.get()
}
