//! Which loops run in tasks, what tasks write to, and where they share the iterations of a loop inside.

use super::{Below, FanOut, LoopId, Planner, Result, Scope, Site, Slot, Slots, Strategy, TaskKind, TaskPlan};
use crate::instrument::Instrument;
use comet_format::{Level, LevelArray, LevelExpr};
use comet_notation::Operator;
use comet_notation::concrete::{
    Access, AssignId, Forall, Parallel, Stmt, TensorId, Var, WhereId, WorkspaceKind,
};

/// The loop inside of each iteration of another loop.
struct Inner {
    forall: LoopId,
    /// The where-statement that begins the workspace it adds to.
    statement: Option<WhereId>,
}

impl Planner<'_> {
    /// Returns the loop whose tasks append to parts of a sparse result.
    pub(super) fn parts_loop(&mut self, scope: &Scope<'_>) -> Result<Option<LoopId>> {
        if self.options.instrument != Instrument::Nothing || !scope.results.is_empty() {
            return Ok(None);
        }
        for stmt in &self.compute.body {
            let Stmt::Forall(forall) = *stmt else { continue };
            let assigns = self.compute.assigns_in(&self.compute.forall(forall).body);
            let is_sparse = |assign: &AssignId| {
                let target = self.compute.assign(*assign).target.tensor;
                self.compute.tensor(target).is_sparse_of_program()
            };
            if !assigns.iter().any(is_sparse) || !self.may_run_in_tasks(scope, forall) {
                continue;
            }
            let Some(obstacle) = self.obstacle_to_parts(scope, forall) else { return Ok(Some(forall)) };
            let name = self.name(self.compute.forall(forall).var);
            self.remark(Site::Loop(forall), format!("the loop over `{name}` is sequential: {obstacle}"));
        }
        Ok(None)
    }

    /// Returns why tasks cannot append to parts of a result, whose iterations are independent.
    fn obstacle_to_parts(&self, scope: &Scope<'_>, forall: LoopId) -> Option<&'static str> {
        let body = &self.compute.forall(forall).body;
        if self.count_dense_workspaces(&self.compute.body) != self.count_dense_workspaces(body) {
            return Some("another loop has a workspace");
        }
        (!self.is_divisible_into_tasks(scope, forall))
            .then_some("it goes neither over all coordinates nor over those that one operand stores")
    }

    fn count_dense_workspaces(&self, block: &[Stmt]) -> usize {
        let workspaces = self.compute.workspaces_in(block).into_iter();
        workspaces
            .filter(|tensor| self.compute.tensor(*tensor).workspace == Some(WorkspaceKind::Dense))
            .count()
    }

    /// Returns whether the iterations of a loop run at the same time. Inside of another such loop they do
    /// not.
    pub(super) fn runs_in_tasks(&self, scope: &Scope<'_>, forall: LoopId) -> bool {
        let is_begun =
            |strategy: &Strategy| !matches!(strategy, Strategy::InPlace | Strategy::SamePattern(_));
        let own = scope.results.iter().filter(|result| is_begun(&result.strategy));
        let begun = match self.parts {
            // Parts and workspaces are begun inside of the tasks.
            Some(_) => {
                own.filter(|result| self.compute.tensor(result.access.tensor).workspace.is_some()).count()
            }
            None => own.count() + self.count_dense_workspaces(&self.compute.body),
        };
        begun == 0 && self.may_run_in_tasks(scope, forall)
    }

    /// The same, leaving aside what has been begun in front of the loop.
    fn may_run_in_tasks(&self, scope: &Scope<'_>, forall: LoopId) -> bool {
        let is_marked = self.compute.forall(forall).schedule.parallel == Parallel::Processors;
        let is_around = |other: &Forall| self.compute.loops_in(&other.body).contains(&forall);
        let is_outermost = !self.compute.loops.iter().any(is_around);
        let has_obstacle = self.facts.loops[forall.0].has_obstacle || self.adds_in_order(scope, forall);
        is_marked && is_outermost && !has_obstacle
    }

    /// Returns whether the iterations of a loop must add up one after another.
    fn adds_in_order(&self, scope: &Scope<'_>, forall: LoopId) -> bool {
        let Some(sum) = self.facts.loops[forall.0].shared_sum else { return false };
        let is_workspace = |tensor: TensorId| self.compute.tensor(tensor).workspace.is_some();
        let has_result = self.compute.assigns.iter().any(|assign| !is_workspace(assign.target.tensor));
        let is_other_scalar =
            is_workspace(sum) && (self.carried(scope, forall) != [Slot::Value(sum)] || !has_result);
        self.keeps_order(forall, sum) || is_other_scalar
    }

    /// Returns whether what a loop adds to something must come in the order of its iterations.
    fn keeps_order(&self, forall: LoopId, sum: TensorId) -> bool {
        let mut assigns = self.compute.assigns_in(&self.compute.forall(forall).body).into_iter();
        assigns.any(|assign| self.compute.assign(assign).target.tensor == sum && self.is_ordered(assign))
    }

    /// Returns whether the order of what an assignment combines is to be kept: that of integers never shows,
    /// but for operators of the file.
    pub(super) fn is_ordered(&self, assign: AssignId) -> bool {
        use comet_format::ValueType;
        use comet_passes::sums::Sums;
        let assign = self.compute.assign(assign);
        let element = self.compute.tensor(assign.target.tensor).element;
        assign.reduction.is_some_and(Operator::keeps_order)
            || self.options.sums == Sums::Ordered && element != ValueType::I64
    }

    /// Returns the slots in use that a loop may change.
    fn carried(&self, scope: &Scope<'_>, forall: LoopId) -> Vec<Slot> {
        let assigns = self.compute.assigns_in(&self.compute.forall(forall).body);
        let targets: Vec<TensorId> =
            assigns.into_iter().map(|assign| self.compute.assign(assign).target.tensor).collect();
        scope.slots.iter().copied().filter(|slot| targets.contains(&slot.tensor())).collect()
    }

    /// The iterations of a loop as tasks.
    pub(super) fn tasks(
        &mut self,
        scope: &Scope<'_>,
        forall: LoopId,
        driver: Option<Access>,
        below: Vec<Below>,
    ) -> TaskPlan {
        let kind = match self.facts.loops[forall.0].shared_sum {
            _ if self.parts == Some(forall) => TaskKind::Parts,
            Some(sum) if self.compute.tensor(sum).workspace.is_some() => TaskKind::Scalars(sum),
            Some(sum) => TaskKind::Copies(sum),
            None => TaskKind::Own,
        };
        let shared_loop = if kind == TaskKind::Parts { None } else { self.shared_loop(scope, forall) };
        if let Some(inner) = shared_loop {
            let [outer, inner] = [forall, inner].map(|id| self.name(self.compute.forall(id).var));
            let text = format!(
                "where a round of the loop over `{outer}` is long, tasks share its loop over `{inner}`"
            );
            self.remark(Site::Loop(forall), text);
        }
        let fan_outs = below.iter().flat_map(|below| self.fan_outs(forall, *below)).collect();
        TaskPlan { forall, driver, below, kind, fan_outs, repeated: self.repeated(forall), shared_loop }
    }

    /// Returns the operands inside of a loop whose fibers the entries of the operand `below` its iterations
    /// name.
    fn fan_outs(&self, forall: LoopId, below: Below) -> Vec<FanOut> {
        let reads = self.compute.reads(&self.compute.forall(forall).body);
        let var = self.compute.relations.unbounded(self.compute.forall(forall).var);
        let mode = |access: &Access, level: &Level| match level.expr {
            LevelExpr::Mode(mode) => Some(access.indices[mode]),
            _ => None,
        };
        let levels = |access: &Access| &self.compute.format(access).levels;
        let is_iterated =
            |access: &&Access| access.tensor == below.tensor && mode(access, &levels(access)[0]) == Some(var);
        let Some(entries) = reads.iter().copied().find(is_iterated) else { return Vec::new() };
        let last = levels(entries).last().filter(|last| last.kind.has(LevelArray::Crd));
        let Some(named) = last.and_then(|last| mode(entries, last)) else { return Vec::new() };
        let is_named = |access: &&Access| match levels(access)[..] {
            [first, second, ..] => {
                first.kind.is_full()
                    && !first.kind.has(LevelArray::Start)
                    && mode(access, &first) == Some(named)
                    && second.kind.has(LevelArray::Pos)
                    && mode(access, &second).is_some_and(|inner| !entries.indices.contains(&inner))
            }
            _ => false,
        };
        let fibers = reads.iter().copied().filter(is_named);
        fibers.map(|access| FanOut { entries: below, fibers: access.tensor }).collect()
    }

    /// Returns the variables of the loops inside that nothing sparse decides.
    fn repeated(&self, forall: LoopId) -> Vec<Var> {
        let body = &self.compute.forall(forall).body;
        let (mut repeated, mut seen) = (Vec::new(), Vec::new());
        for inner in self.compute.loops_in(body) {
            let var = self.compute.relations.unbounded(self.compute.forall(inner).var);
            if !seen.contains(&var) && !self.is_sparse_at(body, var) {
                repeated.push(var);
            }
            seen.push(var);
        }
        repeated
    }

    /// Returns whether some access in a block has a level at a variable that stores only some coordinates.
    fn is_sparse_at(&self, block: &[Stmt], var: Var) -> bool {
        self.compute.reads(block).into_iter().any(|access| {
            let mut levels = self.compute.format(access).levels.iter();
            let level_var = |level| self.compute.relations.level_var(level, &access.indices);
            levels.any(|level| !level.kind.is_full() && level_var(*level) == Some(var))
        })
    }

    /// What the iterations of a loop over all coordinates have below them, in all operands.
    pub(super) fn below_all(&self, forall: LoopId, var: Var) -> Vec<Below> {
        let mut found: Vec<Below> = Vec::new();
        for access in self.compute.reads(&self.compute.forall(forall).body) {
            let levels = &self.compute.format(access).levels;
            let is_at_var = levels.first().is_some_and(|level| {
                level.kind.is_full() && self.compute.relations.level_var(*level, &access.indices) == Some(var)
            });
            let is_sparse = levels.iter().any(|level| !level.kind.is_full());
            if is_at_var && is_sparse && found.iter().all(|below| below.tensor != access.tensor) {
                found.push(Below { tensor: access.tensor, level: 1 });
            }
        }
        found
    }

    /// Returns the loop inside of the iterations of a loop that tasks can share: all that an iteration does
    /// is there, it goes over the second level of the only sparse operand, below what an iteration is at, and
    /// it adds up in a scalar or in registers, or its iterations are independent.
    fn shared_loop(&self, scope: &Scope<'_>, forall: LoopId) -> Option<LoopId> {
        let access = self.only_sparse_access(forall)?;
        let [first, second, ..] = self.compute.format(access).levels[..] else { return None };
        let var = |level| self.compute.relations.level_var(level, &access.indices);
        let is_below = var(first) == Some(self.compute.relations.unbounded(self.compute.forall(forall).var));
        let is_simple =
            (first.kind.is_full() || first.kind.has_sets_as_fibers()) && second.kind.has_sets_as_fibers();
        let inner = self.only_loop_over(forall, var(second)?)?;
        let goes_over_it = !self.is_live_without(scope, inner.forall, std::slice::from_ref(access));
        let is_vectorized = self.compute.forall(inner.forall).schedule.vectorize.is_some();
        let is_fit = is_below && is_simple && goes_over_it && !is_vectorized;
        (is_fit && self.can_be_shared(scope, &inner)).then_some(inner.forall)
    }

    /// Returns the sparse operand of a loop, where there is one only.
    fn only_sparse_access(&self, forall: LoopId) -> Option<&Access> {
        let mut sparse = self.compute.reads(&self.compute.forall(forall).body).into_iter();
        let mut sparse = sparse.by_ref().filter(|access| self.compute.is_sparse(access));
        let first = sparse.next()?;
        sparse.all(|other| other == first).then_some(first)
    }

    /// Returns whether chunks of a loop can run at the same time.
    fn can_be_shared(&self, scope: &Scope<'_>, inner: &Inner) -> bool {
        let facts = &self.facts.loops[inner.forall.0];
        let Some(sum) = facts.shared_sum else { return !facts.has_obstacle };
        let is_carried =
            |tensor: TensorId| self.compute.tensor(tensor).workspace.is_some_and(WorkspaceKind::is_carried);
        let body = &self.compute.forall(inner.forall).body;
        let is_counted = || {
            let mut sums = self.compute.assigns_in(body).into_iter();
            let mut sums = sums.by_ref().filter(|assign| self.compute.assign(*assign).target.tensor == sum);
            sums.any(|assign| {
                let slots = inner.statement.map(|statement| self.slots(scope, statement, assign));
                slots == Some(Slots::ValueAndReached)
            })
        };
        is_carried(sum)
            && self.compute.workspaces_in(body).into_iter().all(is_carried)
            && !scope.slots.contains(&Slot::Reached(sum))
            && !is_counted()
            && !self.keeps_order(inner.forall, sum)
    }

    /// Returns the loop over a variable, where a loop does nothing else. Loops and one where-statement may be
    /// around.
    fn only_loop_over(&self, forall: LoopId, var: Var) -> Option<Inner> {
        let (mut block, mut statement) = (&self.compute.forall(forall).body, None);
        loop {
            match only_statement(block)? {
                Stmt::Where(id) if statement.is_none() => {
                    (block, statement) = (&self.compute.where_statement(id).producer, Some(id));
                }
                Stmt::Forall(id) if self.compute.relations.unbounded(self.compute.forall(id).var) == var => {
                    return Some(Inner { forall: id, statement });
                }
                Stmt::Forall(id) => block = &self.compute.forall(id).body,
                _ => return None,
            }
        }
    }
}

/// The one statement of a block that declares no workspace.
fn only_statement(block: &[Stmt]) -> Option<Stmt> {
    let mut statements = block.iter().filter(|stmt| !matches!(stmt, Stmt::Workspace(_)));
    statements.next().copied().filter(|_| statements.next().is_none())
}
