//! Arithmetic: index computations, and values of either kind by their type.

use super::Builder;
use crate::{Attr, Result, Ty, Val, types};
use comet_dialects::ffi;
use melior::ir::ValueLike;
use melior::ir::attribute::IntegerAttribute;
use std::ops::RangeInclusive;

/// Predicates of signed integer comparisons; the numbers are those of `arith.cmpi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Eq = 0,
    Ne = 1,
    Lt = 2,
    Le = 3,
    Gt = 4,
    Ge = 5,
}

/// Whether a sum may be computed in another order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sums {
    InOrder,
    AnyOrder,
}

impl<'c> Builder<'c> {
    /// A constant of the attribute's type.
    pub fn constant(self, value: Attr<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        Ok(self.op("arith.constant", &[], &[ty], &[("value", value)])?.result(0))
    }

    pub fn index(self, value: i64) -> Result<'c, Val<'c>> {
        self.int(types::index(self.context()), value)
    }

    /// A constant of an integer type or `index`.
    pub fn int(self, ty: Ty<'c>, value: i64) -> Result<'c, Val<'c>> {
        self.constant(IntegerAttribute::new(ty, value).into(), ty)
    }

    /// A constant of a value type.
    pub fn number(self, ty: Ty<'c>, value: f64, exact: i64) -> Result<'c, Val<'c>> {
        if types::is_complex(ty) {
            let part = types::part(ty);
            return self.complex_of([self.number(part, value, exact)?, self.number(part, 0.0, 0)?]);
        }
        self.constant(self.number_attribute(ty, value, exact), ty)
    }

    pub fn addi(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.addi", &[left, right], left.r#type())
    }

    /// What an operation makes of a value and others, where there are any.
    pub fn joined(self, name: &str, others: Option<Val<'c>>, value: Val<'c>) -> Result<'c, Val<'c>> {
        others.map_or(Ok(value), |others| self.value_op(name, others, value))
    }

    pub fn subi(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.subi", &[left, right], left.r#type())
    }

    pub fn muli(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.muli", &[left, right], left.r#type())
    }

    /// Quotient of integers that are not negative.
    pub fn divi(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.divui", &[left, right], left.r#type())
    }

    /// Remainder of integers that are not negative.
    pub fn remi(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.remui", &[left, right], left.r#type())
    }

    /// An integer that is not negative over 2 to the power of another one.
    pub fn shift_right(self, value: Val<'c>, bits: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.shrui", &[value, bits], value.r#type())
    }

    /// The smaller of two signed integers.
    pub fn mini(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.minsi", &[left, right], left.r#type())
    }

