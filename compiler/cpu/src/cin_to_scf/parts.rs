//! Sparse results of loops that run in tasks: each task appends to a part of its own, with workspaces of its
//! own, and in the end the parts are put side by side.
//!
//! Where the loops do little but go through coordinates, they run twice instead: tasks count first, and then
//! store where the entries are to stand. Putting parts side by side would take as long as making them.
//! One task by itself just appends.

use super::Lowering;
use super::point::Point;
use super::tasks::Shared;
use crate::instrument::Instrument;
use comet_dialects::cin::{AssignOperation, ForallOperation, TemporaryOperation};
use comet_ir::pass;
use comet_ir::{Builder, Compare, Op, Result, Val, format};
use comet_passes::assembly::groups;
use comet_passes::nest::{self, WorkspaceKind, optional_integer};
use comet_runtime::format::LevelKind;
use melior::ir::ValueLike;

/// A sparse result that comes in parts, one for each task of a loop.
#[derive(Clone, Copy)]
pub(super) struct Parts<'c> {
    compute: Op<'c>,
    /// The loop.
    pub(super) forall: Op<'c>,
    tensor: Val<'c>,
    /// What the code that is generated does with them.
    pub(super) stage: Stage<'c>,
}

/// What is done with parts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage<'c> {
    /// Nothing: it is in front of the tasks, or behind them.
    Outside,
    /// A task appends to its own, which is one of so many.
    Append { own: Val<'c>, count: Val<'c> },
    /// A task counts what comes to its own.
    Count,
    /// A task stores where entries have their place in the whole.
    Place,
}

impl<'c> Lowering<'c> {
    /// The loop of a compute whose tasks append to parts of a sparse result.
    pub(super) fn parts_of(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, Option<Parts<'c>>> {
        if self.instrument != Instrument::Nothing {
            return Ok(None);
        }
        for forall in compute.body(0).ops().into_iter().filter(|op| op.is::<ForallOperation>()) {
            let Some(tensor) = sparse_target(forall) else { continue };
            if !self.runs_in_tasks(forall) {
                continue;
            }
            let parts = Parts { compute, forall, tensor, stage: Stage::Outside };
            let Some(obstacle) = self.obstacle_to_parts(b, parts)? else { return Ok(Some(parts)) };
            pass::decided(forall.location(), || {
                let name = nest::name(forall.operand(0));
                format!("the rounds of the loop over `{name}` run one after the other: {obstacle}")
            });
        }
        Ok(None)
    }

    /// Why tasks do not append to parts of a result, whose rounds are independent.
    fn obstacle_to_parts(&mut self, b: Builder<'c>, parts: Parts<'c>) -> Result<'c, Option<&'static str>> {
        if dense_workspaces(parts.compute) != dense_workspaces(parts.forall) {
            return Ok(Some("another loop has a workspace"));
        }
        if !self.is_cut_easily_into_tasks(b, parts.forall)? {
            return Ok(Some("it goes neither over all coordinates nor over those that one operand stores"));
        }
        let is_wide = ends_dense(parts.tensor) && optional_integer(parts.forall, "tasks").is_none();
        let is_slow = is_wide && !self.is_counted_easily(parts);
        Ok(is_slow.then_some("dense rows take as long to be put side by side as to be computed"))
    }

