//! Local numbers for the coordinates that a process needs of a mode: those that it has, and between them in
//! global order those that others have, which are received.
//!
//! For a process that has 4 to 6 and needs 1, 5, 8 and 9:
//! ```text
//! coordinate    1   4 5 6   8 9
//! local number  0   1 2 3   4 5
//! ```
//! So what a process has is a slice of what it computes with, and what another one sends is one, too.

use super::partition::Partition;
use std::ops::Range;

/// The local numbers of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbering {
    /// What is received from processes of lower ranks, ascending.
    below: Vec<i64>,
    own: Range<i64>,
    /// What is received from processes of higher ranks, ascending.
    above: Vec<i64>,
}

impl Numbering {
    /// For the needed coordinates, ascending and each once.
    pub(crate) fn new(needed: impl IntoIterator<Item = i64>, own: Range<i64>) -> Self {
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for coordinate in needed {
            if coordinate < own.start {
                below.push(coordinate);
            } else if coordinate >= own.end {
                above.push(coordinate);
            }
        }
        Self { below, own, above }
    }

    /// How many local numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.below.len() + self.own_len() + self.above.len()
    }

    fn own_len(&self) -> usize {
        (self.own.end - self.own.start).max(0) as usize
    }

    /// Returns the local numbers of what the process has.
    pub(crate) fn own(&self) -> Range<usize> {
        self.below.len()..self.below.len() + self.own_len()
    }

    /// Returns the local number of a coordinate that is needed.
    pub(crate) fn local(&self, coordinate: i64) -> Option<usize> {
        if self.own.contains(&coordinate) {
            return Some(self.below.len() + (coordinate - self.own.start) as usize);
        }
        let (list, first) = match coordinate < self.own.start {
            true => (&self.below, 0),
            false => (&self.above, self.own().end),
        };
        list.binary_search(&coordinate).ok().map(|place| first + place)
    }

    /// Returns what is received from each process: its coordinates, which have consecutive local numbers from
    /// the one beside them on.
    pub(crate) fn received<'a>(
        &'a self,
        partition: &'a Partition,
    ) -> impl Iterator<Item = (usize, usize, &'a [i64])> {
        let parts = |list: &'a [i64], first: usize| {
            let mut rest = list;
            let mut place = first;
            std::iter::from_fn(move || {
                let owner = partition.owner(*rest.first()?);
                let end = partition.range(owner).end;
                let count = rest.partition_point(|coordinate| *coordinate < end);
                let (part, others) = rest.split_at(count);
                rest = others;
                place += count;
                Some((owner, place - count, part))
            })
        };
        parts(&self.below, 0).chain(parts(&self.above, self.own().end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_order() {
        let numbering = Numbering::new([1, 5, 8, 9], 4..7);
        let local: Vec<Option<usize>> = (0..10).map(|coordinate| numbering.local(coordinate)).collect();
        let expected = [None, Some(0), None, None, Some(1), Some(2), Some(3), None, Some(4), Some(5)];
        assert_eq!(local, expected);
        assert_eq!((numbering.len(), numbering.own()), (6, 1..4));
    }

    #[test]
    fn received_coordinates_are_grouped_by_their_owners() {
        let partition = Partition::even(12, 4);
        let numbering = Numbering::new([0, 1, 2, 4, 6, 9, 11], partition.range(1));
        let received: Vec<_> = numbering.received(&partition).collect();
        assert_eq!(received, [(0, 0, &[0, 1, 2][..]), (2, 6, &[6][..]), (3, 7, &[9, 11][..])]);
    }
}
