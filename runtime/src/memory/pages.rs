//! Mappings of pages: large ones where the system has them.

use super::{ALIGNMENT, MmapMut};

/// From this size on, pages of 2 MiB are asked for: touching new memory 4 KiB at a time costs as much as a
/// pass over it, and a kernel that walks large arrays misses the translations of small pages.
pub(super) const LARGE_PAGES_FROM: usize = 4 << 20;
/// The size of a large page, and what it is aligned to.
pub(super) const LARGE_PAGE: usize = 2 << 20;

/// Maps zeros that no page backs yet; `bytes` bytes follow the first multiple of [`LARGE_PAGE`] in them.
pub(super) fn map_pages(bytes: usize) -> Option<MmapMut> {
    // A multiple of every element's size: another type may take the memory over.
    let bytes = bytes.checked_next_multiple_of(ALIGNMENT)?.checked_add(LARGE_PAGE)?;
    let pages = MmapMut::map_anon(bytes).ok()?;
    prefer_large_pages(pages.as_ptr().cast_mut(), pages.len());
    Some(pages)
}

/// Asks the system to back memory that nothing has touched yet by large pages. A refusal changes nothing.
#[cfg(target_os = "linux")]
pub(crate) fn prefer_large_pages(start: *mut u8, bytes: usize) {
    unsafe extern "C" {
        fn madvise(start: *mut std::ffi::c_void, len: usize, advice: std::ffi::c_int) -> std::ffi::c_int;
    }
    const PAGE: usize = 4096;
    const HUGE_PAGE_ADVICE: std::ffi::c_int = 14;
    if bytes >= LARGE_PAGES_FROM {
        let inside = start.align_offset(PAGE);
        // SAFETY: the range is inside the caller's allocation, and this advice changes no content.
        unsafe { madvise(start.add(inside).cast(), bytes - inside, HUGE_PAGE_ADVICE) };
    }
}

/// Makes an anonymous mapping longer, at another address where it does not fit there; what is new is zero.
/// Says whether that was done; if not, the mapping is as it was. One call moves all of it, so that it stays
/// one mapping of the system's, which any system moves as often as it grows.
#[cfg(target_os = "linux")]
pub(super) fn remap(map: &mut MmapMut, bytes: usize) -> bool {
    // SAFETY: there is no file that could end before, and whoever has the only reference to the mapping asks
    // for its address again.
    unsafe { map.remap(bytes, memmap2::RemapOptions::new().may_move(true)) }.is_ok()
}

/// Other systems copy.
#[cfg(not(target_os = "linux"))]
pub(super) fn remap(_map: &mut MmapMut, _bytes: usize) -> bool {
    false
}

/// Other systems choose their pages themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prefer_large_pages(_start: *mut u8, _bytes: usize) {}
