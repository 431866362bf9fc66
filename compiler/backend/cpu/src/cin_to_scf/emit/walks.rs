//! Loops over the positions of levels, and over pairs of two variables: each position fixes the coordinates
//! of all levels that it is below, down from where the loops around have come.

use super::Emitter;
use super::env::{Descent, Env};
use super::visit::Visited;
use crate::cin_to_scf::levels::Segment;
use crate::cin_to_scf::plan::{Visit, Walk, pads, walk_from};
use comet_ir::{Builder, Compare, IrError, Loc, Op, Result, Val, types};
use comet_notation::concrete::{Access, Var};

/// Where a search for the parent of a position begins: at the parent of the one before.
pub(super) struct LastParent<'c> {
    access: Access,
    level: usize,
    variable: Val<'c>,
}

impl<'c> Emitter<'_, 'c> {
    pub(super) fn positions_location(&self, position: usize) -> Loc<'c> {
        let var = self.compute.relations.positions[position].position;
        Op::defining(self.handles.vars[var.0]).expect("a relation makes the variable").location()
    }

    /// The levels that a variable over positions counts. The loops around have come to right above them.
    pub(super) fn walk_at(&self, env: &mut Env<'c>, position: usize) -> Result<'c, Walk> {
        let positions = &self.compute.relations.positions[position];
        let access = Access { tensor: positions.tensor, indices: positions.indices.clone() };
        let descent = self.locate(env, &access)?;
        let components = self.compute.relations.components(positions.var);
        let known = self.known(env);
        let walk = walk_from(&known, &access, self.levels(&access), descent.levels, &components);
        walk.filter(|walk| walk.levels.end == positions.level + 1).ok_or_else(|| {
            let (name, tensor) = (&self.compute.var(positions.position).name, &self.compute.tensor(access.tensor).name);
            let message = format!(
                "the loop over `{name}` goes over positions of `{tensor}` below those that other loops fix, and is not inside of them"
            );
            IrError::at(self.positions_location(position), message)
                .hint("put it inside of the loops over the levels above with `order`")
        })
    }

    /// What the loops around leave of the level above the walk's first one, and of each of its levels.
    pub(super) fn segments(&self, env: &Env<'c>, walk: &Walk) -> Result<'c, Vec<Segment<'c>>> {
        let b = env.b;
        let descent = env.descent(&walk.access);
        let (zero, one) = (self.constant(0)?, self.constant(1)?);
        let start = descent.last.unwrap_or(zero);
        let end = match descent.end {
            Some(end) => end,
            None => b.addi(start, one)?,
        };
        let mut segment = [start, end];
        if let Some(present) = descent.present {
            // Under a parent that is not there is nothing.
            segment = [b.select(present, segment[0], zero)?, b.select(present, segment[1], zero)?];
        }
        let mut segments = vec![segment];
        for number in walk.levels.clone() {
            let at = self.level_at(env, &walk.access, number);
            segment = at.segment_below(segment)?;
            segments.push(segment);
        }
        Ok(segments)
    }

    /// Goes on where a loop has fixed a position, which is counted from the first one below what the loops
    /// around fix.
    pub(super) fn at_fixed_position(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        (position, walk): (usize, &Walk),
        then: &Visit,
    ) -> Result<'c, ()> {
        self.locate(env, &walk.access)?;
        let var = self.compute.relations.positions[position].position;
        let number = self.known_coordinate(env, var)?;
        let segments = self.segments(env, walk)?;
        let place = env.b.addi(segments[walk.levels.len()][0], number)?;
        self.at_walk_position(env, visited, (walk, &segments, place), then)
    }

    /// A loop over the pairs that one operand stores.
    pub(super) fn pairs(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        walk: &Walk,
        then: &Visit,
    ) -> Result<'c, ()> {
        let segments = self.segments(env, walk)?;
        self.repeat(env, visited.forall, segments[walk.levels.len()], |env, position| {
            self.at_walk_position(env, visited, (walk, &segments, position), then)
        })
    }

    /// What follows at a position of the walk's last level.
    fn at_walk_position(
        &self,
        env: &mut Env<'c>,
        visited: Visited,
        (walk, segments, position): (&Walk, &[Segment<'c>], Val<'c>),
        then: &Visit,
    ) -> Result<'c, ()> {
        let outermost = env.descent(&walk.access).last.unwrap_or(self.constant(0)?);
        let mut exists = None;
        let mut current = position;
        let levels = self.levels(&walk.access);
        for number in walk.levels.clone().rev() {
            let inside = env.clone();
            let at = self.level_at(&inside, &walk.access, number);
            let parent = match number > walk.levels.start {
                true => at.iterator().parent(at, current, segments[number - walk.levels.start])?,
                false => outermost,
            };
            let coordinate = at.iterator().coordinate(at, parent, current)?;
            if let Some(own) = self.compute.relations.level_var(levels[number], &walk.access.indices) {
                env.bind(own, coordinate);
            }
            if pads(levels, number) {
                exists = Some(env.b.cmpi(Compare::Ge, coordinate, self.constant(0)?)?);
            }
            current = parent;
        }
        if self.compute.relations.fusion_into(visited.var).is_some() && env.bound(visited.var).is_none() {
            let pair = self.pair(env, visited.var)?;
            env.bind(visited.var, pair);
        }
        env.set_descent(&walk.access, Descent::at(walk.levels.end, position));
        self.visit_if(env, visited, exists, then)
    }

    /// The value of a variable over pairs whose parts are bound.
    fn pair(&self, env: &Env<'c>, var: Var) -> Result<'c, Val<'c>> {
        let b = env.b;
        let Some(fusion) = self.compute.relations.fusion_into(var) else {
            return Ok(env.bound(var).expect("the position has bound the parts"));
        };
        let (outer, inner) = (self.pair(env, fusion.outer)?, self.pair(env, fusion.inner)?);
        let size = self.whole_extent(env, fusion.inner)?;
        b.addi(b.muli(outer, size)?, inner)
    }

    /// The variable for the parents of a level's positions.
    pub(in crate::cin_to_scf) fn last_parent(
        &self,
        b: Builder<'c>,
        access: &Access,
        level: usize,
    ) -> Result<'c, Val<'c>> {
        let is_it = |last: &&LastParent<'c>| last.access == *access && last.level == level;
        if let Some(known) = self.last_parents.borrow().iter().find(is_it) {
            return Ok(known.variable);
        }
        let variable = self.zeroed(b.variable(types::index(b.context()))?)?;
        self.last_parents.borrow_mut().push(LastParent { access: access.clone(), level, variable });
        Ok(variable)
    }
}
