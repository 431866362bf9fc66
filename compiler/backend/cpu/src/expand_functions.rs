//! `expand-functions`: turns functions that processors have no instruction for into arithmetic, and sines and
//! cosines into calls of functions that the module defines.
//!
//! Before:
//! ```mlir
//! func.func @example(%x: f32) -> f32 {
//!   %0 = math.exp %x : f32
//!   return %0 : f32
//! }
//! ```
//! After:
//! ```mlir
//! func.func @example(%arg0: f32) -> f32 {
//!   %0 = arith.extf %arg0 : f32 to f64
//!   %cst = arith.constant -2.000000e+02 : f64
//!   %1 = arith.cmpf olt, %0, %cst : f64
//!   %cst_0 = arith.constant -2.000000e+02 : f64
//!   %2 = arith.select %1, %cst_0, %0 : f64
//!   %cst_1 = arith.constant 2.000000e+02 : f64
//!   %3 = arith.cmpf ogt, %2, %cst_1 : f64
//!   %cst_2 = arith.constant 2.000000e+02 : f64
//!   %4 = arith.select %3, %cst_2, %2 : f64
//!   %cst_3 = arith.constant 1.4426950408889634 : f64
//!   %5 = arith.mulf %4, %cst_3 fastmath<contract> : f64
//!   %cst_4 = arith.constant 0x4338000000000000 : f64
//!   %6 = arith.addf %5, %cst_4 fastmath<contract> : f64
//!   %7 = arith.subf %6, %cst_4 fastmath<contract> : f64
//!   %8 = arith.bitcast %6 : f64 to i64
//!   %cst_5 = arith.constant 0.69314718055994529 : f64
//!   %9 = arith.mulf %7, %cst_5 fastmath<contract> : f64
//!   %10 = arith.subf %4, %9 fastmath<contract> : f64
//!   %11 = arith.mulf %10, %10 fastmath<contract> : f64
//!   %cst_6 = arith.constant 1.996235956051502E-4 : f64
//!   %12 = arith.mulf %cst_6, %10 fastmath<contract> : f64
//!   %cst_7 = arith.constant 0.0013943207484399447 : f64
//!   %13 = arith.addf %12, %cst_7 fastmath<contract> : f64
//!   %14 = arith.mulf %13, %10 fastmath<contract> : f64
//!   %cst_8 = arith.constant 0.0083332199139739809 : f64
//!   %15 = arith.addf %14, %cst_8 fastmath<contract> : f64
//!   %16 = arith.mulf %15, %10 fastmath<contract> : f64
//!   %cst_9 = arith.constant 0.041666327049342797 : f64
//!   %17 = arith.addf %16, %cst_9 fastmath<contract> : f64
//!   %18 = arith.mulf %17, %10 fastmath<contract> : f64
//!   %cst_10 = arith.constant 0.16666666902460328 : f64
//!   %19 = arith.addf %18, %cst_10 fastmath<contract> : f64
//!   %20 = arith.mulf %19, %10 fastmath<contract> : f64
//!   %cst_11 = arith.constant 0.50000000530358768 : f64
//!   %21 = arith.addf %20, %cst_11 fastmath<contract> : f64
//!   %22 = arith.mulf %11, %21 fastmath<contract> : f64
//!   %23 = arith.addf %10, %22 fastmath<contract> : f64
//!   %c52_i64 = arith.constant 52 : i64
//!   %24 = arith.shli %8, %c52_i64 : i64
//!   %c4607182418800017408_i64 = arith.constant 4607182418800017408 : i64
//!   %25 = arith.addi %24, %c4607182418800017408_i64 : i64
//!   %26 = arith.bitcast %25 : i64 to f64
//!   %27 = arith.mulf %26, %23 fastmath<contract> : f64
//!   %28 = arith.addf %26, %27 fastmath<contract> : f64
//!   %29 = arith.truncf %28 : f64 to f32
//!   return %29 : f32
//! }
//! ```
//! The arithmetic is that of `functions.rs`. Large angles need a branch, to a call of the run time, and LLVM
//! does not vectorize what has one: `math.sin` of an `f64` becomes a call of `@comet.sin.f64`, beside which
//! the module gets functions of vectors, `@comet.sin.8xf64`. LLVM replaces calls in vector code by calls of
//! those (`native/variants.rs`). The larger and the smaller of two numbers become LLVM's intrinsics, whose
//! reductions it vectorizes; `arith-expand` would make comparisons of them. Leaves square roots, absolute
//! values and rounding to `convert-math-to-llvm`.

use crate::functions::{Angle, Expanded, Products, expand, expand_angle, expand_power};
use crate::stream_stores::REGISTER;
use crate::ta_to_runtime::calls::{Calls, element_kind};
use comet_abi::functions::{self, Family};
use comet_ir::pass::{OptionValues, Pass, PassOption};
use comet_ir::{Builder, IrError, Op, Result, Ty, Val, types};
use melior::dialect::ods::{arith, math};
use melior::ir::{TypeLike, ValueLike};
use std::collections::HashSet;

pub const PASS: Pass = Pass {
    name: "expand-functions",
    description: "Turns functions that processors have no instruction for into arithmetic, and sines and cosines into calls",
    options: &[REGISTER, PRODUCTS],
    dialects: &["arith", "func", "llvm", "math", "scf", "vector"],
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
    for (ops, intrinsic) in [
        (module.descendants::<arith::MaxNumFOperation>(), "llvm.intr.maxnum"),
        (module.descendants::<arith::MinNumFOperation>(), "llvm.intr.minnum"),
    ] {
        for op in ops {
            let value = Builder::before(op).value(intrinsic, &op.operands(), op.result(0).r#type())?;
            op.replace(&[value]);
        }
    }
    let words = [("fused", Products::Fused), ("split", Products::Split)];
    let products = options.choice(PRODUCTS.name, &words)?;
    for op in module.descendants::<math::PowFOperation>() {
        let value = expand_power(Builder::before(op), products, op.operands()[0], op.operands()[1])?;
        op.replace(&[value]);
    }
    let angles = [
        (module.descendants::<math::SinOperation>(), Angle::Sin),
        (module.descendants::<math::CosOperation>(), Angle::Cos),
    ];
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
        let lanes = if TypeLike::is_vector(&ty) { format!("{}x", types::lanes(ty)) } else { String::new() };
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
