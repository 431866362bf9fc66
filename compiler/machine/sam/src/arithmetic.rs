//! What is computed: the element types of the language, its operators, functions and reductions
//! (LANGUAGE.md, "Types" and "Semirings"). Integers wrap, and are not divided by 0; of a number and NaN, the
//! number is the smaller one and the larger one.

mod compute;
mod value;

pub use compute::{Binary, Combine, Unary};
pub use value::{Value, Values};

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Element {
    /// 64-bit floating point, where nothing else is said.
    #[default]
    F64,
    /// 32-bit floating point.
    F32,
    /// 64-bit integers.
    I64,
}

/// An operator on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// The product.
    Multiply,
    /// The quotient; that of integers is cut off towards 0.
    Divide,
    /// The sum.
    Add,
    /// The first operand less the second.
    Subtract,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// One of them: the first.
    Any,
    /// The first.
    First,
    /// The second.
    Second,
    /// 1.
    Pair,
    /// 1 where one of them is not 0, otherwise 0.
    Or,
    /// 1 where both are not 0, otherwise 0.
    And,
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

/// How values become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Their sum.
    #[default]
    Add,
    /// Their product.
    Multiply,
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// One of them: the last.
    Any,
    /// 1 where one of them is not 0, otherwise 0.
    Or,
    /// 1 where all of them are not 0, otherwise 0.
    And,
}

impl Element {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::F64, Self::F32, Self::I64];

    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::I64 => "i64",
        }
    }
}

impl Operator {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Multiply,
        Self::Divide,
        Self::Add,
        Self::Subtract,
        Self::Min,
        Self::Max,
        Self::Any,
        Self::First,
        Self::Second,
        Self::Pair,
        Self::Or,
        Self::And,
    ];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Multiply => "multiply",
            Self::Divide => "divide",
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Min => "min",
            Self::Max => "max",
            Self::Any => "any",
            Self::First => "first",
            Self::Second => "second",
            Self::Pair => "pair",
            Self::Or => "or",
            Self::And => "and",
        }
    }

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

impl Reduction {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Add, Self::Multiply, Self::Min, Self::Max, Self::Any, Self::Or, Self::And];

    /// Its name in the files of graphs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Multiply => "multiply",
            Self::Min => "min",
            Self::Max => "max",
            Self::Any => "any",
            Self::Or => "or",
            Self::And => "and",
        }
    }
}
