//! `expand-functions`: turns functions that processors have no instruction for into arithmetic, and sines,
//! cosines and powers into calls of the run time.
//!
//! Before:
//! ```mlir
//! func.func @example(%x: f64) -> f64 {
//!   %0 = math.sin %x : f64
//!   return %0 : f64
//! }
//! ```
//! After:
//! ```mlir
//! func.func private @comet_rt_sin_f64(f64) -> f64
//! func.func @example(%x: f64) -> f64 {
//!   %0 = func.call @comet_rt_sin_f64(%x) : (f64) -> f64
//!   return %0 : f64
//! }
//! ```
//! The arithmetic is that of `functions.rs`. Requires that no vector is the operand of a function that is
//! called. Leaves square roots, absolute values and rounding to `convert-math-to-llvm`.

use crate::functions::{Expanded, expand};
use crate::ta_to_runtime::calls::{Calls, element_kind};
use comet_abi::functions::{self, Family};
use comet_ir::pass::{OptionValues, Pass};
use comet_ir::{Builder, IrError, Op, Result};
use melior::dialect::ods::math;
use melior::ir::{TypeLike, ValueLike};

pub const PASS: Pass = Pass {
    name: "expand-functions",
    description: "Turns functions that processors have no instruction for into arithmetic, or into calls of the run time",
    options: &[],
    dialects: &["arith", "func", "math", "vector"],
    run,
};

fn run<'c>(module: Op<'c>, _: &OptionValues<'_>) -> Result<'c, ()> {
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
    let mut calls = Calls::new(module);
    let called: [(Vec<Op<'c>>, &Family); 3] = [
        (module.descendants::<math::SinOperation>(), &functions::SIN),
        (module.descendants::<math::CosOperation>(), &functions::COS),
        (module.descendants::<math::PowFOperation>(), &functions::POW),
    ];
    for (ops, family) in called {
        for op in ops {
            let ty = op.result(0).r#type();
            let function = family.of(element_kind(ty)).filter(|_| !TypeLike::is_vector(&ty));
            let function = function
                .ok_or_else(|| IrError::not_supported(op.location(), format!("`{}` of `{ty}`", op.name())))?;
            let call = calls.emit(Builder::before(op), function, &op.operands(), Some(ty))?;
            op.replace(&[call.result(0)]);
        }
    }
    Ok(())
}
