//! What is done with values.

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `&&` and `&`
    And,
    /// `||` and `|`
    Or,
}

impl Operator {
    /// Its sign, or its name.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Min => "min",
            Self::Max => "max",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
            Self::And => "&&",
            Self::Or => "||",
        }
    }
}

/// Functions of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `abs(x)`
    Abs,
    /// `exp(x)`
    Exp,
    /// `sqrt(x)`
    Sqrt,
}

/// What a sparse SRAM does with a value and the one that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modification {
    /// `"add"`
    Add,
    /// `"min"`
    Min,
    /// `"max"`
    Max,
    /// `"or"`
    Or,
    /// `"write"`
    Write,
    /// `"read"`, which leaves what is there
    Read,
}
