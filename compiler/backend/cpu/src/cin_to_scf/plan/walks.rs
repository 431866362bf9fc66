//! Loops over positions of levels, and over the pairs of a fused variable that one operand stores: each
//! position fixes the coordinates of all levels above it, down from where the loops around have come.

use super::blocks::combines_one_by_one;
use super::{Bindings, Depth, LoopId, Planner, Refusal, Result, Scope, Site, VisitKind, Walk};
use comet_format::{Iterate, LevelExpr};
use comet_notation::concrete::{Access, Var};
use comet_notation::relations::PositionVar;
use std::slice;

/// Returns the levels from the given one on, where they are those of some variables, in their order.
pub(crate) fn walk_from(
    bindings: &impl Bindings,
    access: &Access,
    levels: &[comet_format::Level],
    first: usize,
    components: &[Var],
) -> Option<Walk> {
    let mut rest = components;
    let mut end = first;
    while let [component, others @ ..] = rest {
        let level = *levels.get(end)?;
        end += 1;
        if level.expr == LevelExpr::Slot {
            continue;
        }
        if bindings.relations().level_var(level, &access.indices) != Some(*component) {
            return None;
        }
        rest = others;
    }
    Some(Walk { access: access.clone(), levels: first..end })
}

impl Planner<'_> {
    /// Goes on where a loop has fixed a position that no coordinates have been read from yet.
    pub(super) fn at_position(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
    ) -> Result<Option<VisitKind>> {
        let relations = &self.compute.relations;
        let is_new = |positions: &PositionVar<_, _>| {
            scope.is_known(positions.position)
                && !relations.components(positions.var).iter().all(|var| scope.is_known(*var))
        };
        let Some(position) = relations.positions.iter().position(is_new) else { return Ok(None) };
        let positions = &relations.positions[position];
        let access = Access { tensor: positions.tensor, indices: positions.indices.clone() };
        if self.is_live_without(scope, id, slice::from_ref(&access)) {
            return Err(self.not_alone(position));
        }
        let mut scope = scope.clone();
        let depth = scope.locate(&access);
        let components = relations.components(positions.var);
        let levels = scope.levels(&access);
        let walk = walk_from(&scope, &access, levels, depth.levels, &components);
        let walk = walk.filter(|walk| walk.levels.end == positions.level + 1);
        let walk = walk.ok_or_else(|| self.not_inside(position))?;
        if !self.may_repeat(&scope, id, &walk) {
            return Err(self.stored_twice(position));
        }
        let then = Box::new(self.below_walk(&mut scope, id, var, &walk)?);
        Ok(Some(VisitKind::AtPosition { position, walk, then }))
    }

    /// A loop over the pairs that one operand stores, where nothing is assigned at others.
    pub(super) fn stored_pairs(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
    ) -> Result<Option<VisitKind>> {
        if self.compute.relations.fusion_into(var).is_none() {
            return Ok(None);
        }
        let mut scope = scope.clone();
        let Some(walk) = self.only_walk(&mut scope, id, var) else { return Ok(None) };
        let then = Box::new(self.below_walk(&mut scope, id, var, &walk)?);
        Ok(Some(VisitKind::Pairs { walk, then }))
    }

    /// Returns the levels of the sparse operand without which nothing is assigned and whose next levels are
    /// those of the pairs.
    fn only_walk(&self, scope: &mut Scope<'_>, id: LoopId, var: Var) -> Option<Walk> {
        let components = self.compute.relations.components(var);
        self.compute.reads(&self.compute.forall(id).body).into_iter().find_map(|access| {
            let is_unstored = self.compute.tensor(access.tensor).is_unstored_workspace();
            if is_unstored || scope.absent.contains(access) {
                return None;
            }
            let depth = scope.locate(access);
            let walk = walk_from(scope, access, scope.levels(access), depth.levels, &components)?;
            let levels = &scope.levels(access)[walk.levels.clone()];
            let stores_all = levels.iter().all(|level| level.kind.is_full());
            let is_read_by_bit = levels.iter().any(|level| level.kind.iterate() == Iterate::ByBit);
            let is_needed = !self.is_live_without(scope, id, slice::from_ref(access));
            (!stores_all && !is_read_by_bit && is_needed && self.may_repeat(scope, id, &walk)).then_some(walk)
        })
    }

    /// Returns whether a coordinate may be visited once for each entry below it, where the last level stores
    /// it so.
    fn may_repeat(&self, scope: &Scope<'_>, id: LoopId, walk: &Walk) -> bool {
        let levels = scope.levels(&walk.access);
        let last = walk.levels.end - 1;
        let body = &self.compute.forall(id).body;
        let is_above_entries = levels.get(last + 1).is_some_and(|level| level.kind.is_branchless());
        let has_sets = levels[last].kind.has_sets_as_fibers();
        !is_above_entries
            || has_sets
            || (combines_one_by_one(self.compute, body) && !self.appends(scope, body))
    }

    /// What follows at a position of the walk's last level.
    fn below_walk(
        &mut self,
        scope: &mut Scope<'_>,
        id: LoopId,
        var: Var,
        walk: &Walk,
    ) -> Result<super::Visit> {
        let levels = scope.levels(&walk.access);
        for number in walk.levels.clone().rev() {
            if let Some(own) = self.compute.relations.level_var(levels[number], &walk.access.indices) {
                scope.bind(own);
            }
        }
        if self.compute.relations.fusion_into(var).is_some() && !scope.is_bound(var) {
            scope.bind(var);
        }
        scope.set_depth(&walk.access, Depth { levels: walk.levels.end, ..Depth::default() });
        self.visit(scope, id, var)
    }

    /// Returns whether a loop over positions is one of an operand that is absent here, without which nothing
    /// is assigned.
    pub(super) fn has_no_positions(&self, scope: &Scope<'_>, id: LoopId, var: Var) -> bool {
        let is_absent = self.compute.relations.positions_under(var).is_some_and(|positions| {
            let (tensor, indices) = (positions.tensor, positions.indices.clone());
            scope.absent.contains(&Access { tensor, indices })
        });
        is_absent && !self.is_live_without(scope, id, &[])
    }

    fn not_alone(&self, position: usize) -> Refusal {
        let positions = &self.compute.relations.positions[position];
        let (tensor, var) = (self.tensor_name(positions.tensor), self.name(positions.var));
        let message = format!("`{tensor}` alone does not decide which `{var}` are visited");
        let hint = "leave `pos` out: the loop also comes to coordinates that other operands store";
        Refusal::program(Site::Positions(positions.position), message, hint)
    }

    fn stored_twice(&self, position: usize) -> Refusal {
        let positions = &self.compute.relations.positions[position];
        let (tensor, var) = (self.tensor_name(positions.tensor), self.name(positions.var));
        let message =
            format!("`{tensor}` stores each `{var}` once for every entry below it, which have to meet here");
        Refusal::program(Site::Positions(positions.position), message, "leave `pos` out")
    }

    pub(super) fn not_inside(&self, position: usize) -> Refusal {
        let positions = &self.compute.relations.positions[position];
        let (position_var, tensor) = (self.name(positions.position), self.tensor_name(positions.tensor));
        let message = format!(
            "the loop over `{position_var}` goes over positions of `{tensor}` below those that other loops fix, and is not inside of them"
        );
        let hint = "put it inside of the loops over the levels above with `order`";
        Refusal::program(Site::Positions(positions.position), message, hint)
    }
}
