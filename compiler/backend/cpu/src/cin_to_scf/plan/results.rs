//! How sparse results and workspaces are stored: with the coordinates of an operand, appended in storage
//! order, or collected in any order.
//!
//! Where the levels of a result are the outermost ones of an operand, and each of the operand's coordinates
//! in them gets a value and no other one does, as in SDDMM or in products of a tensor with vectors and
//! matrices, nothing is appended: the coordinates are copied as a whole. An operand whose labels repeat never
//! qualifies: a diagonal reaches only some of the stored coordinates, and an outer coordinate may have
//! nothing below it that lies on the diagonal.

use super::{
    Assembly, Bindings, DenseWorkspacePlan, Filling, Planner, Refusal, Result, ResultPlan, Scope, Site,
    Strategy,
};
use comet_abi::points;
use comet_format::{Level, LevelArray, LevelExpr, ValueType};
use comet_notation::Operator;
use comet_notation::concrete::{Access, AssignId, Stmt, TensorId, Var, WorkspaceKind};
use std::ops::Range;
use std::slice;

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

    /// Returns how the sparse result of the compute is assembled, where it has one.
    pub(super) fn sparse_result(&self, scope: &Scope<'_>) -> Result<Option<ResultPlan>> {
        let mut result: Option<ResultPlan> = None;
        for assign in self.sparse_assigns() {
            let tensor = self.compute.assign(assign).target.tensor;
            match &result {
                Some(known) if known.access.tensor == tensor => {}
                Some(_) => {
                    let what = "several sparse results of one compute";
                    return Err(Refusal::unsupported(Site::Assign(assign), what));
                }
                None => result = Some(self.assembled(scope, assign, &self.compute.body)?),
            }
        }
        Ok(result)
    }

    /// Returns how a sparse tensor is assembled that is assigned to inside of a block.
    pub(super) fn assembled(
        &self,
        scope: &Scope<'_>,
        assign: AssignId,
        block: &[Stmt],
    ) -> Result<ResultPlan> {
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
                let gaps = Some(below).filter(|below| self.leaves_gaps(scope, block, &access, below.clone()));
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

    /// Returns the result that stores what an operand stores; `None` where it has a pattern of its own.
    pub(super) fn same_pattern(&mut self, scope: &Scope<'_>) -> Option<ResultPlan> {
        if self.facts.assembly != Assembly::Unspecified {
            return None;
        }
        let compute = self.compute;
        let assigns = compute.assigns_in(&compute.body).into_iter();
        let is_sparse = |access: &Access| compute.tensor(access.tensor).is_sparse_of_program();
        let mut results = assigns.filter(|assign| is_sparse(&compute.assign(*assign).target));
        let (assign, None) = (results.next()?, results.next()) else { return None };
        let result = &compute.assign(assign).target;
        let mut operands = compute.reads(&compute.body).into_iter().filter(|access| is_sparse(access));
        let operand = operands.next()?;
        if operands.any(|other| other != operand) {
            return None;
        }
        if self.replaces(scope, result, operand) {
            let name = self.tensor_name(operand.tensor);
            let text = format!("`{name}` keeps its coordinates: values are replaced in place");
            self.remark(Site::Compute, text);
            let strategy = Strategy::InPlace { operand: operand.clone() };
            return Some(ResultPlan { assign, access: result.clone(), strategy });
        }
        let levels = self.same_levels(result, operand);
        let groups = self.facts.tensors[result.tensor.0].appended.as_ref()?;
        let compressed = groups.last().map_or(0, |last| last.levels.end);
        let (format, other) = (compute.format(result), compute.format(operand));
        let is_it = result.tensor != operand.tensor
            && levels >= compressed
            && format.index_width == other.index_width
            && !self.leaves_gaps(scope, &compute.body, result, compressed..format.levels.len())
            && self.visits_all(scope, result, operand);
        if !is_it {
            return None;
        }
        let [name, other] = [result, operand].map(|access| self.tensor_name(access.tensor));
        let text = format!("`{name}` stores what `{other}` stores: its coordinates are copied as a whole");
        self.remark(Site::Compute, text);
        let strategy = Strategy::SamePattern { operand: operand.clone(), levels };
        Some(ResultPlan { assign, access: result.clone(), strategy })
    }

    /// Returns whether a result takes the place of an operand and has its pattern, so that values can be
    /// overwritten where they are. Loops come to each position that the operand stores, in any order; no
    /// level needs its coordinates in order, or each once.
    fn replaces(&self, scope: &Scope<'_>, result: &Access, operand: &Access) -> bool {
        let (format, other) = (self.compute.format(result), self.compute.format(operand));
        let lists = |level: &Level| level.is_full() || level.kind.has(LevelArray::Crd);
        let first_full = format.levels.iter().rposition(|level| !level.is_full()).map_or(0, |last| last + 1);
        let is_moved = |level: &Level| {
            let var = self.compute.relations.level_var(*level, &result.indices);
            var.is_some_and(|var| self.compute.relations.unbounded(var) == var)
        };
        self.facts.tensors[result.tensor.0].replaces == Some(operand.tensor)
            && format == other
            && result.indices == operand.indices
            && format.levels.iter().all(|level| lists(level) && is_moved(level))
            && !self.leaves_gaps(scope, &self.compute.body, result, first_full..format.levels.len())
            && self.visits_all(scope, result, operand)
    }

    /// Returns whether loops come to a value wherever the operand stores one, and nowhere else.
    fn visits_all(&self, scope: &Scope<'_>, result: &Access, operand: &Access) -> bool {
        let has_values = |var: Var| self.has_values(result, operand, var);
        let mut loops = self.compute.loops.iter();
        has_distinct_indices(operand)
            && self.has_plain_loops()
            && loops.all(|forall| self.compute.relations.roots(forall.var).into_iter().all(has_values))
            && !self.is_live_anywhere_without(scope, operand)
    }

    fn is_live_anywhere_without(&self, scope: &Scope<'_>, operand: &Access) -> bool {
        use comet_notation::lattice::Lattice;
        Lattice::of(self.compute, &self.compute.body, &scope.absent).is_live_without(slice::from_ref(operand))
    }

    /// Returns how many outermost levels of two accesses are of one format, full or sorted sets, and of the
    /// same variables.
    fn same_levels(&self, result: &Access, operand: &Access) -> usize {
        let relations = &self.compute.relations;
        let (own, others) = (&self.compute.format(result).levels, &self.compute.format(operand).levels);
        let are_same = own.iter().zip(others).map(|(own, other)| {
            let var = relations.level_var(*own, &result.indices);
            own.kind == other.kind
                && (own.kind.is_full() || own.kind.has_sets_in_crd())
                && var.is_some()
                && var == relations.level_var(*other, &operand.indices)
                && var.is_some_and(|var| relations.unbounded(var) == var)
        });
        are_same.take_while(|is_same| *is_same).count()
    }

    /// Returns whether a loop over a variable visits something wherever the operand stores a coordinate: it
    /// is one of the result's, what the operand stores below, or has values at all. A sum of nothing is not
    /// stored.
    fn has_values(&self, result: &Access, operand: &Access, var: Var) -> bool {
        let mut compressed =
            self.compute.format(operand).levels.iter().filter(|level| level.kind.has_sets_in_crd());
        result.indices.contains(&var)
            || compressed.any(|level| self.compute.relations.level_var(*level, &operand.indices) == Some(var))
            || self.compute.var(var).extent.is_some_and(|extent| extent > 0)
    }

    /// Returns whether loops go over whole variables, and what they compute stays in registers until it is
    /// stored.
    fn has_plain_loops(&self) -> bool {
        let compute = self.compute;
        let is_carried =
            |tensor: TensorId| compute.tensor(tensor).workspace.is_some_and(WorkspaceKind::is_carried);
        compute.relations.positions.is_empty()
            && !compute.relations.has_fusions()
            && compute.masks(&compute.body).is_empty()
            && compute.workspaces_in(&compute.body).into_iter().all(is_carried)
            && compute.loops.iter().all(|forall| compute.relations.unbounded(forall.var) == forall.var)
    }

    /// Returns whether a block may leave gaps in an access's tensor: elements of full levels below a
    /// coordinate that no value comes to.
    ///
    /// They are zero, and memory for results is not cleared. Where values come to all elements below a
    /// coordinate as soon as one does, there are no gaps; elsewhere the first value below a coordinate finds
    /// zeros stored there.
    fn leaves_gaps(&self, scope: &Scope<'_>, block: &[Stmt], access: &Access, full: Range<usize>) -> bool {
        let compute = self.compute;
        let relations = scope.relations();
        let mut vars = Vec::new();
        for level in &compute.format(access).levels[full] {
            match level.expr {
                LevelExpr::Mode(mode) => vars.extend(relations.roots(access.indices[mode])),
                // The last block may end early.
                _ => return true,
            }
        }
        let is_carried =
            |tensor: TensorId| compute.tensor(tensor).workspace.is_some_and(WorkspaceKind::is_carried);
        let has_gaps = !compute.masks(block).is_empty()
            || !compute.workspaces_in(block).into_iter().all(is_carried)
            || compute.reads(block).into_iter().any(|read| self.decides_presence(read, &vars))
            || !relations.positions.is_empty()
            || relations.has_fusions();
        !vars.is_empty() && has_gaps
    }

    /// Returns whether a tensor stores only some of what some variables visit, or only for some of their
    /// values what is below.
    fn decides_presence(&self, access: &Access, vars: &[Var]) -> bool {
        let levels = &self.compute.format(access).levels;
        let is_moved = |expr: LevelExpr| {
            let roots = expr.mode().map(|mode| self.compute.relations.roots(access.indices[mode]));
            roots.is_some_and(|roots| roots.iter().any(|root| vars.contains(root)))
        };
        let from = levels.iter().position(|level| is_moved(level.expr)).unwrap_or(levels.len());
        levels[from..].iter().any(|level| !level.kind.is_full())
    }
}

/// Returns whether no label of an access repeats, so that loops reach everything that the tensor stores.
fn has_distinct_indices(access: &Access) -> bool {
    let is_new = |(number, var)| !access.indices[..number].contains(var);
    access.indices.iter().enumerate().all(is_new)
}
