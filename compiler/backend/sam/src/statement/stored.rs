//! Formats that graphs can scan: levels that are dense, compressed or bit vectors, each of a whole mode or of
//! a part of one, in the order of the index variables.

use crate::cases;
use comet_format::{Format, Level, LevelExpr, LevelKind};
use comet_notation::distinct;
use comet_sam::graph::GraphLevel;

#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) expr: LevelExpr,
    /// How many bits the words have that coordinates are in, where that is said.
    pub(super) bits: Option<u32>,
    pub(super) is_even: bool,
}

pub(super) fn levels(format: &Format) -> Option<(Vec<GraphLevel>, Vec<usize>)> {
    let parts = parts(format);
    let level = |own: &Level| {
        let mode = parts.iter().position(|part| *part == own.expr)?;
        Some((cases::of_kind(own.kind)?, mode))
    };
    format.levels.iter().map(level).collect::<Option<Vec<_>>>().map(|levels| levels.into_iter().unzip())
}

/// What the modes of a graph's tensor are, in their order: those of the program's, and of one that is cut the
/// quotient, then the remainder. Slots are none.
pub(crate) fn parts(format: &Format) -> Vec<LevelExpr> {
    let exprs = format.levels.iter().map(|level| level.expr).filter(|expr| expr.mode().is_some());
    let mut parts: Vec<LevelExpr> = exprs.collect();
    parts.sort_by_key(|expr| (expr.mode(), matches!(expr, LevelExpr::Mod(..))));
    parts
}

/// The format to copy an operand to, if it cannot be scanned as it is. What is wanted comes in the order of
/// the loops.
pub(super) fn copied(format: &Format, wanted: &[Wanted]) -> Option<Format> {
    let is_it =
        |(level, wanted): (&Level, &Wanted)| level.expr == wanted.expr && is_scanned(level.kind, wanted);
    let is_scanned = format.levels.len() == wanted.len() && format.levels.iter().zip(wanted).all(is_it);
    (!is_scanned).then(|| copy(format, wanted))
}

pub(super) fn is_scanned(kind: LevelKind, wanted: &Wanted) -> bool {
    match cases::of_kind(kind) {
        Some(level) if level.is_dense() => wanted.is_even,
        Some(level) => wanted.bits.is_none_or(|bits| level.width() == Some(bits)),
        None => false,
    }
}

pub(super) fn written(format: &Format, wanted: &[Wanted]) -> Format {
    let has = |level: &Level| {
        wanted.iter().any(|wanted| level.expr == wanted.expr && is_scanned(level.kind, wanted))
    };
    let is_own = format.levels.len() == wanted.len() && format.levels.iter().all(has);
    if is_own { format.clone() } else { copy(format, wanted) }
}

/// All dense where all were; sparse otherwise, but for an outermost level that stays dense if another one is
/// below it. A dense level has all coordinates below its size. One of tiles would have those in which there
/// is nothing, which would be brought, and with them the tiles of other operands.
fn copy(format: &Format, wanted: &[Wanted]) -> Format {
    let is_whole = |wanted: &Wanted| matches!(wanted.expr, LevelExpr::Mode(_));
    let is_outer_dense = wanted.len() > 1
        && wanted.first().is_some_and(is_whole)
        && format.levels.first().is_some_and(|level| level.kind.is_full());
    let kind = |place: usize, wanted: &Wanted| match wanted.bits {
        _ if wanted.is_even && (format.is_dense() || (place == 0 && is_outer_dense)) => LevelKind::Dense,
        Some(bits) => LevelKind::BitVector(bits),
        None => LevelKind::CompressedUnique,
    };
    let levels = wanted.iter().enumerate();
    let levels = levels.map(|(place, wanted)| Level { expr: wanted.expr, kind: kind(place, wanted) });
    Format { rank: format.rank, levels: levels.collect(), index_width: format.index_width }
}

pub(super) fn modes(format: &Format) -> Vec<usize> {
    distinct(format.levels.iter().filter_map(|level| level.expr.mode()))
}
