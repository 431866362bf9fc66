//! How a result is computed.
//!
//! A dense part of a result, its innermost levels, is computed in an SRAM and stored after the loops over it.
//! A level whose loop iterates over the stored coordinates of one operand, and keeps them all, has that
//! operand's positions: its coordinates and values go through FIFOs, and nothing is counted. Other compressed
//! levels are appended to.

use super::{Addresses, Planner};
use crate::lower::nest::{Access, Assign, Home, Refusal, Stmt, Var};
use crate::lower::pattern_set::visited;
use crate::lower::presence::{Formula, Set};
use comet_notation::Operator;

/// How a tensor off chip is computed.
#[derive(Clone, Debug)]
pub(in crate::lower) struct ResultPlan {
    pub(in crate::lower) target: Access,
    pub(in crate::lower) levels: Vec<LevelOutput>,
    /// The first level whose elements are together on chip; as many as there are levels if the last one is
    /// compressed.
    pub(in crate::lower) first: usize,
    /// Whether each element of the part on chip is assigned to in it, once.
    pub(in crate::lower) is_set: bool,
    /// Affine where all loops over the part iterate over all coordinates.
    pub(in crate::lower) addresses: Addresses,
    /// How assigned values are combined with what is there.
    pub(in crate::lower) reduction: Option<Operator>,
    /// The reduction whose identity elements have that nothing is assigned to.
    pub(in crate::lower) fill: Operator,
    /// Whether what it held before counts.
    pub(in crate::lower) begins_with_elements: bool,
}

/// How a level of a result gets its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::lower) enum LevelOutput {
    /// It has all of them.
    Dense,
    /// It has those of an operand's level.
    SameAs(Access),
    /// They are appended after those that are there.
    Appended(Appending),
}

/// Which iterations of a level's loop append a coordinate to it, and how they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lower) enum Appending {
    /// All of them: their number is known before the loop, which reserves a segment for them.
    All,
    /// Those with something below. They are counted as they come, and wait in FIFOs until their segment is
    /// reserved.
    Counted,
    /// The same, where the level below is dense: one after the other, counted in a register.
    OneByOne,
}

impl ResultPlan {
    fn is_assigned_in(&self, body: &[Stmt]) -> bool {
        let mut assigns = body.iter().flat_map(Stmt::assigns);
        assigns.any(|assign| assign.target == self.target)
    }

    /// Whether its innermost levels are computed in an SRAM.
    pub(in crate::lower) fn has_part(&self) -> bool {
        self.first < self.levels.len()
    }

    pub(in crate::lower) fn is_compressed(&self, level: usize) -> bool {
        self.levels.get(level).is_some_and(|output| *output != LevelOutput::Dense)
    }

    pub(in crate::lower) fn appending(&self, level: usize) -> Option<Appending> {
        match self.levels[level] {
            LevelOutput::Appended(appending) => Some(appending),
            LevelOutput::Dense | LevelOutput::SameAs(_) => None,
        }
    }

    /// Whether coordinates of a level go through a FIFO.
    pub(in crate::lower) fn is_queued(&self, level: usize) -> bool {
        self.is_compressed(level) && self.appending(level) != Some(Appending::All)
    }

    /// Whether the positions of a level are written one by one, as the iterations of the level above come.
    pub(in crate::lower) fn writes_positions(&self, level: usize) -> bool {
        self.is_compressed(level) && level > 0 && self.appending(level - 1) == Some(Appending::All)
    }

    /// Whether the positions of a level are an array on chip, by the coordinate of the level above, the
    /// outermost.
    pub(in crate::lower) fn is_position_array(&self, level: usize) -> bool {
        level == 1 && self.levels[0] == LevelOutput::Dense
    }

    /// The next appended level below one whose iterations are kept where that has something.
    pub(in crate::lower) fn counted_below(&self, level: usize) -> Option<usize> {
        self.appending(level).filter(|appending| *appending != Appending::All)?;
        (level + 1..self.levels.len()).find(|below| self.appending(*below).is_some())
    }

