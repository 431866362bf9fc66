//! Iterations at once of a loop that reduces into a part of a tensor on chip: each has a part of its own, and
//! `MemFold` combines them with what there is (stardust.txt, Fig. 9, has `MemReduce`, whose first iteration
//! forgets that).
//!
//! Before: `∀k (4 at once) ∀i ∀j C[i,j] += …`, with C on chip. After: `MemFold(C par ip)(… par 4) { k =>
//! C_part = 0; … C_part(i, j) = C_part(i, j) + …; C_part } { _ + _ }`. All elements of the memory are
//! combined, so that its size has to be known: that of a tile, above all.

use super::Emitter;
use super::expr::int;
use super::nest::{Home, NestAccess, Refusal};
use super::pattern::pattern;
use super::plan::{Fold, LoopPlan};
use crate::app::{MemoryKind, PatternResult};

impl<'p> Emitter<'p> {
    /// Emits a loop whose iterations at once have parts of their own.
    pub(super) fn fold(&mut self, plan: &'p LoopPlan, fold: &Fold) -> Result<(), Refusal> {
        let Fold { target, size, reduction, with } = fold;
        let element = self.element(target.tensor);
        let memory = self.memory_of(target).clone();
        let open = self.open(plan)?;
        let kind = || MemoryKind::Sram { size: int(*size) };
        self.frames.resize(&memory, kind());
        let part = self.frames.memory(&format!("{memory}_part"), element.clone(), kind());
        self.fill(&part, int(*size), self.identity(*reduction, &element));
        self.memory_of(target).clone_from(&part);
        self.steps(&plan.body)?;
        self.memory_of(target).clone_from(&memory);
        let (domain, frame) = self.close(open, plan);
        let par = self.setting("ip");
        let result =
            PatternResult::Memory { is_fold: true, memory: memory.clone(), par, value: part, with: *with };
        self.frames.push(pattern(domain, frame.statements, result));
        self.frames.carry(&memory);
        Ok(())
    }

    /// The SRAM with the elements of a result or a temporary.
    fn memory_of(&mut self, target: &NestAccess) -> &mut String {
        match self.nest.tensors[target.tensor].home {
            Home::OffChip => self.output_mut().values.as_mut().expect("a part that is folded is open"),
            Home::OnChip | Home::Scalar => {
                &mut self.temporaries.get_mut(&target.tensor).expect("a temporary is computed").memory
            }
        }
    }
}
