//! Temporaries on chip: registers that a `Reduce` fills, and dense SRAMs.

use super::algebra::Reduction;
use super::expr::{int, mux, name, read, times};
use super::nest::{Access, Assign, Home, Refusal, Stmt, Var};
use super::pattern_set::{Set, visited};
use super::placement::copied;
use super::presence::Formula;
use super::value::Valued;
use super::{Lowering, Temporary, index_type};
use crate::app::{Expr, Kind, Modification, Modify, Schedule};

impl Lowering<'_> {
    /// Computes a temporary.
    pub(super) fn produce(
        &mut self,
        temporary: usize,
        producer: &[Stmt],
        consumer: &[Stmt],
    ) -> Result<(), Refusal> {
        match self.nest.tensors[temporary].home {
            Home::Scalar => self.produce_scalar(temporary, producer, consumer),
            Home::OnChip if self.is_row(temporary) => self.produce_row(temporary, producer, consumer),
            Home::OnChip => self.produce_array(temporary, producer, consumer),
            Home::OffChip => unreachable!("what is off chip is no temporary of a loop"),
        }
    }

    fn produce_scalar(
        &mut self,
        temporary: usize,
        producer: &[Stmt],
        consumer: &[Stmt],
    ) -> Result<(), Refusal> {
        if let [Stmt::Assign(assign)] = producer {
            return self.produce_value(assign);
        }
        let element = self.element(temporary);
        let with = reduction(producer, temporary);
        let init = self.identity(with.unwrap_or(Reduction::Add), &element);
        let stem = self.nest.tensors[temporary].name.clone();
        let memory = self.frames.register(&stem, element, init);
        let (formula, marks) = match self.surely(producer, temporary) {
            Some(formula) => (formula, None),
            None if self.asks_for_presence(temporary, with, consumer) => {
                (Formula::True, Some(self.counter_register(&format!("{stem}_any"))))
            }
            None => (Formula::True, None),
        };
        let is_counted = marks.is_some();
        self.temporaries.insert(temporary, Temporary { memory: memory.clone(), marks, formula });
        match with.filter(|with| !is_counted && with.operator().is_some()) {
            Some(with) => self.reduce_all(&memory, producer, temporary, with),
            None => self.block(producer),
        }
    }

    /// A scalar that no loop computes is no register, but a value: lanes cannot have registers of their own.
    fn produce_value(&mut self, assign: &Assign) -> Result<(), Refusal> {
        let temporary = assign.target.tensor;
        let stem = self.nest.tensors[temporary].name.clone();
        let valued = self.value(&assign.value)?;
        let identity = self.identity(assign.reduction.unwrap_or(Reduction::Add), &valued.element);
        let value = match assign.reduction {
            Some(with) => {
                with.of(identity.clone(), with.prepared(valued.value, &valued.element), &valued.element)
            }
            None => valued.value,
        };
        let condition = self.scope.condition(&valued.formula);
        let value = match condition.clone() {
            Some(condition) => mux(condition, value, identity),
            None => value,
        };
        let memory = self.frames.val(&stem, value);
        let marks = condition.map(|condition| self.frames.val(&format!("{stem}_any"), to_bit(condition)));
        self.temporaries.insert(temporary, Temporary { memory, marks, formula: Formula::True });
        Ok(())
    }

    /// Fills a register: by a reduction where that is all that is done, behind what is brought on chip for
    /// it.
    fn reduce_all(
        &mut self,
        register: &str,
        producer: &[Stmt],
        temporary: usize,
        with: Reduction,
    ) -> Result<(), Refusal> {
        match producer {
            [stmt @ Stmt::Forall { .. }] if is_reduction(stmt, temporary) => {
                self.reduce(register, stmt, temporary, with)?;
                self.begin_with_identity(register, temporary, with);
                Ok(())
            }
            [Stmt::Where { consumer, producer, temporary: inner }] => {
                self.produce(*inner, producer, consumer)?;
                self.reduce_all(register, consumer, temporary, with)
            }
            _ => self.block(producer),
        }
    }

    /// `Reduce` begins with the first value, a reduction of the language with its identity. That is the same
    /// but for the least and the greatest of nothing but NaN.
    fn begin_with_identity(&mut self, register: &str, temporary: usize, with: Reduction) {
        let element = self.element(temporary);
        if !self.is_integer(&element) && matches!(with, Reduction::Min | Reduction::Max) {
            let value = with.of(name(register), self.identity(with, &element), &element);
            self.frames.push(Kind::Set { register: register.to_owned(), value });
        }
    }

    /// The values of all rounds of a loop in a register.
    fn reduce(
        &mut self,
        register: &str,
        stmt: &Stmt,
        temporary: usize,
        with: Reduction,
    ) -> Result<(), Refusal> {
        let Stmt::Forall { var, par, body } = stmt else { unreachable!("a reduction is a loop") };
        let open = self.open(*var, stmt)?;
        let value = self.round_value(body, temporary, with)?;
        let (domain, frame) = self.close(open, par);
        let register = register.to_owned();
        self.frames.push(Kind::Reduce {
            schedule: Schedule::Pipelined,
            register,
            domain,
            body: frame.statements,
            value,
            with: with.operator().expect("`produce_scalar` asks for it"),
        });
        Ok(())
    }

    /// What a round of a reduction gives.
    fn round_value(&mut self, body: &[Stmt], temporary: usize, with: Reduction) -> Result<Expr, Refusal> {
        match body {
            [Stmt::Assign(assign)] => {
                let valued = self.value(&assign.value)?;
                Ok(self.or_identity(with, &valued))
            }
            [stmt @ Stmt::Forall { var, .. }] => {
                let element = self.element(temporary);
                let stem = format!("{}_{}", self.nest.tensors[temporary].name, self.name_of(*var));
                let register = self.frames.register(&stem, element.clone(), self.identity(with, &element));
                self.reduce(&register, stmt, temporary, with)?;
                Ok(name(register))
            }
            [Stmt::Where { consumer, producer, temporary: inner }] => {
                self.produce(*inner, producer, consumer)?;
                self.round_value(consumer, temporary, with)
            }
            _ => unreachable!("`is_reduction` looks at all of it"),
        }
    }

    fn produce_array(
        &mut self,
        temporary: usize,
        producer: &[Stmt],
        consumer: &[Stmt],
    ) -> Result<(), Refusal> {
        if let Some(copied) = self.copied(producer, temporary) {
            self.transfer(temporary, &copied);
            return Ok(());
        }
        let target = target_of(producer, temporary).clone();
        let element = self.element(temporary);
        let stem = self.nest.tensors[temporary].name.clone();
        let is_affine = self.is_affine(producer, &target);
        let mut size = int(1);
        for level in 0..target.indices.len() {
            let extent = self.extent(self.nest.var_at(&target, level));
            size = times(size, extent);
        }
        let memory = self.array(&stem, element.clone(), is_affine);
        let with = reduction(producer, temporary);
        let formula = if is_affine { self.surely(producer, temporary) } else { None };
        if with.is_some() || formula.is_none() {
            self.fill(&memory, size.clone(), self.identity(with.unwrap_or(Reduction::Add), &element));
        }
        let asks = self.asks_for_presence(temporary, with, consumer);
        let marks = (formula.is_none() && asks).then(|| {
            let marks = self.array(&format!("{stem}_any"), index_type(), false);
            self.fill(&marks, size, int(0));
            marks
        });
        let formula = formula.unwrap_or(Formula::True);
        self.temporaries.insert(temporary, Temporary { memory, marks, formula });
        self.block(producer)
    }

    /// Whether all loops over variables of a temporary go over all coordinates.
    pub(super) fn is_affine(&self, producer: &[Stmt], target: &Access) -> bool {
        target.indices.iter().all(|var| visited(self.nest, producer, *var) == Set::All)
    }

    /// A producer that only copies dense elements which lie behind each other.
    fn copied(&self, producer: &[Stmt], temporary: usize) -> Option<Copied> {
        let (source, target) = copied(self.nest, producer, temporary)?;
        let first = source.indices.len() - target.indices.len();
        let is_dense = first >= self.nest.tensors[source.tensor].trailing().start;
        let same_order = (0..target.indices.len())
            .all(|level| self.nest.var_at(&source, first + level) == self.nest.var_at(&target, level));
        (is_dense && same_order).then_some(Copied { source, first })
    }

    /// An assignment between regions: a transfer. Where the row is not stored, there is nothing to bring.
    fn transfer(&mut self, temporary: usize, copied: &Copied) {
        let Copied { source, first } = copied;
        let memory = self.load_levels(source, *first, true);
        let formula = self.stored_above(source, *first);
        self.temporaries.insert(temporary, Temporary { memory, marks: None, formula });
    }

    pub(super) fn assign(&mut self, assign: &Assign) -> Result<(), Refusal> {
        let valued = self.value(&assign.value)?;
        match self.nest.tensors[assign.target.tensor].home {
            Home::Scalar => self.set_register(assign, valued),
            Home::OnChip if self.is_row(assign.target.tensor) => self.set_in_row(&assign.target, valued),
            Home::OnChip => self.set_element(assign, valued),
            Home::OffChip => return self.set_output(assign, valued),
        }
        Ok(())
    }

    fn set_register(&mut self, assign: &Assign, valued: Valued) {
        let Temporary { memory, marks, .. } = self.temporaries[&assign.target.tensor].clone();
        let condition = self.scope.condition(&valued.formula);
        let value = match assign.reduction {
            Some(with) => {
                let value = with.prepared(valued.value, &valued.element);
                with.of(name(&memory), value, &valued.element)
            }
            None => valued.value,
        };
        let value = match &condition {
            Some(condition) => mux(condition.clone(), value, name(&memory)),
            None => value,
        };
        self.frames.carry(&memory);
        self.frames.push(Kind::Set { register: memory, value });
        if let Some(marks) = marks {
            let mark = condition.map_or_else(|| int(1), |condition| mux(condition, int(1), name(&marks)));
            self.frames.push(Kind::Set { register: marks, value: mark });
        }
    }

    fn set_element(&mut self, assign: &Assign, valued: Valued) {
        let Temporary { memory, marks, .. } = self.temporaries[&assign.target.tensor].clone();
        let index = self.index_from(&assign.target, 0);
        let condition = self.scope.condition(&valued.formula);
        let indices = &assign.target.indices;
        let element = Element { memory: &memory, index: index.clone(), indices, fill: Reduction::Add };
        self.combine_element(element, assign.reduction, valued);
        if let Some(marks) = marks {
            let mark = condition.map_or_else(|| int(1), to_bit);
            self.modify(marks, index, mark, Modification::Or);
        }
    }

    /// `memory(index) = …`, combined with what is there. A sparse SRAM adds by itself; elsewhere rounds that
    /// come to the same element run one after the other.
    pub(super) fn combine_element(
        &mut self,
        element: Element<'_>,
        reduction: Option<Reduction>,
        valued: Valued,
    ) {
        let Element { memory, index, indices, fill } = element;
        let condition = self.scope.condition(&valued.formula);
        let there = read(memory, index.clone());
        let value = match reduction {
            Some(with) if self.is_sparse(memory) && with.modification().is_some() => {
                let value = self.or_identity(with, &valued);
                let modification = with.modification().expect("it has just been asked");
                return self.modify(memory.to_owned(), index, value, modification);
            }
            Some(with) => {
                let value = with.prepared(valued.value, &valued.element);
                with.of(there.clone(), value, &valued.element)
            }
            None => valued.value,
        };
        let value = match (condition, reduction) {
            (None, _) => value,
            // A register holds what its reduction begins with.
            (_, None) if valued.stands_elsewhere => value,
            (Some(condition), Some(_)) => mux(condition, value, there),
            (Some(condition), None) => mux(condition, value, self.identity(fill, &valued.element)),
        };
        self.frames.push(Kind::Write { memory: memory.to_owned(), index, value });
        if reduction.is_some() {
            self.frames.carry_others(memory, indices);
        }
    }

    /// A value as a reduction takes it, or what changes nothing where there is none.
    fn or_identity(&self, with: Reduction, valued: &Valued) -> Expr {
        let value = with.prepared(valued.value.clone(), &valued.element);
        let is_neutral = with == Reduction::Add && valued.is_zero_elsewhere;
        match self.scope.condition(&valued.formula).filter(|_| !is_neutral) {
            Some(condition) => mux(condition, value, self.identity(with, &valued.element)),
            None => value,
        }
    }

    fn is_sparse(&self, memory: &str) -> bool {
        self.sparse.contains(memory)
    }

    fn modify(&mut self, memory: String, index: Expr, value: Expr, with: Modification) {
        let order = "unordered".to_owned();
        self.frames.push(Kind::Modify(Modify { memory, index, value, with, order, barriers: Vec::new() }));
    }
}

