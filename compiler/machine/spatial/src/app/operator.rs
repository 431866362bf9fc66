//! What is done with values: enumerations whose cases are words.

/// Declares an enumeration with a word for each case.
macro_rules! words {
    ($(#[$about:meta])* $Name:ident { $($(#[$doc:meta])* $Case:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $Name {
            $($(#[$doc])* $Case,)*
        }

        impl $Name {
            pub const ALL: &[Self] = &[$(Self::$Case),*];

            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$Case => $word,)*
                }
            }

            pub fn of_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|case| case.word() == word)
            }
        }
    };
}

pub(super) use words;

words! {
    /// Operators with two operands, by the signs that are written.
    Operator {
        Add = "+",
        Subtract = "-",
        Multiply = "*",
        Divide = "/",
        Remainder = "%",
        Min = "min",
        Max = "max",
        Equal = "==",
        NotEqual = "!=",
        Less = "<",
        LessEqual = "<=",
        Greater = ">",
        GreaterEqual = ">=",
        And = "&&",
        Or = "||",
    }
}

impl Operator {
    /// Returns the operator that a text spells so, in one of its ways.
    pub(crate) fn of_sign(sign: &str) -> Option<Self> {
        Self::of_word(match sign {
            "===" => "==",
            "=!=" => "!=",
            "&" => "&&",
            "|" => "||",
            other => other,
        })
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
        Abs = "abs",
        Ceil = "ceil",
        Cos = "cos",
        Exp = "exp",
        Floor = "floor",
        Log = "ln",
        Sin = "sin",
        Sqrt = "sqrt",
        Tanh = "tanh",
    }
}

words! {
    /// What a sparse SRAM does with a value and the one that is there.
    Modification {
        Add = "add",
        Min = "min",
        Max = "max",
        Or = "or",
        /// The new value replaces the old one.
        Write = "write",
        /// What is there stays.
        Read = "read",
    }
}

words! {
    /// Whether modifications come in the order of the iterations.
    ModifyOrder {
        Ordered = "ordered",
        Unordered = "unordered",
    }
}

words! {
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
