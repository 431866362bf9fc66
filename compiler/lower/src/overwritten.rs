//! Results of kernels that need no zeros: the first statement that names one overwrites all of it.

use comet_format::LevelExpr;
use comet_ir::ta::{self, Ta};
use comet_ir::{Op, Val, format};

/// Marks the declaration of a dense tensor as `overwritten` where nothing reads what it holds at first.
/// Blocks may reach over a tensor's edge; what is there is zero, and no statement writes it.
pub(crate) fn mark(tensor: Val<'_>) {
    let declaration = ta::TensorDecl::defining(tensor);
    let declaration = declaration.expect("a declaration makes the variable");
    let format = format::of(tensor);
    let has_no_padding = format.levels.iter().all(|level| matches!(level.expr, LevelExpr::Mode(_)));
    let is_overwritten = first_use(declaration).is_some_and(|op| overwrites(op, tensor));
    if format.is_dense() && has_no_padding && is_overwritten {
        declaration.set_overwritten(true);
    }
}

/// The first operation behind a declaration, in its block, that has to do with the tensor.
fn first_use(declaration: ta::TensorDecl<'_>) -> Option<Op<'_>> {
    let tensor = declaration.tensor();
    declaration.following().find(|op| op.names(tensor))
}

fn overwrites<'c>(op: Op<'c>, tensor: Val<'c>) -> bool {
    let reads_nothing = op.operands().iter().filter(|operand| **operand == tensor).count() == 1;
    match Ta::of(op) {
        Some(Ta::Fill(_)) => true,
        Some(Ta::Set(set)) => reads_nothing && set.beta() == 0.0,
        Some(Ta::Tc(contraction)) => reads_nothing && contraction.beta() == 0.0,
        _ => false,
    }
}
