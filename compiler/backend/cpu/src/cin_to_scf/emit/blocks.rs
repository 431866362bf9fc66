//! Parallel loops around points that are collected.
//!
//! The values of such a loop are divided into blocks of equal size, as many whatever the number of tasks is,
//! and the points of each block are accumulated apart. What a task does to points is therefore the same
//! whoever runs the blocks beside its own, and so is the result, to the last bit. Here they run one after
//! another.
//!
//! A parallel loop inside of others, to which the points of all its iterations come, is not divided: it would
//! end all of its blocks again in each iteration.

use super::Emitter;
use super::env::Env;
use super::visit::Visited;
use comet_ir::{Compare, Result, Val};
use comet_notation::concrete::{LoopId, TensorId};
use melior::ir::ValueLike;

/// The number of blocks that the values of a parallel loop are divided into: enough to keep many tasks busy
/// to the end, few enough to make merging their points cheap.
const BLOCKS: i64 = 64;

#[derive(Clone)]
pub(in crate::cin_to_scf) struct ParallelLoop<'c> {
    forall: LoopId,
    /// The tensors whose points come from inside of it.
    collected: Vec<TensorId>,
    /// The variable with the first value of the next block.
    next: Val<'c>,
    size: Val<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// In front of a loop.
    pub(super) fn begin_blocks(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        collected: &[TensorId],
    ) -> Result<'c, ()> {
        let b = env.b;
        if collected.is_empty() {
            return Ok(());
        }
        let extent = self.extent(env, visited.var)?;
        let size = b.maxi(self.ceil_div(b, extent, BLOCKS)?, self.constant(1)?)?;
        let next = b.variable(size.r#type())?;
        b.set(next, size)?;
        let collected = collected.to_vec();
        env.parallel_loops.push(ParallelLoop { forall: visited.forall, collected, next, size });
        Ok(())
    }

    /// At each value of a loop: whether another block begins.
    pub(super) fn enter_block(&self, env: &Env<'c>, forall: LoopId) -> Result<'c, ()> {
        let b = env.b;
        let Some(found) = env.parallel_loops.iter().find(|parallel| parallel.forall == forall) else {
            return Ok(());
        };
        let var = self.compute.relations.unbounded(self.compute.forall(forall).var);
        let Some(value) = self.coordinate(env, var)? else { return Ok(()) };
        let is_next = b.cmpi(Compare::Ge, value, b.get(found.next)?)?;
        b.if_then(is_next, |b| {
            self.end_blocks(&env.within(b), &found.collected)?;
            let following = b.addi(b.divi(value, found.size)?, self.constant(1)?)?;
            b.set(found.next, b.muli(following, found.size)?)
        })
    }

    /// Ends a block of points.
    pub(super) fn end_blocks(&self, env: &Env<'c>, collected: &[TensorId]) -> Result<'c, ()> {
        collected.iter().try_for_each(|tensor| self.next_block(env, *tensor))
    }
}
