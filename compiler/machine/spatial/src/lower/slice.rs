//! Values of dense levels: which part of them is on chip, and from where on.
//!
//! The part is of the innermost levels, as few as possible: those whose variables are bound inside of all
//! others of the tensor. Where all of its loops go over all coordinates, addresses are affine: a dense SRAM
//! is filled in front of the first of these loops. Elsewhere elements are used again in other rounds: a
//! sparse SRAM is filled as far outside as its part stays the same. A part that is known to fit no SRAM stays
//! in DRAM, and its elements are read there one by one. A tensor that is to be on chip is there as a whole,
//! from the beginning on. Of a tensor that is stored in tiles, a tile is on chip, in front of the loops over
//! what is in it, if it is known to fit.

use super::Lowering;
use super::expr::{int, mux, name, plus, read, times};
use super::nest::{Access, Home, Stmt, Var};
use super::operand::part;
use super::pattern_set::Set;
use super::scope::Slice;
use crate::app::{Division, Expr, Kind, Level, MemoryKind, Role, SparseVariant};

/// What is on chip of an access, and from where on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Plan {
    /// The first of its levels.
    first: usize,
    place: Place,
    is_affine: bool,
}

/// A place between loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Outside of all of them.
    Start,
    /// In front of the loop over a variable.
    Outside(Var),
    /// In it, in front of all else.
    Inside(Var),
}

/// A loop: its variable, and whether it goes over all coordinates.
type Loop = (Var, bool);

