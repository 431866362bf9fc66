//! What is known at a place of the code, and where code is written: the coordinates of variables, how far
//! down its levels each access has come, what workspaces hold.

use super::Emitter;
use super::assembly::Assembly;
use super::blocks::ParallelLoop;
use super::dense_workspace::DenseWorkspace;
use super::lanes::Lanes;
use super::long_iterations::Chunks;
use super::storage::Array;
use super::value::Presence;
use super::visit::PartRange;
use crate::cin_to_scf::plan::{Bindings, Slot};
use comet_format::{IndexWidth, Level, LevelExpr};
use comet_ir::{Builder, Loc, Result, Ty, Val, types};
use comet_notation::concrete::{Access, TensorId, ValueId, Var};
use comet_notation::relations::{Relations, Split};
use std::collections::HashMap;

/// What is known at a place. Each block of code has its own.
#[derive(Clone)]
pub(in crate::cin_to_scf) struct Env<'c> {
    /// Writes at the end of the block.
    pub(in crate::cin_to_scf) b: Builder<'c>,
    coordinates: Vec<(Var, Val<'c>)>,
    descents: Vec<(Access, Descent<'c>)>,
    pub(super) absent: Vec<Access>,
    /// What the slots of the carried workspaces in use hold.
    slots: Vec<(Slot, Val<'c>)>,
    /// What the values of the compute are in the code.
    pub(super) values: HashMap<ValueId, Presence<'c>>,
    /// The sparse tensors that are being assembled.
    pub(super) results: Vec<Assembly<'c>>,
    pub(super) dense_workspaces: Vec<DenseWorkspace<'c>>,
    /// Arrays that stand in for those in front of the loops.
    pub(super) arrays: HashMap<(TensorId, Array), Val<'c>>,
    /// The parallel loops around, inside of which points are collected.
    pub(super) parallel_loops: Vec<ParallelLoop<'c>>,
    /// The part of a variable's values that the loop being written visits, where it is not all.
    pub(super) part: Option<PartRange<'c>>,
    /// The loop over the lanes of a vector, inside of one.
    pub(super) lanes: Option<Lanes<'c>>,
    /// Whether sums may be computed in another order: the innermost loop is dense, and vector code pays.
    pub(super) is_innermost: bool,
    /// What the loop inside of a long iteration is divided into, inside of one.
    pub(super) chunks: Option<Chunks<'c>>,
    /// The part of the result that the task being written appends to.
    pub(super) own_part: Option<Val<'c>>,
}

/// How far an access has come: the positions of the levels that are known, an outermost run of them. The last
/// one is where the next level begins.
#[derive(Clone, Copy, Default)]
pub(in crate::cin_to_scf) struct Descent<'c> {
    pub(in crate::cin_to_scf) levels: usize,
    pub(in crate::cin_to_scf) last: Option<Val<'c>>,
    /// One past the last position, where the level has left several that share its coordinate.
    pub(in crate::cin_to_scf) end: Option<Val<'c>>,
    /// Whether the position is one, where only the running program knows: the loop around visits more
    /// coordinates than this access stores.
    pub(in crate::cin_to_scf) present: Option<Val<'c>>,
}

impl<'c> Descent<'c> {
    /// At a position of the level above `levels`.
    pub(super) fn at(levels: usize, position: Val<'c>) -> Self {
        Self { levels, last: Some(position), ..Self::default() }
    }
}

impl<'c> Env<'c> {
    pub(super) fn new(b: Builder<'c>) -> Self {
        Self {
            b,
            coordinates: Vec::new(),
            descents: Vec::new(),
            absent: Vec::new(),
            slots: Vec::new(),
            values: HashMap::new(),
            results: Vec::new(),
            dense_workspaces: Vec::new(),
            arrays: HashMap::new(),
            parallel_loops: Vec::new(),
            part: None,
            lanes: None,
            is_innermost: false,
            chunks: None,
            own_part: None,
        }
    }

    /// Returns what is known in a block inside of this one.
    pub(super) fn within(&self, b: Builder<'c>) -> Self {
        Self { b, ..self.clone() }
    }

    /// Writes operations whose place in the program is `at`.
    pub(super) fn located<R>(&mut self, at: Loc<'c>, write: impl FnOnce(&mut Self) -> R) -> R {
        let b = self.b;
        self.b = b.with_location(at);
        let written = write(self);
        self.b = b;
        written
    }

    pub(super) fn bind(&mut self, var: Var, coordinate: Val<'c>) {
        self.coordinates.push((var, coordinate));
    }

    /// Returns the value that a loop has bound a variable to.
    pub(super) fn bound(&self, var: Var) -> Option<Val<'c>> {
        self.coordinates.iter().rev().find(|(other, _)| *other == var).map(|(_, coordinate)| *coordinate)
    }

    pub(super) fn descent(&self, access: &Access) -> Descent<'c> {
        let known = self.descents.iter().rev().find(|(other, _)| other == access);
        known.map_or_else(Descent::default, |(_, descent)| *descent)
    }

    pub(super) fn set_descent(&mut self, access: &Access, descent: Descent<'c>) {
        self.descents.push((access.clone(), descent));
    }

    pub(super) fn begin_slot(&mut self, slot: Slot, value: Val<'c>) {
        self.slots.push((slot, value));
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.slots.iter().map(|(slot, _)| *slot)
    }

    pub(super) fn slot(&self, slot: Slot) -> Option<Val<'c>> {
        self.slots.iter().rev().find(|(other, _)| *other == slot).map(|(_, value)| *value)
    }

    pub(super) fn set_slot(&mut self, slot: Slot, value: Val<'c>) {
        let held = self.slots.iter_mut().rev().find(|(other, _)| *other == slot);
        held.expect("a where-statement has begun the workspace").1 = value;
    }

    pub(super) fn contents(&self, slots: &[Slot]) -> Vec<Val<'c>> {
        slots.iter().map(|slot| self.slot(*slot).expect("carried workspaces are in use")).collect()
    }

    /// Takes over what the slots hold in a copy of the environment.
    pub(super) fn take_contents(&mut self, inside: &Self) {
        for (slot, value) in &mut self.slots {
            *value = inside.slot(*slot).expect("a copy has the same slots");
        }
    }

    pub(super) fn set_contents(&mut self, slots: &[Slot], values: &[Val<'c>]) {
        slots.iter().zip(values).for_each(|(slot, value)| self.set_slot(*slot, *value));
    }
}

