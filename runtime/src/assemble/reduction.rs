//! How values that come to one element combine.

use crate::error::Error;
use crate::values::Value;
use std::str::FromStr;

/// How values that come to one element combine, by the names of `cin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PointReduction {
    /// The last one stays.
    Set,
    Add,
    Mul,
    Min,
    Max,
    /// One of them stays, whichever.
    Any,
    Or,
    And,
}

impl FromStr for PointReduction {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Ok(match name {
            "set" => Self::Set,
            "add" => Self::Add,
            "mul" => Self::Mul,
            "min" => Self::Min,
            "max" => Self::Max,
            "any" => Self::Any,
            "or" => Self::Or,
            "and" => Self::And,
            _ => return Err(Error::Internal(format!("`{name}` is no reduction"))),
        })
    }
}

impl PointReduction {
    /// Whether it matters which of several values comes first.
    pub(in crate::assemble) fn depends_on_order(self) -> bool {
        self == Self::Set
    }

    /// The first value, as it is after it has come to the reduction's identity: 1 for any truth, a number and
    /// no NaN for extrema.
    pub(in crate::assemble) fn begin<V: Value>(self, first: V) -> V {
        match self {
            Self::Min => V::LARGEST.least(first),
            Self::Max => V::LEAST.greatest(first),
            Self::Or | Self::And => self.combine(first, first),
            Self::Set | Self::Add | Self::Mul | Self::Any => first,
        }
    }

    pub(in crate::assemble) fn combine<V: Value>(self, old: V, new: V) -> V {
        let truth = |is_true: bool| if is_true { V::ONE } else { V::default() };
        let is_true = |value: V| value != V::default();
        match self {
            Self::Set => new,
            Self::Add => old.plus(new),
            Self::Mul => old.times(new),
            Self::Min => old.least(new),
            Self::Max => old.greatest(new),
            Self::Any => old,
            Self::Or => truth(is_true(old) || is_true(new)),
            Self::And => truth(is_true(old) && is_true(new)),
        }
    }
}
