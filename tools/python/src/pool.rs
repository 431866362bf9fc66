//! Memory of results. Large blocks that Python has given back are kept for the next ones: the system clears
//! each page that it hands out, which takes longer than writing a result there.

use comet_runtime::memory::{Allocator, AllocatorThreads, is_available};
use parking_lot::Mutex;
use std::alloc::{Layout, alloc, dealloc};
use std::ffi::c_void;

/// What each block begins with.
#[derive(Clone, Copy)]
struct BlockHeader {
    /// Its bytes.
    size: usize,
    /// The bytes from its start on whose pages the system has handed out, at most: a result has room for as
    /// much as it might need, of which the rest is never written to.
    touched: usize,
    /// The same, before it was allocated.
    touched_before: usize,
}

/// Where a block goes on behind its header. As long as the alignment, so that what follows is aligned, too.
const HEADER: usize = 64;
/// Smaller blocks are the C library's business.
const LARGE: usize = 1 << 16;
/// So many touched bytes are kept at most, in the blocks that were given back last.
const MOST: usize = 256 << 20;
/// And so many bytes, touched or not.
const MOST_ADDRESSES: usize = 16 * MOST;

/// A block that is kept.
struct KeptBlock {
    start: usize,
    size: usize,
    touched: usize,
}

/// Nobody waits for it: a process that is forked while another thread holds it would wait for ever, and the
/// system has memory, too.
static KEPT: Mutex<Vec<KeptBlock>> = Mutex::new(Vec::new());

/// What kernels allocate their results with.
pub(crate) fn allocator() -> Allocator {
    Allocator { context: std::ptr::null_mut(), allocate, release, threads: AllocatorThreads::All }
}

extern "C" fn allocate(_context: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void {
    let layout = layout(bytes).filter(|_| alignment <= HEADER);
    let Some(layout) = layout else { return std::ptr::null_mut() };
    let (start, size, touched_before) = match take(layout.size()) {
        Some(KeptBlock { start, size, touched }) => {
            (std::ptr::with_exposed_provenance_mut::<u8>(start), size, touched)
        }
        None if !is_available(layout.size()) => return std::ptr::null_mut(),
        // SAFETY: the size is not 0.
        None => (unsafe { alloc(layout) }, layout.size(), 0),
    };
    if start.is_null() {
        return start.cast();
    }
    // SAFETY: the block has a header, and is aligned to it.
    unsafe {
        start.cast::<BlockHeader>().write(BlockHeader { size, touched: size, touched_before });
        start.add(HEADER).cast()
    }
}

/// States how many bytes of a block have been written to, or will be.
///
/// # Safety
/// The address is null, or [`allocate`] has returned it.
pub(crate) unsafe fn state_used(start: *mut c_void, bytes: usize) {
    if start.is_null() {
        return;
    }
    // SAFETY: there is a header in front of the address.
    let header = unsafe { &mut *start.cast::<u8>().sub(HEADER).cast::<BlockHeader>() };
    header.touched = header.touched_before.max(HEADER + bytes).min(header.size);
}

/// Takes back what [`allocate`] gave.
pub(crate) extern "C" fn release(_context: *mut c_void, start: *mut c_void) {
    if start.is_null() {
        return;
    }
    // SAFETY: `allocate` has returned the address behind a header.
    let (start, BlockHeader { size, touched, .. }) = unsafe {
        let block = start.cast::<u8>().sub(HEADER);
        (block.expose_provenance(), block.cast::<BlockHeader>().read())
    };
    let block = KeptBlock { start, size, touched };
    let mut gone = Vec::new();
    if let Some(mut kept) = (size >= LARGE && touched <= MOST).then(|| KEPT.try_lock()).flatten() {
        kept.push(block);
        let sum = |kept: &[KeptBlock], of: fn(&KeptBlock) -> usize| kept.iter().map(of).sum::<usize>();
        while sum(&kept, |block| block.touched) > MOST || sum(&kept, |block| block.size) > MOST_ADDRESSES {
            gone.push(kept.remove(0));
        }
    } else {
        gone.push(block);
    }
    for KeptBlock { start, size, .. } in gone {
        let layout = Layout::from_size_align(size, HEADER).expect("it was allocated with it");
        // SAFETY: the block was allocated so, and nobody has it any more.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(start), layout) };
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(HEADER)?.checked_next_multiple_of(HEADER)?, HEADER).ok()
}

/// The smallest block that is kept with room for so many bytes, unless it is more than twice as large.
fn take(bytes: usize) -> Option<KeptBlock> {
    if bytes < LARGE {
        return None;
    }
    let mut kept = KEPT.try_lock()?;
    let fitting = kept.iter().enumerate().filter(|(_, block)| (bytes..=2 * bytes).contains(&block.size));
    let (place, _) = fitting.min_by_key(|(_, block)| block.size)?;
    Some(kept.remove(place))
}
