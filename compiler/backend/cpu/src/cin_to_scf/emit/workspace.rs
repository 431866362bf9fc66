//! Where-statements, and scalar and register workspaces: values that loops carry.

use super::Emitter;
use super::env::Env;
use super::operator::identity;
use super::value::Presence;
use crate::cin_to_scf::plan::{Produced, ProducedAs, Slot, Slots, WherePlan};
use comet_ir::{Result, Ty, types};
use comet_notation::concrete::TensorId;

impl<'c> Emitter<'_, 'c> {
    /// The producer starts from what its reduction starts from; the consumer sees what it leaves.
    pub(super) fn where_statement(&self, env: &mut Env<'c>, statement: &WherePlan) -> Result<'c, ()> {
        let mut inside = env.clone();
        for produced in &statement.produced {
            self.begin_produced(&mut inside, produced)?;
        }
        self.steps(&mut inside, &statement.producer)?;
        for produced in &statement.produced {
            match &produced.as_ {
                ProducedAs::Dense => self.collect_for_loops(&inside, produced.tensor)?,
                ProducedAs::Stored(_) => self.end_workspace(&mut inside, produced.tensor)?,
                ProducedAs::Carried(_) => {}
            }
        }
        if let Some(consumer) = &statement.consumer {
            self.steps(&mut inside, consumer)?;
        }
        env.take_contents(&inside);
        Ok(())
    }

    /// Before the producer: a workspace that it assigns to holds nothing.
    fn begin_produced(&self, env: &mut Env<'c>, produced: &Produced) -> Result<'c, ()> {
        let b = env.b;
        let tensor = produced.tensor;
        match &produced.as_ {
            ProducedAs::Stored(result) => self.begin_result(env, result),
            ProducedAs::Dense => {
                let workspace = env.dense_workspace(tensor).expect("the compute has made its workspaces");
                self.empty_workspace(b, &workspace)
            }
            ProducedAs::Carried(slots) => {
                let reduction = self.compute.assign(produced.assign).reduction;
                let start = identity(b, reduction, self.workspace_type(env, tensor))?;
                env.begin_slot(Slot::Value(tensor), start);
                if *slots == Slots::ValueAndReached {
                    env.begin_slot(Slot::Reached(tensor), b.int(types::int(b.context(), 1), 0)?);
                }
                Ok(())
            }
        }
    }

    /// A scalar, or as many lanes as are computed at once.
    fn workspace_type(&self, env: &Env<'c>, workspace: TensorId) -> Ty<'c> {
        let element = self.element(workspace);
        match env.lanes {
            Some(lanes) if self.compute.tensor(workspace).format.rank == 1 => {
                types::vector(lanes.count, element)
            }
            _ => element,
        }
    }

    pub(super) fn workspace(&self, env: &Env<'c>, workspace: TensorId) -> Presence<'c> {
        let value = env.slot(Slot::Value(workspace)).expect("a where-statement has begun the workspace");
        Presence::of(value, env.slot(Slot::Reached(workspace)))
    }
}
