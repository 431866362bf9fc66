//! The enumerations of sam as graphs have them: the numbers are those of `SamDialect.td`.

use comet_ir::Op;
use comet_passes::nest::integer;
use comet_sam::graph::{CoordinateForm, EmptyFiber, Kept, Merge, Operator, Reduction};

/// What an enumeration of sam stands for.
pub(crate) trait EnumCase: Copy + PartialEq + 'static {
    /// All cases with their words, by their numbers.
    const CASES: &'static [(Self, &'static str)];

    /// Its number.
    fn number(self) -> i32 {
        let place = Self::CASES.iter().position(|(case, _)| *case == self);
        place.and_then(|number| i32::try_from(number).ok()).expect("the table lists every case")
    }

    /// That of an attribute.
    fn of(op: Op<'_>, attribute: &str) -> Self {
        let number = usize::try_from(integer(op, attribute)).ok();
        number.and_then(|number| Self::CASES.get(number)).expect("the verifier knows the cases").0
    }
}

impl EnumCase for Operator {
    const CASES: &'static [(Self, &'static str)] = &[
        (Self::Multiply, "mul"),
        (Self::Divide, "div"),
        (Self::Add, "add"),
        (Self::Subtract, "sub"),
        (Self::Min, "min"),
        (Self::Max, "max"),
        (Self::Any, "any"),
        (Self::First, "first"),
        (Self::Second, "second"),
        (Self::Pair, "pair"),
        (Self::Or, "or"),
        (Self::And, "and"),
    ];
}

impl EnumCase for Reduction {
    const CASES: &'static [(Self, &'static str)] = &[
        (Self::Add, "add"),
        (Self::Multiply, "mul"),
        (Self::Min, "min"),
        (Self::Max, "max"),
        (Self::Any, "any"),
        (Self::Or, "or"),
        (Self::And, "and"),
    ];
}

impl EnumCase for Merge {
    const CASES: &'static [(Self, &'static str)] = &[(Self::Intersect, "intersect"), (Self::Union, "unite")];
}

impl EnumCase for EmptyFiber {
    const CASES: &'static [(Self, &'static str)] =
        &[(Self::Zero, "zero"), (Self::Removed, "removed"), (Self::Absent, "absent"), (Self::Token, "token")];
}

impl EnumCase for Kept {
    const CASES: &'static [(Self, &'static str)] = &[
        (Self::Stored, "stored"),
        (Self::NotStored, "not_stored"),
        (Self::NotZero, "not_zero"),
        (Self::Zero, "zero"),
    ];
}

impl EnumCase for CoordinateForm {
    const CASES: &'static [(Self, &'static str)] = &[(Self::Levels, "levels"), (Self::Points, "points")];
}

/// The functions of `sam.apply`; what a value is converted to is in the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    Negate,
    Convert,
    Relu,
    Exp,
}

impl EnumCase for Applied {
    const CASES: &'static [(Self, &'static str)] =
        &[(Self::Negate, "neg"), (Self::Convert, "convert"), (Self::Relu, "relu"), (Self::Exp, "exp")];
}

/// Under what `sam.drop` leaves coordinates out; what a zero is, is in the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Under {
    Fibers,
    Absent,
    Zeros,
}

impl EnumCase for Under {
    const CASES: &'static [(Self, &'static str)] =
        &[(Self::Fibers, "fibers"), (Self::Absent, "absent"), (Self::Zeros, "zeros")];
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIALECT: &str = include_str!("../../../../dialects/sam/SamDialect.td");

    /// The words of an enumeration in TableGen, which are numbered in their order.
    fn words(name: &str) -> Vec<&'static str> {
        let definition = DIALECT.split(&format!("SAM_Enum<\"{name}\"")).nth(1);
        let definition =
            definition.and_then(|text| text.split("]>").next()).expect("the dialect has the enumeration");
        let cases = definition.split("I32EnumAttrCase<").skip(1);
        cases
            .enumerate()
            .map(|(number, case)| {
                assert_eq!(
                    case.split(',').nth(1).map(str::trim),
                    Some(number.to_string().as_str()),
                    "{case}"
                );
                case.split('"').nth(3).expect("a case has a word")
            })
            .collect()
    }

    fn check<C: EnumCase>(name: &str) {
        let ours: Vec<&str> = C::CASES.iter().map(|(_, word)| *word).collect();
        assert_eq!(words(name), ours, "{name}");
    }

    #[test]
    fn enumerations_are_the_dialects() {
        check::<Operator>("Operator");
        check::<Reduction>("Reduction");
        check::<Merge>("Meeting");
        check::<EmptyFiber>("EmptyFiber");
        check::<Under>("Dropped");
        check::<Kept>("Kept");
        check::<CoordinateForm>("Form");
        check::<Applied>("Function");
    }
}
