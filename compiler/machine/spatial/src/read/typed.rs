//! Names of types, and the types of values, as far as they follow from the text: Spatial converts constants, and
//! nothing else.

use crate::app::{Expr, ExprKind, Scalar, Type};
use crate::text::Result;
use crate::text::tree::{TypeName, Word};
use comet_diag::{Diagnostic, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A constant that becomes what is needed.
    Whole,
    /// A constant that becomes a floating-point number.
    Fraction,
    Is(Scalar),
    Text,
    /// Nothing, because of an error elsewhere, or as it has no type.
    Unknown,
}

#[derive(Clone, Debug)]
pub(super) struct Valued {
    pub(super) expr: Expr,
    pub(super) typed: Typed,
}

impl From<Scalar> for Typed {
    fn from(of: Scalar) -> Self {
        Self::Is(of)
    }
}

impl Typed {
    pub(super) fn phrase(self) -> String {
        match self {
            Self::Whole => "a whole number".to_owned(),
            Self::Fraction => "a fraction".to_owned(),
            Self::Is(of) => format!("`{}`", of.word()),
            Self::Text => "a text".to_owned(),
            Self::Unknown => "unknown".to_owned(),
        }
    }

    /// Whether a value of this type can be stored as that one.
    pub(super) fn fits(self, to: Scalar) -> bool {
        match self {
            Self::Whole => to != Scalar::Bit,
            Self::Fraction => matches!(to, Scalar::Float | Scalar::Double),
            Self::Is(of) => of == to,
            Self::Text => false,
            Self::Unknown => true,
        }
    }
}

impl Valued {
    pub(super) fn new(kind: ExprKind, span: Span, typed: impl Into<Typed>) -> Self {
        Self { expr: kind.at(span), typed: typed.into() }
    }

    /// What is wrong with it, and how to make something else of what has no number.
    fn found(&self, expected: &str) -> Diagnostic {
        let message = format!("found {}, expected {expected}", self.typed.phrase());
        let error = Diagnostic::error(self.expr.span, message);
        match self.typed {
            Typed::Text => error.hint("an argument is read by `args(0).to[Int]`"),
            Typed::Is(Scalar::Bit) => error.hint("`mux(condition, 1, 0)` makes a number of it"),
            _ => error,
        }
    }

    /// An error if this is nothing to compute with.
    pub(super) fn number(&self) -> Result<()> {
        match self.typed {
            Typed::Text | Typed::Is(Scalar::Bit) => Err(self.found("a number")),
            _ => Ok(()),
        }
    }

    /// The value, to be stored as a type, if that is known.
    pub(super) fn stored_as(self, to: impl Into<Typed>) -> Result<Expr> {
        let Typed::Is(to) = to.into() else { return Ok(self.expr) };
        if self.typed.fits(to) {
            return Ok(self.expr);
        }
        let error = self.found(&format!("`{}`", to.word()));
        Err(match to {
            _ if error.hint.is_some() => error,
            Scalar::Bit => error.hint("compare it: `x != 0`"),
            _ => error.hint(format!("convert it: `x.to[{}]`", to.word())),
        })
    }

    /// The value, to count or to address something.
    pub(super) fn integer(self) -> Result<Expr> {
        match self.typed {
            Typed::Whole | Typed::Unknown => Ok(self.expr),
            Typed::Is(of) if of.is_integer() => Ok(self.expr),
            _ => {
                Err(self.found("an integer").hint("sizes, addresses and numbers of iterations are integers"))
            }
        }
    }

    /// The value, to decide something.
    pub(super) fn condition(self) -> Result<Expr> {
        self.stored_as(Scalar::Bit)
    }
}

/// The type of two values that are combined or chosen from.
pub(super) fn common(left: &Valued, right: &Valued) -> Result<Typed> {
    use Typed::{Fraction, Is, Unknown, Whole};
    match (left.typed, right.typed) {
        (Unknown, _) | (_, Unknown) => Ok(Unknown),
        (a, b) if a == b => Ok(a),
        (Whole, Fraction) | (Fraction, Whole) => Ok(Fraction),
        (Is(of), constant) | (constant, Is(of)) if constant.fits(of) => Ok(Is(of)),
        (a, b) => {
            let message = format!("found {} and {}, expected two of one type", a.phrase(), b.phrase());
            Err(Diagnostic::error(left.expr.span.to(right.expr.span), message)
                .hint("nothing but constants is converted without `.to[T]`"))
        }
    }
}

/// The type aliases, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    pub(super) known: Vec<(String, Type)>,
}

impl Aliases {
    /// `type T = Int`
    pub(super) fn declare(&mut self, name: &Word, of: &TypeName) -> Result<()> {
        if builtin(&name.text).is_some() || self.has(&name.text) {
            return Err(Diagnostic::error(name.span, format!("the type `{}` is there already", name.text))
                .hint("give it another name"));
        }
        let of = self.read(of)?;
        self.known.push((name.text.clone(), of));
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.known.iter().any(|(known, _)| known == name)
    }

    pub(super) fn read(&self, of: &TypeName) -> Result<Type> {
        let is_plain = of.arguments.is_empty();
        match builtin(&of.name) {
            Some(found) if is_plain => return Ok(found.into()),
            _ if is_plain && self.has(&of.name) => return Ok(Type::Named(of.name.clone())),
            _ => {}
        }
        if matches!(
            of.name.as_str(),
            "FixPt" | "FltPt" | "I8" | "I16" | "U8" | "U16" | "U64" | "Vec" | "Half"
        ) {
            return Err(Diagnostic::not_supported(of.span, format!("elements of type `{}`", of.name))
                .hint("there are `Int`, `Long`, `U32`, `Float`, `Double` and `Bit`"));
        }
        Err(Diagnostic::error(of.span, format!("`{}` is no type of elements", of.name))
            .hint("there are `Int`, `Long`, `U32`, `Float`, `Double`, `Bit`, and what `type T = …` declares"))
    }

    pub(super) fn resolve(&self, of: &Type) -> Scalar {
        of.resolved(&self.known)
    }
}

pub(super) fn builtin(name: &str) -> Option<Scalar> {
    Scalar::of_word(match name {
        "I32" => "Int",
        "I64" => "Long",
        "Boolean" => "Bit",
        "scala.Int" | "scala.Long" | "scala.Float" | "scala.Double" => &name["scala.".len()..],
        other => other,
    })
}
