//! Loops whose rounds run at the same time (comet.txt section 6.3): the rounds are cut into tasks of about
//! equal work, which `scf.parallel` goes over.
//!
//! Work is what is stored below the rounds, not their number: the boundaries of tasks are found in the
//! positions of the levels. Where there is little work it is one task, which costs next to nothing. A round
//! that has more work than a task should is shared, too (`long_rounds.rs`).

use super::Lowering;
use super::long_rounds::LongRounds;
use super::parts::Parts;
use super::point::Point;
use super::workspace::is_temporary;
use comet_dialects::cin::{AccessOperation, ForallOperation};
use comet_format::LevelKind;
use comet_ir::{Builder, Compare, Op, Result, Val, format, types};
use comet_passes::cin::parallelize::{obstacle, shared_sum};
use comet_passes::nest::optional_integer;
use comet_passes::schedule::ParallelUnit;
use melior::ir::ValueLike;
use melior::ir::attribute::DenseI32ArrayAttribute;

/// How many products and sums are worth a task. SpMV, two cores of Zen 5: so many take 7 µs, a second task
/// costs 0.4 µs, and pays from 8000 nonzeros on (0.77 of the time; 0.59 with 32,000, 1.7 with 1600).
const GRAIN: i64 = 16_384;

/// The most tasks for each thread that are made without a schedule: enough to keep all busy to the end.
const MOST: i64 = 8;

/// So many values, if each entry of the operands gives some, are a part of a sparse result, where that gives
/// more parts than there are tasks otherwise: with their coordinates they take a third of the second cache,
/// in which they are to be when the part is copied. With half as many, a fifth of the time of TTM with 32
/// columns went into claiming parts and into locks; parts of as much work, and not of as many values, made
/// SDDMM on bcsstk16 take twice as long (two cores of Zen 5).
const VALUES_OF_PART: i64 = 32_768;

/// The most parts for each thread: where there is more work, a third cache has them.
const MOST_PARTS: i64 = 128;

/// Generates some rounds of a loop, from the first bound to below the second.
pub(super) type SomeRounds<'a, 'c> =
    dyn Fn(&mut Lowering<'c>, Builder<'c>, [Val<'c>; 2]) -> Result<'c, ()> + 'a;

/// What is below the rounds of a loop: the next level of an operand, at the positions that the rounds are.
pub(super) struct Below<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) level: usize,
}

/// The rounds of a loop that tasks share.
pub(super) struct Rounds<'c> {
    pub(super) op: Op<'c>,
    /// From the first to below the second: coordinates, or positions of the driver's first level.
    pub(super) bounds: [Val<'c>; 2],
    pub(super) driver: Option<Point<'c>>,
    pub(super) below: Vec<Below<'c>>,
}

/// What is known of tasks in front of them.
pub(super) struct Shared<'c> {
    pub(super) rounds: Rounds<'c>,
    /// The work before the first round.
    first: Val<'c>,
    /// The work of all rounds.
    pub(super) all: Val<'c>,
    /// How many tasks there are.
    pub(super) count: Val<'c>,
    /// The rounds that tasks leave out, where they are long.
    pub(super) long: Option<LongRounds<'c>>,
}

impl<'c> Lowering<'c> {
    /// Whether the rounds of a loop run at the same time. Those inside of another such loop do not.
    pub(super) fn runs_in_tasks(&self, op: Op<'c>) -> bool {
        let is_marked = optional_integer(op, "parallel") == Some(ParallelUnit::Cpu as i64);
        let has_own_state = self.results.is_empty() && self.dense_workspaces.is_empty();
        let is_outermost =
            !std::iter::successors(op.parent(), |op| op.parent()).any(|op| op.is::<ForallOperation>());
        let has_obstacle = obstacle(&self.relations, op.typed()).is_some() || self.adds_in_order(op);
        is_marked && has_own_state && is_outermost && !has_obstacle
    }

