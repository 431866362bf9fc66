//! Levels of a tensor all of whose positions are entries: their arrays follow from the extents alone.

use crate::error::Error;
use crate::levels::{LevelCode as _, size_as_pos, with_code};
use crate::memory::{Array, checked_product};
use crate::tensor::{ArrayName, Index, IndexArray, LevelStorage, Tensor};
use rayon::prelude::*;
use std::ops::Range;

/// Coordinates that one task writes.
const TASK: usize = 1 << 15;

/// The levels of a tensor that stores every position, from the outside in.
pub(crate) struct EveryPosition<'a, I> {
    pub(crate) tensor: &'a Tensor,
    /// The positions of the level above.
    pub(crate) positions: usize,
    pub(crate) built: Vec<LevelStorage>,
    /// The slots of the last level's coordinates under each parent, where they are no positions in order.
    pub(crate) slots: Option<Vec<usize>>,
    width: std::marker::PhantomData<I>,
}

impl<'a, I: Index> EveryPosition<'a, I> {
    /// Builds the levels of a tensor, whose extents are set; `None` where a level has positions that are no
    /// entries, or cannot store every coordinate.
    ///
    /// # Errors
    /// Positions that the width of the arrays cannot hold, and arrays that do not fit the memory.
    pub(crate) fn of(tensor: &'a Tensor, entries: usize) -> Result<Option<Self>, Error> {
        if !tensor.format.format.is_dense() && entries as u64 > I::LARGEST {
            return Err(Error::IndexTooNarrow { tensor: tensor.name.clone(), found: entries as u64 });
        }
        let width = std::marker::PhantomData;
        let mut every = Self { tensor, positions: 1, built: Vec::new(), slots: None, width };
        let format = &tensor.format.format;
        while every.built.len() < format.levels.len() {
            let levels = format.tuple(every.built.len());
            let kind = format.levels[levels.start].kind;
            if !with_code!(kind, code => code.store_every(&mut every, levels))? {
                return Ok(None);
            }
        }
        Ok(Some(every))
    }

    /// Returns the number of tuples of coordinates of some levels under each parent.
    pub(crate) fn tuples(&self, levels: Range<usize>) -> Result<usize, Error> {
        checked_product(&levels.map(|level| self.size(level)).collect::<Vec<_>>(), &self.name("positions"))
    }

    /// Returns the number of coordinates of a level.
    pub(crate) fn size(&self, level: usize) -> usize {
        self.tensor.level_size(level) as usize
    }

    /// Returns where the children of each parent begin, and where the last ones end.
    pub(crate) fn starts(&self, children: usize) -> Result<IndexArray, Error> {
        let mut pos = Array::<I>::unspecified(self.positions + 1, &self.name("pos"))?;
        pos.iter_mut()
            .enumerate()
            .for_each(|(parent, start)| *start = I::truncate((parent * children) as u64));
        Ok(I::store(pos))
    }

    /// Returns the coordinates of a level at the positions of some levels, of which it is one.
    pub(crate) fn coordinates(&self, level: usize, levels: Range<usize>) -> Result<IndexArray, Error> {
        let len = checked_product(&[self.positions, self.tuples(levels.clone())?], &self.name("crd"))?;
        let (size, stride) = (self.size(level), self.tuples(level + 1..levels.end)?);
        let mut crd = Array::<I>::unspecified(len, &self.name("crd"))?;
        crd.par_chunks_mut(TASK).enumerate().for_each(|(task, crd)| {
            let first = task * TASK;
            let (mut coordinate, mut left) = (first / stride % size, stride - first % stride);
            for stored in crd {
                *stored = I::truncate(coordinate as u64);
                left -= 1;
                if left == 0 {
                    (coordinate, left) = ((coordinate + 1) % size, stride);
                }
            }
        });
        Ok(I::store(crd))
    }

    /// Adds a level that stores its size only, with as many positions under each parent.
    pub(crate) fn push_size(&mut self, size: usize) -> Result<(), Error> {
        self.push(size_as_pos::<I>(size as i64, &self.tensor.name)?, I::store(Array::empty()));
        self.multiply(size)
    }

    pub(crate) fn push(&mut self, pos: IndexArray, crd: IndexArray) {
        self.built.push(LevelStorage { pos, crd });
    }

    /// Multiplies the positions by the number of children of each.
    pub(crate) fn multiply(&mut self, children: usize) -> Result<(), Error> {
        self.positions = checked_product(&[self.positions, children], &self.name("positions"))?;
        Ok(())
    }

    pub(crate) fn name(&self, part: &'static str) -> ArrayName<'a> {
        ArrayName { tensor: &self.tensor.name, part }
    }
}
