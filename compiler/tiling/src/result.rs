//! What an iteration of the loops over tiles writes: the tile of the result of its products, in one piece
//! if the buffer holds it, in several otherwise.
//!
//! The points of an iteration come in the order of the loops inside of tiles. Those that have the same
//! coordinates of all indices before the first reduced one are a *slab*: it is finished before the next one
//! begins. As long as every slab fits, each point is written once, whenever the buffer is full of finished
//! slabs. Where a slab does not fit, as in the order `k, i, j` that finishes nothing before the last k, what
//! the buffer holds is written when it is full, and later coordinates of k write the same points again.

use crate::join::{Cursor, Terms, Visitor};
use crate::machine::{Footprint, Machine};
use crate::statement::{Target, Var};
use rustc_hash::FxHashSet;

#[derive(Debug)]
pub struct ResultTile {
    machine: Machine,
    /// How many coordinates points have.
    rank: usize,
    finished: usize,
    whole: Nodes,
    slab: Nodes,
    piece: Nodes,
    /// The coordinates that the slab has in common.
    at: Vec<u32>,
    /// The bytes of the pieces of the slab, and of all slabs before, each written on its own.
    pieces: u64,
    apart: u64,
    /// Whether some slab did not fit.
    has_again: bool,
}

/// The different beginnings that points have, by length.
#[derive(Debug, Default)]
struct Nodes {
    seen: FxHashSet<Vec<u32>>,
    counts: Vec<u64>,
}

impl Nodes {
    fn of_rank(rank: usize) -> Self {
        Self { seen: FxHashSet::default(), counts: vec![0; rank] }
    }

    /// How many nodes each level has with another point.
    fn with(&self, point: &[u32]) -> Vec<u64> {
        let is_new = |level: usize| u64::from(!self.seen.contains(&point[..=level]));
        self.counts.iter().enumerate().map(|(level, count)| count + is_new(level)).collect()
    }

