//! Aligned arrays, whose memory is the heap's, mapped pages, or someone else's.

use super::allocator::{Allocator, AllocatorThreads, allocating, apart, current};
use super::available::{check_available, out_of_memory};
use super::pages::{LARGE_PAGE, LARGE_PAGES_FROM, map_pages, prefer_large_pages, remap};
use super::{ALIGNMENT, MmapMut, System, recycled};
use crate::error::Error;
use comet_notation::Complex;
use std::alloc::{GlobalAlloc as _, Layout};
use std::ffi::c_void;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;

/// An element type whose zero is all bits zero.
///
/// # Safety
/// Every bit pattern is a value, and the all-zero one is the number zero.
pub unsafe trait Plain: Copy + Default + Send + Sync + 'static {}

macro_rules! plain {
    ($($number:ty)*) => {$(
        // SAFETY: every bit pattern of a number is a number, and zero's is all zeros.
        unsafe impl Plain for $number {}
    )*};
}

plain!(i8 u8 u16 i32 u32 i64 u64 usize f32 f64);

// SAFETY: two numbers without padding between them.
unsafe impl<T: Plain> Plain for Complex<T> {}

/// An aligned array. Its length may be below its capacity, and there may be room before it; an empty one has
/// no allocation.
pub struct Array<T: Plain> {
    start: NonNull<T>,
    /// How many elements of the allocation lie before the first one.
    before: usize,
    len: usize,
    capacity: usize,
    origin: Origin,
}

/// What new elements are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Zeros,
    Anything,
}

/// The bytes of elements, in the order of this machine.
pub(crate) fn bytes_of<T: Plain>(elements: &[T]) -> &[u8] {
    // SAFETY: the elements have so many bytes, and numbers have no padding.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// The same, to write to.
pub(crate) fn bytes_of_mut<T: Plain>(elements: &mut [T]) -> &mut [u8] {
    // SAFETY: as above, and every bit pattern is a value.
    unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) }
}

/// Whose the memory of an array is.
enum Origin {
    /// A small array's.
    Heap,
    /// A large array's, which unmaps it.
    Pages { map: MmapMut },
    /// Memory from the allocator of a kernel's call.
    Call(Allocator),
    /// The caller's of a kernel, who keeps it; aligned to its elements only.
    Borrowed,
}

impl<T: Plain> Array<T> {
    /// An array without elements.
    pub fn empty() -> Self {
        // An address that is aligned as promised, and never read.
        let start = NonNull::without_provenance(std::num::NonZero::new(ALIGNMENT).expect("64 is not 0"));
        Self { start, before: 0, len: 0, capacity: 0, origin: Origin::Heap }
    }

    /// The elements of someone else, who keeps them.
    ///
    /// # Safety
    /// There are `len` elements at `start`, which nobody else writes to, or reads while this array is
    /// written to, as long as the array lives. The address may be anything where `len` is 0.
    pub unsafe fn borrowed(start: *mut T, len: usize) -> Self {
        match NonNull::new(start) {
            Some(start) if len > 0 => Self { start, before: 0, len, capacity: len, origin: Origin::Borrowed },
            _ => Self::empty(),
        }
    }

    /// The address of the elements, which live on, and their number; the owner of memory from `allocator`
    /// is whoever gets the address. Memory that is not is copied into some that is.
    pub(crate) fn into_memory_of(
        self,
        allocator: Allocator,
        what: &dyn fmt::Display,
    ) -> Result<Handed, Error> {
        if self.len == 0 {
            return Ok(Handed { start: std::ptr::null_mut(), len: 0, allocator });
        }
        let own = match self.origin {
            // A call has one allocator.
            Origin::Call(_) if self.before == 0 => self,
            _ => allocating(allocator, || Self::copied(&self, what))?,
        };
        let own = std::mem::ManuallyDrop::new(own);
        Ok(Handed { start: own.start.as_ptr().cast(), len: own.len, allocator })
    }

    /// `len` zeros; `what` names the array in the message when the memory does not suffice.
    pub fn zeroed(len: usize, what: &dyn fmt::Display) -> Result<Self, Error> {
        Self::allocated(len, Content::Zeros, what)
    }

    /// `len` elements of any value, which are about to be written.
    pub(crate) fn unspecified(len: usize, what: &dyn fmt::Display) -> Result<Self, Error> {
        Self::allocated(len, Content::Anything, what)
    }

