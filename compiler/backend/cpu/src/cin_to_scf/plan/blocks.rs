//! Blocks of statements: loops, where-statements and assignments, and what workspaces need.

use super::{
    AssignTarget, LoopKind, LoopPlan, Planner, Produced, ProducedAs, Refusal, Result, ResultPlan, Scope,
    Site, Slot, Slots, Step, Strategy, VisitKind, WherePlan,
};
use comet_notation::Operator;
use comet_notation::concrete::{
    AssignId, Compute, Forall, LoopId, Parallel, Stmt, TensorId, Value, ValueId, Var, WhereId, WorkspaceKind,
};

impl Planner<'_> {
    pub(super) fn block(&mut self, scope: &Scope<'_>, block: &[Stmt]) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        for stmt in block {
            match *stmt {
                Stmt::Value(value) => steps.push(Step::Value(value)),
                Stmt::Workspace(workspace) => self.check_workspace(scope, workspace)?,
                Stmt::Assign(assign) => steps.push(Step::Assign(assign, self.target(scope, assign))),
                Stmt::Where(statement) => {
                    steps.push(Step::Where(Box::new(self.where_statement(scope, statement)?)))
                }
                Stmt::Forall(forall) => steps.push(Step::Loop(Box::new(self.forall(scope, forall)?))),
            }
        }
        Ok(steps)
    }

    /// Refuses registers that no loop carries.
    fn check_workspace(&self, scope: &Scope<'_>, workspace: TensorId) -> Result<()> {
        let kind = self.compute.tensor(workspace).workspace;
        if kind == Some(WorkspaceKind::Registers) && scope.lanes.is_none() {
            let what = "a register workspace where no loop over its lanes can be vectorized";
            return Err(Refusal::unsupported(Site::Workspace(workspace), what));
        }
        Ok(())
    }

    fn target(&self, scope: &Scope<'_>, assign: AssignId) -> AssignTarget {
        let access = &self.compute.assign(assign).target;
        let tensor = self.compute.tensor(access.tensor);
        if tensor.workspace == Some(WorkspaceKind::Dense) {
            return AssignTarget::DenseWorkspace;
        }
        match scope.result(access.tensor).map(|result| &result.strategy) {
            Some(Strategy::Append { .. }) => AssignTarget::Appended,
            Some(Strategy::Collect { .. }) => AssignTarget::Collected,
            Some(Strategy::SamePattern(_) | Strategy::InPlace) => AssignTarget::SamePattern,
            None if tensor.is_unstored_workspace() => AssignTarget::Carried,
            None => AssignTarget::Dense,
        }
    }

    /// The producer starts from what its reduction starts from; the consumer sees what it leaves.
    fn where_statement(&mut self, scope: &Scope<'_>, statement: WhereId) -> Result<WherePlan> {
        let planned = self.compute.where_statement(statement);
        let mut inside = scope.clone();
        let mut produced = Vec::new();
        for assign in &planned.produced {
            produced.push(self.begin_produced(&mut inside, statement, *assign)?);
        }
        let producer = self.block(&inside, &planned.producer)?;
        let is_stored = |own: &Produced| matches!(own.as_, ProducedAs::Stored(_));
        let stored: Vec<TensorId> =
            produced.iter().filter(|own| is_stored(own)).map(|own| own.tensor).collect();
        inside.results.retain(|result| !stored.contains(&result.access.tensor));
        let is_packed = |own: &Produced| self.facts.tensors[own.tensor.0].packed_into.is_some();
        let consumer = match produced.iter().any(is_packed) {
            true => None,
            false => Some(self.block(&inside, &planned.consumer)?),
        };
        Ok(WherePlan { statement, produced, producer, consumer })
    }

    fn begin_produced(
        &mut self,
        scope: &mut Scope<'_>,
        statement: WhereId,
        assign: AssignId,
    ) -> Result<Produced> {
        let tensor = self.compute.assign(assign).target.tensor;
        let var = self.compute.tensor(tensor);
        let as_ = if !var.is_unstored_workspace() {
            let result = self.assembled(assign, &[Stmt::Where(statement)])?;
            scope.results.push(result.clone());
            ProducedAs::Stored(result)
        } else if var.workspace == Some(WorkspaceKind::Dense) {
            ProducedAs::Dense
        } else {
            let slots = self.slots(scope, statement, assign);
            scope.slots.push(Slot::Value(tensor));
            if slots == Slots::ValueAndReached {
                scope.slots.push(Slot::Reached(tensor));
            }
            ProducedAs::Carried(slots)
        };
        Ok(Produced { assign, tensor, as_ })
    }

    /// Returns whether it matters that nothing has come to a workspace: a sum of nothing may be taken for 0
    /// where it is only added to a tensor's element or stored, and the result of any other reduction where it
    /// is stored as it is.
    pub(super) fn slots(&self, scope: &Scope<'_>, statement: WhereId, producer: AssignId) -> Slots {
        let compute = self.compute;
        let producer = compute.assign(producer);
        let workspace = producer.target.tensor;
        let is_sum = producer.reduction == Some(Operator::Add);
        let matters =
            compute.assigns_in(&compute.where_statement(statement).consumer).into_iter().any(|consumer| {
                let consumer = compute.assign(consumer);
                let target = consumer.target.tensor;
                let result = scope.result(target).map(|result| &result.strategy);
                let is_same_pattern = matches!(result, Some(Strategy::InPlace | Strategy::SamePattern(_)));
                let is_counted = scope.slots.contains(&Slot::Reached(target))
                    || (result.is_some() && !(is_sum && is_same_pattern))
                    || compute.tensor(target).workspace == Some(WorkspaceKind::Dense);
                let (stores, adds) =
                    (consumer.reduction.is_none(), consumer.reduction == Some(Operator::Add));
                let is_harmless = match is_sum {
                    true => (adds || stores) && only_added(compute, consumer.value, workspace),
                    false => {
                        stores
                            && !compute.tensor(target).is_unstored_workspace()
                            && is_access(compute, consumer.value, workspace)
                    }
                };
                is_counted || !is_harmless
            });
        if matters { Slots::ValueAndReached } else { Slots::Value }
    }

    fn forall(&mut self, scope: &Scope<'_>, id: LoopId) -> Result<LoopPlan> {
        let forall = self.compute.forall(id);
        let var = self.compute.relations.unbounded(forall.var);
        Ok(LoopPlan { forall: id, var, kind: self.loop_kind(scope, id, forall, var)? })
    }

    fn loop_kind(&mut self, scope: &Scope<'_>, id: LoopId, forall: &Forall, var: Var) -> Result<LoopKind> {
        let mut inside = scope.clone();
        if forall.schedule.vectorize.is_some() && self.is_lane(scope, var) {
            inside.bind(var);
            return Ok(LoopKind::Lanes(self.block(&inside, &forall.body)?));
        }
        if let Some((split, lanes)) = self.vector_blocks(scope, id, var) {
            inside.lanes = Some(split.var);
            inside.bind(split.var);
            return Ok(LoopKind::VectorBlocks { split, lanes, body: self.block(&inside, &forall.body)? });
        }
        if let Some((sum, lanes)) = self.vector_sum(scope, id) {
            inside.lanes = Some(forall.var);
            inside.bind(forall.var);
            return Ok(LoopKind::VectorSum { sum, lanes, body: self.block(&inside, &forall.body)? });
        }
        let block_collected = match forall.schedule.parallel {
            Parallel::Processors => self.collected_in(scope, id),
            Parallel::No | Parallel::Accelerator => Vec::new(),
        };
        let fiber = self.appended(scope, id, var, |group| group.levels.start);
        let visit = match self.drained_at(id, var) {
            Some((workspace, number)) => {
                let reserve = self.reserve(&mut inside, id);
                inside.bind(forall.var);
                let body = Box::new(self.body(&inside, id)?);
                super::Visit {
                    located: Vec::new(),
                    kind: VisitKind::Drain { workspace, number, reserve, body },
                }
            }
            None => self.visit(&inside, id, var)?,
        };
        Ok(LoopKind::Values { block_collected, fiber, visit })
    }

    /// Returns the tensors whose points come from inside of a loop, and to which no loop around it brings
    /// more.
    fn collected_in(&self, scope: &Scope<'_>, id: LoopId) -> Vec<TensorId> {
        let assigns = self.compute.assigns_in(&self.compute.forall(id).body);
        let assigned: Vec<TensorId> =
            assigns.into_iter().map(|assign| self.compute.assign(assign).target.tensor).collect();
        let collected = scope.results.iter().filter(|result| result.is_collected());
        let tensors = collected.map(|result| result.access.tensor).filter(|tensor| assigned.contains(tensor));
        tensors.filter(|tensor| self.is_first_loop_of(id, *tensor)).collect()
    }

    /// Returns whether no other loop is between a loop and where the points of a tensor are begun: beside the
    /// declaration of a workspace, or in front of all loops.
    fn is_first_loop_of(&self, id: LoopId, tensor: TensorId) -> bool {
        let is_between = |other: usize| {
            let body = &self.compute.loops[other].body;
            self.compute.loops_in(body).contains(&id) && !self.compute.workspaces_in(body).contains(&tensor)
        };
        !(0..self.compute.loops.len()).any(is_between)
    }

    /// Returns the workspace that a loop over a variable drains, and the number of its index.
    fn drained_at(&self, id: LoopId, var: Var) -> Option<(TensorId, usize)> {
        let reads = self.compute.reads(&self.compute.forall(id).body);
        reads.into_iter().find_map(|access| {
            if self.compute.tensor(access.tensor).workspace != Some(WorkspaceKind::Dense) {
                return None;
            }
            let drained = self.facts.tensors[access.tensor.0].drained.as_ref()?;
            let number = drained.vars.iter().position(|drained| *drained == var)?;
            (!drained.visits_all[number]).then_some((access.tensor, number))
        })
    }

    /// Returns whether an assignment in a block is to a result that is appended to: its loops must not visit
    /// a coordinate twice.
    pub(super) fn appends(&self, scope: &Scope<'_>, block: &[Stmt]) -> bool {
        let is_appended = |assign: AssignId| {
            scope.result(self.compute.assign(assign).target.tensor).is_some_and(ResultPlan::is_appended)
        };
        self.compute.assigns_in(block).into_iter().any(is_appended)
    }
}

