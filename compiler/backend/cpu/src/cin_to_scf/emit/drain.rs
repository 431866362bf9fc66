//! Dense workspaces that only go on into a result: the loops of the consumer go over what has come to them,
//! in order, and leave them empty. Over several levels of the result, each loop goes over those elements that
//! agree in the coordinates of the loops around it.

use super::Emitter;
use super::dense_workspace::{DenseWorkspace, Drain};
use super::env::Env;
use super::operator::zero;
use crate::cin_to_scf::plan::{BodyPlan, ResultLevel};
use comet_ir::{Bounds, Builder, Compare, Result, Val, types};
use comet_notation::concrete::{TensorId, Var};

impl<'c> Emitter<'_, 'c> {
    /// After the producer: what has come is collected for several loops; one loop does that by itself.
    pub(super) fn collect_for_loops(&self, env: &Env<'c>, tensor: TensorId) -> Result<'c, ()> {
        let b = env.b;
        let Some(workspace) = env.dense_workspace(tensor) else { return Ok(()) };
        match &workspace.drain {
            Some(drain) if drain.drained.vars.len() > 1 => {
                self.collect(b, &workspace)?;
                b.set(drain.next, self.constant(0)?)
            }
            _ => Ok(()),
        }
    }

    /// Visits the coordinates that something came to, in order, and leaves the workspace empty.
    pub(super) fn drain_workspace(
        &self,
        env: &mut Env<'c>,
        (tensor, number): (TensorId, usize),
        reserve: Option<ResultLevel>,
        body: &BodyPlan,
    ) -> Result<'c, ()> {
        let b = env.b;
        let workspace = env.dense_workspace(tensor).expect("the compute has made its workspaces");
        if workspace.sizes.len() > 1 {
            return self.drain_level(env, (&workspace, number), reserve, body);
        }
        let count = self.collect(b, &workspace)?;
        self.reserve_iterations(env, reserve, |_| Ok(count))?;
        let bounds = Bounds { start: self.constant(0)?, stop: count, step: self.constant(1)? };
        self.for_loop(env, (body.forall, bounds), &[], |env, number, _| {
            let coordinate = env.b.load_index(workspace.touched, number)?;
            env.bind(self.compute.forall(body.forall).var, coordinate);
            self.body(env, body)?;
            Self::clear(env, &workspace, coordinate)?;
            Ok(Vec::new())
        })
        .map(|_| ())
    }

    /// After the last use of an element that is drained.
    fn clear(env: &Env<'c>, workspace: &DenseWorkspace<'c>, place: Val<'c>) -> Result<'c, ()> {
        let b = env.b;
        match workspace.adds && !env.is_counting() {
            true => {
                let zero = zero(b, types::of_value(b.context(), workspace.of.computed()))?;
                b.store_element(zero, (workspace.values, workspace.of), place)
            }
            false => Ok(()),
        }
    }

    /// Goes with one of several loops over the coordinates that something came to, under those of the loops
    /// around it. What the innermost comes to is empty then.
    fn drain_level(
        &self,
        env: &mut Env<'c>,
        (workspace, number): (&DenseWorkspace<'c>, usize),
        reserve: Option<ResultLevel>,
        body: &BodyPlan,
    ) -> Result<'c, ()> {
        let b = env.b;
        let drain = workspace.drain.as_ref().expect("only what is drained has such loops");
        let vars = &drain.drained.vars;
        let is_innermost = number + 1 == vars.len();
        let first = self.first_place(env, workspace, &vars[..number])?;
        let stride = self.product(b, &workspace.sizes[number + 1..])?;
        let limit = b.addi(first, b.muli(stride, workspace.sizes[number])?)?;
        let (count, one) = (b.get(workspace.count)?, self.constant(1)?);
        self.reserve_iterations(env, reserve, |_| b.subi(count, b.get(drain.next)?))?;
        self.while_loop(
            env,
            body.forall,
            &[],
            |b, _| is_left(b, workspace, drain, [count, limit]),
            |env, _| {
                let b = env.b;
                let turn = b.get(drain.next)?;
                let place = b.load_index(workspace.touched, turn)?;
                let offset = b.subi(place, first)?;
                let coordinate = if is_innermost { offset } else { b.divi(offset, stride)? };
                if is_innermost {
                    b.set(drain.next, b.addi(turn, one)?)?;
                }
                env.bind(self.compute.forall(body.forall).var, coordinate);
                self.body(env, body)?;
                if is_innermost {
                    Self::clear(env, workspace, place)?;
                }
                Ok(Vec::new())
            },
        )
        .map(|_| ())
    }

    /// The first place of those that agree in the coordinates of some loops around.
    fn first_place(
        &self,
        env: &Env<'c>,
        workspace: &DenseWorkspace<'c>,
        around: &[Var],
    ) -> Result<'c, Val<'c>> {
        let b = env.b;
        let sizes = &workspace.sizes;
        let mut place = self.constant(0)?;
        for (var, size) in around.iter().zip(sizes) {
            place = b.addi(b.muli(place, *size)?, self.known_coordinate(env, *var)?)?;
        }
        b.muli(place, self.product(b, &sizes[around.len()..])?)
    }
}

/// Whether something is left to drain below a place.
fn is_left<'c>(
    b: Builder<'c>,
    workspace: &DenseWorkspace<'c>,
    drain: &Drain<'c>,
    [count, limit]: [Val<'c>; 2],
) -> Result<'c, Val<'c>> {
    let turn = b.get(drain.next)?;
    let is_left = b.cmpi(Compare::Lt, turn, count)?;
    b.both(is_left, |b| b.cmpi(Compare::Lt, b.load_index(workspace.touched, turn)?, limit))
}
