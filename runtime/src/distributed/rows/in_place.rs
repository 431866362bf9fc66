//! Rows of tensors whose outermost level stores them, on their way to other processes. Every array is
//! received where it stays: what comes of a process is a slice of it, in the order of ranks.
//!
//! Of a CSR matrix, each process sends how many entries each row has, then their columns, then their values.
//! The first message has the lengths of the others. Two processes, of which each has two rows and needs one
//! of the other:
//! ```text
//!            process 0             process 1
//! lengths    2 1 | 3     <-->      1 | 3 2
//! columns    0 1 5 | 1 2 4         5 | 1 2 4 0 3
//! ```

use super::MovedRows;
use crate::distributed::Processes;
use crate::distributed::numbering::Numbering;
use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::{Array, Plain, bytes_of, bytes_of_mut};
use crate::presence::Presence;
use crate::slices;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor, with_indices, with_width};
use crate::values::{Cell, Values, with_cell};
use comet_format::{Children, LevelArray};
use std::borrow::Cow;
use std::ops::Range;

/// Whether rows of a tensor move so, on every process alike.
pub(super) fn fits(tensor: &Tensor, mode: usize) -> bool {
    slices::is_outermost(tensor, mode)
}

/// What moves of a level or of the values.
#[derive(Clone)]
struct Cut {
    /// The positions that each process gets.
    sent: Vec<Vec<Range<usize>>>,
    /// How many come of each process.
    received: Vec<usize>,
}

impl Cut {
    fn scaled(&self, size: usize) -> Self {
        let scale = |range: &Range<usize>| range.start * size..range.end * size;
        Self {
            sent: self.sent.iter().map(|ranges| ranges.iter().map(scale).collect()).collect(),
            received: self.received.iter().map(|count| count * size).collect(),
        }
    }
}

