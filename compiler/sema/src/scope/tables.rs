//! What the tables of a function hold while it is checked.

use comet_diag::Span;
use comet_syntax::ast::{Element, Ident};

use crate::sizes::NodeId;
use crate::storage::TensorStorage;

/// A tensor under check.
#[derive(Debug)]
pub(crate) struct TensorInfo {
    /// Its name.
    pub(crate) name: Ident,
    /// The element type.
    pub(crate) element: Element,
    /// Absent where the format has an error: nothing is said of it then.
    pub(crate) storage: Option<TensorStorage>,
    /// One for each mode.
    pub(crate) modes: Vec<NodeId>,
    /// The declaration.
    pub(crate) span: Span,
}

impl TensorInfo {
    /// The number of modes.
    pub(crate) fn rank(&self) -> usize {
        self.modes.len()
    }

    /// Whether some position may be absent; false where that is not known.
    pub(crate) fn is_sparse(&self) -> bool {
        self.storage.as_ref().is_some_and(|storage| !storage.format.is_dense())
    }
}

/// A scalar under check.
#[derive(Debug)]
pub(crate) struct ScalarInfo {
    /// Its name.
    pub(crate) name: String,
    /// Its type.
    pub(crate) element: Element,
    /// How it came to be.
    pub(crate) origin: Origin,
    /// Its first value is a bare `SUM(…)`.
    pub(crate) prints_bare: bool,
    /// Whether a statement, in the order of the file, has given it a value.
    pub(crate) assigned: bool,
    /// Where it is declared.
    pub(crate) span: Span,
}

/// How a scalar came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A `var`, or the compiler's own: its type follows its values.
    Variable,
    /// A parameter or result: its type is declared.
    Declared,
    /// The variable of a `for`.
    Loop,
}

/// A label that something uses.
#[derive(Debug)]
pub(crate) struct UsedLabel {
    /// Its name.
    pub(crate) name: String,
    /// Its extent.
    pub(crate) size: NodeId,
    /// Where it is declared.
    pub(crate) span: Span,
}
