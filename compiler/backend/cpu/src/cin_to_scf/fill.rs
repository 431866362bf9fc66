//! Computes that set all of a dense tensor to one number, as in front of sums into it: the run time writes
//! memory by the processor's fastest way, which does not read first what it overwrites.

use super::point::Point;
use comet_dialects::cin::{AssignOperation, ForallOperation, IndexVarOperation};
use comet_format::LevelExpr;
use comet_ir::{Attr, Builder, Op, Result, Val};
use comet_passes::nest::loops_around;
use comet_passes::operator::Reduction;

/// A tensor, and the number that all of it is set to.
struct Fill<'c> {
    tensor: Val<'c>,
    number: Attr<'c>,
}

/// Generates a `ta.fill` in place of the loops; says whether they are such ones.
pub(super) fn generate(compute: Op<'_>) -> Result<'_, bool> {
    let Some(fill) = fill_of(compute) else { return Ok(false) };
    let b = Builder::before(compute);
    b.op("ta.fill", &[fill.tensor], &[], &[("value", fill.number)])?;
    Ok(true)
}

fn fill_of(compute: Op<'_>) -> Option<Fill<'_>> {
    let [assign] = compute.descendants::<AssignOperation>()[..] else { return None };
    let number = Op::defining(assign.operand(0))?.attribute("value")?;
    let point = Point::of(assign);
    let format = point.format();
    let is_whole = format.levels.iter().all(|level| matches!(level.expr, LevelExpr::Mode(_)));
    let is_set = format.is_dense() && is_whole && Reduction::of(assign) == Reduction::Set;
    (is_set && has_loops_only(compute, &loops_around(assign, compute), &point.indices))
        .then_some(Fill { tensor: point.tensor, number })
}

/// Whether nothing is done in a compute but in loops over all values of these indices, each once.
fn has_loops_only<'c>(compute: Op<'c>, loops: &[Val<'c>], indices: &[Val<'c>]) -> bool {
    let is_one = |ops: &[Op<'c>]| ops.iter().filter(|op| !op.is::<IndexVarOperation>()).count() == 1;
    let foralls = compute.descendants::<ForallOperation>();
    is_one(&compute.body(0).ops())
        && foralls.iter().all(|forall| is_one(&forall.body(0).ops()))
        && loops.len() == indices.len()
        && loops.iter().all(|var| indices.contains(var))
        && indices.iter().all(|var| loops.contains(var))
}
