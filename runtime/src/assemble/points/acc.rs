//! The accumulator: a bounded number of points, as a list or as a hash table.

use crate::error::Error;
use crate::memory::check_available;
use crate::tensor::ArrayName;
use std::str::FromStr;

/// A coordinate path and the bits of a value.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Point<const W: usize> {
    pub(super) key: [u64; W],
    pub(super) bits: u64,
}

/// No key: the highest bit of none is set.
const EMPTY: u64 = u64::MAX;

/// The first room of an accumulator, in points: a part of the second-level cache.
const FIRST_ROOM: usize = 1 << 13;

/// How points are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One after another, several of an element.
    List,
    /// At the place of their key's hash, or the next that is free; one of an element.
    Hash,
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "list" => Ok(Self::List),
            "hash" => Ok(Self::Hash),
            _ => Err(Error::Internal(format!("`{name}` is no accumulator of points"))),
        }
    }
}

/// How many points there is room for.
#[derive(Clone, Copy)]
pub(super) enum Capacity {
    Given(usize),
    /// As many as the result has so far, so that a point is moved a logarithmic number of times.
    OfResult,
}

impl Capacity {
    pub(super) fn of(given: Option<usize>) -> Self {
        given.map_or(Self::OfResult, |points| Self::Given(points.max(1)))
    }

    fn points(self, result: usize) -> usize {
        match self {
            Self::Given(points) => points,
            Self::OfResult => result.max(8 * FIRST_ROOM),
        }
    }
}

/// Points on their way into the result.
pub(super) struct Acc<const W: usize> {
    kind: Kind,
    capacity: Capacity,
    /// The room: a list is filled from the front; the empty slots of a table have no key.
    points: Vec<Point<W>>,
    /// How many there may be in the room: searches take long in a table that is all but full.
    most: usize,
    /// What generated code shares: the number of points, the number that it may bring it to, shifts.
    state: Box<[i64]>,
}

/// Where the numbers stand in the state.
const LEN: usize = 0;
const MOST: usize = 1;

impl<const W: usize> Acc<W> {
    /// Without points; levels are shifted that far in a key.
    pub(super) fn new(kind: Kind, capacity: Capacity, shifts: Vec<u32>) -> Self {
        let state = [0, 0].into_iter().chain(shifts.into_iter().map(i64::from)).collect();
        Self { kind, capacity, points: Vec::new(), most: 0, state }
    }

    pub(super) fn state(&mut self) -> &mut [i64] {
        &mut self.state
    }

    /// Where the room begins, and its words.
    pub(super) fn room(&mut self) -> (*mut i64, usize) {
        (self.points.as_mut_ptr().cast(), self.points.len() * (W + 1))
    }

    fn len(&self) -> usize {
        self.state[LEN] as usize
    }

    fn set_len(&mut self, len: usize) {
        self.state[LEN] = len as i64;
    }

    /// Takes a point, unless there is no room; a table combines it with the one of the same element.
    pub(super) fn try_insert(&mut self, key: [u64; W], first: u64, combine: impl Fn(u64) -> u64) -> bool {
        match self.kind {
            Kind::List => self.append(Point { key, bits: first }),
            Kind::Hash => self.put(key, first, combine),
        }
    }

    fn append(&mut self, point: Point<W>) -> bool {
        let len = self.len();
        let Some(place) = self.points.get_mut(len) else { return false };
        *place = point;
        self.set_len(len + 1);
        true
    }

    fn put(&mut self, key: [u64; W], first: u64, combine: impl Fn(u64) -> u64) -> bool {
        let (slot, len) = (self.slot(&key), self.len());
        let (before, behind) = self.points.split_at_mut(slot);
        let is_found = |point: &&mut Point<W>| point.key == key || !point.is_there();
        let Some(point) = behind.iter_mut().chain(before).find(is_found) else { return false };
        if point.is_there() {
            point.bits = combine(point.bits);
            return true;
        }
        if len >= self.most {
            return false;
        }
        *point = Point { key, bits: first };
        self.set_len(len + 1);
        true
    }

    /// Where the search for a key begins: the hash as a fraction of the table (Fibonacci hashing). Generated
    /// code does the same with keys of one word.
    fn slot(&self, key: &[u64; W]) -> usize {
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        let hash = key.iter().fold(0u64, |hash, word| (hash.rotate_left(29) ^ word).wrapping_mul(GOLDEN));
        ((u128::from(hash) * self.points.len() as u128) >> 64) as usize
    }

    /// Doubles the room up to the capacity, where the result has `result` elements by now; says whether it
    /// could.
    pub(super) fn grow(&mut self, result: usize, what: &ArrayName) -> Result<bool, Error> {
        let (room, most) = (self.points.len(), self.capacity.points(result));
        if room >= most {
            return Ok(false);
        }
        let larger = (2 * room).max(FIRST_ROOM).min(most);
        check_available((room + larger) * size_of::<Point<W>>(), what)?;
        let old = std::mem::replace(&mut self.points, vec![Point::NOTHING; larger]);
        self.most = match self.kind {
            Kind::List => larger,
            Kind::Hash => (larger - larger / 8).max(1),
        };
        self.state[MOST] = if W == 1 { self.most as i64 } else { 0 };
        let len = self.len();
        match self.kind {
            Kind::List => self.points[..len].copy_from_slice(&old[..len]),
            Kind::Hash => {
                self.set_len(0);
                for point in old.into_iter().filter(Point::is_there) {
                    self.put(point.key, point.bits, |_| unreachable!("a table has each key once"));
                }
            }
        }
        Ok(true)
    }

    /// The points in the order of their keys; those of one element in that in which they came, if it counts.
    pub(super) fn sorted(&mut self, order_counts: bool) -> &[Point<W>] {
        if self.kind == Kind::Hash {
            let mut front = 0;
            for slot in 0..self.points.len() {
                if self.points[slot].is_there() {
                    self.points.swap(front, slot);
                    front += 1;
                }
            }
        }
        let len = self.len();
        let points = &mut self.points[..len];
        if order_counts && self.kind == Kind::List {
            points.sort_by_key(|point| point.key);
        } else {
            points.sort_unstable_by_key(|point| point.key);
        }
        points
    }

    /// Leaves no point.
    pub(super) fn clear(&mut self) {
        if self.kind == Kind::Hash {
            let len = self.len();
            self.points[..len].fill(Point::NOTHING);
        }
        self.set_len(0);
    }
}

impl<const W: usize> Point<W> {
    const NOTHING: Self = Self { key: [EMPTY; W], bits: 0 };

    fn is_there(&self) -> bool {
        self.key[0] != EMPTY
    }
}
