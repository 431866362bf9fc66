//! Names to what they mean, each in its place.

use super::call::Call;
use super::scope::{Declared, Side, TextReader, What};
use super::typed::{Typed, Valued};
use crate::app::{ExprKind, Scalar};
use crate::text::Result;
use crate::text::tree::{Term, TermKind, Word};
use comet_diag::Diagnostic;

impl TextReader {
    pub(super) fn find(&self, name: &Word) -> Result<&Declared> {
        self.scope.find(&name.text).ok_or_else(|| {
            Diagnostic::error(name.span, format!("`{}` is not declared", name.text))
                .hint("declare it in front, in this block or in one around it")
        })
    }

    /// The type of what a name stands for, which has to be one of some things.
    pub(super) fn one_of<Hint: Into<String>>(
        &self,
        name: &Word,
        wanted: &[What],
        expected: &str,
        hint: impl FnOnce(What) -> Hint,
    ) -> Result<Typed> {
        let found = self.find(name)?;
        match found.what {
            what if what == What::Unknown || wanted.contains(&what) => Ok(found.typed),
            what => Err(unexpected(name, found, expected).hint(hint(what))),
        }
    }

    pub(super) fn name_value(&self, name: &Word) -> Result<Valued> {
        let found = self.find(name)?;
        match found.what {
            What::Unknown | What::Value | What::ArgIn | What::Register => {}
            What::HostValue if self.side == Side::Host => {}
            _ => return Err(no_value(name, found)),
        }
        Ok(Valued::new(ExprKind::Name(name.text.clone()), name.span, found.typed))
    }

    /// The name of a FIFO and its elements' type; `f.deq` where `f` is meant says the same.
    pub(super) fn fifo(&self, term: &Term) -> Result<(String, Typed)> {
        let dequeued = Call::of(term).filter(|call| call.name.text == "deq" && call.types.is_empty());
        let term = dequeued.and_then(|call| call.receiver).unwrap_or(term);
        let name = word(term, "a FIFO")?;
        let hint = "a FIFO is declared by `val f = FIFO[T](16)`";
        let typed = self.one_of(&name, &[What::Fifo], "a FIFO", |_| hint)?;
        Ok((name.text, typed))
    }

    pub(super) fn bit_vector(&self, term: &Term) -> Result<String> {
        let (name, typed) = self.fifo(term)?;
        if typed.fits(Scalar::U32) {
            return Ok(name);
        }
        let message = format!("`{name}` is no FIFO of `U32`, which the words of bit vectors are");
        Err(Diagnostic::error(term.span, message).hint("declare it by `val bv = FIFO[U32](16)`"))
    }

    /// The type of a register, which can also be an `ArgOut`.
    pub(super) fn register(&self, name: &Word) -> Result<Typed> {
        let hint = "a register is declared by `val r = Reg[T](0)`";
        self.one_of(name, &[What::Register, What::ArgOut], "a register", |_| hint)
    }

    pub(super) fn sram(&self, name: &Word) -> Result<Typed> {
        let srams = [What::Sram, What::SparseSram, What::SparseDram];
        self.one_of(name, &srams, "an SRAM", |what| match what {
            What::Dram => "what is in DRAM is written by transfers: `d(0::n) store m`",
            _ => "an SRAM is declared by `val m = SRAM[T](n)`",
        })
    }

    pub(super) fn dram(&self, name: &Word) -> Result<Typed> {
        self.one_of(name, &[What::Dram], "a DRAM", |_| match self.side {
            Side::Host => "a DRAM is declared by `val d = DRAM[T](n)`",
            Side::Accel => {
                "transfers are between a DRAM and a memory on chip: `m load d(0::n)`, `d(0::n) store m`"
            }
        })
    }

    /// What a scalar of the accelerator may be declared with: known before it runs.
    pub(super) fn is_constant(&self, value: &crate::app::Expr) -> bool {
        match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) => true,
            ExprKind::Name(name) => {
                self.scope.find(name).is_some_and(|declared| declared.what == What::Value)
            }
            ExprKind::To(of, _) | ExprKind::Negate(of) | ExprKind::Not(of) => self.is_constant(of),
            ExprKind::Binary(_, left, right) => self.is_constant(left) && self.is_constant(right),
            _ => false,
        }
    }
}

/// `f` is an SRAM, expected a FIFO.
fn unexpected(name: &Word, found: &Declared, expected: &str) -> Diagnostic {
    let message = format!("`{}` is {}, expected {expected}", name.text, found.what.phrase());
    Diagnostic::error(name.span, message).also(found.span, "declared here")
}

fn no_value(name: &Word, found: &Declared) -> Diagnostic {
    let text = &name.text;
    unexpected(name, found, "a value").hint(match found.what {
        What::Fifo => format!("`{text}.deq` takes an element of it"),
        What::Sram | What::SparseSram | What::SparseDram => format!("`{text}(i)` is an element of it"),
        What::Dram => format!("load a part of it to an SRAM: `m load {text}(0::n)`"),
        What::HostArray | What::Arguments => format!("`{text}(0)` is one of them"),
        What::HostValue => "pass it to the accelerator: `val n = ArgIn[T]`, `setArg(n, x)`".to_owned(),
        What::ArgOut => format!("the host reads it by `getArg({text})`"),
        _ => "it is used as `Seq(b.push)` by an access of a sparse SRAM".to_owned(),
    })
}

pub(super) fn word(term: &Term, expected: &str) -> Result<Word> {
    let TermKind::Name(name) = &term.kind else {
        return Err(Diagnostic::error(term.span, format!("expected the name of {expected}"))
            .hint("give it a name by `val`, and use that"));
    };
    Ok(Word { text: name.clone(), span: term.span })
}

/// An error at a construct that nothing is known of.
pub(super) fn unknown_method(receiver: &str, what: What, method: &Word) -> Diagnostic {
    let message = format!("`{receiver}` is {}, which has no `{}`", what.phrase(), method.text);
    Diagnostic::error(method.span, message).hint(match what {
        What::Fifo => "a FIFO has `load`, `enq` and `deq`",
        What::Sram => "an SRAM has `load`, `m(i)` and `m(i) = x`",
        What::SparseSram => {
            "a sparse SRAM has `load`, `m(i)`, `m(i) = x`, `RMW`, `barrierRead` and `barrierWrite`"
        }
        What::SparseDram => {
            "a `SparseDRAM` has `alias`, `m(i)`, `m(i) = x`, `RMW`, `barrierRead` and `barrierWrite`"
        }
        What::Register => "a register has `r.value` and `r := x`",
        What::Dram => "a DRAM has `stream_load_vec` and `stream_store_vec`, and transfers of its parts",
        What::Barrier => "a barrier has `push` and `pop`, among what an access waits for: `Seq(b.push)`",
        What::HostArray => "an array of the host has `h(i)` and `h.length`",
        _ => "a value has `to[T]`, `min` and `max`",
    })
}

/// What stands in front of the dot, which has to be a name.
pub(super) fn receiver<'tree>(call: &Call<'tree>) -> Result<(&'tree Term, Word)> {
    let Some(term) = call.receiver else {
        return Err(Diagnostic::error(call.span, format!("`{}` stands behind a memory", call.name.text))
            .hint("it is written as `m.f(x)` or `m f x`"));
    };
    Ok((term, word(term, "a memory")?))
}
