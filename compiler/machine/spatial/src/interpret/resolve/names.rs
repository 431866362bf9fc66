//! The names that can be used at a place.

use super::literal::Literal;
use super::{Resolver, Result};
use crate::interpret::program::ArrayKind;
use crate::interpret::scalar::Scalar;
use comet_diag::{Diagnostic, Span};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    /// A number that is known before anything runs.
    Constant(Literal),
    /// The same, of a type.
    Word(u64, Scalar),
    /// A `val` or a counter.
    Value(usize, Scalar),
    Register(usize, Scalar),
    ArgIn(ArgumentSlot),
    ArgOut(ArgumentSlot),
    Array(usize, ArrayKind, Scalar),
    Fifo(usize, Scalar),
    /// A `SparseDRAM`, until it is said which DRAM it is.
    Unaliased(Scalar),
    /// Where its tokens are counted.
    Barrier(usize),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ArgumentSlot {
    pub(super) slot: usize,
    pub(super) of: Scalar,
    pub(super) is_set: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) binding: Binding,
    pub(super) span: Span,
    /// How many patterns with parallel iterations it is declared in.
    pub(super) parallel: usize,
    pub(super) is_host: bool,
}

#[derive(Debug)]
pub(super) struct NameScopes {
    scopes: Vec<BTreeMap<String, Name>>,
}

impl Default for NameScopes {
    fn default() -> Self {
        Self { scopes: vec![BTreeMap::new()] }
    }
}

impl NameScopes {
    pub(super) fn open(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn find(&self, name: &str) -> Option<Name> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    pub(super) fn redefine(&mut self, name: &str, meaning: Name) {
        if let Some(found) = self.scopes.iter_mut().rev().find_map(|scope| scope.get_mut(name)) {
            *found = meaning;
        }
    }

    /// What an argument is set by.
    pub(super) fn argument(&mut self, name: &str) -> Option<&mut ArgumentSlot> {
        let found = self.scopes.iter_mut().rev().find_map(|scope| scope.get_mut(name))?;
        match &mut found.binding {
            Binding::ArgIn(argument) | Binding::ArgOut(argument) => Some(argument),
            _ => None,
        }
    }
}

impl Binding {
    /// What it is, with its article, for messages.
    pub(super) fn a(&self) -> &'static str {
        match self {
            Self::Constant(_) | Self::Word(..) => "a constant",
            Self::Value(..) => "a value",
            Self::Register(..) => "a register",
            Self::ArgIn(_) => "an `ArgIn`",
            Self::ArgOut(_) => "an `ArgOut`",
            Self::Array(_, kind, _) => kind.a(),
            Self::Fifo(..) => "a `FIFO`",
            Self::Unaliased(_) => "a `SparseDRAM`",
            Self::Barrier(_) => "a barrier",
        }
    }
}

impl Resolver<'_> {
    pub(super) fn declare(&mut self, name: &str, binding: Binding, span: Span) -> Result<()> {
        let declared = Name { binding, span, parallel: self.parallel.depth(), is_host: !self.is_accelerator };
        let scope = self.names.scopes.last_mut().expect("there is a scope until the end");
        match scope.insert(name.to_owned(), declared) {
            None => Ok(()),
            Some(earlier) => {
                let error = Diagnostic::error(span, format!("`{name}` is declared twice in a block"));
                Err(error.also(earlier.span, "the first time").hint("rename one of them").into())
            }
        }
    }

    pub(super) fn name(&self, name: &str, span: Span) -> Result<Name> {
        self.names.find(name).ok_or_else(|| {
            let error = Diagnostic::error(span, format!("unknown name `{name}`"));
            error.hint("declare it before, in this block or around it").into()
        })
    }

    /// A name that stands for something else than is needed here.
    pub(super) fn is_no(&self, name: &str, found: Name, needed: &str, span: Span) -> Box<Diagnostic> {
        let error = Diagnostic::error(span, format!("`{name}` is {}, and {needed}", found.binding.a()));
        error.also(found.span, "declared here").into()
    }

    /// A FIFO, whose elements are taken or added to here.
    pub(super) fn fifo(&mut self, name: &str, used: &str, span: Span) -> Result<(usize, Scalar)> {
        let found = self.name(name, span)?;
        let Binding::Fifo(fifo, of) = found.binding else {
            return Err(self.is_no(name, found, "a FIFO is needed here", span));
        };
        self.check_inside(name, found, used, span)?;
        Ok((fifo, of))
    }
}
