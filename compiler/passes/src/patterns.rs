//! Which sparse results store the coordinates of an operand.
//!
//! Where the levels of a result are the outermost ones of an operand, and each of the operand's coordinates
//! in them gets a value and no other one does, as in SDDMM or in products of a tensor with vectors and
//! matrices, nothing has to be appended: the coordinates are the operand's. An operand whose labels repeat
//! never qualifies: a diagonal reaches only some of the stored coordinates, and an outer coordinate may have
//! nothing below it that lies on the diagonal.

use comet_format::{Level, LevelArray, LevelExpr, LevelGroup};
use comet_notation::concrete::{Access, AssignId, Compute, LoopId, Stmt, TensorId, Var, WorkspaceKind};
use comet_notation::lattice::Lattice;
use std::ops::Range;
use std::slice;

/// The statement of a compute that makes one assignment: all of the compute, or, where its outermost loop has
/// several statements, the one of them that the assignment is in.
pub struct Surrounding<'a> {
    compute: &'a Compute,
    block: &'a [Stmt],
    loops: Vec<LoopId>,
    assign: AssignId,
}

/// The operand whose coordinates a result has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedPattern {
    pub operand: Access,
    /// How many of the operand's outermost levels the result has.
    pub levels: usize,
}

impl<'a> Surrounding<'a> {
    /// Returns the statement around an assignment.
    pub fn of(compute: &'a Compute, assign: AssignId) -> Self {
        let (outermost, block) = innermost_shared(compute, assign);
        let loops = outermost.into_iter().chain(compute.loops_in(block)).collect();
        Self { compute, block, loops, assign }
    }

    /// Returns the operand whose coordinates the target gets when it is appended to these groups of levels;
    /// `None` where it has coordinates of its own.
    pub fn pattern(&self, groups: &[LevelGroup]) -> Option<SharedPattern> {
        let compute = self.compute;
        let (result, operand) = (self.target(), self.only_sparse_operand()?);
        let levels = self.same_levels(operand);
        let compressed = groups.last().map_or(0, |last| last.levels.end);
        let (format, other) = (compute.format(result), compute.format(operand));
        let has_pattern = result.tensor != operand.tensor
            && levels >= compressed
            && format.index_width == other.index_width
            && !leaves_gaps(compute, self.block, result, compressed..format.levels.len())
            && self.visits_all(operand);
        has_pattern.then(|| SharedPattern { operand: operand.clone(), levels })
    }

    /// Returns whether a tensor that the target is to take the place of can have its values overwritten
    /// instead. Loops come to each position that it stores, in any order; no level needs its coordinates in
    /// order, or each once.
    pub fn replaces(&self, replaced: TensorId) -> bool {
        let compute = self.compute;
        let (result, Some(operand)) = (self.target(), self.only_sparse_operand()) else { return false };
        let format = compute.format(result);
        let lists = |level: &Level| level.is_full() || level.kind.has(LevelArray::Crd);
        let first_full = format.levels.iter().rposition(|level| !level.is_full()).map_or(0, |last| last + 1);
        let is_whole = |level: &Level| {
            let var = compute.relations.level_var(*level, &result.indices);
            var.is_some_and(|var| compute.relations.unbounded(var) == var)
        };
        operand.tensor == replaced
            && format == compute.format(operand)
            && result.indices == operand.indices
            && format.levels.iter().all(|level| lists(level) && is_whole(level))
            && !leaves_gaps(compute, self.block, result, first_full..format.levels.len())
            && self.visits_all(operand)
    }

