//! What sparse SRAMs are for: modifications in place, and accesses that wait for each other.

use super::expression::{Typed, has_no};
use super::names::{Binding, misread};
use super::{Resolver, Result};
use crate::app::{self, AppExpr, BarrierAction, BarrierUse, Operator, Scalar};
use crate::interpret::program::{BarrierToken, Instruction, Modification, Modify, Node};
use crate::interpret::scalar;
use comet_diag::{Diagnostic, Span};

impl Resolver<'_> {
    /// `val b = Barrier[BarrierToken](0)`.
    pub(super) fn barrier(&mut self, name: &str, init: &AppExpr, span: Span) -> Result<Instruction> {
        let init = self.integer(init)?;
        let slot = self.slot();
        self.declare(name, Binding::Barrier(slot), span);
        Ok(Instruction::Barrier { slot, init, span })
    }

    /// `m.RMW(i, x, "add", "ordered", Seq())`.
    pub(super) fn modified(&mut self, modify: &app::Modify, span: Span) -> Result<Typed> {
        let (place, of) = self.elements(&modify.memory, self.name(&modify.memory), span)?;
        let with = operation(modify.with, of, span)?;
        let (index, value) = (self.integer(&modify.index)?, self.value(&modify.value, of)?);
        self.barriers(&modify.barriers)?;
        let modify = Modify { place, index, value, with, span };
        Ok(Typed::Value(Node::Modify(Box::new(modify)), of))
    }

    /// `m.barrierRead(i, Seq(b.pop))`.
    pub(super) fn barrier_read(
        &mut self,
        memory: &str,
        index: &AppExpr,
        barriers: &[BarrierUse],
        span: Span,
    ) -> Result<Typed> {
        let read = self.element(memory, index, span)?;
        self.barriers(barriers)?;
        Ok(read)
    }

    /// `m.barrierWrite(i, x, Seq(b.push))`.
    pub(super) fn barrier_write(
        &mut self,
        memory: &str,
        [index, value]: [&AppExpr; 2],
        barriers: &[BarrierUse],
        span: Span,
    ) -> Result<Instruction> {
        let write = self.write(memory, index, value, span)?;
        self.barriers(barriers)?;
        Ok(write)
    }

    /// Tokens are of a launch of the pattern around: accesses of its iterations wait for nothing by
    /// themselves.
    fn barriers(&mut self, uses: &[BarrierUse]) -> Result<()> {
        for used in uses {
            let Binding::Barrier(slot) = self.name(&used.barrier).binding else { misread(&used.barrier) };
            let Some(barriers) = self.barriers.last_mut() else {
                let error = "an access that waits, or that others wait for, is not in a pattern";
                return Err(Diagnostic::error(used.span, error).hint("put it in a `Foreach`").into());
            };
            let token = BarrierToken { name: used.barrier.clone(), slot, span: used.span };
            match used.action {
                BarrierAction::Pop => barriers.pops.push(token),
                BarrierAction::Push => barriers.pushes.push(token),
            }
        }
        Ok(())
    }
}

fn operation(with: app::Modification, of: Scalar, span: Span) -> Result<Modification> {
    let operator = match with {
        app::Modification::Write => return Ok(Modification::Replace),
        app::Modification::Read => return Ok(Modification::Keep),
        app::Modification::Add => Operator::Add,
        app::Modification::Min => Operator::Min,
        app::Modification::Max => Operator::Max,
        app::Modification::Or => Operator::Or,
    };
    let missing = || has_no(operator.word(), of, span);
    scalar::binary(operator, of).map(Modification::Combine).ok_or_else(missing)
}
