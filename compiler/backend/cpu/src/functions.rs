//! Functions of numbers as arithmetic without branches, which LLVM vectorizes: within 1.31 ulp of the exact
//! value for `double`, and within 0.61 ulp for `float`, which is computed in `double`
//! (compiler/docs/measurements/values.md).
//!
//! Arguments are reduced to a small interval, on which a polynomial or a quotient approximates the function:
//! `exp` after Cody and Waite, the logarithms with the polynomial of FreeBSD's `e_log.c` (Remez), `tanh` near
//! 0 with the quotient of Cephes, sines and cosines without multiples of π in four parts, and powers by
//! logarithms of two numbers. Polynomials of ours are those with the least relative error (Remez), rounded.
//! What is added to a larger number is kept to the last bit where it decides about the last bit of the
//! result.

mod angles;
mod arithmetic;
mod double;
mod powers;
mod single;

pub(crate) use angles::Angle;
pub use arithmetic::Products;

use arithmetic::Arithmetic;
use comet_ir::{Builder, Result, Ty, Val, types};
use melior::ir::{TypeLike, ValueLike};
use powers::Precision;

/// A function that is computed by arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expanded {
    Exp,
    Expm1,
    Log,
    Log1p,
    Sigmoid,
    Tanh,
}

/// Computes a function of floating-point numbers, or of the lanes of a vector.
pub(crate) fn expand<'c>(b: Builder<'c>, function: Expanded, x: Val<'c>) -> Result<'c, Val<'c>> {
    // No product of these functions needs its lost bits.
    let (math, wide) = widened(b, x, Products::Split)?;
    let value = match (function, is_single(x)) {
        (Expanded::Exp, false) => math.exp(wide),
        (Expanded::Exp, true) => math.exp_of_single(wide),
        (Expanded::Expm1, false) => math.expm1(wide),
        (Expanded::Expm1, true) => math.expm1_of_single(wide),
        (Expanded::Log, false) => math.log(wide),
        (Expanded::Log, true) => math.log_of_single(wide),
        (Expanded::Log1p, false) => math.log1p(wide),
        (Expanded::Log1p, true) => math.log1p_of_single(wide),
        (Expanded::Sigmoid, false) => math.sigmoid(wide),
        (Expanded::Sigmoid, true) => math.sigmoid_of_single(wide),
        (Expanded::Tanh, false) => math.tanh(wide),
        (Expanded::Tanh, true) => math.tanh_of_single(wide),
    }?;
    b.convert(value, types::scalar(x.r#type()))
}

/// Computes xʸ.
pub(crate) fn expand_power<'c>(
    b: Builder<'c>,
    products: Products,
    x: Val<'c>,
    y: Val<'c>,
) -> Result<'c, Val<'c>> {
    let (math, wide) = widened(b, x, products)?;
    let precision = if is_single(x) { Precision::Single } else { Precision::Double };
    let value = math.pow(wide, b.convert(y, Ty::float64(b.context()))?, precision)?;
    b.convert(value, types::scalar(x.r#type()))
}

/// Computes a function of angles that are not large, and returns in which lanes they are.
pub(crate) fn expand_angle<'c>(
    b: Builder<'c>,
    function: Angle,
    x: Val<'c>,
) -> Result<'c, (Val<'c>, Val<'c>)> {
    let (math, wide) = widened(b, x, Products::Split)?;
    let value = if is_single(x) { math.angle_of_single(function, wide) } else { math.angle(function, wide) }?;
    let is_large = Arithmetic::on(b, x.r#type(), Products::Split).is_large_angle(x)?;
    Ok((b.convert(value, types::scalar(x.r#type()))?, is_large))
}

fn widened<'c>(b: Builder<'c>, x: Val<'c>, products: Products) -> Result<'c, (Arithmetic<'c>, Val<'c>)> {
    let wide = b.convert(x, Ty::float64(b.context()))?;
    Ok((Arithmetic::on(b, wide.r#type(), products), wide))
}

fn is_single(x: Val<'_>) -> bool {
    types::scalar(x.r#type()).is_f32()
}
