//! Extents: a class for everything that must have the same one, with the number, the files and the parameters
//! that fix it.
//!
//! Classes are joined while a function is walked, in any order; [`SizeClasses::solve`] comes last.

mod solve;

use std::collections::HashSet;

use comet_diag::{Diagnostic, Span};

use crate::program::SizeSource;

pub(crate) use self::solve::Solved;

/// A label or a tensor's mode, before its class is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(usize);

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Subject {
    Label(String),
    /// A mode, counted from 0, of a tensor.
    Mode(usize, String),
    /// The slice that is written so, of a tensor.
    Slice(String, String),
}

/// An extent that what stands at a place needs at least.
#[derive(Debug)]
struct Need {
    node: NodeId,
    least: u64,
    /// A mode of a tensor.
    mode: (usize, String),
    place: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StatedExtent {
    pub(crate) value: u64,
    pub(crate) span: Span,
}

#[derive(Debug)]
struct SizeNode {
    subject: Subject,
    span: Span,
    parent: NodeId,
    /// Of the whole class, at its root only; likewise the rest.
    known: Option<StatedExtent>,
    sources: Vec<SizeSource>,
    /// An error was reported for something in the class, so that nothing can be said of its size.
    poisoned: bool,
}

#[derive(Debug, Default)]
pub(crate) struct SizeClasses {
    nodes: Vec<SizeNode>,
    /// Pairs of statements that were reported as contradicting each other.
    reported: HashSet<(StatedExtent, StatedExtent)>,
    /// What the first is equal to, if nothing else is known of it: a label that is shifted, and the mode.
    suggested: Vec<(NodeId, NodeId, Span)>,
    needs: Vec<Need>,
}

impl SizeClasses {
    /// A class of its own for something that `span` introduces.
    pub(crate) fn node(&mut self, subject: Subject, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len());
        let node = SizeNode { subject, span, parent: id, known: None, sources: Vec::new(), poisoned: false };
        self.nodes.push(node);
        id
    }

    /// Both have one extent, because of what stands at `place`.
    pub(crate) fn unify(
        &mut self,
        left: NodeId,
        right: NodeId,
        place: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let (one, other) = (self.root(left), self.root(right));
        if one == other {
            return;
        }
        if let (Some(found), Some(expected)) = (self.nodes[one.0].known, self.nodes[other.0].known) {
            self.contradiction((left, found), (right, expected), place, diagnostics);
        }
        // The earlier node names the class and its number stays, so that messages do not depend on the order.
        let (root, child) = if one.0 < other.0 { (one, other) } else { (other, one) };
        self.nodes[child.0].parent = root;
        let sources = std::mem::take(&mut self.nodes[child.0].sources);
        let (known, poisoned) = (self.nodes[child.0].known, self.nodes[child.0].poisoned);
        let node = &mut self.nodes[root.0];
        node.known = node.known.or(known);
        node.poisoned |= poisoned;
        node.sources.extend(sources);
    }

    /// The extent is `known`, because of what stands at `place`.
    pub(crate) fn fix(
        &mut self,
        node: NodeId,
        known: StatedExtent,
        place: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let root = self.root(node);
        match self.nodes[root.0].known {
            None => self.nodes[root.0].known = Some(known),
            Some(before) => self.contradiction((node, before), (node, known), place, diagnostics),
        }
    }

    /// The run time learns the extent from `source`.
    pub(crate) fn add_source(&mut self, node: NodeId, source: SizeSource) {
        let root = self.root(node);
        self.nodes[root.0].sources.push(source);
    }

    /// Nothing is to be said of this size: the statement that might fix it has an error.
    pub(crate) fn poison(&mut self, node: NodeId) {
        let root = self.root(node);
        self.nodes[root.0].poisoned = true;
    }

    /// The extent is that of `mode`, because of what stands at `place`, unless something else fixes it.
    pub(crate) fn suggest(&mut self, node: NodeId, mode: NodeId, place: Span) {
        self.suggested.push((node, mode, place));
    }

    /// What stands at `place` reaches coordinates of a mode of a tensor up to below `least`.
    pub(crate) fn need(&mut self, node: NodeId, least: u64, mode: (usize, String), place: Span) {
        self.needs.push(Need { node, least, mode, place });
    }

    /// Follows suggestions, and checks needs against the numbers that are known; the run time checks others.
    pub(crate) fn settle(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for (node, mode, place) in std::mem::take(&mut self.suggested) {
            let root = &self.nodes[self.root(node).0];
            if root.known.is_none() && root.sources.is_empty() && !root.poisoned {
                self.unify(mode, node, place, diagnostics);
            }
        }
        for Need { node, least, mode: (mode, tensor), place } in std::mem::take(&mut self.needs) {
            let Some(known) = self.nodes[self.root(node).0].known.filter(|known| known.value < least) else {
                continue;
            };
            let message = format!(
                "index {} is out of range: mode {mode} of `{tensor}` has extent {}",
                least - 1,
                known.value
            );
            diagnostics.push(
                Diagnostic::error(place, message)
                    .also(known.span, format!("size {} is stated here", known.value))
                    .hint("indices are counted from 0, and the end of a slice is not part of it"),
            );
        }
    }

    /// A name for the class: equal nodes have equal roots.
    fn root(&self, node: NodeId) -> NodeId {
        let mut root = node;
        while self.nodes[root.0].parent != root {
            root = self.nodes[root.0].parent;
        }
        root
    }

    fn contradiction(
        &mut self,
        (left, found): (NodeId, StatedExtent),
        (right, expected): (NodeId, StatedExtent),
        place: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if found.value == expected.value || !self.reported.insert((found, expected)) {
            return;
        }
        let (left, right) = (&self.nodes[left.0].subject, &self.nodes[right.0].subject);
        let hint = match (left, right) {
            (Subject::Slice(..), Subject::Slice(..)) => {
                "slices that are computed together have one size; make the two sizes equal"
            }
            (Subject::Slice(..), Subject::Label(_)) | (Subject::Label(_), Subject::Slice(..)) => {
                "a label has the size of its slices; use another label, or make the two sizes equal"
            }
            _ => "a label has one size in a function; use another label, or make the two sizes equal",
        };
        let (left, right) = (left.describe(), right.describe());
        let message = if left == right {
            format!("{left} has size {} and size {}", found.value, expected.value)
        } else {
            format!("{left} has size {}, but {right} has size {}", found.value, expected.value)
        };
        diagnostics.push(
            Diagnostic::error(place, message)
                .label("one size is needed here")
                .also(found.span, format!("size {} is stated here", found.value))
                .also(expected.span, format!("size {} is stated here", expected.value))
                .hint(hint),
        );
    }
}

impl Subject {
    fn describe(&self) -> String {
        match self {
            Self::Label(name) => format!("label `{name}`"),
            Self::Mode(mode, tensor) => format!("mode {mode} of `{tensor}`"),
            Self::Slice(slice, tensor) => format!("the slice `{slice}` of `{tensor}`"),
        }
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Label(name) => f.write_str(name),
            Self::Mode(mode, tensor) => write!(f, "mode {mode} of {tensor}"),
            Self::Slice(slice, tensor) => write!(f, "slice {slice} of {tensor}"),
        }
    }
}
