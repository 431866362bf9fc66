//! Plans as text.

use super::slice::SliceMemory;
use super::{
    Addresses, Appending, ApplicationPlan, LevelOutput, LevelRole, LoopPlan, PlanStep, Producer, Reserved,
    ResultPlan, SlicePlan,
};
use crate::lower::nest::{Access, Nest};
use crate::lower::presence::Set;
use crate::lower::text;
use std::fmt::{self, Write};

impl ApplicationPlan {
    /// Returns the plan as text, a line for each decision; loops are indented.
    pub(in crate::lower) fn display(&self, nest: &Nest) -> String {
        let mut text = String::new();
        self.write(&Show { nest }, &mut text).expect("a string takes all text");
        text
    }

    fn write(&self, show: &Show<'_>, text: &mut String) -> fmt::Result {
        for unit in &self.units {
            if let Some(result) = &unit.result {
                show.result(text, result)?;
            }
            show.slices(text, 0, &unit.slices)?;
            show.step(text, 0, &unit.step)?;
        }
        Ok(())
    }
}

struct Show<'p> {
    nest: &'p Nest,
}

impl Show<'_> {
    fn result(&self, out: &mut String, result: &ResultPlan) -> fmt::Result {
        let tensor = &self.nest.tensors[result.target.tensor].name;
        let levels = result.levels.iter().map(|level| match level {
            LevelOutput::Dense => "dense".to_owned(),
            LevelOutput::SameAs(access) => format!("same as {}", self.access(access)),
            LevelOutput::Appended(Appending::All) => "appended".to_owned(),
            LevelOutput::Appended(Appending::Counted) => "appended, counted".to_owned(),
            LevelOutput::Appended(Appending::OneByOne) => "appended, one by one".to_owned(),
        });
        let levels: Vec<String> = levels.collect();
        write!(out, "result {tensor}: [{}]", levels.join("; "))?;
        if result.has_part() {
            let from = result.first + 1;
            let kind = if result.addresses == Addresses::Affine { "dense" } else { "sparse" };
            write!(out, ", {kind} SRAM from level {from}")?;
        }
        writeln!(out, "{}", if result.begins_with_elements { ", on top of its elements" } else { "" })
    }

    fn slices(&self, out: &mut String, depth: usize, slices: &[SlicePlan]) -> fmt::Result {
        for SlicePlan { access, first, memory } in slices {
            let memory = match memory {
                SliceMemory::Affine => "dense SRAM",
                SliceMemory::Sparse => "sparse SRAM",
                SliceMemory::OffChip => "sparse DRAM",
            };
            let (access, from) = (self.access(access), first + 1);
            writeln!(out, "{:depth$}load {access} from level {from}: {memory}", "")?;
        }
        Ok(())
    }

    fn steps(&self, out: &mut String, depth: usize, steps: &[PlanStep]) -> fmt::Result {
        steps.iter().try_for_each(|step| self.step(out, depth, step))
    }

    fn step(&self, out: &mut String, depth: usize, step: &PlanStep) -> fmt::Result {
        match step {
            PlanStep::Loop(plan) => self.loop_plan(out, depth, plan),
            PlanStep::Assign(assign) => writeln!(out, "{:depth$}{}", "", text::line(self.nest, assign)),
            PlanStep::Where { temporary, consumer } => {
                let name = &self.nest.tensors[temporary.tensor].name;
                let marks = if temporary.has_marks { ", marked" } else { "" };
                let (kind, steps): (_, &[PlanStep]) = match &temporary.producer {
                    Producer::Value(assign) => (format!("value {}", text::line(self.nest, assign)), &[]),
                    Producer::Register(steps) => ("register".to_owned(), steps),
                    Producer::Row { steps, .. } => ("row on chip".to_owned(), steps),
                    Producer::Copy { source, .. } => (format!("copy of {}", self.access(source)), &[]),
                    Producer::Array { addresses: Addresses::Affine, steps, .. } => {
                        ("dense SRAM".to_owned(), steps)
                    }
                    Producer::Array { addresses: Addresses::Any, steps, .. } => {
                        ("sparse SRAM".to_owned(), steps)
                    }
                };
                writeln!(out, "{:depth$}temporary {name}: {kind}{marks}", "")?;
                self.steps(out, depth + 2, steps)?;
                self.steps(out, depth, consumer)
            }
        }
    }

    fn loop_plan(&self, out: &mut String, depth: usize, plan: &LoopPlan) -> fmt::Result {
        self.slices(out, depth, &plan.slices_before)?;
        write!(out, "{:depth$}for {} in {}", "", self.nest.vars[plan.var], self.set(&plan.set))?;
        for operand in plan.levels.iter().filter(|operand| operand.role == LevelRole::Located) {
            write!(out, ", locate {}", self.access(&operand.access))?;
        }
        match plan.reserved {
            Some(Reserved::Level(level)) => write!(out, ", reserve level {}", level + 1)?,
            Some(Reserved::Row(row)) => write!(out, ", reserve {}", self.nest.tensors[row].name)?,
            None => {}
        }
        if let Some(fold) = &plan.fold {
            write!(out, ", fold {}", self.access(&fold.target))?;
        }
        writeln!(out, "{}", if plan.opens_part { ", store the part" } else { "" })?;
        self.slices(out, depth + 2, &plan.slices_inside)?;
        self.steps(out, depth + 2, &plan.body)
    }

    fn set(&self, set: &Set) -> String {
        match set {
            Set::True => "all".to_owned(),
            Set::Atom(access) => self.access(access),
            Set::Or(one, other) => format!("({} ∪ {})", self.set(one), self.set(other)),
            Set::And(one, other) => format!("({} ∩ {})", self.set(one), self.set(other)),
        }
    }

    fn access(&self, access: &Access) -> String {
        text::access(self.nest, access)
    }
}
