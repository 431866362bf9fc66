//! The system's memory, for unit tests that measure it: what this thread has of it, and the most it has had.

use super::pages::LARGE_PAGE;
use memmap2::RemapOptions;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

thread_local! {
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// The most bytes that a body has had at once, without those from before, and what it gives.
pub(crate) fn peak_of<R>(body: impl FnOnce() -> R) -> (usize, R) {
    let before = BYTES.get();
    MOST.set(before);
    let result = body();
    ((MOST.get() - before).try_into().expect("the most is no less than what there was before"), result)
}

fn change(bytes: isize) {
    BYTES.set(BYTES.get() + bytes);
    MOST.set(MOST.get().max(BYTES.get()));
}

fn took(bytes: usize) {
    change(bytes as isize);
}

fn gave_back(bytes: usize) {
    change(-(bytes as isize));
}

/// The system's heap.
pub(super) struct System;

// SAFETY: everything is the system's allocator, which keeps the promises of the trait; counting allocates
// nothing.
unsafe impl GlobalAlloc for System {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller keeps the promises of the trait; likewise below.
        unsafe { std::alloc::System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as above.
        unsafe { std::alloc::System.alloc_zeroed(layout) }
    }

    /// Counted as if a copy were made.
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        took(size);
        gave_back(layout.size());
        // SAFETY: as above.
        unsafe { std::alloc::System.realloc(start, layout, size) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        gave_back(layout.size());
        // SAFETY: as above.
        unsafe { std::alloc::System.dealloc(start, layout) }
    }
}

/// Pages of the system, counted without those for aligning, which nothing touches.
#[derive(Debug)]
pub(super) struct MmapMut(memmap2::MmapMut);

impl MmapMut {
    pub(super) fn map_anon(bytes: usize) -> std::io::Result<Self> {
        let map = memmap2::MmapMut::map_anon(bytes)?;
        took(bytes - LARGE_PAGE);
        Ok(Self(map))
    }

    pub(super) unsafe fn remap(&mut self, bytes: usize, options: RemapOptions) -> std::io::Result<()> {
        let before = self.len();
        // SAFETY: the caller keeps the promises.
        unsafe { self.0.remap(bytes, options) }?;
        took(bytes);
        gave_back(before);
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

impl Drop for MmapMut {
    fn drop(&mut self) {
        gave_back(self.len() - LARGE_PAGE);
    }
}