    /// Whether coordinates of a level are dropped that nothing is assigned below, where all levels below are
    /// dense.
    pub(in crate::lower) fn is_last_dropping(&self, level: usize) -> bool {
        self.appending(level) == Some(Appending::OneByOne)
            && self.levels[level + 1..].iter().all(|output| *output == LevelOutput::Dense)
    }
}

/// The loops to an assignment, the outermost first: variables, and what they iterate over.
struct Path<'s> {
    loops: Vec<(Var, Set)>,
    assign: &'s Assign,
    /// When there is a value, if that is known.
    formula: Option<Formula>,
}

impl Planner<'_> {
    /// Returns the result of a statement; none if that only computes temporaries on chip.
    pub(super) fn result_plan(&mut self, stmt: &Stmt) -> Result<Option<ResultPlan>, Refusal> {
        let is_result = |assign: &&Assign| self.nest.tensors[assign.target.tensor].home == Home::OffChip;
        let targets: Vec<&Assign> = stmt.assigns().into_iter().filter(is_result).collect();
        let target = match targets[..] {
            [] => return Ok(None),
            [assign] => assign.target.clone(),
            [assign, ..] => {
                let name = &self.nest.tensors[assign.target.tensor].name;
                return Err(Refusal::new(format!(
                    "not supported yet: `{name}`, assigned to at several places of one statement, as a pattern"
                )));
            }
        };
        let temporaries = self.temporaries.clone();
        let path = self.path(stmt, target.tensor, Vec::new()).expect("the assignment was found");
        self.temporaries = temporaries;
        let result = self.result_of(&target, &path);
        self.check_fill(&result, &path)?;
        Ok(Some(result))
    }

    /// Whether a statement appends an element to the innermost level of a tensor in each iteration of its
    /// loop, and to no other.
    pub(in crate::lower) fn keeps_all_of(&mut self, stmt: &Stmt, tensor: usize) -> bool {
        let Ok(Some(result)) = self.result_plan(stmt) else { return false };
        let is_single = result.target.tensor == tensor && result.levels.len() == 2;
        let keeps_all = |appending| appending == Appending::All;
        is_single && result.is_compressed(1) && result.appending(1).is_none_or(keeps_all)
    }

    /// The level of the result that a variable indexes, if the result is assigned to in a block.
    pub(super) fn result_level(&self, var: Var, body: &[Stmt]) -> Option<usize> {
        let result = self.result.as_ref().filter(|result| result.is_assigned_in(body))?;
        self.nest.level_over(&result.target, var)
    }

    /// Whether a loop has to iterate over all coordinates: each of them has a place in the result, in memory.
    pub(super) fn needs_all(&self, var: Var, body: &[Stmt]) -> bool {
        let (Some(level), Some(result)) = (self.result_level(var, body), &self.result) else { return false };
        let has_compressed = (level..result.levels.len()).any(|level| result.is_compressed(level));
        let is_part = level < result.first && !result.begins_with_elements;
        !result.is_compressed(level) && (has_compressed || is_part)
    }

    /// Whether the dense part of the result begins before a loop: all levels around are bound.
    pub(super) fn opens_part(&self, body: &[Stmt]) -> bool {
        let Some(result) = self.result.as_ref().filter(|result| result.is_assigned_in(body)) else {
            return false;
        };
        let mut around = (0..result.first).map(|level| self.nest.var_at(&result.target, level));
        result.has_part() && !self.part_is_open && around.all(|var| self.loops.contains(&var))
    }

    /// Refuses parts of sparse results whose elements begin as something else than 0: those that nothing
    /// is assigned to are 0.
    fn check_fill(&self, result: &ResultPlan, path: &Path<'_>) -> Result<(), Refusal> {
        let tensor = &self.nest.tensors[result.target.tensor];
        let is_part = tensor.last_compressed().is_some() && result.has_part();
        let begins_as_zero = matches!(result.fill, Operator::Add | Operator::Or | Operator::Any);
        // Where a part has an element, it has all, if its loops iterate over all coordinates and there is a
        // value.
        let comes_to_all = result.addresses == Addresses::Affine && path.formula == Some(Formula::True);
        if !is_part || begins_as_zero || result.is_set || comes_to_all {
            return Ok(());
        }
        let what = format!(
            "not supported yet: `{}`, which has dense levels below compressed ones, reduced otherwise than by sums",
            tensor.name
        );
        Err(Refusal::new(what).hint("store the result as `Dense`, or in compressed levels"))
    }

    fn result_of(&self, target: &Access, path: &Path<'_>) -> ResultPlan {
        let tensor = &self.nest.tensors[target.tensor];
        let count = tensor.levels.len();
        let vars: Vec<Var> = (0..count).map(|level| self.nest.var_at(target, level)).collect();
        let loops: Vec<Var> = path.loops.iter().map(|(var, _)| *var).collect();
        // Outermost levels whose loops are outside of all others.
        let outer = vars.iter().zip(&loops).take_while(|(var, other)| var == other).count();
        let is_in_order = outer == count && loops.len() == count;
        let first = match tensor.trailing() {
            _ if repeats(target) || tensor.is_whole() => 0,
            trailing if trailing.is_empty() => count,
            trailing if is_in_order => trailing.end - 1,
            trailing => outer.clamp(trailing.start, trailing.end - 1),
        };
        let first = self.communicated_from(target).map_or(first, |level| first.min(level));
        let set_of = |var: &Var| path.loops.iter().find(|(other, _)| other == var).map(|(_, set)| set);
        let is_affine = vars[first.min(count)..].iter().all(|var| set_of(var) == Some(&Set::True));
        // Where each element is assigned to once, there is nothing to combine it with.
        let begins_with_elements = self.begins_with_elements(path);
        let reduction = path.assign.reduction.filter(|_| !is_in_order || begins_with_elements);
        let is_set = reduction.is_none() && is_affine && !begins_with_elements;
        ResultPlan {
            target: target.clone(),
            levels: self.level_outputs(target, path),
            first,
            is_set,
            addresses: if is_affine { Addresses::Affine } else { Addresses::Any },
            reduction,
            fill: path.assign.reduction.unwrap_or(Operator::Add),
            begins_with_elements,
        }
    }

    /// The dense level after whose loop `communicate` has a result stored. After loops over compressed
    /// levels results are stored anyway.
    fn communicated_from(&self, target: &Access) -> Option<usize> {
        let said = self.nest.communicated.iter().find(|(tensor, _)| *tensor == target.tensor);
        let level = said.and_then(|(_, var)| self.nest.level_over(target, *var));
        level.filter(|level| self.nest.tensors[target.tensor].trailing().contains(level))
    }

    /// Whether an assignment leaves elements of a dense result as they are, or computes on top of them.
    fn begins_with_elements(&self, path: &Path<'_>) -> bool {
        let Assign { target, reduction, .. } = path.assign;
        let set_of = |var: &Var| path.loops.iter().find(|(other, _)| other == var).map(|(_, set)| set);
        // Where a loop comes without a value, an element becomes 0; where none comes, it stays.
        let is_everywhere = target.indices.iter().all(|var| set_of(var) == Some(&Set::True));
        let is_on_top = !self.nest.is_cleared && (reduction.is_some() || !is_everywhere);
        let is_dense = self.nest.tensors[target.tensor].last_compressed().is_none();
        is_dense && (is_on_top || repeats(target))
    }

    fn level_outputs(&self, target: &Access, path: &Path<'_>) -> Vec<LevelOutput> {
        let tensor = &self.nest.tensors[target.tensor];
        let mut outputs: Vec<LevelOutput> = Vec::new();
        for (level, stored) in tensor.levels.iter().enumerate() {
            if stored.is_full() {
                outputs.push(LevelOutput::Dense);
                continue;
            }
            let var = self.nest.var_at(target, level);
            let place = path.loops.iter().position(|(other, _)| *other == var);
            // Each loop inside iterates, where those around it do.
            let inside = place.map_or(0, |place| place + 1)..path.loops.len();
            let iterates = |place: usize| {
                let (var, set) = &path.loops[place];
                let known = self.known_in(&path.loops[..place]);
                self.iterates(set, *var).is_some_and(|iterates| known.implies(&iterates))
            };
            let is_kept = path.formula == Some(Formula::True) && inside.into_iter().all(iterates);
            let own = place.map(|place| &path.loops[place].1);
            let same = match own {
                Some(Set::Atom(access)) if is_kept && self.has_same_levels(target, &outputs, access) => {
                    Some(access.clone())
                }
                _ => None,
            };
            outputs.push(match same {
                Some(access) => LevelOutput::SameAs(access),
                None => {
                    let is_above_dense = tensor.levels.get(level + 1).is_some_and(|below| below.is_full());
                    LevelOutput::Appended(match (is_kept, is_above_dense) {
                        (true, _) => Appending::All,
                        (false, true) => Appending::OneByOne,
                        (false, false) => Appending::Counted,
                    })
                }
            });
        }
        outputs
    }

    /// Whether the levels of an operand before the next one of a result have the same positions as those of
    /// the result, and that next one is over the same variable.
    fn has_same_levels(&self, target: &Access, outputs: &[LevelOutput], access: &Access) -> bool {
        let level = outputs.len();
        let is_over = |level: usize| {
            access.indices.len() > level && self.nest.var_at(access, level) == self.nest.var_at(target, level)
        };
        let is_same = |(level, output): (usize, &LevelOutput)| {
            is_over(level)
                && match output {
                    LevelOutput::Dense => self.nest.is_full_at(access, level),
                    LevelOutput::SameAs(other) => other == access,
                    LevelOutput::Appended(_) => false,
                }
        };
        is_over(level) && outputs.iter().enumerate().all(is_same)
    }

    /// What is known where a result is assigned to.
    fn known_in(&self, loops: &[(Var, Set)]) -> Formula {
        loops.iter().map(|(var, set)| self.nest.known_in(*var, set)).fold(Formula::True, Formula::and)
    }

    /// What a loop iterates over on the way to an assignment to a tensor: everything, where the tensor has
    /// places for all of it.
    fn planned_set(&self, tensor: usize, var: Var, body: &[Stmt]) -> Set {
        let mut targets = body.iter().flat_map(Stmt::assigns).map(|assign| &assign.target);
        let target = targets.find(|target| target.tensor == tensor);
        let level = target.and_then(|target| self.nest.level_over(target, var));
        let levels = &self.nest.tensors[tensor].levels;
        let has_places = level.is_some_and(|level| {
            levels[level].is_full() && levels[level..].iter().any(|inner| !inner.is_full())
        });
        if has_places { Set::True } else { visited(self.nest, body, var) }
    }

    /// The loops to the assignment to a tensor. Records when temporaries on the way have values.
    fn path<'s>(&mut self, stmt: &'s Stmt, tensor: usize, loops: Vec<(Var, Set)>) -> Option<Path<'s>> {
        match stmt {
            Stmt::Forall { var, body, .. } => {
                let set = self.planned_set(tensor, *var, body);
                let loops: Vec<_> = loops.into_iter().chain([(*var, set)]).collect();
                body.iter().find_map(|stmt| self.path(stmt, tensor, loops.clone()))
            }
            Stmt::Where { consumer, producer, temporary } => {
                if let Some(path) = producer.iter().find_map(|stmt| self.path(stmt, tensor, loops.clone())) {
                    return Some(path);
                }
                let known = self.known_in(&loops);
                let outside = std::mem::replace(&mut self.known, known);
                self.foresee(*temporary, producer, consumer);
                self.known = outside;
                consumer.iter().find_map(|stmt| self.path(stmt, tensor, loops.clone()))
            }
            Stmt::Assign(assign) if assign.target.tensor == tensor => {
                let known = self.known_in(&loops);
                let formula = self.formula(&assign.value).map(|formula| formula.given(&known));
                Some(Path { loops, assign, formula })
            }
            Stmt::Assign(_) => None,
        }
    }
}

/// Whether an access names only some of the elements of a tensor: those with equal coordinates.
fn repeats(access: &Access) -> bool {
    access.indices.iter().enumerate().any(|(mode, index)| access.indices[..mode].contains(index))
}
