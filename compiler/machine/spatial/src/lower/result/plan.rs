//! How a result is computed, found out before its loops are written.

use super::append::Keeps;
use super::{Output, Way};
use crate::app::LevelKind;
use crate::lower::nest::{Access, Assign, Home, Refusal, Stmt, Var};
use crate::lower::pattern_set::{Set, visited};
use crate::lower::presence::Formula;
use crate::lower::{Lowering, Reduction};

/// The loops to an assignment, the outermost first: variables, and what they go over.
struct Path<'s> {
    loops: Vec<(Var, Set)>,
    assign: &'s Assign,
    /// When there is a value, if that can be told.
    formula: Option<Formula>,
}

impl Lowering<'_> {
    /// The result of a statement; none if that only computes temporaries on chip.
    pub(super) fn plan_output(&mut self, stmt: &Stmt) -> Result<Option<Output>, Refusal> {
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
        let output = self.output(&target, &path);
        self.check_fill(&output, &path)?;
        if output.begins_with_elements {
            self.updated.insert(target.tensor);
        }
        Ok(Some(output))
    }

    /// Whether a statement appends an element to the innermost level of a tensor in each round of its loop,
    /// and to no other.
    pub(in crate::lower) fn keeps_all_of(&mut self, stmt: &Stmt, tensor: usize) -> bool {
        let Ok(Some(output)) = self.plan_output(stmt) else { return false };
        let is_single = output.target.tensor == tensor && output.levels.len() == 2;
        is_single
            && !matches!(output.levels[1], Way::Appended(Keeps::Some | Keeps::OneByOne { .. }) | Way::Dense)
    }

    /// Refuses parts of sparse results whose elements begin as something else than 0: those that nothing
    /// comes to are 0.
    fn check_fill(&self, output: &Output, path: &Path<'_>) -> Result<(), Refusal> {
        let tensor = &self.nest.tensors[output.target.tensor];
        let is_part = tensor.last_compressed().is_some() && output.first < output.levels.len();
        let begins_as_zero = matches!(output.fill, Reduction::Add | Reduction::Or | Reduction::Any);
        // Where a part has an element, it has all, if its loops go over all coordinates and there is a value.
        let comes_to_all = output.is_affine && path.formula == Some(Formula::True);
        if !is_part || begins_as_zero || output.is_set || comes_to_all {
            return Ok(());
        }
        let what = format!(
            "not supported yet: `{}`, which has dense levels below compressed ones, reduced otherwise than by sums",
            tensor.name
        );
        Err(Refusal::new(what).hint("store the result as `Dense`, or in compressed levels"))
    }

    fn output(&self, target: &Access, path: &Path<'_>) -> Output {
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
        let is_affine = vars[first.min(count)..].iter().all(|var| set_of(var) == Some(&Set::All));
        // Where each element is assigned to once, there is nothing to combine it with.
        let begins_with_elements = self.begins_with_elements(path);
        let reduction = path.assign.reduction.filter(|_| !is_in_order || begins_with_elements);
        let is_set = reduction.is_none() && is_affine && !begins_with_elements;
        Output {
            target: target.clone(),
            levels: self.ways(target, path),
            first,
            is_set,
            is_affine,
            reduction,
            fill: path.assign.reduction.unwrap_or(Reduction::Add),
            begins_with_elements,
            values: None,
            crd: vec![None; count],
            pos: vec![None; count],
            nexts: vec![None; count],
            segments: vec![None; count],
            places: vec![None; count],
            kept: vec![None; count],
            any: None,
            before: vec![None; count],
        }
    }

    /// The dense level behind whose loop `communicate` has a result stored. Behind loops over compressed
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
        let is_everywhere = target.indices.iter().all(|var| set_of(var) == Some(&Set::All));
        let is_on_top = !self.nest.is_cleared && (reduction.is_some() || !is_everywhere);
        let is_dense = self.nest.tensors[target.tensor].last_compressed().is_none();
        is_dense && (is_on_top || repeats(target))
    }

    fn ways(&self, target: &Access, path: &Path<'_>) -> Vec<Way> {
        let tensor = &self.nest.tensors[target.tensor];
        let mut ways: Vec<Way> = Vec::new();
        for (level, stored) in tensor.levels.iter().enumerate() {
            if stored.kind == LevelKind::Dense {
                ways.push(Way::Dense);
                continue;
            }
            let var = self.nest.var_at(target, level);
            let place = path.loops.iter().position(|(other, _)| *other == var);
            // Each loop inside has rounds, where those around it have.
            let inside = place.map_or(0, |place| place + 1)..path.loops.len();
            let has_rounds = |place: usize| {
                let (var, set) = &path.loops[place];
                let known = self.known(&path.loops[..place]);
                self.has_rounds(set, *var).is_some_and(|rounds| known.implies(&rounds))
            };
            let is_kept = path.formula == Some(Formula::True) && inside.into_iter().all(has_rounds);
            let own = place.map(|place| &path.loops[place].1);
            let same = match own {
                Some(Set::Stored(access)) if is_kept && self.has_same_levels(target, &ways, access) => {
                    Some(access.clone())
                }
                _ => None,
            };
            ways.push(match same {
                Some(access) => Way::Same(access),
                None => {
                    let below = tensor.levels.get(level + 1).map(|below| below.kind);
                    Way::Appended(match (is_kept, below) {
                        (true, _) => Keeps::All,
                        (false, Some(LevelKind::Dense)) => Keeps::OneByOne { count: String::new() },
                        (false, _) => Keeps::Some,
                    })
                }
            });
        }
        ways
    }

    /// Whether the levels of an operand before the next one of a result have the same positions as those of
    /// the result, and that next one is over the same variable.
    fn has_same_levels(&self, target: &Access, ways: &[Way], access: &Access) -> bool {
        let level = ways.len();
        let is_over = |level: usize| {
            access.indices.len() > level && self.nest.var_at(access, level) == self.nest.var_at(target, level)
        };
        let is_same = |(level, way): (usize, &Way)| {
            is_over(level)
                && match way {
                    Way::Dense => self.nest.kind_at(access, level) == LevelKind::Dense,
                    Way::Same(other) => other == access,
                    Way::Appended(_) => false,
                }
        };
        is_over(level) && ways.iter().enumerate().all(is_same)
    }

    /// What is known where a result is assigned to.
    fn known(&self, loops: &[(Var, Set)]) -> Formula {
        let of_loop = |(var, set): &(Var, Set)| {
            Formula::of_set(set, &|access: &Access| {
                let level = self.nest.level_over(access, *var).unwrap_or_default();
                self.stored_above(access, level + 1)
            })
        };
        loops.iter().map(of_loop).fold(Formula::True, Formula::and)
    }

    /// What a loop goes over on the way to an assignment to a tensor: everything, where the tensor has places
    /// for all of it.
    fn planned_set(&self, tensor: usize, var: Var, body: &[Stmt]) -> Set {
        let mut targets = body.iter().flat_map(Stmt::assigns).map(|assign| &assign.target);
        let target = targets.find(|target| target.tensor == tensor);
        let level = target.and_then(|target| self.nest.level_over(target, var));
        let levels = &self.nest.tensors[tensor].levels;
        let has_places = level.is_some_and(|level| {
            levels[level].kind == LevelKind::Dense
                && levels[level..].iter().any(|inner| inner.kind == LevelKind::Compressed)
        });
        if has_places { Set::All } else { visited(self.nest, body, var) }
    }

    /// The loops to the assignment to a tensor. Temporaries on the way are entered for a while.
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
                let context = self.scope.context.clone();
                self.scope.context = self.known(&loops);
                self.foresee(*temporary, producer, consumer);
                self.scope.context = context;
                consumer.iter().find_map(|stmt| self.path(stmt, tensor, loops.clone()))
            }
            Stmt::Assign(assign) if assign.target.tensor == tensor => {
                let known = self.known(&loops);
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