    fn allocated(len: usize, content: Content, what: &dyn fmt::Display) -> Result<Self, Error> {
        if len == 0 {
            return Ok(Self::empty());
        }
        let bytes = len.checked_mul(size_of::<T>());
        let layout = bytes.and_then(|bytes| Layout::from_size_align(bytes, ALIGNMENT).ok());
        let Some(layout) = layout else { return Err(out_of_memory(what, bytes, None)) };
        if let Some(allocator) = current() {
            let mut array = Self::given_by(allocator, len, layout, what)?;
            if content == Content::Zeros {
                array.fill(T::default());
            }
            return Ok(array);
        }
        if layout.size() >= LARGE_PAGES_FROM {
            return Self::in_pages(len, content, what);
        }
        check_available(layout.size(), what)?;
        // SAFETY: the layout's size is not zero, because `len` and the size of T are not; what was given just
        // now, nobody else has.
        let start = unsafe {
            match content {
                Content::Zeros => System.alloc_zeroed(layout),
                Content::Anything => with_any_content(System.alloc(layout)),
            }
        };
        let start = NonNull::new(start.cast::<T>()).ok_or_else(|| out_of_memory(what, bytes, None))?;
        Ok(Self { start, before: 0, len, capacity: len, origin: Origin::Heap })
    }

    /// The heap would write the zeros of aligned memory itself, and so touch it before large pages are asked
    /// for.
    fn in_pages(len: usize, content: Content, what: &dyn fmt::Display) -> Result<Self, Error> {
        let bytes = len * size_of::<T>();
        let used = match content {
            Content::Anything => recycled::take(bytes + LARGE_PAGE),
            Content::Zeros => None,
        };
        let mut map = match used {
            Some(map) => map,
            None => {
                check_available(bytes, what)?;
                map_pages(bytes).ok_or_else(|| out_of_memory(what, Some(bytes), None))?
            }
        };
        let start = map.as_mut_ptr();
        let inside = start.align_offset(LARGE_PAGE);
        let capacity = (map.len() - inside) / size_of::<T>();
        let start =
            NonNull::new(start.wrapping_add(inside).cast::<T>()).expect("the first page is never mapped");
        Ok(Self { start, before: 0, len, capacity, origin: Origin::Pages { map } })
    }

    /// Memory from a kernel's caller.
    fn given_by(
        allocator: Allocator,
        len: usize,
        layout: Layout,
        what: &dyn fmt::Display,
    ) -> Result<Self, Error> {
        let start = (allocator.allocate)(allocator.context, layout.size(), layout.align());
        let Some(start) = NonNull::new(start.cast::<T>()) else {
            return Err(out_of_memory(what, Some(layout.size()), None));
        };
        if start.as_ptr().align_offset(layout.align()) != 0 {
            (allocator.release)(allocator.context, start.as_ptr().cast());
            return Err(Error::Option(format!(
                "the caller's allocator gave {start:p} for {what}, expected a multiple of {}",
                layout.align()
            )));
        }
        // The caller promises that many bytes of some content, and every bit pattern is a value of T.
        Ok(Self { start, before: 0, len, capacity: len, origin: Origin::Call(allocator) })
    }

    /// A copy of a slice.
    pub fn copied(elements: &[T], what: &dyn fmt::Display) -> Result<Self, Error> {
        let mut array = Self::unspecified(elements.len(), what)?;
        array.copy_from_slice(elements);
        Ok(array)
    }

    /// Whether the elements are someone else's.
    pub(crate) fn is_borrowed(&self) -> bool {
        matches!(self.origin, Origin::Borrowed)
    }

    /// Has the array own its elements: copies those of someone else.
    pub(crate) fn own(&mut self, what: &dyn fmt::Display) -> Result<(), Error> {
        if self.is_borrowed() {
            *self = Self::copied(self, what)?;
        }
        Ok(())
    }

    /// `len` elements of any value, aligned as those of any array, with room for others before and behind
    /// them, which [`Self::widen`] makes a part of the array.
    pub(crate) fn with_room(
        before: usize,
        len: usize,
        behind: usize,
        what: &dyn fmt::Display,
    ) -> Result<Self, Error> {
        let start = before.next_multiple_of(ALIGNMENT / size_of::<T>());
        let mut array = Self::unspecified(start + len + behind, what)?;
        array.narrow(start..start + len);
        Ok(array)
    }

    /// Adds elements before and behind the others, of any value, where there is room. Returns whether there
    /// was; otherwise nothing has changed.
    pub(crate) fn widen(&mut self, before: usize, behind: usize) -> bool {
        if before > self.before || behind > self.capacity - self.len {
            return false;
        }
        // SAFETY: the allocation has `self.before` elements there.
        self.start = unsafe { self.start.sub(before) };
        self.before -= before;
        (self.len, self.capacity) = (before + self.len + behind, before + self.capacity);
        true
    }

