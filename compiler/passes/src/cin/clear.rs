//! Statements that only clear what the next one accumulates into.

use crate::nest::{ADD, Chain, Relations, SET, integer, point};
use comet_dialects::cin::ComputeOperation;
use comet_ir::{Op, Val};
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use std::ops::Range;

/// How the assignment of `chain` is to combine when what its `reducing` loops add up reaches it as one value: `set` where the other loops visit every element
/// of the target once and the statement before clears it, which is then erased; `add` otherwise.
pub(super) fn absorb<'c>(
    compute: Op<'c>,
    chain: &Chain<'c>,
    reducing: Range<usize>,
    relations: &Relations<'c>,
) -> i64 {
    if !visits_each_once(chain, reducing, relations) {
        return ADD;
    }
    let Some(before) = previous_compute(compute).filter(|before| clears(*before, chain.assign)) else {
        return ADD;
    };
    before.erase();
    SET
}

/// The loops that do not reduce are dense and are exactly the target's index variables, each once.
fn visits_each_once<'c>(chain: &Chain<'c>, reducing: Range<usize>, relations: &Relations<'c>) -> bool {
    let (_, indices) = point(chain.assign);
    let others = chain
        .loops
        .iter()
        .enumerate()
        .filter(|(number, _)| !reducing.contains(number))
        .map(|(_, forall)| *forall);
    let others: Vec<Op<'c>> = others.collect();
    let vars: Vec<Val<'c>> = others.iter().map(|forall| forall.operand(0)).collect();
    let distinct = indices.iter().enumerate().all(|(mode, index)| !indices[..mode].contains(index));
    let dense = others.iter().all(|forall| !relations.is_sparse_at(*forall, forall.operand(0)));
    distinct && dense && vars.len() == indices.len() && indices.iter().all(|index| vars.contains(index))
}

/// The compute that runs right before this one: nothing between them touches a tensor.
fn previous_compute(compute: Op<'_>) -> Option<Op<'_>> {
    let ops = compute.block()?.ops();
    let position = ops.iter().position(|op| *op == compute)?;
    let touches = |op: &&Op<'_>| op.result_count() == 0;
    ops[..position].iter().rev().find(touches).copied().filter(|op| op.is::<ComputeOperation>())
}

/// Whether a compute sets every element of the assignment's target to 0.
fn clears<'c>(compute: Op<'c>, assign: Op<'c>) -> bool {
    let Some(chain) = Chain::of(compute) else { return false };
    let (target, indices) = point(chain.assign);
    let all = chain.vars() == indices;
    all && integer(chain.assign, "reduction") == SET
        && target == point(assign).0
        && is_zero(chain.assign.operand(0))
}

fn is_zero(value: Val<'_>) -> bool {
    let Some(constant) = Op::defining(value).and_then(|op| op.attribute("value")) else { return false };
    let float = FloatAttribute::try_from(constant).is_ok_and(|number| number.value() == 0.0);
    float || IntegerAttribute::try_from(constant).is_ok_and(|number| number.value() == 0)
}
