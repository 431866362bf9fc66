//! How a part of a tensor is stored.

use comet_format::{Format, LevelExpr, LevelKind};
use itertools::Itertools as _;

use crate::program::PartMode;
use crate::storage::TensorStorage;

/// The storage of a part: its modes in the order in which the whole tensor stores them. A part of a dense
/// tensor is dense, but for the range of the innermost level that a shift leaves; other parts list their
/// coordinates below the dense levels that the whole tensor begins with.
pub(super) fn of_part(whole: &TensorStorage, modes: &[PartMode]) -> TensorStorage {
    let format = &whole.format;
    let stored = format.levels.iter().filter_map(|level| level.expr.mode()).unique();
    let is_kept = |mode: &usize| !matches!(modes[*mode], PartMode::At(_));
    let kept: Vec<usize> = stored.filter(is_kept).collect();
    let is_shifted = kept.iter().any(|mode| matches!(modes[*mode], PartMode::Shift { .. }));
    let full = leading_dense(format);
    let mut kinds: Vec<LevelKind> = match format.is_dense() {
        true => vec![LevelKind::Dense; kept.len()],
        false => {
            let dense = kept.iter().take_while(|mode| full.contains(mode)).count();
            let kind = |level| if level < dense { LevelKind::Dense } else { LevelKind::CompressedUnique };
            (0..kept.len()).map(kind).collect()
        }
    };
    if let Some(last) = kinds.last_mut() {
        *last = match (format.is_dense(), is_shifted) {
            (true, false) => LevelKind::Dense,
            (true, true) => LevelKind::Range,
            (false, _) => LevelKind::CompressedUnique,
        };
    }
    let ascending: Vec<usize> = kept.iter().copied().sorted_unstable().collect();
    let place = |mode: &usize| ascending.iter().position(|other| other == mode);
    let order: Vec<usize> = kept.iter().filter_map(place).collect();
    let part = Format::from_levels(&kinds, &order).unwrap_or_else(|_| Format::dense(kinds.len()));
    TensorStorage { format: part.with_index_width(format.index_width), memory: whole.memory, on: whole.on }
}

/// The modes that the dense levels in front store.
fn leading_dense(format: &Format) -> Vec<usize> {
    let levels = format.levels.iter().take_while(|level| level.kind.is_full());
    levels
        .filter_map(|level| match level.expr {
            LevelExpr::Mode(mode) => Some(mode),
            _ => None,
        })
        .collect()
}
