//! What sparse SRAMs are for: modifications in place, and accesses that wait for each other.

use super::evaluate::AccessKind;
use super::memory::Cell;
use super::{MODIFIED, Machine, Result, is_disturbed};
use crate::interpret::program::{ArrayKind, BarrierToken, Modification, Modify, Node};
use comet_diag::{Diagnostic, Span};

impl Machine<'_> {
    pub(super) fn barrier(&mut self, slot: usize, init: &Node, span: Span) -> Result<()> {
        let tokens = self.evaluate(init)? as i64;
        self.slots[slot] = self.length_of("tokens", tokens, span)? as u64;
        Ok(())
    }

    /// Takes a token of each of these barriers. Whatever is to push one has run before, or does not at all.
    pub(super) fn pop(&mut self, pops: &[BarrierToken]) -> Result<()> {
        for pop in pops {
            let Some(left) = self.slots[pop.slot].checked_sub(1) else {
                let error = format!("`{}` is waited for, and nothing pushes a token before", pop.name);
                return Err(Diagnostic::error(pop.span, error).into());
            };
            self.slots[pop.slot] = left;
        }
        Ok(())
    }

    pub(super) fn push(&mut self, pushes: &[BarrierToken]) {
        for push in pushes {
            self.slots[push.slot] += 1;
        }
    }

    /// What is there behind a modification. Iterations that run at once may modify the same element.
    pub(super) fn modify(&mut self, modify: &Modify) -> Result<u64> {
        let index = self.evaluate(&modify.index)?;
        let value = self.evaluate(&modify.value)?;
        let stamp = self.clock | MODIFIED;
        if index >= self.arrays[modify.place.array].cells.len() as u64 {
            self.reach_element(&modify.place, index, modify.span)?;
        }
        let array = &mut self.arrays[modify.place.array];
        let cell = &mut array.cells[index as usize];
        let was_modified = cell.stamp & MODIFIED != 0;
        if !was_modified && is_disturbed(&self.guards, &modify.place.guards, cell.stamp) {
            return Err(self.cannot_write(&modify.place, index, modify.span));
        }
        let is_filled = cell.stamp >= array.birth;
        let word = match modify.with {
            Modification::Replace => value,
            Modification::Combine(with) if is_filled => with(cell.word, value),
            Modification::Keep if is_filled => cell.word,
            Modification::Combine(_) | Modification::Keep => {
                return Err(self.cannot_read(&modify.place, index, modify.span));
            }
        };
        *cell = Cell { word, stamp };
        if self.program.arrays[modify.place.array].kind == ArrayKind::Dram {
            self.account_element(modify.place.array, index, AccessKind::Read);
            self.account_element(modify.place.array, index, AccessKind::Write);
        }
        Ok(word)
    }
}
