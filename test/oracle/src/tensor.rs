//! A tensor: for every position of its index space, the value that is stored there, if one is.

use comet_syntax::ast::Element;

use crate::error::{OracleError, Result};
use crate::layout::{self, Layout};
use crate::number::TypedNumber;
use crate::pack::{LevelArrays, LevelCoordinates, pack};
use crate::print::StoredArray;

/// More positions than this are not for a dense evaluator.
const MOST_POSITIONS: usize = 1 << 27;

/// A tensor and what it stores.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseTensor {
    /// The type of the values.
    pub element: Element,
    /// The extent of each mode.
    pub dims: Vec<usize>,
    /// How it is stored; decides what is stored besides what was assigned.
    pub layout: Layout,
    /// Row-major: the entries. What the format stores besides is no entry.
    cells: Vec<Option<TypedNumber>>,
    /// The level arrays; none for a dense tensor.
    levels: Vec<LevelArrays>,
    /// The value array in storage order; as positions of `cells`, or padding.
    storage: Vec<Option<usize>>,
}

impl DenseTensor {
    /// Zeros where it is dense, nothing stored where it is sparse.
    pub(crate) fn new(element: Element, dims: Vec<usize>, layout: Layout) -> Result<Self> {
        let size = dims.iter().try_fold(1, |size: usize, &extent| size.checked_mul(extent));
        let size = size.filter(|&size| size <= MOST_POSITIONS);
        let size = size.ok_or_else(|| OracleError::new("a tensor too large for the oracle"))?;
        let mut tensor =
            Self { element, dims, layout, cells: Vec::new(), levels: Vec::new(), storage: Vec::new() };
        tensor.store(vec![None; size])?;
        Ok(tensor)
    }

    /// Whether every position is stored.
    pub fn is_dense(&self) -> bool {
        layout::is_dense(&self.layout)
    }

    /// The number of positions.
    pub fn size(&self) -> usize {
        self.dims.iter().product()
    }

    /// The row-major number of a position.
    pub(crate) fn offset(&self, at: impl Iterator<Item = usize>) -> usize {
        at.zip(&self.dims).fold(0, |offset, (at, extent)| offset * extent + at)
    }

    /// The position with that row-major number.
    pub fn position(&self, mut offset: usize) -> Vec<usize> {
        let mut at = vec![0; self.dims.len()];
        for mode in (0..self.dims.len()).rev() {
            at[mode] = offset % self.dims[mode];
            offset /= self.dims[mode];
        }
        at
    }

    /// Row-major: the entry at every position, if there is one.
    pub fn cells(&self) -> &[Option<TypedNumber>] {
        &self.cells
    }

    /// Replaces every entry. All positions of a dense tensor are entries.
    pub(crate) fn store(&mut self, cells: Vec<Option<TypedNumber>>) -> Result<()> {
        self.cells = cells.into_iter().map(|cell| cell.map(|value| value.to(self.element))).collect();
        if self.is_dense() {
            self.cells.iter_mut().for_each(|cell| *cell = cell.or(Some(TypedNumber::zero(self.element))));
            return Ok(());
        }
        self.pack()
    }

    fn pack(&mut self) -> Result<()> {
        let stored = (0..self.cells.len()).filter(|&at| self.cells[at].is_some());
        let stored = stored.map(|at| self.position(at)).collect::<Vec<_>>();
        let packed = pack(&self.layout, &self.dims, &stored)?;
        let offset = |at: &Option<Vec<usize>>| at.as_ref().map(|at| self.offset(at.iter().copied()));
        self.storage = packed.positions.iter().map(offset).collect();
        self.levels = packed.levels;
        Ok(())
    }

    /// What `print` shows: LANGUAGE.md, "Output of print".
    pub fn arrays(&self) -> Vec<StoredArray> {
        if self.is_dense() {
            let numbers = self.cells.iter().flatten().map(|number| number.printed(self.element));
            return vec![StoredArray::Numbers(numbers.collect())];
        }
        let integers = |array: &[i64]| {
            StoredArray::Numbers(array.iter().map(|&value| TypedNumber::I64(value)).collect())
        };
        let coordinates = |coordinates: &LevelCoordinates| match coordinates {
            LevelCoordinates::Listed(listed) => integers(listed),
            LevelCoordinates::Words(words) => StoredArray::Words(words.clone()),
        };
        let levels = self.levels.iter().flat_map(|level| [integers(&level.pos), coordinates(&level.crd)]);
        let values = self.values().into_iter().map(|number| number.printed(self.element));
        levels.chain([StoredArray::Numbers(values.collect())]).collect()
    }

    fn values(&self) -> Vec<TypedNumber> {
        let value =
            |at: &Option<usize>| at.and_then(|at| self.cells[at]).unwrap_or(TypedNumber::zero(self.element));
        self.storage.iter().map(value).collect()
    }
}
