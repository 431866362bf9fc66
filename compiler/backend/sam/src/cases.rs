//! The levels and types of elements of graphs, as the language has them.

use comet_format::LevelKind;
use comet_ir::{Ty, Val, types};
use comet_sam::graph::{Element, GraphLevel};
use melior::Context;
use melior::ir::ValueLike as _;

pub(crate) fn of_kind(kind: LevelKind) -> Option<GraphLevel> {
    match kind.word_bits() {
        Some(bits) => Some(GraphLevel::BitVector(bits)),
        None if kind.is_full() => Some(GraphLevel::Dense),
        None => kind.has_sets_in_crd().then_some(GraphLevel::Compressed),
    }
}

pub(crate) fn to_kind(level: GraphLevel) -> LevelKind {
    match level {
        GraphLevel::Dense => LevelKind::Dense,
        GraphLevel::Compressed => LevelKind::CompressedUnique,
        GraphLevel::BitVector(bits) => LevelKind::BitVector(bits),
    }
}

pub(crate) fn element_type(context: &Context, element: Element) -> Ty<'_> {
    types::of_value(context, element)
}

/// The element that values of a type are in streams: they are of the types that are computed in.
pub(crate) fn of_type(ty: Ty<'_>) -> Element {
    types::value_of(ty).computed()
}

pub(crate) fn of_value(value: Val<'_>) -> Element {
    let ty = value.r#type();
    of_type(if types::is_tensor(ty) { types::element(ty) } else { ty })
}
