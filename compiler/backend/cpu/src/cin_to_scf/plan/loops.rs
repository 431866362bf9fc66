//! How the coordinates of a loop's variable are visited: searched where they are known, by the positions of
//! one operand, merged over several, or all of them.

use super::blocks::combines_one_by_one;
use super::{
    Bindings, BodyPlan, Depth, Half, LoopId, MOST_BODIES, MergesInCases, Part, Planner, Refusal, Result,
    ResultLevel, Room, Scope, Site, StoredPlan, StoredPositions, Visit, VisitKind,
};
use comet_format::{Children, Iterate, Level, LevelArray, LevelExpr, LevelGroup};
use comet_notation::Operator;
use comet_notation::concrete::{Access, Compute, Value, Var};
use comet_notation::lattice::Lattice;
use comet_notation::relations::Split;
use std::slice;

impl Planner<'_> {
    /// Goes on with a loop whose variable may be bound by now: a level whose coordinate is known is searched;
    /// then the levels at the variable of operands that store only some coordinates are visited, or all
    /// coordinates; then the body runs.
    pub(super) fn visit(&mut self, scope: &Scope<'_>, id: LoopId, var: Var) -> Result<Visit> {
        if self.has_no_positions(scope, id, var) {
            return Ok(Visit { located: Vec::new(), kind: VisitKind::Nothing });
        }
        if let Some(kind) = self.at_position(scope, id, var)? {
            return Ok(Visit { located: Vec::new(), kind });
        }
        let mut scope = scope.clone();
        let (located, sparse) = self.locate_all(&mut scope, id);
        let kind = self.visit_located(&scope, id, var, sparse)?;
        Ok(Visit { located, kind })
    }

    fn visit_located(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
        sparse: Vec<Access>,
    ) -> Result<VisitKind> {
        let is_next_known = |access: &&Access| {
            let level = scope.next_level(access);
            level.is_some_and(|level| scope.is_level_known(level.expr, &access.indices))
        };
        if let Some(access) = sparse.iter().find(is_next_known) {
            let presences = self.presence_of_one(scope, (id, var), access, &sparse)?;
            return Ok(VisitKind::Search { access: access.clone(), presences });
        }
        if scope.is_bound(var) {
            return self.at_coordinate(scope, id);
        }
        if let Some(kind) = self.stored_pairs(scope, id, var)? {
            return Ok(kind);
        }
        let drivers = self.drivers(scope, id, sparse, var);
        let Some(whole) = drivers.first().and_then(|driver| scope.next_var(driver)) else {
            return self.all(scope, id, var);
        };
        if drivers.iter().any(|driver| scope.next_var(driver) != Some(whole)) {
            let what = "operands that store an index in blocks, beside a loop over a part of it";
            return Err(Refusal::unsupported(Site::Loop(id), what));
        }
        let mut scope = scope.clone();
        scope.part = (whole != var).then(|| Part {
            whole,
            var,
            is_contiguous: is_contiguous_part(&scope, whole, var),
        });
        self.visit_drivers(&scope, id, whole, &drivers)
    }

    /// Visits the coordinates that the drivers' levels store, or all where something is assigned beside them.
    fn visit_drivers(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
        drivers: &[Access],
    ) -> Result<VisitKind> {
        match drivers {
            _ if self.is_live_without(scope, id, drivers) => self.merge_all(scope, id, var, drivers),
            [driver] if self.goes_over_positions(scope, id, drivers) => {
                let at = scope.depth(driver).levels;
                self.stored(scope, id, var, driver, at)
            }
            _ => self.merge_stored(scope, id, var, drivers),
        }
    }

    /// The body, or first the parts of a variable that follow from the coordinate of the whole.
    fn at_coordinate(&mut self, scope: &Scope<'_>, id: LoopId) -> Result<VisitKind> {
        let mut scope = scope.clone();
        let Some(part) = scope.part.take() else {
            return Ok(VisitKind::Body(Box::new(self.body(&scope, id)?)));
        };
        let mut halves = Vec::new();
        for half in parts_of(self.compute, part.whole) {
            let found = match scope.is_known(half) {
                true if part.is_contiguous => Half::Agrees,
                true => Half::Compared,
                false => Half::Bound,
            };
            if found == Half::Bound {
                scope.bind(half);
            }
            halves.push((half, found));
        }
        // Levels of blocks beside the level of whole coordinates are searched now that the parts are known.
        let then = Box::new(self.visit(&scope, id, part.whole)?);
        Ok(VisitKind::Halves { part, halves, then })
    }

    /// The body of a loop at a coordinate.
    pub(super) fn body(&mut self, scope: &Scope<'_>, id: LoopId) -> Result<BodyPlan> {
        let forall = self.compute.forall(id);
        let appended = self.appended(scope, id, forall.var, |group| group.levels.end - 1);
        let room = if scope.reserved.contains(&id) { Room::Reserved } else { Room::Unknown };
        self.bodies += 1;
        if self.merges_in_cases == MergesInCases::Cases && self.bodies > MOST_BODIES {
            return Ok(BodyPlan { forall: id, appended, room, steps: Vec::new() });
        }
        Ok(BodyPlan { forall: id, appended, room, steps: self.block(scope, &forall.body)? })
    }

    /// Returns the result that a loop over a variable assigns to, with the group one of whose levels is
    /// visited by it. A loop that fills a workspace of the result may be over the same variable.
    pub(super) fn appended(
        &self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
        level_of: impl Fn(&LevelGroup) -> usize,
    ) -> Option<ResultLevel> {
        let assigns = self.compute.assigns_in(&self.compute.forall(id).body);
        scope.results.iter().find_map(|result| {
            let super::Strategy::Append { groups, .. } = &result.strategy else { return None };
            let tensor = result.access.tensor;
            if !assigns.iter().any(|assign| self.compute.assign(*assign).target.tensor == tensor) {
                return None;
            }
            let levels = scope.levels(&result.access);
            let is_it = |group: &LevelGroup| {
                let own = levels[level_of(group)];
                self.compute.relations.level_var(own, &result.access.indices) == Some(var)
            };
            groups.iter().position(is_it).map(|group| ResultLevel { tensor, group })
        })
    }

    /// Before a loop over the coordinates of a level of a result, as some operands store them: whether one is
    /// reserved for each iteration, lest the iterations have to look for room. They do where full levels are
    /// below, of which there may be far too many then.
    pub(super) fn reserve(&self, scope: &mut Scope<'_>, id: LoopId) -> Option<ResultLevel> {
        let var = self.compute.forall(id).var;
        let found = self.appended(scope, id, var, |group| group.levels.end - 1)?;
        let result = scope.result(found.tensor).expect("it is being assembled");
        let super::Strategy::Append { groups, .. } = &result.strategy else { return None };
        let below = groups[found.group].levels.end;
        if scope.levels(&result.access).get(below).is_some_and(|level| level.kind.is_full()) {
            return None;
        }
        scope.reserved.push(id);
        Some(found)
    }

    /// Returns whether something is assigned in a loop although some accesses are absent.
    pub(super) fn is_live_without(&self, scope: &Scope<'_>, id: LoopId, lacking: &[Access]) -> bool {
        Lattice::of(self.compute, &self.compute.forall(id).body, &scope.absent).is_live_without(lacking)
    }

    /// Locates each access of a loop that is neither a workspace nor absent, and returns them, and those that
    /// have a level left that is not full.
    pub(super) fn locate_all(&self, scope: &mut Scope<'_>, id: LoopId) -> (Vec<Access>, Vec<Access>) {
        let (mut located, mut sparse): (Vec<Access>, Vec<Access>) = (Vec::new(), Vec::new());
        for access in self.compute.reads(&self.compute.forall(id).body) {
            let is_unstored = self.compute.tensor(access.tensor).is_unstored_workspace();
            if is_unstored || sparse.contains(access) || scope.absent.contains(access) {
                continue;
            }
            scope.locate(access);
            located.push(access.clone());
            if scope.next_level(access).is_some_and(|level| !level.kind.is_full()) {
                sparse.push(access.clone());
            }
        }
        (located, sparse)
    }

    /// Visits all coordinates.
    fn all(&mut self, scope: &Scope<'_>, id: LoopId, var: Var) -> Result<VisitKind> {
        let tasks = match self.runs_in_tasks(scope, id) {
            true => Some(Box::new(self.tasks(scope, id, None, self.below_all(id, var)))),
            false => None,
        };
        let mut inside = scope.clone();
        let relations = &self.compute.relations;
        let is_known = |scope: &Scope<'_>, split: &Split<Var>| scope.is_known(split.var);
        let before: Vec<bool> = relations.splits.iter().map(|split| is_known(scope, split)).collect();
        inside.bind(var);
        let checked = match relations.is_of_fusion(var) {
            true => {
                let splits = relations.splits.iter().zip(before);
                splits
                    .filter(|(split, was_known)| !was_known && is_known(&inside, split))
                    .map(|(split, _)| *split)
                    .collect()
            }
            false => Vec::new(),
        };
        let is_innermost = self.is_innermost(id) && relations.positions_under(var).is_none();
        Ok(VisitKind::All { tasks, checked, is_innermost, then: Box::new(self.visit(&inside, id, var)?) })
    }

    fn is_innermost(&self, id: LoopId) -> bool {
        self.compute.loops_in(&self.compute.forall(id).body).is_empty()
    }

    /// Returns whether values take several instructions one after the other: a loop applies a function that
    /// is a series, or reduces by one that has to look for NaN.
    fn has_long_vectors(&self, id: LoopId) -> bool {
        let compute = self.compute;
        let body = &compute.forall(id).body;
        let is_series = |value: &Value| matches!(value, Value::Apply(function, _) if function.is_series());
        let is_extreme = |reduction| matches!(reduction, Some(Operator::Min | Operator::Max));
        let mut assigns = compute.assigns_in(body).into_iter().map(|assign| compute.assign(assign));
        assigns.any(|assign| is_extreme(assign.reduction))
            || compute.values_in(body).into_iter().any(|value| is_series(compute.value(value)))
    }

    /// Visits the positions of a driver's next level, below its slots.
    fn stored(
        &mut self,
        scope: &Scope<'_>,
        id: LoopId,
        var: Var,
        driver: &Access,
        level: usize,
    ) -> Result<VisitKind> {
        let mut scope = scope.clone();
        let depth = scope.depth(driver);
        let levels = scope.levels(driver);
        let own = if levels[level].expr == LevelExpr::Slot { level + 1 } else { level };
        let positions = match levels[own].kind.children() {
            Children::Segment => StoredPositions::Segment,
            Children::One if depth.is_range && own == level => StoredPositions::Range,
            Children::One => StoredPositions::One,
            Children::Every => unreachable!("full levels do not drive loops"),
        };
        let reserve = match positions {
            StoredPositions::Segment | StoredPositions::Range => self.reserve(&mut scope, id),
            StoredPositions::One => None,
        };
        let is_segment = positions == StoredPositions::Segment;
        let tasks =
            match is_segment && levels[own].kind.has_sets_as_fibers() && self.runs_in_tasks(&scope, id) {
                true => {
                    let below = vec![super::Below { tensor: driver.tensor, level: own + 1 }];
                    Some(Box::new(self.tasks(&scope, id, Some(driver.clone()), below)))
                }
                false => None,
            };
        // Rows of consecutive coordinates are foreseen by the processor.
        let prefetched =
            match is_segment && levels[own].kind.has_sorted_fibers() && levels[own].kind.has(LevelArray::Crd)
            {
                true => self.prefetched(&scope, id, var),
                false => Vec::new(),
            };
        let part = scope.part;
        scope.set_depth(driver, Depth { levels: own + 1, ..Depth::default() });
        scope.bind(var);
        let then = self.visit(&scope, id, var)?;
        let access = driver.clone();
        let is_innermost = is_segment && self.is_innermost(id);
        let plan = StoredPlan {
            var,
            access,
            level,
            part,
            positions,
            may_be_empty: pads(levels, own),
            is_innermost,
            has_long_vectors: is_innermost && self.has_long_vectors(id),
            reserve,
            tasks,
            prefetched,
            then,
        };
        Ok(VisitKind::Stored(Box::new(plan)))
    }

    /// Returns the operands whose rows a loop over stored coordinates inside of a block of lanes jumps to.
    fn prefetched(&mut self, scope: &Scope<'_>, id: LoopId, var: Var) -> Vec<Access> {
        let Some(lanes) = scope.lanes else { return Vec::new() };
        let body = &self.compute.forall(id).body;
        let mut inner = self.compute.loops_in(body).into_iter().map(|inner| self.compute.forall(inner).var);
        if !inner.all(|inner| self.is_lane(scope, inner)) {
            return Vec::new();
        }
        let is_row = |access: &&&Access| {
            let tensor = self.compute.tensor(access.tensor);
            tensor.format.is_dense()
                && tensor.workspace.is_none()
                && access.indices.contains(&var)
                && self.is_contiguous(access, lanes)
        };
        let reads = self.compute.reads(body);
        let rows: Vec<Access> = reads.iter().filter(is_row).map(|access| (*access).clone()).collect();
        for access in &rows {
            let (tensor, var) = (self.tensor_name(access.tensor), self.name(self.compute.forall(id).var));
            let megabytes = super::super::emit::prefetch::FAR >> 20;
            let text = format!(
                "rows of `{tensor}` are asked for before the loop over `{var}` comes to them, where it has {megabytes} MiB or more"
            );
            self.remark(Site::Loop(id), text);
        }
        rows
    }

    /// Returns whether the loop over a variable goes over the positions of the only driver's level.
    pub(super) fn goes_over_positions(&self, scope: &Scope<'_>, id: LoopId, drivers: &[Access]) -> bool {
        let [driver] = drivers else { return false };
        !self.is_live_without(scope, id, drivers)
            && self.visits_each_once(scope, id, driver)
            && is_divisible(scope, driver)
    }

    /// Returns whether a loop over the positions of an access's next level is right: coordinates follow from
    /// positions, and there are none under a parent that is not there. Where a loop visits a coordinate once
    /// for each entry, entries must combine one by one.
    fn visits_each_once(&self, scope: &Scope<'_>, id: LoopId, driver: &Access) -> bool {
        let Some(level) = scope.next_level(driver) else { return false };
        let body = &self.compute.forall(id).body;
        let is_bounded = !scope.depth(driver).is_uncertain || level.kind.children() == Children::Segment;
        level.kind.reads_any_position()
            && is_bounded
            && (!repeats(scope.levels(driver), scope.depth(driver).levels)
                || (combines_one_by_one(self.compute, body) && !self.appends(scope, body)))
    }

    /// Returns the accesses that say which coordinates a loop over a variable visits. In levels that are
    /// located in constant time coordinates are looked for once others have decided them, where others do;
    /// levels without order cannot be merged.
    fn drivers(&self, scope: &Scope<'_>, id: LoopId, sparse: Vec<Access>, var: Var) -> Vec<Access> {
        let is_driver =
            |access: &Access| scope.next_var(access).is_some_and(|whole| scope.completes(var, whole));
        let mut drivers: Vec<Access> = sparse.into_iter().filter(is_driver).collect();
        // Beside a level of blocks, one of whole coordinates is searched when the block and the place in it
        // are known.
        if drivers.iter().any(|driver| scope.next_var(driver) == Some(var)) {
            drivers.retain(|driver| scope.next_var(driver) == Some(var));
        }
        let kind = |access: &Access| scope.next_level(access).expect("it has a level left").kind;
        let (located, others): (Vec<Access>, Vec<Access>) =
            drivers.iter().cloned().partition(|driver| kind(driver).locates_in_constant_time());
        let decide = |accesses: &[Access]| !self.is_live_without(scope, id, accesses);
        match located.first() {
            Some(_) if !others.is_empty() && decide(&others) => return others,
            Some(first) if others.is_empty() && decide(slice::from_ref(first)) => {
                drivers = vec![first.clone()];
                // A loop over a part of a variable begins and ends in the middle of a fiber.
                drivers.retain(|first| kind(first).is_ordered() || scope.next_var(first) == Some(var));
            }
            _ => drivers.retain(|driver| kind(driver).is_ordered()),
        }
        drivers
    }

    /// Returns whether tasks can have some iterations each of an outermost loop: it goes over all
    /// coordinates, or over the positions of one level that stores each coordinate once.
    pub(super) fn is_divisible_into_tasks(&self, scope: &Scope<'_>, id: LoopId) -> bool {
        let var = self.compute.relations.unbounded(self.compute.forall(id).var);
        let mut scope = scope.clone();
        let (_, sparse) = self.locate_all(&mut scope, id);
        let drivers = self.drivers(&scope, id, sparse, var);
        let [driver] = &drivers[..] else { return drivers.is_empty() };
        let is_unique = scope.next_level(driver).is_some_and(|level| level.kind.has_sets_as_fibers());
        is_unique && scope.next_var(driver) == Some(var) && self.goes_over_positions(&scope, id, &drivers)
    }
}

