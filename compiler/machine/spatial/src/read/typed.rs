//! The types of values, as far as they follow from the text: Spatial converts constants, and nothing else.

use comet_diag::{Diagnostic, Span};

use crate::app::{Expr, Type};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A constant that becomes what is needed.
    Whole,
    /// A constant that becomes a floating-point number.
    Fraction,
    /// No alias.
    Is(Type),
    Text,
    /// Nothing, because of an error elsewhere.
    Unknown,
}

#[derive(Clone, Debug)]
pub(super) struct Valued {
    pub(super) expr: Expr,
    pub(super) typed: Typed,
}

impl Typed {
    pub(super) fn phrase(&self) -> String {
        match self {
            Self::Whole => "a whole number".to_owned(),
            Self::Fraction => "a fraction".to_owned(),
            Self::Is(of) => format!("`{}`", of.name()),
            Self::Text => "a text".to_owned(),
            Self::Unknown => "unknown".to_owned(),
        }
    }

    /// Whether a value of this type can be stored as that one.
    fn fits(&self, to: &Type) -> bool {
        match self {
            Self::Whole => *to != Type::Bit,
            Self::Fraction => matches!(to, Type::Float | Type::Double),
            Self::Is(of) => of == to,
            Self::Text => false,
            Self::Unknown => true,
        }
    }

    fn is_integer(&self) -> bool {
        matches!(self, Self::Whole | Self::Unknown | Self::Is(Type::Int | Type::Long | Type::U32))
    }
}

impl Valued {
    pub(super) fn span(&self) -> Span {
        self.expr.span
    }

    /// An error if this is nothing to compute with.
    pub(super) fn number(&self) -> Result<(), Diagnostic> {
        match &self.typed {
            Typed::Text | Typed::Is(Type::Bit) => {
                let message = format!("found {}, expected a number", self.typed.phrase());
                let hint = match self.typed {
                    Typed::Text => "an argument is read by `args(0).to[Int]`",
                    _ => "`mux(condition, 1, 0)` makes a number of it",
                };
                Err(Diagnostic::error(self.span(), message).hint(hint))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn stored_as(self, to: &Type) -> Result<Expr, Diagnostic> {
        if self.typed.fits(to) {
            return Ok(self.expr);
        }
        let to = to.name();
        let message = format!("found {}, expected `{to}`", self.typed.phrase());
        let error = Diagnostic::error(self.span(), message);
        Err(match self.typed {
            Typed::Is(Type::Bit) => error.hint("`mux(condition, 1, 0)` makes a number of it"),
            Typed::Text => error.hint("an argument is read by `args(0).to[Int]`"),
            _ if to == "Bit" => error.hint("compare it: `x != 0`"),
            _ => error.hint(format!("convert it: `x.to[{to}]`")),
        })
    }

    /// The value, to be stored in a memory with elements of that type, if it is known.
    pub(super) fn stored_in(self, element: Option<&Type>) -> Result<Expr, Diagnostic> {
        match element {
            Some(element) => self.stored_as(element),
            None => Ok(self.expr),
        }
    }

    /// The value, to count or to address something.
    pub(super) fn integer(self) -> Result<Expr, Diagnostic> {
        if self.typed.is_integer() {
            return Ok(self.expr);
        }
        let message = format!("found {}, expected an integer", self.typed.phrase());
        Err(Diagnostic::error(self.span(), message)
            .hint("sizes, addresses and numbers of rounds are integers"))
    }

    /// The value, to decide something.
    pub(super) fn condition(self) -> Result<Expr, Diagnostic> {
        self.stored_as(&Type::Bit)
    }
}

/// The type of two values that are combined or chosen from.
pub(super) fn common(left: &Valued, right: &Valued) -> Result<Typed, Diagnostic> {
    use Typed::{Fraction, Is, Unknown, Whole};
    match (&left.typed, &right.typed) {
        (Unknown, _) | (_, Unknown) => Ok(Unknown),
        (a, b) if a == b => Ok(a.clone()),
        (Whole, Fraction) | (Fraction, Whole) => Ok(Fraction),
        (Is(of), constant) | (constant, Is(of)) if constant.fits(of) => Ok(Is(of.clone())),
        (a, b) => {
            let message = format!("found {} and {}, expected two of one type", a.phrase(), b.phrase());
            Err(Diagnostic::error(left.span().to(right.span()), message)
                .hint("nothing but constants is converted without `.to[T]`"))
        }
    }
}
