//! `strict-floats`: sums and products of floating-point numbers lose the flags by which LLVM may add up in
//! another order, or leave out that a product is rounded before something is added.
//!
//! Before:
//! ```mlir
//! // given %a, %b, %sum : f64
//! %product = arith.mulf %a, %b fastmath<contract> : f64
//! %next = arith.addf %sum, %product fastmath<reassoc,contract> : f64
//! ```
//! After:
//! ```mlir
//! %product = arith.mulf %a, %b : f64
//! %next = arith.addf %sum, %product : f64
//! ```
//! Results are then the same at each level of optimization and for each processor.

use comet_ir::pass::{OptionValues, Pass};
use comet_ir::{Builder, Op, Result};
use melior::dialect::ods::arith::{AddFOperation, MulFOperation, SubFOperation};
use melior::ir::ValueLike;

pub const PASS: Pass = Pass {
    name: "strict-floats",
    description: "With `--ordered-sums`, removes the flags that let LLVM reorder or fuse floating-point operations",
    options: &[],
    dialects: &["arith"],
    run,
};

fn run<'c>(module: Op<'c>, _: &OptionValues<'_>) -> Result<'c, ()> {
    let sums = [module.descendants::<AddFOperation>(), module.descendants::<SubFOperation>()];
    let all = [sums.concat(), module.descendants::<MulFOperation>()].concat();
    for op in &all {
        let value = op.result(0);
        let strict = Builder::before(*op).value(&op.name(), &op.operands(), value.r#type())?;
        op.replace(&[strict]);
    }
    Ok(())
}
