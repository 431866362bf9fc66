//! What a statement becomes, decided before anything of it is written.
//!
//! A plan is plain data. It says of each loop which coordinates it iterates over and how each operand takes
//! part, of each temporary where it is computed, and of each level of the result how it gets its coordinates
//! (`result`). Names of memories, and what depends on the statements that have been written, are left to the
//! emitter.

mod result;
#[cfg(test)]
mod show;
mod slice;
mod temporary;

use super::expr::pattern_operator;
use super::nest::{Access, Assign, Home, Nest, Parallelism, Refusal, Stmt, Tiles, Var};
use super::pattern_set::visited;
use super::presence::{Formula, Set};
use super::units;
use crate::app;
use comet_notation::Operator;
pub(super) use result::{Appending, LevelOutput, ResultPlan};
use slice::SlicePlace;
pub(super) use slice::{SliceMemory, SlicePlan};
use std::collections::{BTreeMap, BTreeSet};
pub(super) use temporary::{Producer, TemporaryPlan};

/// The plan of an application: its statements outside of all loops, in order.
#[derive(Debug)]
pub(super) struct ApplicationPlan {
    pub(super) units: Vec<UnitPlan>,
}

#[derive(Debug)]
pub(super) struct UnitPlan {
    /// The tensor off chip that it computes, if there is one.
    pub(super) result: Option<ResultPlan>,
    pub(super) operands: Vec<Access>,
    /// Values that are on chip for all of it.
    pub(super) slices: Vec<SlicePlan>,
    pub(super) step: PlanStep,
}

#[derive(Debug)]
pub(super) enum PlanStep {
    Loop(LoopPlan),
    /// The steps after a temporary has been computed.
    Where {
        temporary: TemporaryPlan,
        consumer: Vec<PlanStep>,
    },
    Assign(Assign),
}

#[derive(Debug)]
pub(super) struct LoopPlan {
    pub(super) var: Var,
    pub(super) par: Parallelism,
    pub(super) set: Set,
    /// The tiles whose last one may end before its size, where iterations past the extent are left out.
    pub(super) uneven: Option<Tiles>,
    pub(super) levels: Vec<OperandLevel>,
    /// What holds inside.
    pub(super) known: Formula,
    /// Values that are brought on chip before the loop, and at the beginning of its body.
    pub(super) slices_before: Vec<SlicePlan>,
    pub(super) slices_inside: Vec<SlicePlan>,
    /// The level of the result that the variable indexes.
    pub(super) result_level: Option<usize>,
    /// What is reserved before the loop, one coordinate for each iteration.
    pub(super) reserved: Option<Reserved>,
    /// Whether the dense part of the result is computed in this loop and stored after it.
    pub(super) opens_part: bool,
    /// What iterations at once reduce into, each in a part of its own.
    pub(super) fold: Option<Fold>,
    pub(super) body: Vec<PlanStep>,
}

/// A level of an operand that a loop's variable indexes.
#[derive(Debug)]
pub(super) struct OperandLevel {
    pub(super) access: Access,
    pub(super) level: usize,
    pub(super) role: LevelRole,
    /// Whether the positions below the next level, a dense one, are loaded inside of the loop.
    pub(super) loads_next_inside: bool,
}

/// How a level of an operand takes part in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LevelRole {
    /// It is dense: its position follows from the coordinate.
    Dense,
    /// The loop iterates over its coordinates, alone.
    Driver,
    /// The loop iterates over its coordinates and others, as a scan of bit vectors.
    Scanned,
    /// A table by coordinates locates it.
    Located,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Reserved {
    /// A segment of a level of the result.
    Level(usize),
    /// A row on chip: that temporary.
    Row(usize),
}

/// A reduction into a part of a tensor on chip, whose elements are all combined after each iteration.
#[derive(Debug)]
pub(super) struct Fold {
    pub(super) target: Access,
    /// The number of elements of the part.
    pub(super) size: i64,
    pub(super) reduction: Operator,
    pub(super) with: app::Operator,
}

/// The addresses at which a memory on chip is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Addresses {
    /// Affine in the counters of loops: a dense SRAM.
    Affine,
    /// Any: a sparse SRAM.
    Any,
}

pub(super) fn plan(nest: &Nest) -> Result<ApplicationPlan, Refusal> {
    let mut planner = Planner::new(nest);
    let units = nest.body.iter().flat_map(|stmt| units::of(nest, stmt));
    Ok(ApplicationPlan { units: units.map(|stmt| planner.unit(&stmt)).collect::<Result<_, _>>()? })
}

/// Decides how statements are lowered.
pub(super) struct Planner<'n> {
    nest: &'n Nest,
    /// The variables of the loops around, the outermost first.
    loops: Vec<Var>,
    /// What holds inside of these loops.
    known: Formula,
    /// When temporaries have values.
    temporaries: BTreeMap<usize, temporary::KnownPresence>,
    /// The accesses whose values are on chip.
    slices: BTreeSet<Access>,
    /// The rows on chip that have been begun.
    rows: BTreeSet<usize>,
    /// The tensor off chip that is computed.
    result: Option<ResultPlan>,
    part_is_open: bool,
}

