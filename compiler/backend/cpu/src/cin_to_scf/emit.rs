//! Writes the code of a plan: one function for each kind of loop.
//!
//! What is known at a place is an [`Env`] of its own for each block of code, so that nothing has to be put
//! back behind a loop. Only the arrays that are asked for in front of all loops, and the variables that
//! searches begin at, are shared by all of them.

pub(super) mod assembly;
pub(super) mod blocks;
pub(super) mod carry;
pub(super) mod copies;
pub(super) mod cursor;
pub(super) mod dense_workspace;
pub(super) mod drain;
pub(super) mod env;
pub(super) mod extent;
pub(super) mod fan_out;
pub(super) mod lanes;
pub(super) mod long_iterations;
pub(super) mod marks;
pub(super) mod merge;
pub(super) mod operator;
pub(super) mod parts;
pub(super) mod points;
pub(super) mod prefetch;
pub(super) mod room;
pub(super) mod storage;
pub(super) mod tasks;
pub(super) mod value;
pub(super) mod visit;
pub(super) mod walks;
pub(super) mod workspace;

use super::plan::{ComputePlan, Filling, Options, Step, Strategy};
use comet_ir::{Builder, Op, Result};
use comet_notation::concrete::Compute;
use comet_passes::concrete::Handles;
use env::Env;
use std::cell::RefCell;
use storage::Storage;
use walks::LastParent;

/// Writes the code of one compute.
pub(super) struct Emitter<'p, 'c> {
    pub(super) compute: &'p Compute,
    pub(super) handles: &'p Handles<'c>,
    pub(super) plan: &'p ComputePlan,
    pub(super) options: Options,
    storage: Storage<'c>,
    /// Where searches for parents of positions begin.
    last_parents: RefCell<Vec<LastParent<'c>>>,
}

/// Writes the code of a compute in front of it.
pub(super) fn emit<'c>(
    compute: Op<'c>,
    (data, handles): (&Compute, &Handles<'c>),
    plan: &ComputePlan,
    options: Options,
    storage: Storage<'c>,
) -> Result<'c, ()> {
    let last_parents = RefCell::default();
    let emitter = Emitter { compute: data, handles, plan, options, storage, last_parents };
    emitter.compute(Builder::before(compute))
}

impl<'c> Emitter<'_, 'c> {
    /// The whole of a compute, between what begins its sparse results and what completes them.
    fn compute(&self, b: Builder<'c>) -> Result<'c, ()> {
        let mut env = Env::new(b);
        for result in &self.plan.patterns {
            if let Strategy::SamePattern(pattern) = &result.strategy {
                self.begin_same_pattern(&mut env, &result.access, pattern)?;
            }
        }
        if self.plan.parts.is_none() {
            self.begin_results(&mut env)?;
            self.begin_workspaces(&mut env)?;
        }
        if self.counts_first() {
            self.steps(&mut env.clone(), &self.plan.body)?;
            self.begin_placing(&mut env)?;
            self.begin_anew();
        }
        self.steps(&mut env, &self.plan.body)?;
        self.count_last_uses(&env)?;
        self.end_results(&mut env)
    }

    /// Whether the coordinates of a result are counted before they are stored.
    fn counts_first(&self) -> bool {
        self.plan.result.as_ref().is_some_and(|result| {
            matches!(result.strategy, Strategy::Append { filling: Filling::CountAndPlace, .. })
        })
    }

    /// Loops are generated once more: what earlier code keeps in variables is of no use to them.
    fn begin_anew(&self) {
        self.last_parents.borrow_mut().clear();
    }

    /// Writes statements in an environment of their own, in the block of another one.
    fn steps_in_place(&self, env: &mut Env<'c>, mut inside: Env<'c>, steps: &[Step]) -> Result<'c, ()> {
        self.steps(&mut inside, steps)?;
        env.take_contents(&inside);
        Ok(())
    }

    /// Writes the statements of a block.
    fn steps(&self, env: &mut Env<'c>, steps: &[Step]) -> Result<'c, ()> {
        steps.iter().try_for_each(|step| match step {
            Step::Value(id) => {
                let value = self.handles.values[id.0];
                let op = Op::defining(value).expect("values of a block are computed in it");
                env.located(op.location(), |env| self.compute_value(env, *id))
            }
            Step::Assign(id, target) => {
                let location = self.handles.assigns[id.0].location();
                env.located(location, |env| self.assign(env, *id, *target))
            }
            Step::Where(statement) => {
                let location = self.handles.wheres[statement.statement.0].location();
                env.located(location, |env| self.where_statement(env, statement))
            }
            Step::Loop(planned) => {
                let location = self.handles.loops[planned.forall.0].location();
                env.located(location, |env| self.forall(env, planned))
            }
        })
    }
}
