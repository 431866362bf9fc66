//! The element types of graphs as types of MLIR.

use comet_ir::{Ty, Val, types};
use comet_sam::graph::Element;
use melior::Context;
use melior::ir::{TypeLike, ValueLike as _};

pub(crate) fn element_type(context: &Context, element: Element) -> Ty<'_> {
    match element {
        Element::F64 => Ty::float64(context),
        Element::F32 => Ty::float32(context),
        Element::I64 => types::int(context, 64),
    }
}

pub(crate) fn of_type(ty: Ty<'_>) -> Element {
    if ty.is_f64() {
        Element::F64
    } else if ty.is_f32() {
        Element::F32
    } else {
        Element::I64
    }
}

pub(crate) fn of_value(value: Val<'_>) -> Element {
    let ty = value.r#type();
    of_type(if types::is_tensor(ty) { types::element(ty) } else { ty })
}
