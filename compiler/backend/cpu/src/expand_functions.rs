//! `expand-functions`: turns functions that processors have no instruction for into arithmetic, and sines and
//! cosines into calls of functions that the module defines.
//!
//! Before:
//! ```mlir
//! func.func @example(%x: f32) -> f32 {
//!   %0 = math.sin %x : f32
//!   return %0 : f32
//! }
//! ```
//! After:
//! ```mlir
//! func.func private @comet_rt_sin_f32(f32) -> f32
//! func.func @example(%x: f32) -> f32 {
//!   %0 = func.call @comet.sin.f32(%x) : (f32) -> f32
//!   return %0 : f32
//! }
//! ```
//! The arithmetic is that of `functions.rs`. Only large angles need a branch, to calls of the run time: LLVM
//! does not vectorize what has one, but replaces the calls in vector code by those of the functions of
//! vectors that are defined beside (`native/variants.rs`). Leaves square roots, absolute values and rounding
//! to `convert-math-to-llvm`.

use crate::functions::{Angle, Expanded, Products, expand, expand_angle, expand_power};
use crate::stream_stores::REGISTER;
use crate::ta_to_runtime::calls::{Calls, element_kind};
use comet_abi::functions::{self, Family};
use comet_ir::pass::{OptionValues, Pass, PassOption};
use comet_ir::{Builder, IrError, Op, Result, Ty, Val, types};
use melior::dialect::ods::math;
use melior::ir::ValueLike;
use std::collections::HashSet;

pub const PASS: Pass = Pass {
    name: "expand-functions",
    description: "Turns functions that processors have no instruction for into arithmetic, and sines and cosines into calls",
    options: &[REGISTER, PRODUCTS],
    dialects: &["arith", "func", "math", "scf", "vector"],
    run,
};

pub const PRODUCTS: PassOption = PassOption {
    name: "products",
    default: "split",
    description: "How products get their lost bits: `fused`, by instructions of the processor, or `split`",
};

/// How functions begin that LLVM may replace by functions of vectors: `comet.sin.f64`, `comet.sin.8xf64`.
pub const PREFIX: &str = "comet.";

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let expanded = [
        (module.descendants::<math::ExpOperation>(), Expanded::Exp),
        (module.descendants::<math::ExpM1Operation>(), Expanded::Expm1),
        (module.descendants::<math::LogOperation>(), Expanded::Log),
        (module.descendants::<math::Log1pOperation>(), Expanded::Log1p),
        (module.descendants::<math::TanhOperation>(), Expanded::Tanh),
    ];
    for (ops, function) in expanded {
        for op in ops {
            let value = expand(Builder::before(op), function, op.operands()[0])?;
            op.replace(&[value]);
        }
    }
    let words = [("fused", Products::Fused), ("split", Products::Split)];
    let products = options.choice(PRODUCTS.name, &words)?;
    for op in module.descendants::<math::PowFOperation>() {
        let value = expand_power(Builder::before(op), products, op.operands()[0], op.operands()[1])?;
        op.replace(&[value]);
    }
    let angles =
        [(module.descendants::<math::SinOperation>(), Angle::Sin), (module.descendants::<math::CosOperation>(), Angle::Cos)];
    let mut functions = Functions::new(module, options.number(REGISTER.name)?);
    for (ops, function) in angles {
        for op in ops {
            let ty = op.result(0).r#type();
            let callee = functions.of(function, ty)?;
            let call = Builder::before(op).call(&callee, &op.operands(), &[ty])?;
            op.replace(&[call.result(0)]);
        }
    }
    Ok(())
}

/// The functions of angles that a module defines.
struct Functions<'c> {
    module: Op<'c>,
    calls: Calls<'c>,
    /// The bits of a vector register.
    register: u64,
    defined: HashSet<String>,
}

impl<'c> Functions<'c> {
    fn new(module: Op<'c>, register: u64) -> Self {
        Self { module, calls: Calls::new(module), register, defined: HashSet::new() }
    }

    /// Returns the name of the function for a type, which is defined at its first use; with it those for the
    /// vectors that LLVM makes of a number.
    fn of(&mut self, function: Angle, ty: Ty<'c>) -> Result<'c, String> {
        use melior::ir::TypeLike;
        let name = self.define(function, ty)?;
        if !TypeLike::is_vector(&ty) {
            // As many as a register holds, and as many as one holds of wider numbers beside.
            for bits in [u64::from(types::width(ty)), 64] {
                self.define(function, types::vector(self.register / bits, ty))?;
            }
        }
        Ok(name)
    }

    fn define(&mut self, function: Angle, ty: Ty<'c>) -> Result<'c, String> {
        let (word, family) = match function {
            Angle::Sin => ("sin", &functions::SIN),
            Angle::Cos => ("cos", &functions::COS),
        };
        let lanes = if types::lanes(ty) > 1 { format!("{}x", types::lanes(ty)) } else { String::new() };
        let name = format!("{PREFIX}{word}.{lanes}{}", types::scalar(ty));
        if self.defined.insert(name.clone()) {
            let head = Builder::at_end(self.module.context(), self.module.body(0), self.module.location());
            let b = head.define_private_function(&name, &[ty], &[ty])?;
            let x = b.block().argument(0);
            let (value, is_large) = expand_angle(b, function, x)?;
            let value = self.of_large(b, family, (x, value), is_large)?;
            b.return_values(&[value])?;
        }
        Ok(name)
    }

    /// Replaces the values of large angles by those of the run time, where there are any.
    fn of_large(
        &mut self,
        b: Builder<'c>,
        family: &Family,
        (x, value): (Val<'c>, Val<'c>),
        is_large: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let (ty, element) = (value.r#type(), types::scalar(value.r#type()));
        let called = family
            .of(element_kind(element))
            .ok_or_else(|| IrError::not_supported(b.location(), format!("functions of `{ty}`")))?;
        let mut call = |b: Builder<'c>, x| Ok(self.calls.emit(b, called, &[x], Some(element))?.result(0));
        if ty == element {
            return b.choose(is_large, ty, |b| call(b, x), |_| Ok(value));
        }
        let of_lanes = |b: Builder<'c>| {
            let (start, stop) = (b.index(0)?, b.index(types::lanes(ty) as i64)?);
            let lanes = b.for_each(start, stop, &[value], |b, lane, carried| {
                let inserted = |b: Builder<'c>| {
                    let value = call(b, b.lane(x, lane)?)?;
                    b.with_lane(carried[0], lane, value)
                };
                Ok(vec![b.choose(b.lane(is_large, lane)?, ty, inserted, |_| Ok(carried[0]))?])
            })?;
            Ok(lanes[0])
        };
        b.choose(b.any_lane(is_large)?, ty, of_lanes, |_| Ok(value))
    }
}
