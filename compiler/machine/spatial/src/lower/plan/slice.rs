//! Values of dense levels: which part of them is on chip, and from where on.
//!
//! The part is of the innermost levels, as few as possible: those whose variables are bound inside of all
//! others of the tensor. Where all of its loops iterate over all coordinates, addresses are affine: a dense
//! SRAM is filled before the first of these loops. Elsewhere elements are used again in other iterations: a
//! sparse SRAM is filled as far outside as its part stays the same. A part that is known to fit no SRAM stays
//! in DRAM, and its elements are read there one by one. A tensor that is to be on chip is there as a whole,
//! from the beginning on. Of a tensor that is stored in tiles, a tile is on chip before the loops over what
//! is in it, if it is known to fit.

use super::Planner;
use crate::app::Role;
use crate::lower::nest::{Access, Home, Stmt, Var};
use crate::lower::presence::Set;
use comet_format::{Level, LevelExpr};

/// Values of an access that are brought on chip.
#[derive(Clone, Debug)]
pub(in crate::lower) struct SlicePlan {
    pub(in crate::lower) access: Access,
    /// The first of its levels that is on chip.
    pub(in crate::lower) first: usize,
    pub(in crate::lower) memory: SliceMemory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lower) enum SliceMemory {
    /// In a dense SRAM.
    Affine,
    /// In a sparse SRAM.
    Sparse,
    /// In DRAM, one by one.
    OffChip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlicePlace {
    /// Outside of all of them.
    Start,
    /// Before the loop over a variable.
    Before(Var),
    /// At the beginning of its body.
    Inside(Var),
}

/// A loop: its variable, and whether it iterates over all coordinates.
type Loop = (Var, bool);

impl Planner<'_> {
    /// The accesses of statements whose values are brought on chip at a place.
    pub(super) fn slices_at(&mut self, body: &[Stmt], place: SlicePlace) -> Vec<SlicePlan> {
        let mut plans = Vec::new();
        for access in self.nest.accesses(body) {
            let tensor = &self.nest.tensors[access.tensor];
            let has_slice =
                tensor.home == Home::OffChip && tensor.trailing().start <= self.bound_levels(access);
            let is_compressed = !tensor.levels.is_empty() && tensor.trailing().is_empty();
            if !has_slice || is_compressed || self.slices.contains(access) {
                continue;
            }
            if let Some((plan, _)) = self.slice(access, body).filter(|(_, own)| *own == place) {
                self.slices.insert(access.clone());
                plans.push(plan);
            }
        }
        plans
    }

    /// The number of levels of an access whose variables are bound, from the outermost on.
    fn bound_levels(&self, access: &Access) -> usize {
        let is_bound = |level: &usize| self.loops.contains(&self.nest.var_at(access, *level));
        (0..access.indices.len()).take_while(is_bound).count()
    }

    /// `None` where a variable of the access is bound by no loop.
    fn slice(&self, access: &Access, body: &[Stmt]) -> Option<(SlicePlan, SlicePlace)> {
        let loops = self.loops_to(access, body);
        let count = access.indices.len();
        let place = |level: usize| {
            let var = self.nest.var_at(access, level);
            loops.iter().position(|(other, _)| *other == var)
        };
        let places: Vec<usize> = (0..count).map(place).collect::<Option<_>>()?;
        let tensor = &self.nest.tensors[access.tensor];
        let trailing = tensor.trailing();
        let is_inside = |first: &usize| {
            let outer = places[..*first].iter().max();
            places[*first..].iter().min().is_none_or(|inner| outer.is_none_or(|outer| outer < inner))
        };
        // Of a tensor without levels, its one value.
        let last = count.saturating_sub(1);
        let is_whole = tensor.is_whole();
        let tile = self.tile(access).filter(|first| *first >= trailing.start && is_inside(first));
        let tile = tile.filter(|_| !is_whole);
        let own = || (trailing.start..=last).rev().find(is_inside);
        let first = if is_whole { 0 } else { tile.or_else(own)? };
        let inner = &places[first.min(count)..];
        // In a tile, the loop over its last level is that of lanes.
        let is_affine = match tile {
            Some(_) => inner.last().is_some_and(|place| loops[*place].1),
            None => inner.iter().all(|place| loops[*place].1),
        };
        let place = match (is_affine && tile.is_none(), inner.iter().min(), places[..first].iter().max()) {
            _ if is_whole => SlicePlace::Start,
            (true, Some(inner), _) => SlicePlace::Before(loops[*inner].0),
            (_, _, Some(outer)) => SlicePlace::Inside(loops[*outer].0),
            (_, _, None) => SlicePlace::Start,
        };
        let is_operand = self.nest.role(access.tensor) == Role::Operand && !tensor.is_temporary;
        let memory = match is_affine {
            true => SliceMemory::Affine,
            false if is_operand && !is_whole && self.nest.is_too_large(access, first) => SliceMemory::OffChip,
            false => SliceMemory::Sparse,
        };
        Some((SlicePlan { access: access.clone(), first, memory }, place))
    }

    /// The first level of what is in a tile of a tensor that is stored in tiles, if a tile fits on chip.
    fn tile(&self, access: &Access) -> Option<usize> {
        let levels = &self.nest.tensors[access.tensor].levels;
        let is_quotient = |level: &Level| matches!(level.expr, LevelExpr::Div(..));
        let first = levels.iter().rposition(is_quotient)? + 1;
        let is_known = self.nest.elements_from(access, first).is_some();
        (first < levels.len() && is_known && !self.nest.is_too_large(access, first)).then_some(first)
    }

    /// The loops around the first assignment of a block that reads an access.
    fn loops_to(&self, access: &Access, body: &[Stmt]) -> Vec<Loop> {
        let inner = body.iter().find_map(|stmt| self.path_to(access, stmt)).unwrap_or_default();
        self.loops.iter().map(|var| (*var, true)).chain(inner.into_iter().rev()).collect()
    }

    /// The innermost loop first.
    fn path_to(&self, access: &Access, stmt: &Stmt) -> Option<Vec<Loop>> {
        match stmt {
            Stmt::Forall { var, body, .. } => {
                let mut path = body.iter().find_map(|stmt| self.path_to(access, stmt))?;
                path.push((*var, self.set(*var, body) == Set::True));
                Some(path)
            }
            Stmt::Where { consumer, producer, .. } => {
                producer.iter().chain(consumer).find_map(|stmt| self.path_to(access, stmt))
            }
            Stmt::Assign(assign) => assign.value.accesses().contains(&access).then(Vec::new),
        }
    }
}
