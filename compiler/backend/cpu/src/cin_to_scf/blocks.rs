//! Parallel loops around points that are collected.
//!
//! The values of such a loop are cut into blocks of equal size, as many whatever the number of tasks is, and
//! the points of each block are accumulated apart. What a task does to points is therefore the same whoever
//! runs the blocks beside its own, and so is the result, to the last bit. Here they run one after another.
//!
//! A parallel loop inside of others, to which the points of all its rounds come, is not cut: it would end all
//! of its blocks again in each round.

use super::Lowering;
use super::assembly::Assembly;
use super::point::Point;
use comet_dialects::cin::{AssignOperation, ForallOperation};
use comet_ir::{Builder, Compare, Op, Result, Val};
use comet_passes::nest::{self, optional_integer};
use comet_passes::schedule::ParallelUnit;
use melior::ir::ValueLike;

/// Into so many blocks the values of a parallel loop are cut: enough to keep many tasks busy to the end, few
/// enough to make merging their points cheap.
const BLOCKS: i64 = 64;

/// A parallel loop that is being generated.
pub(super) struct ParallelLoop<'c> {
    op: Op<'c>,
    /// The variable with the first value of the next block.
    next: Val<'c>,
    /// The values of a block.
    size: Val<'c>,
}

impl<'c> Lowering<'c> {
    /// In front of a loop.
    pub(super) fn begin_blocks(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        if optional_integer(op, "parallel") != Some(ParallelUnit::Cpu as i64)
            || self.collected_in(op).is_empty()
        {
            return Ok(());
        }
        let extent = self.extent(b, self.relations.unbounded(op.operand(0)))?;
        let size = b.maxi(self.storage.ceil_div(b, extent, BLOCKS)?, self.storage.constant(1)?)?;
        let next = b.variable(size.r#type())?;
        b.set(next, size)?;
        self.parallel_loops.push(ParallelLoop { op, next, size });
        Ok(())
    }

    /// At each value of a loop: whether another block begins.
    pub(super) fn enter_block(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let Some(found) = self.parallel_loops.iter().find(|parallel| parallel.op == op) else {
            return Ok(());
        };
        let (next, size) = (found.next, found.size);
        let var = self.relations.unbounded(op.operand(0));
        let Some(value) = self.coordinate(b, var)? else { return Ok(()) };
        let one = self.storage.constant(1)?;
        let is_next = b.cmpi(Compare::Ge, value, b.get(next)?)?;
        b.if_then(is_next, |b| {
            self.end_block(b, op)?;
            let following = b.addi(b.divi(value, size)?, one)?;
            b.set(next, b.muli(following, size)?)
        })
    }

    /// Behind a loop.
    pub(super) fn end_blocks(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        if self.parallel_loops.pop_if(|parallel| parallel.op == op).is_none() {
            return Ok(());
        }
        self.end_block(b, op)
    }

    fn end_block(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        for tensor in self.collected_in(op) {
            let insertion = self.insertion_into(tensor).expect("it is collected");
            self.next_block(b, tensor, &insertion)?;
        }
        Ok(())
    }

    /// The tensors whose points come from inside of a loop, and to which no loop around it brings more.
    fn collected_in(&self, op: Op<'c>) -> Vec<Val<'c>> {
        let assigned: Vec<Val<'c>> =
            op.descendants::<AssignOperation>().into_iter().map(|assign| Point::of(assign).tensor).collect();
        let collected = self.results.iter().filter_map(Assembly::collected);
        collected.filter(|tensor| assigned.contains(tensor) && is_first_loop_of(op, *tensor)).collect()
    }
}

/// Whether no other loop is between a loop and where the points of a tensor are begun: beside the declaration
/// of a workspace, or in front of all loops.
fn is_first_loop_of<'c>(op: Op<'c>, tensor: Val<'c>) -> bool {
    let beginning = nest::temporary(tensor).and_then(|temporary| temporary.parent());
    !op.ancestors().take_while(|op| Some(*op) != beginning).any(|op| op.is::<ForallOperation>())
}
