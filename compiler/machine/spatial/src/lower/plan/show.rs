//! Plans as text.

use super::slice::SliceMemory;
use super::{
    Appending, LevelOutput, LevelRole, LoopPlan, Plan, Producer, Reserved, ResultPlan, SlicePlan, Step,
};
use crate::lower::nest::{Access, Nest};
use crate::lower::pattern_set::Set;
use crate::lower::text;
use std::fmt::{self, Display, Write};

impl Plan {
    /// The plan, a line for each decision; loops are indented.
    pub(in crate::lower) fn display<'p>(&'p self, nest: &'p Nest) -> impl Display + 'p {
        fmt::from_fn(move |f| {
            let show = Show { nest };
            for unit in &self.units {
                let mut text = String::new();
                if let Some(result) = &unit.result {
                    show.result(&mut text, result)?;
                }
                show.slices(&mut text, 0, &unit.slices)?;
                show.step(&mut text, 0, &unit.step)?;
                f.write_str(&text)?;
            }
            Ok(())
        })
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
            let kind = if result.is_affine { "dense" } else { "sparse" };
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

    fn steps(&self, out: &mut String, depth: usize, steps: &[Step]) -> fmt::Result {
        steps.iter().try_for_each(|step| self.step(out, depth, step))
    }

    fn step(&self, out: &mut String, depth: usize, step: &Step) -> fmt::Result {
        match step {
            Step::Loop(plan) => self.loop_plan(out, depth, plan),
            Step::Assign(assign) => writeln!(out, "{:depth$}{}", "", text::line(self.nest, assign)),
            Step::Where { temporary, consumer } => {
                let name = &self.nest.tensors[temporary.tensor].name;
                let marks = if temporary.has_marks { ", marked" } else { "" };
                let (kind, steps): (_, &[Step]) = match &temporary.producer {
                    Producer::Value(assign) => (format!("value {}", text::line(self.nest, assign)), &[]),
                    Producer::Register(steps) => ("register".to_owned(), steps),
                    Producer::Row { steps, .. } => ("row on chip".to_owned(), steps),
                    Producer::Copy { source, .. } => (format!("copy of {}", self.access(source)), &[]),
                    Producer::Array { is_affine: true, steps, .. } => ("dense SRAM".to_owned(), steps),
                    Producer::Array { is_affine: false, steps, .. } => ("sparse SRAM".to_owned(), steps),
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
            Set::All => "all".to_owned(),
            Set::Stored(access) => self.access(access),
            Set::Union(one, other) => format!("({} ∪ {})", self.set(one), self.set(other)),
            Set::Intersect(one, other) => format!("({} ∩ {})", self.set(one), self.set(other)),
        }
    }

    fn access(&self, access: &Access) -> String {
        text::access(self.nest, access)
    }
}
