//! Loops and branches that carry the workspaces which change in them, beside values of their own.

use super::Emitter;
use super::env::Env;
use crate::cin_to_scf::plan::Slot;
use comet_ir::{Bounds, Builder, Result, Ty, Val};
use comet_notation::concrete::{LoopId, TensorId};

/// What a loop or a branch leaves in its own values.
type Values<'c> = Result<'c, Vec<Val<'c>>>;

impl<'c> Emitter<'_, 'c> {
    /// Returns the slots in use that a loop may change: what loops made from it have to carry.
    pub(super) fn carried(&self, env: &Env<'c>, forall: LoopId) -> Vec<Slot> {
        let assigns = self.compute.assigns_in(&self.compute.forall(forall).body);
        let targets: Vec<TensorId> =
            assigns.into_iter().map(|assign| self.compute.assign(assign).target.tensor).collect();
        env.slots().filter(|slot| targets.contains(&slot.tensor())).collect()
    }

    /// An `scf.for` with values of its own; returns these as the last iteration leaves them.
    pub(super) fn for_loop(
        &self,
        env: &mut Env<'c>,
        (forall, bounds): (LoopId, Bounds<'c>),
        initial: &[Val<'c>],
        body: impl FnOnce(&mut Env<'c>, Val<'c>, &[Val<'c>]) -> Values<'c>,
    ) -> Values<'c> {
        let slots = self.carried(env, forall);
        let all = [initial, &env.contents(&slots)].concat();
        let results = env.b.for_step(bounds, &all, |b, value, held| {
            let mut inside = env.within(b);
            let (own, contents) = held.split_at(initial.len());
            inside.set_contents(&slots, contents);
            let next = body(&mut inside, value, own)?;
            Ok([next, inside.contents(&slots)].concat())
        })?;
        let (own, contents) = results.split_at(initial.len());
        env.set_contents(&slots, contents);
        Ok(own.to_vec())
    }

    /// An `scf.while` with values of its own, on which alone its condition depends.
    pub(super) fn while_loop(
        &self,
        env: &mut Env<'c>,
        forall: LoopId,
        initial: &[Val<'c>],
        goes_on: impl FnOnce(Builder<'c>, &[Val<'c>]) -> Result<'c, Val<'c>>,
        body: impl FnOnce(&mut Env<'c>, &[Val<'c>]) -> Values<'c>,
    ) -> Values<'c> {
        let slots = self.carried(env, forall);
        let all = [initial, &env.contents(&slots)].concat();
        let results = env.b.while_loop(
            &all,
            |b, held| goes_on(b, &held[..initial.len()]),
            |b, held| {
                let mut inside = env.within(b);
                let (own, contents) = held.split_at(initial.len());
                inside.set_contents(&slots, contents);
                let next = body(&mut inside, own)?;
                Ok([next, inside.contents(&slots)].concat())
            },
        )?;
        let (own, contents) = results.split_at(initial.len());
        env.set_contents(&slots, contents);
        Ok(own.to_vec())
    }

    /// An `scf.if` of which both branches leave values of the given types.
    pub(super) fn either(
        &self,
        env: &mut Env<'c>,
        (forall, condition): (LoopId, Val<'c>),
        types: &[Ty<'c>],
        then: impl FnOnce(&mut Env<'c>) -> Values<'c>,
        otherwise: impl FnOnce(&mut Env<'c>) -> Values<'c>,
    ) -> Values<'c> {
        let b = env.b;
        let slots = self.carried(env, forall);
        let all = [types, &b.types_of(&env.contents(&slots))].concat();
        let results = b.if_else(
            condition,
            &all,
            |b| {
                let mut inside = env.within(b);
                Ok([then(&mut inside)?, inside.contents(&slots)].concat())
            },
            |b| {
                let mut inside = env.within(b);
                Ok([otherwise(&mut inside)?, inside.contents(&slots)].concat())
            },
        )?;
        let (own, contents) = results.split_at(types.len());
        env.set_contents(&slots, contents);
        Ok(own.to_vec())
    }

    /// Runs `body` under a condition; otherwise the workspaces stay as they are.
    pub(super) fn only_if(
        &self,
        env: &mut Env<'c>,
        (forall, condition): (LoopId, Val<'c>),
        body: impl FnOnce(&mut Env<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let then = |env: &mut Env<'c>| body(env).map(|()| Vec::new());
        self.either(env, (forall, condition), &[], then, |_| Ok(Vec::new())).map(|_| ())
    }

    /// A loop from one bound to below another that is unrolled as its schedule says.
    pub(super) fn repeat(
        &self,
        env: &mut Env<'c>,
        forall: LoopId,
        [start, stop]: [Val<'c>; 2],
        body: impl FnOnce(&mut Env<'c>, Val<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let bounds = Bounds { start, stop, step: self.constant(1)? };
        self.for_loop(env, (forall, bounds), &[], |env, value, _| body(env, value).map(|()| Vec::new()))?;
        let made = env.b.last().expect("the loop is made");
        match self.compute.forall(forall).schedule.unroll {
            Some(iterations) => made.unroll(i64::try_from(iterations).unwrap_or(i64::MAX)),
            None if self.has_long_body(env, forall) => made.never_unroll(),
            None => {}
        }
        Ok(())
    }
}
