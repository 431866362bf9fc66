//! Which memory a name means: the memories of a block and of those inside, numbered in the order of the text.

use crate::app::{Kind, Statement};
use crate::names::Scope;

#[derive(Default)]
pub(super) struct MemoryScope {
    /// The memories among the names that are declared around a place.
    pub(super) names: Scope<Option<usize>>,
    /// The number of memories so far.
    count: usize,
}

impl MemoryScope {
    pub(super) fn declare(&mut self, statement: &Statement) {
        match &statement.kind {
            Kind::Memory(memory) => {
                self.names.declare(&memory.name, Some(self.count));
                self.count += 1;
            }
            Kind::Val(name, _) | Kind::Barrier { name, .. } => self.names.declare(name, None),
            _ => {}
        }
    }

    pub(super) fn memory(&self, name: &str) -> Option<usize> {
        self.names.find(name).copied().flatten()
    }
}
