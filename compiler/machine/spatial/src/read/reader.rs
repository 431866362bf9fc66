//! What is known while statements are read.

use comet_diag::Diagnostic;

use super::scope::{Scopes, What};
use super::types::Aliases;
use crate::text::tree::Word;

#[derive(Default)]
pub(super) struct TextReader {
    pub(super) errors: Vec<Diagnostic>,
    pub(super) scopes: Scopes,
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
    pub(super) fn keep<Value>(&mut self, result: Result<Value, Diagnostic>) -> Option<Value> {
        result.map_err(|error| self.errors.push(error)).ok()
    }

    /// Declares a name. One that is declared twice in a block is an error, and means what it meant.
    pub(super) fn declare(&mut self, name: &Word, what: What) {
        let declared = self.scopes.declare(&name.text, name.span, what);
        self.keep(declared);
    }

    /// Declares a name that could not be understood: nothing is said of how it is used.
    pub(super) fn declare_unknown(&mut self, name: &Word) {
        if self.scopes.find(&name.text).is_none() {
            self.declare(name, What::Unknown);
        }
    }
}
