//! `hoist-variables`: variables of loops become variables of the function around.
//!
//! Before:
//! ```mlir
//! // given %n : index
//! // given %A : memref<?xi32>
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! scf.for %i = %c0 to %n step %c1 {
//!   %variable = memref.alloca() : memref<i32>
//!   %a = memref.load %A[%i] : memref<?xi32>
//!   memref.store %a, %variable[] : memref<i32>
//! }
//! ```
//! After:
//! ```mlir
//! %variable = memref.alloca() : memref<i32>
//! %c0 = arith.constant 0 : index
//! %c1 = arith.constant 1 : index
//! scf.for %i = %c0 to %n step %c1 {
//!   %a = memref.load %A[%i] : memref<?xi32>
//!   memref.store %a, %variable[] : memref<i32>
//! }
//! ```
//! Each task has variables of its own, and `async-parallel-for` makes loops over tasks: LLVM keeps variables
//! in registers only where they are made at the beginning of a function, and there they take room once. Every
//! iteration writes its variables before it reads them.

use comet_ir::pass::{OptionValues, Pass};
use comet_ir::{Op, Result};
use melior::dialect::ods::func::FuncOperation;
use melior::dialect::ods::memref::AllocaOperation;

pub const PASS: Pass = Pass {
    name: "hoist-variables",
    description: "Allocates the variables of loops at the beginning of the surrounding function",
    options: &[],
    dialects: &[],
    run,
};

fn run<'c>(module: Op<'c>, _: &OptionValues<'_>) -> Result<'c, ()> {
    for variable in module.descendants::<AllocaOperation>() {
        let Some(function) = variable.ancestors().find(|op| op.is::<FuncOperation>()) else { continue };
        let Some(first) = function.body(0).ops().into_iter().next() else { continue };
        if variable.operands().is_empty() && variable.parent() != Some(function) {
            variable.move_before(first);
        }
    }
    Ok(())
}