    pub fn maxi(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        self.value("arith.maxsi", &[left, right], left.r#type())
    }

    pub fn cmpi(self, predicate: Compare, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        let predicate = self.attribute(predicate as i64);
        let op = self.op(
            "arith.cmpi",
            &[left, right],
            &[types::same_lanes(left.r#type(), types::int(self.context(), 1))],
            &[("predicate", predicate)],
        )?;
        Ok(op.result(0))
    }

    /// A float comparison; false where a side is not a number, but for `Ne`.
    pub fn cmpf(self, predicate: Compare, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        // The numbers of `arith.cmpf`'s ordered predicates, and of its unordered `une`.
        let number = match predicate {
            Compare::Eq => 1,
            Compare::Ne => 13,
            Compare::Lt => 4,
            Compare::Le => 5,
            Compare::Gt => 2,
            Compare::Ge => 3,
        };
        let predicate = self.attribute(number);
        let op = self.op(
            "arith.cmpf",
            &[left, right],
            &[types::same_lanes(left.r#type(), types::int(self.context(), 1))],
            &[("predicate", predicate)],
        )?;
        Ok(op.result(0))
    }

    /// A condition of a branch that is to stay one: said to be true as a rule, it is not turned into a
    /// selection between the results of both sides.
    pub fn expected(self, condition: Val<'c>) -> Result<'c, Val<'c>> {
        let bit = types::int(self.context(), 1);
        self.value("llvm.intr.expect", &[condition, self.int(bit, 1)?], bit)
    }

    pub fn select(self, condition: Val<'c>, then: Val<'c>, otherwise: Val<'c>) -> Result<'c, Val<'c>> {
        let ty = then.r#type();
        if types::is_complex(ty) {
            return self
                .by_parts([then, otherwise], |then, otherwise| self.select(condition, then, otherwise));
        }
        let mut condition = condition;
        if types::has_lanes(condition.r#type()) && types::is_complex(types::scalar(ty)) {
            let shape = Ty::vector(&[types::lanes(ty), 2], types::int(self.context(), 1));
            condition = self.shaped(self.interleaved(condition, condition)?, shape)?;
        }
        self.value("arith.select", &[condition, then, otherwise], ty)
    }

    /// An integer as `index`, sign-extended, or the reverse.
    pub fn index_cast(self, value: Val<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        if value.r#type() == ty {
            return Ok(value);
        }
        self.value("arith.index_cast", &[value], ty)
    }

    /// A binary operation on values, floats or integers (or vectors of them): `add`, `sub`, `mul`. Floats
    /// may be contracted into fused operations.
    pub fn value_op(self, name: &str, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        if types::is_complex(types::scalar(left.r#type())) {
            return self.complex_op(name, [left, right], Sums::InOrder);
        }
        if types::is_float(types::scalar(left.r#type())) {
            return self.float_op(&format!("arith.{name}f"), &[left, right], Sums::InOrder);
        }
        self.value(&format!("arith.{name}i"), &[left, right], left.r#type())
    }

    /// A sum of two values whose order in a longer sum may be changed.
    pub fn add_reassociable(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        if types::is_complex(types::scalar(left.r#type())) {
            return self.complex_op("add", [left, right], Sums::AnyOrder);
        }
        if types::is_float(types::scalar(left.r#type())) {
            return self.float_op("arith.addf", &[left, right], Sums::AnyOrder);
        }
        self.addi(left, right)
    }

    /// An operation on floats of one type.
    pub(super) fn float_op(self, name: &str, operands: &[Val<'c>], sums: Sums) -> Result<'c, Val<'c>> {
        // SAFETY: the context lives and has the dialect registered.
        let flags =
            unsafe { Attr::from_raw(ffi::cometFastMathGet(self.context().to_raw(), sums == Sums::AnyOrder)) };
        Ok(self.op(name, operands, &[operands[0].r#type()], &[("fastmath", flags)])?.result(0))
    }

    /// A value in another of the types `f64`, `f32`, `i64` and the complex ones; a vector keeps its lanes. A
    /// complex value loses its imaginary part where the type is real.
    pub fn convert(self, value: Val<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let from = types::scalar(value.r#type());
        let name = match (types::is_float(from), types::is_float(ty)) {
            _ if from == ty => return Ok(value),
            _ if types::is_complex(from) || types::is_complex(ty) => return self.convert_complex(value, ty),
            (true, true) if types::width(from) < types::width(ty) => "arith.extf",
            (true, true) => "arith.truncf",
            (true, false) => return self.float_to_int(value, ty, i64::MIN..=i64::MAX),
            (false, true) => "arith.sitofp",
            (false, false) => return self.index_cast(value, ty),
        };
        self.value(name, &[value], types::same_lanes(value.r#type(), ty))
    }

    /// Cuts the fraction off. `arith.fptosi` leaves open what happens beyond 64 bits: here it is the nearest
    /// integer of a range, and 0 for what is no number.
    pub(super) fn float_to_int(
        self,
        value: Val<'c>,
        ty: Ty<'c>,
        range: RangeInclusive<i64>,
    ) -> Result<'c, Val<'c>> {
        let (from, to) = (value.r#type(), types::same_lanes(value.r#type(), ty));
        let limit = |limit: f64| self.broadcast(self.number(types::scalar(from), limit, 0)?, from);
        let whole = |number: i64| self.broadcast(self.int(ty, number)?, to);
        let cut = self.value("arith.fptosi", &[value], to)?;
        let (min, max) = (*range.start(), *range.end());
        // The bounds are powers of two, which are floats, the greatest number of most ranges is not.
        let above = self.cmpf(Compare::Ge, value, limit(max as f64 + 1.0)?)?;
        let below = self.cmpf(Compare::Lt, value, limit(min as f64)?)?;
        let no_number = self.cmpf(Compare::Ne, value, value)?;
        let cut = self.select(above, whole(max)?, cut)?;
        let cut = self.select(below, whole(min)?, cut)?;
        self.select(no_number, whole(0)?, cut)
    }
}
