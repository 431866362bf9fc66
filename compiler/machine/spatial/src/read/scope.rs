//! What names mean.

use std::collections::{HashMap, HashSet};

use comet_diag::{Diagnostic, Span};

use super::typed::Typed;
use crate::app::{Expr, Type};

#[derive(Clone, Debug)]
pub(super) enum What {
    /// Its declaration has an error.
    Unknown,
    /// A value of the accelerator, or a constant.
    Value(Typed),
    /// A value of the host that is not known before it runs.
    HostValue(Typed),
    /// An array of the host.
    HostArray(Typed),
    /// `args`.
    Arguments,
    ArgIn(Type),
    ArgOut(Type),
    Dram {
        element: Type,
        size: Expr,
    },
    SparseDram(Type),
    Sram(Type),
    SparseSram(Type),
    Fifo(Type),
    Register(Type),
    Barrier,
}

impl What {
    pub(super) fn phrase(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Value(_) => "a value",
            Self::HostValue(_) => "a value of the host",
            Self::HostArray(_) => "an array of the host",
            Self::Arguments => "the array of arguments",
            Self::ArgIn(_) => "an `ArgIn`",
            Self::ArgOut(_) => "an `ArgOut`",
            Self::Dram { .. } => "a DRAM",
            Self::SparseDram(_) => "a `SparseDRAM`",
            Self::Sram(_) => "an SRAM",
            Self::SparseSram(_) => "a sparse SRAM",
            Self::Fifo(_) => "a FIFO",
            Self::Register(_) => "a register",
            Self::Barrier => "a barrier",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) what: What,
    pub(super) span: Span,
}

/// The names of a block and of those around it.
#[derive(Debug)]
pub(super) struct Scopes {
    stack: Vec<HashMap<String, Declared>>,
    /// All names of the text, for others to differ from them.
    taken: HashSet<String>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self { stack: vec![HashMap::new()], taken: HashSet::new() }
    }
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.stack.push(HashMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.stack.pop();
    }

    /// `_` is nobody's name.
    pub(super) fn declare(&mut self, name: &str, span: Span, what: What) -> Result<(), Diagnostic> {
        if name == "_" {
            return Ok(());
        }
        let scope = self.stack.last_mut().expect("the scope of the class is never left");
        if let Some(other) = scope.get(name) {
            return Err(Diagnostic::error(span, format!("`{name}` is declared twice in one block"))
                .also(other.span, "here first")
                .hint("give one of them another name"));
        }
        scope.insert(name.to_owned(), Declared { what, span });
        Ok(())
    }

    pub(super) fn find(&self, name: &str) -> Option<&Declared> {
        self.stack.iter().rev().find_map(|scope| scope.get(name))
    }

    pub(super) fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    pub(super) fn fresh(&mut self, base: &str) -> String {
        let numbered = (2_usize..).map(|number| format!("{base}_{number}"));
        let name = std::iter::once(base.to_owned()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = name.expect("there is always a next number");
        self.take(&name);
        name
    }
}
