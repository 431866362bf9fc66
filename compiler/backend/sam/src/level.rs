//! Level formats of the language as graphs have them.

use comet_format::LevelKind;
use comet_sam::graph::GraphLevel;

pub(crate) fn of_kind(kind: LevelKind) -> Option<GraphLevel> {
    match kind.word_bits() {
        Some(bits) => Some(GraphLevel::BitVector(bits)),
        None if kind.is_full() => Some(GraphLevel::Dense),
        None => kind.has_sets_as_fibers().then_some(GraphLevel::Compressed),
    }
}

pub(crate) fn to_kind(level: GraphLevel) -> LevelKind {
    match level {
        GraphLevel::Dense => LevelKind::Dense,
        GraphLevel::Compressed => LevelKind::CompressedUnique,
        GraphLevel::BitVector(bits) => LevelKind::BitVector(bits),
    }
}
