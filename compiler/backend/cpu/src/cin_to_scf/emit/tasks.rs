//! Loops whose iterations run at the same time (comet.txt section 6.3): the iterations are divided into tasks
//! of about equal work, which `scf.parallel` goes over.
//!
//! Work is what is stored below the iterations, not their number: the boundaries of tasks are found in the
//! positions of the levels. Where there is little work it is one task, which costs next to nothing. An
//! iteration that has more work than a task should is shared, too (`long_iterations.rs`).

use super::Emitter;
use super::env::Env;
use super::long_iterations::LongIterations;
use crate::cin_to_scf::plan::{Below, TaskKind, TaskPlan};
use comet_ir::{Builder, Compare, Result, Val, types};
use comet_notation::concrete::Access;
use melior::ir::attribute::DenseI32ArrayAttribute;

/// The products and sums that are worth a task. SpMV, two cores of Zen 5: that many take 7 µs, a second task
/// costs 0.4 µs, and pays from 8000 nonzeros on (0.77 of the time; 0.59 with 32,000, 1.7 with 1600).
const GRAIN: i64 = 16_384;

/// The most tasks for each thread that are made without a schedule: enough to keep all busy to the end.
const MOST: i64 = 8;

/// That many values, if each entry of the operands contributes some, are a part of a sparse result, where
/// that gives more parts than there are tasks otherwise: with their coordinates they take a third of the
/// second cache, in which they are to be when the part is copied. With half as many, a fifth of the time of
/// TTM with 32 columns went into claiming parts and into locks; parts of as much work, and not of as many
/// values, made SDDMM on bcsstk16 take twice as long (two cores of Zen 5).
const VALUES_OF_PART: i64 = 32_768;

/// The most parts for each thread: where there is more work, a third cache has them.
const MOST_PARTS: i64 = 128;

/// Writes some iterations of a loop, from the first bound to below the second.
pub(super) type Iterations<'a, 'c> = dyn Fn(&mut Env<'c>, [Val<'c>; 2]) -> Result<'c, ()> + 'a;

/// What is known of tasks in front of them.
pub(super) struct Shared<'p, 'c> {
    pub(super) plan: &'p TaskPlan,
    /// From the first iteration to below the last: coordinates, or positions of the driver's first level.
    pub(super) bounds: [Val<'c>; 2],
    /// The levels below an iteration.
    pub(super) below: &'p [Below],
    /// The work before the first iteration.
    first: Val<'c>,
    /// The work of all iterations.
    pub(super) all: Val<'c>,
    pub(super) count: Val<'c>,
    /// The iterations that tasks leave out, where they are long.
    pub(super) long: Option<LongIterations<'c>>,
}

impl<'c> Emitter<'_, 'c> {
    /// The iterations of a loop as tasks.
    pub(super) fn tasks(
        &self,
        env: &mut Env<'c>,
        plan: &TaskPlan,
        bounds: [Val<'c>; 2],
        iterations: &Iterations<'_, 'c>,
    ) -> Result<'c, ()> {
        let [first, all] = self.work_of(env, &plan.below, bounds)?;
        let work = self.with_fibers(env, (&plan.fan_outs, bounds), all)?;
        let count = self.task_count(env, plan, work)?;
        let count = self.with_copies(env, plan, all, count)?;
        let long = self.long_iterations(env.b, plan)?;
        let shared = Shared { plan, bounds, below: &plan.below, first, all, count, long };
        match plan.kind {
            TaskKind::Parts => self.tasks_on_parts(env, &shared, iterations)?,
            TaskKind::Scalars(sum) => self.tasks_on_scalars(env, sum, &shared, iterations)?,
            TaskKind::Copies(sum) => self.tasks_on_copies(env, sum, &shared, iterations)?,
            TaskKind::Own => self.in_tasks(env, &shared, |env, own, _| iterations(env, own))?,
        }
        match shared.long {
            Some(long) => self.share_long_iterations(env, long, &shared, iterations),
            None => Ok(()),
        }
    }

