//! Local numbers for the coordinates that a process needs of a mode: those that it has, and between them in
//! global order those that others have, which it receives.
//!
//! For a process that has 4 to 6 and needs 1, 5, 8 and 9:
//! ```text
//! coordinate    1   4 5 6   8 9
//! local number  0   1 2 3   4 5
//! ```
//! So what a process has is a slice of what it computes with, and what another one sends is one, too.

use super::Processes;
use super::partition::Partition;
use crate::error::Error;
use crate::memory::{bytes_of, bytes_of_mut};
use std::ops::Range;
use std::sync::Arc;

/// The local numbers of a process, and what it sends to others for theirs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbering {
    partition: Arc<Partition>,
    /// What is received from processes of lower ranks, ascending.
    below: Vec<i64>,
    own: Range<i64>,
    /// What is received from processes of higher ranks, ascending.
    above: Vec<i64>,
    /// What each process receives of this one: ranges that count from the start of its own.
    sent: Vec<Vec<Range<i64>>>,
}

/// What is received from a process: coordinates, which have consecutive local numbers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Received<'a> {
    pub(crate) process: usize,
    /// The local number of the first.
    pub(crate) first: usize,
    pub(crate) coordinates: &'a [i64],
}

impl Numbering {
    /// Has all processes say what they need: coordinates, ascending and each once.
    pub(crate) fn agreed(
        needed: impl IntoIterator<Item = i64>,
        partition: &Arc<Partition>,
        processes: &Processes,
    ) -> Result<Self, Error> {
        let mut numbering = Self::new(needed, partition, processes.rank);
        let mut wanted: Vec<&[u8]> = vec![&[]; processes.count];
        for Received { process, coordinates, .. } in numbering.received() {
            wanted[process] = bytes_of(coordinates);
        }
        let lists = processes.exchange(&wanted)?;
        let start = numbering.own.start;
        let of_process = |bytes: &Vec<u8>| {
            let mut coordinates = vec![0i64; bytes.len() / size_of::<i64>()];
            bytes_of_mut(&mut coordinates).copy_from_slice(bytes);
            ranges(coordinates.into_iter().map(|coordinate| coordinate - start))
        };
        numbering.sent = lists.iter().map(of_process).collect();
        Ok(numbering)
    }

    /// Of what the process has, and nothing else.
    pub(crate) fn of_own(partition: &Arc<Partition>, rank: usize) -> Self {
        Self::new([], partition, rank)
    }

    fn new(needed: impl IntoIterator<Item = i64>, partition: &Arc<Partition>, rank: usize) -> Self {
        let own = partition.range(rank);
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for coordinate in needed {
            if coordinate < own.start {
                below.push(coordinate);
            } else if coordinate >= own.end {
                above.push(coordinate);
            }
        }
        let sent = vec![Vec::new(); partition.processes()];
        Self { partition: partition.clone(), below, own, above, sent }
    }

    pub(crate) fn partition(&self) -> &Arc<Partition> {
        &self.partition
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

    /// Returns the local number of a coordinate, which is needed.
    pub(crate) fn local(&self, coordinate: i64) -> i64 {
        let below = self.below.len() as i64;
        if coordinate >= self.own.end {
            let before = below + self.own_len() as i64;
            return before + self.above.partition_point(|other| *other < coordinate) as i64;
        }
        match coordinate < self.own.start {
            true => self.below.partition_point(|other| *other < coordinate) as i64,
            false => below + coordinate - self.own.start,
        }
    }

    /// Returns the coordinate of a local number.
    pub(crate) fn coordinate(&self, local: i64) -> i64 {
        let own = self.own();
        match local as usize {
            number if number < own.start => self.below[number],
            number if number < own.end => self.own.start + (number - own.start) as i64,
            number => self.above[number - own.end],
        }
    }

    /// Returns the coordinates that have local numbers, as ranges.
    pub(crate) fn coordinates(&self) -> Vec<Range<i64>> {
        let own = [self.own.clone()].into_iter().filter(|own| !own.is_empty());
        let list = |list: &[i64]| ranges(list.iter().copied());
        list(&self.below).into_iter().chain(own).chain(list(&self.above)).collect()
    }

    /// Returns what is received from each process, by rank.
    pub(crate) fn received(&self) -> impl Iterator<Item = Received<'_>> {
        self.groups(&self.below, 0).chain(self.groups(&self.above, self.own().end))
    }

    /// Groups coordinates, which have local numbers from `first` on, by their owners.
    fn groups<'a>(&'a self, list: &'a [i64], first: usize) -> impl Iterator<Item = Received<'a>> {
        let (mut rest, mut place) = (list, first);
        std::iter::from_fn(move || {
            let process = self.partition.owner(*rest.first()?);
            let end = self.partition.range(process).end;
            let count = rest.partition_point(|coordinate| *coordinate < end);
            let (coordinates, others) = rest.split_at(count);
            (rest, place) = (others, place + count);
            Some(Received { process, first: place - count, coordinates })
        })
    }

    /// Returns what a process receives of this one: ranges that count from the start of its own.
    pub(crate) fn sent_to(&self, process: usize) -> &[Range<i64>] {
        &self.sent[process]
    }
}

/// Joins ascending numbers to ranges.
fn ranges(numbers: impl Iterator<Item = i64>) -> Vec<Range<i64>> {
    let mut ranges: Vec<Range<i64>> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_order() {
        let partition = Arc::new(Partition::even(10, 3));
        let numbering = Numbering::new([1, 4, 6, 9], &partition, 1);
        let local: Vec<i64> = [1, 3, 4, 5, 6, 9].map(|coordinate| numbering.local(coordinate)).to_vec();
        assert_eq!(local, [0, 1, 2, 3, 4, 5]);
        let back: Vec<i64> = (0..6).map(|local| numbering.coordinate(local)).collect();
        assert_eq!(back, [1, 3, 4, 5, 6, 9]);
        assert_eq!((numbering.len(), numbering.own()), (6, 1..4));
        assert_eq!(numbering.coordinates(), [1..2, 3..6, 6..7, 9..10]);
    }

    #[test]
    fn received_coordinates_are_grouped_by_their_owners() {
        let partition = Arc::new(Partition::even(12, 4));
        let numbering = Numbering::new([0, 1, 2, 4, 6, 9, 11], &partition, 1);
        let received: Vec<_> = numbering
            .received()
            .map(|received| (received.process, received.first, received.coordinates))
            .collect();
        assert_eq!(received, [(0, 0, &[0, 1, 2][..]), (2, 6, &[6][..]), (3, 7, &[9, 11][..])]);
    }
}
