//! Conversions between formats that store a matrix line by line, a row or a column at a time: CSR, CSC,
//! DCSR, DCSC and COO in either order. Where both store the same lines, coordinates and values are copied;
//! where they do not, a counting sort by the inner coordinate turns the matrix around (Gustavson 1978,
//! HALFPERM). Both take time linear in the entries and the extents, without keys and comparisons.

use super::Moves;
use crate::error::Error;
use crate::format::{Format, IndexWidth, LevelExpr, LevelKind, TypedFormat};
use crate::memory::{Array, Plain};
use crate::pack::size_as_pos;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor};
use crate::values::{Value, Values};
use rayon::prelude::*;
use std::ops::Range;

/// Counters for one entry, at most: with fewer entries than that, sorting them costs less than counting.
const COUNTERS_PER_ENTRY: usize = 8;

/// So many entries are worth a task.
const STRETCH: usize = 1 << 15;

/// How lines are found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// D: every line, also an empty one.
    All,
    /// CU: those with entries.
    Stored,
    /// CN above S: each entry names its own.
    ByEntry,
}

/// What a format stores as lines.
#[derive(Clone, Copy)]
struct Layout {
    lines: Lines,
    /// The mode whose coordinate is the line's number; the other mode's coordinates stand in the lines.
    mode: usize,
}

impl Layout {
    fn of(format: &Format) -> Option<Self> {
        let [outer, inner] = format.levels.as_slice() else { return None };
        let (LevelExpr::Mode(mode), LevelExpr::Mode(_)) = (outer.expr, inner.expr) else { return None };
        let lines = match (outer.kind, inner.kind) {
            (LevelKind::Dense, LevelKind::CompressedUnique) => Lines::All,
            (LevelKind::CompressedUnique, LevelKind::CompressedUnique) => Lines::Stored,
            (LevelKind::CompressedNonUnique, LevelKind::Singleton) => Lines::ByEntry,
            _ => return None,
        };
        Some(Self { lines, mode })
    }
}

/// A copy of a matrix in another format, whose mode m is mode `permutation[m]` of the source. Nothing where
/// one of the formats is none of the above or the value types differ, and where the entries of a COO matrix
/// are not sorted and unique, as they may be in arrays from outside. CU levels are by their definition.
pub(super) fn convert(
    source: &Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<Option<(Tensor, Moves)>, Error> {
    let layouts = (Layout::of(&source.format.format), Layout::of(&format.format));
    let (Some(from), Some(to)) = layouts else { return Ok(None) };
    if source.format.value != format.value {
        return Ok(None);
    }
    let mut target = Tensor::new(name, format.clone());
    target.dims = permutation.iter().map(|&mode| source.dims[mode]).collect();
    let work = Conversion { source, from, target, to, turns: permutation[to.mode] != from.mode };
    match &source.values {
        Values::F64(values) => work.of_values(values),
        Values::F32(values) => work.of_values(values),
        Values::I64(values) => work.of_values(values),
    }
}

struct Conversion<'a> {
    source: &'a Tensor,
    from: Layout,
    target: Tensor,
    to: Layout,
    /// Whether the lines of the target cross those of the source.
    turns: bool,
}

