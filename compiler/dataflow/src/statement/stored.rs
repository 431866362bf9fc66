//! Formats that graphs can scan: levels that are dense or compressed, each of a whole mode, in the order of
//! the index variables.

use comet_runtime::format::{Format, Level, LevelExpr, LevelKind};
use comet_sam::graph;

/// The levels as graphs know them, and their modes; `None` where they know one of them not.
pub(super) fn levels(format: &Format) -> Option<(Vec<graph::Level>, Vec<usize>)> {
    let level = |level: &Level| match (level.expr, level.kind) {
        (LevelExpr::Mode(mode), LevelKind::Dense) => Some((graph::Level::Dense, mode)),
        (LevelExpr::Mode(mode), LevelKind::CompressedUnique) => Some((graph::Level::Compressed, mode)),
        _ => None,
    };
    format.levels.iter().map(level).collect::<Option<Vec<_>>>().map(|levels| levels.into_iter().unzip())
}

/// The format to copy an operand to, if it cannot be scanned as it is: `place` gives a mode's place among
/// the loops.
pub(super) fn copied(format: &Format, place: &dyn Fn(usize) -> usize) -> Option<Format> {
    let scanned = levels(format);
    if scanned.is_some_and(|(_, modes)| modes.is_sorted_by_key(|mode| place(*mode))) {
        return None;
    }
    let mut modes: Vec<usize> = modes(format);
    modes.sort_by_key(|mode| place(*mode));
    Some(whole_modes(format, &modes))
}

/// The same content in levels of whole modes.
pub(super) fn plain(format: &Format) -> Format {
    whole_modes(format, &modes(format))
}

/// The modes in the order in which the levels come to them.
fn modes(format: &Format) -> Vec<usize> {
    let mut modes = Vec::new();
    for mode in format.levels.iter().filter_map(|level| level.expr.mode()) {
        if !modes.contains(&mode) {
            modes.push(mode);
        }
    }
    modes
}

/// All dense where all were; compressed otherwise, but for an outermost level that stays dense if another one
/// is below it.
fn whole_modes(format: &Format, modes: &[usize]) -> Format {
    let is_dense = |level: usize| {
        let first = format.levels.first().is_some_and(|level| level.kind == LevelKind::Dense);
        format.is_dense() || (level == 0 && first && modes.len() > 1)
    };
    let kind = |level| if is_dense(level) { LevelKind::Dense } else { LevelKind::CompressedUnique };
    let levels = modes.iter().enumerate();
    let levels = levels.map(|(level, &mode)| Level { expr: LevelExpr::Mode(mode), kind: kind(level) });
    Format { rank: format.rank, levels: levels.collect(), index_width: format.index_width }
}
