//! Attributes as Rust values, for the accessors that are generated.

use crate::{Attr, Op, Ty, types};
use melior::Context;
use melior::ir::attribute::{
    ArrayAttribute, BoolAttribute, DenseI64ArrayAttribute, FloatAttribute, IntegerAttribute, StringAttribute,
    TypeAttribute,
};

/// What is read out of attributes.
pub trait FromAttribute<'c>: Sized {
    /// Returns what an attribute holds, where it is of that kind.
    fn from_attribute(attribute: Attr<'c>) -> Option<Self>;
}

pub trait ToAttribute<'c> {
    fn to_attribute(self, context: &'c Context) -> Attr<'c>;
}

pub(crate) fn optional<'c, T: FromAttribute<'c>>(op: Op<'c>, name: &str) -> Option<T> {
    op.attribute(name).and_then(T::from_attribute)
}

/// Returns an attribute that the verifier demands. Panics where there is none.
pub(crate) fn required<'c, T: FromAttribute<'c>>(op: Op<'c>, name: &str) -> T {
    optional(op, name).expect("the verifier demands the attribute")
}

pub(crate) fn set<'c>(op: Op<'c>, name: &str, value: Option<impl ToAttribute<'c>>) {
    match value {
        Some(value) => op.set_attribute(name, value.to_attribute(op.context())),
        None => op.remove_attribute(name),
    }
}

/// Defines an enumeration whose cases are attributes, by their numbers, and words of MLIR's text.
macro_rules! enumeration {
    ($(#[$doc:meta])* $name:ident { $($case:ident = $number:literal $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[derive(strum::EnumString, strum::FromRepr, strum::IntoStaticStr, strum::VariantArray)]
        #[repr(i64)]
        pub enum $name {
            $(#[strum(serialize = $word)] $case = $number,)*
        }

        impl $name {
            /// Returns the word that MLIR prints.
            pub fn word(self) -> &'static str {
                self.into()
            }
        }

        impl<'c> crate::attribute::FromAttribute<'c> for $name {
            fn from_attribute(attribute: crate::Attr<'c>) -> Option<Self> {
                Self::from_repr(i64::from_attribute(attribute)?)
            }
        }

        impl<'c> crate::attribute::ToAttribute<'c> for $name {
            fn to_attribute(self, context: &'c melior::Context) -> crate::Attr<'c> {
                let ty = crate::types::int(context, 32);
                melior::ir::attribute::IntegerAttribute::new(ty, self as i64).into()
            }
        }
    };
}
pub(crate) use enumeration;

/// Defines the enumeration of reductions, whose attributes are words: of the cases, and texts of operators of
/// a program's own.
macro_rules! reductions {
    ($(#[$doc:meta])* $name:ident { $($case:ident = $number:literal $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($case,)*
            /// An operator of the file.
            Own(comet_notation::OwnOperator),
        }

        impl $name {
            /// Returns the word that MLIR prints, or the text of the operator.
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$case => $word,)*
                    Self::Own(own) => comet_notation::Operator::Own(own).name(),
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(word: &str) -> Result<Self, ()> {
                match word {
                    $($word => Ok(Self::$case),)*
                    text => comet_notation::OwnOperator::parse(text).map(Self::Own).ok_or(()),
                }
            }
        }

        impl<'c> crate::attribute::FromAttribute<'c> for $name {
            fn from_attribute(attribute: crate::Attr<'c>) -> Option<Self> {
                <&str>::from_attribute(attribute)?.parse().ok()
            }
        }

        impl<'c> crate::attribute::ToAttribute<'c> for $name {
            fn to_attribute(self, context: &'c melior::Context) -> crate::Attr<'c> {
                self.word().to_attribute(context)
            }
        }
    };
}
pub(crate) use reductions;

macro_rules! conversions {
    ($($ty:ty, $attribute:ident => $read:expr, $value:ident, $context:ident => $write:expr;)*) => {
        $(
            impl<'c> FromAttribute<'c> for $ty {
                fn from_attribute($attribute: Attr<'c>) -> Option<Self> {
                    $read
                }
            }

            impl<'c> ToAttribute<'c> for $ty {
                fn to_attribute(self, $context: &'c Context) -> Attr<'c> {
                    let $value = self;
                    $write
                }
            }
        )*
    };
}

conversions! {
    i64, attribute => IntegerAttribute::try_from(attribute).ok().map(|number| number.value()),
        value, context => IntegerAttribute::new(types::int(context, 64), value).into();
    f64, attribute => FloatAttribute::try_from(attribute).ok().map(|number| number.value()),
        value, context => FloatAttribute::new(context, Ty::float64(context), value).into();
    bool, attribute => BoolAttribute::try_from(attribute).ok().map(|value| value.value()),
        value, context => BoolAttribute::new(context, value).into();
    Ty<'c>, attribute => TypeAttribute::try_from(attribute).ok().map(|ty| ty.value()),
        value, _context => TypeAttribute::new(value).into();
    Attr<'c>, attribute => Some(attribute), value, _context => value;
}

impl<'c> FromAttribute<'c> for &'c str {
    fn from_attribute(attribute: Attr<'c>) -> Option<Self> {
        StringAttribute::try_from(attribute).ok().map(|text| text.value())
    }
}

impl<'c> ToAttribute<'c> for &str {
    fn to_attribute(self, context: &'c Context) -> Attr<'c> {
        StringAttribute::new(context, self).into()
    }
}

impl<'c> FromAttribute<'c> for Vec<Attr<'c>> {
    fn from_attribute(attribute: Attr<'c>) -> Option<Self> {
        let list = ArrayAttribute::try_from(attribute).ok()?;
        (0..list.len()).map(|index| list.element(index).ok()).collect()
    }
}

impl<'c> FromAttribute<'c> for Vec<String> {
    fn from_attribute(attribute: Attr<'c>) -> Option<Self> {
        let list = Vec::<Attr<'c>>::from_attribute(attribute)?;
        list.into_iter().map(|text| <&str>::from_attribute(text).map(str::to_owned)).collect()
    }
}

impl<'c> ToAttribute<'c> for &[String] {
    fn to_attribute(self, context: &'c Context) -> Attr<'c> {
        let texts: Vec<Attr<'c>> = self.iter().map(|text| text.as_str().to_attribute(context)).collect();
        ArrayAttribute::new(context, &texts).into()
    }
}

impl<'c> FromAttribute<'c> for Vec<i64> {
    fn from_attribute(attribute: Attr<'c>) -> Option<Self> {
        let list = DenseI64ArrayAttribute::try_from(attribute).ok()?;
        (0..list.len()).map(|index| list.element(index).ok()).collect()
    }
}

impl<'c> ToAttribute<'c> for &[i64] {
    fn to_attribute(self, context: &'c Context) -> Attr<'c> {
        DenseI64ArrayAttribute::new(context, self).into()
    }
}
