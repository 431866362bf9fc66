//! Sparse results of loops that run in tasks: each task appends to a part of its own, with workspaces of its
//! own, and the run time joins the parts while the tasks run.
//!
//! There are many parts, so that a cache has what a task has computed when it goes to its place in the whole.
//! Each task takes the next one that nobody has, whichever task it is: so the places of parts are soon known.
//! One part alone would be the whole result: then the loop just appends.

use super::Emitter;
use super::env::Env;
use super::tasks::{Iterations, Shared};
use crate::cin_to_scf::plan::{LoopKind, ResultLevel, ResultPlan, Step};
use comet_ir::{Builder, Compare, Result, Val, ta};
use comet_notation::concrete::Access;
use melior::ir::ValueLike;

impl<'c> Emitter<'_, 'c> {
    fn result(&self) -> &ResultPlan {
        self.plan.result.as_ref().expect("tasks append to parts of a result")
    }

    /// Tasks on parts, or one by itself that appends to the tensor.
    pub(super) fn tasks_on_parts(
        &self,
        env: &Env<'c>,
        shared: &Shared<'_, 'c>,
        iterations: &Iterations<'_, 'c>,
    ) -> Result<'c, ()> {
        let several = |b: Builder<'c>| self.append_parts(&env.within(b), shared, iterations);
        self.several_or_one(env.b, shared, several, |b| {
            let mut env = env.within(b);
            self.append_iterations(&mut env, shared.bounds, iterations)?;
            self.end_results(&mut env)
        })
    }

    /// How many values a result stores together: those of the full levels below all others.
    pub(super) fn values_of_entry(&self, env: &Env<'c>) -> Result<'c, Val<'c>> {
        let access = &self.result().access;
        let levels = self.levels(access);
        let mut values = self.constant(1)?;
        for number in (0..levels.len()).rev().take_while(|number| levels[*number].kind.is_full()) {
            values = env.b.muli(values, self.level_size(env, access.tensor, number)?)?;
        }
        Ok(values)
    }

    /// Tasks append each to a part.
    fn append_parts(
        &self,
        env: &Env<'c>,
        shared: &Shared<'_, 'c>,
        iterations: &Iterations<'_, 'c>,
    ) -> Result<'c, ()> {
        let b = env.b;
        let tensor = self.kept_in(self.result().access.tensor);
        self.begin_storage(env, self.result())?;
        ta::PartsBegin::build(b, tensor, shared.count)?;
        self.parallel(b, shared.count, |b, _| {
            let mut env = env.within(b);
            let number = ta::PartClaim::build(b, tensor)?.number();
            let own = self.share(&env, shared, number)?;
            env.own_part = Some(ta::Part::build(b, tensor, number)?.part());
            self.append_iterations(&mut env, own, iterations)?;
            self.end_part(&mut env, number, shared, own)
        })?;
        ta::PartsEnd::build(b, tensor).map(|_| ())
    }

    /// Iterations of the loop, with results and workspaces of their own.
    fn append_iterations(
        &self,
        env: &mut Env<'c>,
        bounds: [Val<'c>; 2],
        iterations: &Iterations<'_, 'c>,
    ) -> Result<'c, ()> {
        self.begin_anew();
        self.begin_results(env)?;
        self.begin_workspaces(env)?;
        iterations(env, bounds)?;
        self.end_fiber(env, self.fiber_of_parts())
    }

    /// The level of the result whose fibers the loop that runs in tasks visits.
    fn fiber_of_parts(&self) -> Option<ResultLevel> {
        self.plan.body.iter().find_map(|step| match step {
            Step::Loop(planned) if Some(planned.forall) == self.plan.parts => match &planned.kind {
                LoopKind::Values { fiber, .. } => *fiber,
                _ => None,
            },
            _ => None,
        })
    }

    /// Completes the part of a task with these bounds.
    fn end_part(
        &self,
        env: &mut Env<'c>,
        number: Val<'c>,
        shared: &Shared<'_, 'c>,
        own: [Val<'c>; 2],
    ) -> Result<'c, ()> {
        let [first, last] = match &shared.plan.driver {
            Some(driver) => self.coordinates_of(env, driver, shared.bounds, own)?,
            None => own,
        };
        let counts = self.part_counts(env)?;
        let tensor = self.kept_in(self.result().access.tensor);
        ta::PartEnd::build(env.b, tensor, number, first, last, &counts).map(|_| ())
    }

    /// The coordinates of the outermost level that iterations over some positions of a driver's first level
    /// visit: from that of the first to that of the first after them, so that each is in one task. `all` are
    /// the positions of the loop.
    fn coordinates_of(
        &self,
        env: &Env<'c>,
        driver: &Access,
        all: [Val<'c>; 2],
        own: [Val<'c>; 2],
    ) -> Result<'c, [Val<'c>; 2]> {
        let b = env.b;
        let zero = self.constant(0)?;
        let size = self.level_size(env, driver.tensor, 0)?;
        let at = self.level_at(env, driver, 0);
        let coordinate = |position: Val<'c>| {
            let is_inside = b.cmpi(Compare::Lt, position, all[1])?;
            let stored = |b| at.iterator().coordinate(at.within(b), zero, position);
            let found = b.choose(is_inside, size.r#type(), stored, |_| Ok(size))?;
            let is_first = b.cmpi(Compare::Eq, position, all[0])?;
            b.select(is_first, zero, found)
        };
        Ok([coordinate(own[0])?, coordinate(own[1])?])
    }
}
