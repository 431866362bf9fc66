//! The expression that a command names, and where a compute has it.

use super::Argument;
use crate::nest::{self, point};
use crate::operator::Operator;
use comet_ir::{Op, Val, cin};

/// An expression of index notation as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A tensor under index variables.
    Access(String, Vec<String>),
    /// A number or a scalar of the program: any.
    Scalar,
    /// A negated expression.
    Neg(Box<Expression>),
    /// A sum.
    Add(Box<Expression>, Box<Expression>),
    /// A difference.
    Sub(Box<Expression>, Box<Expression>),
    /// What intersects.
    Combine(Operator, Box<Expression>, Box<Expression>),
}

impl Expression {
    /// `["mul", ["access", "A", "i"], ["scalar"]]`; `None` where it is none.
    pub(super) fn of(argument: &Argument) -> Option<Self> {
        let Argument::List(items) = argument else { return None };
        let (name, parts) = items.split_first()?;
        match (name.name()?.as_str(), parts) {
            ("access", [tensor, indices @ ..]) => {
                Some(Self::Access(tensor.name()?, indices.iter().map(Argument::name).collect::<Option<_>>()?))
            }
            ("scalar", []) => Some(Self::Scalar),
            ("neg", [value]) => Some(Self::Neg(Box::new(Self::of(value)?))),
            ("+", [left, right]) => Some(Self::Add(Box::new(Self::of(left)?), Box::new(Self::of(right)?))),
            ("-", [left, right]) => Some(Self::Sub(Box::new(Self::of(left)?), Box::new(Self::of(right)?))),
            (op, [left, right]) => Some(Self::Combine(
                Operator::from_word(op)?,
                Box::new(Self::of(left)?),
                Box::new(Self::of(right)?),
            )),
            _ => None,
        }
    }

    /// Whether a value of a compute is this expression. `original` gives the tensor that another one is a
    /// copy of. A sum that is computed into a scalar first is what it sums up.
    pub fn is<'c>(&self, value: Val<'c>, original: &dyn Fn(Val<'c>) -> Val<'c>) -> bool {
        let Some(op) = Op::defining(value) else { return *self == Self::Scalar };
        if op.is::<cin::Cast>() {
            return self.is(op.operand(0), original);
        }
        if let Some(summed) = summed(op) {
            return self.is(summed, original);
        }
        match self {
            Self::Access(tensor, indices) => {
                op.is::<cin::Access>() && {
                    let (found, under) = point(op);
                    let is_named = nest::name(found) == *tensor || nest::name(original(found)) == *tensor;
                    is_named && under.into_iter().map(nest::name).eq(indices.iter().cloned())
                }
            }
            Self::Scalar => !is_value(op),
            Self::Neg(inner) => op.is::<cin::Neg>() && inner.is(op.operand(0), original),
            Self::Add(left, right) => {
                op.is::<cin::Add>() && left.is(op.operand(0), original) && right.is(op.operand(1), original)
            }
            Self::Sub(left, right) => {
                op.is::<cin::Sub>() && left.is(op.operand(0), original) && right.is(op.operand(1), original)
            }
            Self::Combine(operator, left, right) => {
                op.is::<cin::Combine>()
                    && Operator::of(op) == *operator
                    && left.is(op.operand(0), original)
                    && right.is(op.operand(1), original)
            }
        }
    }
}

/// Whether an operation is a part of an expression.
pub fn is_value(op: Op<'_>) -> bool {
    op.is::<cin::Access>()
        || op.is::<cin::Add>()
        || op.is::<cin::Sub>()
        || op.is::<cin::Combine>()
        || op.is::<cin::Neg>()
        || op.is::<cin::Cast>()
        || op.is::<cin::Mask>()
}

/// What a where-statement adds up in the scalar that an operation reads.
fn summed<'c>(access: Op<'c>) -> Option<Val<'c>> {
    if !access.is::<cin::Access>() {
        return None;
    }
    let (scalar, indices) = point(access);
    let temporary = nest::temporary(scalar).filter(|_| indices.is_empty())?;
    let beside = temporary.block()?.ops();
    let assigns = beside.into_iter().flat_map(|op| op.descendants::<cin::Assign>());
    let mut own = assigns.filter(|assign| assign.operand(1) == scalar);
    let only = own.next()?;
    own.next().is_none().then(|| only.operand(0))
}
