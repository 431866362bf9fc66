//! Rounds with so much work that the task which has one would hold up the others: tasks share the loop inside
//! of them.
//!
//! Of the rounds of a task only the last can have more work than its share, since a task ends with the round
//! that makes its share full. Where that round has twice as much as a share, the task leaves it out, and once
//! all tasks have ended, such rounds come one after another. In each the loop inside is cut into pieces, as
//! the rounds of outermost loops are: a piece has about as much work as a task's share. What pieces add up in
//! a scalar or in registers is kept apart, and is added in their order (`copies.rs`); where the rounds of the
//! loop inside write to elements of their own, there is nothing to add.
//!
//! Where no round is long, tasks look at the work of one round more, and that is all. Two threads, a matrix
//! of five rows and 4 million entries in one of them, times over those with the row in one task (two cores of
//! Zen 5, best of eight runs in turns): SpMV 0.58, SpMM with 32 columns 0.76.

use super::Lowering;
use super::point::Point;
use super::tasks::{Rounds, Shared, SomeRounds};
use super::workspace::{Slot, is_temporary};
use comet_dialects::cin::{
    AccessOperation, AssignOperation, ForallOperation, TemporaryOperation, WhereOperation,
};
use comet_format::LevelKind;
use comet_ir::{Block, Bounds, Builder, Compare, Op, Result, Val, format, pass, types};
use comet_passes::cin::parallelize::{obstacle, shared_sum};
use comet_passes::nest::{self, WorkspaceKind, optional_integer};
use melior::ir::ValueLike;

/// A round of so many shares is long. One of fewer is at most so much more than its task should have.
const SHARES: i64 = 2;

/// The rounds of a loop that its tasks leave out.
#[derive(Clone, Copy)]
pub(super) struct LongRounds<'c> {
    /// The loop inside, which tasks share.
    inner: Op<'c>,
    /// A variable: how many have been left out.
    left: Val<'c>,
}

/// What the loop inside of a long round is cut into.
#[derive(Clone, Copy)]
pub(super) struct Pieces<'c> {
    op: Op<'c>,
    count: Val<'c>,
}

/// The loop inside of each round of another loop.
struct Inner<'c> {
    op: Op<'c>,
    /// What begins the workspace that it adds to.
    where_op: Option<Op<'c>>,
}

/// The last round of a task.
struct LastRound<'c> {
    number: Val<'c>,
    work: Val<'c>,
    is_long: Val<'c>,
}

impl<'c> Lowering<'c> {
    /// In front of tasks: which rounds they are to leave out.
    pub(super) fn long_rounds(
        &mut self,
        b: Builder<'c>,
        rounds: &Rounds<'c>,
    ) -> Result<'c, Option<LongRounds<'c>>> {
        let Some(inner) = self.loop_to_cut(rounds.op) else { return Ok(None) };
        pass::decided(rounds.op.location(), || {
            let (outer, inner) = (nest::name(rounds.op.operand(0)), nest::name(inner.operand(0)));
            format!("where a round of the loop over `{outer}` is long, tasks share its loop over `{inner}`")
        });
        let integer = types::int(b.context(), 64);
        let left = b.variable(integer)?;
        b.set(left, b.int(integer, 0)?)?;
        Ok(Some(LongRounds { inner, left }))
    }

    /// The rounds of a task, without the last one if that is long.
    pub(super) fn without_long_round(
        &mut self,
        b: Builder<'c>,
        shared: &Shared<'c>,
        own: [Val<'c>; 2],
    ) -> Result<'c, [Val<'c>; 2]> {
        let Some(long) = shared.long else { return Ok(own) };
        let last = self.last_round(b, shared, own)?;
        b.if_then(last.is_long, |b| b.count_up(long.left))?;
        Ok([own[0], b.select(last.is_long, last.number, own[1])?])
    }

