//! Conversions between formats that store a matrix line by line, a row or a column at a time: CSR, CSC,
//! DCSR, DCSC and COO in either order. Where both store the same lines, coordinates and values are copied;
//! where they do not, a counting sort by the inner coordinate turns the matrix around (Gustavson 1978,
//! HALFPERM). Both take time linear in the entries and the extents, without keys and comparisons.

mod lines;
mod listed;

use super::Moves;
use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::counted::{Lines as _, Moved};
use crate::memory::{Array, Plain};
use crate::tensor::with_indices;
use crate::tensor::with_width;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor};
use crate::threads;
use crate::values::Cell;
use crate::values::with_values;
use comet_format::{Format, LevelExpr, TypedFormat};
use lines::StoredLines;
use listed::{Listed, Spread};

/// Counters for one entry, at most: with fewer entries than that, sorting them costs less than counting.
const COUNTERS_PER_ENTRY: usize = 8;

/// So many entries are worth a task.
const STRETCH: usize = 1 << 15;

/// How lines are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// D: every line, also an empty one.
    All,
    /// CU: those with entries.
    Stored,
    /// CN above S: each entry names its own.
    ByEntry,
}

/// What a format stores as lines.
#[derive(Clone, Copy)]
struct LineLayout {
    lines: LineKind,
    /// The mode whose coordinate is the line's number; the lines hold the coordinates of the other mode.
    mode: usize,
}

impl LineLayout {
    fn of(format: &Format) -> Option<Self> {
        let [outer, inner] = format.levels.as_slice() else { return None };
        let (LevelExpr::Mode(mode), LevelExpr::Mode(_)) = (outer.expr, inner.expr) else { return None };
        let lines = match inner.kind {
            inner if inner.has_sets_in_crd() && outer.is_full() => LineKind::All,
            inner if inner.has_sets_in_crd() && outer.kind.has_sets_in_crd() => LineKind::Stored,
            inner if inner.is_branchless() && outer.starts_tuple() => LineKind::ByEntry,
            _ => return None,
        };
        Some(Self { lines, mode })
    }
}

/// Copies a matrix in another format; mode m of the copy is mode `permutation[m]` of the source. `None` if
/// one of the formats is none of the above, or if the entries of a COO matrix are not sorted and unique, as
/// they may be in arrays from outside. CU levels are by their definition.
pub(super) fn convert(
    source: &Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<Option<(Tensor, Moves)>, Error> {
    let layouts = (LineLayout::of(&source.format.format), LineLayout::of(&format.format));
    let (Some(from), Some(to)) = layouts else { return Ok(None) };
    let mut target = Tensor::new(name, format.clone());
    target.dims = permutation.iter().map(|&mode| source.dims[mode]).collect();
    let work = Conversion { source, from, target, to, turns: permutation[to.mode] != from.mode };
    if source.format.value == format.value {
        return with_values!(&source.values, values => work.of_values(values));
    }
    let values = source.values.cast(format.value, &work.name("values"))?;
    with_values!(&values, values => work.of_values(values))
}

struct Conversion<'a> {
    source: &'a Tensor,
    from: LineLayout,
    target: Tensor,
    to: LineLayout,
    /// Whether the lines of the target cross those of the source.
    turns: bool,
}

