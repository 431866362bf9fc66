//! What generated code and the run time share of an accumulator of points: the indices of the numbers that
//! `comet_rt_points_state` returns, the layout of a point, and how a table is searched.

/// The index of the number of points in the accumulator.
pub const LEN: usize = 0;
/// The index of the most points that generated code may add; 0 where a key takes several words.
pub const MOST: usize = 1;
/// The index of the number of hits: points that met one with the same coordinates. Generated code counts its
/// own only where it is asked to.
pub const HITS: usize = 2;
/// The index of the first shift: the number of bits by which each level's coordinate is shifted in a key.
pub const SHIFTS: usize = 3;

/// The first word of a slot in which there is no point: the highest bit of no key is set.
pub const EMPTY: u64 = u64::MAX;

/// 2⁶⁴ over the golden ratio. The product of a key of one word with it, as a fraction of 2⁶⁴, is where in the
/// table the search for the key begins (Fibonacci hashing); it continues with the next slot, and
/// after the last one with the first.
pub const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// How points are kept; `ta.points_begin` and the C ABI have the names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum AccumulatorKind {
    /// One after another, several of an element.
    #[default]
    List,
    /// As a list; those of an element combine in the order in which they came, from the first to the last.
    Sequence,
    /// At the place of their key's hash, or the next that is free; one of an element.
    Hash,
}

impl AccumulatorKind {
    pub fn name(self) -> &'static str {
        self.into()
    }
}
