//! Of tensors whose outermost level stores the mode: slices of every array. A range of positions of a level
//! has a range of positions of the next one below it.

use super::{Slice, first_child, level_of, position};
use crate::error::Error;
use crate::levels::size_as_pos;
use crate::memory::{Array, Plain};
use crate::presence::Presence;
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor, with_indices, with_width};
use crate::values::{Cell, Values, with_cell};
use comet_format::{Children, LevelArray, LevelKind};
use std::ops::Range;

/// Ranges of positions of a level of a tensor.
struct Cut<'a> {
    tensor: &'a Tensor,
    ranges: Vec<Range<usize>>,
}

/// Whether the outermost level stores a mode, and its coordinates in order.
pub(super) fn stores(tensor: &Tensor, mode: usize) -> bool {
    let kind = tensor.format.format.levels.first().map(|level| level.kind);
    let is_cut = |kind: LevelKind| kind.is_full() || kind.has(LevelArray::Crd) && kind.is_ordered();
    level_of(tensor, mode) == Some(0) && kind.is_some_and(is_cut)
}

/// Whether all slices can be joined so.
pub(super) fn fits(slices: &[Slice<'_>], mode: usize) -> bool {
    let first = slices[0].tensor;
    let sizes = |tensor: &Tensor| (1..tensor.levels.len()).map(|level| tensor.level_size(level)).collect();
    let expected: Vec<i64> = sizes(first);
    let agrees = |slice: &Slice<'_>| {
        let own: Vec<i64> = sizes(slice.tensor);
        stores(slice.tensor, mode) && own == expected && !matches!(slice.tensor.present, Presence::NonZero)
    };
    slices.iter().all(agrees)
}

pub(super) fn join(joined: &mut Tensor, slices: &[Slice<'_>], mode: usize) -> Result<(), Error> {
    with_width!(joined.format.format.index_width, N => join_levels::<N>(joined, slices, mode))
}

fn join_levels<I: Index>(joined: &mut Tensor, slices: &[Slice<'_>], mode: usize) -> Result<(), Error> {
    let name = joined.name.clone();
    let mut cuts = outermost::<I>(joined, slices, mode, &name)?;
    for level in 1..joined.levels.len() {
        let size = slices[0].tensor.level_size(level) as usize;
        cuts = below::<I>(joined, cuts, level, size, &name)?;
    }
    let count = cuts.iter().map(|cut| count(&cut.ranges)).sum();
    let what = ArrayName { tensor: &name, part: "values" };
    joined.values = with_cell!(joined.format.value, T => values::<T>(&cuts, count, &what)?);
    joined.present = presence(&cuts, count, &name)?;
    Ok(())
}

fn values<T: Cell>(cuts: &[Cut<'_>], count: usize, what: &ArrayName<'_>) -> Result<Values, Error> {
    let of = cuts[0].tensor.format.value;
    Ok(T::store(appended(cuts, count, |cut| T::array(&cut.tensor.values), what)?, of))
}

/// The marks of all positions, where a slice has some that are no entries.
fn presence(cuts: &[Cut<'_>], count: usize, name: &str) -> Result<Presence, Error> {
    let is_marked = |cut: &Cut<'_>| matches!(cut.tensor.present, Presence::Marked(_));
    if !cuts.iter().any(is_marked) {
        return Ok(Presence::Every);
    }
    let what = ArrayName { tensor: name, part: "presence" };
    let mut marks = Array::<i8>::unspecified(count, &what)?;
    let mut end = 0;
    for Cut { tensor, ranges } in cuts {
        for range in ranges {
            let target = &mut marks[end..end + range.len()];
            match &tensor.present {
                Presence::Marked(own) => target.copy_from_slice(&own[range.clone()]),
                _ => target.fill(1),
            }
            end += range.len();
        }
    }
    Ok(Presence::Marked(marks))
}

/// Stores the outermost level.
fn outermost<'a, I: Index>(
    joined: &mut Tensor,
    slices: &[Slice<'a>],
    mode: usize,
    name: &str,
) -> Result<Vec<Cut<'a>>, Error> {
    if joined.format.format.levels[0].kind.is_full() {
        joined.levels[0].pos = size_as_pos::<I>(joined.dims[mode], name)?;
        let cut = |slice: &Slice<'a>| Cut {
            tensor: slice.tensor,
            ranges: slice.ranges.iter().map(|range| range.start as usize..range.end as usize).collect(),
        };
        return Ok(slices.iter().map(cut).collect());
    }
    let mut numbers = Vec::new();
    let (mut cuts, mut first) = (Vec::new(), 0);
    for slice in slices {
        let crd = elements::<I>(&slice.tensor.levels[0].crd);
        let mut ranges = Vec::new();
        for range in &slice.ranges {
            let positions = position(slice.tensor, range.start)..position(slice.tensor, range.end);
            let numbered = |coordinate: &I| (coordinate.number() as i64 - range.start + first) as usize;
            numbers.extend(crd[positions.clone()].iter().map(numbered));
            first += range.end - range.start;
            ranges.push(positions);
        }
        cuts.push(Cut { tensor: slice.tensor, ranges });
    }
    let width = joined.format.format.index_width;
    let array = |numbers: &[usize], part| {
        IndexArray::of_numbers(numbers, width, &ArrayName { tensor: name, part }, name)
    };
    joined.levels[0] = LevelStorage { pos: array(&[0, numbers.len()], "pos")?, crd: array(&numbers, "crd")? };
    Ok(cuts)
}

/// Stores a level below others; returns what is cut of it.
fn below<'a, I: Index>(
    joined: &mut Tensor,
    parents: Vec<Cut<'a>>,
    level: usize,
    size: usize,
    name: &str,
) -> Result<Vec<Cut<'a>>, Error> {
    let kind = joined.format.format.levels[level].kind;
    let children = |Cut { tensor, ranges }: &Cut<'a>| {
        let child = |parent: usize| first_child(tensor, level, parent);
        Cut { tensor, ranges: ranges.iter().map(|range| child(range.start)..child(range.end)).collect() }
    };
    let cuts: Vec<Cut<'a>> = parents.iter().map(children).collect();
    if kind.children() == Children::Every {
        joined.levels[level].pos = size_as_pos::<I>(size as i64, name)?;
    }
    for array in kind.arrays() {
        match array {
            LevelArray::Pos => joined.levels[level].pos = I::store(positions::<I>(&parents, level, name)?),
            LevelArray::Crd => joined.levels[level].crd = coordinates(&cuts, level, kind, name)?,
            LevelArray::Start => joined.levels[level].crd = coordinates(&parents, level, kind, name)?,
            LevelArray::Words => {
                let each = size.div_ceil(kind.word_bits().unwrap_or(1) as usize);
                let words = |Cut { tensor, ranges }: &Cut<'a>| {
                    let ranges = ranges.iter().map(|range| range.start * each..range.end * each);
                    Cut { tensor, ranges: ranges.collect() }
                };
                let words: Vec<Cut<'a>> = parents.iter().map(words).collect();
                joined.levels[level].crd = coordinates(&words, level, kind, name)?;
            }
        }
    }
    Ok(cuts)
}

