//! Temporaries on chip: registers that a `Reduce` fills, and dense SRAMs.

use super::expr::{int, modification, mux, name, pattern_operator, prepared, read, reduced, times};
use super::nest::{Access, Assign, Home, Refusal, Var};
use super::pattern::pattern;
use super::plan::{Addresses, LoopPlan, PlanStep, Producer, TemporaryPlan};
use super::presence::Formula;
use super::value::Valued;
use super::{Emitter, Temporary, index_type};
use crate::app::{Expr, Kind, Modification, Modify, ModifyOrder, PatternResult};
use comet_notation::Operator;

impl<'p> Emitter<'p> {
    pub(super) fn produce(&mut self, plan: &'p TemporaryPlan) -> Result<(), Refusal> {
        match &plan.producer {
            Producer::Value(assign) => self.produce_value(assign),
            Producer::Register(steps) => self.produce_register(plan, steps),
            Producer::Row { steps, readers } => self.produce_row(plan.tensor, steps, readers),
            Producer::Copy { source, first } => {
                let memory = self.load_levels(source, *first, Addresses::Affine);
                // Where the row is not stored, there is nothing to bring.
                let formula = self.nest.stored_above(source, *first);
                self.temporaries.insert(plan.tensor, Temporary { memory, marks: None, formula });
                Ok(())
            }
            Producer::Array { target, addresses, steps } => {
                self.produce_array(plan, target, *addresses);
                self.steps(steps)
            }
        }
    }

    fn produce_register(&mut self, plan: &'p TemporaryPlan, steps: &'p [PlanStep]) -> Result<(), Refusal> {
        let element = self.element(plan.tensor);
        let init = self.identity(plan.reduction.unwrap_or(Operator::Add), &element);
        let stem = &self.nest.tensors[plan.tensor].name;
        let memory = self.frames.register(stem, element, init);
        let marks = plan.has_marks.then(|| self.counter_register(&format!("{stem}_any")));
        let formula = plan.formula.clone().unwrap_or(Formula::True);
        self.temporaries.insert(plan.tensor, Temporary { memory: memory.clone(), marks, formula });
        match plan.reduction.filter(|with| !plan.has_marks && pattern_operator(*with).is_some()) {
            Some(with) => self.reduce_all(&memory, steps, plan.tensor, with),
            None => self.steps(steps),
        }
    }

