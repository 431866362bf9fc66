//! Results in sparse formats.
//!
//! Where the loops around the assignment are those of the result's levels, in their order, coordinates are
//! appended: each compressed level counts the coordinates that it has, and after the body of its loop takes
//! one more if something was stored below it. The counts and the arrays are variables of the function, which
//! LLVM keeps in registers. Where `assemble(T, insert)` asks for it, the loops run twice: the first time they
//! only count the coordinates of the last compressed level, and the second time each fiber has its place in
//! arrays of the right size, whatever comes to the fibers before it.
//!
//! A result that stores what an operand stores gets its coordinates as a whole, and each value goes where the
//! operand's position says. Everywhere else values are collected with their coordinates (`points.rs`).

use super::Emitter;
use super::env::{Descent, Env};
use super::operator::zero;
use super::points::Insertion;
use super::storage::Array;
use super::value::{Presence, lanes_of};
use crate::cin_to_scf::plan::{Filling, ResultLevel, ResultPlan, Room, Step, Strategy};
use comet_format::LevelGroup;
use comet_ir::{Bounds, Builder, Compare, IrError, Result, Val, ta, types};
use comet_notation::concrete::{Access, AssignId, TensorId};
use comet_passes::patterns::SharedPattern;
use melior::ir::ValueLike;
use std::ops::Range;

/// A sparse tensor that is being assembled.
#[derive(Clone)]
pub(in crate::cin_to_scf) struct Assembly<'c> {
    access: Access,
    writer: ResultWriter<'c>,
}

#[derive(Clone)]
enum ResultWriter<'c> {
    Append(Appender<'c>),
    Points(Insertion<'c>),
}

/// What the code does with a result that is appended to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// It stores coordinates as they come, in arrays that grow.
    Grow,
    /// It counts the coordinates of the last level.
    Count,
    /// It stores each fiber where its position says, in arrays of the right size.
    Place,
}

/// The variables of a result that is appended to.
#[derive(Clone)]
pub(super) struct Appender<'c> {
    phase: Phase,
    /// How many coordinates of the last compressed level have been counted.
    total: Option<Val<'c>>,
    levels: Vec<Appended<'c>>,
    values: Val<'c>,
    /// Whether something was stored under the last compressed coordinate.
    stored: Val<'c>,
    gaps: Option<Range<usize>>,
}

/// The variables of a level that opens a group and of the levels below that join it.
#[derive(Clone)]
struct Appended<'c> {
    group: LevelGroup,
    /// The number of coordinates stored.
    count: Val<'c>,
    pos: Val<'c>,
    /// One array for each level of the group.
    crd: Vec<Val<'c>>,
}

impl<'c> Appender<'c> {
    /// Whether the arrays of a group of levels grow when they are full.
    pub(super) fn grows(&self, group: usize) -> bool {
        group + 1 < self.levels.len() || self.phase == Phase::Grow
    }

    /// The coordinates that the compressed levels have got.
    fn final_counts(&self, b: Builder<'c>) -> Result<'c, Vec<Val<'c>>> {
        let mut counts =
            self.levels.iter().map(|level| b.get(level.count)).collect::<Result<'c, Vec<_>>>()?;
        if let Some(total) = self.total {
            counts.pop();
            counts.push(total);
        }
        Ok(counts)
    }
}

impl<'c> Appended<'c> {
    fn view_pos(&self, b: Builder<'c>, tensor: Val<'c>) -> Result<'c, ()> {
        let ty = types::element_of(self.pos);
        b.set(self.pos, ta::Positions::build(b, tensor, self.group.levels.start as i64, ty)?.positions())
    }

    fn view_crd(&self, b: Builder<'c>, tensor: Val<'c>) -> Result<'c, ()> {
        self.group.levels.clone().zip(&self.crd).try_for_each(|(level, crd)| {
            let ty = types::element_of(*crd);
            b.set(*crd, ta::Coordinates::build(b, tensor, level as i64, ty)?.coordinates())
        })
    }
}

