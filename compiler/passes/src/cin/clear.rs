//! Statements that only clear what the next one accumulates into.

use crate::concrete;
use crate::nest::{self, Chain, Relations, point};
use comet_ir::cin::Reduction;
use comet_ir::{Op, Val, cin, format};
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use std::ops::Range;

/// How the assignment of `chain` is to combine when what its `reducing` loops add up reaches it as one
/// value: `set` where the other loops visit every element of the target at most once and the statement before
/// clears it; its own reduction otherwise. That statement is erased where each element is visited.
pub(super) fn absorb<'c>(
    compute: cin::Compute<'c>,
    chain: &Chain<'c>,
    reducing: Range<usize>,
    relations: &Relations<'c>,
) -> Reduction {
    let mut others = chain.loops[..reducing.start].to_vec();
    others.extend(&chain.loops[reducing.end..]);
    let cleared_by =
        cleared_by(compute, chain.assign).filter(|_| visits_none_twice(chain, &others, relations));
    let Some(before) = cleared_by else { return chain.assign.reduction() };
    if others.iter().all(|forall| !nest::is_sparse_at(relations, *forall, forall.var())) {
        before.erase();
    }
    Reduction::Set
}

/// The compute in front that clears what an assignment accumulates into: nothing between them touches the
/// target.
pub fn cleared_by<'c>(compute: cin::Compute<'c>, assign: cin::Assign<'c>) -> Option<cin::Compute<'c>> {
    let target = assign.tensor();
    let ops = compute.block()?.ops();
    let position = ops.iter().position(|op| *op == compute)?;
    let before = ops[..position].iter().rev().copied().find(|op| touches(*op, target))?;
    before.cast::<cin::Compute>().filter(|before| clears(*before, assign))
}

/// Whether an operation, or one in it, is given the tensor.
fn touches<'c>(op: Op<'c>, tensor: Val<'c>) -> bool {
    let mut touches = op.operands().contains(&tensor);
    op.for_each_inside(&mut |inside| touches |= inside.operands().contains(&tensor));
    touches
}

/// Whether the variables of some loops are exactly the target's, each once, and no operand stores one of
/// their coordinates twice.
fn visits_none_twice<'c>(chain: &Chain<'c>, loops: &[cin::Forall<'c>], relations: &Relations<'c>) -> bool {
    let indices = chain.assign.indices();
    let vars: Vec<Val<'c>> = loops.iter().map(|forall| forall.var()).collect();
    let distinct = indices.iter().enumerate().all(|(mode, index)| !indices[..mode].contains(index));
    let are_targets = vars.len() == indices.len() && indices.iter().all(|index| vars.contains(index));
    let outermost = chain.loops.first();
    let mut operands = outermost.map(|op| op.walk::<cin::Access>()).into_iter().flatten();
    distinct && are_targets && !operands.any(|access| repeats_one_of(*access, &vars, relations))
}

/// Whether an operand stores a coordinate of one of the variables once for each entry below it.
fn repeats_one_of<'c>(access: Op<'c>, vars: &[Val<'c>], relations: &Relations<'c>) -> bool {
    let (tensor, indices) = point(access);
    let levels = format::of(tensor).levels;
    let mut repeating = levels.iter().filter(|level| !level.kind.is_unique() && !level.kind.is_branchless());
    repeating.any(|level| relations.level_var(*level, &indices).is_none_or(|var| vars.contains(&var)))
}

/// Whether a compute sets every element that the assignment may reach to what its reduction starts from.
fn clears<'c>(compute: cin::Compute<'c>, assign: cin::Assign<'c>) -> bool {
    let Some(chain) = Chain::of(compute) else { return false };
    let ((target, indices), (own_target, own_indices)) = (point(chain.assign), point(assign));
    let extents = |indices: &[Val<'c>]| indices.iter().copied().map(extent).collect::<Option<Vec<_>>>();
    let all = chain.vars() == indices && extents(&indices).is_some();
    all && extents(&indices) == extents(&own_indices)
        && chain.assign.reduction() == Reduction::Set
        && target == own_target
        && is_identity(chain.assign.value(), assign.reduction())
}

fn extent(var: Val<'_>) -> Option<Val<'_>> {
    cin::IndexVar::defining(var).map(|var| var.size())
}

fn is_identity(value: Val<'_>, reduction: Reduction) -> bool {
    let Some(constant) = comet_ir::number(value) else { return false };
    let identity = concrete::identity(reduction);
    let float = FloatAttribute::try_from(constant)
        .is_ok_and(|number| number.value().to_bits() == identity.float.to_bits());
    float || IntegerAttribute::try_from(constant).is_ok_and(|number| number.value() == identity.integer)
}
