//! Tensors made of parts of others: what these store within ranges of coordinates of one mode, one range
//! after the other.
//!
//! A process takes its rows of a matrix so, what it sends to others, and puts together what it receives.
//! Where the outermost level stores the mode, what belongs to a range is a slice of every array; of dense
//! tensors, runs of values are copied whichever level stores it. Otherwise entries are listed and packed.

mod dense;
mod entries;
mod outermost;

use crate::error::Error;
use crate::tensor::{ArrayName, Index, Tensor, with_indices};
use comet_format::{Children, Level, LevelArray, LevelExpr};
use std::ops::Range;

/// Ranges of coordinates of a tensor.
#[derive(Clone, Debug)]
pub(crate) struct Slice<'a> {
    pub(crate) tensor: &'a Tensor,
    /// Ascending, none with coordinates of another one.
    pub(crate) ranges: Vec<Range<i64>>,
}

impl<'a> Slice<'a> {
    /// One range.
    pub(crate) fn new(tensor: &'a Tensor, range: Range<i64>) -> Self {
        Self { tensor, ranges: std::iter::once(range).collect() }
    }

    /// All coordinates.
    pub(crate) fn whole(tensor: &'a Tensor, mode: usize) -> Self {
        Self::new(tensor, 0..tensor.dims[mode])
    }

    fn len(&self) -> i64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }
}

/// Returns a tensor that stores what slices do, whose coordinates of the mode are numbered from 0 on through
/// all ranges of all slices. The slices are of one format, and have the same extents in other modes.
///
/// # Errors
/// Storage that does not fit the memory or the width of positions.
pub(crate) fn joined(slices: &[Slice<'_>], mode: usize) -> Result<Tensor, Error> {
    let first = slices.first().ok_or_else(|| Error::Internal("there are no slices to join".to_owned()))?;
    let mut joined = Tensor::new(&first.tensor.name, first.tensor.format.clone());
    joined.dims.clone_from(&first.tensor.dims);
    joined.dims_stated.clone_from(&first.tensor.dims_stated);
    joined.dims[mode] = slices.iter().map(Slice::len).sum();
    if dense::fits(&joined) {
        dense::join(&mut joined, slices, mode)?;
    } else if outermost::fits(slices, mode) {
        outermost::join(&mut joined, slices, mode)?;
    } else {
        entries::join(&mut joined, slices, mode)?;
    }
    Ok(joined)
}

/// The level that stores the coordinates of a mode, where it is one alone.
pub(crate) fn level_of(tensor: &Tensor, mode: usize) -> Option<usize> {
    let levels = &tensor.format.format.levels;
    let level = levels.iter().position(|level| level.expr.mode() == Some(mode))?;
    let is_whole = |level: &Level| level.expr == LevelExpr::Mode(mode);
    let is_alone = levels[level + 1..].iter().all(|level| level.expr.mode() != Some(mode));
    (is_whole(&levels[level]) && is_alone).then_some(level)
}

/// Replaces the coordinates of a mode that a level lists by others in the same order.
///
/// # Errors
/// A level that does not list them, and numbers that its width does not hold.
pub(crate) fn renumber(
    tensor: &mut Tensor,
    mode: usize,
    extent: i64,
    number: impl Fn(i64) -> i64 + Sync,
) -> Result<(), Error> {
    let Some(level) = listing_level(tensor, mode) else {
        return Err(Error::Internal(format!("`{}` lists no coordinates of mode {mode}", tensor.name)));
    };
    outermost::renumber(tensor, level, number)?;
    tensor.dims[mode] = extent;
    Ok(())
}

/// Has a tensor own the coordinates of a mode, which its program may have lent to it.
///
/// # Errors
/// Memory that is not granted.
pub(crate) fn own_coordinates(tensor: &mut Tensor, mode: usize) -> Result<(), Error> {
    let Some(level) = listing_level(tensor, mode) else { return Ok(()) };
    let what = ArrayName { tensor: &tensor.name, part: "crd" };
    with_indices!(&mut tensor.levels[level].crd, crd => crd.own(&what))
}

/// The level that lists the coordinates of a mode, so that they can be replaced by others.
pub(crate) fn listing_level(tensor: &Tensor, mode: usize) -> Option<usize> {
    let level = level_of(tensor, mode)?;
    let kind = tensor.format.format.levels[level].kind;
    (kind.has(LevelArray::Crd) && kind.is_ordered()).then_some(level)
}

/// Whether every level is full and stores a mode.
pub(crate) fn is_dense(tensor: &Tensor) -> bool {
    dense::fits(tensor)
}

/// Whether the outermost level stores a mode, and its coordinates in order, so that arrays of parts follow
/// each other in those of the whole. Parts have numbers of slots of their own.
pub(crate) fn is_outermost(tensor: &Tensor, mode: usize) -> bool {
    outermost::stores(tensor, mode) && !tensor.format.format.levels.iter().any(Level::is_slot)
}

/// The position of the first coordinate from one on, of an outermost level that stores coordinates in order.
pub(crate) fn position(tensor: &Tensor, coordinate: i64) -> usize {
    match tensor.format.format.levels[0].kind.is_full() {
        true => coordinate as usize,
        false => with_indices!(&tensor.levels[0].crd, crd => {
            crd.partition_point(|other| other.signed() < coordinate)
        }),
    }
}

/// Where the children in a level begin of a position of the level above.
pub(crate) fn first_child(tensor: &Tensor, level: usize, parent: usize) -> usize {
    match tensor.format.format.levels[level].kind.children() {
        Children::Every => parent * tensor.level_size(level) as usize,
        Children::Segment => tensor.levels[level].pos.get(parent) as usize,
        Children::One => parent,
    }
}

/// Returns a dense tensor with another extent of a mode, whose values are still missing.
pub(crate) fn without_values(tensor: &Tensor, mode: usize, extent: i64) -> Result<Tensor, Error> {
    let mut other = Tensor::new(&tensor.name, tensor.format.clone());
    other.dims.clone_from(&tensor.dims);
    other.dims_stated.clone_from(&tensor.dims_stated);
    other.dims[mode] = extent;
    dense::set_sizes(&mut other)?;
    Ok(other)
}

#[cfg(test)]
mod tests;
