//! Rounds at once of a loop that reduces into a part of a tensor on chip: each has a part of its own, and
//! `MemFold` combines them with what there is (stardust.txt, Fig. 9, has `MemReduce`, whose first round
//! forgets that).
//!
//! Before: `∀k (4 at once) ∀i ∀j C[i,j] += …`, with C on chip. After: `MemFold(C par ip)(… par 4) { k =>
//! C_part = 0; … C_part(i, j) = C_part(i, j) + …; C_part } { _ + _ }`. All elements of the memory are
//! combined, so that its size has to be known: that of a tile, above all.

use super::expr::int;
use super::nest::{Access, Assign, Factor, Home, Refusal, Stmt, Var};
use super::{Lowering, Reduction};
use crate::app::{Kind, MemoryKind, Operator, Schedule, Type};
use std::collections::BTreeSet;

/// What a loop reduces into.
struct Reduced {
    target: Access,
    /// The SRAM with what is on chip of it.
    memory: String,
    /// How many elements that has.
    size: i64,
    reduction: Reduction,
    with: Operator,
    element: Type,
}

impl Lowering<'_> {
    /// A loop whose rounds at once have parts of their own, if it is one.
    pub(super) fn partial(&mut self, stmt: &Stmt) -> Result<bool, Refusal> {
        let Stmt::Forall { var, par, body } = stmt else { unreachable!("a loop is a `Forall`") };
        let Some(reduced) = self.reduced(*var, par, body) else { return Ok(false) };
        let Reduced { target, memory, size, reduction, with, element } = reduced;
        let open = self.open(*var, stmt)?;
        let kind = || MemoryKind::Sram { size: int(size) };
        self.frames.resize(&memory, kind());
        let part = self.frames.memory(&format!("{memory}_part"), element.clone(), kind());
        self.fill(&part, int(size), self.identity(reduction, &element));
        self.set_memory(&target, part.clone());
        self.block(body)?;
        self.set_memory(&target, memory.clone());
        let (domain, frame) = self.close(open, par);
        let par = self.setting("ip");
        self.frames.push(Kind::MemReduce {
            schedule: Schedule::Pipelined,
            is_fold: true,
            memory: memory.clone(),
            par,
            domain,
            body: frame.statements,
            value: part,
            with,
        });
        self.frames.carry(&memory);
        Ok(true)
    }

    fn reduced(&self, var: Var, par: &Factor, body: &[Stmt]) -> Option<Reduced> {
        let is_outer = body.iter().any(|stmt| !matches!(stmt, Stmt::Assign(_)));
        if self.asked(par) <= 1 || !is_outer {
            return None;
        }
        let mut inner = BTreeSet::new();
        body.iter().for_each(|stmt| temporaries(stmt, &mut inner));
        let assigns = body.iter().flat_map(Stmt::assigns);
        let outer: Vec<&Assign> = assigns.filter(|assign| !inner.contains(&assign.target.tensor)).collect();
        let [Assign { target, reduction: Some(reduction), .. }] = outer[..] else { return None };
        let (memory, first) = self.memory_of(target)?;
        let size = i64::try_from(self.elements_from(target, first)?).ok()?;
        let fits = size <= self.setting_value("nnz_accel_max");
        // In a loop over a label of what is on chip, all of that would be combined for a part of it.
        let mut levels = first..target.indices.len();
        let is_bound = levels.any(|level| self.loops.contains(&self.nest.var_at(target, level)));
        if !fits || is_bound || target.indices.contains(&var) || self.sparse.contains(&memory) {
            return None;
        }
        let (target, element) = (target.clone(), self.element(target.tensor));
        let with = reduction.operator()?;
        Some(Reduced { target, memory, size, reduction: *reduction, with, element })
    }

    /// The SRAM with the elements of a result or a temporary, and the first of its levels that are there.
    fn memory_of(&self, target: &Access) -> Option<(String, usize)> {
        match self.nest.tensors[target.tensor].home {
            Home::OffChip => {
                let output = self.outputs.last().filter(|output| output.target == *target)?;
                let is_part = output.first < output.levels.len();
                Some((output.values.clone().filter(|_| is_part)?, output.first))
            }
            Home::OnChip if self.is_row(target.tensor) => None,
            Home::OnChip => Some((self.temporaries.get(&target.tensor)?.memory.clone(), 0)),
            Home::Scalar => None,
        }
    }

    fn set_memory(&mut self, target: &Access, memory: String) {
        match self.nest.tensors[target.tensor].home {
            Home::OffChip => self.outputs.last_mut().expect("a result is computed").values = Some(memory),
            Home::OnChip | Home::Scalar => {
                self.temporaries.get_mut(&target.tensor).expect("a temporary is computed").memory = memory;
            }
        }
    }
}

/// The temporaries that are computed in a statement.
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
