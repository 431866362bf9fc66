//! Arrays that generated code can use: 64-byte aligned, never allocated unchecked; large ones are zeroed
//! lazily by the system.

mod allocator;
mod array;
mod available;
pub(crate) mod counted;
mod heap;
#[cfg(test)]
pub(crate) mod measured;
mod pages;
mod recycled;
pub(crate) mod shared;

use crate::error::Error;
use std::fmt;

pub use allocator::{Allocator, AllocatorThreads, allocating};
pub(crate) use allocator::{apart, c_allocator};
pub use array::{Array, Plain};
pub(crate) use array::{Handed, bytes_of, bytes_of_mut, set_to_zero, zeroed_vec};
pub(crate) use available::check_available;
use available::out_of_memory;
pub use heap::asking;
pub(crate) use pages::prefer_large_pages;

#[cfg(test)]
use measured::{MmapMut, System};
#[cfg(not(test))]
use {memmap2::MmapMut, std::alloc::System};

/// A cache line, and the widest vector register.
const ALIGNMENT: usize = 64;

/// Returns the product of sizes as a number of elements.
pub(crate) fn checked_product(sizes: &[usize], what: &dyn fmt::Display) -> Result<usize, Error> {
    // A zero anywhere makes the product zero, also where the other factors overflow.
    if sizes.contains(&0) {
        return Ok(0);
    }
    let product = sizes.iter().try_fold(1usize, |product, &size| product.checked_mul(size));
    product.ok_or_else(|| out_of_memory(what, None, None))
}

/// Whether the machine grants so many bytes.
pub fn is_available(bytes: usize) -> bool {
    check_available(bytes, &"").is_ok()
}

/// Moves together what is kept of consecutive buckets, the first `kept` of the `counts` elements of each;
/// returns how many that are.
pub(crate) fn close_gaps<T: Copy>(elements: &mut [T], counts: &[usize], kept: &[usize]) -> usize {
    let (mut from, mut to) = (0, 0);
    for (count, kept) in counts.iter().zip(kept) {
        elements.copy_within(from..from + kept, to);
        from += count;
        to += kept;
    }
    to
}
