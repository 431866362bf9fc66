//! A tensor of `ta` under labels.

use comet_format::{Format, Level, LevelExpr};
use comet_ir::indexing::IndexingMaps;
use comet_ir::{Result, Val, format, ta};

/// A tensor with the number of a label for each mode.
#[derive(Clone, PartialEq)]
pub(super) struct Operand<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) labels: Vec<usize>,
}

impl<'c> Operand<'c> {
    /// Returns the operands of a `ta.tc`, the output last, and how many labels they have.
    pub(super) fn of_contraction(op: ta::Tc<'c>) -> Result<'c, (Vec<Self>, usize)> {
        let maps = IndexingMaps::of_attribute(op.indexing_maps())?;
        let labeled = op.operands().into_iter().zip(maps.operands);
        Ok((labeled.map(|(tensor, labels)| Self { tensor, labels }).collect(), maps.labels))
    }

    pub(super) fn format(&self) -> Format {
        format::of(self.tensor)
    }

    pub(super) fn mode_of(&self, label: usize) -> Option<usize> {
        self.labels.iter().position(|other| *other == label)
    }

    /// Returns whether a level stores only some coordinates.
    pub(super) fn is_sparse(&self) -> bool {
        !self.format().is_dense()
    }

    /// Returns whether it has a level that stores every coordinate of the label, under one parent or more.
    pub(super) fn stores_all_of(&self, label: usize) -> bool {
        self.format().levels.iter().any(|level| self.is_full_level_of(label, level))
    }

    /// Returns whether consecutive coordinates of the label are consecutive values: it is that of the
    /// innermost level, stored whole.
    pub(super) fn is_contiguous(&self, label: usize) -> bool {
        let uses = self.labels.iter().filter(|other| **other == label).count();
        uses == 1 && self.format().levels.last().is_some_and(|level| self.is_full_level_of(label, level))
    }

    fn is_full_level_of(&self, label: usize, level: &Level) -> bool {
        level.kind.is_full() && matches!(level.expr, LevelExpr::Mode(mode) if self.labels[mode] == label)
    }
}