/// Returns whether a loop over the positions of an access's next level can begin and end in the middle.
fn is_divisible(scope: &Scope<'_>, access: &Access) -> bool {
    let level = scope.levels(access)[scope.depth(access).levels];
    scope.part.is_none() || level.kind.has_sorted_fibers()
}

/// Returns whether a level stores a coordinate once for each of the entries below it.
pub(crate) fn repeats(levels: &[Level], number: usize) -> bool {
    let is_above_entries = levels.get(number + 1).is_some_and(|below| below.kind.is_branchless());
    is_above_entries && (!levels[number].kind.is_unique() || levels[number].expr == LevelExpr::Slot)
}

/// Returns whether positions of a level may hold no coordinate: those of a table, and those below a
/// level that has a position for each coordinate.
pub(crate) fn pads(levels: &[Level], number: usize) -> bool {
    let kind = levels[number].kind;
    let is_below_every = number > 0 && levels[number - 1].kind.iterate() == Iterate::ByCoordinate;
    !kind.is_compact() && (is_below_every || !kind.is_branchless())
}

/// Returns whether the values of `whole` that a loop over `var` completes are consecutive.
fn is_contiguous_part(scope: &Scope<'_>, whole: Var, var: Var) -> bool {
    if whole == var {
        return true;
    }
    let splits = scope.relations().splits_of(whole).find_map(|split| {
        if scope.is_known(split.outer) && scope.completes(var, split.inner) {
            return Some(is_contiguous_part(scope, split.inner, var));
        }
        (scope.is_known(split.inner) && scope.completes(var, split.outer)).then_some(false)
    });
    splits.expect("the variable completes the other")
}

/// Returns all variables that a variable is split into, in the order in which their values are computed.
pub(crate) fn parts_of(compute: &Compute, var: Var) -> Vec<Var> {
    let mut parts = Vec::new();
    for split in compute.relations.splits_of(var) {
        for half in [split.outer, split.inner] {
            parts.push(half);
            parts.extend(parts_of(compute, half));
        }
    }
    parts
}