    /// Behind the tasks: the rounds that they have left out.
    pub(super) fn share_long_rounds(
        &mut self,
        b: Builder<'c>,
        long: LongRounds<'c>,
        shared: &Shared<'c>,
        body: &SomeRounds<'_, 'c>,
    ) -> Result<'c, ()> {
        self.begin_anew();
        let op = shared.rounds.op;
        let left = b.get(long.left)?;
        let is_any_left = b.cmpi(Compare::Gt, left, b.int(types::int(b.context(), 64), 0)?)?;
        self.only_if(b, op, is_any_left, |this, b| {
            let [start, step] = [this.storage.constant(0)?, this.storage.constant(1)?];
            let slots = this.carried(op);
            let before = [vec![shared.rounds.bounds[0]], this.contents(&slots)].concat();
            let tasks = Bounds { start, stop: shared.count, step };
            let after = b.for_step(tasks, &before, |b, task, carried| {
                this.set_contents(&slots, &carried[1..]);
                let end = this.first_of_share(b, shared, b.addi(task, step)?)?;
                this.share_long_round(b, long, shared, [carried[0], end], body)?;
                Ok([vec![end], this.contents(&slots)].concat())
            })?;
            this.set_contents(&slots, &after[1..]);
            Ok(())
        })
    }

    /// The last one of the rounds of a task, if that is long.
    fn share_long_round(
        &mut self,
        b: Builder<'c>,
        long: LongRounds<'c>,
        shared: &Shared<'c>,
        own: [Val<'c>; 2],
        body: &SomeRounds<'_, 'c>,
    ) -> Result<'c, ()> {
        let last = self.last_round(b, shared, own)?;
        self.only_if(b, shared.rounds.op, last.is_long, |this, b| {
            let count = b.divi(b.muli(last.work, shared.count)?, shared.all)?;
            let outside = this.pieces.replace(Pieces { op: long.inner, count });
            let result = body(this, b, [last.number, own[1]]);
            this.pieces = outside;
            result
        })
    }

    /// The last one of some rounds. Where there are none, it has no work.
    fn last_round(
        &mut self,
        b: Builder<'c>,
        shared: &Shared<'c>,
        [start, stop]: [Val<'c>; 2],
    ) -> Result<'c, LastRound<'c>> {
        let [one, shares] = [self.storage.constant(1)?, self.storage.constant(SHARES)?];
        let number = b.maxi(b.subi(stop, one)?, start)?;
        let before = self.work_before(b, &shared.rounds.below, number)?;
        let work = b.subi(self.work_before(b, &shared.rounds.below, stop)?, before)?;
        let (tasks, limit) = (b.muli(work, shared.count)?, b.muli(shared.all, shares)?);
        Ok(LastRound { number, work, is_long: b.cmpi(Compare::Gt, tasks, limit)? })
    }

    /// How many pieces a loop is cut into, if it is the one inside of a long round.
    pub(super) fn pieces(&self, op: Op<'c>) -> Option<Val<'c>> {
        self.pieces.filter(|pieces| pieces.op == op).map(|pieces| pieces.count)
    }

    /// The rounds of a loop as so many tasks.
    pub(super) fn in_pieces(
        &mut self,
        b: Builder<'c>,
        mut rounds: Rounds<'c>,
        count: Val<'c>,
        body: &SomeRounds<'_, 'c>,
    ) -> Result<'c, ()> {
        // Where nothing is below positions, pieces of as many are found without a search.
        rounds.below.retain(|below| below.level < format::of_type(below.tensor.r#type()).levels.len());
        let slots = self.carried(rounds.op);
        let shared = self.cut(b, rounds, count)?;
        let Some(slot) = slots.first() else {
            return self.in_tasks(b, &shared, |this, b, own, _| body(this, b, own));
        };
        let total = self.sum_of_tasks(b, *slot, &shared, body)?;
        self.set_slot(*slot, total);
        Ok(())
    }

    /// The loop inside of the rounds of a loop that can be cut into pieces: all that a round does is there,
    /// it goes over the second level of the only sparse operand, below what a round stands at, and it adds up
    /// in a scalar or in registers, or its rounds are independent.
    fn loop_to_cut(&self, forall: Op<'c>) -> Option<Op<'c>> {
        let point = only_sparse_point(forall)?;
        let levels = point.format().levels;
        let [first, second, ..] = levels[..] else { return None };
        let var = |level| self.relations.level_var(level, &point.indices);
        let is_below = var(first) == Some(self.relations.unbounded(forall.operand(0)));
        let is_simple = matches!(first.kind, LevelKind::Dense | LevelKind::CompressedUnique)
            && second.kind == LevelKind::CompressedUnique;
        let inner = self.only_loop_over(forall, var(second)?)?;
        let goes_over_it = !self.is_live_without(inner.op, &[point]);
        let is_vectorized = optional_integer(inner.op, "vectorize").is_some();
        let is_fit = is_below && is_simple && goes_over_it && !is_vectorized;
        (is_fit && self.can_be_cut(&inner)).then_some(inner.op)
    }

    /// Whether pieces of a loop can run at the same time.
    fn can_be_cut(&self, inner: &Inner<'c>) -> bool {
        let Some(sum) = shared_sum(&self.relations, inner.op.typed()) else {
            return obstacle(&self.relations, inner.op.typed()).is_none();
        };
        let in_registers =
            |op| matches!(WorkspaceKind::of(op), WorkspaceKind::Scalar | WorkspaceKind::Registers);
        let is_counted = || {
            let assigns = inner.op.descendants::<AssignOperation>().into_iter();
            let mut sums = assigns.filter(|assign| Point::of(*assign).tensor == sum);
            sums.any(|assign| inner.where_op.is_some_and(|where_op| self.counts_reached(where_op, assign)))
        };
        is_temporary(sum)
            && Op::defining(sum).is_some_and(in_registers)
            && inner.op.descendants::<TemporaryOperation>().into_iter().all(in_registers)
            && self.slot(Slot::Reached(sum)).is_none()
            && !is_counted()
            && !self.keeps_order(inner.op, sum)
    }

    /// The loop over a variable, where a loop does nothing else. Loops and one where-statement may be around.
    fn only_loop_over(&self, forall: Op<'c>, var: Val<'c>) -> Option<Inner<'c>> {
        let (mut block, mut where_op) = (forall.body(0), None);
        loop {
            let op = only_statement(block)?;
            if op.is::<WhereOperation>() && where_op.is_none() {
                (block, where_op) = (op.body(1), Some(op));
            } else if !op.is::<ForallOperation>() {
                return None;
            } else if self.relations.unbounded(op.operand(0)) == var {
                return Some(Inner { op, where_op });
            } else {
                block = op.body(0);
            }
        }
    }
}

/// The one operation of a block that is no declaration of a workspace.
fn only_statement(block: Block<'_>) -> Option<Op<'_>> {
    let mut ops = block.ops().into_iter().filter(|op| !op.is::<TemporaryOperation>());
    ops.next().filter(|_| ops.next().is_none())
}

/// The sparse operand of a loop, where there is one only.
fn only_sparse_point(forall: Op<'_>) -> Option<Point<'_>> {
    let points = forall.descendants::<AccessOperation>().into_iter().map(Point::of);
    let mut sparse = points.filter(|point| !point.format().is_dense());
    let first = sparse.next()?;
    sparse.all(|other| other == first).then_some(first)
}
