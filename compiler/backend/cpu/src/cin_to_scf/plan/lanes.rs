//! Which loops run in blocks of vector lanes. A schedule's `vectorize` only asks for it: any other loop that
//! carries it runs value by value.

use super::{Planner, Scope, Strategy};
use comet_format::LevelExpr;
use comet_notation::concrete::{Access, AssignId, LoopId, Origin, TensorId, Var};
use comet_notation::relations::Split;
use comet_passes::cin::vectorize::MOST_LANES;
use comet_passes::sums::Sums;

impl Planner<'_> {
    /// Returns whether a loop over a variable is over the lanes of the block around it.
    pub(super) fn is_lane(&self, scope: &Scope<'_>, var: Var) -> bool {
        let whole = self.compute.relations.remainder_of(var).map(|split| split.var);
        scope.lanes.is_some() && whole == scope.lanes
    }

    /// Returns the split whose blocks a loop can compute at once, and the number of lanes of one: every
    /// statement in it is inside of a loop over the lanes that asks for it, gives each lane a value of its
    /// own, and sees nothing that another lane changes.
    pub(super) fn vector_blocks(&self, scope: &Scope<'_>, id: LoopId, var: Var) -> Option<(Split<Var>, u64)> {
        let compute = self.compute;
        let split = compute.relations.quotient_of(var).filter(|_| scope.lanes.is_none())?;
        let lanes = split.factor().filter(|lanes| *lanes <= MOST_LANES)?;
        let body = &compute.forall(id).body;
        let is_whole = compute.var(split.var).origin == Origin::Expression
            && compute.relations.splits_of(split.var).count() == 1;
        let (reads, writes) = (compute.reads(body), compute.assigns_in(body));
        let targets: Vec<&Access> = writes.iter().map(|assign| &compute.assign(*assign).target).collect();
        let is_fit = is_whole
            && !writes.is_empty()
            && compute.loops_in(body).into_iter().all(|forall| self.asks_or_is_other(forall, split))
            && !self.facts.loops[id.0].divides_integers
            && compute.masks(body).is_empty()
            && reads.iter().all(|read| self.has_consecutive_lanes(read, split))
            && targets.iter().all(|target| self.takes_lanes(scope, target.tensor))
            && writes.iter().all(|write| self.writes_lanes(*write, id, split))
            && reads
                .iter()
                .all(|read| targets.iter().all(|target| target.tensor != read.tensor || target == read));
        is_fit.then_some((split, lanes))
    }

    fn asks_or_is_other(&self, forall: LoopId, split: Split<Var>) -> bool {
        let forall = self.compute.forall(forall);
        forall.var != split.inner || forall.schedule.vectorize.is_some()
    }

    /// A register workspace has one element for each lane; the values of a tensor follow each other.
    fn has_consecutive_lanes(&self, access: &Access, split: Split<Var>) -> bool {
        if self.compute.tensor(access.tensor).is_unstored_workspace() {
            return access.indices.iter().all(|index| *index == split.inner);
        }
        self.is_contiguous(access, split.var)
            && !access.indices.contains(&split.outer)
            && !access.indices.contains(&split.inner)
    }

    /// Returns whether a variable does not move an access, or moves it by one value: it is that of the
    /// innermost level, which is full.
    pub(super) fn is_contiguous(&self, access: &Access, var: Var) -> bool {
        let uses = access.indices.iter().filter(|index| **index == var).count();
        let innermost = self.compute.format(access).levels.last();
        let by_one = innermost.is_some_and(|level| match level.expr {
            LevelExpr::Mode(mode) => level.kind.is_full() && access.indices[mode] == var,
            _ => false,
        });
        uses == 0 || (uses == 1 && by_one)
    }

    fn takes_lanes(&self, scope: &Scope<'_>, tensor: TensorId) -> bool {
        let var = self.compute.tensor(tensor);
        let is_ordered = scope.result(tensor).is_some_and(|result| match result.strategy {
            Strategy::Append { .. } | Strategy::SamePattern(_) | Strategy::InPlace => true,
            Strategy::Collect { .. } => false,
        });
        var.is_unstored_workspace() || var.format.is_dense() || is_ordered
    }

    fn writes_lanes(&self, assign: AssignId, blocks: LoopId, split: Split<Var>) -> bool {
        let compute = self.compute;
        let target = &compute.assign(assign).target;
        let tensor = compute.tensor(target.tensor);
        let has_lanes = match tensor.is_unstored_workspace() {
            true => tensor.format.rank == 1,
            false => target.indices.contains(&split.var),
        };
        let mut inside =
            compute.loops_in(&compute.forall(blocks).body).into_iter().map(|id| compute.forall(id));
        has_lanes
            && self.has_consecutive_lanes(target, split)
            && inside
                .any(|forall| forall.var == split.inner && compute.assigns_in(&forall.body).contains(&assign))
    }

    /// Returns the scalar that a loop adds to in the lanes of a vector, and the number of lanes.
    pub(super) fn vector_sum(&self, scope: &Scope<'_>, id: LoopId) -> Option<(TensorId, u64)> {
        use super::Bindings;
        let forall = self.compute.forall(id);
        let lanes = forall.schedule.vectorize?;
        let sum = self.facts.loops[id.0].lane_sum.filter(|_| self.options.sums == Sums::AnyOrder)?;
        let is_free = scope.lanes.is_none() && !scope.is_bound(forall.var);
        ((2..=MOST_LANES).contains(&lanes) && lanes.is_power_of_two() && is_free).then_some((sum, lanes))
    }
}