    fn insert(&mut self, point: &[u32]) {
        for (level, count) in self.counts.iter_mut().enumerate() {
            if !self.seen.contains(&point[..=level]) {
                self.seen.insert(point[..=level].to_vec());
                *count += 1;
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    fn footprint(&self) -> Footprint {
        if self.is_empty() { Footprint::default() } else { Footprint::of_nodes(&self.counts) }
    }

    /// What it was, and begins anew.
    fn taken(&mut self) -> Footprint {
        let footprint = self.footprint();
        self.seen.clear();
        self.counts.fill(0);
        footprint
    }
}

/// How many indices of a result the loops go over before they come to one that is reduced.
pub fn finished(loops: &[Var], result: &[Var]) -> usize {
    loops.iter().take_while(|var| result.contains(var)).count()
}

impl ResultTile {
    /// For points of a sparse result with so many coordinates, of which the first ones are finished in turn.
    pub fn new(machine: Machine, rank: usize, finished: usize) -> Self {
        let [whole, slab, piece] = [(); 3].map(|()| Nodes::of_rank(rank));
        let at = Vec::new();
        Self { machine, rank, finished, whole, slab, piece, at, pieces: 0, apart: 0, has_again: false }
    }

    /// A product has a value at this point, in the order of the loops.
    pub fn add(&mut self, point: &[u32]) {
        if self.at != point[..self.finished] {
            self.end_slab();
            self.at = point[..self.finished].to_vec();
        }
        self.whole.insert(point);
        self.slab.insert(point);
        let is_beyond = !self.machine.fits(Footprint::of_nodes(&self.piece.with(point)));
        if is_beyond && !self.piece.is_empty() {
            self.pieces += self.machine.bytes(self.piece.taken());
        }
        self.piece.insert(point);
    }

    fn end_slab(&mut self) {
        let (slab, piece) = (self.slab.taken(), self.piece.taken());
        let pieces = std::mem::take(&mut self.pieces) + self.machine.bytes(piece);
        let fits = self.machine.fits(slab);
        self.apart += if fits { self.machine.bytes(slab) } else { pieces };
        self.has_again |= !fits;
    }

    /// The iteration ends: the bytes that it has written, 0 if there was no point. The next one begins.
    ///
    /// ```
    /// use comet_tiling::{Machine, ResultTile};
    /// let machine = Machine::of_buffer(52);
    /// // Row by row: rows of one entry fit, two in a buffer of 52 bytes.
    /// let mut rows = ResultTile::new(machine, 2, 1);
    /// [[0, 0], [1, 1], [2, 2]].iter().for_each(|point| rows.add(point));
    /// let whole = 3 * 8 + (3 + 3) * 4 + (2 + 4) * 4;
    /// assert_eq!(rows.end(), whole + 2 * 2 * 4);
    /// // Column by column of what is reduced: the first point has been written when it comes again.
    /// let mut sums = ResultTile::new(machine, 2, 0);
    /// [[0, 0], [1, 1], [2, 2], [0, 0]].iter().for_each(|point| sums.add(point));
    /// assert_eq!(sums.end(), 2 * (2 * 8 + (2 + 2) * 4 + (2 + 3) * 4));
    /// ```
    pub fn end(&mut self) -> u64 {
        self.end_slab();
        self.at.clear();
        let whole = self.whole.taken();
        let apart = std::mem::take(&mut self.apart);
        if std::mem::take(&mut self.has_again) { apart } else { in_parts(&self.machine, self.rank, whole) }
    }
}

/// What a tile of the result takes when it is written: each part that the buffer is full of is a tile of its
/// own, which says again on which path its first value is: a coordinate and a position of every index, about.
pub(crate) fn written(machine: &Machine, (target, levels): (&Target, usize), tile: Footprint) -> u64 {
    in_parts(machine, if target.is_dense { 0 } else { levels }, tile)
}

fn in_parts(machine: &Machine, rank: usize, tile: Footprint) -> u64 {
    machine.bytes(tile) + (machine.parts(tile) - 1) * 2 * rank as u64 * machine.word_bytes
}

/// The nodes of a tile of the result.
pub(crate) struct Counter {
    nodes: Vec<u64>,
    /// For each coordinate of the last index, the fiber in which it was seen last.
    seen: Vec<u32>,
    fiber: u32,
    /// How many values there were before that fiber, and the most that one has had.
    before: u64,
    longest: u64,
    /// Whether one value is all that counts: a tile of a dense result takes the same with any.
    is_whole: bool,
    /// How many levels are of loops around, and have one coordinate.
    outside: usize,
}

impl Counter {
    /// Of a result whose last index has so many coordinates, and whose first indices are of loops around.
    pub(crate) fn new(target: &Target, coordinates: usize, outside: usize) -> Self {
        let rank = target.indices.len();
        let seen = vec![0; if rank == 0 { 1 } else { coordinates }];
        let is_whole = target.is_dense || rank == 0;
        Self { nodes: vec![0; rank.max(1)], seen, fiber: 0, before: 0, longest: 0, is_whole, outside }
    }

    pub(crate) fn start(&mut self) {
        self.nodes.fill(0);
        self.next_fiber();
        self.longest = 0;
    }

    /// What has been counted, in a tile of so many coordinates.
    pub(crate) fn footprint(&self, target: &Target, extent: u64) -> Footprint {
        match self.nodes.last() {
            Some(0) | None => Footprint::default(),
            Some(_) if target.is_dense => Footprint::dense(extent),
            Some(_) if target.indices.is_empty() => Footprint::dense(1),
            Some(_) => Footprint::of_nodes(&self.nodes[self.outside..]),
        }
    }

    /// The most values that a fiber of the tile has.
    pub(crate) fn longest(&self) -> u64 {
        self.longest.max(self.values() - self.before)
    }

    fn values(&self) -> u64 {
        self.nodes.last().copied().unwrap_or(0)
    }

    fn next_fiber(&mut self) {
        self.longest = self.longest.max(self.values().saturating_sub(self.before));
        self.before = self.values();
        self.fiber = self.fiber.wrapping_add(1);
        if self.fiber == 0 {
            self.seen.fill(0);
            self.fiber = 1;
        }
    }
}

impl Visitor for Counter {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        let place = if self.seen.len() == 1 { 0 } else { at.path.last().map_or(0, |&last| last as usize) };
        if self.seen[place] != self.fiber {
            self.seen[place] = self.fiber;
            *self.nodes.last_mut().expect("a result has a level of values") += 1;
        }
        terms
    }

    fn leave(&mut self, depth: usize, reached: Terms, _at: &Cursor) {
        // The loops over the indices of the result but the last are outermost.
        if depth + 1 >= self.nodes.len() {
            return;
        }
        if reached != 0 {
            self.nodes[depth] += 1;
        }
        if depth + 2 == self.nodes.len() {
            self.next_fiber();
        }
    }

    fn is_done(&self) -> bool {
        self.is_whole && self.nodes.last().is_some_and(|&values| values > 0)
    }
}
