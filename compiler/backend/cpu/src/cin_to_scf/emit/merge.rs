//! Loops over the coordinates of several operands, such as the sum of a sparse and a dense matrix.
//!
//! The loop carries a cursor into each operand's level. At every coordinate each operand is present or
//! absent; the plan has a body for each case, with the absent operands left out of its sums: the points of a
//! merge lattice (Kjolstad 2017, section 5). Their number grows exponentially, so that for many operands
//! there is one body instead, in which each of them is present or absent at run time.

use super::Emitter;
use super::cursor::{
    Cursor, all_inside, any_inside, are_together, folded, greatest, least, left, lengths, moved_to, states,
};
use super::env::Env;
use super::visit::Visited;
use crate::cin_to_scf::plan::{Cases, LatticeLoop, MergeKind, MergePlan, Presences, Visit};
use comet_ir::{Bounds, Builder, Compare, Result, Val};
use comet_notation::concrete::{Access, LoopId};

/// From that many times as many coordinates on, searching for one is less work than passing over the others.
const WORTH_SEARCHING: i64 = 16;

/// Whether a loop goes on, given its cursors.
type Condition<'c> = fn(Builder<'c>, &[Cursor<'c>]) -> Result<'c, Val<'c>>;

impl<'c> Emitter<'_, 'c> {
    pub(super) fn merge(&self, env: &mut Env<'c>, forall: LoopId, plan: &MergePlan) -> Result<'c, ()> {
        let visited = Visited { forall, var: plan.var };
        let is_all = matches!(plan.kind, MergeKind::All(_));
        self.begin_part(env, plan.part)?;
        let mut cursors = Vec::new();
        for operand in &plan.operands {
            let mut cursor = self.cursor(env, operand)?;
            if !is_all {
                cursor = self.without_padding(env, cursor)?;
            }
            cursors.push(self.part_of_cursor(env, cursor)?);
        }
        if !is_all {
            self.reserve_iterations(env, plan.reserve, |_| left(env.b, &cursors))?;
        }
        match &plan.kind {
            MergeKind::All(presences) => self.merge_all(env, visited, &cursors, presences),
            MergeKind::Intersect(then) => self.intersect(env, visited, &cursors, then),
            MergeKind::Any(then) => self.merge_any(env, visited, &cursors, then),
            MergeKind::Lattice(loops) => {
                let mut cursors = cursors;
                loops.iter().try_for_each(|planned| self.lattice_loop(env, visited, &mut cursors, planned))
            }
        }
    }

    /// The cursor over the coordinates in the part that is visited.
    fn part_of_cursor(&self, env: &Env<'c>, cursor: Cursor<'c>) -> Result<'c, Cursor<'c>> {
        let Some(part) = env.part else { return Ok(cursor) };
        let first = self.seek(env, &cursor, part.start)?;
        let end = self.seek(env, &first, part.stop)?.position();
        Ok(first.until(end))
    }

    /// Visits every coordinate, with a cursor into each operand.
    fn merge_all(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        cursors: &[Cursor<'c>],
        presences: &Presences,
    ) -> Result<'c, ()> {
        let (start, stop) = match env.part {
            Some(part) => (part.start, part.stop),
            None => (self.constant(0)?, self.extent(env, visited.var)?),
        };
        let bounds = Bounds { start, stop, step: self.constant(1)? };
        let initial = states(cursors);
        self.for_loop(env, (visited.forall, bounds), &initial, |env, coordinate, held| {
            let cursors = moved_to(cursors, held);
            env.bind(visited.var, coordinate);
            match presences {
                Presences::Cases(cases) => self.cases(env, visited, (&cursors, coordinate), cases),
                Presences::AtRunTime(then) => {
                    let cursors = self.look(env, cursors)?;
                    self.at_run_time(env, visited, (&cursors, coordinate), then)
                }
            }
        })
        .map(|_| ())
    }

    /// A loop that carries cursors and runs while `goes_on`; `body` returns where the cursors are next.
    /// Returns where they are in the end.
    fn carry(
        &self,
        env: &mut Env<'c>,
        forall: LoopId,
        (cursors, goes_on): (&[Cursor<'c>], Condition<'c>),
        body: impl FnOnce(&mut Env<'c>, Vec<Cursor<'c>>) -> Result<'c, Vec<Val<'c>>>,
    ) -> Result<'c, Vec<Cursor<'c>>> {
        let results = self.while_loop(
            env,
            forall,
            &states(cursors),
            |b, held| goes_on(b, &moved_to(cursors, held)),
            |env, held| body(env, moved_to(cursors, held)),
        )?;
        Ok(moved_to(cursors, &results))
    }

    /// The coordinates that all of the operands store. A cursor before the furthest goes on by one position,
    /// or where one operand stores far more than another, to the furthest's coordinate.
    fn intersect(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        cursors: &[Cursor<'c>],
        then: &Visit,
    ) -> Result<'c, ()> {
        let b = env.b;
        let gallops = self.is_skewed(b, cursors)?;
        let forall = visited.forall;
        self.carry(env, forall, (cursors, all_inside), |env, here| {
            let b = env.b;
            let here = self.read_all(env, here)?;
            let furthest = greatest(b, &here)?;
            let together = are_together(b, &here)?;
            let types = b.types_of(&states(&here));
            self.either(
                env,
                (forall, together),
                &types,
                |env| self.at_common(env, visited, &here, then),
                |env| self.catch_up(env, &here, (furthest, gallops)),
            )
        })
        .map(|_| ())
    }

    /// The body at a coordinate that all cursors are at; returns where they are next.
    fn at_common(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        cursors: &[Cursor<'c>],
        then: &Visit,
    ) -> Result<'c, Vec<Val<'c>>> {
        let coordinate = cursors[0].stored.expect("the cursors have been read");
        env.bind(visited.var, coordinate);
        let mut next = Vec::new();
        for cursor in cursors {
            next.extend(self.take(env, cursor, coordinate)?.state());
        }
        self.visit(env, visited, then)?;
        Ok(next)
    }

    /// Whether looking for the coordinates of one operand in another is less work than going through both.
    fn is_skewed(&self, b: Builder<'c>, cursors: &[Cursor<'c>]) -> Result<'c, Val<'c>> {
        let lengths = lengths(b, cursors).collect::<Result<'c, Vec<_>>>()?;
        let all = || lengths.iter().copied().map(Ok);
        let shortest = folded(all(), |least, length| b.mini(least, length))?;
        let longest = folded(all(), |most, length| b.maxi(most, length))?;
        let worth = b.muli(shortest, self.constant(WORTH_SEARCHING)?)?;
        b.cmpi(Compare::Lt, worth, longest)
    }

    /// Where the cursors are next that are before a coordinate; the others stay.
    fn catch_up(
        &self,
        env: &Env<'c>,
        cursors: &[Cursor<'c>],
        (furthest, gallops): (Val<'c>, Val<'c>),
    ) -> Result<'c, Vec<Val<'c>>> {
        let b = env.b;
        let types = b.types_of(&states(cursors));
        let search = |b: Builder<'c>| {
            let mut next = Vec::new();
            for cursor in cursors {
                let is_before = self.is_at(&env.within(b), cursor, (Compare::Lt, furthest))?;
                let found = |b: Builder<'c>| Ok(self.seek(&env.within(b), cursor, furthest)?.state());
                let here = cursor.state();
                next.extend(b.if_else(is_before, &b.types_of(&here), found, |_| Ok(here.clone()))?);
            }
            Ok(next)
        };
        b.if_else(gallops, &types, search, |b| self.step_first_before(&env.within(b), cursors, furthest))
    }

    /// Where the cursors are once the first of them that is before a coordinate, or else the last, has gone
    /// on by one position.
    ///
    /// A branch: that of the coordinates of real matrices is mostly foreseen by the processor, which then
    /// reads on without waiting for the comparison. Said to be expected, lest it become a selection.
    fn step_first_before(
        &self,
        env: &Env<'c>,
        cursors: &[Cursor<'c>],
        coordinate: Val<'c>,
    ) -> Result<'c, Vec<Val<'c>>> {
        let b = env.b;
        let (first, others) = cursors.split_first().expect("there are operands to intersect");
        if others.is_empty() {
            return Ok(self.step(env, first, None)?.state());
        }
        let is_before = self.is_at(env, first, (Compare::Lt, coordinate))?;
        let step =
            |b: Builder<'c>| Ok([self.step(&env.within(b), first, None)?.state(), states(others)].concat());
        let stay = |b: Builder<'c>| {
            Ok([first.state(), self.step_first_before(&env.within(b), others, coordinate)?].concat())
        };
        b.if_else(b.expected(is_before)?, &b.types_of(&states(cursors)), step, stay)
    }

    /// One loop over the coordinates that any of the operands stores.
    fn merge_any(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        cursors: &[Cursor<'c>],
        then: &Visit,
    ) -> Result<'c, ()> {
        self.carry(env, visited.forall, (cursors, any_inside), |env, here| {
            let cursors = self.look(env, here)?;
            let coordinate = least(env.b, &cursors)?;
            env.bind(visited.var, coordinate);
            self.at_run_time(env, visited, (&cursors, coordinate), then)
        })
        .map(|_| ())
    }

    /// One body, in which operands are present or not at run time; returns where the cursors are afterwards.
    fn at_run_time(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        (cursors, coordinate): (&[Cursor<'c>], Val<'c>),
        then: &Visit,
    ) -> Result<'c, Vec<Val<'c>>> {
        let mut next = Vec::new();
        for cursor in cursors {
            next.extend(self.take_if(env, cursor, coordinate)?.state());
        }
        self.visit(env, visited, then)?;
        Ok(next)
    }

    /// The loop for one point of the merge lattice, at the least of its cursors' coordinates.
    fn lattice_loop(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        cursors: &mut [Cursor<'c>],
        planned: &LatticeLoop,
    ) -> Result<'c, ()> {
        let own: Vec<Cursor<'c>> = planned.point.iter().map(|number| cursors[*number].clone()).collect();
        let after = self.carry(env, visited.forall, (&own, all_inside), |env, here| {
            env.absent.extend(planned.absent.iter().cloned());
            let known = self.read_all(env, here)?;
            let coordinate = least(env.b, &known)?;
            env.bind(visited.var, coordinate);
            self.cases(env, visited, (&known, coordinate), &planned.cases)
        })?;
        for (number, cursor) in planned.point.iter().zip(after) {
            cursors[*number] = cursor;
        }
        Ok(())
    }

    /// Looks for one coordinate in the next level of an access.
    pub(super) fn search(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        access: &Access,
        presences: &Presences,
    ) -> Result<'c, ()> {
        let level = self.levels(access)[env.descent(access).levels..].iter().find(|level| !level.is_slot());
        let expr = level.expect("the access has a level left").expr;
        let coordinate = self.level_coordinate(env, expr, &access.indices)?.expect("the loops around fix it");
        let fiber = self.cursor(env, access)?;
        let cursor = self.seek(env, &fiber, coordinate)?;
        let mut inside = env.clone();
        match presences {
            Presences::Cases(cases) => self.cases(&mut inside, visited, (&[cursor], coordinate), cases)?,
            Presences::AtRunTime(then) => {
                self.at_run_time(&mut inside, visited, (&[cursor], coordinate), then)?
            }
        };
        env.take_contents(&inside);
        Ok(())
    }

    /// The body for every case of the cursors' operands; returns where the cursors are afterwards.
    fn cases(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        (cursors, coordinate): (&[Cursor<'c>], Val<'c>),
        cases: &Cases,
    ) -> Result<'c, Vec<Val<'c>>> {
        match cases {
            Cases::Visit(then) => self.visit(env, visited, then).map(|()| Vec::new()),
            Cases::Dead => {
                let mut next = Vec::new();
                for cursor in cursors {
                    next.extend(self.pass(env, cursor, coordinate)?.state());
                }
                Ok(next)
            }
            Cases::Test { present, absent } => {
                let (cursor, others) = cursors.split_first().expect("there is a cursor for each test");
                let is_present = self.is_at(env, cursor, (Compare::Eq, coordinate))?;
                let types = env.b.types_of(&states(cursors));
                self.either(
                    env,
                    (visited.forall, is_present),
                    &types,
                    |env| {
                        let next = self.take(env, cursor, coordinate)?.state();
                        Ok([next, self.cases(env, visited, (others, coordinate), present)?].concat())
                    },
                    |env| {
                        env.absent.push(cursor.access.clone());
                        let next = self.cases(env, visited, (others, coordinate), absent)?;
                        Ok([cursor.state(), next].concat())
                    },
                )
            }
        }
    }
}
