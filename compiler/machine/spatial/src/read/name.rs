//! Names to what they mean, each in its place.

use comet_diag::Diagnostic;

use super::call::Call;
use super::reader::{Side, TextReader};
use super::scope::{Declared, What};
use super::typed::{Typed, Valued};
use crate::app::{Expr, ExprKind, Type};
use crate::text::tree::{Term, TermKind, Word};

impl TextReader {
    pub(super) fn find(&self, name: &Word) -> Result<&Declared, Diagnostic> {
        self.scopes.find(&name.text).ok_or_else(|| undeclared(name))
    }

    pub(super) fn name_value(&self, name: &Word) -> Result<Valued, Diagnostic> {
        let what = &self.find(name)?.what;
        let typed = match what {
            What::Unknown => Typed::Unknown,
            What::Value(typed) => typed.clone(),
            What::HostValue(typed) if self.side == Side::Host => typed.clone(),
            What::ArgIn(of) | What::Register(of) => Typed::Is(of.clone()),
            _ => return Err(self.no_value(name, what)),
        };
        Ok(Valued { expr: Expr { kind: ExprKind::Name(name.text.clone()), span: name.span }, typed })
    }

    /// The name of a FIFO and its elements' type; `f.deq` where `f` is meant says the same.
    pub(super) fn fifo(&self, term: &Term) -> Result<(String, Option<Type>), Diagnostic> {
        let dequeued = Call::of(term).filter(|call| call.name.text == "deq" && call.types.is_empty());
        let term = dequeued.and_then(|call| call.receiver).unwrap_or(term);
        let name = word(term, "a FIFO")?;
        match &self.find(&name)?.what {
            What::Fifo(of) => Ok((name.text, Some(of.clone()))),
            What::Unknown => Ok((name.text, None)),
            _ => Err(self.unexpected(&name, "a FIFO").hint("a FIFO is declared by `val f = FIFO[T](16)`")),
        }
    }

    pub(super) fn bit_vector(&self, term: &Term) -> Result<String, Diagnostic> {
        let (name, element) = self.fifo(term)?;
        if element.is_none_or(|element| element == Type::U32) {
            return Ok(name);
        }
        let message = format!("`{name}` is no FIFO of `U32`, which the words of bit vectors are");
        Err(Diagnostic::error(term.span, message).hint("declare it by `val bv = FIFO[U32](16)`"))
    }

    /// A register, which can also be an `ArgOut`, and its type.
    pub(super) fn register(&self, name: &Word) -> Result<Option<Type>, Diagnostic> {
        match &self.find(name)?.what {
            What::Register(of) | What::ArgOut(of) => Ok(Some(of.clone())),
            What::Unknown => Ok(None),
            _ => {
                Err(self.unexpected(name, "a register").hint("a register is declared by `val r = Reg[T](0)`"))
            }
        }
    }

    pub(super) fn sram(&self, name: &Word) -> Result<Option<Type>, Diagnostic> {
        match &self.find(name)?.what {
            What::Sram(of) | What::SparseSram(of) | What::SparseDram(of) => Ok(Some(of.clone())),
            What::Unknown => Ok(None),
            other => Err(self.unexpected(name, "an SRAM").hint(match other {
                What::Dram { .. } => "what is in DRAM is written by transfers: `d(0::n) store m`",
                _ => "an SRAM is declared by `val m = SRAM[T](n)`",
            })),
        }
    }

    pub(super) fn dram(&self, name: &Word) -> Result<Option<(Type, Expr)>, Diagnostic> {
        match &self.find(name)?.what {
            What::Dram { element, size } => Ok(Some((element.clone(), size.clone()))),
            What::Unknown => Ok(None),
            _ => Err(self.unexpected(name, "a DRAM").hint(match self.side {
                Side::Host => "a DRAM is declared by `val d = DRAM[T](n)`",
                Side::Accel => {
                    "transfers are between a DRAM and a memory on chip: `m load d(0::n)`, `d(0::n) store m`"
                }
            })),
        }
    }