    fn target(&self) -> &'a Access {
        &self.compute.assign(self.assign).target
    }

    /// Returns the sparse tensor that the statement reads, where it is one, at the same variables each time.
    fn only_sparse_operand(&self) -> Option<&'a Access> {
        let is_sparse = |access: &&Access| self.compute.tensor(access.tensor).is_sparse_of_program();
        let mut operands = self.compute.reads(self.block).into_iter().filter(is_sparse);
        let operand = operands.next()?;
        operands.all(|other| other == operand).then_some(operand)
    }

    /// Returns whether loops come to a value wherever the operand stores one, and nowhere else.
    fn visits_all(&self, operand: &Access) -> bool {
        let relations = &self.compute.relations;
        let has_values = |var: Var| self.has_values(operand, var);
        let roots = |forall: &LoopId| relations.roots(self.compute.forall(*forall).var);
        let lattice = Lattice::of(self.compute, self.block, &[]);
        has_distinct_indices(operand)
            && self.has_plain_loops()
            && self.loops.iter().all(|forall| roots(forall).into_iter().all(has_values))
            && !lattice.is_live_without(slice::from_ref(operand))
    }

    /// Returns how many outermost levels of the target and an operand are of one format, full or sorted sets,
    /// and of the same variables.
    fn same_levels(&self, operand: &Access) -> usize {
        let (compute, result) = (self.compute, self.target());
        let relations = &compute.relations;
        let (own, others) = (&compute.format(result).levels, &compute.format(operand).levels);
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
    /// is one of the target's, what the operand stores below, or has values at all. A sum of nothing is not
    /// stored.
    fn has_values(&self, operand: &Access, var: Var) -> bool {
        let compute = self.compute;
        let mut compressed =
            compute.format(operand).levels.iter().filter(|level| level.kind.has_sets_in_crd());
        self.target().indices.contains(&var)
            || compressed.any(|level| compute.relations.level_var(*level, &operand.indices) == Some(var))
            || compute.var(var).extent.is_some_and(|extent| extent > 0)
    }

    /// Returns whether loops go over whole variables, and what they compute stays in registers until it is
    /// stored.
    fn has_plain_loops(&self) -> bool {
        let compute = self.compute;
        let mut vars = self.loops.iter().map(|forall| compute.forall(*forall).var);
        compute.relations.positions.is_empty()
            && !compute.relations.has_fusions()
            && compute.masks(self.block).is_empty()
            && has_carried_workspaces(compute, self.block)
            && vars.all(|var| compute.relations.unbounded(var) == var)
    }
}

/// Returns whether a block may leave gaps in an access's tensor: elements of full levels below a coordinate
/// that no value comes to.
///
/// They are zero, and memory for results is not cleared. Where values come to all elements below a coordinate
/// as soon as one does, there are no gaps; elsewhere the first value below a coordinate finds zeros stored
/// there.
pub fn leaves_gaps(compute: &Compute, block: &[Stmt], access: &Access, full: Range<usize>) -> bool {
    let relations = &compute.relations;
    let mut vars = Vec::new();
    for level in &compute.format(access).levels[full] {
        match level.expr {
            LevelExpr::Mode(mode) => vars.extend(relations.roots(access.indices[mode])),
            // The last block may end early.
            _ => return true,
        }
    }
    let has_gaps = !compute.masks(block).is_empty()
        || !has_carried_workspaces(compute, block)
        || compute.reads(block).into_iter().any(|read| decides_presence(compute, read, &vars))
        || !relations.positions.is_empty()
        || relations.has_fusions();
    !vars.is_empty() && has_gaps
}

/// Returns whether a tensor stores only some of what some variables visit, or only for some of their values
/// what is below.
fn decides_presence(compute: &Compute, access: &Access, vars: &[Var]) -> bool {
    let levels = &compute.format(access).levels;
    let is_moved = |expr: LevelExpr| {
        let roots = expr.mode().map(|mode| compute.relations.roots(access.indices[mode]));
        roots.is_some_and(|roots| roots.iter().any(|root| vars.contains(root)))
    };
    let from = levels.iter().position(|level| is_moved(level.expr)).unwrap_or(levels.len());
    levels[from..].iter().any(|level| !level.kind.is_full())
}

fn has_carried_workspaces(compute: &Compute, block: &[Stmt]) -> bool {
    let mut workspaces = compute.workspaces_in(block).into_iter();
    workspaces.all(|tensor| compute.tensor(tensor).workspace.is_some_and(WorkspaceKind::is_carried))
}

/// Returns the loop that the statement of an assignment shares with other statements, if there is one, and
/// the statement with the values and workspaces that belong to it.
fn innermost_shared(compute: &Compute, assign: AssignId) -> (Option<LoopId>, &[Stmt]) {
    let [Stmt::Forall(outermost)] = compute.body[..] else { return (None, &compute.body) };
    let block = &compute.forall(outermost).body[..];
    let mut statements = block.split_inclusive(|stmt| !matches!(stmt, Stmt::Value(_) | Stmt::Workspace(_)));
    let own = statements.find(|part| compute.assigns_in(part).contains(&assign));
    (Some(outermost), own.unwrap_or(block))
}

/// Returns whether no label of an access repeats, so that loops reach everything that the tensor stores.
fn has_distinct_indices(access: &Access) -> bool {
    let is_new = |(number, var)| !access.indices[..number].contains(var);
    access.indices.iter().enumerate().all(is_new)
}
