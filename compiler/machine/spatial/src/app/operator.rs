//! What is done with values: enumerations whose cases are words of texts and of the dialect.

/// Declares an enumeration with a word for each case, in the order of their numbers in the dialect.
macro_rules! words {
    ($(#[$about:meta])* $Name:ident { $($(#[$doc:meta])* $Case:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $Name {
            $($(#[$doc])* $Case,)*
        }

        impl $Name {
            /// All cases, by their numbers.
            pub const ALL: &[Self] = &[$(Self::$Case),*];

            /// Returns its word.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$Case => $word,)*
                }
            }

            /// Returns the case of a word.
            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|case| case.word() == word)
            }
        }
    };
}

pub(super) use words;

words! {
    /// Operators with two operands.
    Operator {
        /// `+`
        Add = "add",
        /// `-`
        Subtract = "subtract",
        /// `*`
        Multiply = "multiply",
        /// `/`
        Divide = "divide",
        /// `%`
        Remainder = "remainder",
        /// `min(a, b)`
        Min = "min",
        /// `max(a, b)`
        Max = "max",
        /// `==`
        Equal = "equal",
        /// `!=`
        NotEqual = "not_equal",
        /// `<`
        Less = "less",
        /// `<=`
        LessEqual = "less_equal",
        /// `>`
        Greater = "greater",
        /// `>=`
        GreaterEqual = "greater_equal",
        /// `&&` and `&`
        And = "and",
        /// `||` and `|`
        Or = "or",
    }
}

impl Operator {
    /// Returns the spellings of texts: the first is the one that is written.
    fn signs(self) -> &'static [&'static str] {
        match self {
            Self::Add => &["+"],
            Self::Subtract => &["-"],
            Self::Multiply => &["*"],
            Self::Divide => &["/"],
            Self::Remainder => &["%"],
            Self::Min => &["min"],
            Self::Max => &["max"],
            Self::Equal => &["==", "==="],
            Self::NotEqual => &["!=", "=!="],
            Self::Less => &["<"],
            Self::LessEqual => &["<="],
            Self::Greater => &[">"],
            Self::GreaterEqual => &[">="],
            Self::And => &["&&", "&"],
            Self::Or => &["||", "|"],
        }
    }

    /// Returns its sign, or its name.
    pub fn sign(self) -> &'static str {
        self.signs()[0]
    }

    /// Returns the operator that a text spells so.
    pub(crate) fn of_sign(sign: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|operator| operator.signs().contains(&sign))
    }

    /// Whether it is written as a function, and not between its operands.
    pub(crate) fn is_function(self) -> bool {
        matches!(self, Self::Min | Self::Max)
    }

    /// Whether its value is a condition on two values of one type.
    pub fn compares(self) -> bool {
        use Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }

    /// Whether the order in which it combines many values does not matter.
    pub(crate) fn reduces(self) -> bool {
        use Operator::{Add, And, Max, Min, Multiply, Or};
        matches!(self, Add | Multiply | Min | Max | And | Or)
    }
}

words! {
    /// Functions of one value.
    Function {
        /// `abs(x)`
        Abs = "abs",
        /// `exp(x)`
        Exp = "exp",
        /// `sqrt(x)`
        Sqrt = "sqrt",
    }
}

words! {
    /// What a sparse SRAM does with a value and the one that is there.
    Modification {
        /// The sum.
        Add = "add",
        /// The smaller one.
        Min = "min",
        /// The larger one.
        Max = "max",
        /// The disjunction.
        Or = "or",
        /// The new value replaces the old one.
        Write = "write",
        /// What is there stays.
        Read = "read",
    }
}

words! {
    /// How two bit vectors are scanned together.
    ScanMode {
        /// The bits that are 1 in one of them or both.
        Or = "or",
        /// The bits that are 1 in both.
        And = "and",
    }
}

words! {
    /// What an access does with the tokens of a barrier.
    BarrierAction {
        /// It adds one when it is done.
        Push = "push",
        /// It waits until there is one, and takes it.
        Pop = "pop",
    }
}
