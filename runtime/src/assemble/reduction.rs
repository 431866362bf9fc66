//! How values that come to one element combine.

use crate::error::Error;
use crate::values::Value;
use comet_notation::Operator;
use std::str::FromStr;

/// How values that come to one element combine: by an operator that reduces, or the last one stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PointReduction(pub(in crate::assemble) Operator);

impl FromStr for PointReduction {
    type Err = Error;

    /// Returns the reduction of a name in `cin`.
    fn from_str(name: &str) -> Result<Self, Error> {
        let reduces = |operator: &Operator| operator.identity().is_some();
        let operator = match name {
            "set" => Some(Operator::Second),
            _ => Operator::named(name).filter(reduces),
        };
        operator.map(Self).ok_or_else(|| Error::Internal(format!("`{name}` is no reduction")))
    }
}

impl PointReduction {
    /// Returns whether the order of the values matters.
    pub(in crate::assemble) fn depends_on_order(self) -> bool {
        self.0 == Operator::Second
    }

    /// Returns whether values are kept as they are until they come to the result, one after another.
    pub(in crate::assemble) fn comes_in_order(self) -> bool {
        self.0.keeps_order()
    }

    /// The first value, as it is after it has come to the reduction's identity.
    pub(in crate::assemble) fn begin<V: Value>(self, first: V) -> V {
        let identity = self.0.identity().filter(|_| self.0.changes_single_values());
        identity.map_or(first, |identity| self.combine(V::constant(identity), first))
    }

    pub(in crate::assemble) fn combine<V: Value>(self, old: V, new: V) -> V {
        self.0.apply(old, new).expect("only a quotient may be none")
    }
}
