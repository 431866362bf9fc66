//! Sparse results of loops that run in tasks: each task appends to a part of its own, with workspaces of its
//! own, and in the end the parts are put side by side.

use super::Lowering;
use super::point::Point;
use crate::instrument::Instrument;
use comet_dialects::cin::{AssignOperation, ForallOperation, TemporaryOperation};
use comet_ir::{Builder, Compare, Op, Result, Val};
use comet_passes::nest::WorkspaceKind;
use comet_runtime::format::LevelKind;
use melior::ir::ValueLike;

/// A sparse result that comes in parts, one for each task of a loop.
#[derive(Clone, Copy)]
pub(super) struct Parts<'c> {
    compute: Op<'c>,
    /// The loop.
    pub(super) forall: Op<'c>,
    tensor: Val<'c>,
    /// How many there are, from in front of the tasks to behind them.
    pub(super) count: Option<Val<'c>>,
    /// The one of the task whose code is generated.
    own: Option<Val<'c>>,
}

impl<'c> Lowering<'c> {
    /// The loop of a compute whose tasks append to parts of a sparse result.
    pub(super) fn parts_of(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, Option<Parts<'c>>> {
        if self.instrument != Instrument::Nothing {
            return Ok(None);
        }
        for forall in compute.body(0).ops().into_iter().filter(|op| op.is::<ForallOperation>()) {
            let Some(tensor) = sparse_target(forall) else { continue };
            // Workspaces of other loops would have no owner.
            let is_dense = |temporary: &&Op<'c>| WorkspaceKind::of(**temporary) == WorkspaceKind::Dense;
            let workspaces =
                |op: Op<'c>| op.descendants::<TemporaryOperation>().iter().filter(is_dense).count();
            if workspaces(compute) == workspaces(forall)
                && self.runs_in_tasks(forall)
                && self.is_cut_easily_into_tasks(b, forall)?
            {
                return Ok(Some(Parts { compute, forall, tensor, count: None, own: None }));
            }
        }
        Ok(None)
    }

    /// In front of the tasks.
    pub(super) fn begin_parts(&mut self, b: Builder<'c>, parts: Parts<'c>, count: Val<'c>) -> Result<'c, ()> {
        b.op("ta.append_begin", &[parts.tensor], &[], &[])?;
        b.op("ta.parts_begin", &[parts.tensor, count], &[], &[])?;
        self.parts = Some(Parts { count: Some(count), ..parts });
        Ok(())
    }

    /// Behind them.
    pub(super) fn end_parts(&mut self, b: Builder<'c>, parts: Parts<'c>) -> Result<'c, ()> {
        self.parts = Some(parts);
        b.op("ta.parts_end", &[parts.tensor], &[], &[]).map(|_| ())
    }

    /// In a task: some rounds of the loop append to the part with its number. They have the `coordinates` of
    /// the outermost level from the first to below the second.
    pub(super) fn part(
        &mut self,
        b: Builder<'c>,
        parts: Parts<'c>,
        number: Val<'c>,
        coordinates: [Val<'c>; 2],
        rounds: impl FnOnce(&mut Self) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let part = b.value("ta.part", &[parts.tensor, number], parts.tensor.r#type())?;
        self.parts = self.parts.map(|parts| Parts { own: Some(part), ..parts });
        self.begin_results(b, parts.compute)?;
        self.begin_workspaces(b, parts.compute)?;
        rounds(self)?;
        let var = self.relations.unbounded(parts.forall.operand(0));
        self.end_fiber(b, parts.forall, var)?;
        for result in std::mem::take(&mut self.results) {
            let operands = [vec![part], coordinates.to_vec(), result.counts(b)?].concat();
            b.op("ta.part_end", &operands, &[], &[])?;
        }
        self.dense_workspaces.clear();
        self.parts = self.parts.map(|parts| Parts { own: None, ..parts });
        Ok(())
    }

    /// What a tensor that is assigned to is stored in: another one that a workspace is kept in, or a part.
    pub(super) fn stored_in(&self, tensor: Val<'c>) -> Val<'c> {
        let own = self.parts.filter(|parts| parts.tensor == tensor).and_then(|parts| parts.own);
        own.unwrap_or_else(|| self.storage.kept_in(tensor))
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
