//! The enumerations of sam as graphs have them.

use comet_ir::sam;
use comet_sam::graph::{CoordinateForm, EmptyFiber, Kept, Merge, Operator};

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
    sam::Reduction::from_word(operator.name()).expect("the dialect has all operators that reduce")
}

pub(crate) fn of_reduction(reduction: sam::Reduction) -> Operator {
    Operator::named(reduction.word()).expect("the dialect has the words of the table of operators")
}
