//! Formats that applications have: dense and compressed levels of whole modes, in the order of the loops.

use comet_runtime::format::{Format, Level, LevelExpr, LevelKind};
use comet_spatial::app;

/// The levels as applications know them.
///
/// # Panics
/// One of them is of another kind; `in_order` gives formats that have none.
pub(super) fn levels(format: &Format) -> Vec<app::Level> {
    if format.levels.is_empty() {
        return (0..format.rank).map(|mode| app::Level { mode, kind: app::LevelKind::Dense }).collect();
    }
    format.levels.iter().map(|level| known(level).expect("levels are dense or compressed")).collect()
}

fn known(level: &Level) -> Option<app::Level> {
    let LevelExpr::Mode(mode) = level.expr else { return None };
    let kind = match level.kind {
        LevelKind::Dense => app::LevelKind::Dense,
        LevelKind::CompressedUnique => app::LevelKind::Compressed,
        LevelKind::CompressedNonUnique | LevelKind::Singleton | LevelKind::BitVector(_) => return None,
    };
    Some(app::Level { mode, kind })
}

/// The format to copy a tensor to, or from, if its levels are not what applications have in the order of the
/// loops. `places` says where the loops come to the variable of each mode.
pub(super) fn in_order(format: &Format, places: &[usize]) -> Option<Format> {
    let known: Option<Vec<app::Level>> = format.levels.iter().map(known).collect();
    let is_known = known.is_some_and(|levels| {
        format.is_dense() || levels.iter().map(|level| places[level.mode]).is_sorted_by(|a, b| a < b)
    });
    (!is_known).then(|| copy(format, places))
}

/// All dense where all were; compressed otherwise, but for an outermost level that stays dense if another one
/// is below it.
fn copy(format: &Format, places: &[usize]) -> Format {
    let mut modes: Vec<usize> = (0..format.rank).collect();
    modes.sort_by_key(|mode| places[*mode]);
    let is_outer_dense =
        format.rank > 1 && format.levels.first().is_some_and(|level| level.kind == LevelKind::Dense);
    let kind = |place: usize| {
        if format.is_dense() || place == 0 && is_outer_dense {
            LevelKind::Dense
        } else {
            LevelKind::CompressedUnique
        }
    };
    let levels = modes.into_iter().enumerate();
    let levels = levels.map(|(place, mode)| Level { expr: LevelExpr::Mode(mode), kind: kind(place) });
    Format { rank: format.rank, levels: levels.collect(), index_width: format.index_width }
}
