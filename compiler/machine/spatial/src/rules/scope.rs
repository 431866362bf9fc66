//! Which declaration a name means: the memories of a block and of those inside, numbered in the order of the
//! text.

use crate::app::{Kind, Statement};

/// The names that are declared around a place, the innermost last.
#[derive(Default)]
pub(super) struct Scope<'a> {
    names: Vec<(&'a str, Meaning)>,
    /// How many memories there are so far.
    count: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Memory(usize),
    Other,
}

impl<'a> Scope<'a> {
    /// How many names there are, for [`Scope::leave`].
    pub(super) fn depth(&self) -> usize {
        self.names.len()
    }

    pub(super) fn leave(&mut self, depth: usize) {
        self.names.truncate(depth);
    }

    pub(super) fn add(&mut self, name: &'a str) {
        self.names.push((name, Meaning::Other));
    }

    pub(super) fn declare(&mut self, statement: &'a Statement) {
        match &statement.kind {
            Kind::Memory(memory) => {
                self.names.push((&memory.name, Meaning::Memory(self.count)));
                self.count += 1;
            }
            Kind::Val(name, _) | Kind::Barrier { name, .. } => self.add(name),
            _ => {}
        }
    }

    pub(super) fn memory(&self, name: &str) -> Option<usize> {
        match self.names.iter().rev().find(|(declared, _)| *declared == name)?.1 {
            Meaning::Memory(number) => Some(number),
            Meaning::Other => None,
        }
    }
}