/// The environment with the relations of the compute's variables.
pub(super) struct Known<'e, 'c> {
    relations: &'e Relations<Var, TensorId>,
    env: &'e Env<'c>,
}

impl Bindings for Known<'_, '_> {
    fn relations(&self) -> &Relations<Var, TensorId> {
        self.relations
    }

    fn is_bound(&self, var: Var) -> bool {
        self.env.bound(var).is_some()
    }
}

impl<'c> Emitter<'_, 'c> {
    pub(super) fn known<'e>(&'e self, env: &'e Env<'c>) -> Known<'e, 'c> {
        Known { relations: &self.compute.relations, env }
    }

    pub(in crate::cin_to_scf) fn levels(&self, access: &Access) -> &[Level] {
        &self.compute.format(access).levels
    }

    /// Returns the type of the positions and coordinates of a tensor.
    pub(super) fn index_type(&self, b: Builder<'c>, tensor: TensorId) -> Ty<'c> {
        index_type(b, self.compute.tensor(tensor).format.index_width)
    }

    /// Goes on through the full levels whose coordinates are known: the position is `parent * size +
    /// coordinate`.
    pub(super) fn locate(&self, env: &mut Env<'c>, access: &Access) -> Result<'c, Descent<'c>> {
        let mut descent = env.descent(access);
        for level in &self.levels(access)[descent.levels..] {
            if !level.is_full() {
                break;
            }
            let Some(coordinate) = self.level_coordinate(env, level.expr, &access.indices)? else { break };
            let position = self.child(env, access, &descent, coordinate)?;
            descent = Descent { levels: descent.levels + 1, last: Some(position), end: None, ..descent };
        }
        env.set_descent(access, descent);
        Ok(descent)
    }

    /// The position of a coordinate of the next level, which is full.
    pub(super) fn child(
        &self,
        env: &Env<'c>,
        access: &Access,
        at: &Descent<'c>,
        coordinate: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        let b = env.b;
        let Some(parent) = at.last else { return Ok(coordinate) };
        let start = b.muli(parent, self.level_size(env, access.tensor, at.levels)?)?;
        b.addi(start, coordinate)
    }

    /// The coordinate of a level, where the variables that it follows from are known.
    pub(super) fn level_coordinate(
        &self,
        env: &Env<'c>,
        expr: LevelExpr,
        indices: &[Var],
    ) -> Result<'c, Option<Val<'c>>> {
        let b = env.b;
        let split = |mode: usize, factor| self.compute.relations.split_of(indices[mode], factor);
        let (mode, factor, half) = match expr {
            LevelExpr::Mode(mode) => return self.coordinate(env, indices[mode]),
            LevelExpr::Div(mode, factor) => (mode, factor, split(mode, factor).map(|split| split.outer)),
            LevelExpr::Mod(mode, factor) => (mode, factor, split(mode, factor).map(|split| split.inner)),
            LevelExpr::Slot => return Ok(None),
        };
        if let Some(bound) = half.and_then(|half| env.bound(half)) {
            return Ok(Some(bound));
        }
        let Some(whole) = self.coordinate(env, indices[mode])? else { return Ok(None) };
        let factor = self.constant(factor as i64)?;
        let part =
            if matches!(expr, LevelExpr::Div(..)) { b.divi(whole, factor)? } else { b.remi(whole, factor)? };
        Ok(Some(part))
    }

    /// The coordinate of a variable: bound by a loop, put together from both parts of a split, which may be
    /// split themselves, or a part of a fused one.
    pub(super) fn coordinate(&self, env: &Env<'c>, var: Var) -> Result<'c, Option<Val<'c>>> {
        let b = env.b;
        let relations = &self.compute.relations;
        let var = relations.unbounded(var);
        if let Some(bound) = env.bound(var) {
            return Ok(Some(bound));
        }
        let known = self.known(env);
        let is_known = |split: &Split<Var>| known.is_known(split.outer) && known.is_known(split.inner);
        let Some(split) = relations.splits_of(var).find(is_known) else {
            return self.part_of_pair(env, var);
        };
        let outer = self.known_coordinate(env, split.outer)?;
        let inner = self.known_coordinate(env, split.inner)?;
        let factor = self.factor(env, split)?;
        let start = b.muli(outer, factor)?;
        Ok(Some(b.addi(start, inner)?))
    }

    /// The coordinate of a variable that the loops around fix.
    pub(super) fn known_coordinate(&self, env: &Env<'c>, var: Var) -> Result<'c, Val<'c>> {
        Ok(self.coordinate(env, var)?.expect("the loops around fix it"))
    }
}

/// Returns the integer type of a width.
pub(super) fn index_type(b: Builder<'_>, width: IndexWidth) -> Ty<'_> {
    types::int(b.context(), width.bits())
}
