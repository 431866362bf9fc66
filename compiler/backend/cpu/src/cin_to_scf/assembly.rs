//! Results in sparse formats.
//!
//! Where the loops around the assignment are those of the result's levels, in their order, coordinates are
//! appended: each compressed level counts the coordinates that it has got, and after the body of its loop
//! takes one more if something was stored below it. The counts and the arrays are variables of the function,
//! which LLVM keeps in registers. Where `assemble(T, insert)` asks for it, the loops run twice:
//! the first time they only count the coordinates of the last compressed level, and the second time each
//! fiber has its place in arrays of the right size, whatever comes to the fibers before it.
//!
//! Where a result stores what an operand stores, nothing is appended (`same_pattern.rs`).
//!
//! Everywhere else values come as points, in any order (`insertion.rs`).

use super::Lowering;
use super::appender::{Appended, Appender, Filling};
use super::gaps;
use super::insertion::{Accumulator, Insertion};
use super::point::{Point, Positions};
use super::value::Presence;
use super::workspace::is_temporary;
use comet_dialects::cin::AssignOperation;
use comet_format::LevelGroup;
use comet_ir::{Builder, Compare, IrError, Op, Result, Val, types};
use comet_passes::assembly::appended_groups;
use comet_passes::cin::is_counted;
use comet_passes::cin::sparse_workspace::is_pack;
use comet_passes::operator::Reduction;
use melior::ir::ValueLike;

/// A sparse tensor that the compute assigns to.
pub(super) struct Assembly<'c> {
    point: Point<'c>,
    way: Way<'c>,
}

enum Way<'c> {
    Append(Appender<'c>),
    Points(Insertion<'c>),
}

impl<'c> Assembly<'c> {
    /// The tensor, where its points are collected.
    pub(super) fn collected(&self) -> Option<Val<'c>> {
        matches!(self.way, Way::Points(_)).then_some(self.point.tensor)
    }

    /// The coordinates that the compressed levels have got.
    pub(super) fn final_counts(&self, b: Builder<'c>) -> Result<'c, Vec<Val<'c>>> {
        let Way::Append(appender) = &self.way else { return Ok(Vec::new()) };
        let mut counts =
            appender.levels.iter().map(|level| b.get(level.count)).collect::<Result<'c, Vec<_>>>()?;
        if let Some(total) = appender.total {
            counts.pop();
            counts.push(total);
        }
        Ok(counts)
    }
}

