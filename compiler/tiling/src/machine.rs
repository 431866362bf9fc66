//! What tiles take, and what they must fit in.

/// How many numbers of each kind a tile has in compressed sparse fibers (d2t2.txt section 2.1): values, and
/// the entries of the coordinate and the segment arrays of all levels inside of the tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    pub values: u64,
    pub coordinates: u64,
    /// Where fibers begin and end, of all levels.
    pub segments: u64,
    /// The length of the longest array of coordinates or segments.
    pub longest: u64,
}

impl Footprint {
    /// Of a tile that has, from the outermost level in, so many nodes.
    ///
    /// ```
    /// use comet_tiling::Footprint;
    /// // Two rows with three entries: segments 0 2 and 0 2 3, coordinates of the rows and the columns.
    /// let tile = Footprint::of_nodes(&[2, 3]);
    /// assert_eq!(tile, Footprint { values: 3, coordinates: 5, segments: 5, longest: 3 });
    /// ```
    pub fn of_nodes(nodes: &[u64]) -> Self {
        Self::of_levels(nodes.iter().copied())
    }

    /// The same of numbers that come one after the other.
    pub(crate) fn of_levels(nodes: impl Iterator<Item = u64>) -> Self {
        let (mut coordinates, mut levels, mut values, mut longest) = (0, 0, 1u64, 0);
        for count in nodes {
            longest = count.max(longest).max(values.saturating_add(1));
            (coordinates, levels, values) = (count.saturating_add(coordinates), levels + 1, count);
        }
        // A fiber for each node of the level above, and one more entry a level; the root has one fiber.
        let segments = if levels == 0 { 0 } else { (coordinates - values).saturating_add(levels + 1) };
        Self { values, coordinates, segments, longest }
    }

    /// Of a tile of a sparse operand that reaches so far along each of its indices, if it is full.
    pub(crate) fn filled(sizes: &[u64]) -> Self {
        Self::of_levels(sizes.iter().scan(1u64, |nodes, &size| {
            *nodes = nodes.saturating_mul(size);
            Some(*nodes)
        }))
    }

    /// Of a tile of a dense operand, which has values only.
    pub fn dense(values: u64) -> Self {
        Self { values, ..Self::default() }
    }

    /// Of a tile of a dense operand that reaches so far along each of its indices.
    pub(crate) fn full(sizes: &[u64]) -> Self {
        Self::dense(sizes.iter().fold(1, |all, &size| all.saturating_mul(size)))
    }
}

/// The memories that tiles are brought to, one for each operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What a tile takes at most, in bytes, with its coordinates and segments.
    pub buffer: u64,
    pub value_bytes: u64,
    /// Of a coordinate, and of an entry of a segment array.
    pub word_bytes: u64,
    /// Whether values, and the coordinates and segments of each level, have buffers of that size each.
    pub is_apart: bool,
    /// How many of the outermost levels of a tile have one coordinate, which the loops around the tile
    /// determine: they take nothing.
    pub outside: u64,
}

impl Machine {
    /// Values of 8 bytes and 4 bytes a coordinate and a segment, in one buffer for each operand.
    pub fn of_buffer(buffer: u64) -> Self {
        Self { buffer, value_bytes: 8, word_bytes: 4, is_apart: false, outside: 0 }
    }

    /// Opal (d2t2.txt section 6.4): memories of 2 KB, which take a tile of 32 by 32 values of 2 bytes, with
    /// the coordinates and the segments of each level in memories of their own.
    pub fn opal() -> Self {
        Self { buffer: 2048, value_bytes: 2, word_bytes: 2, is_apart: true, outside: 0 }
    }

    /// The side of the largest cube of so many modes that is sure to fit however its tiles are filled.
    ///
    /// ```
    /// use comet_tiling::Machine;
    /// // 104 · 104 values, 104 + 104 · 104 coordinates, 2 + 105 segments: 130,636 bytes.
    /// assert_eq!(Machine::of_buffer(128 << 10).conservative(2), 104);
    /// assert_eq!(Machine::of_buffer(128 << 10).conservative(3), 21);
    /// assert_eq!(Machine::opal().conservative(2), 32);
    /// ```
    pub fn conservative(&self, rank: usize) -> u64 {
        longest(self.buffer, |side| self.fits(Footprint::filled(&vec![side; rank.max(1)])))
    }

    /// Whether there is room for a tile of one entry with so many indices.
    pub fn has_room(&self, rank: usize) -> bool {
        self.fits(Footprint::filled(&vec![1; rank.max(1)]))
    }

    pub fn bytes(&self, tile: Footprint) -> u64 {
        // A level of one coordinate has two segments.
        let words = tile.coordinates.saturating_add(tile.segments).saturating_sub(3 * self.outside);
        tile.values.saturating_mul(self.value_bytes).saturating_add(words.saturating_mul(self.word_bytes))
    }

    /// How much of the buffer a tile takes: at most 1 if it fits.
    pub fn share(&self, tile: Footprint) -> f64 {
        let longest = u64::max(
            tile.values.saturating_mul(self.value_bytes),
            tile.longest.saturating_mul(self.word_bytes),
        );
        let bytes = if self.is_apart { longest } else { self.bytes(tile) };
        bytes as f64 / self.buffer as f64
    }

    pub fn fits(&self, tile: Footprint) -> bool {
        self.share(tile) <= 1.0
    }

    /// In how many parts a tile passes.
    ///
    /// ```
    /// use comet_tiling::{Footprint, Machine};
    /// // Each level has memories of its own: 1024 coordinates of the second one are what there is room for.
    /// assert_eq!(Machine::opal().parts(Footprint::of_nodes(&[32, 1024])), 1);
    /// assert_eq!(Machine::opal().parts(Footprint::of_nodes(&[32, 1025])), 2);
    /// ```
    pub fn parts(&self, tile: Footprint) -> u64 {
        (self.share(tile).ceil() as u64).max(1)
    }

    /// What of a tile there is no room for, in bytes.
    pub(crate) fn beyond(&self, tile: Footprint) -> u64 {
        let bytes = self.bytes(tile);
        match self.is_apart {
            false => bytes.saturating_sub(self.buffer),
            true => (bytes as f64 * (1.0 - self.share(tile).max(1.0).recip())).round() as u64,
        }
    }
}

/// The largest number up to a bound of which something holds that holds of all smaller ones; 1 at least.
pub(crate) fn longest(bound: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (1, bound.saturating_add(1).max(2));
    while low + 1 < high {
        let middle = low.midpoint(high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}
