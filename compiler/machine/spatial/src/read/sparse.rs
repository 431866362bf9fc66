//! Accesses that sparse SRAMs have and others have not: `RMW`, and those that barriers order.

use comet_diag::Diagnostic;

use super::arguments::Signature;
use super::call::Call;
use super::name::{receiver, word};
use super::reader::TextReader;
use super::scope::What;
use super::typed::{Typed, Valued};
use crate::app::{BarrierAction, BarrierUse, Expr, ExprKind, Kind, Modification, Modify, Type};
use crate::text::tree::{Term, TermKind, Word};

const MODIFY: Signature = Signature {
    shown: "m.RMW(address, value, \"add\", \"ordered\", Seq())",
    names: &["addr", "value", "op", "order", "bs"],
    required: 4,
};

const BARRIER_READ: Signature =
    Signature { shown: "m.barrierRead(address, Seq(b.pop))", names: &["addr", "bs"], required: 2 };

const BARRIER_WRITE: Signature = Signature {
    shown: "m.barrierWrite(address, value, Seq(b.push))",
    names: &["addr", "value", "bs"],
    required: 3,
};

impl TextReader {
    /// `m.RMW(i, x, "add", "ordered", Seq())`, and what it gives.
    pub(super) fn modify(&self, call: &Call<'_>) -> Result<(Modify, Typed), Diagnostic> {
        let (memory, element) = self.sparse_sram(call)?;
        let arguments = MODIFY.fill(call.list(MODIFY.shown)?, call.span)?;
        let [Some(index), Some(value), Some(with), Some(order), barriers] = arguments[..] else {
            unreachable!("the signature requires them");
        };
        let value = self.expression(value)?;
        let value = value.stored_in(element.as_ref())?;
        let modify = Modify {
            memory,
            index: self.integer(index)?,
            value,
            with: modification(with)?,
            order: one_of(order, &["ordered", "unordered"])?,
            barriers: self.barriers(barriers)?,
        };
        Ok((modify, element.map_or(Typed::Unknown, Typed::Is)))
    }

    /// `val x = m.RMW(…)`
    pub(super) fn modified(&self, call: &Call<'_>) -> Result<Valued, Diagnostic> {
        let (modify, typed) = self.modify(call)?;
        Ok(Valued { expr: Expr { kind: ExprKind::Modify(Box::new(modify)), span: call.span }, typed })
    }

    /// `m.barrierRead(i, Seq(b.pop))`
    pub(super) fn barrier_read(&self, call: &Call<'_>) -> Result<Valued, Diagnostic> {
        let (memory, element) = self.sparse_sram(call)?;
        let arguments = BARRIER_READ.fill(call.list(BARRIER_READ.shown)?, call.span)?;
        let [Some(index), barriers] = arguments[..] else { unreachable!("the signature requires it") };
        let index = Box::new(self.integer(index)?);
        let kind = ExprKind::BarrierRead { memory, index, barriers: self.barriers(barriers)? };
        let typed = element.map_or(Typed::Unknown, Typed::Is);
        Ok(Valued { expr: Expr { kind, span: call.span }, typed })
    }

    /// `m.barrierWrite(i, x, Seq(b.push))`
    pub(super) fn barrier_write(&self, call: &Call<'_>) -> Result<Kind, Diagnostic> {
        let (memory, element) = self.sparse_sram(call)?;
        let arguments = BARRIER_WRITE.fill(call.list(BARRIER_WRITE.shown)?, call.span)?;
        let [Some(index), Some(value), barriers] = arguments[..] else {
            unreachable!("the signature requires them");
        };
        let value = self.expression(value)?;
        let value = value.stored_in(element.as_ref())?;
        let index = self.integer(index)?;
        Ok(Kind::BarrierWrite { memory, index, value, barriers: self.barriers(barriers)? })
    }

    fn sparse_sram(&self, call: &Call<'_>) -> Result<(String, Option<Type>), Diagnostic> {
        let (_, name) = receiver(call)?;
        match &self.find(&name)?.what {
            What::SparseSram(of) | What::SparseDram(of) => Ok((name.text, Some(of.clone()))),
            What::Unknown => Ok((name.text, None)),
            _ => Err(self
                .unexpected(&name, "a sparse SRAM")
                .label(format!("it has no `{}`", call.name.text))
                .hint(format!("declare it by `val {} = SparseSRAM[T](n)`", name.text))),
        }
    }

    /// `Seq(b.push, c.pop)`
    fn barriers(&self, term: Option<&Term>) -> Result<Vec<BarrierUse>, Diagnostic> {
        let Some(term) = term else { return Ok(Vec::new()) };
        let call = Call::of(term).filter(|call| call.receiver.is_none() && call.name.text == "Seq");
        let Some(Call { lists, .. }) = call else { return Err(no_barriers(term)) };
        let [list] = lists[..] else { return Err(no_barriers(term)) };
        list.iter().map(|argument| self.barrier(&argument.value)).collect()
    }

    fn barrier(&self, term: &Term) -> Result<BarrierUse, Diagnostic> {
        let TermKind::Select(of, action) = &term.kind else { return Err(no_barriers(term)) };
        let name: Word = word(of, "a barrier")?;
        match &self.find(&name)?.what {
            What::Barrier | What::Unknown => {}
            _ => {
                return Err(self
                    .unexpected(&name, "a barrier")
                    .hint("a barrier is declared by `val b = Barrier[Token](0)`"));
            }
        }
        let action = BarrierAction::of_word(&action.text).ok_or_else(|| no_barriers(term))?;
        Ok(BarrierUse { barrier: name.text, action, span: term.span })
    }
}

fn no_barriers(term: &Term) -> Diagnostic {
    Diagnostic::error(term.span, "expected barriers")
        .hint("they are written `Seq(b.push, c.pop)`, none `Seq()`")
}

fn modification(term: &Term) -> Result<Modification, Diagnostic> {
    let words: Vec<&str> = Modification::ALL.iter().map(|modification| modification.word()).collect();
    let word = one_of(term, &words)?;
    Ok(Modification::of_word(&word).expect("it is one of the words"))
}

/// A text that has to be one of a few.
pub(super) fn one_of(term: &Term, known: &[&str]) -> Result<String, Diagnostic> {
    let quoted: Vec<String> = known.iter().map(|known| format!("`\"{known}\"`")).collect();
    let expected = format!("expected one of {}", quoted.join(", "));
    let TermKind::Text(text) = &term.kind else {
        return Err(Diagnostic::error(term.span, expected).hint("it is written in quotes"));
    };
    if known.contains(&text.as_str()) {
        return Ok(text.clone());
    }
    let message = format!("found `\"{}\"`, {expected}", text.escape_debug());
    Err(Diagnostic::error(term.span, message).hint("write one of these"))
}