    /// `f` is an SRAM, expected a FIFO.
    pub(super) fn unexpected(&self, name: &Word, expected: &str) -> Diagnostic {
        match self.find(name) {
            Err(error) => error,
            Ok(Declared { what, span }) => {
                let message = format!("`{}` is {}, expected {expected}", name.text, what.phrase());
                Diagnostic::error(name.span, message).also(*span, "declared here")
            }
        }
    }

    fn no_value(&self, name: &Word, what: &What) -> Diagnostic {
        let text = &name.text;
        let error = self.unexpected(name, "a value");
        match what {
            What::Fifo(_) => error.hint(format!("`{text}.deq` takes an element of it")),
            What::Sram(_) | What::SparseSram(_) | What::SparseDram(_) => {
                error.hint(format!("`{text}(i)` is an element of it"))
            }
            What::Dram { .. } => error.hint(format!("load a part of it to an SRAM: `m load {text}(0::n)`")),
            What::HostArray(_) | What::Arguments => error.hint(format!("`{text}(0)` is one of them")),
            What::HostValue(_) => {
                error.hint("pass it to the accelerator: `val n = ArgIn[T]`, `setArg(n, x)`")
            }
            What::ArgOut(_) => error.hint(format!("the host reads it by `getArg({text})`")),
            _ => error.hint("it is used as `Seq(b.push)` by an access of a sparse SRAM"),
        }
    }

    /// What a scalar of the accelerator may be declared with: known before it runs.
    pub(super) fn is_constant(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) => true,
            ExprKind::Name(name) => {
                matches!(self.scopes.find(name), Some(Declared { what: What::Value(_), .. }))
            }
            ExprKind::To(of, _) | ExprKind::Negate(of) | ExprKind::Not(of) => self.is_constant(of),
            ExprKind::Binary(_, left, right) => self.is_constant(left) && self.is_constant(right),
            _ => false,
        }
    }
}

pub(super) fn word(term: &Term, expected: &str) -> Result<Word, Diagnostic> {
    let TermKind::Name(name) = &term.kind else {
        return Err(Diagnostic::error(term.span, format!("expected the name of {expected}"))
            .hint("give it a name by `val`, and use that"));
    };
    Ok(Word { text: name.clone(), span: term.span })
}

/// An error at a construct that nothing is known of.
pub(super) fn unknown_method(receiver: &str, what: &What, method: &Word) -> Diagnostic {
    let message = format!("`{receiver}` is {}, which has no `{}`", what.phrase(), method.text);
    let hint = match what {
        What::Fifo(_) => "a FIFO has `load`, `enq` and `deq`",
        What::Sram(_) => "an SRAM has `load`, `m(i)` and `m(i) = x`",
        What::SparseSram(_) => {
            "a sparse SRAM has `load`, `m(i)`, `m(i) = x`, `RMW`, `barrierRead` and `barrierWrite`"
        }
        What::SparseDram(_) => {
            "a `SparseDRAM` has `alias`, `m(i)`, `m(i) = x`, `RMW`, `barrierRead` and `barrierWrite`"
        }
        What::Register(_) => "a register has `r.value` and `r := x`",
        What::Dram { .. } => {
            "a DRAM has `stream_load_vec` and `stream_store_vec`, and transfers of its parts"
        }
        What::Barrier => "a barrier has `push` and `pop`, among what an access waits for: `Seq(b.push)`",
        What::HostArray(_) => "an array of the host has `h(i)` and `h.length`",
        _ => "a value has `to[T]`, `min` and `max`",
    };
    Diagnostic::error(method.span, message).hint(hint)
}

fn undeclared(name: &Word) -> Diagnostic {
    Diagnostic::error(name.span, format!("`{}` is not declared", name.text))
        .hint("declare it in front, in this block or in one around it")
}

/// What stands in front of the dot, which has to be a name.
pub(super) fn receiver<'tree>(call: &Call<'tree>) -> Result<(&'tree Term, Word), Diagnostic> {
    let Some(term) = call.receiver else {
        return Err(Diagnostic::error(call.span, format!("`{}` stands behind a memory", call.name.text))
            .hint("it is written as `m.f(x)` or `m f x`"));
    };
    Ok((term, word(term, "a memory")?))
}
