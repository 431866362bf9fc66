//! A statement that processes divide, with its tensors.

use super::Processes;
use super::numbering::Numbering;
use super::parts::Along;
use super::placement::TensorRows;
use crate::slices;
use crate::tensor::Tensor;
use comet_abi::distribution::{LabeledTensor, StatementDescription};
use std::sync::Arc;

/// A statement, the last tensor of which it assigns.
pub(crate) struct DivisibleStatement<'a> {
    pub(crate) description: &'a StatementDescription,
    /// Its tensors, each once.
    pub(crate) tensors: Vec<&'a mut Tensor>,
    /// Which of them is in each place.
    pub(crate) places: Vec<usize>,
}

impl DivisibleStatement<'_> {
    pub(super) fn tensor(&self, place: usize) -> &Tensor {
        self.tensors[self.places[place]]
    }

    pub(super) fn tensor_mut(&mut self, place: usize) -> &mut Tensor {
        self.tensors[self.places[place]]
    }

    pub(super) fn labeled(&self, place: usize) -> &LabeledTensor {
        &self.description.tensors[place]
    }

    /// The last place that has the same tensor with the same labels: the statement uses that one.
    pub(super) fn last_of(&self, place: usize) -> usize {
        let is_same = |other: &usize| {
            self.places[*other] == self.places[place]
                && self.labeled(*other).labels == self.labeled(place).labels
        };
        (place..self.places.len()).rev().find(is_same).unwrap_or(place)
    }

    /// The place of the tensor that is assigned.
    pub(super) fn result(&self) -> usize {
        self.places.len() - 1
    }

    /// The label that the outermost level of a tensor stores.
    pub(super) fn outermost_label(&self, place: usize) -> Option<usize> {
        let mode = self.tensor(place).format.format.levels.first()?.expr.mode()?;
        Some(self.labeled(place).labels[mode])
    }

    /// How many tensors are declared to be divided along a label.
    pub(super) fn stated_along(&self, label: usize) -> usize {
        let is_stated = |place: &&usize| self.outermost_label(**place) == Some(label);
        self.description.rows.iter().filter(is_stated).count()
    }

    /// Whether processes divide a label, if nothing else is in the way. The extents of others are compiled
    /// in where the program states them.
    pub(super) fn is_divisible(&self, label: usize) -> bool {
        self.extent(label) >= self.description.shortest || self.stated_along(label) > 0
    }

    /// Whether nothing of the tensor that is assigned is needed.
    pub(super) fn overwrites_result(&self) -> bool {
        !self.description.accumulates && !self.reads_result()
    }

    /// Whether an operand is the tensor that is assigned.
    pub(super) fn reads_result(&self) -> bool {
        (0..self.result()).any(|place| self.places[place] == self.places[self.result()])
    }

    /// The partition of a tensor along a label.
    pub(super) fn rows_along(&self, place: usize, label: usize) -> Option<&TensorRows> {
        let mode = self.labeled(place).mode_of(label)?;
        self.tensor(place).placement.rows.as_ref().filter(|rows| rows.mode == mode)
    }

    /// The level that lists the coordinates of a tensor along a label.
    pub(super) fn lists(&self, place: usize, label: usize) -> bool {
        let mode = self.labeled(place).mode_of(label);
        mode.is_some_and(|mode| slices::listing_level(self.tensor(place), mode).is_some())
    }

    /// The extent of a label in the whole.
    pub(super) fn extent(&self, label: usize) -> i64 {
        let first = self.description.modes_of(label).next();
        first.map_or(0, |(place, mode)| self.tensor(place).whole_extent(mode))
    }

    /// The extents of all labels on this process.
    pub(super) fn local_extents(&self, along: &[Along], processes: &Processes) -> Vec<i64> {
        let local = |(label, along): (usize, &Along)| along.extent(self.extent(label), processes.rank);
        along.iter().enumerate().map(local).collect()
    }

    /// The extents of all labels in the whole.
    pub(crate) fn whole_extents(&self) -> Vec<i64> {
        (0..self.description.label_count()).map(|label| self.extent(label)).collect()
    }

    /// What is wanted of a tensor along its modes. Of the divided label, a second mode has local numbers:
    /// those of the range alone.
    pub(super) fn wanted(&self, place: usize, along: &[Along], own: Option<&Arc<Numbering>>) -> Vec<Along> {
        let labels = &self.labeled(place).labels;
        let wanted = |(mode, label): (usize, &usize)| match (&along[*label], own) {
            (Along::Divided(_), Some(own)) if labels[..mode].contains(label) => Along::Numbered(own.clone()),
            (along, _) => along.clone(),
        };
        labels.iter().enumerate().map(wanted).collect()
    }
}
