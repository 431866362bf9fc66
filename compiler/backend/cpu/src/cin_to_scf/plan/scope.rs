//! What is known at a place of a compute while it is planned: which variables loops have bound, and how far
//! down its levels each access has come.

use super::{Depth, Part, ResultPlan, Slot};
use comet_format::{Level, LevelExpr};
use comet_notation::concrete::{Access, Compute, LoopId, TensorId, Var};
use comet_notation::relations::Relations;

/// What loops bind. The planner and the emitter keep it each in their own way.
pub(crate) trait Bindings {
    fn relations(&self) -> &Relations<Var, TensorId>;

    /// Returns whether a loop around has bound the variable itself.
    fn is_bound(&self, var: Var) -> bool;

    /// Returns whether the loops around fix the value of a variable.
    fn is_known(&self, var: Var) -> bool {
        let mut splits = self.relations().splits_of(var);
        self.is_bound(var)
            || splits.any(|split| self.is_known(split.outer) && self.is_known(split.inner))
            || self.relations().fusions_of(var).any(|fusion| self.is_known(fusion.fused))
    }

    /// Returns whether the coordinate of a level follows from what is bound.
    fn is_level_known(&self, expr: LevelExpr, indices: &[Var]) -> bool {
        let is_known = |mode: usize| self.is_known(self.relations().unbounded(indices[mode]));
        let split = |mode: usize, factor| self.relations().split_of(indices[mode], factor);
        match expr {
            LevelExpr::Mode(mode) => is_known(mode),
            LevelExpr::Div(mode, factor) => {
                split(mode, factor).is_some_and(|split| self.is_bound(split.outer)) || is_known(mode)
            }
            LevelExpr::Mod(mode, factor) => {
                split(mode, factor).is_some_and(|split| self.is_bound(split.inner)) || is_known(mode)
            }
            LevelExpr::Slot => false,
        }
    }

    /// Returns whether the value of `whole`, which is not known, follows once that of `var` does.
    fn completes(&self, var: Var, whole: Var) -> bool {
        whole == var
            || self.relations().splits_of(whole).any(|split| {
                (self.is_known(split.outer) && self.completes(var, split.inner))
                    || (self.is_known(split.inner) && self.completes(var, split.outer))
            })
    }
}

/// What is known at a place. Each loop gets a copy of its own.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub(super) compute: &'a Compute,
    bound: Vec<Var>,
    depths: Vec<(Access, Depth)>,
    /// Whether there is code for other cases of what is planned here.
    pub(super) is_case: bool,
    /// The accesses whose coordinates here are not stored.
    pub(super) absent: Vec<Access>,
    /// The variable whose values are computed a block of lanes at a time.
    pub(super) lanes: Option<Var>,
    /// The values that the loop being planned visits, where it is not all.
    pub(super) part: Option<Part>,
    /// What loops carry of the workspaces in use.
    pub(super) slots: Vec<Slot>,
    /// The sparse tensors that are being assembled.
    pub(super) results: Vec<ResultPlan>,
    /// The loops in front of which results have reserved a coordinate for each iteration.
    pub(super) reserved: Vec<LoopId>,
}

impl Bindings for Scope<'_> {
    fn relations(&self) -> &Relations<Var, TensorId> {
        &self.compute.relations
    }

    fn is_bound(&self, var: Var) -> bool {
        self.bound.contains(&var)
    }
}

impl<'a> Scope<'a> {
    pub(super) fn new(compute: &'a Compute) -> Self {
        Self {
            compute,
            bound: Vec::new(),
            depths: Vec::new(),
            is_case: false,
            absent: Vec::new(),
            lanes: None,
            part: None,
            slots: Vec::new(),
            results: Vec::new(),
            reserved: Vec::new(),
        }
    }

    pub(super) fn bind(&mut self, var: Var) {
        self.bound.push(var);
    }

    pub(super) fn depth(&self, access: &Access) -> Depth {
        let known = self.depths.iter().rev().find(|(other, _)| other == access);
        known.map_or_else(Depth::default, |(_, depth)| *depth)
    }

    pub(super) fn set_depth(&mut self, access: &Access, depth: Depth) {
        self.depths.push((access.clone(), depth));
    }

    /// Goes down the full levels whose coordinates are known.
    pub(super) fn locate(&mut self, access: &Access) -> Depth {
        let mut depth = self.depth(access);
        for level in &self.levels(access)[depth.levels..] {
            if !level.is_full() || !self.is_level_known(level.expr, &access.indices) {
                break;
            }
            depth = Depth { levels: depth.levels + 1, is_range: false, ..depth };
        }
        self.set_depth(access, depth);
        depth
    }

    pub(super) fn levels(&self, access: &Access) -> &'a [Level] {
        &self.compute.tensors[access.tensor.0].format.levels
    }

    /// Returns the first level that an access has not gone through, slots aside.
    pub(super) fn next_level(&self, access: &Access) -> Option<Level> {
        let levels = &self.levels(access)[self.depth(access).levels..];
        levels.iter().copied().find(|level| level.expr != LevelExpr::Slot)
    }

    /// Returns the variable whose loop visits the coordinates of the next level.
    pub(super) fn next_var(&self, access: &Access) -> Option<Var> {
        self.relations().level_var(self.next_level(access)?, &access.indices)
    }

    /// Returns the plan of a sparse tensor that is being assembled.
    pub(super) fn result(&self, tensor: TensorId) -> Option<&ResultPlan> {
        self.results.iter().find(|result| result.access.tensor == tensor)
    }
}