impl<'c> Lowering<'c> {
    /// How points come into a tensor that collects them.
    pub(super) fn insertion_into(&self, tensor: Val<'c>) -> Option<Insertion<'c>> {
        self.results.iter().filter(|result| result.point.tensor == tensor).find_map(|result| {
            match &result.way {
                Way::Points(insertion) => Some(insertion.clone()),
                Way::Append(_) => None,
            }
        })
    }

    /// Begins every sparse tensor that the compute assigns to, workspaces aside.
    pub(super) fn begin_results(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, ()> {
        for assign in compute.descendants::<AssignOperation>() {
            let point = Point::of(assign);
            let is_known = self.is_result(point.tensor);
            if is_known || is_temporary(point.tensor) || point.format().is_dense() || is_pack(assign.typed())
            {
                continue;
            }
            let b = b.with_location(assign.location());
            if !self.results.is_empty() {
                return Err(IrError::not_supported(b.location(), "several sparse results of one compute"));
            }
            self.begin_result(b, compute, assign)?;
        }
        Ok(())
    }

    /// Begins a sparse tensor that is assigned to inside of `scope`.
    pub(super) fn begin_result(&mut self, b: Builder<'c>, scope: Op<'c>, assign: Op<'c>) -> Result<'c, ()> {
        let point = Point::of(assign);
        let workspace = Accumulator::of(point.tensor);
        let way = match appended_groups(scope, point.tensor, &self.relations) {
            Some(groups) if workspace.is_none() => Way::Append(self.begin_append(b, scope, assign, groups)?),
            _ => Way::Points(self.begin_points(b, scope, &point, workspace.unwrap_or_default())?),
        };
        self.results.push(Assembly { point, way });
        Ok(())
    }

    /// Completes a workspace that is stored as tensors are, for those who read it.
    pub(super) fn end_workspace(&mut self, b: Builder<'c>, workspace: Val<'c>) -> Result<'c, ()> {
        let place = self.results.iter().position(|result| result.point.tensor == workspace);
        let result = self.results.remove(place.expect("the where-statement has begun it"));
        self.end_result(b, result)?;
        self.storage.renew(b, workspace)
    }

    fn begin_append(
        &mut self,
        b: Builder<'c>,
        scope: Op<'c>,
        assign: Op<'c>,
        groups: Vec<LevelGroup>,
    ) -> Result<'c, Appender<'c>> {
        let point = Point::of(assign);
        let tensor = self.stored_in(point.tensor);
        let filling = if is_counted(scope) { Filling::Count } else { Filling::Grow };
        if self.parts.is_none() {
            self.begin_storage(b, scope, assign, &groups)?;
        }
        let (zero, index) = (self.storage.constant(0)?, types::index(b.context()));
        let mut levels: Vec<Appended<'c>> = Vec::new();
        for group in groups {
            let array = types::memref(point.index_type(b.context()));
            let crd = group.levels.clone().map(|_| b.variable(array)).collect::<Result<'c, Vec<_>>>()?;
            let level = Appended { count: b.variable(index)?, pos: b.variable(array)?, crd, group };
            b.set(level.count, zero)?;
            level.view_pos(b, tensor)?;
            level.view_crd(b, tensor)?;
            levels.push(level);
        }
        let values = b.variable(types::memref(types::element(tensor.r#type())))?;
        let stored = b.variable(types::int(b.context(), 1))?;
        let below = levels.last().map_or(0, |last| last.group.levels.end)..point.format().levels.len();
        let gaps = Some(below).filter(|below| gaps::are_left(scope, &point, below.clone(), &self.relations));
        let appender = Appender { filling, total: None, levels, values, stored, gaps };
        appender.view_values(b, tensor)?;
        Ok(appender)
    }

    /// Empties a tensor that is appended to, and makes room.
    pub(super) fn begin_storage(
        &mut self,
        b: Builder<'c>,
        scope: Op<'c>,
        assign: Op<'c>,
        groups: &[LevelGroup],
    ) -> Result<'c, ()> {
        let tensor = Point::of(assign).tensor;
        b.op("ta.append_begin", &[self.stored_in(tensor)], &[], &[])?;
        // A workspace begins again and again, each time with a part of what the operands store.
        if is_temporary(tensor) {
            return Ok(());
        }
        // What is counted first gets as much room as it needs.
        let guessed = groups.len() - usize::from(is_counted(scope));
        groups[..guessed].iter().try_for_each(|group| self.reserve(b, scope, assign, group))
    }

    /// Whether a result is only counted now.
    pub(super) fn is_counting(&self) -> bool {
        let is_counted = |result: &Assembly<'c>| match &result.way {
            Way::Append(appender) => matches!(appender.filling, Filling::Count),
            Way::Points(_) => false,
        };
        self.results.iter().any(is_counted)
    }

    /// After counting: arrays of the right size for the results.
    pub(super) fn begin_placing(&mut self, b: Builder<'c>) -> Result<'c, ()> {
        let zero = self.storage.constant(0)?;
        for result in &mut self.results {
            let tensor = self.storage.kept_in(result.point.tensor);
            let Way::Append(appender) = &mut result.way else { continue };
            let last = appender.levels.last().expect("a result has a compressed level");
            let total = b.get(last.count)?;
            let level = [("level", b.i64_attribute(last.group.levels.start as i64))];
            b.op("ta.append_reserve", &[tensor, total], &[], &level)?;
            last.view_pos(b, tensor)?;
            last.view_crd(b, tensor)?;
            appender.view_values(b, tensor)?;
            appender.levels.iter().try_for_each(|level| b.set(level.count, zero))?;
            (appender.filling, appender.total) = (Filling::Place, Some(total));
        }
        Ok(())
    }

    /// Completes the results.
    pub(super) fn end_results(&mut self, b: Builder<'c>) -> Result<'c, ()> {
        for result in std::mem::take(&mut self.results) {
            self.end_result(b, result)?;
        }
        Ok(())
    }

    fn end_result(&self, b: Builder<'c>, result: Assembly<'c>) -> Result<'c, ()> {
        let tensor = self.stored_in(result.point.tensor);
        match result.way {
            Way::Points(_) => b.op("ta.points_end", &[tensor], &[], &[])?,
            Way::Append(_) => {
                b.op("ta.append_end", &[vec![tensor], result.final_counts(b)?].concat(), &[], &[])?
            }
        };
        Ok(())
    }

    /// The tensor that workspaces of the compute belong to.
    pub(super) fn result_tensor(&self) -> Option<Val<'c>> {
        self.results.first().map(|result| result.point.tensor)
    }

    /// Whether a tensor is a sparse one that is assigned to: it stores what something comes to, and no more.
    pub(super) fn is_result(&self, tensor: Val<'c>) -> bool {
        self.has_same_pattern(tensor) || self.results.iter().any(|result| result.point.tensor == tensor)
    }

    /// Whether an operation assigns to a result that is appended to: its loops must not come to a
    /// coordinate twice.
    pub(super) fn appends(&self, op: Op<'c>) -> bool {
        let assigns = op.descendants::<AssignOperation>().into_iter();
        assigns.map(Point::of).any(|point| self.is_appended(point.tensor))
    }

    /// Whether coordinates are appended to a tensor here.
    pub(super) fn is_appended(&self, tensor: Val<'c>) -> bool {
        let appends = |result: &Assembly<'c>| matches!(result.way, Way::Append(_));
        self.results.iter().any(|result| result.point.tensor == tensor && appends(result))
    }

    /// The body of a loop at a coordinate; a compressed level of a result takes the coordinate if something
    /// is stored below it.
    pub(super) fn body(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        self.enter_block(b, op)?;
        let var = op.operand(0);
        let Some((point, appender, number)) = self.appended(op, var, |group| group.levels.end - 1) else {
            return self.block(b, op.body(0));
        };
        let level = &appender.levels[number];
        let next = appender.levels.get(number + 1);
        if appender.grows(number) && !self.roomy.contains(&op) {
            let one = self.storage.constant(1)?;
            appender.make_room(b, self.stored_in(point.tensor), number, one)?;
        }
        let before = match next {
            Some(next) => b.get(next.count)?,
            None => b.int(types::int(b.context(), 1), 0)?,
        };
        if next.is_none() {
            b.set(appender.stored, before)?;
        }
        self.block(b, op.body(0))?;
        let came = match next {
            Some(next) => b.cmpi(Compare::Gt, b.get(next.count)?, before)?,
            None => b.get(appender.stored)?,
        };
        let is_only_counted = next.is_none() && matches!(appender.filling, Filling::Count);
        b.if_then(came, |b| {
            let count = b.get(level.count)?;
            if !is_only_counted {
                self.store_coordinates(b, &point, level, count)?;
            }
            let one = self.storage.constant(1)?;
            b.set(level.count, b.addi(count, one)?)
        })
    }

    fn store_coordinates(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        level: &Appended<'c>,
        count: Val<'c>,
    ) -> Result<'c, ()> {
        for (number, crd) in level.group.levels.clone().zip(&level.crd) {
            let expr = point.format().levels[number].expr;
            let coordinate =
                self.level_coordinate(b, expr, &point.indices)?.expect("the loops around bind it");
            let coordinate = b.index_cast(coordinate, point.index_type(b.context()))?;
            b.store(coordinate, b.get(*crd)?, count)?;
        }
        Ok(())
    }

    /// Before the loop over `var`: where its coordinates have been counted, they begin where their parent's
    /// positions do, whatever has been computed by then.
    pub(super) fn begin_fiber(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>) -> Result<'c, ()> {
        let Some((point, appender, number)) = self.appended(op, var, |group| group.levels.start) else {
            return Ok(());
        };
        let level = &appender.levels[number];
        if number + 1 < appender.levels.len() || !matches!(appender.filling, Filling::Place) {
            return Ok(());
        }
        let parent = match self.result_position(b, &point, &appender, level.group.levels.start)? {
            Some(parent) => parent,
            None => self.storage.constant(0)?,
        };
        b.set(level.count, b.load_index(b.get(level.pos)?, parent)?)
    }

    /// After the loop over `var`: where it is that of a compressed level of a result, its parent's
    /// coordinates end here.
    pub(super) fn end_fiber(&mut self, b: Builder<'c>, op: Op<'c>, var: Val<'c>) -> Result<'c, ()> {
        let Some((point, appender, number)) = self.appended(op, var, |group| group.levels.start) else {
            return Ok(());
        };
        let level = &appender.levels[number];
        let is_last = number + 1 == appender.levels.len();
        if is_last && matches!(appender.filling, Filling::Place) {
            return Ok(());
        }
        let one = self.storage.constant(1)?;
        let end = match self.result_position(b, &point, &appender, level.group.levels.start)? {
            Some(parent) => b.addi(parent, one)?,
            None => one,
        };
        let count = b.index_cast(b.get(level.count)?, point.index_type(b.context()))?;
        b.store(count, b.get(level.pos)?, end)
    }

    /// The result that the loop `op` over `var` assigns to, with a group one of whose levels is looped over
    /// by it. A loop that fills a workspace of the result may be over the same variable.
    pub(super) fn appended(
        &self,
        op: Op<'c>,
        var: Val<'c>,
        level_of: impl Fn(&LevelGroup) -> usize,
    ) -> Option<(Point<'c>, Appender<'c>, usize)> {
        self.results.iter().find_map(|result| {
            let Way::Append(appender) = &result.way else { return None };
            let assigns = op.descendants::<AssignOperation>();
            if !assigns.into_iter().any(|assign| Point::of(assign).tensor == result.point.tensor) {
                return None;
            }
            let levels = result.point.format().levels;
            let is_it = |level: &Appended<'c>| {
                let own = levels[level_of(&level.group)];
                self.relations.level_var(own, &result.point.indices) == Some(var)
            };
            let number = appender.levels.iter().position(is_it)?;
            Some((result.point.clone(), appender.clone(), number))
        })
    }

    /// The position in the level above `end` that is computed now; `None` above the first level.
    fn result_position(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        appender: &Appender<'c>,
        end: usize,
    ) -> Result<'c, Option<Val<'c>>> {
        let mut at = Positions::default();
        for level in &appender.levels {
            if level.group.levels.end <= end {
                let last = Some(b.get(level.count)?);
                at = Positions { levels: level.group.levels.end, last, ..Positions::default() };
            }
        }
        Ok(self.position_below(b, point, at, end)?.last)
    }

    /// From a position on down through dense levels, to the one above level `end`.
    pub(super) fn position_below(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        mut at: Positions<'c>,
        end: usize,
    ) -> Result<'c, Positions<'c>> {
        for number in at.levels..end {
            let expr = point.format().levels[number].expr;
            let coordinate =
                self.level_coordinate(b, expr, &point.indices)?.expect("the loops around bind it");
            let position = self.child(b, point, &at, coordinate)?;
            at = Positions { levels: number + 1, last: Some(position), ..Positions::default() };
        }
        Ok(at)
    }

    /// An assignment to a sparse tensor; says whether it is one.
    pub(super) fn assign_result(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        presence: Presence<'c>,
    ) -> Result<'c, bool> {
        let Some(number) = self.results.iter().position(|result| result.point.tensor == point.tensor) else {
            return self.assign_same_pattern(b, point, presence);
        };
        match presence {
            Presence::Absent => {}
            Presence::Present(value) => self.store_result(b, number, point, value)?,
            Presence::Maybe { value, reached } => {
                b.if_then(reached, |b| self.store_result(b, number, point, value))?;
            }
        }
        Ok(true)
    }

    fn store_result(
        &mut self,
        b: Builder<'c>,
        number: usize,
        point: &Point<'c>,
        value: Val<'c>,
    ) -> Result<'c, ()> {
        let appender = match &self.results[number].way {
            Way::Append(appender) => appender.clone(),
            Way::Points(insertion) => {
                let insertion = insertion.clone();
                return self.insert(b, &insertion, point, value);
            }
        };
        if !matches!(appender.filling, Filling::Count) {
            if let Some(dense) = &appender.gaps {
                let last = appender.levels.last().expect("a result has a compressed level");
                let (number, arrays) = (b.get(last.count)?, [appender.stored, appender.values]);
                self.fill_gaps(b, point, dense.clone(), number, arrays)?;
            }
            let end = point.format().levels.len();
            let position =
                self.result_position(b, point, &appender, end)?.expect("a sparse tensor has levels");
            let values = b.get(appender.values)?;
            match self.lanes.is_some_and(|lanes| point.indices.contains(&lanes.var)) {
                true => self.store_lanes(b, value, [values, position], Reduction::Set)?,
                false => b.store(value, values, position)?,
            }
        }
        b.set(appender.stored, b.int(types::int(b.context(), 1), 1)?)
    }
}
