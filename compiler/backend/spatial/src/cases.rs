//! The enumerations of spatial as applications have them: the numbers are those of `SpatialDialect.td`.

use comet_ir::Op;
use comet_passes::nest::integer;
use comet_spatial::app::{BarrierAction, Function, Modification, Operator, Role, ScanMode};

/// What an enumeration of spatial stands for.
pub(crate) trait Case: Copy + PartialEq + 'static {
    /// All cases with their words, by their numbers.
    const CASES: &'static [(Self, &'static str)];

    /// Its number.
    fn number(self) -> i32 {
        let place = Self::CASES.iter().position(|(case, _)| *case == self);
        place.and_then(|number| i32::try_from(number).ok()).expect("the table lists every case")
    }

    /// Its word.
    fn word(self) -> &'static str {
        let case = Self::CASES.iter().find(|(case, _)| *case == self);
        case.expect("the table lists every case").1
    }

    /// That of an attribute.
    fn of(op: Op<'_>, attribute: &str) -> Self {
        let number = usize::try_from(integer(op, attribute)).ok();
        number.and_then(|number| Self::CASES.get(number)).expect("the verifier knows the cases").0
    }

    /// That of a word.
    fn of_word(word: &str) -> Self {
        let case = Self::CASES.iter().find(|(_, known)| *known == word);
        case.expect("the verifier knows the words").0
    }
}

impl Case for Role {
    const CASES: &'static [(Self, &'static str)] =
        &[(Self::Operand, "operand"), (Self::Result, "result"), (Self::Updated, "updated")];
}

impl Case for Operator {
    const CASES: &'static [(Self, &'static str)] = &[
        (Self::Add, "add"),
        (Self::Subtract, "subtract"),
        (Self::Multiply, "multiply"),
        (Self::Divide, "divide"),
        (Self::Remainder, "remainder"),
        (Self::Min, "min"),
        (Self::Max, "max"),
        (Self::Equal, "equal"),
        (Self::NotEqual, "not_equal"),
        (Self::Less, "less"),
        (Self::LessEqual, "less_equal"),
        (Self::Greater, "greater"),
        (Self::GreaterEqual, "greater_equal"),
        (Self::And, "and"),
        (Self::Or, "or"),
    ];
}

impl Case for Function {
    const CASES: &'static [(Self, &'static str)] =
        &[(Self::Abs, "abs"), (Self::Exp, "exp"), (Self::Sqrt, "sqrt")];
}

impl Case for Modification {
    const CASES: &'static [(Self, &'static str)] = &[
        (Self::Add, "add"),
        (Self::Min, "min"),
        (Self::Max, "max"),
        (Self::Or, "or"),
        (Self::Write, "write"),
        (Self::Read, "read"),
    ];
}

impl Case for ScanMode {
    const CASES: &'static [(Self, &'static str)] = &[(Self::Or, "or"), (Self::And, "and")];
}

/// These are words in the dialect, and have no numbers.
impl Case for BarrierAction {
    const CASES: &'static [(Self, &'static str)] = &[(Self::Push, "push"), (Self::Pop, "pop")];
}

/// Whether an operator gives a condition.
pub(crate) fn compares(operator: Operator) -> bool {
    use Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIALECT: &str = include_str!("../../../../dialects/spatial/SpatialDialect.td");

    /// The words of an enumeration in TableGen, with their numbers.
    fn words(name: &str) -> Vec<(String, String)> {
        let definition = DIALECT.split(&format!("SPATIAL_Enum<\"{name}\"")).nth(1);
        let definition =
            definition.and_then(|text| text.split("]>").next()).expect("the dialect has the enumeration");
        let case = |case: &str| {
            let number = case.split(',').nth(1).expect("a case has a number").trim();
            let word = case.split('"').nth(3).expect("a case has a word");
            (number.to_owned(), word.to_owned())
        };
        definition.split("I32EnumAttrCase<").skip(1).map(case).collect()
    }

    fn check<C: Case>(name: &str) {
        let ours = C::CASES.iter().map(|(case, word)| (case.number().to_string(), (*word).to_owned()));
        assert_eq!(words(name), ours.collect::<Vec<_>>(), "{name}");
    }

    #[test]
    fn enumerations_are_the_dialects() {
        check::<Role>("Role");
        check::<Operator>("Operator");
        check::<Function>("Function");
        check::<Modification>("Modification");
        check::<ScanMode>("ScanMode");
    }
}