impl MovedRows<'_> {
    pub(super) fn exchange_in_place(&self, processes: &Processes) -> Result<Tensor, Error> {
        let tensor = self.tensor;
        let mut moved = Tensor::new(&tensor.name, tensor.format.clone());
        moved.dims = tensor.whole_dims();
        moved.dims_stated.clone_from(&tensor.dims_stated);
        moved.dims[self.mode] = self.received.iter().sum::<usize>() as i64;
        with_width!(tensor.format.format.index_width, N => self.exchange_levels::<N>(&mut moved, processes))?;
        Ok(moved)
    }

    fn exchange_levels<I: Index>(&self, moved: &mut Tensor, processes: &Processes) -> Result<(), Error> {
        let present = self.tensor.present_copied()?;
        let (mut cut, marked) = self.outermost::<I>(moved, &present, processes)?;
        for level in 1..moved.levels.len() {
            cut = self.below::<I>(moved, cut, level, processes)?;
        }
        let what = ArrayName { tensor: &moved.name, part: "values" };
        let of = moved.format.value;
        moved.values = with_cell!(of, T => self.values::<T>(&cut, &what, processes)?);
        moved.present = self.presence(&present, cut, &marked, processes)?;
        Ok(())
    }

    fn values<T: Cell>(
        &self,
        cut: &Cut,
        what: &ArrayName<'_>,
        processes: &Processes,
    ) -> Result<Values, Error> {
        let own = T::array(&self.tensor.values).expect("the values are of this type");
        let sent = cut.sent.iter().map(|ranges| taken(own, ranges)).collect();
        Ok(T::store(exchanged(sent, &cut.received, what, processes)?, self.tensor.format.value))
    }

    /// Stores the outermost level. Returns what moves of it, and which processes mark what is present.
    fn outermost<I: Index>(
        &self,
        moved: &mut Tensor,
        present: &Presence,
        processes: &Processes,
    ) -> Result<(Cut, Vec<bool>), Error> {
        let format = &self.tensor.format.format;
        let is_full = format.levels[0].kind.is_full();
        let positions = |ranges: &Vec<Range<i64>>| {
            let position = |row| slices::position(self.tensor, row);
            ranges.iter().map(|range| position(range.start)..position(range.end)).collect()
        };
        let mut cut =
            Cut { sent: self.sent.iter().map(positions).collect(), received: self.received.clone() };
        let mut marked = vec![false; processes.count];
        if !is_full || format.pads() {
            marked = self.agree(&mut cut, present, processes)?;
        }
        let name = moved.name.clone();
        moved.levels[0] = match is_full {
            true => {
                let pos = size_as_pos::<I>(moved.dims[self.mode], &name)?;
                LevelStorage { pos, crd: I::store(Array::empty()) }
            }
            false => self.listed::<I>(&cut, &name, processes)?,
        };
        Ok((cut, marked))
    }

    /// Has processes say how many positions the rows have that they send, and whether they mark some as
    /// present; returns which do.
    fn agree(&self, cut: &mut Cut, present: &Presence, processes: &Processes) -> Result<Vec<bool>, Error> {
        let is_marked = matches!(present, Presence::Marked(_));
        let header = |ranges: &Vec<Range<usize>>| [count(ranges) as i64, i64::from(is_marked)];
        let headers: Vec<[i64; 2]> = cut.sent.iter().map(header).collect();
        let sent = self.sent.iter().zip(&headers).map(|(rows, header)| {
            let is_sent = rows.iter().any(|range| !range.is_empty());
            Cow::Borrowed(if is_sent { &header[..] } else { &[] })
        });
        let lengths: Vec<usize> = self.received.iter().map(|count| 2 * usize::from(*count > 0)).collect();
        let what = "how many rows other processes send";
        let come = exchanged::<i64>(sent.collect(), &lengths, &what, processes)?;
        let mut come = come.chunks_exact(2);
        let mut marked = vec![false; processes.count];
        for process in (0..processes.count).filter(|process| self.received[*process] > 0) {
            if let Some(header) = come.next() {
                (cut.received[process], marked[process]) = (header[0] as usize, header[1] != 0);
            }
        }
        Ok(marked)
    }

    /// An outermost level that lists rows.
    fn listed<I: Index>(&self, cut: &Cut, name: &str, processes: &Processes) -> Result<LevelStorage, Error> {
        let own = I::elements(&self.tensor.levels[0].crd).expect("levels have one width");
        let mut sent = Vec::new();
        for (rows, positions) in self.sent.iter().zip(&cut.sent) {
            // Numbers count from the first row that the process gets.
            let (mut numbers, mut first) = (Vec::new(), 0);
            for (rows, positions) in rows.iter().zip(positions) {
                let number = |row: &I| I::truncate((row.number() as i64 - rows.start + first) as u64);
                numbers.extend(own[positions.clone()].iter().map(number));
                first += rows.end - rows.start;
            }
            sent.push(Cow::Owned(numbers));
        }
        let what = ArrayName { tensor: name, part: "crd" };
        let mut crd: Array<I> = exchanged(sent, &cut.received, &what, processes)?;
        let (mut rest, mut first) = (&mut crd[..], 0);
        for (positions, rows) in cut.received.iter().zip(&self.received) {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(*positions);
            own.iter_mut().for_each(|row| *row = I::truncate(row.number() + first));
            (rest, first) = (others, first + *rows as u64);
        }
        let ends = [0, crd.len()];
        let width = self.tensor.format.format.index_width;
        let pos = IndexArray::of_numbers(&ends, width, &ArrayName { tensor: name, part: "pos" }, name)?;
        Ok(LevelStorage { pos, crd: I::store(crd) })
    }

    /// Stores a level below another one, whose positions move; returns what moves of it.
    fn below<I: Index>(
        &self,
        moved: &mut Tensor,
        parents: Cut,
        level: usize,
        processes: &Processes,
    ) -> Result<Cut, Error> {
        let kind = moved.format.format.levels[level].kind;
        let size = moved.level_size(level) as usize;
        let name = moved.name.clone();
        if kind.children() == Children::Every {
            moved.levels[level].pos = size_as_pos::<I>(size as i64, &name)?;
        }
        let mut cut = match kind.children() {
            Children::Every => parents.scaled(size),
            Children::Segment | Children::One => parents.clone(),
        };
        for array in kind.arrays() {
            match array {
                LevelArray::Pos => {
                    let (pos, children) = self.segments::<I>(&parents, level, &name, processes)?;
                    (moved.levels[level].pos, cut) = (I::store(pos), children);
                }
                LevelArray::Crd => {
                    moved.levels[level].crd = self.coordinates(&cut, level, &name, processes)?
                }
                LevelArray::Start => {
                    moved.levels[level].crd = self.coordinates(&parents, level, &name, processes)?;
                }
                LevelArray::Words => {
                    let each = size.div_ceil(kind.word_bits().unwrap_or(1) as usize);
                    let words = parents.scaled(each);
                    moved.levels[level].crd = self.coordinates(&words, level, &name, processes)?;
                }
            }
        }
        Ok(cut)
    }

    /// Where the children of each position begin, and where the last ones end; and the children that move.
    fn segments<I: Index>(
        &self,
        parents: &Cut,
        level: usize,
        name: &str,
        processes: &Processes,
    ) -> Result<(Array<I>, Cut), Error> {
        let own = I::elements(&self.tensor.levels[level].pos).expect("levels have one width");
        let lengths = |ranges: &Vec<Range<usize>>| {
            let ranges = ranges.iter().filter(|range| !range.is_empty());
            let each = ranges.flat_map(|range| own[range.start..=range.end].windows(2));
            Cow::Owned(each.map(|ends| I::truncate(ends[1].number() - ends[0].number())).collect())
        };
        let sent = parents.sent.iter().map(lengths).collect();
        let what = ArrayName { tensor: name, part: "pos" };
        let mut pos: Array<I> = exchanged_behind(1, sent, &parents.received, &what, processes)?;
        pos[0] = I::truncate(0);
        let (mut place, mut end, mut received) = (1, 0, Vec::new());
        for count in &parents.received {
            let first = end;
            for length in &mut pos[place..place + count] {
                end += length.number();
                *length = I::truncate(end);
            }
            place += count;
            received.push((end - first) as usize);
        }
        if end > I::LARGEST {
            return Err(Error::IndexTooNarrow { tensor: name.to_owned(), found: end });
        }
        let children =
            |range: &Range<usize>| own[range.start].number() as usize..own[range.end].number() as usize;
        let of_rows = |ranges: &Vec<Range<usize>>| {
            ranges.iter().filter(|range| !range.is_empty()).map(children).collect()
        };
        let sent = parents.sent.iter().map(of_rows).collect();
        Ok((pos, Cut { sent, received }))
    }

    fn coordinates(
        &self,
        cut: &Cut,
        level: usize,
        name: &str,
        processes: &Processes,
    ) -> Result<IndexArray, Error> {
        let mode = self.tensor.format.format.levels[level].expr.mode();
        let numbering = mode.and_then(|mode| self.tensor.placement.numbering(mode));
        let numbering = numbering.map(|numbering| &**numbering);
        with_indices!(&self.tensor.levels[level].crd, own => {
            coordinates_of(own, cut, numbering, name, processes)
        })
    }

    /// Which positions are entries; where no process marks any, all are.
    fn presence(
        &self,
        present: &Presence,
        mut cut: Cut,
        marked: &[bool],
        processes: &Processes,
    ) -> Result<Presence, Error> {
        if !self.tensor.format.format.pads() {
            return Ok(Presence::Every);
        }
        let counts = cut.received.clone();
        let sent = match present {
            Presence::Marked(marks) => cut.sent.iter().map(|ranges| taken(marks, ranges)).collect(),
            _ => vec![Cow::Borrowed(&[][..]); processes.count],
        };
        for (count, is_marked) in cut.received.iter_mut().zip(marked) {
            *count *= usize::from(*is_marked);
        }
        let what = ArrayName { tensor: &self.tensor.name, part: "presence" };
        let received: Array<i8> = exchanged(sent, &cut.received, &what, processes)?;
        if !marked.contains(&true) {
            return Ok(Presence::Every);
        }
        let mut marks = Array::<i8>::unspecified(counts.iter().sum(), &what)?;
        let (mut rest, mut come) = (&mut marks[..], &received[..]);
        for (count, is_marked) in counts.iter().zip(marked) {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(*count);
            match is_marked {
                true => own.copy_from_slice(come.split_off(..*count).unwrap_or_default()),
                false => own.fill(1),
            }
            rest = others;
        }
        Ok(Presence::Marked(marks))
    }
}

