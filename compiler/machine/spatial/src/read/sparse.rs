//! Accesses that sparse SRAMs have and others have not: `RMW`, and those that barriers order.

use super::call::{Call, Signature};
use super::name::{receiver, word};
use super::scope::{TextReader, What};
use super::typed::{Typed, Valued};
use crate::app::{BarrierAction, BarrierUse, ExprKind, Kind, Modification, Modify, ModifyOrder};
use crate::text::Result;
use crate::text::tree::{Term, TermKind};
use comet_diag::Diagnostic;

const MODIFY: Signature<4, 1> = Signature {
    shown: "m.RMW(address, value, \"add\", \"ordered\", Seq())",
    required: ["addr", "value", "op", "order"],
    optional: ["bs"],
};

const BARRIER_READ: Signature<2, 0> =
    Signature { shown: "m.barrierRead(address, Seq(b.pop))", required: ["addr", "bs"], optional: [] };

const BARRIER_WRITE: Signature<3, 0> = Signature {
    shown: "m.barrierWrite(address, value, Seq(b.push))",
    required: ["addr", "value", "bs"],
    optional: [],
};

impl TextReader {
    /// `m.RMW(i, x, "add", "ordered", Seq())`, and the type of what it returns.
    pub(super) fn modify(&self, call: &Call<'_>) -> Result<(Modify, Typed)> {
        let (memory, element) = self.sparse_sram(call)?;
        let ([index, value, with, order], [barriers]) = MODIFY.fill(call)?;
        let modify = Modify {
            memory,
            value: self.expression(value)?.stored_as(element)?,
            index: self.integer(index)?,
            with: case(with, Modification::ALL, Modification::word)?,
            order: case(order, ModifyOrder::ALL, ModifyOrder::word)?,
            barriers: self.barriers(barriers)?,
        };
        Ok((modify, element))
    }

    /// `m.barrierRead(i, Seq(b.pop))`
    pub(super) fn barrier_read(&self, call: &Call<'_>) -> Result<Valued> {
        let (memory, element) = self.sparse_sram(call)?;
        let ([index, barriers], []) = BARRIER_READ.fill(call)?;
        let index = Box::new(self.integer(index)?);
        let kind = ExprKind::BarrierRead { memory, index, barriers: self.barriers(Some(barriers))? };
        Ok(Valued::new(kind, call.span, element))
    }

    /// `m.barrierWrite(i, x, Seq(b.push))`
    pub(super) fn barrier_write(&self, call: &Call<'_>) -> Result<Kind> {
        let (memory, element) = self.sparse_sram(call)?;
        let ([index, value, barriers], []) = BARRIER_WRITE.fill(call)?;
        let value = self.expression(value)?.stored_as(element)?;
        let index = self.integer(index)?;
        Ok(Kind::BarrierWrite { memory, index, value, barriers: self.barriers(Some(barriers))? })
    }

    fn sparse_sram(&self, call: &Call<'_>) -> Result<(String, Typed)> {
        let (_, name) = receiver(call)?;
        let hint = |_| format!("declare it by `val {} = SparseSRAM[T](n)`", name.text);
        let typed = self
            .one_of(&name, &[What::SparseSram, What::SparseDram], "a sparse SRAM", hint)
            .map_err(|error| error.label(format!("it has no `{}`", call.name.text)))?;
        Ok((name.text, typed))
    }

    /// `Seq(b.push, c.pop)`
    fn barriers(&self, term: Option<&Term>) -> Result<Vec<BarrierUse>> {
        let Some(term) = term else { return Ok(Vec::new()) };
        let call = Call::of(term).filter(|call| call.receiver.is_none() && call.name.text == "Seq");
        let Some(Call { lists, .. }) = call else { return Err(no_barriers(term)) };
        let [list] = lists[..] else { return Err(no_barriers(term)) };
        list.iter().map(|argument| self.barrier(&argument.value)).collect()
    }

    fn barrier(&self, term: &Term) -> Result<BarrierUse> {
        let TermKind::Select(of, action) = &term.kind else { return Err(no_barriers(term)) };
        let name = word(of, "a barrier")?;
        let hint = "a barrier is declared by `val b = Barrier[Token](0)`";
        self.one_of(&name, &[What::Barrier], "a barrier", |_| hint)?;
        let action = BarrierAction::of_word(&action.text).ok_or_else(|| no_barriers(term))?;
        Ok(BarrierUse { barrier: name.text, action, span: term.span })
    }
}

fn no_barriers(term: &Term) -> Diagnostic {
    Diagnostic::error(term.span, "expected barriers")
        .hint("they are written `Seq(b.push, c.pop)`, none `Seq()`")
}

/// A text that has to be the word of one of a few cases.
pub(super) fn case<Case: Copy>(
    term: &Term,
    cases: &[Case],
    word: impl Fn(Case) -> &'static str,
) -> Result<Case> {
    let quoted: Vec<String> = cases.iter().map(|case| format!("`\"{}\"`", word(*case))).collect();
    let expected = format!("expected one of {}", quoted.join(", "));
    let TermKind::Text(text) = &term.kind else {
        return Err(Diagnostic::error(term.span, expected).hint("it is written in quotes"));
    };
    cases.iter().copied().find(|case| word(*case) == text).ok_or_else(|| {
        let message = format!("found `\"{}\"`, {expected}", text.escape_debug());
        Diagnostic::error(term.span, message).hint("write one of these")
    })
}
