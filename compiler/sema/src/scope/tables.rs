//! What the tables of a function hold while it is checked.

use comet_diag::Span;
use comet_syntax::ast::{Element, Ident};

use crate::sizes::NodeId;
use crate::storage::TensorStorage;

#[derive(Debug)]
pub(crate) struct TensorInfo {
    pub(crate) name: Ident,
    pub(crate) element: Element,
    /// Absent where the format has an error: nothing is said of it then.
    pub(crate) storage: Option<TensorStorage>,
    pub(crate) modes: Vec<NodeId>,
    pub(crate) span: Span,
}

impl TensorInfo {
    pub(crate) fn rank(&self) -> usize {
        self.modes.len()
    }

    /// Whether some position may be absent; false where that is not known.
    pub(crate) fn is_sparse(&self) -> bool {
        self.storage.as_ref().is_some_and(|storage| !storage.format.is_dense())
    }
}

#[derive(Debug)]
pub(crate) struct ScalarInfo {
    pub(crate) name: String,
    pub(crate) element: Element,
    pub(crate) origin: Origin,
    /// Its first value is a bare `SUM(…)`, `MAX(…)` or `MIN(…)`.
    pub(crate) prints_bare: bool,
    /// Whether a statement, in the order of the file, has given it a value.
    pub(crate) assigned: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A `var`, or the compiler's own: its type follows its values.
    Variable,
    /// A parameter or result: its type is declared.
    Declared,
    Loop,
}

#[derive(Debug)]
pub(crate) struct UsedLabel {
    pub(crate) name: String,
    pub(crate) size: NodeId,
    pub(crate) span: Span,
}