    /// Has the array be a range of its elements. There is room for the others.
    pub(crate) fn narrow(&mut self, range: Range<usize>) {
        assert!(range.start <= range.end && range.end <= self.len, "the elements of the range are there");
        // SAFETY: there are as many elements.
        self.start = unsafe { self.start.add(range.start) };
        self.before += range.start;
        (self.len, self.capacity) = (range.end - range.start, self.capacity - range.start);
    }

    /// Forgets the elements from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Changes the length; the first elements stay, new ones are zero.
    pub fn resize(&mut self, len: usize, what: &dyn fmt::Display) -> Result<(), Error> {
        if len <= self.capacity {
            let old = self.len;
            self.len = len;
            if len > old {
                self[old..].fill(T::default());
            }
            return Ok(());
        }
        if !self.lengthen_pages(len, Content::Zeros, what)? {
            let mut larger = Self::zeroed(len, what)?;
            larger[..self.len].copy_from_slice(self);
            *self = larger;
        }
        Ok(())
    }

    /// Lengthens the array; the first elements stay, new ones are of any value.
    pub(crate) fn extend(&mut self, len: usize, what: &dyn fmt::Display) -> Result<(), Error> {
        if len <= self.capacity {
            self.len = len.max(self.len);
            return Ok(());
        }
        if self.lengthen_pages(len, Content::Anything, what)? {
            return Ok(());
        }
        let mut larger = Self::unspecified(len, what)?;
        larger[..self.len].copy_from_slice(self);
        *self = larger;
        Ok(())
    }

    /// The same elements, for threads that extend them: an array without any grows in the memory of the call,
    /// where that may be allocated on all threads.
    pub(super) fn for_all_threads(self) -> Self {
        let allocator = current().filter(|allocator| allocator.threads == AllocatorThreads::All);
        match allocator {
            Some(allocator) if self.capacity == 0 => {
                Self { origin: Origin::Call(allocator), ..Self::empty() }
            }
            _ => self,
        }
    }

    /// Extends on whatever thread: in the memory of the call where its allocator may be called there, and
    /// otherwise in the run time's own. An array that this thread must not drop is returned.
    pub(super) fn extend_apart(
        &mut self,
        len: usize,
        what: &dyn fmt::Display,
    ) -> Result<Option<Self>, Error> {
        match self.origin {
            Origin::Call(allocator) if allocator.threads == AllocatorThreads::All => {
                allocating(allocator, || self.extend(len, what)).map(|()| None)
            }
            Origin::Call(_) if len > self.capacity => {
                let mut larger = apart(|| Self::unspecified(len, what))?;
                larger[..self.len].copy_from_slice(self);
                Ok(Some(std::mem::replace(self, larger)))
            }
            _ => apart(|| self.extend(len, what)).map(|()| None),
        }
    }

    /// Has the system make the mapping of a large array longer, and move its pages where they are in the way
    /// of others: a copy would have to touch, and so to clear, as many new pages. Says whether that was done;
    /// if not, nothing has changed.
    fn lengthen_pages(
        &mut self,
        len: usize,
        content: Content,
        what: &dyn fmt::Display,
    ) -> Result<bool, Error> {
        let Origin::Pages { map } = &mut self.origin else { return Ok(false) };
        // What a call makes is its caller's.
        if current().is_some() {
            return Ok(false);
        }
        let Some(bytes) = len.checked_mul(size_of::<T>()) else {
            return Err(out_of_memory(what, None, None));
        };
        check_available(bytes - self.capacity * size_of::<T>(), what)?;
        let inside = self.start.as_ptr() as usize - map.as_ptr() as usize;
        let room = bytes.checked_next_multiple_of(ALIGNMENT);
        let Some(room) = room.and_then(|room| room.checked_add(inside + LARGE_PAGE)) else {
            return Ok(false);
        };
        if !remap(map, room) {
            return Ok(false);
        }
        let start = map.as_mut_ptr().wrapping_add(inside).cast::<T>();
        self.start = NonNull::new(start).expect("the first page is never mapped");
        let (old, room) = (self.len, self.capacity);
        (self.len, self.capacity) = (len, len);
        // Pages that the mapping had may have any content; the system clears new ones.
        if content == Content::Zeros {
            self[old..room].fill(T::default());
        }
        Ok(true)
    }

    /// Returns the address of the elements, for generated code; aligned also when there are none.
    pub fn as_ptr(&self) -> *mut T {
        self.start.as_ptr()
    }
}

