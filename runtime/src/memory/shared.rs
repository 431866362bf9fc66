//! Arrays that several threads write at the same time, each a range of its own.

use super::{Array, Plain};
use crate::error::Error;
use parking_lot::{Mutex, RwLock};
use std::fmt;
use std::ops::Range;

/// An array whose ranges threads write, and which grows when nobody does.
pub(crate) struct SharedArray<T: Plain> {
    array: RwLock<Array<T>>,
    /// What is written just now.
    written: Mutex<Vec<Range<usize>>>,
    /// Memory of a call, which the array has grown out of. It goes back when the thread of the call drops
    /// this.
    left: Mutex<Vec<Array<T>>>,
}

impl<T: Plain> SharedArray<T> {
    pub(crate) fn new(array: Array<T>) -> Self {
        let array = RwLock::new(array.for_all_threads());
        Self { array, written: Mutex::default(), left: Mutex::default() }
    }

    /// Writes a range, for which the array grows where it is not so long yet, to the `expected` elements that
    /// it may have in the end: new elements are of any value.
    ///
    /// # Panics
    /// Where another thread writes a part of the range.
    pub(crate) fn write(
        &self,
        range: Range<usize>,
        expected: usize,
        what: &dyn fmt::Display,
        write: impl FnOnce(&mut [T]),
    ) -> Result<(), Error> {
        let mut array = self.array.read();
        while array.len() < range.end {
            drop(array);
            self.lengthen(range.end, expected, what)?;
            array = self.array.read();
        }
        let len = range.end - range.start;
        let writing = Writing::begin(&self.written, range);
        // SAFETY: the elements are inside of an array that stays where it is as long as it is locked, and
        // only this thread has them: others write ranges apart from it, which `Writing` has looked at.
        let elements = unsafe { std::slice::from_raw_parts_mut(array.as_ptr().add(writing.own.start), len) };
        write(elements);
        Ok(())
    }

    /// Makes the array at least so long, when nobody writes.
    fn lengthen(&self, len: usize, expected: usize, what: &dyn fmt::Display) -> Result<(), Error> {
        let mut array = self.array.write();
        if array.len() >= len {
            return Ok(());
        }
        // Half as long again at least, so that this comes seldom; where there is no memory for that, as long
        // as necessary.
        let longer = len.max(expected).max(array.len() + array.len() / 2);
        let left = array.extend_apart(longer, what).or_else(|_| array.extend_apart(len, what))?;
        self.left.lock().extend(left);
        Ok(())
    }

    /// The address of the elements and their number, until the array grows.
    pub(crate) fn elements(&self) -> (*mut T, usize) {
        let array = self.array.read();
        (array.as_ptr(), array.len())
    }

    pub(crate) fn into_inner(self) -> Array<T> {
        self.array.into_inner()
    }
}

/// A range that a thread writes.
struct Writing<'a> {
    written: &'a Mutex<Vec<Range<usize>>>,
    own: Range<usize>,
}

impl<'a> Writing<'a> {
    fn begin(written: &'a Mutex<Vec<Range<usize>>>, own: Range<usize>) -> Self {
        let mut ranges = written.lock();
        let is_apart = |other: &Range<usize>| other.end <= own.start || own.end <= other.start;
        assert!(ranges.iter().all(is_apart), "one thread alone writes a range");
        ranges.push(own.clone());
        drop(ranges);
        Self { written, own }
    }
}

impl Drop for Writing<'_> {
    fn drop(&mut self) {
        let mut ranges = self.written.lock();
        let place = ranges.iter().position(|range| *range == self.own);
        place.map(|place| ranges.swap_remove(place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Allocator, AllocatorThreads, allocating, c_allocator};

    /// Threads write one range after the other, while the array grows under them.
    #[test]
    fn ranges_keep_what_is_written_when_the_array_grows() {
        const LEN: usize = 1000;
        let array = SharedArray::new(Array::<i64>::empty());
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let array = &array;
                scope.spawn(move || {
                    for start in (thread * LEN..100 * LEN).step_by(4 * LEN) {
                        let range = start..start + LEN;
                        let count = |elements: &mut [i64]| {
                            elements.iter_mut().zip(start as i64..).for_each(|(to, number)| *to = number);
                        };
                        array.write(range, 0, &"x", count).unwrap();
                    }
                });
            }
        });
        let array = array.into_inner();
        assert!(array.iter().copied().take(100 * LEN).eq(0..100 * LEN as i64));
    }

    #[test]
    fn what_grows_out_of_the_memory_of_a_call_keeps_its_elements() {
        for (threads, left) in [(AllocatorThreads::Own, 1), (AllocatorThreads::All, 0)] {
            let allocator = Allocator { threads, ..c_allocator() };
            let array = allocating(allocator, || Array::copied(&[1i32, 2, 3], &"x")).unwrap();
            let array = SharedArray::new(array);
            array.write(999..1000, 0, &"x", |last| last[0] = 4).unwrap();
            assert_eq!(array.left.lock().len(), left);
            let array = array.into_inner();
            assert_eq!((&array[..3], array[999]), (&[1, 2, 3][..], 4));
        }
    }

    #[test]
    #[should_panic = "one thread alone writes a range"]
    fn two_writers_of_an_element_are_refused() {
        let array = SharedArray::new(Array::<i64>::zeroed(10, &"x").unwrap());
        let _ = array.write(2..5, 0, &"x", |_| drop(array.write(4..6, 0, &"x", |_| ())));
    }
}
