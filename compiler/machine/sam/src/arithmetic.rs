//! What is computed: the element types of the language, its operators, functions and reductions
//! (LANGUAGE.md, "Types" and "Semirings"). Integers wrap, and are not divided by 0; of a number and NaN, the
//! number is the smaller one and the larger one.

mod compute;
mod value;

use crate::named::Named;
use serde::ser::SerializeMap as _;

pub use compute::{Binary, Combine, Unary, binary, unary};
pub use value::{TypedValue, Values};

pub use comet_format::ValueType as Element;
pub use comet_notation::{Function as NumberFunction, Operator};

/// How values become one: an operator that reduces. Where any value would do, it is the last.
pub type Reduction = Operator;

impl Named for Element {
    fn cases() -> Vec<(&'static str, Self)> {
        Self::ALL.into_iter().map(|element| (element.row().text, element)).collect()
    }
}

impl Named for Operator {
    fn cases() -> Vec<(&'static str, Self)> {
        let name = |operator: Self| match operator {
            Self::Mul => "multiply",
            Self::Div => "divide",
            Self::Sub => "subtract",
            other => other.name(),
        };
        Self::ALL.iter().map(|operator| (name(*operator), *operator)).collect()
    }
}

/// Returns the operators that reduce, with their names in the files of graphs.
pub(crate) fn reductions() -> Vec<(&'static str, Reduction)> {
    Operator::cases().into_iter().filter(|(_, operator)| operator.reduces()).collect()
}

/// Returns the type of an operator's blocks in the files of graphs, where a difference is a sum with `sub=1`.
pub fn block_type(operator: Operator) -> &'static str {
    if operator == Operator::Sub { Operator::Add.name() } else { operator.name() }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    Negate,
    /// The same value in another element type: floating point is rounded to nearest, integers are cut off
    /// towards 0.
    Convert(Element),
    /// A function of the language. Integers are converted to `double` for those that are no integers, and
    /// their values cut off.
    Of(NumberFunction),
    With(Operator, Constant),
}

/// A number that a block has from the file of its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    bits: u64,
}

impl Constant {
    pub const fn new(number: f64) -> Self {
        Self { bits: number.to_bits() }
    }

    pub const fn number(self) -> f64 {
        f64::from_bits(self.bits)
    }

    pub fn value(self, element: Element) -> TypedValue {
        TypedValue::F64(self.number()).to(element)
    }
}

impl Function {
    /// Returns the functions that have no parameter.
    pub fn plain() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Negate).chain(NumberFunction::ALL.iter().copied().map(Self::Of))
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Negate => "neg",
            Self::Convert(_) => "convert",
            Self::Of(function) => function.name(),
            Self::With(operator, _) => block_type(operator),
        }
    }

    pub fn result(self, element: Element) -> Element {
        match self {
            Self::Convert(to) => to.computed(),
            _ => element,
        }
    }
}

impl serde::Serialize for Function {
    /// Writes what the name of the function leaves open: the field `to` or `constant`, for a block to
    /// flatten.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        match self {
            Self::Convert(to) => fields.serialize_entry("to", to.case_name())?,
            Self::With(_, constant) => fields.serialize_entry("constant", &constant.number())?,
            _ => {}
        }
        fields.end()
    }
}