    /// That many tasks, which a loop inside of a long iteration is divided into, and what each of them is to
    /// know.
    pub(super) fn divide<'p>(
        &self,
        env: &Env<'c>,
        (plan, below): (&'p TaskPlan, &'p [Below]),
        bounds: [Val<'c>; 2],
        count: Val<'c>,
    ) -> Result<'c, Shared<'p, 'c>> {
        let [first, all] = self.work_of(env, below, bounds)?;
        Ok(Shared { plan, bounds, below, first, all, count, long: None })
    }

    /// A loop over tasks; `body` gets the bounds and the number of one.
    pub(super) fn in_tasks(
        &self,
        env: &Env<'c>,
        shared: &Shared<'_, 'c>,
        body: impl FnOnce(&mut Env<'c>, [Val<'c>; 2], Val<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        self.parallel(env.b, shared.count, |b, task| {
            let mut env = env.within(b);
            let own = self.share(&env, shared, task)?;
            let own = self.without_long_iteration(&env, shared, own)?;
            body(&mut env, own, task)
        })
    }

    /// The bounds of the share with a number.
    pub(super) fn share(
        &self,
        env: &Env<'c>,
        shared: &Shared<'_, 'c>,
        number: Val<'c>,
    ) -> Result<'c, [Val<'c>; 2]> {
        let next = env.b.addi(number, self.constant(1)?)?;
        Ok([self.first_of_share(env, shared, number)?, self.first_of_share(env, shared, next)?])
    }

    /// The first iteration of the share with a number; after the last share, the end of all.
    pub(super) fn first_of_share(
        &self,
        env: &Env<'c>,
        shared: &Shared<'_, 'c>,
        number: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let b = env.b;
        let share = b.divi(b.muli(number, shared.all)?, shared.count)?;
        let wanted = b.addi(shared.first, share)?;
        self.first_with(env, shared.below, shared.bounds, wanted)
    }

    /// Code for several tasks, and for one by itself.
    pub(super) fn several_or_one(
        &self,
        b: Builder<'c>,
        shared: &Shared<'_, 'c>,
        several: impl FnOnce(Builder<'c>) -> Result<'c, ()>,
        one: impl FnOnce(Builder<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let single = self.constant(1)?;
        let are_several = b.cmpi(Compare::Gt, shared.count, single)?;
        b.if_then(are_several, several)?;
        self.begin_anew();
        let is_one = b.cmpi(Compare::Le, shared.count, single)?;
        b.if_then(is_one, one)
    }

    /// That many tasks, by their numbers.
    pub(super) fn parallel(
        &self,
        b: Builder<'c>,
        count: Val<'c>,
        body: impl FnOnce(Builder<'c>, Val<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let [zero, one] = [self.constant(0)?, self.constant(1)?];
        let segments = DenseI32ArrayAttribute::new(b.context(), &[1, 1, 1, 0]).into();
        let region = b.region(&[types::index(b.context())]);
        let attributes = [("operandSegmentSizes", segments)];
        let parallel =
            b.op_with_regions("scf.parallel", &[zero, count, one], &[], &attributes, vec![region])?;
        let inside = b.inside(parallel.body(0));
        body(inside, parallel.body(0).argument(0))?;
        inside.op("scf.reduce", &[], &[], &[]).map(|_| ())
    }

    /// The work before the first iteration, and the work of all iterations.
    fn work_of(
        &self,
        env: &Env<'c>,
        below: &[Below],
        [start, stop]: [Val<'c>; 2],
    ) -> Result<'c, [Val<'c>; 2]> {
        let first = self.work_before(env, below, start)?;
        Ok([first, env.b.subi(self.work_before(env, below, stop)?, first)?])
    }

    /// The work of all iterations before one: what is stored below them, and something for each.
    pub(super) fn work_before(
        &self,
        env: &Env<'c>,
        below: &[Below],
        iteration: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        below
            .iter()
            .try_fold(iteration, |work, below| env.b.addi(work, self.stored_before(env, below, iteration)?))
    }

    pub(super) fn stored_before(
        &self,
        env: &Env<'c>,
        below: &Below,
        iteration: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let access = Access { tensor: below.tensor, indices: Vec::new() };
        (below.level..self.levels(&access).len()).try_fold(iteration, |position, number| {
            let at = self.level_at(env, &access, number);
            at.iterator().first_below(at, position)
        })
    }

    /// The first iteration before which there is that much work.
    fn first_with(
        &self,
        env: &Env<'c>,
        below: &[Below],
        [start, stop]: [Val<'c>; 2],
        wanted: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        if below.is_empty() {
            return Ok(wanted);
        }
        let [one, two] = [self.constant(1)?, self.constant(2)?];
        let found = env.b.while_loop(
            &[start, stop],
            |b, bounds| b.cmpi(Compare::Lt, bounds[0], bounds[1]),
            |b, bounds| {
                let middle = b.divi(b.addi(bounds[0], bounds[1])?, two)?;
                let is_before =
                    b.cmpi(Compare::Lt, self.work_before(&env.within(b), below, middle)?, wanted)?;
                let start = b.select(is_before, b.addi(middle, one)?, bounds[0])?;
                Ok(vec![start, b.select(is_before, bounds[1], middle)?])
            },
        )?;
        Ok(found[0])
    }

    /// As many tasks as a schedule says, or as that much work is worth and the threads can share, where each
    /// part of it goes through the loops inside that nothing sparse decides.
    fn task_count(&self, env: &Env<'c>, plan: &TaskPlan, work: Val<'c>) -> Result<'c, Val<'c>> {
        let b = env.b;
        let one = self.constant(1)?;
        if let Some(tasks) = self.compute.forall(plan.forall).schedule.tasks {
            return b.maxi(b.mini(work, self.constant(tasks as i64)?)?, one);
        }
        let (grain, most) = (self.constant(GRAIN)?, self.constant(MOST)?);
        let parts = match plan.kind {
            TaskKind::Parts => {
                let values = b.muli(work, self.values_of_entry(env)?)?;
                let most = self.constant(MOST_PARTS)?;
                Some((b.divi(values, self.constant(VALUES_OF_PART)?)?, most))
            }
            TaskKind::Own | TaskKind::Scalars(_) | TaskKind::Copies(_) => None,
        };
        let index = types::index(b.context());
        let mut each = one;
        for var in &plan.repeated {
            each = b.muli(each, self.whole_extent(env, *var)?)?;
        }
        let worth = b.divi(b.muli(work, each)?, grain)?;
        // Threads are started when they are asked for.
        let is_worth_threads = b.cmpi(Compare::Gt, worth, one)?;
        b.choose(
            is_worth_threads,
            index,
            |b| {
                let threads = b.value("async.runtime.num_worker_threads", &[], index)?;
                let is_alone = b.cmpi(Compare::Eq, threads, one)?;
                let mut count = b.mini(worth, b.muli(threads, most)?)?;
                if let Some((parts, most)) = parts {
                    count = b.maxi(count, b.mini(parts, b.muli(threads, most)?)?)?;
                }
                b.select(is_alone, one, count)
            },
            |_| Ok(one),
        )
    }
}
