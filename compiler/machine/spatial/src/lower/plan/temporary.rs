//! How a temporary is computed, and when it has a value: wherever the loops that compute it iterate.

use super::{Addresses, PlanStep, Planner};
use crate::lower::nest::{Home, NestAccess, NestAssign, NestStmt, Value, Var};
use crate::lower::pattern_set::visited;
use crate::lower::placement::copied;
use crate::lower::presence::{Atom, Formula, Set};
use comet_notation::{Operator, Patterns};

/// A temporary that a statement computes before it reads it.
#[derive(Debug)]
pub(in crate::lower) struct TemporaryPlan {
    pub(in crate::lower) tensor: usize,
    /// How values that are assigned to it are combined.
    pub(in crate::lower) reduction: Option<Operator>,
    /// When it has a value, where that is known without marks.
    pub(in crate::lower) formula: Option<Formula>,
    /// Whether marks say when it has a value.
    pub(in crate::lower) has_marks: bool,
    pub(in crate::lower) producer: Producer,
}

#[derive(Debug)]
pub(in crate::lower) enum Producer {
    /// A value that no loop computes: lanes cannot have registers of their own.
    Value(NestAssign),
    /// A register.
    Register(Vec<PlanStep>),
    /// A row on chip: its coordinates in a FIFO, its values by their number in an SRAM.
    Row {
        steps: Vec<PlanStep>,
        /// The accesses that read it.
        readers: Vec<NestAccess>,
    },
    /// A transfer of the innermost levels of an operand, from one on, to a dense SRAM.
    Copy { source: NestAccess, first: usize },
    /// A dense SRAM, or a sparse one where addresses are not affine.
    Array { target: NestAccess, addresses: Addresses, steps: Vec<PlanStep> },
}

#[derive(Clone, Debug)]
pub(super) struct KnownPresence {
    /// When it has a value, except for its marks.
    formula: Formula,
    has_marks: bool,
    pub(super) addresses: Addresses,
}