    /// The rounds of a loop as tasks.
    pub(super) fn tasks(
        &mut self,
        b: Builder<'c>,
        rounds: Rounds<'c>,
        body: &SomeRounds<'_, 'c>,
    ) -> Result<'c, ()> {
        let parts = self.parts.filter(|parts| parts.forall == rounds.op);
        let [first, all] = self.work_of(b, &rounds)?;
        let count = self.task_count(b, rounds.op, all, parts)?;
        let count = self.with_copies(b, rounds.op, all, count)?;
        let long = if parts.is_none() { self.long_rounds(b, &rounds)? } else { None };
        let sum = shared_sum(&self.relations, rounds.op.typed());
        let shared = Shared { rounds, first, all, count, long };
        match (parts, sum) {
            (Some(parts), _) => self.tasks_on_parts(b, parts, &shared, body)?,
            (None, Some(sum)) if is_temporary(sum) => self.tasks_on_scalars(b, sum, &shared, body)?,
            (None, Some(sum)) => self.tasks_on_copies(b, sum, &shared, body)?,
            (None, None) => self.in_tasks(b, &shared, |this, b, own, _| body(this, b, own))?,
        }
        match shared.long {
            Some(long) => self.share_long_rounds(b, long, &shared, body),
            None => Ok(()),
        }
    }

    /// So many tasks, which a loop inside of a long round is cut into, and what each of them is to know.
    pub(super) fn cut(
        &mut self,
        b: Builder<'c>,
        rounds: Rounds<'c>,
        count: Val<'c>,
    ) -> Result<'c, Shared<'c>> {
        let [first, all] = self.work_of(b, &rounds)?;
        Ok(Shared { rounds, first, all, count, long: None })
    }

    /// A loop over tasks; `body` gets the bounds and the number of one.
    pub(super) fn in_tasks(
        &mut self,
        b: Builder<'c>,
        shared: &Shared<'c>,
        body: impl FnOnce(&mut Self, Builder<'c>, [Val<'c>; 2], Val<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        self.parallel(b, shared.count, |this, b, task| {
            let own = this.share(b, shared, task)?;
            let own = this.without_long_round(b, shared, own)?;
            body(this, b, own, task)
        })
    }

    /// The bounds of the share with a number.
    pub(super) fn share(
        &mut self,
        b: Builder<'c>,
        shared: &Shared<'c>,
        number: Val<'c>,
    ) -> Result<'c, [Val<'c>; 2]> {
        let next = b.addi(number, self.storage.constant(1)?)?;
        Ok([self.first_of_share(b, shared, number)?, self.first_of_share(b, shared, next)?])
    }

    /// The first round of the share with a number; behind the last share, the end of all.
    pub(super) fn first_of_share(
        &mut self,
        b: Builder<'c>,
        shared: &Shared<'c>,
        number: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let share = b.divi(b.muli(number, shared.all)?, shared.count)?;
        let wanted = b.addi(shared.first, share)?;
        self.first_with(b, &shared.rounds.below, shared.rounds.bounds, wanted)
    }

    /// Code for several tasks, and for one by itself.
    pub(super) fn several_or_one(
        &mut self,
        b: Builder<'c>,
        shared: &Shared<'c>,
        several: impl FnOnce(&mut Self, Builder<'c>) -> Result<'c, ()>,
        one: impl FnOnce(&mut Self, Builder<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let single = self.storage.constant(1)?;
        let are_several = b.cmpi(Compare::Gt, shared.count, single)?;
        b.if_then(are_several, |b| several(self, b))?;
        self.begin_anew();
        let is_one = b.cmpi(Compare::Le, shared.count, single)?;
        b.if_then(is_one, |b| one(self, b))
    }

    /// So many tasks, by their numbers.
    pub(super) fn parallel(
        &mut self,
        b: Builder<'c>,
        count: Val<'c>,
        body: impl FnOnce(&mut Self, Builder<'c>, Val<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let [zero, one] = [self.storage.constant(0)?, self.storage.constant(1)?];
        let segments = DenseI32ArrayAttribute::new(b.context(), &[1, 1, 1, 0]).into();
        let region = b.region(&[types::index(b.context())]);
        let attributes = [("operandSegmentSizes", segments)];
        let parallel =
            b.op_with_regions("scf.parallel", &[zero, count, one], &[], &attributes, vec![region])?;
        let inside = b.inside(parallel.body(0));
        body(self, inside, parallel.body(0).argument(0))?;
        inside.op("scf.reduce", &[], &[], &[]).map(|_| ())
    }

    /// What the rounds of a loop over all coordinates have below them, in all operands.
    pub(super) fn below_all(&self, op: Op<'c>, var: Val<'c>) -> Vec<Below<'c>> {
        let mut found: Vec<Below<'c>> = Vec::new();
        for point in op.descendants::<AccessOperation>().into_iter().map(Point::of) {
            let levels = point.format().levels;
            let is_at_var = levels.first().is_some_and(|level| {
                level.kind == LevelKind::Dense
                    && self.relations.level_var(*level, &point.indices) == Some(var)
            });
            let is_sparse = levels.iter().any(|level| level.kind != LevelKind::Dense);
            if is_at_var && is_sparse && found.iter().all(|below| below.tensor != point.tensor) {
                found.push(Below { tensor: point.tensor, level: 1 });
            }
        }
        found
    }

    /// The work before the first round, and that of all rounds.
    fn work_of(&mut self, b: Builder<'c>, rounds: &Rounds<'c>) -> Result<'c, [Val<'c>; 2]> {
        let [start, stop] = rounds.bounds;
        let first = self.work_before(b, &rounds.below, start)?;
        Ok([first, b.subi(self.work_before(b, &rounds.below, stop)?, first)?])
    }

    /// The work of all rounds before one: what is stored below them, and something for each.
    pub(super) fn work_before(
        &mut self,
        b: Builder<'c>,
        below: &[Below<'c>],
        round: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        below.iter().try_fold(round, |work, below| b.addi(work, self.stored_before(b, below, round)?))
    }

    fn stored_before(
        &mut self,
        b: Builder<'c>,
        Below { tensor, level }: &Below<'c>,
        round: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let levels = format::of_type(tensor.r#type()).levels;
        let mut position = round;
        for (number, stored) in levels.iter().enumerate().skip(*level) {
            position = match stored.kind {
                LevelKind::Dense => b.muli(position, self.storage.size(*tensor, number)?)?,
                LevelKind::Singleton => position,
                LevelKind::CompressedUnique | LevelKind::CompressedNonUnique | LevelKind::BitVector(_) => {
                    b.load_index(self.storage.positions(*tensor, number)?, position)?
                }
            };
        }
        Ok(position)
    }

    /// The first round before which there is so much work.
    fn first_with(
        &mut self,
        b: Builder<'c>,
        below: &[Below<'c>],
        [start, stop]: [Val<'c>; 2],
        wanted: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        if below.is_empty() {
            return Ok(wanted);
        }
        let [one, two] = [self.storage.constant(1)?, self.storage.constant(2)?];
        let found = b.while_loop(
            &[start, stop],
            |b, bounds| b.cmpi(Compare::Lt, bounds[0], bounds[1]),
            |b, bounds| {
                let middle = b.divi(b.addi(bounds[0], bounds[1])?, two)?;
                let is_before = b.cmpi(Compare::Lt, self.work_before(b, below, middle)?, wanted)?;
                let start = b.select(is_before, b.addi(middle, one)?, bounds[0])?;
                Ok(vec![start, b.select(is_before, bounds[1], middle)?])
            },
        )?;
        Ok(found[0])
    }

    /// As many tasks as a schedule says, or as so much work is worth and the threads can share, where each
    /// part of it goes through the loops inside that nothing sparse decides.
    fn task_count(
        &mut self,
        b: Builder<'c>,
        op: Op<'c>,
        work: Val<'c>,
        parts: Option<Parts<'c>>,
    ) -> Result<'c, Val<'c>> {
        let one = self.storage.constant(1)?;
        if let Some(tasks) = optional_integer(op, "tasks") {
            return b.maxi(b.mini(work, self.storage.constant(tasks)?)?, one);
        }
        let (grain, most) = (self.storage.constant(GRAIN)?, self.storage.constant(MOST)?);
        let parts = match parts {
            Some(parts) => {
                let values = b.muli(work, self.values_of_entry(b, parts)?)?;
                let most = self.storage.constant(MOST_PARTS)?;
                Some((b.divi(values, self.storage.constant(VALUES_OF_PART)?)?, most))
            }
            None => None,
        };
        let index = types::index(b.context());
        let (mut each, mut seen) = (one, Vec::new());
        for forall in op.descendants::<ForallOperation>() {
            let var = self.relations.unbounded(forall.operand(0));
            if !seen.contains(&var) && !self.relations.is_sparse_at(op, var) {
                each = b.muli(each, self.whole_extent(b, var)?)?;
            }
            seen.push(var);
        }
        let worth = b.divi(b.muli(work, each)?, grain)?;
        // Threads are started when they are asked for.
        let is_worth_threads = b.cmpi(Compare::Gt, worth, one)?;
        let count = b.if_else(
            is_worth_threads,
            &[index],
            |b| {
                let threads = b.value("async.runtime.num_worker_threads", &[], index)?;
                let is_alone = b.cmpi(Compare::Eq, threads, one)?;
                let mut count = b.mini(worth, b.muli(threads, most)?)?;
                if let Some((parts, most)) = parts {
                    count = b.maxi(count, b.mini(parts, b.muli(threads, most)?)?)?;
                }
                Ok(vec![b.select(is_alone, one, count)?])
            },
            |_| Ok(vec![one]),
        )?;
        Ok(count[0])
    }
}