impl Conversion<'_> {
    fn of_values<V: Cell>(self, values: &[V]) -> Result<Option<(Tensor, Moves)>, Error> {
        with_width!(self.target.format.format.index_width, N => self.of_width::<N, V>(values))
    }

    fn of_width<J: Index, V: Cell>(self, values: &[V]) -> Result<Option<(Tensor, Moves)>, Error> {
        let largest = self.target.dims.iter().copied().max().unwrap_or(0).max(values.len() as i64);
        if largest as u64 > J::LARGEST {
            return Ok(None);
        }
        with_indices!(&self.source.levels[1].crd, crd => self.convert::<_, J, V>(crd, values))
    }

    fn convert<I: Index, J: Index, V: Cell>(
        mut self,
        crd: &[I],
        values: &[V],
    ) -> Result<Option<(Tensor, Moves)>, Error> {
        let Some(lines) = StoredLines::<I>::of(self.source, self.from) else { return Ok(None) };
        let entries = crd.len();
        let mut moves = Moves { entries, moved: entries, ..Moves::default() };
        if let StoredLines::ByEntry { numbers, .. } = lines {
            if !self.turns && self.to.lines == LineKind::All {
                let levels = self.spread::<I, J, V>(Listed { numbers, crd, values })?;
                self.target.levels = match levels {
                    Some(levels) => levels,
                    None => return Ok(None),
                };
                return Ok(Some((self.target, moves)));
            }
            if !listed::are_in_order(numbers, crd) {
                return Ok(None);
            }
        }
        self.target.levels = if self.turns {
            let across = self.target.dims[self.to.mode] as usize;
            if across > COUNTERS_PER_ENTRY * crd.len().max(1 << 10) {
                return Ok(None);
            }
            (moves.counters, moves.counted) = (across + 1, entries);
            self.turned::<I, J, V>(&lines, crd, values)?
        } else {
            let mut to = self.array::<J>(crd.len(), "crd")?;
            in_stretches(&mut to, crd, |to, from| {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = J::truncate(from.number()));
            });
            let mut copied = self.array::<V>(values.len(), "values")?;
            in_stretches(&mut copied, values, |to, from| to.copy_from_slice(from));
            self.target.values = V::store(copied, self.target.format.value);
            self.levels(&lines, to)?
        };
        Ok(Some((self.target, moves)))
    }

    /// The lines across: entries are sorted by their inner coordinate, line by line, so that each new line is
    /// in order. Each thread has some of the old lines.
    fn turned<I: Index, J: Index, V: Cell>(
        &mut self,
        lines: &StoredLines<I>,
        from: &[I],
        from_values: &[V],
    ) -> Result<Vec<LevelStorage>, Error> {
        let across = self.target.dims[self.to.mode] as usize;
        let mut pos = self.array::<J>(across + 1, "pos")?;
        let mut crd = self.array::<J>(from.len(), "crd")?;
        let mut values = self.array::<V>(from.len(), "values")?;
        let moved = Moved {
            keys: from,
            values: from_values,
            pos: &mut pos,
            to_numbers: &mut crd,
            to_values: &mut values,
        };
        let counters = ArrayName { tensor: &self.target.name, part: "counters" };
        moved.sort(&lines.in_parts(threads_for(from.len())), &counters)?;
        self.target.values = V::store(values, self.target.format.value);
        match self.to.lines {
            LineKind::All => self.levels_of_all(pos, crd),
            _ => self.levels(&StoredLines::All { first: 0, pos: &pos }, crd),
        }
    }

    /// From entries that name their lines to all lines; nothing where they are not in order.
    fn spread<I: Index, J: Index, V: Cell>(
        &mut self,
        from: Listed<I, V>,
    ) -> Result<Option<Vec<LevelStorage>>, Error> {
        let mut pos = self.array::<J>(self.target.dims[self.to.mode] as usize + 1, "pos")?;
        let mut crd = self.array::<J>(from.crd.len(), "crd")?;
        let mut values = self.array::<V>(from.values.len(), "values")?;
        if !(Spread { pos: &mut pos, crd: &mut crd, values: &mut values }).fill(from) {
            return Ok(None);
        }
        self.target.values = V::store(values, self.target.format.value);
        self.levels_of_all(pos, crd).map(Some)
    }

    /// The levels that hold these lines.
    fn levels<I: Index, J: Index>(
        &self,
        lines: &StoredLines<I>,
        crd: Array<J>,
    ) -> Result<Vec<LevelStorage>, Error> {
        match self.to.lines {
            LineKind::All => self.levels_of_all(self.ends_of_all::<I, J>(lines)?, crd),
            LineKind::Stored => {
                let mut count = 0;
                lines.for_each(|_, _| count += 1);
                let mut numbers = self.array::<J>(count, "crd")?;
                let mut pos = self.zeros::<J>(count + 1, "pos")?;
                let mut at = 0;
                lines.for_each(|number, entries| {
                    numbers[at] = J::truncate(number as u64);
                    pos[at + 1] = J::truncate(entries.end as u64);
                    at += 1;
                });
                let outer = level(self.one_segment::<J>(count)?, J::store(numbers));
                Ok(vec![outer, level(J::store(pos), J::store(crd))])
            }
            LineKind::ByEntry => {
                let mut numbers = self.array::<J>(crd.len(), "crd")?;
                lines.for_each(|number, entries| numbers[entries].fill(J::truncate(number as u64)));
                let outer = level(self.one_segment::<J>(crd.len())?, J::store(numbers));
                Ok(vec![outer, level(J::store(Array::<J>::empty()), J::store(crd))])
            }
        }
    }

    fn levels_of_all<J: Index>(&self, pos: Array<J>, crd: Array<J>) -> Result<Vec<LevelStorage>, Error> {
        let outer = size_as_pos::<J>(self.target.dims[self.to.mode], &self.target.name)?;
        Ok(vec![level(outer, J::store(Array::<J>::empty())), level(J::store(pos), J::store(crd))])
    }

    fn ends_of_all<I: Index, J: Index>(&self, lines: &StoredLines<I>) -> Result<Array<J>, Error> {
        let count = self.target.dims[self.to.mode] as usize;
        let mut pos = self.array::<J>(count + 1, "pos")?;
        // Where each line ends, up to one with entries: those in between are empty.
        let (mut next, mut end) = (0, 0);
        lines.for_each(|number, entries| {
            pos[next..=number].fill(J::truncate(end));
            (next, end) = (number + 1, entries.end as u64);
        });
        pos[next..=count].fill(J::truncate(end));
        Ok(pos)
    }

    /// The pos array of an outermost compressed level.
    fn one_segment<J: Index>(&self, len: usize) -> Result<IndexArray, Error> {
        let mut pos = self.zeros::<J>(2, "pos")?;
        pos[1] = J::truncate(len as u64);
        Ok(J::store(pos))
    }

    fn zeros<T: Plain>(&self, len: usize, part: &'static str) -> Result<Array<T>, Error> {
        Array::zeroed(len, &self.name(part))
    }

    /// An array that is about to be written.
    fn array<T: Plain>(&self, len: usize, part: &'static str) -> Result<Array<T>, Error> {
        Array::unspecified(len, &self.name(part))
    }

    fn name(&self, part: &'static str) -> ArrayName<'_> {
        ArrayName { tensor: &self.target.name, part }
    }
}

/// Returns the number of threads that pay off for that many entries.
fn threads_for(entries: usize) -> usize {
    threads::worth(entries, STRETCH)
}

/// What is made of some elements, in parallel where they are many.
fn in_stretches<A: Send, B: Sync>(to: &mut [A], from: &[B], body: impl Fn(&mut [A], &[B]) + Sync) {
    let stretch = from.len().div_ceil(threads_for(from.len())).max(1);
    threads::for_each(to.chunks_mut(stretch).zip(from.chunks(stretch)), |(to, from)| body(to, from));
}

fn level(pos: IndexArray, crd: IndexArray) -> LevelStorage {
    LevelStorage { pos, crd }
}
