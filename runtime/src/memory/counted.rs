//! Counting sort: elements are moved to where they belong by their key, those of one key in the order in
//! which they come (Gustavson 1978, HALFPERM). Parts of the elements move at the same time.

use super::{Array, apart};
use crate::error::Error;
use crate::tensor::Index;
use crate::threads;
use crate::values::Cell;
use std::fmt;
use std::ops::Range;

/// A part of the elements, in lines.
pub(crate) trait Lines: Sync {
    /// The elements of the part.
    fn entries(&self) -> Range<usize>;
    /// Visits the lines in order: the line's number and its elements.
    fn for_each(&self, visit: impl FnMut(usize, Range<usize>));
}

/// The elements, and where they go.
pub(crate) struct Moved<'a, K, J, V> {
    /// The key of each element.
    pub(crate) keys: &'a [K],
    pub(crate) values: &'a [V],
    /// One a key and one more: where its elements begin.
    pub(crate) pos: &'a mut [J],
    /// The number of the line that each element came from.
    pub(crate) to_numbers: &'a mut [J],
    pub(crate) to_values: &'a mut [V],
}

impl<K: Index, J: Index, V: Cell> Moved<'_, K, J, V> {
    /// Moves all elements. The parts follow each other and have every element once; a thread each. `what` is
    /// the counters in the message when the memory does not suffice.
    pub(crate) fn sort<L: Lines>(self, parts: &[L], what: &(dyn fmt::Display + Sync)) -> Result<(), Error> {
        let Self { keys, values, pos, to_numbers, to_values } = self;
        let across = pos.len() - 1;
        check_parts(parts, keys.len());
        assert!(keys.len() as u64 <= J::LARGEST, "every position is to fit an index");
        assert!(
            values.len() == keys.len() && to_numbers.len() == keys.len() && to_values.len() == keys.len()
        );

        let places = Places { numbers: to_numbers.as_mut_ptr(), values: to_values.as_mut_ptr() };
        if let [part] = parts {
            // Each start moves to its end, where the next key's starts.
            let (next, _) = pos.split_at_mut(across);
            next.fill(J::default());
            count(&keys[part.entries()], next);
            starts(&mut [&mut *next], |_, _| ());
            // SAFETY: the keys of the part were counted, and places given out for them.
            unsafe { places.take(part, keys, values, next) };
            pos.copy_within(..across, 1);
            pos[0] = J::default();
            return Ok(());
        }
        let counters = threads::map(parts, |part| {
            let mut counters = apart(|| Array::<J>::zeroed(across, what))?;
            count(&keys[part.entries()], &mut counters);
            Ok(counters)
        });
        let mut counters = counters.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let mut next: Vec<&mut [J]> = counters.iter_mut().map(|counters| &mut counters[..]).collect();
        starts(&mut next, |key, start| pos[key] = start);
        pos[across] = J::truncate(keys.len() as u64);
        threads::for_each(parts.iter().zip(next), |(part, next)| {
            // SAFETY: as above, for every part.
            unsafe { places.take(part, keys, values, next) }
        });
        Ok(())
    }
}

/// Checks that the parts have every element once.
fn check_parts<L: Lines>(parts: &[L], len: usize) {
    let mut next = 0;
    for part in parts {
        let Range { start, end } = part.entries();
        assert!(start == next && end >= start, "a part begins where the one before ends");
        next = end;
    }
    assert_eq!(next, len, "the last part ends with the elements");
}

/// Counts the elements of each key. A key without a counter panics.
fn count<K: Index, J: Index>(keys: &[K], counts: &mut [J]) {
    for key in keys {
        let count = &mut counts[key.number() as usize];
        *count = J::truncate(count.number() + 1);
    }
}

/// The counts of all parts become the first place of each key in each part; `visit` gets each key with the
/// first of all its places.
fn starts<J: Index>(counts: &mut [&mut [J]], mut visit: impl FnMut(usize, J)) {
    let mut before = 0;
    for key in 0..counts[0].len() {
        visit(key, J::truncate(before));
        for part in counts.iter_mut() {
            let own = part[key].number();
            part[key] = J::truncate(before);
            before += own;
        }
    }
}

/// Where elements are written to, by all threads.
struct Places<J, V> {
    numbers: *mut J,
    values: *mut V,
}

// SAFETY: no two threads write to one place.
unsafe impl<J: Send, V: Send> Sync for Places<J, V> {}

impl<J: Index, V: Cell> Places<J, V> {
    /// Moves the elements of a part.
    ///
    /// # Safety
    /// For every key of the part's entries, `next` has the first of as many places as the part has elements
    /// with this key; all of them are inside of the arrays, and nobody else's.
    unsafe fn take<K: Index>(&self, part: &impl Lines, keys: &[K], values: &[V], next: &mut [J]) {
        let Range { start: mut expected, end: last } = part.entries();
        // Copies, which no store can change.
        let (next, to_numbers, to_values) = (next.as_mut_ptr(), self.numbers, self.values);
        part.for_each(move |number, entries| {
            // No element twice, and none of another part.
            assert!(entries.start >= expected && entries.end <= last, "lines come in order");
            expected = entries.end;
            let number = J::truncate(number as u64);
            for (key, &value) in keys[entries.clone()].iter().zip(&values[entries]) {
                // SAFETY: `count` has found this key below the number of counters; the places are the
                // caller's promise.
                unsafe {
                    let next = next.add(key.number() as usize);
                    let place = (*next).number();
                    *next = J::truncate(place + 1);
                    *to_numbers.add(place as usize) = number;
                    *to_values.add(place as usize) = value;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of one element each.
    struct Singles(Range<usize>);

    impl Lines for Singles {
        fn entries(&self) -> Range<usize> {
            self.0.clone()
        }
        fn for_each(&self, mut visit: impl FnMut(usize, Range<usize>)) {
            self.0.clone().for_each(|entry| visit(entry, entry..entry + 1));
        }
    }

    fn sorted(keys: &[i32], parts: &[Singles]) -> (Vec<i32>, Vec<i32>, Vec<i64>) {
        let values: Vec<i64> = (0..keys.len() as i64).map(|number| 10 * number).collect();
        let (mut pos, mut numbers, mut moved) = (vec![0; 6], vec![0; keys.len()], vec![0; keys.len()]);
        let (to_numbers, to_values) = (&mut numbers[..], &mut moved[..]);
        let all = Moved { keys, values: &values, pos: &mut pos, to_numbers, to_values };
        all.sort(parts, &"counters").unwrap();
        (pos, numbers, moved)
    }

    #[test]
    fn parts_make_no_difference() {
        let keys = [3, 1, 4, 1, 0, 3, 3];
        let expected = (vec![0, 1, 3, 3, 6, 7], vec![4, 1, 3, 0, 5, 6, 2], vec![40, 10, 30, 0, 50, 60, 20]);
        assert_eq!(sorted(&keys, &[Singles(0..7)]), expected);
        assert_eq!(sorted(&keys, &[Singles(0..2), Singles(2..2), Singles(2..7)]), expected);
    }

    #[test]
    #[should_panic = "index out of bounds"]
    fn keys_without_a_counter_are_refused() {
        sorted(&[3, 5], &[Singles(0..2)]);
    }

    #[test]
    #[should_panic = "a part begins where the one before ends"]
    fn parts_that_overlap_are_refused() {
        sorted(&[3, 4, 1], &[Singles(0..2), Singles(1..3)]);
    }
}