impl Conversion<'_> {
    fn of_values<V: Value>(self, values: &[V]) -> Result<Option<(Tensor, Moves)>, Error> {
        match self.target.format.format.index_width {
            IndexWidth::I32 => self.of_width::<i32, V>(values),
            IndexWidth::I64 => self.of_width::<i64, V>(values),
        }
    }

    fn of_width<J: Index, V: Value>(self, values: &[V]) -> Result<Option<(Tensor, Moves)>, Error> {
        let largest = self.target.dims.iter().copied().max().unwrap_or(0).max(values.len() as i64);
        if largest as u64 > J::LARGEST {
            return Ok(None);
        }
        match &self.source.levels[1].crd {
            IndexArray::I32(crd) => self.convert::<i32, J, V>(crd, values),
            IndexArray::I64(crd) => self.convert::<i64, J, V>(crd, values),
        }
    }

    fn convert<I: Index, J: Index, V: Value>(
        mut self,
        crd: &[I],
        values: &[V],
    ) -> Result<Option<(Tensor, Moves)>, Error> {
        let Some(lines) = StoredLines::<I>::of(self.source, self.from) else { return Ok(None) };
        if !lines.are_sorted_and_unique(crd) {
            return Ok(None);
        }
        let entries = crd.len();
        let mut moves = Moves { entries, moved: entries, ..Moves::default() };
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
            self.target.values = V::store(copied);
            self.levels(&lines, to)?
        };
        Ok(Some((self.target, moves)))
    }

    /// The lines across: entries are counted by their inner coordinate and moved, line by line, so that each
    /// new line is in order. Each thread has some of the new lines, and goes through all old ones for them.
    fn turned<I: Index, J: Index, V: Value>(
        &mut self,
        lines: &StoredLines<I>,
        from: &[I],
        from_values: &[V],
    ) -> Result<Vec<LevelStorage>, Error> {
        let across = self.target.dims[self.to.mode] as usize;
        let mut pos = self.counted_before::<I, J>(from, across)?;
        let mut crd = self.array::<J>(from.len(), "crd")?;
        let mut values = self.array::<V>(from.len(), "values")?;
        let shares = shares(&pos, from.len());
        let mut pieces = Vec::new();
        let (mut crd_left, mut values_left, mut ends_left) =
            (&mut crd[..], &mut values[..], &mut pos[..across]);
        for share in shares {
            let first = ends_left.first().map_or(from.len(), |first| first.number() as usize);
            let (ends, others) = std::mem::take(&mut ends_left).split_at_mut(share.len());
            let end = others.first().map_or(from.len(), |next| next.number() as usize);
            let (own_crd, other_crd) = std::mem::take(&mut crd_left).split_at_mut(end - first);
            let (own_values, other_values) = std::mem::take(&mut values_left).split_at_mut(end - first);
            (crd_left, values_left, ends_left) = (other_crd, other_values, others);
            pieces.push(Piece { lines: share, first, ends, crd: own_crd, values: own_values });
        }
        match &mut pieces[..] {
            [all] => lines
                .for_each(|number, entries| all.take(number, &from[entries.clone()], &from_values[entries])),
            _ => pieces.par_iter_mut().for_each(|piece| {
                lines.for_each(|number, entries| {
                    // Coordinates rise in a line.
                    let line = &from[entries.clone()];
                    let below = |bound: usize| line.partition_point(|at| (at.number() as usize) < bound);
                    let own = below(piece.lines.start)..below(piece.lines.end);
                    piece.take(number, &line[own.clone()], &from_values[entries][own]);
                });
            }),
        }
        pos.copy_within(..across, 1);
        pos[0] = J::truncate(0);
        self.target.values = V::store(values);
        match self.to.lines {
            Lines::All => self.levels_of_all(pos, crd),
            _ => self.levels(&StoredLines::All(&pos), crd),
        }
    }

    /// How many entries there are in front of each new line, and in all.
    fn counted_before<I: Index, J: Index>(&self, from: &[I], across: usize) -> Result<Array<J>, Error> {
        let mut pos = self.zeros::<J>(across + 1, "pos")?;
        // A slice: an array's own address and length would be read again after each store.
        let counts = &mut pos[..];
        for coordinate in from {
            let count = &mut counts[coordinate.number() as usize];
            *count = J::truncate(count.number() + 1);
        }
        let mut before = 0;
        for count in counts {
            let own = count.number();
            *count = J::truncate(before);
            before += own;
        }
        Ok(pos)
    }

    /// The levels that hold these lines.
    fn levels<I: Index, J: Index>(
        &self,
        lines: &StoredLines<I>,
        crd: Array<J>,
    ) -> Result<Vec<LevelStorage>, Error> {
        match self.to.lines {
            Lines::All => self.levels_of_all(self.ends_of_all::<I, J>(lines)?, crd),
            Lines::Stored => {
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
            Lines::ByEntry => {
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
        Array::zeroed(len, &ArrayName { tensor: &self.target.name, part })
    }

    /// An array that is about to be written.
    fn array<T: Plain>(&self, len: usize, part: &'static str) -> Result<Array<T>, Error> {
        Array::unspecified(len, &ArrayName { tensor: &self.target.name, part })
    }
}

/// Some of the new lines, and where they are made.
struct Piece<'a, J, V> {
    lines: Range<usize>,
    /// The entries in front of them.
    first: usize,
    /// Where each line goes on; in the end, where the next one begins.
    ends: &'a mut [J],
    crd: &'a mut [J],
    values: &'a mut [V],
}

impl<J: Index, V: Value> Piece<'_, J, V> {
    /// Entries of an old line.
    fn take<I: Index>(&mut self, number: usize, crd: &[I], values: &[V]) {
        let number = J::truncate(number as u64);
        for (coordinate, &value) in crd.iter().zip(values) {
            let next = &mut self.ends[coordinate.number() as usize - self.lines.start];
            let place = next.number();
            *next = J::truncate(place + 1);
            let place = place as usize - self.first;
            (self.crd[place], self.values[place]) = (number, value);
        }
    }
}