/// Returns whether it makes no difference inside of a block that entries of one coordinate come one after
/// another: every workspace goes on as it is, into a target that combines as it does.
pub(super) fn combines_one_by_one(compute: &Compute, block: &[Stmt]) -> bool {
    compute.wheres_in(block).into_iter().map(|id| compute.where_statement(id)).all(|statement| {
        statement.produced.iter().map(|producer| compute.assign(*producer)).all(|producer| {
            let goes_on = |consumer: AssignId| {
                let consumer = compute.assign(consumer);
                consumer.reduction == producer.reduction
                    && is_access(compute, consumer.value, producer.target.tensor)
            };
            compute.assigns_in(&statement.consumer).into_iter().all(goes_on)
        })
    })
}

/// Returns whether a workspace has a part in a value only as a summand.
fn only_added(compute: &Compute, value: ValueId, workspace: TensorId) -> bool {
    match compute.value(value) {
        Value::Outside | Value::Access(_) => true,
        Value::Intersect(..) => !uses(compute, value, workspace),
        other => other.operands().into_iter().all(|operand| only_added(compute, operand, workspace)),
    }
}

fn uses(compute: &Compute, value: ValueId, workspace: TensorId) -> bool {
    is_access(compute, value, workspace)
        || compute.value(value).operands().into_iter().any(|operand| uses(compute, operand, workspace))
}

fn is_access(compute: &Compute, value: ValueId, tensor: TensorId) -> bool {
    matches!(compute.value(value), Value::Access(access) if access.tensor == tensor)
}
