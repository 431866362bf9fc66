//! Complex values: a `complex<T>`, or as lanes a `vector<nx2xT>`, the parts of each side by side as they are
//! in memory. [`flatten_lanes`](crate::lanes::flatten_lanes) makes vectors of one dimension of these.
//!
//! Only real arithmetic is emitted: a product is the plain formula of four products, a quotient is Smith's.
//! Values are taken apart where they enter a loop or a branch, so that LLVM sees real numbers.

use super::Builder;
use super::arith::Sums;
use crate::{Compare, Op, Result, Ty, Val, types};
use melior::dialect::ods::arith::{AddFOperation, SubFOperation};
use melior::dialect::ods::complex::CreateOperation;
use melior::dialect::ods::vector::ShapeCastOperation;
use melior::ir::ValueLike;
use melior::ir::attribute::{DenseElementsAttribute, DenseI64ArrayAttribute};

impl<'c> Builder<'c> {
    /// The real and the imaginary part.
    pub fn complex_parts(self, value: Val<'c>) -> Result<'c, [Val<'c>; 2]> {
        let part = types::part(types::scalar(value.r#type()));
        if types::is_complex(value.r#type()) {
            return Ok([
                self.value("complex.re", &[value], part)?,
                self.value("complex.im", &[value], part)?,
            ]);
        }
        let half = types::vector(types::lanes(value.r#type()), part);
        let flat = self.flat(value)?;
        let parts = self.op("vector.deinterleave", &[flat], &[half, half], &[])?;
        Ok([parts.result(0), parts.result(1)])
    }

    /// The complex value of two parts.
    pub fn complex_of(self, [re, im]: [Val<'c>; 2]) -> Result<'c, Val<'c>> {
        let complex = types::complex(types::scalar(re.r#type()));
        if !types::has_lanes(re.r#type()) {
            return self.value("complex.create", &[re, im], complex);
        }
        self.shaped(self.interleaved(re, im)?, types::vector(types::lanes(re.r#type()), complex))
    }

    /// Complex values from memory, in which they are twice as many numbers.
    pub(super) fn shaped(self, numbers: Val<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        self.value("vector.shape_cast", &[numbers], ty)
    }

    /// The numbers that lanes of complex values are in memory.
    pub(super) fn flat(self, lanes: Val<'c>) -> Result<'c, Val<'c>> {
        let part = types::part(types::scalar(lanes.r#type()));
        self.value("vector.shape_cast", &[lanes], types::vector(2 * types::lanes(lanes.r#type()), part))
    }

    /// The lanes of two vectors in turns.
    pub(super) fn interleaved(self, even: Val<'c>, odd: Val<'c>) -> Result<'c, Val<'c>> {
        let ty = types::vector(2 * types::lanes(even.r#type()), types::scalar(even.r#type()));
        self.value("vector.interleave", &[even, odd], ty)
    }

    /// Applies an operation of real values to both parts of two values.
    pub(super) fn by_parts(
        self,
        [left, right]: [Val<'c>; 2],
        apply: impl Fn(Val<'c>, Val<'c>) -> Result<'c, Val<'c>>,
    ) -> Result<'c, Val<'c>> {
        let ([a, b], [c, d]) = (self.complex_parts(left)?, self.complex_parts(right)?);
        self.complex_of([apply(a, c)?, apply(b, d)?])
    }

    pub(super) fn complex_op(self, name: &str, operands: [Val<'c>; 2], sums: Sums) -> Result<'c, Val<'c>> {
        let real = |name: &str, left, right| self.float_op(&format!("arith.{name}f"), &[left, right], sums);
        let [left, right] = operands;
        match (name, types::has_lanes(left.r#type())) {
            ("mul", true) => self.product_of_lanes(left, right),
            ("mul", false) => {
                let ([a, b], [c, d]) = (self.complex_parts(left)?, self.complex_parts(right)?);
                let re = real("sub", real("mul", a, c)?, real("mul", b, d)?)?;
                self.complex_of([re, real("add", real("mul", a, d)?, real("mul", b, c)?)?])
            }
            // Parts are added up where they lie.
            (_, true) => real(name, left, right),
            (_, false) => self.by_parts(operands, |left, right| real(name, left, right)),
        }
    }

    /// The products of the left real parts with both right parts, and of the left imaginary parts with the
    /// right parts that have changed places: one shuffle for each vector where the left value is one number
    /// in every lane.
    fn product_of_lanes(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        let real = |name: &str, left, right| self.float_op(name, &[left, right], Sums::InOrder);
        let ty = left.r#type();
        let count = 2 * types::lanes(ty) as i64;
        let (left, right) = (self.flat(left)?, self.flat(right)?);
        let shuffled = |value: Val<'c>, place: fn(i64) -> i64| -> Result<'c, Val<'c>> {
            let mask: Vec<i64> = (0..count).map(place).collect();
            let mask = DenseI64ArrayAttribute::new(self.context(), &mask).into();
            Ok(self.op("vector.shuffle", &[value, value], &[value.r#type()], &[("mask", mask)])?.result(0))
        };
        let straight = real("arith.mulf", shuffled(left, |lane| lane & !1)?, right)?;
        let imaginary = real("arith.mulf", shuffled(left, |lane| lane | 1)?, self.signs(left.r#type())?)?;
        let crossed = real("arith.mulf", imaginary, shuffled(right, |lane| lane ^ 1)?)?;
        self.shaped(real("arith.addf", straight, crossed)?, ty)
    }

    /// −1 and 1 in turns.
    fn signs(self, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let signs = (0..types::lanes(ty))
            .map(|lane| self.number_attribute(types::scalar(ty), if lane % 2 == 0 { -1.0 } else { 1.0 }, 0))
            .collect::<Vec<_>>();
        self.constant(DenseElementsAttribute::new(ty, &signs)?.into(), ty)
    }

    /// Adds a value to a sum whose order may be changed. The products that a complex product is made of are
    /// added one after the other, so that each is one fused operation.
    pub fn add_product(self, sum: Val<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
        let real = |name: &str, left, right| self.float_op(name, &[left, right], Sums::AnyOrder);
        let Some(op) = Op::defining(value) else { return self.add_reassociable(sum, value) };
        let is_scalar = op.is::<CreateOperation>();
        let made_of: Vec<Op<'c>> = match is_scalar || op.is::<ShapeCastOperation>() {
            true => op.operands().into_iter().filter_map(Op::defining).collect(),
            false => Vec::new(),
        };
        match made_of[..] {
            [re, im] if is_scalar && re.is::<SubFOperation>() && im.is::<AddFOperation>() => {
                let ([sum_re, sum_im], [a, b], [c, d]) =
                    (self.complex_parts(sum)?, both_operands(re), both_operands(im));
                let re = real("arith.subf", real("arith.addf", sum_re, a)?, b)?;
                self.complex_of([re, real("arith.addf", real("arith.addf", sum_im, c)?, d)?])
            }
            [product] if !is_scalar && product.is::<AddFOperation>() => {
                let [straight, crossed] = both_operands(product);
                let crossed = real("arith.addf", self.flat(sum)?, crossed)?;
                self.shaped(real("arith.addf", crossed, straight)?, sum.r#type())
            }
            _ => self.add_reassociable(sum, value),
        }
    }

    /// The quotient, by Smith's formula: the smaller part of the divisor over the larger one is at most 1.
    pub fn complex_quotient(self, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        let ([a, b], [c, d]) = (self.complex_parts(left)?, self.complex_parts(right)?);
        let of_part = |name: &str, operands: &[Val<'c>]| self.value(name, operands, a.r#type());
        let is_wide = self.cmpf(Compare::Ge, of_part("math.absf", &[c])?, of_part("math.absf", &[d])?)?;
        let [large, small] = [self.select(is_wide, c, d)?, self.select(is_wide, d, c)?];
        let [first, second] = [self.select(is_wide, a, b)?, self.select(is_wide, b, a)?];
        let ratio = of_part("arith.divf", &[small, large])?;
        let times_ratio = |value| self.value_op("mul", value, ratio);
        let divisor = self.value_op("add", large, times_ratio(small)?)?;
        let re = of_part("arith.divf", &[self.value_op("add", first, times_ratio(second)?)?, divisor])?;
        let im = of_part("arith.divf", &[self.value_op("sub", second, times_ratio(first)?)?, divisor])?;
        let im = self.select(is_wide, im, of_part("arith.negf", &[im])?)?;
        self.complex_of([re, im])
    }

    /// The value with the signs of both parts changed.
    pub fn complex_negative(self, value: Val<'c>) -> Result<'c, Val<'c>> {
        if types::has_lanes(value.r#type()) {
            return self.value("arith.negf", &[value], value.r#type());
        }
        let [re, im] = self.complex_parts(value)?;
        let negated = |part: Val<'c>| self.value("arith.negf", &[part], part.r#type());
        self.complex_of([negated(re)?, negated(im)?])
    }

    /// Whether both parts are equal, or one is not.
    pub fn complex_compared(self, predicate: Compare, left: Val<'c>, right: Val<'c>) -> Result<'c, Val<'c>> {
        let ([a, b], [c, d]) = (self.complex_parts(left)?, self.complex_parts(right)?);
        let name = if predicate == Compare::Eq { "and" } else { "or" };
        self.value_op(name, self.cmpf(predicate, a, c)?, self.cmpf(predicate, b, d)?)
    }

    /// A complex value with other parts, a real one with an imaginary part of 0, or the real part.
    pub(super) fn convert_complex(self, value: Val<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        if !types::is_complex(types::scalar(value.r#type())) {
            let re = self.convert(value, types::part(ty))?;
            let zero = self.broadcast(self.number(types::part(ty), 0.0, 0)?, re.r#type())?;
            return self.complex_of([re, zero]);
        }
        let [re, im] = self.complex_parts(value)?;
        let part = types::part(ty);
        if !types::is_complex(ty) {
            return self.convert(re, ty);
        }
        self.complex_of([self.convert(re, part)?, self.convert(im, part)?])
    }

    /// Values with their complex ones taken apart.
    pub(super) fn taken_apart(self, values: &[Val<'c>]) -> Result<'c, Vec<Val<'c>>> {
        let mut parts = Vec::new();
        for value in values {
            match types::is_complex(value.r#type()) {
                true => parts.extend(self.complex_parts(*value)?),
                false => parts.push(*value),
            }
        }
        Ok(parts)
    }

    /// Values of those types, of which complex ones are put together from their parts.
    pub(super) fn put_together(
        self,
        types: &[Ty<'c>],
        parts: impl IntoIterator<Item = Val<'c>>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let mut parts = parts.into_iter();
        let mut next = || parts.next().expect("there are as many parts as the types have");
        let value = |ty: &Ty<'c>| match types::is_complex(*ty) {
            true => {
                let both = [next(), next()];
                self.complex_of(both)
            }
            false => Ok(next()),
        };
        types.iter().map(value).collect()
    }
}

fn both_operands(op: Op<'_>) -> [Val<'_>; 2] {
    op.operands().try_into().expect("sums and differences have two operands")
}

/// The types of values with their complex ones taken apart.
pub(super) fn types_of_parts<'c>(types: &[Ty<'c>]) -> Vec<Ty<'c>> {
    let parts = |ty: &Ty<'c>| vec![types::part(*ty); if types::is_complex(*ty) { 2 } else { 1 }];
    types.iter().flat_map(parts).collect()
}
