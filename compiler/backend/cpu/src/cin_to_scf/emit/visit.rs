//! Loops: dense ones over coordinates, and sparse ones over the positions of a level (comet.txt Table 1).

use super::Emitter;
use super::env::{Descent, Env};
use super::tasks::Iterations;
use crate::cin_to_scf::levels::{LevelAt, State};
use crate::cin_to_scf::plan::{
    Bindings, BodyPlan, Half, LoopKind, LoopPlan, Part, ResultLevel, Room, StoredPlan, StoredPositions,
    TaskPlan, Visit, VisitKind,
};
use comet_ir::{Builder, Compare, IrError, Result, Val};
use comet_notation::concrete::{LoopId, Var};
use comet_notation::relations::Split;

/// The part of a variable's values that a loop visits: all are from `start` to below `stop`.
#[derive(Clone, Copy)]
pub(in crate::cin_to_scf) struct PartRange<'c> {
    pub(super) start: Val<'c>,
    pub(super) stop: Val<'c>,
}

/// A loop whose coordinates are being visited.
#[derive(Clone, Copy)]
pub(super) struct Visited {
    pub(super) forall: LoopId,
    pub(super) var: Var,
}

impl<'c> Emitter<'_, 'c> {
    pub(super) fn forall(&self, env: &mut Env<'c>, planned: &LoopPlan) -> Result<'c, ()> {
        let forall = planned.forall;
        match &planned.kind {
            LoopKind::Lanes(body) => {
                let mut inside = env.clone();
                inside.bind(planned.var, self.constant(0)?);
                self.steps_in_place(env, inside, body)
            }
            LoopKind::VectorBlocks { split, lanes, body } => self.vector_blocks(env, *split, *lanes, body),
            LoopKind::VectorSum { sum, lanes, body } => self.add_up_lanes(env, (forall, *sum), *lanes, body),
            LoopKind::Values { block_collected, fiber, visit } => {
                let visited = Visited { forall, var: planned.var };
                // Tasks that append to parts begin and end fibers of their own.
                let fiber = fiber.filter(|_| self.plan.parts != Some(forall));
                let mut inside = env.clone();
                self.begin_blocks(&mut inside, visited, block_collected)?;
                self.begin_fiber(&inside, fiber)?;
                self.visit(&mut inside, visited, visit)?;
                env.take_contents(&inside);
                self.end_blocks(&inside, block_collected)?;
                self.end_fiber(env, fiber)
            }
        }
    }

    /// Goes on with the coordinates of a loop's variable, down to its body.
    pub(super) fn visit(&self, env: &mut Env<'c>, visited: Visited, plan: &Visit) -> Result<'c, ()> {
        for access in &plan.located {
            self.locate(env, access)?;
        }
        match &plan.kind {
            VisitKind::Nothing => Ok(()),
            VisitKind::Body(body) => self.body(env, body),
            VisitKind::Drain { workspace, number, reserve, body } => {
                self.drain_workspace(env, (*workspace, *number), *reserve, body)
            }
            VisitKind::AtPosition { position, walk, then } => {
                let at = self.positions_location(*position);
                env.located(at, |env| self.at_fixed_position(env, visited, (*position, walk), then))
            }
            VisitKind::Search { access, presences } => self.search(env, visited, access, presences),
            VisitKind::Halves { part, halves, then } => self.halves(env, visited, (*part, halves), then),
            VisitKind::Pairs { walk, then } => self.pairs(env, visited, walk, then),
            VisitKind::All { tasks, checked, is_innermost, then } => {
                let iterations = |env: &mut Env<'c>, bounds: [Val<'c>; 2]| {
                    self.repeat(env, visited.forall, bounds, |env, coordinate| {
                        env.bind(visited.var, coordinate);
                        env.is_innermost = *is_innermost;
                        self.where_inside(env, visited, checked, then)
                    })
                };
                let bounds = [self.constant(0)?, self.extent(env, visited.var)?];
                self.iterate(env, tasks.as_deref(), bounds, &iterations)
            }
            VisitKind::Stored(plan) => self.stored(env, visited.forall, plan),
            VisitKind::Merge(plan) => self.merge(env, visited.forall, plan),
        }
    }

    /// Iterations in tasks, if they are to be, or in one loop.
    fn iterate(
        &self,
        env: &mut Env<'c>,
        tasks: Option<&TaskPlan>,
        bounds: [Val<'c>; 2],
        iterations: &Iterations<'_, 'c>,
    ) -> Result<'c, ()> {
        match tasks {
            Some(tasks) => self.tasks(env, tasks, bounds, iterations),
            None => iterations(env, bounds),
        }
    }

    /// What follows at a coordinate of a loop over all of them, where the values of some splits are in range:
    /// a fused variable may have more values than there are pairs, since the last blocks of its parts may be
    /// shorter than the others.
    fn where_inside(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        checked: &[Split<Var>],
        then: &Visit,
    ) -> Result<'c, ()> {
        let b = env.b;
        let mut is_inside = None;
        for split in checked {
            let value = self.known_coordinate(env, split.var)?;
            let extent = self.whole_extent(env, split.var)?;
            let is_below = b.cmpi(Compare::Lt, value, extent)?;
            is_inside = Some(b.joined("and", is_inside, is_below)?);
        }
        self.visit_if(env, visited, is_inside, then)
    }

    /// Goes on, under a condition if there is one.
    pub(super) fn visit_if(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        condition: Option<Val<'c>>,
        then: &Visit,
    ) -> Result<'c, ()> {
        match condition {
            Some(condition) => {
                self.only_if(env, (visited.forall, condition), |env| self.visit(env, visited, then))
            }
            None => self.visit(env, visited, then),
        }
    }

    /// The positions of an operand's next level, below its slots.
    fn stored(&self, env: &mut Env<'c>, forall: LoopId, plan: &StoredPlan) -> Result<'c, ()> {
        self.begin_part(env, plan.part)?;
        let own = env.descent(&plan.access);
        if !self.levels(&plan.access)[plan.level].is_slot() {
            return self.stored_positions(env, forall, plan);
        }
        // ELL's second level: every slot of the row.
        let bounds = [self.constant(0)?, self.level_size(env, plan.access.tensor, own.levels)?];
        self.repeat(env, forall, bounds, |env, slot| {
            let position = self.child(env, &plan.access, &own, slot)?;
            env.set_descent(&plan.access, Descent::at(own.levels + 1, position));
            self.stored_positions(env, forall, plan)
        })
    }

    fn stored_positions(&self, env: &mut Env<'c>, forall: LoopId, plan: &StoredPlan) -> Result<'c, ()> {
        let outside = env.clone();
        let descent = outside.descent(&plan.access);
        let at = self.level_at(&outside, &plan.access, descent.levels);
        let segment = match plan.positions {
            StoredPositions::Segment => at.iterator().children(at, &descent)?,
            _ => {
                let parent = descent.last.expect("the verifier refuses S as the first level");
                [parent, descent.end.unwrap_or(parent)]
            }
        };
        let state = at.iterator().open(at, &descent, segment)?;
        match plan.positions {
            StoredPositions::Segment => self.stored_segment(env, forall, plan, (at, &state, segment)),
            StoredPositions::Range => {
                self.reserve_iterations(env, plan.reserve, |_| env.b.subi(segment[1], segment[0]))?;
                self.repeat(env, forall, segment, |env, position| {
                    self.at_position(env, forall, plan, &state.moved(&[position]))
                })
            }
            StoredPositions::One => self.at_position(env, forall, plan, &state),
        }
    }

    /// The positions of a segment that the level stores for a parent.
    fn stored_segment(
        &self,
        env: &mut Env<'c>,
        forall: LoopId,
        plan: &StoredPlan,
        (at, state, segment): (LevelAt<'_, 'c>, &State<'c>, [Val<'c>; 2]),
    ) -> Result<'c, ()> {
        let b = env.b;
        let bounds = match env.part.filter(|_| plan.part.is_some()) {
            Some(part) => {
                let from = |state: &State<'c>, coordinate| -> Result<'c, State<'c>> {
                    let found = at.iterator().seek(at.within(b), state, segment[1], coordinate)?;
                    Ok(found.expect("the level can be searched"))
                };
                let first = from(state, part.start)?;
                [first.position(), from(&first, part.stop)?.position()]
            }
            None => segment,
        };
        let iterations = |env: &mut Env<'c>, bounds: [Val<'c>; 2]| {
            self.reserve_iterations(env, plan.reserve, |_| env.b.subi(bounds[1], bounds[0]))?;
            let ahead = self.rows_ahead(env, plan)?;
            self.repeat(env, forall, bounds, |env, position| {
                self.prefetch_rows(env, &ahead, plan.var, position)?;
                env.is_innermost = plan.is_innermost;
                self.at_position(env, forall, plan, &state.moved(&[position]))
            })?;
            if plan.has_long_vectors {
                env.b.last().expect("the loop is made").never_interleave();
            }
            Ok(())
        };
        match env.chunks.filter(|chunks| chunks.forall == forall) {
            Some(chunks) => self.in_chunks(env, (forall, plan), bounds, (chunks.count, &iterations)),
            None => self.iterate(env, plan.tasks.as_deref(), bounds, &iterations),
        }
    }

    /// Inside of the loop over a level's positions: binds the variable to the coordinate.
    fn at_position(
        &self,
        env: &mut Env<'c>,
        forall: LoopId,
        plan: &StoredPlan,
        state: &State<'c>,
    ) -> Result<'c, ()> {
        let level = env.descent(&plan.access).levels;
        let at = self.level_at(env, &plan.access, level);
        let coordinate = at.iterator().read(at, state)?;
        env.set_descent(&plan.access, Descent::at(level + 1, state.position()));
        env.bind(plan.var, coordinate);
        let exists = match plan.may_be_empty {
            true => Some(env.b.cmpi(Compare::Ge, coordinate, self.constant(0)?)?),
            false => None,
        };
        self.visit_if(env, Visited { forall, var: plan.var }, exists, &plan.then)
    }

    /// The body of a loop at a coordinate; a level of a result takes the coordinate if something is stored
    /// below it.
    pub(super) fn body(&self, env: &mut Env<'c>, body: &BodyPlan) -> Result<'c, ()> {
        self.enter_block(env, body.forall)?;
        match body.appended {
            Some(level) => self.append_coordinate(env, (level, body.room), &body.steps),
            None => self.steps(env, &body.steps),
        }
    }

    /// The parts of a variable, which follow from the coordinate of the whole; what is beside the part that
    /// the loop is over is left out.
    fn halves(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        (part, halves): (Part, &[(Var, Half)]),
        then: &Visit,
    ) -> Result<'c, ()> {
        let b = env.b;
        let whole = env.bound(part.whole).expect("the loops around visit its coordinates");
        let mut values = Vec::new();
        self.values_of_parts(env, part.whole, whole, &mut values)?;
        let mut is_inside = None;
        for ((half, found), value) in halves.iter().zip(values) {
            match found {
                Half::Agrees => {}
                Half::Bound => env.bind(*half, value),
                Half::Compared => {
                    let known = self.known_coordinate(env, *half)?;
                    let same = b.cmpi(Compare::Eq, known, value)?;
                    is_inside = Some(b.joined("and", is_inside, same)?);
                }
            }
        }
        env.part = None;
        self.visit_if(env, Visited { var: part.whole, ..visited }, is_inside, then)
    }

    /// The values of what a variable is split into, in the order of the plan.
    fn values_of_parts(
        &self,
        env: &Env<'c>,
        var: Var,
        value: Val<'c>,
        found: &mut Vec<Val<'c>>,
    ) -> Result<'c, ()> {
        let b = env.b;
        let splits: Vec<Split<Var>> = self.compute.relations.splits_of(var).collect();
        for split in splits {
            let factor = self.factor(env, split)?;
            let values = [b.divi(value, factor)?, b.remi(value, factor)?];
            for (half, value) in [split.outer, split.inner].into_iter().zip(values) {
                found.push(value);
                self.values_of_parts(env, half, value, found)?;
            }
        }
        Ok(())
    }

    /// Notes which values of a variable a loop over a part of it visits.
    pub(super) fn begin_part(&self, env: &mut Env<'c>, part: Option<Part>) -> Result<'c, ()> {
        env.part = match part {
            Some(part) => Some(self.part_range(env, part.whole, part.var)?),
            None => None,
        };
        Ok(())
    }

    fn part_range(&self, env: &Env<'c>, whole: Var, var: Var) -> Result<'c, PartRange<'c>> {
        let b = env.b;
        if whole == var {
            return Ok(PartRange { start: self.constant(0)?, stop: self.extent(env, var)? });
        }
        let known = self.known(env);
        let splits: Vec<Split<Var>> = self.compute.relations.splits_of(whole).collect();
        for split in splits {
            if known.is_known(split.outer) && known.completes(var, split.inner) {
                let factor = self.factor(env, split)?;
                let outer = self.known_coordinate(env, split.outer)?;
                let inner = self.part_range(env, split.inner, var)?;
                let first = b.muli(outer, factor)?;
                return Ok(PartRange {
                    start: b.addi(first, inner.start)?,
                    stop: b.addi(first, inner.stop)?,
                });
            }
            if known.is_known(split.inner) && known.completes(var, split.outer) {
                let factor = self.factor(env, split)?;
                let outer = self.part_range(env, split.outer, var)?;
                let (start, end) = (b.muli(outer.start, factor)?, b.muli(outer.stop, factor)?);
                return Ok(PartRange { start, stop: b.mini(end, self.extent(env, whole)?)? });
            }
        }
        unreachable!("the variable completes the other")
    }

    /// The error for an operand that the loops around do not reach the end of.
    pub(super) fn conflicting_order(b: Builder<'c>) -> IrError<'c> {
        IrError::not_supported(b.location(), "an operand whose storage order conflicts with the loop order")
    }

    /// Reserves a coordinate of a result's level for each of some iterations.
    pub(super) fn reserve_iterations(
        &self,
        env: &Env<'c>,
        level: Option<ResultLevel>,
        count: impl FnOnce(&Self) -> Result<'c, Val<'c>>,
    ) -> Result<'c, ()> {
        match level {
            Some(level) if env.appender(level).grows(level.group) => {
                let count = count(self)?;
                self.make_room(env, level, count)
            }
            _ => Ok(()),
        }
    }

    /// Whether a body has to look for room itself.
    pub(super) fn looks_for_room(env: &Env<'c>, level: ResultLevel, room: Room) -> bool {
        room == Room::Unknown && env.appender(level).grows(level.group)
    }
}