impl<T: Plain> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: `len` elements from `start` are allocated, and every bit pattern is a value. They are
        // zeroes, what was written, what a mapping holds, or what `with_any_content` says.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Plain> DerefMut for Array<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Plain> Drop for Array<T> {
    fn drop(&mut self) {
        let capacity = self.before + self.capacity;
        if capacity == 0 {
            return;
        }
        let start = self.start.as_ptr().wrapping_sub(self.before);
        match std::mem::replace(&mut self.origin, Origin::Heap) {
            Origin::Heap => {}
            Origin::Borrowed => return,
            Origin::Pages { map } => {
                recycled::give(map);
                return;
            }
            Origin::Call(allocator) => {
                (allocator.release)(allocator.context, start.cast());
                return;
            }
        }
        let layout = Layout::from_size_align(capacity * size_of::<T>(), ALIGNMENT)
            .expect("the layout was valid when the array was allocated");
        // SAFETY: allocated by `allocated` on the heap with this very layout, and freed once.
        unsafe { System.dealloc(start.cast(), layout) }
    }
}

/// An array on its way to the caller of a kernel; dropped before it is there, it goes back.
#[derive(Debug)]
pub(crate) struct Handed {
    start: *mut c_void,
    len: usize,
    allocator: Allocator,
}

impl Handed {
    /// The address, null where there is no element, and the number of elements. They are the caller's now.
    pub(crate) fn hand_over(self) -> (*mut c_void, i64) {
        let handed = std::mem::ManuallyDrop::new(self);
        (handed.start, handed.len as i64)
    }
}

impl Drop for Handed {
    fn drop(&mut self) {
        if !self.start.is_null() {
            (self.allocator.release)(self.allocator.context, self.start);
        }
    }
}

// SAFETY: the elements are plain numbers, and memory of a kernel's caller stays on the thread of the call,
// unless its allocator may be called on all threads.
unsafe impl<T: Plain> Send for Array<T> {}
// SAFETY: as above; shared access only reads.
unsafe impl<T: Plain> Sync for Array<T> {}

impl<T: Plain + fmt::Debug> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Returns the same memory with content of some value. Memory of a heap has none for the compiler, and to
/// read it before it is written would be undefined, also as a number.
///
/// # Safety
/// Nobody else has the memory.
pub(super) unsafe fn with_any_content(start: *mut u8) -> *mut u8 {
    // SAFETY: there is no instruction in it. Since it could write to all of the memory whose address it has,
    // and does not say that it does not, the compiler has to take what the memory holds for what it wrote.
    unsafe { std::arch::asm!("/* {0} */", in(reg) start, options(nostack, preserves_flags)) };
    start
}

/// Sets all to zero, by the C library: what is large it writes without reading it first.
pub(crate) fn set_to_zero<T: Plain>(elements: &mut [T]) {
    // SAFETY: zero is all bits zero.
    unsafe { elements.as_mut_ptr().write_bytes(0, elements.len()) }
}

/// `len` zeros in a vector, checked and backed as an array's are.
pub(crate) fn zeroed_vec<T: Plain>(len: usize, what: &dyn fmt::Display) -> Result<Vec<T>, Error> {
    let Some(bytes) = len.checked_mul(size_of::<T>()) else { return Err(out_of_memory(what, None, None)) };
    check_available(bytes, what)?;
    let vec = asking_for_zeros::<T>(len).ok_or_else(|| out_of_memory(what, Some(bytes), None))?;
    prefer_large_pages(vec.as_ptr().cast_mut().cast(), bytes);
    Ok(vec)
}

/// Makes a vector of zeros that no page backs yet, where the system grants it.
fn asking_for_zeros<T: Plain>(len: usize) -> Option<Vec<T>> {
    if len == 0 {
        return Some(Vec::new());
    }
    let layout = Layout::array::<T>(len).ok()?;
    // SAFETY: the size is not zero, because `len` and the size of T are not.
    let start = NonNull::new(unsafe { System.alloc_zeroed(layout) })?;
    // SAFETY: the heap is the system's with the layout of a vector, and all bits zero are a value of T.
    Some(unsafe { Vec::from_raw_parts(start.cast::<T>().as_ptr(), len, len) })
}

#[cfg(test)]
mod tests {
    use super::super::allocator::c_allocator;
    use super::super::checked_product;
    use super::*;

    #[test]
    fn arrays_are_aligned_and_zero() {
        for len in [0, 1, 7, 1000, LARGE_PAGES_FROM / 4 + 1] {
            let array = Array::<f32>::zeroed(len, &"x").unwrap();
            assert_eq!(array.as_ptr() as usize % ALIGNMENT, 0);
            assert_eq!(&array[..], vec![0.0; len]);
        }
    }

