//! What commands do to loops: lists of loops with nothing in between, and loops in the place of others.

use crate::cin::{BIT_VECTOR, COMMUNICATED, SAID_AT, SETTING, SKIP};
use crate::nest::is_statement;
use comet_ir::{Block, Builder, Op, Result, Val, cin};

/// What says how a loop runs.
const MARKS: [&str; 6] = ["parallel", "tasks", "unroll", "vectorize", SKIP, BIT_VECTOR];

/// The mark of a loop, where it has one, as commands call it.
pub(super) fn mark(forall: Op<'_>) -> Option<&'static str> {
    MARKS.into_iter().find(|mark| forall.attribute(mark).is_some()).map(word)
}

/// What commands call a mark.
pub(super) fn word(mark: &'static str) -> &'static str {
    mark.strip_prefix("cin.").unwrap_or(mark)
}

/// Loops with nothing in between, outermost first: as many lists as there are places where loops begin.
pub(super) fn chains(block: Block<'_>) -> Vec<Vec<Op<'_>>> {
    let mut found = Vec::new();
    for op in block.ops().into_iter().filter(|op| op.region_count() > 0) {
        let chain = chain_at(op);
        let last = chain.last().copied().unwrap_or(op);
        if !chain.is_empty() {
            found.push(chain);
        }
        found.extend((0..last.region_count()).flat_map(|region| chains(last.body(region))));
    }
    found
}

/// A loop and those inside of it with nothing in between; none where an operation is no loop.
pub(super) fn chain_at(op: Op<'_>) -> Vec<Op<'_>> {
    std::iter::successors(Some(op).filter(|op| op.is::<cin::Forall>()), |last| only_loop(*last)).collect()
}

/// The loop that is everything in another one.
pub(super) fn only_loop(forall: Op<'_>) -> Option<Op<'_>> {
    match statements(forall)[..] {
        [only] if only.is::<cin::Forall>() => Some(only),
        _ => None,
    }
}

/// What runs in a loop, one after the other.
pub(super) fn statements(forall: Op<'_>) -> Vec<Op<'_>> {
    statements_of(forall.body(0))
}

/// The statements of a block.
pub(super) fn statements_of(block: Block<'_>) -> Vec<Op<'_>> {
    block.ops().into_iter().filter(is_statement).collect()
}

/// Replaces a chain of loops by loops over the variables of others, with their marks.
pub(super) fn rearrange<'c>(chain: &[Op<'c>], wanted: &[Op<'c>]) -> Result<'c, ()> {
    let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return Ok(()) };
    if chain == wanted {
        return Ok(());
    }
    let mut b = Builder::before(*first);
    let mut innermost = *first;
    for forall in wanted {
        innermost = open(b, forall.operand(0))?;
        copy_marks(*forall, innermost);
        b = b.inside(innermost.body(0));
    }
    move_body(*last, innermost);
    first.erase();
    Ok(())
}

/// A loop runs as another one.
pub(super) fn copy_marks<'c>(from: Op<'c>, to: Op<'c>) {
    for name in MARKS.into_iter().chain([SETTING, SAID_AT, COMMUNICATED]) {
        if let Some(value) = from.attribute(name) {
            to.set_attribute(name, value);
        }
    }
}

/// The loops around an operation, innermost first.
pub(super) fn around<'c>(op: Op<'c>) -> impl Iterator<Item = Op<'c>> {
    op.ancestors().filter(|op| op.is::<cin::Forall>())
}

/// Whether an operation is one of a block's, or is inside of one.
pub(super) fn is_in_block<'c>(op: Op<'c>, block: Block<'c>) -> bool {
    std::iter::successors(Some(op), |op| op.parent()).any(|op| op.block() == Some(block))
}

/// An empty loop.
pub(super) fn open<'c>(b: Builder<'c>, var: Val<'c>) -> Result<'c, Op<'c>> {
    b.op_with_regions("cin.forall", &[var], &[], &[], vec![b.region(&[])])
}

/// Puts what is in one loop into another.
pub(super) fn move_body<'c>(from: Op<'c>, to: Op<'c>) {
    for op in from.body(0).ops() {
        op.move_to_end(to.body(0));
    }
}
