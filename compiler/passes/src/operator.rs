//! The enumerations of cin as Rust sees them: the numbers are those of `CinDialect.td`.

use crate::nest::integer;
use comet_ir::Op;

/// How an assignment combines with what the target holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Reduction {
    /// Overwrites.
    Set = 0,
    /// Adds.
    Add = 1,
    /// Multiplies.
    Mul = 2,
    /// Keeps the smaller one.
    Min = 3,
    /// Keeps the larger one.
    Max = 4,
    /// Keeps one of them.
    Any = 5,
    /// 1 where one of them is not 0.
    Or = 6,
    /// 1 where both are not 0.
    And = 7,
}

const REDUCTIONS: [(Reduction, &str); 8] = [
    (Reduction::Set, "set"),
    (Reduction::Add, "add"),
    (Reduction::Mul, "mul"),
    (Reduction::Min, "min"),
    (Reduction::Max, "max"),
    (Reduction::Any, "any"),
    (Reduction::Or, "or"),
    (Reduction::And, "and"),
];

impl Reduction {
    /// That of a `cin.assign`.
    pub fn of(assign: Op<'_>) -> Self {
        Self::from_number(integer(assign, "reduction")).expect("the verifier knows the cases")
    }

    /// By its number.
    pub fn from_number(number: i64) -> Option<Self> {
        REDUCTIONS.iter().map(|(reduction, _)| *reduction).find(|reduction| *reduction as i64 == number)
    }

    /// By its name in `ta.reduce`.
    pub fn named(name: &str) -> Option<Self> {
        REDUCTIONS.iter().find(|(_, other)| *other == name).map(|(reduction, _)| *reduction)
    }

    /// Its name in `ta.reduce` and in assembly.
    pub fn name(self) -> &'static str {
        let found = REDUCTIONS.iter().find(|(reduction, _)| *reduction == self);
        found.expect("the table lists every reduction").1
    }

    /// What it gives for nothing, as a float and as an integer; 0 for those that have none.
    pub fn identity(self) -> (f64, i64) {
        match self {
            Self::Set | Self::Add | Self::Any | Self::Or => (0.0, 0),
            Self::Mul | Self::And => (1.0, 1),
            Self::Min => (f64::INFINITY, i64::MAX),
            Self::Max => (f64::NEG_INFINITY, i64::MIN),
        }
    }
}

/// A binary operator that intersects the patterns of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[allow(missing_docs, reason = "LANGUAGE.md's own names")]
pub enum Operator {
    Mul = 0,
    Div = 1,
    Add = 2,
    Sub = 3,
    Min = 4,
    Max = 5,
    Any = 6,
    First = 7,
    Second = 8,
    Pair = 9,
    Or = 10,
    And = 11,
}

const OPERATORS: [(Operator, &str); 12] = [
    (Operator::Mul, "mul"),
    (Operator::Div, "div"),
    (Operator::Add, "add"),
    (Operator::Sub, "sub"),
    (Operator::Min, "min"),
    (Operator::Max, "max"),
    (Operator::Any, "any"),
    (Operator::First, "first"),
    (Operator::Second, "second"),
    (Operator::Pair, "pair"),
    (Operator::Or, "or"),
    (Operator::And, "and"),
];

impl Operator {
    /// That of a `cin.combine`.
    pub fn of(combine: Op<'_>) -> Self {
        let number = integer(combine, "op");
        let known =
            OPERATORS.iter().map(|(operator, _)| *operator).find(|operator| *operator as i64 == number);
        known.expect("the verifier knows the cases")
    }

    /// Its name in `ta.elementwise` and in assembly.
    pub fn name(self) -> &'static str {
        let found = OPERATORS.iter().find(|(operator, _)| *operator == self);
        found.expect("the table lists every operator").1
    }

    /// By its name in `ta.elementwise`.
    pub fn named(name: &str) -> Option<Self> {
        OPERATORS.iter().find(|(_, other)| *other == name).map(|(operator, _)| *operator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIALECT: &str = include_str!("../../../dialects/cin/CinDialect.td");

    /// The numbers and words of an enumeration in TableGen.
    fn cases(name: &str) -> Vec<(i64, &'static str)> {
        let definition = DIALECT.split(&format!("I32EnumAttr<\"{name}\"")).nth(1);
        let definition =
            definition.and_then(|text| text.split("]>").next()).expect("the dialect has the enumeration");
        let case = |text: &'static str| {
            let number = text.split(',').nth(1)?.trim().parse().ok()?;
            Some((number, text.split('"').nth(3)?))
        };
        definition.split("I32EnumAttrCase<").skip(1).filter_map(case).collect()
    }

    #[test]
    fn reductions_have_the_dialects_numbers() {
        let ours = REDUCTIONS.map(|(reduction, name)| (reduction as i64, name));
        assert_eq!(cases("Reduction"), ours);
    }

    #[test]
    fn operators_have_the_dialects_numbers() {
        let ours = OPERATORS.map(|(operator, name)| (operator as i64, name));
        assert_eq!(cases("Operator"), ours);
    }
}
