//! The heap of the process. Rust aborts where memory runs out; here that is the user's error, as it is for
//! arrays.

use super::System;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::io::Write as _;

struct Heap;

#[global_allocator]
static HEAP: Heap = Heap;

thread_local! {
    static ASKS: Cell<bool> = const { Cell::new(false) };
}

/// Runs a body that asks whether memory is granted, by `try_reserve`, and reports itself what it was for.
pub fn asking<R>(body: impl FnOnce() -> R) -> R {
    let before = ASKS.replace(true);
    let result = body();
    ASKS.set(before);
    result
}

// SAFETY: everything is the system's allocator, which keeps the promises of the trait.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of the trait; likewise below.
        granted(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        granted(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        granted(unsafe { System.realloc(start, layout, size) }, size)
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(start, layout) }
    }
}

fn granted(start: *mut u8, bytes: usize) -> *mut u8 {
    if start.is_null() && !ASKS.get() {
        end_without_memory(bytes);
    }
    start
}

/// Nothing here may allocate, and what waits to be printed stays where it is.
#[cold]
fn end_without_memory(bytes: usize) -> ! {
    unsafe extern "C" {
        safe fn _exit(code: std::ffi::c_int) -> !;
    }
    let mut text = [0u8; 128];
    let mut rest = &mut text[..];
    // The text is shorter than the buffer, and nobody is left to read it where standard error is closed.
    let _ = writeln!(rest, "error: out of memory: the system does not grant {bytes} bytes more");
    let unused = rest.len();
    let _ = std::io::stderr().write_all(&text[..text.len() - unused]);
    _exit(1)
}