fn view_values<'c>(b: Builder<'c>, variable: Val<'c>, tensor: Val<'c>) -> Result<'c, ()> {
    b.set(variable, ta::Values::build(b, tensor, types::element_of(variable))?.values())
}

impl<'c> Env<'c> {
    fn assembly(&self, tensor: TensorId) -> &Assembly<'c> {
        let found = self.results.iter().find(|result| result.access.tensor == tensor);
        found.expect("the result has been begun")
    }

    /// The variables of a result that is appended to.
    pub(super) fn appender(&self, level: ResultLevel) -> &Appender<'c> {
        match &self.assembly(level.tensor).writer {
            ResultWriter::Append(appender) => appender,
            ResultWriter::Points(_) => unreachable!("the plan appends to it"),
        }
    }

    /// How values come into a tensor that collects them.
    pub(super) fn insertion(&self, tensor: TensorId) -> &Insertion<'c> {
        match &self.assembly(tensor).writer {
            ResultWriter::Points(insertion) => insertion,
            ResultWriter::Append(_) => unreachable!("the plan collects its values"),
        }
    }

    /// The tensor that dense workspaces belong to while it is assembled.
    pub(super) fn result_tensor(&self) -> Option<TensorId> {
        self.results.first().map(|result| result.access.tensor)
    }

    /// Whether a result is only counted now.
    pub(super) fn is_counting(&self) -> bool {
        let is_counted = |result: &Assembly<'c>| match &result.writer {
            ResultWriter::Append(appender) => appender.phase == Phase::Count,
            ResultWriter::Points(_) => false,
        };
        self.results.iter().any(is_counted)
    }
}

