//! Iterations with so much work that the task which has one would hold up the others: tasks share the loop
//! inside of them.
//!
//! Of the iterations of a task only the last can have more work than its share, since a task ends with the
//! iteration that makes its share full. Where that one has twice as much as a share, the task leaves it out,
//! and once all tasks have ended, such iterations come one after another. In each the loop inside is divided
//! into chunks, as the iterations of outermost loops are: a chunk has about as much work as a task's share.
//! What chunks add up in a scalar or in registers is kept apart, and is added in their order (`copies.rs`);
//! where the iterations of the loop inside write to elements of their own, there is nothing to add.
//!
//! Where no iteration is long, tasks look at the work of one iteration more, and that is all. Two threads, a
//! matrix of five rows and 4 million entries in one of them, times over those with the row in one task (two
//! cores of Zen 5, best of eight runs in turns): SpMV 0.58, SpMM with 32 columns 0.76.

use super::Emitter;
use super::env::Env;
use super::tasks::{Iterations, Shared};
use crate::cin_to_scf::plan::{Below, StoredPlan, TaskKind, TaskPlan};
use comet_ir::{Bounds, Builder, Compare, Result, Val, types};
use comet_notation::concrete::LoopId;

/// An iteration of that many shares is long. One of fewer is at most so much more than its task should have.
const SHARES: i64 = 2;

/// The iterations of a loop that its tasks leave out.
#[derive(Clone, Copy)]
pub(super) struct LongIterations<'c> {
    /// The loop inside, which tasks share.
    inner: LoopId,
    /// The variable that counts the iterations left out.
    left: Val<'c>,
}

/// What the loop inside of a long iteration is divided into.
#[derive(Clone, Copy)]
pub(in crate::cin_to_scf) struct Chunks<'c> {
    pub(super) forall: LoopId,
    pub(super) count: Val<'c>,
}

/// The last iteration of a task.
struct LastIteration<'c> {
    number: Val<'c>,
    work: Val<'c>,
    is_long: Val<'c>,
}

impl<'c> Emitter<'_, 'c> {
    /// In front of tasks: which iterations they are to leave out.
    pub(super) fn long_iterations(
        &self,
        b: Builder<'c>,
        plan: &TaskPlan,
    ) -> Result<'c, Option<LongIterations<'c>>> {
        let Some(inner) = plan.shared_loop else { return Ok(None) };
        let integer = types::int(b.context(), 64);
        let left = b.variable(integer)?;
        b.set(left, b.int(integer, 0)?)?;
        Ok(Some(LongIterations { inner, left }))
    }

    /// The iterations of a task, without the last one if that is long.
    pub(super) fn without_long_iteration(
        &self,
        env: &Env<'c>,
        shared: &Shared<'_, 'c>,
        own: [Val<'c>; 2],
    ) -> Result<'c, [Val<'c>; 2]> {
        let b = env.b;
        let Some(long) = shared.long else { return Ok(own) };
        let last = self.last_iteration(env, shared, own)?;
        b.if_then(last.is_long, |b| b.count_up(long.left))?;
        Ok([own[0], b.select(last.is_long, last.number, own[1])?])
    }

    /// After the tasks: the iterations that they have left out.
    pub(super) fn share_long_iterations(
        &self,
        env: &mut Env<'c>,
        long: LongIterations<'c>,
        shared: &Shared<'_, 'c>,
        iterations: &Iterations<'_, 'c>,
    ) -> Result<'c, ()> {
        let b = env.b;
        self.begin_anew();
        let forall = shared.plan.forall;
        let left = b.get(long.left)?;
        let is_any_left = b.cmpi(Compare::Gt, left, b.int(types::int(b.context(), 64), 0)?)?;
        self.only_if(env, (forall, is_any_left), |env| {
            let [start, step] = [self.constant(0)?, self.constant(1)?];
            let tasks = Bounds { start, stop: shared.count, step };
            self.for_loop(env, (forall, tasks), &[shared.bounds[0]], |env, task, first| {
                let end = self.first_of_share(env, shared, env.b.addi(task, step)?)?;
                self.share_long_iteration(env, long, shared, ([first[0], end], iterations))?;
                Ok(vec![end])
            })
            .map(|_| ())
        })
    }

    /// The last one of the iterations of a task, if that is long.
    fn share_long_iteration(
        &self,
        env: &mut Env<'c>,
        long: LongIterations<'c>,
        shared: &Shared<'_, 'c>,
        (own, iterations): ([Val<'c>; 2], &Iterations<'_, 'c>),
    ) -> Result<'c, ()> {
        let last = self.last_iteration(env, shared, own)?;
        self.only_if(env, (shared.plan.forall, last.is_long), |env| {
            let b = env.b;
            let count = b.divi(b.muli(last.work, shared.count)?, shared.all)?;
            env.chunks = Some(Chunks { forall: long.inner, count });
            iterations(env, [last.number, own[1]])
        })
    }

    /// The last one of some iterations. Where there are none, it has no work.
    fn last_iteration(
        &self,
        env: &Env<'c>,
        shared: &Shared<'_, 'c>,
        [start, stop]: [Val<'c>; 2],
    ) -> Result<'c, LastIteration<'c>> {
        let b = env.b;
        let [one, shares] = [self.constant(1)?, self.constant(SHARES)?];
        let number = b.maxi(b.subi(stop, one)?, start)?;
        let before = self.work_before(env, shared.below, number)?;
        let work = b.subi(self.work_before(env, shared.below, stop)?, before)?;
        let (tasks, limit) = (b.muli(work, shared.count)?, b.muli(shared.all, shares)?);
        Ok(LastIteration { number, work, is_long: b.cmpi(Compare::Gt, tasks, limit)? })
    }

    /// The iterations of the loop inside of a long iteration as that many tasks.
    pub(super) fn in_chunks(
        &self,
        env: &mut Env<'c>,
        (forall, plan): (LoopId, &StoredPlan),
        bounds: [Val<'c>; 2],
        (count, iterations): (Val<'c>, &Iterations<'_, 'c>),
    ) -> Result<'c, ()> {
        let level = env.descent(&plan.access).levels + 1;
        // Where nothing is below positions, chunks of as many are found without a search.
        let below: &[Below] = match level < self.levels(&plan.access).len() {
            true => &[Below { tensor: plan.access.tensor, level }],
            false => &[],
        };
        let tasks = TaskPlan {
            forall,
            driver: Some(plan.access.clone()),
            below: Vec::new(),
            kind: TaskKind::Own,
            fan_outs: Vec::new(),
            repeated: Vec::new(),
            shared_loop: None,
        };
        let shared = self.divide(env, (&tasks, below), bounds, count)?;
        env.chunks = None;
        match self.carried(env, forall).first() {
            None => self.in_tasks(env, &shared, |env, own, _| iterations(env, own)),
            Some(slot) => {
                let total = self.sum_of_tasks(env, *slot, &shared, iterations)?;
                env.set_slot(*slot, total);
                Ok(())
            }
        }
    }
}
