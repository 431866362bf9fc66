//! Computes that set all of a dense tensor to one number, as in front of sums into it: the run time writes
//! memory by the processor's fastest way, which does not read first what it overwrites.

use comet_format::LevelExpr;
use comet_ir::{Attr, Builder, Op, Result, ta};
use comet_notation::concrete::{Compute, Stmt};
use comet_passes::concrete::Handles;

/// Generates a `ta.fill` in place of the loops; returns whether they are such ones.
pub(super) fn generate<'c>(op: Op<'c>, compute: &Compute, handles: &Handles<'c>) -> Result<'c, bool> {
    let Some(number) = number(compute, handles) else { return Ok(false) };
    let tensor = handles.tensors[compute.assigns[0].target.tensor.0];
    ta::Fill::build(Builder::before(op), tensor, number)?;
    Ok(true)
}

/// The number that all of a tensor is set to, by loops over all values of its indices, each once.
fn number<'c>(compute: &Compute, handles: &Handles<'c>) -> Option<Attr<'c>> {
    let [assign] = &compute.assigns[..] else { return None };
    let number = comet_ir::number(handles.values[assign.value.0])?;
    let format = compute.format(&assign.target);
    let is_whole = format.levels.iter().all(|level| matches!(level.expr, LevelExpr::Mode(_)));
    let is_set = format.is_dense() && is_whole && assign.reduction.is_none();
    let indices = &assign.target.indices;
    let (mut block, mut loops) = (&compute.body, Vec::new());
    while let [Stmt::Forall(forall)] = block[..] {
        loops.push(compute.forall(forall).var);
        block = &compute.forall(forall).body;
    }
    let are_loops = matches!(block[..], [Stmt::Assign(_)])
        && loops.len() == indices.len()
        && loops.iter().all(|var| indices.contains(var))
        && indices.iter().all(|var| loops.contains(var));
    (is_set && are_loops).then_some(number)
}
