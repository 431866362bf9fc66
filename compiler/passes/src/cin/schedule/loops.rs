//! What commands do to loops: lists of loops with nothing in between, and loops in the place of others.

use crate::nest::is_statement;
use comet_ir::{Block, Builder, Op, Result, cin};

/// What says how a loop runs, as commands call it.
pub(super) fn marks(forall: cin::Forall<'_>) -> Vec<&'static str> {
    let marks = [
        ("parallel", forall.parallel().is_some()),
        ("tasks", forall.tasks().is_some()),
        ("unroll", forall.unroll().is_some()),
        ("vectorize", forall.vectorize().is_some()),
        ("skip", forall.skip()),
        ("bitvector", forall.bitvector().is_some()),
    ];
    marks.into_iter().filter(|(_, is_set)| *is_set).map(|(word, _)| word).collect()
}

/// Loops with nothing in between, outermost first: as many lists as there are places where loops begin.
pub(super) fn chains(block: Block<'_>) -> Vec<Vec<cin::Forall<'_>>> {
    let mut found = Vec::new();
    for op in block.ops().into_iter().filter(|op| op.region_count() > 0) {
        let chain = chain_at(op);
        let last = chain.last().map_or(op, |forall| **forall);
        if !chain.is_empty() {
            found.push(chain);
        }
        found.extend((0..last.region_count()).flat_map(|region| chains(last.body(region))));
    }
    found
}

/// A loop and those inside of it with nothing in between; none where an operation is no loop.
pub(super) fn chain_at<'c>(op: impl Into<Op<'c>>) -> Vec<cin::Forall<'c>> {
    std::iter::successors(op.into().cast::<cin::Forall>(), |last| only_loop(*last)).collect()
}

/// The loop that is everything in another one.
pub(super) fn only_loop(forall: cin::Forall<'_>) -> Option<cin::Forall<'_>> {
    match statements(forall)[..] {
        [only] => only.cast::<cin::Forall>(),
        _ => None,
    }
}

/// What runs in a loop, one after the other.
pub(super) fn statements(forall: cin::Forall<'_>) -> Vec<Op<'_>> {
    statements_of(forall.body())
}

pub(super) fn statements_of(block: Block<'_>) -> Vec<Op<'_>> {
    block.ops().into_iter().filter(is_statement).collect()
}

/// Replaces a chain of loops by loops over the variables of others, with their marks.
pub(super) fn rearrange<'c>(chain: &[cin::Forall<'c>], wanted: &[cin::Forall<'c>]) -> Result<'c, ()> {
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return Ok(()) };
    if chain == wanted {
        return Ok(());
    }
    move_body(last.body(), reopen(Builder::before(*first), wanted)?);
    first.erase();
    Ok(())
}

/// Loops like others, one inside the other; returns the block inside of all.
pub(super) fn reopen<'c>(b: Builder<'c>, loops: &[cin::Forall<'c>]) -> Result<'c, Block<'c>> {
    let mut b = b;
    for forall in loops {
        let copy = cin::Forall::build(b, forall.var())?;
        copy_marks(*forall, copy);
        b = b.inside(copy.body());
    }
    Ok(b.block())
}

pub(super) fn copy_marks<'c>(from: cin::Forall<'c>, to: cin::Forall<'c>) {
    to.set_parallel(from.parallel())
        .set_tasks(from.tasks())
        .set_unroll(from.unroll())
        .set_vectorize(from.vectorize())
        .set_skip(from.skip())
        .set_bitvector(from.bitvector())
        .set_setting(from.setting())
        .set_command(from.command())
        .set_communicated(from.communicated());
}

/// The loops around an operation, innermost first.
pub(super) fn around<'c>(op: impl Into<Op<'c>>) -> impl Iterator<Item = cin::Forall<'c>> {
    op.into().ancestors().filter_map(|op| op.cast::<cin::Forall>())
}

/// Whether an operation is one of a block's, or is inside of one.
pub(super) fn is_in_block<'c>(op: impl Into<Op<'c>>, block: Block<'c>) -> bool {
    std::iter::successors(Some(op.into()), |op| op.parent()).any(|op| op.block() == Some(block))
}

pub(super) fn move_body<'c>(from: Block<'c>, to: Block<'c>) {
    from.ops().into_iter().for_each(|op| op.move_to_end(to));
}
