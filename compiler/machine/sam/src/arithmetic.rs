//! What is computed: the element types of the language, its operators, functions and reductions
//! (LANGUAGE.md, "Types" and "Semirings"). Integers wrap, and are not divided by 0; of a number and NaN, the
//! number is the smaller one and the larger one.

mod compute;
mod value;

use crate::named::named_enum;
use serde::ser::SerializeMap as _;

pub use compute::{Binary, Combine, Unary};
pub use value::{Value, Values};

named_enum! {
    /// The type of a tensor's elements.
    #[derive(Default)]
    pub enum Element {
        /// 64-bit floating point, where nothing else is said.
        #[default]
        F64 = "f64",
        /// 32-bit floating point.
        F32 = "f32",
        /// 64-bit integers.
        I64 = "i64",
    }
}

named_enum! {
    /// An operator on two values.
    pub enum Operator {
        /// The product.
        Multiply = "multiply",
        /// The quotient; that of integers is cut off towards 0.
        Divide = "divide",
        /// The sum.
        Add = "add",
        /// The first operand less the second.
        Subtract = "subtract",
        /// The smaller one.
        Min = "min",
        /// The larger one.
        Max = "max",
        /// One of them: the first.
        Any = "any",
        /// The first.
        First = "first",
        /// The second.
        Second = "second",
        /// 1.
        Pair = "pair",
        /// 1 where one of them is not 0, otherwise 0.
        Or = "or",
        /// 1 where both are not 0, otherwise 0.
        And = "and",
    }
}

/// A function of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The value with the other sign.
    Negate,
    /// The same value in another element type: floating point rounds, integers are cut off towards 0.
    Convert(Element),
    /// The value, or 0 where that is larger.
    Relu,
    /// The exponential function. Of integers, this and the real functions below cut the fraction off.
    Exp,
    /// The natural logarithm.
    Log,
    /// The square root.
    Sqrt,
    /// 1 divided by the square root.
    ReciprocalSqrt,
    /// 1 / (1 + exp(-x)).
    Sigmoid,
    /// The hyperbolic tangent.
    Tanh,
    /// The sine of an angle in radians.
    Sine,
    /// The cosine of an angle in radians.
    Cosine,
    /// The value without its sign.
    Absolute,
    /// An operator whose second operand is a number.
    With(Operator, Constant),
}

/// A number that a block has from the file of its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    bits: u64,
}

impl Constant {
    /// That number.
    pub const fn new(number: f64) -> Self {
        Self { bits: number.to_bits() }
    }

    /// As a number.
    pub const fn number(self) -> f64 {
        f64::from_bits(self.bits)
    }

    /// As a value of a type.
    pub fn value(self, element: Element) -> Value {
        Value::F64(self.number()).to(element)
    }
}

named_enum! {
    /// How values become one.
    #[derive(Default)]
    pub enum Reduction {
        /// Their sum.
        #[default]
        Add = "add",
        /// Their product.
        Multiply = "multiply",
        /// The smallest.
        Min = "min",
        /// The largest.
        Max = "max",
        /// One of them: the last.
        Any = "any",
        /// 1 where one of them is not 0, otherwise 0.
        Or = "or",
        /// 1 where all of them are not 0, otherwise 0.
        And = "and",
    }
}

impl Operator {
    /// The type of its blocks in the files of graphs, where a difference is a sum with `sub=1`.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Multiply => "mul",
            Self::Divide => "div",
            Self::Add | Self::Subtract => "add",
            other => other.name(),
        }
    }

    /// Whether its operands can change places.
    pub const fn commutes(self) -> bool {
        !matches!(self, Self::Divide | Self::Subtract | Self::Any | Self::First | Self::Second)
    }

    /// Whether the patterns of its operands unite where nothing else is said.
    pub const fn unites(self) -> bool {
        matches!(self, Self::Add | Self::Subtract)
    }
}

impl Function {
    /// Those that need nothing but the value.
    pub const PLAIN: [Self; 11] = [
        Self::Negate,
        Self::Relu,
        Self::Exp,
        Self::Log,
        Self::Sqrt,
        Self::ReciprocalSqrt,
        Self::Sigmoid,
        Self::Tanh,
        Self::Sine,
        Self::Cosine,
        Self::Absolute,
    ];

    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Negate => "neg",
            Self::Convert(_) => "convert",
            Self::Relu => "relu",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Sqrt => "sqrt",
            Self::ReciprocalSqrt => "rsqrt",
            Self::Sigmoid => "sigmoid",
            Self::Tanh => "tanh",
            Self::Sine => "sin",
            Self::Cosine => "cos",
            Self::Absolute => "abs",
            Self::With(operator, _) => operator.type_name(),
        }
    }

    /// The type of what it makes of a value of this type.
    pub const fn result(self, element: Element) -> Element {
        match self {
            Self::Convert(to) => to,
            _ => element,
        }
    }
}

impl serde::Serialize for Function {
    /// Writes what the name of the function leaves open: the field `to` or `constant`, for a block to flatten.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        match self {
            Self::Convert(to) => fields.serialize_entry("to", to)?,
            Self::With(_, constant) => fields.serialize_entry("constant", &constant.number())?,
            _ => {}
        }
        fields.end()
    }
}
