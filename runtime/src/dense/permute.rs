//! Copies of dense values in another order of modes.
//!
//! Modes that stay next to each other are one. Where the innermost mode stays the innermost, runs of values
//! are copied; elsewhere blocks of 8 by 8 values are turned around between the innermost modes of both sides,
//! so that whole cache lines are read and written. The target is written from front to back, in as many parts
//! as there are threads.

use super::{Mode, SMALL, for_each_chunk};
use crate::memory::Plain;

/// The side of a block: a cache line of `f64`.
const SIDE: usize = 8;
/// So many rows at once: what is read of a column of them is long enough for the memory to be fast.
const BAND: usize = 64;

/// Fills `target`, whose modes are `modes`, outermost first; their strides are those of the source.
pub(crate) fn permute<V: Plain>(source: &[V], target: &mut [V], modes: &[Mode], threads: usize) {
    if target.is_empty() {
        return;
    }
    let threads = if target.len() < SMALL { 1 } else { threads };
    let modes = merged(modes);
    let Some((innermost, outer)) = modes.split_last() else {
        target.copy_from_slice(&source[..1]);
        return;
    };
    match outer.iter().rposition(|mode| mode.stride == 1) {
        None => copy_runs(source, target, outer, innermost.extent, threads),
        Some(row) => {
            let inner = &outer[row + 1..];
            let stride = count(inner) * innermost.extent;
            let blocks = TransposedBlocks {
                source,
                before: &outer[..row],
                rows: outer[row].extent,
                inner,
                columns: *innermost,
                stride,
            };
            blocks.copy(target, threads);
        }
    }
}

/// Returns whether values are in the order of the modes already.
pub(crate) fn is_in_order(modes: &[Mode]) -> bool {
    match &merged(modes)[..] {
        [] => true,
        [mode] => mode.stride == 1,
        _ => false,
    }
}

/// Returns the modes without those of one coordinate, with neighbours in the source joined.
fn merged(modes: &[Mode]) -> Vec<Mode> {
    let mut merged: Vec<Mode> = Vec::new();
    for mode in modes.iter().filter(|mode| mode.extent > 1) {
        match merged.last_mut() {
            Some(last) if last.stride == mode.stride * mode.extent => {
                *last = Mode { extent: last.extent * mode.extent, stride: mode.stride };
            }
            _ => merged.push(*mode),
        }
    }
    merged
}

/// The number of points of some modes.
fn count(modes: &[Mode]) -> usize {
    modes.iter().map(|mode| mode.extent).product()
}

/// Copies runs of values; the target has one for each point of `outer`.
fn copy_runs<V: Plain>(source: &[V], target: &mut [V], outer: &[Mode], run: usize, threads: usize) {
    let runs = target.len() / run;
    let part = runs.div_ceil(threads);
    for_each_chunk(target, part * run, threads, |number, target| {
        let mut walk = DenseWalk::from(outer, number * part);
        for to in target.chunks_exact_mut(run) {
            to.copy_from_slice(&source[walk.offset..walk.offset + run]);
            walk.step();
        }
    });
}

/// A copy whose source has the coordinates of `rows` next to each other, and whose target those of `columns`.
struct TransposedBlocks<'a, V> {
    source: &'a [V],
    /// The modes of the target outside of the rows.
    before: &'a [Mode],
    rows: usize,
    /// The modes of the target between rows and columns.
    inner: &'a [Mode],
    columns: Mode,
    /// How far apart two rows are in the target.
    stride: usize,
}