/// The coordinates of a level, in the place of local numbers where it has these; −1 stands for none.
fn coordinates_of<I: Index>(
    own: &[I],
    cut: &Cut,
    numbering: Option<&Numbering>,
    name: &str,
    processes: &Processes,
) -> Result<IndexArray, Error> {
    let coordinate = |number: &I, numbering: &Numbering| match number.signed() {
        none if none < 0 => *number,
        number => I::truncate(numbering.coordinate(number) as u64),
    };
    let sent = cut.sent.iter().map(|ranges| match numbering {
        None => taken(own, ranges),
        Some(numbering) => {
            let numbers = ranges.iter().flat_map(|range| &own[range.clone()]);
            Cow::Owned(numbers.map(|number| coordinate(number, numbering)).collect())
        }
    });
    let what = ArrayName { tensor: name, part: "crd" };
    exchanged(sent.collect(), &cut.received, &what, processes).map(I::store)
}

/// Elements in ranges: a copy where there are several.
fn taken<'a, T: Plain>(elements: &'a [T], ranges: &[Range<usize>]) -> Cow<'a, [T]> {
    match ranges {
        [] => Cow::Borrowed(&[]),
        [range] => Cow::Borrowed(&elements[range.clone()]),
        _ => {
            let mut taken = Vec::with_capacity(count(ranges));
            ranges.iter().for_each(|range| taken.extend_from_slice(&elements[range.clone()]));
            Cow::Owned(taken)
        }
    }
}

fn count(ranges: &[Range<usize>]) -> usize {
    ranges.iter().map(ExactSizeIterator::len).sum()
}

/// Sends elements to each process, and returns what comes, by rank.
fn exchanged<T: Plain>(
    sent: Vec<Cow<'_, [T]>>,
    received: &[usize],
    what: &(dyn std::fmt::Display + Sync),
    processes: &Processes,
) -> Result<Array<T>, Error> {
    exchanged_behind(0, sent, received, what, processes)
}

/// Does the same behind so many elements, which are still to be set.
fn exchanged_behind<T: Plain>(
    first: usize,
    sent: Vec<Cow<'_, [T]>>,
    received: &[usize],
    what: &(dyn std::fmt::Display + Sync),
    processes: &Processes,
) -> Result<Array<T>, Error> {
    let mut array = Array::<T>::unspecified(first + received.iter().sum::<usize>(), what)?;
    let sent: Vec<&[u8]> = sent.iter().map(|elements| bytes_of(elements)).collect();
    let (mut rest, mut into) = (&mut array[first..], Vec::new());
    for count in received {
        let (part, others) = std::mem::take(&mut rest).split_at_mut(*count);
        into.push(bytes_of_mut(part));
        rest = others;
    }
    processes.exchange_into(&sent, &mut into)?;
    Ok(array)
}
