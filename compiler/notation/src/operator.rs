//! The table of operators: one row for each, which is all that most of the compiler has to know of it.

use crate::{Arithmetic, OwnOperator};

/// A number as a float and as an integer, for element types of either kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// The value where elements are `double` or `float`.
    pub float: f64,
    /// The value where elements are `int`.
    pub integer: i64,
}

impl Constant {
    pub const ZERO: Self = Self { float: 0.0, integer: 0 };
    pub const ONE: Self = Self { float: 1.0, integer: 1 };
    /// The largest value.
    pub const LARGEST: Self = Self { float: f64::INFINITY, integer: i64::MAX };
    pub const SMALLEST: Self = Self { float: f64::NEG_INFINITY, integer: i64::MIN };
}

/// 1 for a condition that holds, else 0.
impl From<bool> for Constant {
    fn from(holds: bool) -> Self {
        if holds { Self::ONE } else { Self::ZERO }
    }
}

/// How the pattern of a result follows from the patterns of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patterns {
    /// Positions that either operand stores; a missing operand is 0.
    Union,
    /// Positions that both operands store.
    Intersection,
}

#[derive(Debug)]
pub(crate) struct OperatorRow {
    /// The name in the attributes of operations, `add`.
    pub(crate) name: &'static str,
    /// How the language writes it, `+`.
    pub(crate) symbol: &'static str,
    /// What other languages and libraries call it.
    pub(crate) aliases: &'static [&'static str],
    /// What a reduction of nothing is; absent where the operator cannot reduce.
    pub(crate) identity: Option<Constant>,
    /// Whether it can combine the two operands of a semiring.
    pub(crate) combines: bool,
    /// Whether its operands may change places.
    pub(crate) commutes: bool,
    /// The patterns where it is written between operands, `a + b`. As a monoid, `a @(+) b`, and in semirings
    /// each operator intersects.
    pub(crate) infix: Patterns,
}