impl<'n> Planner<'n> {
    pub(super) fn new(nest: &'n Nest) -> Self {
        Self {
            nest,
            loops: Vec::new(),
            known: Formula::True,
            temporaries: BTreeMap::new(),
            slices: BTreeSet::new(),
            rows: BTreeSet::new(),
            result: None,
            part_is_open: false,
        }
    }

    fn unit(&mut self, stmt: &Stmt) -> Result<UnitPlan, Refusal> {
        self.check_orders(stmt)?;
        self.result = self.result_plan(stmt)?;
        let body = std::slice::from_ref(stmt);
        let operands = self.nest.accesses(body).into_iter().cloned().collect();
        let slices = self.slices_at(body, SlicePlace::Start);
        let step = self.step(stmt);
        self.slices.clear();
        Ok(UnitPlan { result: self.result.take(), operands, slices, step })
    }

    fn steps(&mut self, body: &[Stmt]) -> Vec<PlanStep> {
        body.iter().map(|stmt| self.step(stmt)).collect()
    }

    fn step(&mut self, stmt: &Stmt) -> PlanStep {
        match stmt {
            Stmt::Forall { var, par, body } => PlanStep::Loop(self.loop_plan(stmt, *var, par, body)),
            Stmt::Where { consumer, producer, temporary } => PlanStep::Where {
                temporary: self.temporary(*temporary, producer, consumer),
                consumer: self.steps(consumer),
            },
            Stmt::Assign(assign) => PlanStep::Assign(assign.clone()),
        }
    }

    fn loop_plan(&mut self, stmt: &Stmt, var: Var, par: &Parallelism, body: &[Stmt]) -> LoopPlan {
        let set = self.set(var, body);
        let result_level = self.result_level(var, body);
        let opens_part = self.opens_part(body);
        self.part_is_open |= opens_part;
        let fold = self.fold(var, par, body);
        let slices_before = self.slices_at(std::slice::from_ref(stmt), SlicePlace::Before(var));
        // What is on chip stays so after the loop; what holds inside does not.
        let outside = (self.slices.clone(), self.known.clone());
        let known = self.nest.known_in(var, &set);
        self.known = std::mem::replace(&mut self.known, Formula::True).and(known.clone());
        self.loops.push(var);
        let levels = self.levels(var, &set, body);
        let slices_inside = self.slices_at(body, SlicePlace::Inside(var));
        let reserved = self.reserved(result_level, body);
        let body_steps = self.steps(body);
        self.loops.pop();
        (self.slices, self.known) = outside;
        self.part_is_open &= !opens_part;
        LoopPlan {
            var,
            par: par.clone(),
            uneven: self.uneven(var, body),
            levels,
            known,
            slices_before,
            slices_inside,
            result_level,
            reserved,
            opens_part,
            fold,
            body: body_steps,
            set,
        }
    }

    /// The coordinates that a loop iterates over.
    fn set(&self, var: Var, body: &[Stmt]) -> Set {
        if self.needs_all(var, body) { Set::True } else { visited(self.nest, body, var) }
    }

    /// Tiles whose last one may be smaller, if the loop is over the coordinates in a tile. No result has that
    /// index: what is past the extent is no summand.
    fn uneven(&self, var: Var, body: &[Stmt]) -> Option<Tiles> {
        let tiles = self.nest.tiles.iter().find(|tiles| tiles.within == var && !tiles.is_even)?;
        let mut assigns = body.iter().flat_map(Stmt::assigns);
        (!assigns.any(|assign| assign.target.indices.contains(&var))).then(|| tiles.clone())
    }

    fn levels(&self, var: Var, set: &Set, body: &[Stmt]) -> Vec<OperandLevel> {
        let of_set = set.atoms();
        let accesses = self.nest.accesses(body).into_iter();
        let stored = accesses.filter(|access| {
            self.nest.tensors[access.tensor].home == Home::OffChip || self.nest.is_row(access.tensor)
        });
        let levels = stored.filter_map(|access| {
            let level = self.nest.level_over(access, var)?;
            let role = match !self.nest.is_full_at(access, level) {
                false => LevelRole::Dense,
                true if !of_set.contains(&access) => LevelRole::Located,
                true if of_set.len() > 1 => LevelRole::Scanned,
                true => LevelRole::Driver,
            };
            let loads_next_inside = self.loads_next_inside(access, level, body);
            Some(OperandLevel { access: access.clone(), level, role, loads_next_inside })
        });
        levels.collect()
    }

