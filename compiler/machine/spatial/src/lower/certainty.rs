//! When a temporary gets a value: wherever the loops that compute it have rounds.

use super::algebra::{Operation, Reduction};
use super::nest::{Assign, Home, How, Stmt, Value, Var};
use super::pattern_set::{Set, visited};
use super::presence::Formula;
use super::reduce::{reduction, target_of};
use super::{Lowering, Temporary};
use crate::app::LevelKind;

impl Lowering<'_> {
    /// A condition under which a temporary gets a value, if there is one that holds exactly then: every loop
    /// in its producer has rounds then. Fibers below compressed levels are never empty.
    pub(super) fn surely(&mut self, producer: &[Stmt], temporary: usize) -> Option<Formula> {
        let temporaries = self.temporaries.clone();
        let formulas: Option<Vec<Formula>> =
            producer.iter().map(|stmt| self.surely_in(stmt, temporary, &mut Vec::new())).collect();
        self.temporaries = temporaries;
        formulas?.into_iter().reduce(Formula::or)
    }

    /// Enters when a temporary will have a value, before its producer is written.
    pub(super) fn foresee(&mut self, temporary: usize, producer: &[Stmt], consumer: &[Stmt]) {
        let is_array = self.nest.tensors[temporary].home == Home::OnChip;
        let is_whole = !is_array || self.is_affine(producer, target_of(producer, temporary));
        let found = if is_whole { self.surely(producer, temporary) } else { None };
        let asks = || self.asks_for_presence(temporary, reduction(producer, temporary), consumer);
        let marks = (found.is_none() && asks()).then(String::new);
        let formula = found.unwrap_or(Formula::True);
        self.temporaries.insert(temporary, Temporary { memory: String::new(), marks, formula });
    }

    fn surely_in(
        &mut self,
        stmt: &Stmt,
        temporary: usize,
        loops: &mut Vec<(Var, Formula)>,
    ) -> Option<Formula> {
        match stmt {
            Stmt::Forall { var, body, .. } => {
                let set = visited(self.nest, body, *var);
                let known = loops.iter().map(|(_, known)| known.clone());
                let known = known.fold(self.scope.context.clone(), Formula::and);
                let has_rounds = self.has_rounds(&set, *var)?.given(&known);
                // A condition on loops of the producer cannot be asked outside of them.
                if loops.iter().any(|(var, _)| has_rounds.is_about(*var)) {
                    return None;
                }
                let formula = Formula::of_set(&set, &|access| {
                    let level = self.nest.level_over(access, *var).unwrap_or_default();
                    self.stored_above(access, level + 1)
                });
                loops.push((*var, formula));
                let inner = match &body[..] {
                    [stmt] => self.surely_in(stmt, temporary, loops),
                    _ => None,
                };
                loops.pop();
                Some(has_rounds.and(inner?))
            }
            Stmt::Assign(assign) if assign.target.tensor == temporary => {
                let known = loops.iter().map(|(_, known)| known.clone());
                let known = known.fold(self.scope.context.clone(), Formula::and);
                let formula = self.formula(&assign.value)?.given(&known);
                (formula == Formula::True).then_some(formula)
            }
            Stmt::Where { consumer, producer, temporary: inner } => {
                self.foresee(*inner, producer, consumer);
                match &consumer[..] {
                    [stmt] => self.surely_in(stmt, temporary, loops),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// When there is a value, of what is no temporary.
    pub(super) fn formula(&self, value: &Value) -> Option<Formula> {
        match value {
            Value::Access(access)
                if self.nest.tensors[access.tensor].home == Home::OffChip || self.is_row(access.tensor) =>
            {
                Some(self.stored_above(access, access.indices.len()))
            }
            Value::Access(access) => {
                let temporary = self.temporaries.get(&access.tensor)?;
                temporary.marks.is_none().then(|| temporary.formula.clone())
            }
            Value::Int(..) | Value::Float(..) | Value::Number(_) => Some(Formula::True),
            Value::Negate(value) | Value::To(_, value) => self.formula(value),
            Value::Mask { value, mask, complement } => {
                let is_dense = self.nest.tensors[mask.tensor].last_compressed().is_none();
                let own = self.formula(value).filter(|_| !complement && !is_dense)?;
                Some(own.and(self.stored_above(mask, mask.indices.len())))
            }
            Value::Combine(how, _, left, right) => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                Some(match how {
                    How::Union => left.or(right),
                    How::Intersect => left.and(right),
                })
            }
        }
    }

    /// When a loop has rounds, if that can be told from what is around it.
    pub(super) fn has_rounds(&self, set: &Set, var: Var) -> Option<Formula> {
        match set {
            Set::All => (self.nest.sizes[var] != Some(0)).then_some(Formula::True),
            Set::Stored(access) => {
                let level = self.nest.level_over(access, var)?;
                let is_below = level > 0 && self.nest.kind_at(access, level - 1) == LevelKind::Compressed;
                is_below.then(|| self.stored_above(access, level))
            }
            Set::Union(one, other) => Some(self.has_rounds(one, var)?.or(self.has_rounds(other, var)?)),
            Set::Intersect(..) => None,
        }
    }

    /// Whether it matters to what consumes a temporary that there is no value.
    pub(super) fn asks_for_presence(
        &self,
        temporary: usize,
        with: Option<Reduction>,
        consumer: &[Stmt],
    ) -> bool {
        // Sums and products need not know where nothing is as good as 0.
        let is_zero = matches!(with, None | Some(Reduction::Add | Reduction::Or));
        let is_sum = |assign: &Assign| matches!(assign.reduction, None | Some(Reduction::Add));
        let mut assigns = consumer.iter().flat_map(Stmt::assigns);
        let reads = |value: &Value| value.accesses().iter().any(|access| access.tensor == temporary);
        if assigns.any(|assign| {
            let is_plain = matches!(assign.value, Value::Access(_)) && assign.reduction.is_none();
            reads(&assign.value)
                && !is_plain
                && !(is_zero && is_sum(assign) && is_zero_where_it_is(&assign.value, temporary))
        }) {
            return true;
        }
        let readers = consumer.iter().flat_map(Stmt::assigns).filter(|assign| reads(&assign.value));
        readers
            .map(|assign| &self.nest.tensors[assign.target.tensor])
            .any(|target| target.home != Home::OffChip || target.last_compressed().is_some())
    }
}

/// Whether a value does not need to know of a temporary more than that it is 0.
fn is_zero_where_it_is(value: &Value, temporary: usize) -> bool {
    match value {
        Value::Access(_) | Value::Int(..) | Value::Float(..) | Value::Number(_) => true,
        Value::Negate(value) | Value::To(_, value) | Value::Mask { value, .. } => {
            is_zero_where_it_is(value, temporary)
        }
        Value::Combine(_, Operation::Add | Operation::Subtract | Operation::Multiply, left, right) => {
            is_zero_where_it_is(left, temporary) && is_zero_where_it_is(right, temporary)
        }
        Value::Combine(..) => value.accesses().iter().all(|access| access.tensor != temporary),
    }
}
