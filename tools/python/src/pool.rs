//! Memory of results. Large blocks that Python has given back are kept for the next ones: the system clears
//! each page that it hands out, which takes longer than writing a result there.

use comet_runtime::memory::{Allocator, AllocatorThreads, is_available};
use parking_lot::Mutex;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;

/// What each block begins with: its size. As long as the alignment, so that what follows is aligned, too.
const HEADER: usize = 64;
/// Smaller blocks are the C library's business.
const LARGE: usize = 1 << 16;
/// So many bytes are kept at most, in the blocks that were given back last.
const MOST: usize = 256 << 20;

/// Blocks that are kept, by their addresses and sizes.
static KEPT: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// What kernels allocate their results with.
pub(crate) fn allocator() -> Allocator {
    Allocator { context: std::ptr::null_mut(), allocate, release, threads: AllocatorThreads::All }
}

extern "C" fn allocate(_context: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void {
    let layout = layout(bytes).filter(|_| alignment <= HEADER);
    let Some(layout) = layout else { return std::ptr::null_mut() };
    let (start, size) = match take(layout.size()) {
        Some((start, size)) => (std::ptr::with_exposed_provenance_mut::<u8>(start), size),
        None if !is_available(layout.size()) => return std::ptr::null_mut(),
        // SAFETY: the size is not 0.
        None => (unsafe { alloc(layout) }, layout.size()),
    };
    if start.is_null() {
        return start.cast();
    }
    // SAFETY: the block has a header, and is aligned to it.
    unsafe {
        start.cast::<usize>().write(size);
        start.add(HEADER).cast()
    }
}

/// Takes back what [`allocate`] gave.
pub(crate) extern "C" fn release(_context: *mut c_void, start: *mut c_void) {
    if start.is_null() {
        return;
    }
    // SAFETY: `allocate` has returned the address behind a header.
    let (start, size) = unsafe {
        let block = start.cast::<u8>().sub(HEADER);
        (block, block.cast::<usize>().read())
    };
    let mut gone = Vec::new();
    if (LARGE..=MOST).contains(&size) {
        let mut kept = KEPT.lock();
        kept.push((start.expose_provenance(), size));
        while kept.iter().map(|(_, size)| size).sum::<usize>() > MOST {
            gone.push(kept.remove(0));
        }
    } else {
        gone.push((start.expose_provenance(), size));
    }
    for (start, size) in gone {
        let layout = Layout::from_size_align(size, HEADER).expect("it was allocated with it");
        // SAFETY: the block was allocated so, and nobody has it any more.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(start), layout) };
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(HEADER)?.checked_next_multiple_of(HEADER)?, HEADER).ok()
}

/// The smallest block that is kept with room for so many bytes, unless it is more than twice as large.
fn take(bytes: usize) -> Option<(usize, usize)> {
    if bytes < LARGE {
        return None;
    }
    let mut kept = KEPT.lock();
    let fitting = kept.iter().enumerate().filter(|(_, (_, size))| (bytes..=2 * bytes).contains(size));
    let (place, _) = fitting.min_by_key(|(_, (_, size))| *size)?;
    Some(kept.remove(place))
}