    /// Whether the next level is dense, and other loops come between this one and that over it.
    fn loads_next_inside(&self, access: &Access, level: usize, body: &[Stmt]) -> bool {
        let next = level + 1;
        if next >= access.indices.len() || !self.nest.is_full_at(access, next) {
            return false;
        }
        let var = self.nest.var_at(access, next);
        let is_next = matches!(body, [Stmt::Forall { var: inner, .. }] if *inner == var);
        let is_bound = (0..next).all(|level| self.loops.contains(&self.nest.var_at(access, level)));
        !is_next && is_bound && !self.loops.contains(&var)
    }

    fn reserved(&self, result_level: Option<usize>, body: &[Stmt]) -> Option<Reserved> {
        let mut targets = body.iter().flat_map(Stmt::assigns).map(|assign| assign.target.tensor);
        if let Some(row) = targets.find(|target| self.rows.contains(target)) {
            return Some(Reserved::Row(row));
        }
        let level = result_level?;
        let is_counted = self.result.as_ref()?.levels[level] == LevelOutput::Appended(Appending::All);
        is_counted.then_some(Reserved::Level(level))
    }

    /// The reduction of a loop whose iterations at once have parts of their own, if it is one.
    fn fold(&self, var: Var, par: &Parallelism, body: &[Stmt]) -> Option<Fold> {
        let is_outer = body.iter().any(|stmt| !matches!(stmt, Stmt::Assign(_)));
        if self.nest.asked(par) <= 1 || !is_outer {
            return None;
        }
        let mut inner = BTreeSet::new();
        body.iter().for_each(|stmt| temporaries(stmt, &mut inner));
        let assigns = body.iter().flat_map(Stmt::assigns);
        let outer: Vec<&Assign> = assigns.filter(|assign| !inner.contains(&assign.target.tensor)).collect();
        let [Assign { target, reduction: Some(reduction), .. }] = outer[..] else { return None };
        let first = self.first_on_chip(target)?;
        let size = i64::try_from(self.nest.elements_from(target, first)?).ok()?;
        let fits = size <= self.nest.setting_value("nnz_accel_max");
        // In a loop over an index of what is on chip, all of that would be combined for a part of it.
        let mut levels = first..target.indices.len();
        let is_bound = levels.any(|level| self.loops.contains(&self.nest.var_at(target, level)));
        if !fits || is_bound || target.indices.contains(&var) {
            return None;
        }
        let with = pattern_operator(*reduction)?;
        Some(Fold { target: target.clone(), size, reduction: *reduction, with })
    }

    /// The first level of a tensor whose elements are in a dense SRAM.
    fn first_on_chip(&self, target: &Access) -> Option<usize> {
        match self.nest.tensors[target.tensor].home {
            Home::OffChip => {
                let result = self.result.as_ref().filter(|result| result.target == *target)?;
                (self.part_is_open && result.has_part() && result.addresses == Addresses::Affine)
                    .then_some(result.first)
            }
            Home::OnChip if self.nest.is_row(target.tensor) => None,
            Home::OnChip => {
                (self.temporaries.get(&target.tensor)?.addresses == Addresses::Affine).then_some(0)
            }
            Home::Scalar => None,
        }
    }

    /// Checks that levels of operands and results that are not all dense come in the order of the loops.
    fn check_orders(&self, stmt: &Stmt) -> Result<(), Refusal> {
        stmt.walk_assigns(&mut Vec::new(), &mut |loops, assign| {
            assign.accesses().try_for_each(|access| self.check_order(loops, access))
        })
    }

    fn check_order(&self, loops: &[Var], access: &Access) -> Result<(), Refusal> {
        let tensor = &self.nest.tensors[access.tensor];
        if tensor.last_compressed().is_none() {
            return Ok(());
        }
        let vars: Vec<Var> = (0..tensor.levels.len()).map(|level| self.nest.var_at(access, level)).collect();
        let places: Vec<Option<usize>> =
            vars.iter().map(|var| loops.iter().position(|other| other == var)).collect();
        if places.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let list = |vars: &[Var]| vars.iter().map(|var| self.nest.vars[*var].as_str()).collect::<Vec<_>>();
        let list = |vars| list(vars).join(", ");
        Err(Refusal::new(format!(
            "the levels of `{}` are over {}, and the loops over {}",
            tensor.name,
            list(&vars),
            list(loops)
        ))
        .hint(format!("store `{}` in the order of the loops, or change that by `order(…)`", tensor.name)))
    }
}

/// Collects the temporaries that are computed in a statement.
fn temporaries(stmt: &Stmt, found: &mut BTreeSet<usize>) {
    match stmt {
        Stmt::Forall { body, .. } => body.iter().for_each(|stmt| temporaries(stmt, found)),
        Stmt::Where { consumer, producer, temporary } => {
            found.insert(*temporary);
            producer.iter().chain(consumer).for_each(|stmt| temporaries(stmt, found));
        }
        Stmt::Assign(_) => {}
    }
}
