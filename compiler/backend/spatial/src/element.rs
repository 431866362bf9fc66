//! The types of elements as types of MLIR.

use comet_ir::{Ty, types};
use comet_spatial::app::Type;
use melior::Context;
use melior::ir::TypeLike;
use melior::ir::r#type::IntegerType;

/// As a type; none for an alias.
pub(crate) fn element_type<'c>(context: &'c Context, element: &Type) -> Option<Ty<'c>> {
    Some(match element {
        Type::Int => types::int(context, 32),
        Type::Long => types::int(context, 64),
        Type::U32 => IntegerType::unsigned(context, 32).into(),
        Type::Float => Ty::float32(context),
        Type::Double => Ty::float64(context),
        Type::Bit => types::int(context, 1),
        Type::Named(_) => return None,
    })
}

/// What a type of elements is. Panics for other types: the verifier refuses them.
pub(crate) fn of_type(ty: Ty<'_>) -> Type {
    if ty.is_f64() {
        return Type::Double;
    }
    if ty.is_f32() {
        return Type::Float;
    }
    let integer = IntegerType::try_from(ty).expect("the verifier knows the types of elements");
    match (integer.width(), integer.is_unsigned()) {
        (1, _) => Type::Bit,
        (64, _) => Type::Long,
        (_, true) => Type::U32,
        (_, false) => Type::Int,
    }
}
