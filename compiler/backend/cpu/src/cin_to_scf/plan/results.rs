//! How sparse results and workspaces are stored: with the coordinates of an operand, appended in storage
//! order, or collected in any order.

use super::{
    Assembly, DenseWorkspacePlan, Filling, Planner, Refusal, Result, ResultPlan, Scope, Site, Strategy,
};
use comet_abi::points;
use comet_format::ValueType;
use comet_notation::Operator;
use comet_notation::concrete::{AssignId, Stmt, TensorId, WorkspaceKind};
use comet_passes::patterns::{Surrounding, leaves_gaps};

impl Planner<'_> {
    /// Returns the workspaces that are kept in tensors of their own: those in the levels of a format, and
    /// dense ones that no sparse result of the compute keeps.
    pub(super) fn kept_workspaces(&self) -> Vec<TensorId> {
        let has_result = self.sparse_assigns().next().is_some();
        let is_kept = |tensor: &TensorId| match self.compute.tensor(*tensor).workspace {
            Some(WorkspaceKind::Levels) => true,
            Some(WorkspaceKind::Hash | WorkspaceKind::List) => {
                self.facts.tensors[tensor.0].packed_into.is_none()
            }
            Some(WorkspaceKind::Dense) => !has_result || self.facts.tensors[tensor.0].drained.is_none(),
            _ => false,
        };
        self.compute.workspaces_in(&self.compute.body).into_iter().filter(is_kept).collect()
    }

    /// The assignments to sparse tensors of the program, those aside that take over a workspace as it is.
    fn sparse_assigns(&self) -> impl Iterator<Item = AssignId> {
        let assigns = self.compute.assigns_in(&self.compute.body).into_iter();
        assigns.filter(|assign| {
            let tensor = self.compute.assign(*assign).target.tensor;
            self.compute.tensor(tensor).is_sparse_of_program() && !self.facts.packs.contains(assign)
        })
    }

    pub(super) fn dense_workspaces(&self, kept: &[TensorId]) -> Vec<DenseWorkspacePlan> {
        let compute = self.compute;
        let workspaces = compute.workspaces_in(&compute.body).into_iter();
        let dense =
            workspaces.filter(|tensor| compute.tensor(*tensor).workspace == Some(WorkspaceKind::Dense));
        let plan = |tensor: TensorId| {
            let assigns = || compute.assigns.iter().filter(|assign| assign.target.tensor == tensor);
            let first = assigns().next().expect("a where-statement assigns to a workspace");
            let vars = first.target.indices.clone();
            let all = |operators: &[Operator]| {
                assigns().all(|assign| assign.reduction.is_some_and(|operator| operators.contains(&operator)))
            };
            let drained = self.facts.tensors[tensor.0].drained.clone();
            let is_kept = kept.contains(&tensor);
            let computed = compute.tensor(tensor).element.computed();
            // These make of 0 and a first value what the first value alone makes; `|` makes 0 and 1.
            let is_added_to = drained.is_some() && !is_kept && all(&[Operator::Add, Operator::Or]);
            let are_truths = all(&[Operator::Or]) && computed == ValueType::I64;
            let adds = is_added_to.then_some(if are_truths { ValueType::Bool } else { computed });
            DenseWorkspacePlan { tensor, vars, drained, adds, is_kept }
        };
        dense.map(plan).collect()
    }

    /// Returns how the sparse result that has a pattern of its own is assembled, where the compute has one.
    pub(super) fn sparse_result(&self, scope: &Scope<'_>) -> Result<Option<ResultPlan>> {
        let mut result: Option<ResultPlan> = None;
        let is_planned = |assign: &AssignId| scope.results.iter().any(|result| result.assign == *assign);
        for assign in self.sparse_assigns().filter(|assign| !is_planned(assign)) {
            let tensor = self.compute.assign(assign).target.tensor;
            match &result {
                Some(known) if known.access.tensor == tensor => {}
                Some(_) => {
                    let what = "several sparse results of one compute";
                    return Err(Refusal::unsupported(Site::Assign(assign), what));
                }
                None if self.compute.reads(&self.compute.body).iter().any(|read| read.tensor == tensor) => {
                    let what = "a sparse result that is read in the loop that assembles it";
                    return Err(Refusal::unsupported(Site::Assign(assign), what));
                }
                None => result = Some(self.assembled(assign, &self.compute.body)?),
            }
        }
        Ok(result)
    }

    /// Returns how a sparse tensor is assembled that is assigned to inside of a block.
    pub(super) fn assembled(&self, assign: AssignId, block: &[Stmt]) -> Result<ResultPlan> {
        let access = self.compute.assign(assign).target.clone();
        let tensor = self.compute.tensor(access.tensor);
        let facts = &self.facts.tensors[access.tensor.0];
        let kind = match tensor.workspace {
            Some(WorkspaceKind::Hash) => Some(points::AccumulatorKind::Hash),
            Some(WorkspaceKind::List) => Some(points::AccumulatorKind::List),
            _ => None,
        };
        let strategy = match &facts.appended {
            Some(groups) if kind.is_none() => {
                let is_counted = self.facts.assembly == Assembly::Counted && tensor.workspace.is_none();
                let below = groups.last().map_or(0, |last| last.levels.end)..tensor.format.levels.len();
                let gaps =
                    Some(below).filter(|below| leaves_gaps(self.compute, block, &access, below.clone()));
                let filling = if is_counted { Filling::CountAndPlace } else { Filling::Grow };
                Strategy::Append { groups: groups.clone(), filling, gaps }
            }
            _ => self.collected(assign, block, kind.unwrap_or(points::AccumulatorKind::List))?,
        };
        Ok(ResultPlan { assign, access, strategy })
    }

    /// Values that are collected must all combine in one way.
    fn collected(&self, assign: AssignId, block: &[Stmt], kind: points::AccumulatorKind) -> Result<Strategy> {
        let tensor = self.compute.assign(assign).target.tensor;
        let assigns = self.compute.assigns_in(block).into_iter();
        let own: Vec<AssignId> =
            assigns.filter(|assign| self.compute.assign(*assign).target.tensor == tensor).collect();
        let reduction = self.compute.assign(own[0]).reduction;
        if own.iter().any(|other| self.compute.assign(*other).reduction != reduction) {
            return Err(Refusal::unsupported(
                Site::Assign(assign),
                "several reductions into one sparse tensor",
            ));
        }
        let facts = &self.facts.tensors[tensor.0];
        Ok(Strategy::Collect {
            kind: if self.is_ordered(own[0]) { points::AccumulatorKind::Sequence } else { kind },
            capacity: facts.capacity,
            reduction,
            reported_as: facts.packed_into.unwrap_or(tensor),
        })
    }

    /// Returns the results whose coordinates are those of an operand, or their own of before.
    pub(super) fn patterns(&mut self) -> Vec<ResultPlan> {
        if self.facts.assembly != Assembly::Unspecified {
            return Vec::new();
        }
        let assigns: Vec<AssignId> = self.sparse_assigns().collect();
        let planned = assigns.into_iter().filter_map(|assign| {
            let compute = self.compute;
            let access = compute.assign(assign).target.clone();
            if compute.assign(assign).in_place {
                return Some(ResultPlan { assign, access, strategy: Strategy::InPlace });
            }
            let groups = self.facts.tensors[access.tensor.0].appended.as_ref()?;
            let pattern = Surrounding::of(compute, assign).pattern(groups)?;
            let [name, other] = [&access, &pattern.operand].map(|access| self.tensor_name(access.tensor));
            let text =
                format!("`{name}` stores what `{other}` stores: its coordinates are copied as a whole");
            self.remark(Site::Compute, text);
            Some(ResultPlan { assign, access, strategy: Strategy::SamePattern(pattern) })
        });
        planned.collect()
    }
}
