//! What graphs have, as the dialect and the language have it: choices of blocks, levels, types of elements.

use comet_format::LevelKind;
use comet_ir::{Ty, Val, sam, types};
use comet_sam::graph::{CoordinateForm, Element, EmptyFiber, GraphLevel, Kept, Merge, Operator};
use melior::Context;
use melior::ir::{TypeLike, ValueLike as _};

/// Declares which case of the dialect each case of a graph is, in both directions.
macro_rules! cases {
    ($($graph:ident = $dialect:ident { $($case:ident = $word:ident),+ $(,)? })+) => {$(
        impl Case for $graph {
            type Dialect = sam::$dialect;

            fn to_dialect(self) -> sam::$dialect {
                match self {
                    $($graph::$case => sam::$dialect::$word,)+
                }
            }

            fn of_dialect(case: sam::$dialect) -> Self {
                match case {
                    $(sam::$dialect::$word => $graph::$case,)+
                }
            }
        }
    )+};
}

pub(crate) trait Case: Copy {
    type Dialect;

    fn to_dialect(self) -> Self::Dialect;
    fn of_dialect(case: Self::Dialect) -> Self;
}

cases! {
    Operator = Operator {
        Mul = Mul, Div = Div, Add = Add, Sub = Sub, Min = Min, Max = Max, Any = Any, First = First, Second = Second,
        Pair = Pair, Or = Or, And = And,
    }
    Merge = Meeting { Intersect = Intersect, Union = Unite }
    EmptyFiber = EmptyFiber { Zero = Zero, Removed = Removed, Absent = Absent, Token = Token }
    Kept = Kept { Stored = Stored, NotStored = NotStored, NotZero = NotZero, Zero = Zero }
    CoordinateForm = Form { Levels = Levels, Points = Points }
}

pub(crate) fn to_reduction(operator: Operator) -> sam::Reduction {
    operator.name().parse().expect("the dialect has all operators that reduce")
}

pub(crate) fn of_reduction(reduction: sam::Reduction) -> Operator {
    Operator::named(reduction.word()).expect("the dialect has the words of the table of operators")
}

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
