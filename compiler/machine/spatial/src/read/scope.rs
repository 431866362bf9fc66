//! What names mean, and what else is known while statements are read.

use super::typed::{Aliases, Typed};
use crate::app::AppExpr;
use crate::names::Scope;
use crate::text::tree::Word;
use comet_diag::{Diagnostic, Span};
use comet_notation::free_name;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Its declaration has an error.
    Unknown,
    /// A value of the accelerator, or a constant.
    Value,
    /// A value of the host that is not known before it runs.
    HostValue,
    /// An array of the host.
    HostArray,
    /// `args`.
    Arguments,
    ArgIn,
    ArgOut,
    Dram,
    SparseDram,
    Sram,
    SparseSram,
    Fifo,
    Register,
    Barrier,
}

impl What {
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Value => "a value",
            Self::HostValue => "a value of the host",
            Self::HostArray => "an array of the host",
            Self::Arguments => "the array of arguments",
            Self::ArgIn => "an `ArgIn`",
            Self::ArgOut => "an `ArgOut`",
            Self::Dram => "a DRAM",
            Self::SparseDram => "a `SparseDRAM`",
            Self::Sram => "an SRAM",
            Self::SparseSram => "a sparse SRAM",
            Self::Fifo => "a FIFO",
            Self::Register => "a register",
            Self::Barrier => "a barrier",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) what: What,
    /// Its type, or that of its elements.
    pub(super) typed: Typed,
    /// The number of elements of a DRAM.
    pub(super) size: Option<AppExpr>,
    pub(super) span: Span,
}

#[derive(Default)]
pub(super) struct TextReader {
    pub(super) errors: Vec<Diagnostic>,
    pub(super) scope: Scope<Declared>,
    /// All names of the text, for others to differ from them.
    pub(super) taken: HashSet<String>,
    pub(super) types: Aliases,
    pub(super) side: Side,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Side {
    #[default]
    Host,
    Accel,
}

impl TextReader {
    pub(super) fn keep<Value>(&mut self, result: crate::text::Result<Value>) -> Option<Value> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    /// Declares a name. One that is declared twice in a block is an error, and means what it meant.
    pub(super) fn declare(&mut self, name: &Word, what: What, typed: impl Into<Typed>) {
        self.declare_as(name, Declared { what, typed: typed.into(), size: None, span: name.span });
    }

    /// `_` is nobody's name.
    pub(super) fn declare_as(&mut self, name: &Word, declared: Declared) {
        let text = &name.text;
        if text == "_" {
            return;
        }
        if let Some(other) = self.scope.find_here(text) {
            let error = Diagnostic::error(declared.span, format!("`{text}` is declared twice in one block"))
                .also(other.span, "here first")
                .hint("give one of them another name");
            return self.errors.push(error);
        }
        self.scope.declare(text, declared);
    }

    pub(super) fn fresh(&mut self, base: &str) -> String {
        let name = free_name(base, |name| self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }

    /// Declares a name that could not be understood: nothing is said of how it is used.
    pub(super) fn declare_unknown(&mut self, name: &Word) {
        if self.scope.find(&name.text).is_none() {
            self.declare(name, What::Unknown, Typed::Unknown);
        }
    }
}