    /// A scalar that no loop computes is no register, but a value: lanes cannot have registers of their own.
    fn produce_value(&mut self, assign: &Assign) -> Result<(), Refusal> {
        let temporary = assign.target.tensor;
        let stem = self.nest.tensors[temporary].name.clone();
        let valued = self.value(&assign.value)?;
        let identity = self.identity(assign.reduction.unwrap_or(Operator::Add), &valued.element);
        let value = match assign.reduction {
            Some(with) => reduced(
                with,
                identity.clone(),
                prepared(with, valued.value, &valued.element),
                &valued.element,
            ),
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

    /// Fills a register: by a reduction where that is all that is done, after what is brought on chip for it.
    fn reduce_all(
        &mut self,
        register: &str,
        steps: &'p [PlanStep],
        temporary: usize,
        with: Operator,
    ) -> Result<(), Refusal> {
        match steps {
            [PlanStep::Loop(plan)] if is_reduction(&plan.body, temporary) => {
                self.reduce(register, plan, temporary, with)?;
                self.begin_with_identity(register, temporary, with);
                Ok(())
            }
            [PlanStep::Where { temporary: inner, consumer }] => {
                self.produce(inner)?;
                self.reduce_all(register, consumer, temporary, with)
            }
            _ => self.steps(steps),
        }
    }

    /// `Reduce` begins with the first value, a reduction of the language with its identity. That is the same
    /// but for the least and the greatest of nothing but NaN.
    fn begin_with_identity(&mut self, register: &str, temporary: usize, with: Operator) {
        let element = self.element(temporary);
        if !self.meant(&element).is_integer() && matches!(with, Operator::Min | Operator::Max) {
            let value = reduced(with, name(register), self.identity(with, &element), &element);
            self.frames.push(Kind::Set { register: register.to_owned(), value });
        }
    }

    /// Combines the values of all iterations of a loop in a register.
    fn reduce(
        &mut self,
        register: &str,
        plan: &'p LoopPlan,
        temporary: usize,
        with: Operator,
    ) -> Result<(), Refusal> {
        let open = self.open(plan)?;
        let value = self.iteration_value(&plan.body, temporary, with)?;
        let (domain, frame) = self.close(open, plan);
        let with = pattern_operator(with).expect("`produce_register` asks for it");
        let result = PatternResult::Register { register: register.to_owned(), value, with };
        self.frames.push(pattern(domain, frame.statements, result));
        Ok(())
    }

    fn iteration_value(
        &mut self,
        steps: &'p [PlanStep],
        temporary: usize,
        with: Operator,
    ) -> Result<Expr, Refusal> {
        match steps {
            [PlanStep::Assign(assign)] => {
                let valued = self.value(&assign.value)?;
                Ok(self.or_identity(with, &valued))
            }
            [PlanStep::Loop(plan)] => {
                let element = self.element(temporary);
                let stem = format!("{}_{}", self.nest.tensors[temporary].name, self.name_of(plan.var));
                let register = self.frames.register(&stem, element.clone(), self.identity(with, &element));
                self.reduce(&register, plan, temporary, with)?;
                Ok(name(register))
            }
            [PlanStep::Where { temporary: inner, consumer }] => {
                self.produce(inner)?;
                self.iteration_value(consumer, temporary, with)
            }
            _ => unreachable!("`is_reduction` looks at all of it"),
        }
    }

    fn produce_array(&mut self, plan: &TemporaryPlan, target: &Access, addresses: Addresses) {
        let element = self.element(plan.tensor);
        let stem = &self.nest.tensors[plan.tensor].name;
        let mut size = int(1);
        for level in 0..target.indices.len() {
            let extent = self.extent(self.nest.var_at(target, level));
            size = times(size, extent);
        }
        let memory = self.array(stem, element.clone(), addresses);
        if plan.reduction.is_some() || plan.formula.is_none() {
            let identity = self.identity(plan.reduction.unwrap_or(Operator::Add), &element);
            self.fill(&memory, size.clone(), identity);
        }
        let marks = plan.has_marks.then(|| {
            let marks = self.array(&format!("{stem}_any"), index_type(), Addresses::Any);
            self.fill(&marks, size, int(0));
            marks
        });
        let formula = plan.formula.clone().unwrap_or(Formula::True);
        self.temporaries.insert(plan.tensor, Temporary { memory, marks, formula });
    }

    pub(super) fn assign(&mut self, assign: &Assign) -> Result<(), Refusal> {
        let valued = self.value(&assign.value)?;
        match self.nest.tensors[assign.target.tensor].home {
            Home::Scalar => self.set_register(assign, valued),
            Home::OnChip if self.nest.is_row(assign.target.tensor) => self.set_in_row(&assign.target, valued),
            Home::OnChip => self.set_element(assign, valued),
            Home::OffChip => self.set_output(assign, valued),
        }
        Ok(())
    }

    fn set_register(&mut self, assign: &Assign, valued: Valued) {
        let Temporary { memory, marks, .. } = self.temporaries[&assign.target.tensor].clone();
        let condition = self.scope.condition(&valued.formula);
        let value = match assign.reduction {
            Some(with) => {
                let value = prepared(with, valued.value, &valued.element);
                reduced(with, name(&memory), value, &valued.element)
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
        let element = Element { memory: &memory, index: index.clone(), indices, fill: Operator::Add };
        self.combine_element(element, assign.reduction, valued);
        if let Some(marks) = marks {
            let mark = condition.map_or_else(|| int(1), to_bit);
            self.modify(marks, index, mark, Modification::Or);
        }
    }

    /// `memory(index) = …`, combined with what is there. A sparse SRAM adds by itself; elsewhere iterations
    /// that come to the same element run one after the other.
    pub(super) fn combine_element(
        &mut self,
        element: Element<'_>,
        reduction: Option<Operator>,
        valued: Valued,
    ) {
        let Element { memory, index, indices, fill } = element;
        let condition = self.scope.condition(&valued.formula);
        let there = read(memory, index.clone());
        let value = match reduction {
            Some(with) if self.is_sparse(memory) && modification(with).is_some() => {
                let value = self.or_identity(with, &valued);
                let with = modification(with).expect("it has just been asked");
                return self.modify(memory.to_owned(), index, value, with);
            }
            Some(with) => {
                let value = prepared(with, valued.value, &valued.element);
                reduced(with, there.clone(), value, &valued.element)
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
    fn or_identity(&self, with: Operator, valued: &Valued) -> Expr {
        let value = prepared(with, valued.value.clone(), &valued.element);
        let is_neutral = with == Operator::Add && valued.is_zero_elsewhere;
        match self.scope.condition(&valued.formula).filter(|_| !is_neutral) {
            Some(condition) => mux(condition, value, self.identity(with, &valued.element)),
            None => value,
        }
    }

    fn is_sparse(&self, memory: &str) -> bool {
        self.sparse.contains(memory)
    }

    fn modify(&mut self, memory: String, index: Expr, value: Expr, with: Modification) {
        let (order, barriers) = (ModifyOrder::Unordered, Vec::new());
        self.frames.push(Kind::Modify(Modify { memory, index, value, with, order, barriers }));
    }
}

/// An element of an SRAM.
pub(super) struct Element<'m> {
    pub(super) memory: &'m str,
    pub(super) index: Expr,
    /// The variables that it depends on.
    pub(super) indices: &'m [Var],
    /// What it is where there is no value is what this begins with.
    pub(super) fill: Operator,
}

fn to_bit(condition: Expr) -> Expr {
    mux(condition, int(1), int(0))
}

/// Whether all that is done is to reduce into a temporary.
fn is_reduction(steps: &[PlanStep], temporary: usize) -> bool {
    match steps {
        [PlanStep::Loop(plan)] => is_reduction(&plan.body, temporary),
        [PlanStep::Where { consumer, .. }] => is_reduction(consumer, temporary),
        [PlanStep::Assign(assign)] => assign.target.tensor == temporary && assign.reduction.is_some(),
        _ => false,
    }
}
