//! Which loops may run in blocks of vector lanes. The mark `vectorize` only asks for it: any other loop that
//! carries it runs value by value.

use super::point::Point;
use super::workspace::is_workspace;
use comet_dialects::cin::{
    AccessOperation, AssignOperation, ForallOperation, IndexVarOperation, MaskOperation,
};
use comet_ir::{Op, Val, format, types};
use comet_passes::cin::vectorize::MOST_LANES;
use comet_passes::nest::{Relations, Split, divides_integers, is_contiguous, optional_integer, point};
use melior::ir::ValueLike;

/// Whether the loop `op` over the blocks of a split can compute all lanes of a block at once: every statement
/// in it is inside a marked loop over the lanes, gives each lane a value of its own, and sees nothing that
/// another lane changes. `is_appended` tells of sparse tensors whether coordinates are appended to them: all
/// others take one element after another.
pub(super) fn fit<'c>(
    op: Op<'c>,
    split: Split<'c>,
    relations: &Relations<'c>,
    is_appended: impl Fn(Val<'c>) -> bool,
) -> bool {
    let is_whole = Op::defining(split.var).is_some_and(|op| op.is::<IndexVarOperation>())
        && relations.splits_of(split.var).count() == 1;
    let (reads, writes) = (op.descendants::<AccessOperation>(), op.descendants::<AssignOperation>());
    is_whole
        && split.factor().is_some_and(|lanes| lanes <= MOST_LANES)
        && !writes.is_empty()
        && op.descendants::<ForallOperation>().into_iter().all(|forall| is_marked_or_other(forall, split))
        && !divides_integers(op)
        && op.descendants::<MaskOperation>().is_empty()
        && reads.iter().all(|read| reaches_one_by_one(*read, split))
        && writes.iter().all(|write| takes_lanes(point(*write).0, &is_appended))
        && writes.iter().all(|write| writes_lanes(*write, op, split))
        && reads.iter().all(|read| !is_changed(*read, &writes))
}

fn is_marked_or_other<'c>(forall: Op<'c>, split: Split<'c>) -> bool {
    forall.operand(0) != split.inner || optional_integer(forall, "vectorize").is_some()
}

/// A register workspace has one element for each lane; the values of a tensor follow each other.
fn reaches_one_by_one<'c>(op: Op<'c>, split: Split<'c>) -> bool {
    let (tensor, indices) = point(op);
    if is_workspace(tensor) {
        return indices.iter().all(|index| *index == split.inner);
    }
    is_contiguous(op, split.var) && !indices.contains(&split.outer) && !indices.contains(&split.inner)
}

fn takes_lanes<'c>(tensor: Val<'c>, is_appended: &impl Fn(Val<'c>) -> bool) -> bool {
    is_workspace(tensor) || format::of_type(tensor.r#type()).is_dense() || is_appended(tensor)
}

fn writes_lanes<'c>(assign: Op<'c>, blocks: Op<'c>, split: Split<'c>) -> bool {
    let (tensor, indices) = point(assign);
    let has_lanes =
        if is_workspace(tensor) { types::rank(tensor.r#type()) == 1 } else { indices.contains(&split.var) };
    has_lanes && reaches_one_by_one(assign, split) && is_inside_loop_over(split.inner, assign, blocks)
}

fn is_inside_loop_over<'c>(var: Val<'c>, op: Op<'c>, outermost: Op<'c>) -> bool {
    let mut inside = op.ancestors().take_while(|parent| *parent != outermost);
    inside.any(|parent| parent.is::<ForallOperation>() && parent.operand(0) == var)
}

/// Whether a tensor is read at another place than the one that is assigned.
fn is_changed<'c>(read: Op<'c>, writes: &[Op<'c>]) -> bool {
    let read = Point::of(read);
    writes.iter().map(|write| Point::of(*write)).any(|write| write.tensor == read.tensor && write != read)
}