/// The positions at which the children of each parent begin, and at which the last ones end.
fn positions<I: Index>(parents: &[Cut<'_>], level: usize, name: &str) -> Result<Array<I>, Error> {
    let count: usize = parents.iter().map(|cut| count(&cut.ranges)).sum();
    let mut positions = Array::<I>::unspecified(count + 1, &ArrayName { tensor: name, part: "pos" })?;
    positions[0] = I::truncate(0);
    let (mut place, mut end) = (0, 0);
    for Cut { tensor, ranges } in parents {
        let pos = elements::<I>(&tensor.levels[level].pos);
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            let first = pos[range.start].number();
            let last = end + pos[range.end].number() - first;
            if last > I::LARGEST {
                return Err(Error::IndexTooNarrow { tensor: name.to_owned(), found: last });
            }
            for (to, from) in positions[place + 1..].iter_mut().zip(&pos[range.start + 1..=range.end]) {
                *to = I::truncate(from.number() - first + end);
            }
            (place, end) = (place + range.len(), last);
        }
    }
    Ok(positions)
}

/// The elements of `crd` in ranges.
fn coordinates(cuts: &[Cut<'_>], level: usize, kind: LevelKind, name: &str) -> Result<IndexArray, Error> {
    let width = LevelStorage::empty(kind, cuts[0].tensor.format.format.index_width).crd.width();
    with_width!(width, N => coordinates_of_width::<N>(cuts, level, name))
}

fn coordinates_of_width<I: Index>(cuts: &[Cut<'_>], level: usize, name: &str) -> Result<IndexArray, Error> {
    let count = cuts.iter().map(|cut| count(&cut.ranges)).sum();
    let what = ArrayName { tensor: name, part: "crd" };
    appended(cuts, count, |cut| I::elements(&cut.tensor.levels[level].crd), &what).map(I::store)
}

/// The elements of an array in ranges.
fn appended<'a, T: Plain>(
    cuts: &'a [Cut<'_>],
    count: usize,
    array: impl Fn(&'a Cut<'_>) -> Option<&'a Array<T>>,
    what: &ArrayName<'_>,
) -> Result<Array<T>, Error> {
    let mut joined = Array::<T>::unspecified(count, what)?;
    let mut end = 0;
    for cut in cuts {
        let own = array(cut).ok_or_else(|| Error::Internal(format!("{what} has another type")))?;
        for range in &cut.ranges {
            joined[end..end + range.len()].copy_from_slice(&own[range.clone()]);
            end += range.len();
        }
    }
    Ok(joined)
}

/// Replaces the coordinates of a level; −1 stands for none.
pub(super) fn renumber(tensor: &mut Tensor, level: usize, number: impl Fn(i64) -> i64) -> Result<(), Error> {
    let mut largest = 0;
    with_indices!(&mut tensor.levels[level].crd, crd => renumber_elements(crd, &number, &mut largest));
    match with_width!(tensor.format.format.index_width, N => largest as u64 > N::LARGEST) {
        true => Err(Error::IndexTooNarrow { tensor: tensor.name.clone(), found: largest as u64 }),
        false => Ok(()),
    }
}

fn renumber_elements<I: Index>(crd: &mut [I], number: &impl Fn(i64) -> i64, largest: &mut i64) {
    for coordinate in crd {
        let old = coordinate.signed();
        if old >= 0 {
            let new = number(old);
            *largest = new.max(*largest);
            *coordinate = I::truncate(new as u64);
        }
    }
}

fn elements<I: Index>(array: &IndexArray) -> &[I] {
    I::elements(array).expect("slices have one width")
}

fn count(ranges: &[Range<usize>]) -> usize {
    ranges.iter().map(ExactSizeIterator::len).sum()
}