/// How many threads are worth while for so many entries.
fn threads_for(entries: usize) -> usize {
    match entries / STRETCH {
        // Threads are started when they are asked for.
        0 | 1 => 1,
        worth => rayon::current_num_threads().min(worth),
    }
}

/// What is made of some elements, in parallel where they are many.
fn in_stretches<A: Send, B: Sync>(to: &mut [A], from: &[B], body: impl Fn(&mut [A], &[B]) + Sync) {
    if threads_for(from.len()) == 1 {
        return body(to, from);
    }
    let stretches = to.par_chunks_mut(STRETCH).zip(from.par_chunks(STRETCH));
    stretches.for_each(|(to, from)| body(to, from));
}

/// New lines in shares of about as many entries, one a thread; one where there are few.
fn shares<J: Index>(pos: &[J], entries: usize) -> Vec<Range<usize>> {
    let across = pos.len() - 1;
    let threads = threads_for(entries);
    let bound = |share: usize| match share {
        0 => 0,
        _ if share == threads => across,
        _ => pos[..across].partition_point(|before| (before.number() as usize) < entries * share / threads),
    };
    (0..threads).map(|share| bound(share)..bound(share + 1)).collect()
}

fn level(pos: IndexArray, crd: IndexArray) -> LevelStorage {
    LevelStorage { pos, crd }
}

/// The lines of a matrix, as they are stored.
enum StoredLines<'a, I> {
    /// The pos array of all lines.
    All(&'a [I]),
    Stored {
        numbers: &'a [I],
        pos: &'a [I],
    },
    /// The number of the line of each entry.
    ByEntry(&'a [I]),
}

impl<'a, I: Index> StoredLines<'a, I> {
    /// Nothing where there is no storage yet.
    fn of(source: &'a Tensor, layout: Layout) -> Option<Self> {
        let [outer, inner] = source.levels.as_slice() else { return None };
        let (numbers, pos) = (I::elements(&outer.crd)?, I::elements(&inner.pos)?);
        Some(match layout.lines {
            Lines::All => Self::All(pos),
            Lines::Stored => Self::Stored { numbers, pos },
            Lines::ByEntry => Self::ByEntry(numbers),
        })
    }

    /// The lines with entries, each with its number.
    fn for_each(&self, mut visit: impl FnMut(usize, Range<usize>)) {
        let mut line = |number: usize, ends: &[I]| {
            let entries = ends[0].number() as usize..ends[1].number() as usize;
            if !entries.is_empty() {
                visit(number, entries);
            }
        };
        match self {
            Self::All(pos) => pos.windows(2).enumerate().for_each(|(number, ends)| line(number, ends)),
            Self::Stored { numbers, pos } => {
                let numbered = numbers.iter().zip(pos.windows(2));
                numbered.for_each(|(number, ends)| line(number.number() as usize, ends));
            }
            Self::ByEntry(numbers) => {
                let mut start = 0;
                for run in numbers.chunk_by(|a, b| a.number() == b.number()) {
                    visit(run[0].number() as usize, start..start + run.len());
                    start += run.len();
                }
            }
        }
    }

    /// Whether entries that name their own lines come in increasing order.
    fn are_sorted_and_unique(&self, crd: &[I]) -> bool {
        let Self::ByEntry(numbers) = self else { return true };
        // Each stretch with the entry behind it.
        let stretch = if threads_for(crd.len()) == 1 { crd.len().max(1) } else { STRETCH };
        let is_in_order = |start: usize| {
            let end = (start + stretch + 1).min(numbers.len());
            let (numbers, crd) = (&numbers[start..end], &crd[start..end]);
            let pairs = numbers.iter().zip(&numbers[1..]).zip(crd.iter().zip(&crd[1..]));
            let falls = pairs.map(|((line, next_line), (entry, next_entry))| {
                let is_same = line.number() == next_line.number();
                let is_in_order =
                    line.number() < next_line.number() || (is_same && entry.number() < next_entry.number());
                usize::from(!is_in_order)
            });
            falls.sum::<usize>() == 0
        };
        let starts: Vec<usize> = (0..crd.len()).step_by(stretch).collect();
        match starts[..] {
            [] => true,
            [all] => is_in_order(all),
            _ => starts.into_par_iter().all(is_in_order),
        }
    }
}