impl<'c> Emitter<'_, 'c> {
    /// What a tensor that is assigned to is stored in: one that a workspace is kept in, or a part of the
    /// result.
    pub(super) fn stored_in(&self, env: &Env<'c>, tensor: TensorId) -> Val<'c> {
        let is_result = self.plan.result.as_ref().is_some_and(|result| result.access.tensor == tensor);
        env.own_part.filter(|_| is_result).unwrap_or_else(|| self.kept_in(tensor))
    }

    /// Begins the sparse result of the compute, where it has one that is assembled.
    pub(super) fn begin_results(&self, env: &mut Env<'c>) -> Result<'c, ()> {
        match &self.plan.result {
            Some(result) => self.begin_result(env, result),
            None => Ok(()),
        }
    }

    /// Begins a sparse tensor.
    pub(super) fn begin_result(&self, env: &mut Env<'c>, result: &ResultPlan) -> Result<'c, ()> {
        let at = self.handles.assigns[result.assign.0].location();
        let writer = env.located(at, |env| self.writer(env, result))?;
        env.results.push(Assembly { access: result.access.clone(), writer });
        Ok(())
    }

    fn writer(&self, env: &mut Env<'c>, result: &ResultPlan) -> Result<'c, ResultWriter<'c>> {
        match &result.strategy {
            Strategy::Append { groups, filling, gaps } => {
                // Parts are emptied once for all tasks.
                if env.own_part.is_none() {
                    self.begin_storage(env, result)?;
                }
                self.begin_append(env, result, (groups, *filling, gaps.clone())).map(ResultWriter::Append)
            }
            Strategy::Collect { .. } => self.begin_points(env, result).map(ResultWriter::Points),
            Strategy::SamePattern(_) | Strategy::InPlace => {
                unreachable!("it is begun as a whole")
            }
        }
    }

    fn begin_append(
        &self,
        env: &Env<'c>,
        result: &ResultPlan,
        (groups, filling, gaps): (&[LevelGroup], Filling, Option<Range<usize>>),
    ) -> Result<'c, Appender<'c>> {
        let b = env.b;
        let tensor = self.stored_in(env, result.access.tensor);
        let (zero, index) = (self.constant(0)?, types::index(b.context()));
        let mut levels: Vec<Appended<'c>> = Vec::new();
        for group in groups {
            let array = types::memref(self.index_type(b, result.access.tensor));
            let crd = group.levels.clone().map(|_| b.variable(array)).collect::<Result<'c, Vec<_>>>()?;
            let level =
                Appended { group: group.clone(), count: b.variable(index)?, pos: b.variable(array)?, crd };
            b.set(level.count, zero)?;
            level.view_pos(b, tensor)?;
            level.view_crd(b, tensor)?;
            levels.push(level);
        }
        let values = b.variable(self.values_type(result.access.tensor))?;
        let stored = b.variable(types::int(b.context(), 1))?;
        let phase = match filling {
            Filling::Grow => Phase::Grow,
            Filling::CountAndPlace => Phase::Count,
        };
        view_values(b, values, tensor)?;
        Ok(Appender { phase, total: None, levels, values, stored, gaps })
    }

    /// Empties a tensor that is appended to, and reserves memory for what it can get.
    pub(super) fn begin_storage(&self, env: &Env<'c>, result: &ResultPlan) -> Result<'c, ()> {
        let tensor = result.access.tensor;
        ta::AppendBegin::build(env.b, self.stored_in(env, tensor))?;
        let Strategy::Append { groups, filling, .. } = &result.strategy else { return Ok(()) };
        // A workspace begins again and again, each time with a part of what the operands store.
        if self.compute.tensor(tensor).workspace.is_some() {
            return Ok(());
        }
        // What is counted first gets as much room as it needs.
        let guessed = groups.len() - usize::from(*filling == Filling::CountAndPlace);
        groups[..guessed].iter().try_for_each(|group| self.reserve(env, result, group))
    }

    /// After counting: arrays of the right size for the result.
    pub(super) fn begin_placing(&self, env: &mut Env<'c>) -> Result<'c, ()> {
        let b = env.b;
        let zero = self.constant(0)?;
        for result in &mut env.results {
            let tensor = self.kept_in(result.access.tensor);
            let ResultWriter::Append(appender) = &mut result.writer else { continue };
            let last = appender.levels.last().expect("a result has a compressed level");
            let total = b.get(last.count)?;
            ta::AppendReserve::build(b, tensor, last.group.levels.start as i64, total)?;
            last.view_pos(b, tensor)?;
            last.view_crd(b, tensor)?;
            view_values(b, appender.values, tensor)?;
            appender.levels.iter().try_for_each(|level| b.set(level.count, zero))?;
            (appender.phase, appender.total) = (Phase::Place, Some(total));
        }
        Ok(())
    }

    /// Completes a workspace that is stored as tensors are, for those who read it.
    pub(super) fn end_workspace(&self, env: &mut Env<'c>, workspace: TensorId) -> Result<'c, ()> {
        let place = env.results.iter().position(|result| result.access.tensor == workspace);
        let result = env.results.remove(place.expect("the where-statement has begun it"));
        self.end_result(env, &result)?;
        self.renew(env, workspace)
    }

    /// Completes the results.
    pub(super) fn end_results(&self, env: &mut Env<'c>) -> Result<'c, ()> {
        let results = std::mem::take(&mut env.results);
        results.iter().try_for_each(|result| self.end_result(env, result))
    }

    fn end_result(&self, env: &Env<'c>, result: &Assembly<'c>) -> Result<'c, ()> {
        let b = env.b;
        let tensor = self.stored_in(env, result.access.tensor);
        match &result.writer {
            ResultWriter::Points(_) => ta::PointsEnd::build(b, tensor).map(|_| ()),
            ResultWriter::Append(appender) => {
                ta::AppendEnd::build(b, tensor, &appender.final_counts(b)?).map(|_| ())
            }
        }
    }

    /// Completes the part of a task; returns the counts of its levels.
    pub(super) fn part_counts(&self, env: &mut Env<'c>) -> Result<'c, Vec<Val<'c>>> {
        let results = std::mem::take(&mut env.results);
        let [Assembly { writer: ResultWriter::Append(appender), .. }] = &results[..] else {
            unreachable!("tasks append to parts of one result")
        };
        appender.final_counts(env.b)
    }

    /// The body of a loop at a coordinate of a result's level, which takes the coordinate if something is
    /// stored below it.
    pub(super) fn append_coordinate(
        &self,
        env: &mut Env<'c>,
        (level, room): (ResultLevel, Room),
        body: &[Step],
    ) -> Result<'c, ()> {
        let b = env.b;
        let appender = env.appender(level).clone();
        let (own, next) = (&appender.levels[level.group], appender.levels.get(level.group + 1));
        if Self::looks_for_room(env, level, room) {
            self.make_room(env, level, self.constant(1)?)?;
        }
        let before = match next {
            Some(next) => b.get(next.count)?,
            None => b.int(types::int(b.context(), 1), 0)?,
        };
        if next.is_none() {
            b.set(appender.stored, before)?;
        }
        self.steps(env, body)?;
        let came = match next {
            Some(next) => b.cmpi(Compare::Gt, b.get(next.count)?, before)?,
            None => b.get(appender.stored)?,
        };
        let is_only_counted = next.is_none() && appender.phase == Phase::Count;
        let access = env.assembly(level.tensor).access.clone();
        b.if_then(came, |b| {
            let count = b.get(own.count)?;
            if !is_only_counted {
                self.store_coordinates(&env.within(b), &access, own, count)?;
            }
            b.set(own.count, b.addi(count, self.constant(1)?)?)
        })
    }

    fn store_coordinates(
        &self,
        env: &Env<'c>,
        access: &Access,
        level: &Appended<'c>,
        count: Val<'c>,
    ) -> Result<'c, ()> {
        let b = env.b;
        for (number, crd) in level.group.levels.clone().zip(&level.crd) {
            let coordinate = self.result_coordinate(env, access, number)?;
            let coordinate = b.index_cast(coordinate, self.index_type(b, access.tensor))?;
            b.store(coordinate, b.get(*crd)?, count)?;
        }
        Ok(())
    }

    fn result_coordinate(&self, env: &Env<'c>, access: &Access, level: usize) -> Result<'c, Val<'c>> {
        let expr = self.levels(access)[level].expr;
        Ok(self.level_coordinate(env, expr, &access.indices)?.expect("the loops around bind it"))
    }

    /// Room for that many more coordinates of a level, and for what may come below them.
    pub(super) fn make_room(&self, env: &Env<'c>, level: ResultLevel, more: Val<'c>) -> Result<'c, ()> {
        let b = env.b;
        let (appender, tensor) = (env.appender(level), self.stored_in(env, level.tensor));
        let own = &appender.levels[level.group];
        let wanted = b.addi(b.get(own.count)?, more)?;
        let room = b.length(b.get(own.crd[0])?)?;
        let is_too_small = b.cmpi(Compare::Gt, wanted, room)?;
        b.if_then(is_too_small, |b| {
            ta::AppendGrow::build(b, tensor, own.group.levels.start as i64, wanted)?;
            own.view_crd(b, tensor)?;
            match appender.levels.get(level.group + 1) {
                Some(next) => next.view_pos(b, tensor),
                None => view_values(b, appender.values, tensor),
            }
        })
    }

    /// Before the loop over a level's fibers: where its coordinates have been counted, they begin where their
    /// parent's positions do, whatever has been computed by then.
    pub(super) fn begin_fiber(&self, env: &Env<'c>, level: Option<ResultLevel>) -> Result<'c, ()> {
        let b = env.b;
        let Some(level) = level else { return Ok(()) };
        let appender = env.appender(level);
        if level.group + 1 < appender.levels.len() || appender.phase != Phase::Place {
            return Ok(());
        }
        let own = &appender.levels[level.group];
        let parent = match self.result_position(env, level.tensor, own.group.levels.start)? {
            Some(parent) => parent,
            None => self.constant(0)?,
        };
        b.set(own.count, b.load_index(b.get(own.pos)?, parent)?)
    }

    /// After the loop over a level's fibers: its parent's coordinates end here.
    pub(super) fn end_fiber(&self, env: &Env<'c>, level: Option<ResultLevel>) -> Result<'c, ()> {
        let b = env.b;
        let Some(level) = level else { return Ok(()) };
        let appender = env.appender(level);
        let is_last = level.group + 1 == appender.levels.len();
        if is_last && appender.phase == Phase::Place {
            return Ok(());
        }
        let own = &appender.levels[level.group];
        let one = self.constant(1)?;
        let end = match self.result_position(env, level.tensor, own.group.levels.start)? {
            Some(parent) => b.addi(parent, one)?,
            None => one,
        };
        let count = b.index_cast(b.get(own.count)?, self.index_type(b, level.tensor))?;
        b.store(count, b.get(own.pos)?, end)
    }

    /// The position in the level above `end` that is computed now; `None` above the first level.
    fn result_position(&self, env: &Env<'c>, tensor: TensorId, end: usize) -> Result<'c, Option<Val<'c>>> {
        let assembly = env.assembly(tensor);
        let ResultWriter::Append(appender) = &assembly.writer else { unreachable!("it is appended to") };
        let mut at = Descent::default();
        for level in &appender.levels {
            if level.group.levels.end <= end {
                at = Descent::at(level.group.levels.end, env.b.get(level.count)?);
            }
        }
        Ok(self.position_below(env, &assembly.access, at, end)?.last)
    }

    /// From a position on down through full levels, to the one above level `end`.
    fn position_below(
        &self,
        env: &Env<'c>,
        access: &Access,
        mut at: Descent<'c>,
        end: usize,
    ) -> Result<'c, Descent<'c>> {
        for number in at.levels..end {
            let coordinate = self.result_coordinate(env, access, number)?;
            at = Descent::at(number + 1, self.child(env, access, &at, coordinate)?);
        }
        Ok(at)
    }

    /// An assignment to a sparse tensor that is assembled.
    pub(super) fn assign_result(
        &self,
        env: &Env<'c>,
        access: &Access,
        presence: Presence<'c>,
    ) -> Result<'c, ()> {
        match presence {
            Presence::Absent => Ok(()),
            Presence::Present(value) => self.store_result(env, access, value),
            Presence::Maybe { value, reached } => {
                env.b.if_then(reached, |b| self.store_result(&env.within(b), access, value))
            }
        }
    }

    fn store_result(&self, env: &Env<'c>, access: &Access, value: Val<'c>) -> Result<'c, ()> {
        let b = env.b;
        let appender = match &env.assembly(access.tensor).writer {
            ResultWriter::Append(appender) => appender,
            ResultWriter::Points(insertion) => return self.insert(env, insertion, access, value),
        };
        if appender.phase != Phase::Count {
            if let Some(full) = &appender.gaps {
                let last = appender.levels.last().expect("a result has a compressed level");
                let (number, arrays) = (b.get(last.count)?, [appender.stored, appender.values]);
                self.fill_gaps(env, access, full.clone(), (number, arrays))?;
            }
            let end = self.levels(access).len();
            let position = self.result_position(env, access.tensor, end)?;
            let position = position.expect("a sparse tensor has levels");
            let values = (b.get(appender.values)?, self.of(access.tensor));
            match lanes_of(env, access) {
                Some(lanes) => Self::store_lanes(b, lanes, value, (values, position), None)?,
                None => Self::store(b, value, values, position)?,
            }
        }
        b.set(appender.stored, b.int(types::int(b.context(), 1), 1)?)
    }

    /// Before a value is stored below the coordinate `number` of an access's last compressed level: zeros in
    /// the full levels below it, unless some value has been stored there by now.
    fn fill_gaps(
        &self,
        env: &Env<'c>,
        access: &Access,
        full: Range<usize>,
        (number, [stored, values]): (Val<'c>, [Val<'c>; 2]),
    ) -> Result<'c, ()> {
        let b = env.b;
        let sizes =
            full.map(|level| self.level_size(env, access.tensor, level)).collect::<Result<'c, Vec<_>>>()?;
        let size = self.product(b, &sizes)?;
        let (step, never) = (self.constant(1)?, b.int(types::int(b.context(), 1), 0)?);
        let is_first = b.cmpi(Compare::Eq, b.get(stored)?, never)?;
        b.if_then(is_first, |b| {
            let size = b.place(size, self.of(access.tensor))?;
            let start = b.muli(number, size)?;
            let bounds = Bounds { start, stop: b.addi(start, size)?, step };
            let values = b.get(values)?;
            b.repeat(bounds, |b, position| b.store(zero(b, types::element_of(values))?, values, position))
        })
    }

    /// Gives the result the coordinates that an operand has in its outermost levels.
    pub(super) fn begin_same_pattern(
        &self,
        env: &mut Env<'c>,
        result: &Access,
        pattern: &SharedPattern,
    ) -> Result<'c, ()> {
        let b = env.b;
        let [tensor, stored] = [result, &pattern.operand].map(|access| self.kept_in(access.tensor));
        ta::SamePattern::build(b, tensor, stored, pattern.levels as i64)?;
        let values = ta::Values::build(b, tensor, self.values_type(result.tensor))?.values();
        env.arrays.insert((result.tensor, Array::Values), values);
        Ok(())
    }

    /// An assignment to a tensor that stores what an operand stores. A sum of nothing is stored as 0.
    pub(super) fn assign_same_pattern(
        &self,
        env: &Env<'c>,
        assign: AssignId,
        presence: Presence<'c>,
    ) -> Result<'c, ()> {
        let b = env.b;
        let access = &self.compute.assign(assign).target;
        let position = self.same_position(env, assign)?;
        let values = (self.values(env, access.tensor)?, self.of(access.tensor));
        let value = match presence {
            Presence::Present(value) => value,
            Presence::Maybe { value, reached } => {
                let zero = b.broadcast(zero(b, self.element(access.tensor))?, value.r#type())?;
                b.select(reached, value, zero)?
            }
            Presence::Absent => {
                return Err(IrError::not_supported(
                    b.location(),
                    "a value that is absent where it is stored",
                ));
            }
        };
        match lanes_of(env, access) {
            Some(lanes) => Self::store_lanes(b, lanes, value, (values, position), None),
            None => Self::store(b, value, values, position),
        }
    }

    /// The position of a value: the operand's, and from there on through full levels.
    fn same_position(&self, env: &Env<'c>, assign: AssignId) -> Result<'c, Val<'c>> {
        let access = &self.compute.assign(assign).target;
        let result = self.plan.patterns.iter().find(|result| result.assign == assign);
        let (operand, levels) = match result.map(|result| &result.strategy) {
            Some(Strategy::SamePattern(pattern)) => (&pattern.operand, pattern.levels),
            Some(Strategy::InPlace) => (access, self.levels(access).len()),
            _ => unreachable!("the plan says whose coordinates it has"),
        };
        let at = env.descent(operand);
        if at.levels != levels {
            let what = "a result with an operand's coordinates, where loops have not come to them";
            return Err(IrError::not_supported(env.b.location(), what).hint("`assemble(T, append)`"));
        }
        let at = self.position_below(env, access, at, self.levels(access).len())?;
        Ok(at.last.expect("a sparse tensor has levels"))
    }
}
