//! Plans, decided before anything is written, as text.

use super::slice::SliceMemory;
use super::{
    Addresses, Appending, ApplicationPlan, LevelOutput, LevelRole, LoopPlan, PlanStep, Producer, Reserved,
    ResultPlan, SlicePlan,
};
use crate::app::{Scalar, whole};
use crate::lower::nest::{Access, Assign, Home, Nest, Parallelism, Stmt, Tensor, Value};
use crate::lower::presence::Set;
use crate::lower::{prepared, text};
use comet_format::LevelKind;
use comet_notation::{Operator, Patterns};
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

const CSR: [LevelKind; 2] = [LevelKind::Dense, LevelKind::CompressedUnique];

fn tensor(name: &str, kinds: &[LevelKind]) -> Tensor {
    Tensor {
        name: name.to_owned(),
        element: Scalar::Double,
        levels: kinds.iter().enumerate().map(|(mode, kind)| whole(mode, *kind)).collect(),
        modes: (0..kinds.len()).collect(),
        home: Home::OffChip,
        is_resident: false,
        is_temporary: false,
    }
}

fn element(tensor: usize, indices: &[usize]) -> Value {
    Value::Access(Access { tensor, indices: indices.to_vec() })
}

/// The plan of an assignment to tensor 0, in loops over `i`, `j`, … in this order.
fn plan(tensors: Vec<Tensor>, target: &[usize], reduction: Option<Operator>, value: Value) -> String {
    let vars = ["i", "j", "k"].map(str::to_owned).to_vec();
    let assign = Assign { target: Access { tensor: 0, indices: target.to_vec() }, reduction, value };
    let used = 1 + assign.target.indices.iter().copied().max().unwrap_or(0);
    let used = if reduction.is_some() { vars.len() } else { used };
    let body = (0..used).rev().fold(Stmt::Assign(assign), |body, var| Stmt::Forall {
        var,
        par: Parallelism::Usual,
        body: vec![body],
    });
    let nest = Nest {
        name: "kernel".to_owned(),
        tensors,
        extents: (0..vars.len()).collect(),
        sizes: vec![None; vars.len()],
        vars,
        tiles: Vec::new(),
        numbers: Vec::new(),
        body: vec![body],
        is_cleared: true,
        communicated: Vec::new(),
        environment: Vec::new(),
    };
    let nest = prepared(&nest).unwrap();
    crate::lower::plan::plan(&nest).unwrap().display(&nest)
}

/// A union of rows is scanned, and appends a segment that is reserved before its loop.
#[test]
fn unions_are_scanned_and_appended() {
    let tensors = ["A", "B", "C"].map(|name| tensor(name, &CSR)).to_vec();
    let (b, c) = (element(1, &[0, 1]), element(2, &[0, 1]));
    let sum = Value::Combine(Patterns::Union, Operator::Add, Box::new(b), Box::new(c));
    insta::assert_snapshot!(plan(tensors, &[0, 1], None, sum), @r"
    result A: [dense; appended]
    for i in all
      for j in (B[i, j] ∪ C[i, j]), reserve level 2
        A[i, j] = B[i, j] + C[i, j]
    ");
}

/// A product of sparse matrices is accumulated in a row on chip.
#[test]
fn products_are_accumulated() {
    let tensors = ["A", "B", "C"].map(|name| tensor(name, &CSR)).to_vec();
    let (b, c) = (element(1, &[0, 1]), element(2, &[1, 2]));
    let product = Value::Combine(Patterns::Intersection, Operator::Mul, Box::new(b), Box::new(c));
    insta::assert_snapshot!(plan(tensors, &[0, 2], Some(Operator::Add), product), @r"
    result A: [dense; appended, counted]
    for i in all
      temporary A_w: sparse SRAM, marked
        for j in B[i, j]
          for k in C[j, k]
            A_w[k] += B[i, j] * C[j, k]
      for k in all
        A[i, k] = A_w[k]
    ");
}

/// Values of one operand have its positions, and dense factors are brought on chip.
#[test]
fn levels_are_shared_with_an_operand() {
    let dense = [LevelKind::Dense; 2];
    let tensors = vec![tensor("A", &CSR), tensor("B", &CSR), tensor("D", &dense)];
    let (b, d) = (element(1, &[0, 1]), element(2, &[0, 1]));
    let product = Value::Combine(Patterns::Intersection, Operator::Mul, Box::new(b), Box::new(d));
    insta::assert_snapshot!(plan(tensors, &[0, 1], None, product), @r"
    result A: [dense; same as B[i, j]]
    for i in all
      load D[i, j] from level 2: sparse SRAM
      for j in B[i, j]
        A[i, j] = B[i, j] * D[i, j]
    ");
}
