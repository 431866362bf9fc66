//! Moves the loops of very large functions into functions of their own.
//!
//! Some of LLVM's passes take more than linear time in the size of a function. A program is one function,
//! `main`: with a hundred statements of some 2,000 instructions each, the rotation of loops takes a third of
//! all time, and LLVM's pipeline 2.2 times as long as on the same loops in functions of their own.

use super::NativeError;
use super::target::Target;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::values::FunctionValue;
use std::collections::HashSet;

/// The number of instructions from which on a function is very large.
const LARGE: usize = 30_000;

/// Puts outermost loops of very large functions into functions that are not inlined again, by LLVM's
/// `loop-extract`, which leaves loops with an `alloca`. Other functions stay as they are.
pub(super) fn outline_loops(module: &Module<'_>, target: &Target) -> Result<(), NativeError> {
    let defined = || module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    let (large, others): (Vec<_>, Vec<_>) = defined().partition(is_large);
    if large.is_empty() {
        return Ok(());
    }
    let before: HashSet<FunctionValue<'_>> = large.iter().chain(&others).copied().collect();
    // The pass skips functions with `optnone`, which LLVM requires to be `noinline` as well.
    let inlined: Vec<_> = others.iter().filter(|function| !has(**function, "noinline")).copied().collect();
    inlined.iter().for_each(|function| add(*function, "noinline"));
    others.iter().for_each(|function| add(*function, "optnone"));
    let pipeline = "function(loop-simplify),loop-extract";
    let outcome = module.run_passes(pipeline, target.machine(), PassBuilderOptions::create());
    others.iter().for_each(|function| remove(*function, "optnone"));
    inlined.iter().for_each(|function| remove(*function, "noinline"));
    defined().filter(|function| !before.contains(function)).for_each(|function| add(function, "noinline"));
    outcome.map_err(|error| NativeError::Internal(format!("LLVM's `{pipeline}` failed: {error}")))
}

fn is_large(function: &FunctionValue<'_>) -> bool {
    let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
    instructions.take(LARGE).count() == LARGE
}

fn has(function: FunctionValue<'_>, attribute: &str) -> bool {
    function
        .get_enum_attribute(AttributeLoc::Function, Attribute::get_named_enum_kind_id(attribute))
        .is_some()
}

fn add(function: FunctionValue<'_>, attribute: &str) {
    let llvm = function.get_type().get_context();
    let attribute = llvm.create_enum_attribute(Attribute::get_named_enum_kind_id(attribute), 0);
    function.add_attribute(AttributeLoc::Function, attribute);
}

fn remove(function: FunctionValue<'_>, attribute: &str) {
    function.remove_enum_attribute(AttributeLoc::Function, Attribute::get_named_enum_kind_id(attribute));
}