    #[test]
    fn growth_keeps_the_elements_and_zeroes_the_rest() {
        let mut array = Array::copied(&[1i64, 2, 3], &"x").unwrap();
        array.resize(2, &"x").unwrap();
        array.resize(3, &"x").unwrap();
        assert_eq!(&array[..], [1, 2, 0]);
        array.resize(5, &"x").unwrap();
        assert_eq!(&array[..], [1, 2, 0, 0, 0]);
    }

    #[test]
    fn elements_get_others_before_and_behind_them() {
        let mut array = Array::<i32>::with_room(3, 4, 2, &"x").unwrap();
        assert_eq!((array.len(), array.as_ptr() as usize % ALIGNMENT), (4, 0));
        array.copy_from_slice(&[1, 2, 3, 4]);
        assert!(!array.widen(0, 3) && !array.widen(ALIGNMENT, 0), "there is no such room");
        assert!(array.widen(3, 2));
        array[..3].copy_from_slice(&[7, 8, 9]);
        array[7..].copy_from_slice(&[5, 6]);
        assert_eq!(array[..], [7, 8, 9, 1, 2, 3, 4, 5, 6]);
        array.narrow(3..7);
        assert_eq!(array[..], [1, 2, 3, 4]);
        array.resize(200, &"x").unwrap();
        assert_eq!(array[..5], [1, 2, 3, 4, 0]);
        array.narrow(1..2);
        assert!(array.widen(1, 0));
        assert_eq!(array[..], [1, 2]);
    }

    /// Growth after growth, from a length that is below the room or not; other arrays are in the way, so
    /// that pages have to move.
    #[test]
    fn large_growth_keeps_the_elements_and_zeroes_the_rest() {
        let least = LARGE_PAGES_FROM / size_of::<i64>();
        for (len, kept) in [(least, least), (least + 700, least + 3)] {
            let mut array = counting(len);
            array.truncate(kept);
            let mut neighbours = Vec::new();
            for longer in [len + 1, 2 * len, 3 * len + 5, 5 * len] {
                neighbours.push(Array::<i64>::zeroed(least, &"y").unwrap());
                array.resize(longer, &"x").unwrap();
                assert_eq!(array.as_ptr() as usize % ALIGNMENT, 0);
                let expected = (1..=kept as i64).chain(std::iter::repeat(0));
                assert!(array.iter().copied().eq(expected.take(longer)), "{len} {longer}");
                array.truncate(kept);
                array.extend(longer, &"x").unwrap();
                array.truncate(kept);
            }
        }
    }

    /// The system has no room for a mapping of 2⁶⁰ bytes, and an array goes on as it was.
    #[test]
    fn a_mapping_that_cannot_grow_stays() {
        let least = LARGE_PAGES_FROM / size_of::<i64>();
        let mut array = counting(least);
        let Origin::Pages { map } = &mut array.origin else { panic!("a large array has a mapping") };
        assert!(!remap(map, 1 << 60));
        assert!(array.iter().copied().eq(1..=least as i64));
        array.resize(2 * least, &"x").unwrap();
        assert!(array[..least].iter().copied().eq(1..=least as i64));
        assert!(array[least..].iter().all(|element| *element == 0));
    }

    /// Where pages are not moved, as in the call of a kernel, elements are copied.
    #[test]
    fn a_large_array_goes_on_in_memory_of_a_call() {
        let least = LARGE_PAGES_FROM / size_of::<i64>();
        let mut array = counting(least);
        allocating(c_allocator(), || array.resize(2 * least, &"x")).unwrap();
        assert!(matches!(array.origin, Origin::Call(_)));
        assert!(array[..least].iter().copied().eq(1..=least as i64));
        assert!(array[least..].iter().all(|element| *element == 0));
    }

    fn counting(len: usize) -> Array<i64> {
        let elements: Vec<i64> = (1..=len as i64).collect();
        Array::copied(&elements, &"x").unwrap()
    }

    #[test]
    fn requests_beyond_the_memory_are_errors() {
        let message = |len| Array::<f64>::zeroed(len, &"`A`").unwrap_err().to_string();
        assert!(message(1 << 45).starts_with("out of memory: `A` needs 281474976710656 bytes, "));
        assert!(message(usize::MAX).contains("more bytes than"));
        assert!(checked_product(&[1 << 40, 1 << 40], &"`A`").is_err());
        assert_eq!(checked_product(&[1 << 40, 1 << 40, 0], &"`A`").unwrap(), 0);
    }
}