/// Declares the operators and their table. A row is one line of properties and one of arithmetic.
macro_rules! operators {
    ($(
        $(#[$doc:meta])*
        $variant:ident = $case:literal {
            $name:literal, $symbol:literal, aliases: $aliases:expr, identity: $identity:expr,
            combines: $combines:expr, commutes: $commutes:expr, infix: $infix:ident,
            |$x:ident, $y:ident| $apply:expr
        }
    )*) => {
        /// An operator on two values: of expressions, monoids and semirings, and of reductions.
        ///
        /// The order is that of the language reference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Operator {
            $($(#[$doc])* $variant,)*
            /// A function of the program, which is no row of the table.
            Own(OwnOperator),
        }

        impl Operator {
            /// The rows of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the number in the dialects' enumerations; `None` of an operator of the file.
            pub fn number(self) -> Option<i32> {
                match self {
                    $(Self::$variant => Some($case),)*
                    Self::Own(_) => None,
                }
            }

            fn row(self) -> &'static OperatorRow {
                match self {
                    Self::Own(own) => own.row(),
                    $(Self::$variant => &OperatorRow {
                        name: $name,
                        symbol: $symbol,
                        aliases: &$aliases,
                        identity: $identity,
                        combines: $combines,
                        commutes: $commutes,
                        infix: Patterns::$infix,
                    },)*
                }
            }

            /// Returns the value of the operator for two operands; `None` where an integer is divided by 0.
            #[inline]
            pub fn apply<T: Arithmetic>(self, left: T, right: T) -> Option<T> {
                match self {
                    $(Self::$variant => {
                        let ($x, $y) = (left, right);
                        $apply
                    })*
                    Self::Own(own) => own.apply(left, right),
                }
            }
        }
    };
}

operators! {
    Add = 2 {
        "add", "+", aliases: ["plus", "sum"], identity: Some(Constant::ZERO),
        combines: true, commutes: true, infix: Union,
        |x, y| Some(x.add(y))
    }
    Sub = 3 {
        "sub", "-", aliases: ["minus"], identity: None,
        combines: true, commutes: false, infix: Union,
        |x, y| Some(x.sub(y))
    }
    Mul = 0 {
        "mul", "*", aliases: ["times", "mult", "multiply", "prod"], identity: Some(Constant::ONE),
        combines: true, commutes: true, infix: Intersection,
        |x, y| Some(x.mul(y))
    }
    /// The quotient; of integers, towards 0.
    Div = 1 {
        "div", "/", aliases: ["divide"], identity: None,
        combines: true, commutes: false, infix: Intersection,
        |x, y| x.div(y)
    }
    Min = 4 {
        "min", "min", aliases: ["minimum"], identity: Some(Constant::LARGEST),
        combines: true, commutes: true, infix: Intersection,
        |x, y| Some(x.min(y))
    }
    Max = 5 {
        "max", "max", aliases: ["maximum"], identity: Some(Constant::SMALLEST),
        combines: true, commutes: true, infix: Intersection,
        |x, y| Some(x.max(y))
    }
    /// Either operand, as is convenient.
    Any = 6 {
        "any", "any", aliases: [], identity: Some(Constant::ZERO),
        combines: false, commutes: true, infix: Intersection,
        |x, _y| Some(x)
    }
    First = 7 {
        "first", "first", aliases: [], identity: None,
        combines: true, commutes: false, infix: Intersection,
        |x, _y| Some(x)
    }
    Second = 8 {
        "second", "second", aliases: [], identity: None,
        combines: true, commutes: false, infix: Intersection,
        |_x, y| Some(y)
    }
    /// 1.
    Pair = 9 {
        "pair", "pair", aliases: ["oneb"], identity: None,
        combines: true, commutes: true, infix: Intersection,
        |_x, _y| Some(T::constant(Constant::ONE))
    }
    /// 1 where an operand is not 0, else 0.
    Or = 10 {
        "or", "|", aliases: ["lor"], identity: Some(Constant::ZERO),
        combines: true, commutes: true, infix: Intersection,
        |x, y| Some(x.or(y))
    }
    /// 1 where both operands are not 0, else 0.
    And = 11 {
        "and", "&", aliases: ["land"], identity: Some(Constant::ONE),
        combines: true, commutes: true, infix: Intersection,
        |x, y| Some(x.and(y))
    }
    /// 1 where the operands are equal, else 0. All comparisons but `Ne` are 0 where an operand is NaN.
    Eq = 12 {
        "eq", "==", aliases: [], identity: None,
        combines: false, commutes: true, infix: Union,
        |x, y| Some(T::constant((x == y).into()))
    }
    Ne = 13 {
        "ne", "!=", aliases: [], identity: None,
        combines: false, commutes: true, infix: Union,
        |x, y| Some(T::constant((x != y).into()))
    }
    Lt = 14 {
        "lt", "<", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(T::constant((x < y).into()))
    }
    Le = 15 {
        "le", "<=", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(T::constant((x <= y).into()))
    }
    Gt = 16 {
        "gt", ">", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(T::constant((x > y).into()))
    }
    Ge = 17 {
        "ge", ">=", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(T::constant((x >= y).into()))
    }
    /// The left operand to the power of the right one; of integers, 0 for negative exponents but of ±1.
    Pow = 18 {
        "pow", "**", aliases: ["power"], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(x.pow(y))
    }
    /// The right operand where the left one is not 0, else 0.
    If = 19 {
        "if", "if", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(if x.is_true() { y } else { T::constant(Constant::ZERO) })
    }
    /// The right operand where the left one is 0, else 0.
    Else = 20 {
        "else", "else", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(if x.is_true() { T::constant(Constant::ZERO) } else { y })
    }
    /// The left operand where it is not 0, else the right one.
    Either = 21 {
        "either", "either", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(if x.is_true() { x } else { y })
    }
    /// The complex value of a real part and an imaginary one, which are the operands' real parts.
    Complex = 22 {
        "complex", "complex", aliases: [], identity: None,
        combines: false, commutes: false, infix: Union,
        |x, y| Some(x.complex(y))
    }
}

impl Operator {
    /// Returns the operator of a name in the attributes of operations; of an operator of the file, its text.
    pub fn named(name: &str) -> Option<Self> {
        let row = Self::ALL.iter().copied().find(|operator| operator.name() == name);
        row.or_else(|| OwnOperator::parse(name).map(Self::Own))
    }

    /// Returns the operator that the language writes so.
    pub fn of_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operator| operator.symbol() == symbol)
    }

    /// Returns whether its values are 0 and 1: of comparisons and logical operators.
    pub fn is_condition(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge | Self::And | Self::Or)
    }

    /// Returns whether the language writes it as a monoid, `a @(min) b`. The others are comparisons and what
    /// functions of two operands become.
    pub fn is_monoid(self) -> bool {
        self.combines() || self.reduces()
    }

    /// Returns whether it applies to complex values, which have no order and are no conditions.
    pub fn applies_to_complex(self) -> bool {
        match self {
            Self::Min | Self::Max | Self::Or | Self::And | Self::Pow => false,
            Self::Lt | Self::Le | Self::Gt | Self::Ge => false,
            Self::Add | Self::Sub | Self::Mul | Self::Div | Self::Eq | Self::Ne => true,
            Self::Any | Self::First | Self::Second | Self::Pair => true,
            Self::If | Self::Else | Self::Either | Self::Complex => true,
            // One computes in the type of its parameters.
            Self::Own(_) => false,
        }
    }

    /// Returns the operator that another language or library, or the language itself, calls so, in any case.
    pub fn of_alias(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        let is_called = |row: &OperatorRow| row.name == word || row.aliases.contains(&word.as_str());
        Self::ALL.iter().copied().find(|operator| is_called(operator.row()))
    }

    /// Returns the name in the attributes of operations.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns how the language writes it.
    pub fn symbol(self) -> &'static str {
        self.row().symbol
    }

    /// Returns what a reduction of nothing is; `None` where the operator cannot reduce.
    pub fn identity(self) -> Option<Constant> {
        self.row().identity
    }

    /// Returns whether the operator can reduce: the first one of a semiring.
    pub fn reduces(self) -> bool {
        self.row().identity.is_some()
    }

    /// Returns whether a reduction of one value may be another value: 1 for any truth, for extrema a number
    /// instead of NaN, and what an operator of the file makes of it.
    pub fn changes_single_values(self) -> bool {
        matches!(self, Self::Min | Self::Max | Self::Or | Self::And | Self::Own(_))
    }

    /// Returns whether values are reduced one after another, in the order of their coordinates: by an
    /// operator of the file that is not stated to be associative and commutative.
    pub fn keeps_order(self) -> bool {
        matches!(self, Self::Own(own) if !own.properties().is_free())
    }

    /// Returns whether the operator can combine: the second one of a semiring.
    pub fn combines(self) -> bool {
        self.row().combines
    }

    /// Returns whether the operands may change places.
    pub fn commutes(self) -> bool {
        self.row().commutes
    }

    /// Returns the patterns where the operator is written between operands, `a + b`. As a monoid, and in
    /// semirings, every operator intersects.
    pub fn infix_patterns(self) -> Patterns {
        self.row().infix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names, symbols and aliases lead to one operator each.
    #[test]
    fn words_are_unique() {
        for &operator in Operator::ALL {
            assert_eq!(Operator::named(operator.name()), Some(operator));
            assert_eq!(Operator::of_symbol(operator.symbol()), Some(operator));
            assert_eq!(Operator::of_alias(&operator.name().to_ascii_uppercase()), Some(operator));
            for alias in operator.row().aliases {
                assert_eq!(Operator::of_alias(alias), Some(operator));
            }
        }
    }

    /// An identity leaves truth values and, except for the logical operators and `any`, other values alone.
    #[test]
    fn identities_leave_values_alone() {
        for &operator in Operator::ALL.iter().filter(|operator| **operator != Operator::Any) {
            let Some(identity) = operator.identity() else { continue };
            for value in [0.0, 1.0, -2.5] {
                let value = if matches!(operator, Operator::Or | Operator::And) {
                    f64::from(value > 0.0)
                } else {
                    value
                };
                assert_eq!(operator.apply(f64::constant(identity), value), Some(value), "{operator:?}");
            }
            assert_eq!(operator.apply(i64::constant(identity), 1), Some(1), "{operator:?}");
        }
    }

    /// What the table says of commuting holds of the arithmetic.
    #[test]
    fn operators_that_commute_do() {
        for &operator in Operator::ALL.iter().filter(|operator| **operator != Operator::Any) {
            let agrees = |(x, y): (i64, i64)| operator.apply(x, y) == operator.apply(y, x);
            assert_eq!([(3, -2), (0, 5)].into_iter().all(agrees), operator.commutes(), "{operator:?}");
        }
    }

    #[test]
    fn integers_wrap_and_are_not_divided_by_zero() {
        assert_eq!(Operator::Add.apply(i64::MAX, 1), Some(i64::MIN));
        assert_eq!(Operator::Div.apply(i64::MIN, -1), Some(i64::MIN));
        assert_eq!(Operator::Div.apply(-7, 2), Some(-3));
        assert_eq!(Operator::Div.apply(1, 0), None);
        assert_eq!(Operator::Min.apply(f64::NAN, 2.0), Some(2.0));
    }
}