impl Lowering<'_> {
    /// In front of the loop over a variable: values whose addresses are affine in what follows.
    pub(super) fn load_slices_outside(&mut self, var: Var, stmt: &Stmt) {
        self.load_slices(std::slice::from_ref(stmt), Place::Outside(var));
    }

    /// At the beginning of a block: values whose part stays the same in it.
    pub(super) fn load_slices_inside(&mut self, body: &[Stmt]) {
        let place = self.loops.last().map_or(Place::Start, |var| Place::Inside(*var));
        self.load_slices(body, place);
    }

    fn load_slices(&mut self, body: &[Stmt], place: Place) {
        for access in self.accesses(body) {
            let tensor = &self.nest.tensors[access.tensor];
            let has_slice =
                tensor.home == Home::OffChip && tensor.trailing().start <= self.bound_levels(access);
            if !has_slice || !tensor.levels.is_empty() && tensor.trailing().is_empty() {
                continue;
            }
            if self.scope.slices.contains_key(access) {
                continue;
            }
            if let Some(plan) = self.plan(access, body).filter(|plan| plan.place == place) {
                self.load_slice(access, plan);
            }
        }
    }

    /// How many levels of an access have a variable that is bound, from the outermost on.
    fn bound_levels(&self, access: &Access) -> usize {
        let is_bound = |level: &usize| self.loops.contains(&self.nest.var_at(access, *level));
        (0..access.indices.len()).take_while(is_bound).count()
    }

    /// `None` where a variable of the access is bound by no loop.
    fn plan(&self, access: &Access, body: &[Stmt]) -> Option<Plan> {
        let loops = self.loops_to(access, body);
        let count = access.indices.len();
        let place = |level: usize| {
            let var = self.nest.var_at(access, level);
            loops.iter().position(|(other, _)| *other == var)
        };
        let places: Vec<usize> = (0..count).map(place).collect::<Option<_>>()?;
        let trailing = self.nest.tensors[access.tensor].trailing();
        let is_inside = |first: &usize| {
            let outer = places[..*first].iter().max();
            places[*first..].iter().min().is_none_or(|inner| outer.is_none_or(|outer| outer < inner))
        };
        // Of a tensor without levels, its one value.
        let last = count.saturating_sub(1);
        let is_whole = self.nest.tensors[access.tensor].is_whole();
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
            _ if is_whole => Place::Start,
            (true, Some(inner), _) => Place::Outside(loops[*inner].0),
            (_, _, Some(outer)) => Place::Inside(loops[*outer].0),
            (_, _, None) => Place::Start,
        };
        Some(Plan { first, place, is_affine })
    }

    /// The first level of what is in a tile of a tensor that is stored in tiles, if a tile fits on chip.
    fn tile(&self, access: &Access) -> Option<usize> {
        let levels = &self.nest.tensors[access.tensor].levels;
        let is_quotient = |level: &Level| matches!(level.division, Division::Quotient(_));
        let first = levels.iter().rposition(is_quotient)? + 1;
        let is_known = self.elements_from(access, first).is_some();
        (first < levels.len() && is_known && !self.is_too_large(access, first)).then_some(first)
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
                path.push((*var, self.set(*var, body) == Set::All));
                Some(path)
            }
            Stmt::Where { consumer, producer, .. } => {
                producer.iter().chain(consumer).find_map(|stmt| self.path_to(access, stmt))
            }
            Stmt::Assign(assign) => assign.value.accesses().contains(&access).then(Vec::new),
        }
    }

    fn load_slice(&mut self, access: &Access, plan: Plan) {
        let is_operand =
            self.role(access.tensor) == Role::Operand && !self.nest.tensors[access.tensor].is_temporary;
        let is_whole = self.nest.tensors[access.tensor].is_whole();
        let is_off_chip = is_operand && !is_whole && !plan.is_affine && self.is_too_large(access, plan.first);
        let memory = match is_off_chip {
            true => {
                let element = self.element(access.tensor);
                self.sparse_dram(&format!("{}_vals", self.nest.tensors[access.tensor].name), element)
            }
            false => self.load_levels(access, plan.first, plan.is_affine),
        };
        self.scope.slices.insert(access.clone(), Slice { memory, is_off_chip, first: plan.first });
    }

    /// Whether the levels from one on are known to have more elements than an SRAM.
    fn is_too_large(&self, access: &Access, first: usize) -> bool {
        let size = self.elements_from(access, first);
        size.is_some_and(|size| size > i128::from(self.setting_value("nnz_accel_max")))
    }

    /// How many elements the levels from one on have, if that is known.
    pub(super) fn elements_from(&self, access: &Access, first: usize) -> Option<i128> {
        let sizes =
            (first..access.indices.len()).map(|level| self.nest.sizes[self.nest.var_at(access, level)]);
        sizes.map(|size| size.map(i128::from)).product()
    }

    /// Brings the elements of the levels from one on to an SRAM: nothing where those above are not stored.
    pub(super) fn load_levels(&mut self, access: &Access, first: usize, is_affine: bool) -> String {
        let label = self.label(access);
        let tensor = &self.nest.tensors[access.tensor];
        let (dram, element) = (format!("{}_vals_d", tensor.name), self.typed(&tensor.element));
        let levels = first..tensor.levels.len();
        let size = levels.fold(int(1), |size, level| times(size, self.level_extent(access.tensor, level)));
        let parent = self.parent_position(access, first);
        let (from, to) = (times(parent.clone(), size.clone()), times(plus(parent, int(1)), size));
        let (from, to) = match self.scope.condition(&self.stored_above(access, first)) {
            Some(condition) => {
                let from = mux(condition.clone(), from, int(0));
                let from = self.frames.val(&format!("{label}_from"), from);
                let to = self.frames.val(&format!("{label}_to"), mux(condition, to, int(0)));
                (name(from), name(to))
            }
            None => (from, to),
        };
        let memory = self.array(&format!("{label}_vals"), element, is_affine);
        self.frames
            .push(Kind::Load { memory: memory.clone(), part: part(dram, from, to, self.setting("ip")) });
        memory
    }

    /// An SRAM for addresses of a kind.
    pub(super) fn array(&mut self, stem: &str, element: crate::app::Type, is_affine: bool) -> String {
        let size = name("nnz_accel_max");
        let kind = if is_affine {
            MemoryKind::Sram { size }
        } else {
            MemoryKind::SparseSram { variant: SparseVariant::Plain, size }
        };
        let memory = self.frames.memory(stem, element, kind);
        if !is_affine {
            self.sparse.insert(memory.clone());
        }
        memory
    }

    /// The value of an access whose values are dense and on chip.
    pub(super) fn slice_value(&mut self, access: &Access) -> Option<Expr> {
        let Slice { memory, is_off_chip, first } = self.scope.slices.get(access)?.clone();
        let index = match is_off_chip {
            true => {
                let last = access.indices.len() - 1;
                let (parent, extent) =
                    (self.parent_position(access, last), self.level_extent(access.tensor, last));
                plus(times(parent, extent), self.scope.coordinates[&self.nest.var_at(access, last)].clone())
            }
            false => self.index_from(access, first),
        };
        Some(read(&memory, index))
    }

    /// The address of the elements of levels from one on, among those of these levels.
    pub(super) fn index_from(&mut self, access: &Access, first: usize) -> Expr {
        (first..access.indices.len()).fold(int(0), |index, level| {
            let var = self.nest.var_at(access, level);
            let coordinate = self.scope.coordinates[&var].clone();
            if level == first {
                return coordinate;
            }
            let extent = self.extent_at(access, level);
            plus(times(index, extent), coordinate)
        })
    }

    /// The extent of a level of any tensor.
    pub(super) fn extent_at(&mut self, access: &Access, level: usize) -> Expr {
        match self.nest.tensors[access.tensor].home {
            Home::OffChip => self.level_extent(access.tensor, level),
            Home::OnChip | Home::Scalar => self.extent(self.nest.var_at(access, level)),
        }
    }
}