    /// Tasks on parts.
    pub(super) fn tasks_on_parts(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        shared: &Shared<'c>,
        body: &impl Fn(&mut Self, Builder<'c>, [Val<'c>; 2]) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        if !self.is_counted_easily(parts) {
            return self.append_parts(b, parts, shared, body);
        }
        let one = self.storage.constant(1)?;
        let is_shared = b.cmpi(Compare::Gt, shared.count, one)?;
        b.if_then(is_shared, |b| self.count_and_place(b, parts, shared, body))?;
        let is_alone = b.cmpi(Compare::Le, shared.count, one)?;
        b.if_then(is_alone, |b| self.append_alone(b, parts, shared.rounds.bounds, body))
    }

    /// Whether counting the entries of the result takes little time: no sum over what is stored, and no
    /// workspace, has to be computed to know which there are; and one level alone is counted.
    fn is_counted_easily(&self, parts: Parts<'c>) -> bool {
        let assigns = parts.forall.descendants::<AssignOperation>().into_iter().map(Point::of);
        let target = assigns.into_iter().find(|point| point.tensor == parts.tensor);
        let indices = target.map_or_else(Vec::new, |point| point.indices);
        let is_simple = |forall: &Op<'c>| {
            let var = self.relations.unbounded(forall.operand(0));
            indices.contains(&var) || !self.relations.is_sparse_at(*forall, var)
        };
        let format = format::of_type(parts.tensor.r#type());
        groups(&format).is_some_and(|groups| groups.len() == 1)
            && begins_dense(parts.tensor)
            && parts.forall.descendants::<ForallOperation>().iter().all(is_simple)
            && dense_workspaces(parts.forall) == 0
    }

    /// Tasks append each to a part.
    fn append_parts(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        shared: &Shared<'c>,
        body: &impl Fn(&mut Self, Builder<'c>, [Val<'c>; 2]) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        self.begin_parts(b, parts, shared.count)?;
        self.in_tasks(b, shared, |this, b, own, task| {
            let part = b.value("ta.part", &[parts.tensor, task], parts.tensor.r#type())?;
            this.on_part(b, parts, Stage::Append { own: part, count: shared.count }, |this| {
                body(this, b, own)
            })?;
            this.end_part(b, part, shared, own)
        })?;
        b.op("ta.parts_end", &[parts.tensor], &[], &[]).map(|_| ())
    }

    /// Tasks count what comes to each part, and then store it.
    fn count_and_place(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        shared: &Shared<'c>,
        body: &impl Fn(&mut Self, Builder<'c>, [Val<'c>; 2]) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        self.begin_parts(b, parts, shared.count)?;
        self.in_tasks(b, shared, |this, b, own, task| {
            this.on_part(b, parts, Stage::Count, |this| body(this, b, own))?;
            let part = b.value("ta.part", &[parts.tensor, task], parts.tensor.r#type())?;
            this.end_part(b, part, shared, own)
        })?;
        b.op("ta.parts_end", &[parts.tensor], &[], &[])?;
        self.in_tasks(b, shared, |this, b, own, _| {
            this.on_part(b, parts, Stage::Place, |this| body(this, b, own))?;
            this.results.clear();
            Ok(())
        })
    }

    /// One task by itself appends to the tensor.
    fn append_alone(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        bounds: [Val<'c>; 2],
        body: &impl Fn(&mut Self, Builder<'c>, [Val<'c>; 2]) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let before = self.parts.take();
        self.begin_anew();
        self.begin_results(b, parts.compute)?;
        body(self, b, bounds)?;
        self.end_results(b)?;
        self.parts = before;
        Ok(())
    }

    fn begin_parts(&mut self, b: Builder<'c>, parts: Parts<'c>, count: Val<'c>) -> Result<'c, ()> {
        b.op("ta.append_begin", &[parts.tensor], &[], &[])?;
        b.op("ta.parts_begin", &[parts.tensor, count], &[], &[]).map(|_| ())
    }

    /// In a task: some rounds of the loop, with results and workspaces of their own.
    fn on_part(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        stage: Stage<'c>,
        rounds: impl FnOnce(&mut Self) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        self.parts = Some(Parts { stage, ..parts });
        self.begin_anew();
        self.begin_results(b, parts.compute)?;
        self.begin_workspaces(b, parts.compute)?;
        rounds(self)?;
        let var = self.relations.unbounded(parts.forall.operand(0));
        self.end_fiber(b, parts.forall, var)?;
        self.dense_workspaces.clear();
        self.parts = Some(parts);
        Ok(())
    }

    /// Completes the part of a task with these bounds.
    fn end_part(
        &mut self,
        b: Builder<'c>,
        part: Val<'c>,
        shared: &Shared<'c>,
        own: [Val<'c>; 2],
    ) -> Result<'c, ()> {
        let coordinates = match &shared.rounds.driver {
            Some(driver) => self.coordinates_of(b, driver, shared.rounds.bounds, own)?,
            None => own,
        };
        for result in std::mem::take(&mut self.results) {
            let operands = [vec![part], coordinates.to_vec(), result.counts(b)?].concat();
            b.op("ta.part_end", &operands, &[], &[])?;
        }
        Ok(())
    }

    /// What a tensor that is assigned to is stored in: another one that a workspace is kept in, or a part.
    pub(super) fn stored_in(&self, tensor: Val<'c>) -> Val<'c> {
        match self.parts {
            Some(Parts { tensor: whole, stage: Stage::Append { own, .. }, .. }) if whole == tensor => own,
            _ => self.storage.kept_in(tensor),
        }
    }

    /// Where the positions of a level of a part are counted: below a dense outermost level in the whole
    /// tensor, since each task has some of the parents.
    pub(super) fn owner_of_positions(&self, tensor: Val<'c>, number: usize) -> Val<'c> {
        match self.parts {
            Some(parts) if parts.tensor == tensor && number == 0 && begins_dense(tensor) => tensor,
            _ => self.stored_in(tensor),
        }
    }

    /// The coordinates of the outermost level that rounds over some positions of a driver's first level come
    /// to: from that of the first to that of the first behind them, so that each is in one task. `all` are
    /// the positions of the loop.
    pub(super) fn coordinates_of(
        &mut self,
        b: Builder<'c>,
        driver: &Point<'c>,
        all: [Val<'c>; 2],
        [start, stop]: [Val<'c>; 2],
    ) -> Result<'c, [Val<'c>; 2]> {
        let zero = self.storage.constant(0)?;
        let size = self.storage.size(driver.tensor, 0)?;
        let crd = self.storage.coordinates(driver.tensor, 0)?;
        let mut coordinates = Vec::new();
        for position in [start, stop] {
            let is_inside = b.cmpi(Compare::Lt, position, all[1])?;
            let index = size.r#type();
            let found = b.if_else(
                is_inside,
                &[index],
                |b| Ok(vec![b.load_index(crd, position)?]),
                |_| Ok(vec![size]),
            )?;
            let is_first = b.cmpi(Compare::Eq, position, all[0])?;
            coordinates.push(b.select(is_first, zero, found[0])?);
        }
        Ok([coordinates[0], coordinates[1]])
    }
}

/// How many dense workspaces there are in an operation.
fn dense_workspaces(op: Op<'_>) -> usize {
    let temporaries = op.descendants::<TemporaryOperation>().into_iter();
    temporaries.filter(|temporary| WorkspaceKind::of(*temporary) == WorkspaceKind::Dense).count()
}

/// Whether the innermost level of a tensor is dense.
fn ends_dense(tensor: Val<'_>) -> bool {
    let point = Point { tensor, indices: Vec::new() };
    point.format().levels.last().is_some_and(|level| level.kind == LevelKind::Dense)
}

/// Whether the outermost level of a tensor is dense.
pub(super) fn begins_dense(tensor: Val<'_>) -> bool {
    let point = Point { tensor, indices: Vec::new() };
    point.format().levels.first().is_some_and(|level| level.kind == LevelKind::Dense)
}

/// The sparse tensor that a loop assigns to.
fn sparse_target(forall: Op<'_>) -> Option<Val<'_>> {
    let mut points = forall.descendants::<AssignOperation>().into_iter().map(Point::of);
    let found =
        points.find(|point| !super::workspace::is_temporary(point.tensor) && !point.format().is_dense());
    found.map(|point| point.tensor)
}
