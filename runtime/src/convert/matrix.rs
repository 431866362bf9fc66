//! Conversions between formats that store a matrix line by line, a row or a column at a time: CSR, CSC,
//! DCSR, DCSC and COO in either order. Where both store the same lines, coordinates and values are copied;
//! where they do not, a counting sort by the inner coordinate turns the matrix around (Gustavson 1978,
//! HALFPERM). Both take time linear in the entries and the extents, without keys and comparisons.

use crate::error::Error;
use crate::format::{Format, IndexWidth, LevelExpr, LevelKind, TypedFormat};
use crate::memory::{Array, zeroed_vec};
use crate::pack::size_as_pos;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor};
use crate::values::{Value, Values};
use std::ops::Range;

/// Counters for one entry, at most: with fewer entries than that, sorting them costs less than counting.
const COUNTERS_PER_ENTRY: usize = 8;

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
/// one of the formats is none of the above or the value types differ, and where entries are not sorted and
/// unique, as they may be in arrays from outside.
pub(super) fn convert(
    source: &Tensor,
    format: &TypedFormat,
    name: &str,
    permutation: &[usize],
) -> Result<Option<Tensor>, Error> {
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

/// A line with entries.
struct Line {
    number: usize,
    entries: Range<usize>,
}

/// Lines in increasing order, and what stands in them.
struct Stored<J: Index, V: Value> {
    lines: Vec<Line>,
    crd: Array<J>,
    values: Array<V>,
}

impl Conversion<'_> {
    fn of_values<V: Value>(self, values: &[V]) -> Result<Option<Tensor>, Error> {
        match self.target.format.format.index_width {
            IndexWidth::I32 => self.of_width::<i32, V>(values),
            IndexWidth::I64 => self.of_width::<i64, V>(values),
        }
    }

    fn of_width<J: Index, V: Value>(self, values: &[V]) -> Result<Option<Tensor>, Error> {
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
    ) -> Result<Option<Tensor>, Error> {
        let lines = lines_of(self.source, self.from);
        if !lines.is_sorted_by(|a, b| a.number < b.number) {
            return Ok(None);
        }
        let stored = match self.turns {
            true => self.turned::<I, J, V>(&lines, crd, values)?,
            false => self.copied::<I, J, V>(lines, crd, values)?,
        };
        let Some(stored) = stored else { return Ok(None) };
        self.store(stored)?;
        Ok(Some(self.target))
    }

    /// The same lines.
    fn copied<I: Index, J: Index, V: Value>(
        &self,
        lines: Vec<Line>,
        from: &[I],
        values: &[V],
    ) -> Result<Option<Stored<J, V>>, Error> {
        let mut crd = self.array::<J>(from.len(), "crd")?;
        crd.iter_mut().zip(from).for_each(|(to, &from)| *to = J::truncate(from.number()));
        let in_order = |line: &Line| from[line.entries.clone()].is_sorted_by(|a, b| a.number() < b.number());
        if !lines.iter().all(in_order) {
            return Ok(None);
        }
        let values = Array::copied(values, &ArrayName { tensor: &self.target.name, part: "values" })?;
        Ok(Some(Stored { lines, crd, values }))
    }

    /// The lines across: entries are counted by their inner coordinate and moved, line by line, so that each
    /// new line is in order.
    fn turned<I: Index, J: Index, V: Value>(
        &self,
        lines: &[Line],
        from: &[I],
        from_values: &[V],
    ) -> Result<Option<Stored<J, V>>, Error> {
        let across = self.target.dims[self.to.mode] as usize;
        if across > COUNTERS_PER_ENTRY * from.len().max(1 << 10) {
            return Ok(None);
        }
        let name = ArrayName { tensor: &self.target.name, part: "line ends" };
        let mut next = zeroed_vec::<usize>(across + 1, &name)?;
        from.iter().for_each(|coordinate| next[coordinate.number() as usize + 1] += 1);
        for line in 0..across {
            next[line + 1] += next[line];
        }
        let starts = next.clone();
        let (mut crd, mut values) =
            (self.array::<J>(from.len(), "crd")?, self.array::<V>(from.len(), "values")?);
        for line in lines {
            let number = J::truncate(line.number as u64);
            let entries = line.entries.clone();
            for (coordinate, &value) in from[entries.clone()].iter().zip(&from_values[entries]) {
                let coordinate = coordinate.number() as usize;
                let place = next[coordinate];
                if place > starts[coordinate] && crd[place - 1].number() == number.number() {
                    return Ok(None);
                }
                (crd[place], values[place]) = (number, value);
                next[coordinate] = place + 1;
            }
        }
        let line = |number: usize| Line { number, entries: starts[number]..starts[number + 1] };
        let lines = (0..across).map(line).filter(|line| !line.entries.is_empty()).collect();
        Ok(Some(Stored { lines, crd, values }))
    }

    fn store<J: Index, V: Value>(&mut self, stored: Stored<J, V>) -> Result<(), Error> {
        let Stored { lines, crd, values } = stored;
        self.target.levels = match self.to.lines {
            Lines::All => {
                let size = self.target.dims[self.to.mode];
                let outer = size_as_pos::<J>(size, &self.target.name)?;
                let pos = self.ends_of_all::<J>(&lines, size as usize)?;
                vec![level(outer, J::store(Array::<J>::empty())), level(J::store(pos), J::store(crd))]
            }
            Lines::Stored => {
                let mut numbers = self.array::<J>(lines.len(), "crd")?;
                let mut pos = self.array::<J>(lines.len() + 1, "pos")?;
                for (at, line) in lines.iter().enumerate() {
                    numbers[at] = J::truncate(line.number as u64);
                    pos[at + 1] = J::truncate(line.entries.end as u64);
                }
                let outer = level(self.one_segment::<J>(lines.len())?, J::store(numbers));
                vec![outer, level(J::store(pos), J::store(crd))]
            }
            Lines::ByEntry => {
                let mut numbers = self.array::<J>(crd.len(), "crd")?;
                for line in &lines {
                    numbers[line.entries.clone()].fill(J::truncate(line.number as u64));
                }
                let outer = level(self.one_segment::<J>(crd.len())?, J::store(numbers));
                vec![outer, level(J::store(Array::<J>::empty()), J::store(crd))]
            }
        };
        self.target.values = V::store(values);
        Ok(())
    }

    fn ends_of_all<J: Index>(&self, lines: &[Line], size: usize) -> Result<Array<J>, Error> {
        let mut pos = self.array::<J>(size + 1, "pos")?;
        let (mut filled, mut end) = (0, J::truncate(0));
        for line in lines {
            pos[filled..=line.number].fill(end);
            (filled, end) = (line.number + 1, J::truncate(line.entries.end as u64));
        }
        pos[filled..].fill(end);
        Ok(pos)
    }

    /// The pos array of an outermost compressed level.
    fn one_segment<J: Index>(&self, len: usize) -> Result<IndexArray, Error> {
        let mut pos = self.array::<J>(2, "pos")?;
        pos[1] = J::truncate(len as u64);
        Ok(J::store(pos))
    }

    fn array<T: crate::memory::Plain>(&self, len: usize, part: &'static str) -> Result<Array<T>, Error> {
        Array::zeroed(len, &ArrayName { tensor: &self.target.name, part })
    }
}

fn level(pos: IndexArray, crd: IndexArray) -> LevelStorage {
    LevelStorage { pos, crd }
}

/// The lines with entries, as they are stored.
fn lines_of(source: &Tensor, layout: Layout) -> Vec<Line> {
    let [outer, inner] = source.levels.as_slice() else { return Vec::new() };
    let by_pos = |at: usize| inner.pos.get(at) as usize..inner.pos.get(at + 1) as usize;
    let lines = |count: usize, number: &dyn Fn(usize) -> usize| {
        let line = |at| Line { number: number(at), entries: by_pos(at) };
        (0..count).map(line).filter(|line| !line.entries.is_empty()).collect()
    };
    match layout.lines {
        Lines::All => lines(source.dims[layout.mode] as usize, &|at| at),
        Lines::Stored => lines(outer.crd.len(), &|at| outer.crd.get(at) as usize),
        Lines::ByEntry => {
            let mut lines: Vec<Line> = Vec::new();
            for (at, number) in outer.crd.iter().enumerate() {
                match lines.last_mut().filter(|line| line.number == number as usize) {
                    Some(line) => line.entries.end = at + 1,
                    None => lines.push(Line { number: number as usize, entries: at..at + 1 }),
                }
            }
            lines
        }
    }
}
