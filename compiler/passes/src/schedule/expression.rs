//! The expression that a command names, and where a compute has it.

use super::Arguments;
use crate::nest;
use comet_ir::cin::Operator;
pub use comet_ir::cin::is_value;
use comet_ir::cin::{self, Cin};
use comet_ir::{Attr, Op, Val};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    Access(String, Vec<String>),
    /// A number or a scalar of the program: any.
    Scalar,
    Neg(Box<Expression>),
    /// A sum or a difference.
    Unite(Operator, Box<Expression>, Box<Expression>),
    /// What intersects, or a comparison.
    Combine(Operator, Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Reads `["mul", ["access", "A", "i"], ["scalar"]]`; returns `None` where it is none.
    pub(super) fn of(list: Vec<Attr<'_>>) -> Option<Self> {
        let mut items = Arguments(list.into_iter());
        let value = |items: &mut Arguments<'_>| Some(Box::new(Self::of(items.next()?)?));
        let expression = match items.next()? {
            "access" => Self::Access(items.name()?, items.names()?),
            "scalar" => Self::Scalar,
            "neg" => Self::Neg(value(&mut items)?),
            "+" => Self::Unite(Operator::Add, value(&mut items)?, value(&mut items)?),
            "-" => Self::Unite(Operator::Sub, value(&mut items)?, value(&mut items)?),
            op => Self::Combine(op.parse().ok()?, value(&mut items)?, value(&mut items)?),
        };
        items.is_empty().then_some(expression)
    }

    /// True for a sum and a difference.
    pub fn is_sum(&self) -> bool {
        matches!(self, Self::Unite(Operator::Add | Operator::Sub, ..))
    }

    /// Whether a value of a compute is this expression. `original` returns the tensor that another one is a
    /// copy of. A sum that is computed into a scalar first is what it sums up.
    pub fn is<'c>(&self, value: Val<'c>, original: &dyn Fn(Val<'c>) -> Val<'c>) -> bool {
        let Some(op) = Op::defining(value) else { return *self == Self::Scalar };
        if let Some(cast) = op.cast::<cin::Cast>() {
            return self.is(cast.value(), original);
        }
        if let Some(summed) = op.cast::<cin::Access>().and_then(summed) {
            return self.is(summed, original);
        }
        match (self, Cin::of(op)) {
            (Self::Access(tensor, indices), Some(Cin::Access(access))) => {
                let (found, under) = (access.tensor(), access.indices());
                let is_named = nest::name(found) == *tensor || nest::name(original(found)) == *tensor;
                is_named && under.into_iter().map(nest::name).eq(indices.iter().cloned())
            }
            (Self::Scalar, _) => !is_value(op),
            (Self::Neg(inner), Some(Cin::Neg(op))) => inner.is(op.value(), original),
            (Self::Unite(operator, left, right), Some(Cin::Unite(op))) => {
                let is_right = match negated(op).filter(|_| *operator == Operator::Sub) {
                    Some(value) => right.is(value, original),
                    None => op.op() == *operator && right.is(op.right(), original),
                };
                is_right && left.is(op.left(), original)
            }
            (Self::Combine(operator, left, right), Some(Cin::Unite(op))) if compares(*operator) => {
                op.op() == *operator && left.is(op.left(), original) && right.is(op.right(), original)
            }
            (Self::Combine(operator, left, right), Some(Cin::Combine(op))) => {
                op.op() == *operator && left.is(op.left(), original) && right.is(op.right(), original)
            }
            _ => false,
        }
    }
}

/// Returns the value that a sum subtracts: terms of a difference are added with their signs.
fn negated<'c>(sum: cin::Unite<'c>) -> Option<Val<'c>> {
    let negated = Op::defining(sum.right())?.cast::<cin::Neg>()?;
    (sum.op() == Operator::Add).then(|| negated.value())
}

/// Comparisons are written in one way, wherever their values are present.
fn compares(operator: Operator) -> bool {
    comet_notation::Operator::named(operator.word()).is_some_and(comet_notation::Operator::is_condition)
}

/// What a where-statement adds up in the scalar that an operation reads.
fn summed<'c>(access: cin::Access<'c>) -> Option<Val<'c>> {
    let scalar = access.tensor();
    let temporary = nest::temporary(scalar).filter(|_| access.indices().is_empty())?;
    let beside = temporary.block()?.ops();
    let assigns = beside.into_iter().flat_map(|op| op.walk::<cin::Assign>());
    let mut own = assigns.filter(|assign| assign.tensor() == scalar);
    let only = own.next()?;
    own.next().is_none().then(|| only.value())
}
