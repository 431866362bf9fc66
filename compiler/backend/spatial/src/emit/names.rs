//! What names stand for where they are used.

use comet_ir::Val;

/// The names that are known at a place, inner ones last.
#[derive(Default)]
pub(super) struct Names<'a, 'c> {
    known: Vec<(&'a str, Val<'c>)>,
}

impl<'a, 'c> Names<'a, 'c> {
    /// Makes a name known.
    pub(super) fn add(&mut self, name: &'a str, value: Val<'c>) {
        self.known.push((name, value));
    }

    /// What the name stands for that was made known last.
    pub(super) fn find(&self, name: &str) -> Option<Val<'c>> {
        self.known.iter().rev().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    /// Forgets all but the first ones.
    pub(super) fn keep(&mut self, count: usize) {
        self.known.truncate(count);
    }
}
