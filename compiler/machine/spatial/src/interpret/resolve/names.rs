//! The names that can be used at a place.

use super::literal::Literal;
use super::{Resolver, Result};
use crate::app::Scalar;
use crate::interpret::program::ArrayKind;
use comet_diag::Span;

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
    Unaliased,
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

impl Resolver<'_> {
    pub(super) fn declare(&mut self, name: &str, binding: Binding, span: Span) {
        let declared = Name { binding, span, parallel: self.parallel.depth(), is_host: !self.is_accelerator };
        self.names.declare(name, declared);
    }

    pub(super) fn name(&self, name: &str) -> Name {
        self.names.find(name).copied().unwrap_or_else(|| misread(name))
    }

    /// A FIFO, whose elements are taken or added to here.
    pub(super) fn fifo(&mut self, name: &str, used: &str, span: Span) -> Result<(usize, Scalar)> {
        let found = self.name(name);
        let Binding::Fifo(fifo, of) = found.binding else { misread(name) };
        self.check_inside(name, found, used, span)?;
        Ok((fifo, of))
    }
}

/// Ends where a name stands for something else than [`crate::read`] lets through.
pub(super) fn misread(name: &str) -> ! {
    unreachable!("`read` has checked what `{name}` stands for")
}
