//! Sparse results of loops that run in tasks: each task appends to a part of its own, with workspaces of its
//! own, and the run time joins the parts while the tasks run.
//!
//! There are many parts, so that a cache has what a task has computed when it goes to its place in the whole.
//! Each task takes the next one that nobody has, whichever task it is: so the places of parts are soon known.
//! One part alone would be the whole result: then the loop just appends.

use super::Lowering;
use super::point::Point;
use super::tasks::{Shared, SomeRounds};
use crate::instrument::Instrument;
use comet_dialects::cin::{AssignOperation, ForallOperation, TemporaryOperation};
use comet_format::LevelKind;
use comet_ir::pass;
use comet_ir::{Builder, Compare, Op, Result, Val, types};
use comet_passes::assembly::appended_groups;
use comet_passes::nest::{self, WorkspaceKind};
use melior::ir::ValueLike;

/// A sparse result that comes in parts, from the tasks of a loop.
#[derive(Clone, Copy)]
pub(super) struct Parts<'c> {
    compute: Op<'c>,
    /// The loop.
    pub(super) forall: Op<'c>,
    /// An assignment to the result.
    assign: Op<'c>,
    tensor: Val<'c>,
    /// The part of the task that the code generated is inside of.
    own: Option<Val<'c>>,
}

impl<'c> Lowering<'c> {
    /// The loop of a compute whose tasks append to parts of a sparse result.
    pub(super) fn parts_of(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, Option<Parts<'c>>> {
        if self.instrument != Instrument::Nothing || self.same_pattern.is_some() {
            return Ok(None);
        }
        for forall in compute.body(0).ops().into_iter().filter(|op| op.is::<ForallOperation>()) {
            let Some(assign) = sparse_assign(forall) else { continue };
            if !self.runs_in_tasks(forall) {
                continue;
            }
            let Some(obstacle) = self.obstacle_to_parts(b, compute, forall)? else {
                let tensor = Point::of(assign).tensor;
                return Ok(Some(Parts { compute, forall, assign, tensor, own: None }));
            };
            pass::decided(forall.location(), || {
                let name = nest::name(forall.operand(0));
                format!("the loop over `{name}` is sequential: {obstacle}")
            });
        }
        Ok(None)
    }

    /// Why tasks do not append to parts of a result, whose rounds are independent.
    fn obstacle_to_parts(
        &mut self,
        b: Builder<'c>,
        compute: Op<'c>,
        forall: Op<'c>,
    ) -> Result<'c, Option<&'static str>> {
        if dense_workspaces(compute) != dense_workspaces(forall) {
            return Ok(Some("another loop has a workspace"));
        }
        let is_cut_easily = self.is_cut_easily_into_tasks(b, forall)?;
        Ok((!is_cut_easily)
            .then_some("it goes neither over all coordinates nor over those that one operand stores"))
    }

    /// Tasks on parts, or one by itself that appends to the tensor.
    pub(super) fn tasks_on_parts(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        shared: &Shared<'c>,
        body: &SomeRounds<'_, 'c>,
    ) -> Result<'c, ()> {
        let several = |this: &mut Self, b: Builder<'c>| this.append_parts(b, parts, shared, body);
        let one = |this: &mut Self, b: Builder<'c>| this.append_alone(b, parts, shared.rounds.bounds, body);
        self.several_or_one(b, shared, several, one)
    }

    /// How many values a result stores together: those of the dense levels below all others.
    pub(super) fn values_of_entry(&mut self, b: Builder<'c>, parts: Parts<'c>) -> Result<'c, Val<'c>> {
        let levels = Point::of(parts.assign).format().levels;
        let is_dense = |number: &usize| levels[*number].kind == LevelKind::Dense;
        let mut values = self.storage.constant(1)?;
        for number in (0..levels.len()).rev().take_while(is_dense) {
            values = b.muli(values, self.storage.size(parts.tensor, number)?)?;
        }
        Ok(values)
    }

    /// Tasks append each to a part.
    fn append_parts(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        shared: &Shared<'c>,
        body: &SomeRounds<'_, 'c>,
    ) -> Result<'c, ()> {
        let groups = appended_groups(parts.compute, parts.tensor, &self.relations);
        self.begin_storage(b, parts.compute, parts.assign, &groups.expect("entries come in order"))?;
        b.op("ta.parts_begin", &[parts.tensor, shared.count], &[], &[])?;
        self.parallel(b, shared.count, |this, b, _| {
            let number = b.value("ta.part_claim", &[parts.tensor], types::index(b.context()))?;
            let own = this.share(b, shared, number)?;
            let part = b.value("ta.part", &[parts.tensor, number], parts.tensor.r#type())?;
            this.parts = Some(Parts { own: Some(part), ..parts });
            this.append_rounds(b, parts, |this| body(this, b, own))?;
            this.parts = Some(parts);
            this.end_part(b, parts.tensor, number, shared, own)
        })?;
        b.op("ta.parts_end", &[parts.tensor], &[], &[]).map(|_| ())
    }

    /// One task by itself appends to the tensor.
    fn append_alone(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        bounds: [Val<'c>; 2],
        body: &SomeRounds<'_, 'c>,
    ) -> Result<'c, ()> {
        let before = self.parts.take();
        self.append_rounds(b, parts, |this| body(this, b, bounds))?;
        self.end_results(b)?;
        self.parts = before;
        Ok(())
    }

    /// Rounds of the loop, with results and workspaces of their own.
    fn append_rounds(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        rounds: impl FnOnce(&mut Self) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        self.begin_anew();
        self.begin_results(b, parts.compute)?;
        self.begin_workspaces(b, parts.compute)?;
        rounds(self)?;
        let var = self.relations.unbounded(parts.forall.operand(0));
        self.end_fiber(b, parts.forall, var)?;
        self.dense_workspaces.clear();
        Ok(())
    }

    /// Completes the part of a task with these bounds.
    fn end_part(
        &mut self,
        b: Builder<'c>,
        tensor: Val<'c>,
        number: Val<'c>,
        shared: &Shared<'c>,
        own: [Val<'c>; 2],
    ) -> Result<'c, ()> {
        let coordinates = match &shared.rounds.driver {
            Some(driver) => self.coordinates_of(b, driver, shared.rounds.bounds, own)?,
            None => own,
        };
        for result in std::mem::take(&mut self.results) {
            let operands = [vec![tensor, number], coordinates.to_vec(), result.final_counts(b)?].concat();
            b.op("ta.part_end", &operands, &[], &[])?;
        }
        Ok(())
    }

    /// What a tensor that is assigned to is stored in: another one that a workspace is kept in, or a part.
    pub(super) fn stored_in(&self, tensor: Val<'c>) -> Val<'c> {
        match self.parts {
            Some(Parts { tensor: whole, own: Some(own), .. }) if whole == tensor => own,
            _ => self.storage.kept_in(tensor),
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

/// The first assignment of a loop to a sparse tensor.
fn sparse_assign(forall: Op<'_>) -> Option<Op<'_>> {
    forall.descendants::<AssignOperation>().into_iter().find(|assign| {
        let point = Point::of(*assign);
        !super::workspace::is_temporary(point.tensor) && !point.format().is_dense()
    })
}