impl Planner<'_> {
    pub(super) fn temporary(
        &mut self,
        temporary: usize,
        producer: &[NestStmt],
        consumer: &[NestStmt],
    ) -> TemporaryPlan {
        let formula = self.foresee(temporary, producer, consumer);
        let producer_plan = self.producer(temporary, producer, consumer);
        TemporaryPlan {
            tensor: temporary,
            reduction: assign_to(producer, temporary).reduction,
            formula,
            has_marks: self.temporaries[&temporary].has_marks,
            producer: producer_plan,
        }
    }

    fn producer(&mut self, temporary: usize, producer: &[NestStmt], consumer: &[NestStmt]) -> Producer {
        match self.nest.tensors[temporary].home {
            Home::Scalar => match producer {
                [NestStmt::Assign(assign)] => {
                    let presence = self.presence(&assign.value).unwrap_or(Formula::True);
                    let has_marks = presence.given(&self.known) != Formula::True;
                    let presence =
                        KnownPresence { formula: Formula::True, has_marks, addresses: Addresses::Any };
                    self.temporaries.insert(temporary, presence);
                    Producer::Value(assign.clone())
                }
                _ => Producer::Register(self.steps(producer)),
            },
            Home::OnChip if self.nest.is_row(temporary) => {
                self.rows.insert(temporary);
                let steps = self.steps(producer);
                let accesses = self.nest.accesses(consumer).into_iter();
                let readers = accesses.filter(|access| access.tensor == temporary).cloned().collect();
                Producer::Row { steps, readers }
            }
            Home::OnChip => {
                if let Some((source, first)) = self.copy(producer, temporary) {
                    let formula = self.nest.stored_above(&source, first);
                    let presence = KnownPresence { formula, has_marks: false, addresses: Addresses::Affine };
                    self.temporaries.insert(temporary, presence);
                    return Producer::Copy { source, first };
                }
                let target = assign_to(producer, temporary).target.clone();
                let addresses = self.temporaries[&temporary].addresses;
                Producer::Array { target, addresses, steps: self.steps(producer) }
            }
            Home::OffChip => unreachable!("what is off chip is no temporary of a loop"),
        }
    }

    /// The levels of an operand that a producer copies, if that is all it does and they are contiguous.
    fn copy(&self, producer: &[NestStmt], temporary: usize) -> Option<(NestAccess, usize)> {
        let (source, target) = copied(self.nest, producer, temporary)?;
        let first = source.indices.len() - target.indices.len();
        let is_dense = first >= self.nest.tensors[source.tensor].trailing().start;
        let is_in_order = (0..target.indices.len())
            .all(|level| self.nest.var_at(&source, first + level) == self.nest.var_at(&target, level));
        (is_dense && is_in_order).then_some((source, first))
    }

    /// Records when a temporary will have a value, and returns when if that needs no marks.
    pub(super) fn foresee(
        &mut self,
        temporary: usize,
        producer: &[NestStmt],
        consumer: &[NestStmt],
    ) -> Option<Formula> {
        let is_array = self.nest.tensors[temporary].home == Home::OnChip;
        let is_affine = is_array && self.is_affine(producer, &assign_to(producer, temporary).target);
        let found = if !is_array || is_affine { self.surely(producer, temporary) } else { None };
        let matters = changes_values(temporary, producer, consumer);
        let has_marks = match found {
            None => matters || self.shows_presence(temporary, consumer),
            // A sparse result is refused beside an operand without elements, and needs no marks for that.
            Some(_) => {
                let is_handed_on =
                    !is_zero_elsewhere(producer, temporary) && self.is_handed_on(temporary, consumer);
                (matters || is_handed_on) && self.may_lack_iterations(producer)
            }
        };
        let formula = found.clone().unwrap_or(Formula::True);
        let addresses = if is_affine { Addresses::Affine } else { Addresses::Any };
        self.temporaries.insert(temporary, KnownPresence { formula, has_marks, addresses });
        found
    }

    /// Whether all loops over variables of a temporary iterate over all coordinates.
    fn is_affine(&self, producer: &[NestStmt], target: &NestAccess) -> bool {
        target.indices.iter().all(|var| visited(self.nest, producer, *var) == Set::True)
    }

    /// Returns a condition under which a temporary gets a value, if there is one that holds exactly then:
    /// every loop in its producer iterates then. Fibers below compressed levels are never empty.
    fn surely(&mut self, producer: &[NestStmt], temporary: usize) -> Option<Formula> {
        let temporaries = self.temporaries.clone();
        let formulas: Option<Vec<Formula>> =
            producer.iter().map(|stmt| self.surely_in(stmt, temporary, &mut Vec::new())).collect();
        self.temporaries = temporaries;
        formulas?.into_iter().reduce(Formula::or)
    }

    fn surely_in(
        &mut self,
        stmt: &NestStmt,
        temporary: usize,
        loops: &mut Vec<(Var, Formula)>,
    ) -> Option<Formula> {
        match stmt {
            NestStmt::Forall { var, body, .. } => {
                let set = visited(self.nest, body, *var);
                let known = loops.iter().map(|(_, known)| known.clone());
                let known = known.fold(self.known.clone(), Formula::and);
                let iterates = self.iterates(&set, *var)?.given(&known);
                // A condition on loops of the producer cannot be asked outside of them.
                if loops.iter().any(|(var, _)| iterates.is_about(*var)) {
                    return None;
                }
                loops.push((*var, self.nest.known_in(*var, &set)));
                let inner = match &body[..] {
                    [stmt] => self.surely_in(stmt, temporary, loops),
                    _ => None,
                };
                loops.pop();
                Some(iterates.and(inner?))
            }
            NestStmt::Assign(assign) if assign.target.tensor == temporary => {
                let known = loops.iter().map(|(_, known)| known.clone());
                let known = known.fold(self.known.clone(), Formula::and);
                let formula = self.formula(&assign.value)?.given(&known);
                (formula == Formula::True).then_some(formula)
            }
            NestStmt::Where { consumer, producer, temporary: inner } => {
                self.foresee(*inner, producer, consumer);
                match &consumer[..] {
                    [stmt] => self.surely_in(stmt, temporary, loops),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns when there is a value, if no marks or masks decide that.
    pub(super) fn formula(&self, value: &Value) -> Option<Formula> {
        self.presence(value).filter(Formula::is_of_levels)
    }

    /// Returns when there is a value; `None` if it reads a temporary that has not been computed.
    fn presence(&self, value: &Value) -> Option<Formula> {
        Some(match value {
            Value::Access(access)
                if self.nest.tensors[access.tensor].home == Home::OffChip
                    || self.nest.is_row(access.tensor) =>
            {
                self.nest.stored_above(access, access.indices.len())
            }
            Value::Access(access) => {
                let temporary = self.temporaries.get(&access.tensor)?;
                let marks = Formula::Atom(Atom::Marks(access.clone()));
                let formula = temporary.formula.clone();
                if temporary.has_marks { formula.and(marks) } else { formula }
            }
            Value::Int(..) | Value::Float(..) | Value::Number(_) => Formula::True,
            Value::Negate(value) | Value::To(_, value) | Value::Apply(_, value) => self.presence(value)?,
            Value::Mask { value, mask, complement } => {
                let is_dense = self.nest.tensors[mask.tensor].last_compressed().is_none();
                self.presence(value)?.and(match (complement, is_dense) {
                    (true, _) => Formula::Atom(Atom::MaskedOut(mask.clone())),
                    (false, true) => Formula::Atom(Atom::Masked(mask.clone())),
                    (false, false) => self.nest.stored_above(mask, mask.indices.len()),
                })
            }
            Value::Combine(how, _, left, right) => {
                let (left, right) = (self.presence(left)?, self.presence(right)?);
                match how {
                    Patterns::Union => left.or(right),
                    Patterns::Intersection => left.and(right),
                }
            }
        })
    }

    /// Returns when a loop iterates at all, if what is around it decides that.
    pub(super) fn iterates(&self, set: &Set, var: Var) -> Option<Formula> {
        match set {
            Set::True => (self.nest.sizes[var] != Some(0)).then_some(Formula::True),
            Set::Atom(access) => {
                let level = self.nest.level_over(access, var)?;
                let is_below = level > 0 && !self.nest.is_full_at(access, level - 1);
                is_below.then(|| self.nest.stored_above(access, level))
            }
            Set::Or(one, other) => Some(self.iterates(one, var)?.or(self.iterates(other, var)?)),
            Set::And(..) => None,
        }
    }

    /// Whether the presence of what consumes a temporary is recorded.
    fn shows_presence(&self, temporary: usize, consumer: &[NestStmt]) -> bool {
        let mut targets = readers(temporary, consumer).map(|assign| &self.nest.tensors[assign.target.tensor]);
        self.is_handed_on(temporary, consumer) || targets.any(|target| target.last_compressed().is_some())
    }

    /// Whether another temporary is computed with a temporary.
    fn is_handed_on(&self, temporary: usize, consumer: &[NestStmt]) -> bool {
        readers(temporary, consumer)
            .any(|assign| self.nest.tensors[assign.target.tensor].home != Home::OffChip)
    }

    /// Whether a loop over all coordinates of a variable may have none, as the extent is not known yet.
    fn may_lack_iterations(&self, stmts: &[NestStmt]) -> bool {
        stmts.iter().any(|stmt| match stmt {
            NestStmt::Forall { var, body, .. } => {
                let is_open = self.nest.sizes[*var].is_none() && visited(self.nest, body, *var) == Set::True;
                is_open || self.may_lack_iterations(body)
            }
            NestStmt::Where { consumer, producer, .. } => {
                self.may_lack_iterations(consumer) || self.may_lack_iterations(producer)
            }
            NestStmt::Assign(_) => false,
        })
    }
}

/// Whether a temporary holds 0 where it has no value: as a sum, or as a copy of one.
fn is_zero_elsewhere(producer: &[NestStmt], temporary: usize) -> bool {
    let mut assigns = producer.iter().flat_map(NestStmt::assigns);
    let found = assigns.find(|assign| assign.target.tensor == temporary);
    found.is_none_or(|assign| match assign.reduction {
        None => assign.value.accesses().iter().all(|access| is_zero_elsewhere(producer, access.tensor)),
        Some(with) => matches!(with, Operator::Add | Operator::Or),
    })
}

/// Whether what is computed with a temporary is another value where the temporary has none. Sums and products
/// need not know where nothing is as good as 0.
fn changes_values(temporary: usize, producer: &[NestStmt], consumer: &[NestStmt]) -> bool {
    let is_zero = is_zero_elsewhere(producer, temporary);
    readers(temporary, consumer).any(|assign| {
        let is_plain = matches!(assign.value, Value::Access(_)) && assign.reduction.is_none();
        let is_sum = matches!(assign.reduction, None | Some(Operator::Add));
        !(is_plain || is_zero && is_sum && is_zero_where_it_is(&assign.value, temporary))
    })
}

/// The assignments that read a temporary.
fn readers(temporary: usize, consumer: &[NestStmt]) -> impl Iterator<Item = &NestAssign> {
    consumer
        .iter()
        .flat_map(NestStmt::assigns)
        .filter(move |assign| assign.value.accesses().iter().any(|access| access.tensor == temporary))
}

/// Whether a value does not need to know of a temporary more than that it is 0.
fn is_zero_where_it_is(value: &Value, temporary: usize) -> bool {
    match value {
        Value::Access(_) | Value::Int(..) | Value::Float(..) | Value::Number(_) => true,
        Value::Negate(value) | Value::To(_, value) | Value::Mask { value, .. } => {
            is_zero_where_it_is(value, temporary)
        }
        Value::Apply(function, value) if function.keeps_zero() => is_zero_where_it_is(value, temporary),
        Value::Combine(_, Operator::Add | Operator::Sub | Operator::Mul, left, right) => {
            is_zero_where_it_is(left, temporary) && is_zero_where_it_is(right, temporary)
        }
        Value::Apply(..) | Value::Combine(..) => {
            value.accesses().iter().all(|access| access.tensor != temporary)
        }
    }
}

fn assign_to(producer: &[NestStmt], temporary: usize) -> &NestAssign {
    let mut assigns = producer.iter().flat_map(NestStmt::assigns);
    let found = assigns.find(|assign| assign.target.tensor == temporary);
    found.expect("a producer assigns to its temporary")
}