/// The levels of an operand from one on, as they are brought on chip.
struct Copied {
    source: Access,
    first: usize,
}

/// An element of an SRAM.
pub(super) struct Element<'m> {
    pub(super) memory: &'m str,
    pub(super) index: Expr,
    /// The variables that it depends on.
    pub(super) indices: &'m [Var],
    /// What it is where there is no value is what this begins with.
    pub(super) fill: Reduction,
}

/// 1 where a condition holds.
fn to_bit(condition: Expr) -> Expr {
    mux(condition, int(1), int(0))
}

/// How what is assigned to a temporary meets what is there.
pub(super) fn reduction(producer: &[Stmt], temporary: usize) -> Option<Reduction> {
    let mut assigns = producer.iter().flat_map(Stmt::assigns);
    assigns.find(|assign| assign.target.tensor == temporary).and_then(|assign| assign.reduction)
}

pub(super) fn target_of(producer: &[Stmt], temporary: usize) -> &Access {
    let mut assigns = producer.iter().flat_map(Stmt::assigns);
    let found = assigns.find(|assign| assign.target.tensor == temporary);
    &found.expect("a producer assigns to its temporary").target
}

/// Whether all that is done is to reduce into a temporary.
fn is_reduction(stmt: &Stmt, temporary: usize) -> bool {
    let is_body = |body: &[Stmt]| matches!(body, [stmt] if is_reduction(stmt, temporary));
    match stmt {
        Stmt::Forall { body, .. } => is_body(body),
        Stmt::Where { consumer, .. } => is_body(consumer),
        Stmt::Assign(assign) => assign.target.tensor == temporary && assign.reduction.is_some(),
    }
}
