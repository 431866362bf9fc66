//! What of a tensor each process has.

use super::numbering::Numbering;
use super::partition::Partition;
use super::processes;
use crate::tensor::Tensor;
use crate::values::ValueColumn;
use std::ops::Range;
use std::sync::Arc;

/// What of a tensor this process has; everything by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// Where each process has a range of the coordinates of a mode.
    pub(crate) rows: Option<TensorRows>,
    /// The modes whose coordinates are local numbers.
    numbered: Vec<(usize, Arc<Numbering>)>,
    /// The local numbers that modes had before, which hold as long as the same coordinates are stored.
    remembered: Vec<(usize, Arc<Numbering>)>,
    /// The value of all elements of a dense tensor, where no process stores any of them yet.
    constant: Option<ValueColumn>,
}

/// A range of the coordinates of a mode for each process. They count from the start of the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TensorRows {
    pub(crate) mode: usize,
    pub(crate) partition: Arc<Partition>,
}

impl TensorRows {
    /// Returns the range that the process of this call has.
    pub(crate) fn own(&self) -> Range<i64> {
        self.partition.range(processes().map_or(0, |processes| processes.rank))
    }
}

impl Placement {
    /// Each process has rows.
    pub(crate) fn by_rows(mode: usize, partition: Arc<Partition>) -> Self {
        Self { rows: Some(TensorRows { mode, partition }), ..Self::default() }
    }

    /// All elements have one value, and none is stored.
    pub(crate) fn constant(value: ValueColumn) -> Self {
        Self { constant: Some(value), ..Self::default() }
    }

    /// The value of all elements, where none is stored.
    pub(crate) fn as_constant(&self) -> Option<&ValueColumn> {
        self.constant.as_ref()
    }

    /// Whether every process stores the whole tensor.
    pub(crate) fn is_everywhere(&self) -> bool {
        self.rows.is_none() && self.numbered.is_empty() && self.constant.is_none()
    }

    /// The placement of a copy, mode m of which is mode `permutation[m]`, and which has no local numbers.
    pub(crate) fn permuted(&self, permutation: &[usize]) -> Self {
        let rows = self.rows.as_ref().and_then(|rows| {
            let mode = permutation.iter().position(|mode| *mode == rows.mode)?;
            Some(TensorRows { mode, partition: rows.partition.clone() })
        });
        Self { rows, ..Self::default() }
    }

    /// The local numbers of a mode.
    pub(crate) fn numbering(&self, mode: usize) -> Option<&Arc<Numbering>> {
        self.numbered.iter().find(|(other, _)| *other == mode).map(|(_, numbering)| numbering)
    }

    /// The local numbers that a mode has, or had before.
    pub(crate) fn known_numbering(&self, mode: usize) -> Option<&Arc<Numbering>> {
        let remembered = || self.remembered.iter().find(|(other, _)| *other == mode);
        self.numbering(mode).or_else(|| remembered().map(|(_, numbering)| numbering))
    }

    /// Gives the coordinates of a mode local numbers, or none.
    pub(crate) fn set_numbering(&mut self, mode: usize, numbering: Option<Arc<Numbering>>) {
        let is_other = |(other, _): &(usize, Arc<Numbering>)| *other != mode;
        if let Some(old) = self.numbering(mode).cloned() {
            self.remembered.retain(is_other);
            self.remembered.push((mode, old));
        }
        self.numbered.retain(is_other);
        self.numbered.extend(numbering.map(|numbering| (mode, numbering)));
    }

    /// The tensor gets other coordinates.
    pub(crate) fn forget(&mut self) {
        self.remembered.clear();
    }
}

impl Tensor {
    /// Whether all elements have one value, and none is stored.
    pub(crate) fn is_constant(&self) -> bool {
        self.placement.constant.is_some()
    }

    /// The extent of a mode of the whole tensor.
    pub(crate) fn whole_extent(&self, mode: usize) -> i64 {
        if let Some(numbering) = self.placement.numbering(mode) {
            return numbering.partition().extent();
        }
        match &self.placement.rows {
            Some(rows) if rows.mode == mode => rows.partition.extent(),
            _ => self.dims[mode],
        }
    }

    /// The extents of the whole tensor.
    pub(crate) fn whole_dims(&self) -> Vec<i64> {
        (0..self.dims.len()).map(|mode| self.whole_extent(mode)).collect()
    }
}
