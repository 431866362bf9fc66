//! Tensors, parameters and names of types.

use super::attributes::{element, text};
use crate::cases::Case;
use crate::element::of_type;
use crate::statement::known;
use comet_diag::Span;
use comet_format::Level as Stored;
use comet_ir::{Op, format, types};
use comet_passes::nest::integer;
use comet_spatial::app::{Level, Parameter, Tensor, Type};
use melior::ir::ValueLike;
use melior::ir::attribute::TypeAttribute;

/// How a tensor is stored is in its type.
pub(super) fn tensor(op: Op<'_>) -> Tensor {
    let ty = op.operand(0).r#type();
    let levels = format::of_type(ty).levels.into_iter().map(level).collect();
    Tensor {
        name: text(op, "name"),
        element: of_type(types::element(ty)),
        levels,
        role: Case::of(op, "role"),
    }
}

fn level(stored: Stored) -> Level {
    known(&stored).expect("the verifier demands levels that are D or CU, of modes or tiles of them")
}

pub(super) fn parameter(op: Op<'_>) -> Parameter {
    Parameter { name: text(op, "name"), value: integer(op, "value"), span: Span::default() }
}

pub(super) fn alias(op: Op<'_>) -> (String, Type) {
    let ty = op.attribute("type").and_then(|attribute| TypeAttribute::try_from(attribute).ok());
    let ty = ty.expect("the verifier demands the attribute").value();
    (text(op, "name"), element(op, ty))
}