impl<V: Plain> TransposedBlocks<'_, V> {
    fn copy(&self, target: &mut [V], threads: usize) {
        let slab = self.rows * self.stride;
        // Either many slabs, or few with many rows each.
        let (for_slabs, for_rows) = if target.len() / slab >= threads { (threads, 1) } else { (1, threads) };
        let rows = self.rows.div_ceil(for_rows).next_multiple_of(SIDE);
        for_each_chunk(target, slab, for_slabs, |number, slab| {
            let from = DenseWalk::from(self.before, number).offset;
            for_each_chunk(slab, rows * self.stride, for_rows, |number, part| {
                self.copy_rows(from + number * rows, part);
            });
        });
    }

    /// Copies whole rows, the first of which begins at `from` in the source.
    fn copy_rows(&self, from: usize, target: &mut [V]) {
        for (number, band) in target.chunks_mut(BAND * self.stride).enumerate() {
            let mut walk = DenseWalk::from(self.inner, 0);
            for point in 0..count(self.inner) {
                self.copy_band(from + number * BAND + walk.offset, band, point * self.columns.extent);
                walk.step();
            }
        }
    }

    /// Copies all columns of a few rows, which begin at `to` in each row of the target.
    fn copy_band(&self, from: usize, band: &mut [V], to: usize) {
        let rows = band.len() / self.stride;
        for column in (0..self.columns.extent).step_by(SIDE) {
            let columns = SIDE.min(self.columns.extent - column);
            for row in (0..rows).step_by(SIDE) {
                let from = from + column * self.columns.stride + row;
                let target = &mut band[row * self.stride + to + column..];
                match (SIDE.min(rows - row), columns) {
                    (SIDE, SIDE) => self.copy_block(from, target),
                    (rows, columns) => self.copy_part(from, target, rows, columns),
                }
            }
        }
    }

    /// Turns part of a block around.
    fn copy_part(&self, from: usize, target: &mut [V], rows: usize, columns: usize) {
        for row in 0..rows {
            for (column, value) in target[row * self.stride..][..columns].iter_mut().enumerate() {
                *value = self.source[from + column * self.columns.stride + row];
            }
        }
    }

    /// Turns a whole block around.
    fn copy_block(&self, from: usize, target: &mut [V]) {
        let mut block = [[V::default(); SIDE]; SIDE];
        for (column, line) in block.iter_mut().enumerate() {
            line.copy_from_slice(&self.source[from + column * self.columns.stride..][..SIDE]);
        }
        for row in 0..SIDE {
            let target = &mut target[row * self.stride..][..SIDE];
            for (column, value) in target.iter_mut().enumerate() {
                *value = block[column][row];
            }
        }
    }
}

/// A walk over the points of some modes, the last mode fastest.
pub(super) struct DenseWalk<'a> {
    modes: &'a [Mode],
    pub(super) point: Vec<usize>,
    /// Where the point is.
    pub(super) offset: usize,
}

impl<'a> DenseWalk<'a> {
    /// At the point of that number.
    pub(super) fn from(modes: &'a [Mode], number: usize) -> Self {
        let mut walk = Self { modes, point: vec![0; modes.len()], offset: 0 };
        let mut number = number;
        for (mode, coordinate) in modes.iter().zip(&mut walk.point).rev() {
            (number, *coordinate) = (number / mode.extent, number % mode.extent);
            walk.offset += *coordinate * mode.stride;
        }
        walk
    }

    /// Moves to the next point; from the last to the first.
    pub(super) fn step(&mut self) {
        for (mode, coordinate) in self.modes.iter().zip(&mut self.point).rev() {
            *coordinate += 1;
            self.offset += mode.stride;
            if *coordinate < mode.extent {
                return;
            }
            *coordinate = 0;
            self.offset -= mode.extent * mode.stride;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The modes of a copy in the order of `permutation`, of a source whose extents are `extents`.
    fn permuted(extents: &[usize], permutation: &[usize]) -> Vec<Mode> {
        let stride = |mode: usize| extents[mode + 1..].iter().product();
        permutation.iter().map(|&mode| Mode { extent: extents[mode], stride: stride(mode) }).collect()
    }

    proptest! {
        /// Each value is where the coordinates say, on one thread and on several.
        #[test]
        fn values_go_to_their_places(
            extents in prop::collection::vec(prop_oneof![0usize..4, 7usize..10, 15usize..34], 0..5),
            keys in prop::collection::vec(any::<u32>(), 5),
            threads in 1usize..4,
        ) {
            let mut permutation: Vec<usize> = (0..extents.len()).collect();
            permutation.sort_by_key(|mode| keys[*mode]);
            let len = extents.iter().product();
            let source: Vec<f64> = (0..len).map(|number| number as f64 + 0.5).collect();
            let modes = permuted(&extents, &permutation);
            let mut target = vec![0.0; len];
            permute(&source, &mut target, &modes, threads);
            if len == 0 {
                return Ok(());
            }
            let mut walk = DenseWalk::from(&modes, 0);
            for (place, value) in target.iter().enumerate() {
                prop_assert_eq!(*value, source[walk.offset], "at {}", place);
                walk.step();
            }
        }
    }

    /// Parts of several threads begin where they should, in either way.
    #[test]
    fn large_copies_are_cut_into_parts() {
        for (extents, permutation) in [
            (vec![301, 203], vec![1, 0]),
            (vec![40, 30, 50], vec![1, 0, 2]),
            (vec![6, 110, 90], vec![0, 2, 1]),
            (vec![110, 90, 6], vec![2, 1, 0]),
        ] {
            let modes = permuted(&extents, &permutation);
            let source: Vec<i64> = (0..count(&modes) as i64).collect();
            let (mut one, mut three) = (vec![0; source.len()], vec![0; source.len()]);
            permute(&source, &mut one, &modes, 1);
            permute(&source, &mut three, &modes, 3);
            let mut walk = DenseWalk::from(&modes, 0);
            for place in 0..one.len() {
                assert_eq!((one[place], three[place]), (source[walk.offset], source[walk.offset]));
                walk.step();
            }
        }
    }
}
