//! Numbers the classes once all are joined, and finds those without an extent.

use std::collections::{HashMap, HashSet};

use comet_diag::Diagnostic;

use super::{NodeId, SizeClasses, SizeNode, Subject};
use crate::program::{Size, SizeId};

/// Classes with numbers, after the last join.
pub(crate) struct Solved {
    /// The classes asked for.
    pub(crate) sizes: Vec<Size>,
    ids: HashMap<NodeId, SizeId>,
    roots: Vec<NodeId>,
}

impl Solved {
    /// The class of a node that was asked for.
    pub(crate) fn id(&self, node: NodeId) -> SizeId {
        self.ids[&self.roots[node.0]]
    }
}

impl SizeClasses {
    /// Numbers the classes of `wanted`, and reports those that nothing fixes.
    pub(crate) fn solve(&self, wanted: &[NodeId], diagnostics: &mut Vec<Diagnostic>) -> Solved {
        let roots: Vec<NodeId> = (0..self.nodes.len()).map(|node| self.root(NodeId(node))).collect();
        let wanted: HashSet<NodeId> = wanted.iter().map(|node| roots[node.0]).collect();
        let mut solved = Solved { sizes: Vec::new(), ids: HashMap::new(), roots };
        for root in (0..self.nodes.len()).map(NodeId).filter(|node| wanted.contains(node)) {
            let members: Vec<&SizeNode> = self.members(root, &solved.roots);
            solved.ids.insert(root, SizeId(solved.sizes.len()));
            solved.sizes.push(self.size(root, &members));
            diagnostics.extend(self.unsolved(root, &members));
        }
        solved
    }

    fn members(&self, root: NodeId, roots: &[NodeId]) -> Vec<&SizeNode> {
        let nodes = self.nodes.iter().zip(roots);
        nodes.filter(|&(_, &of)| of == root).map(|(node, _)| node).collect()
    }

    fn size(&self, root: NodeId, members: &[&SizeNode]) -> Size {
        let node = &self.nodes[root.0];
        let named = representative(members).unwrap_or(node);
        Size {
            name: named.subject.to_string(),
            known: node.known.map(|known| known.value),
            sources: node.sources.clone(),
            span: named.span,
        }
    }

    fn unsolved(&self, root: NodeId, members: &[&SizeNode]) -> Option<Diagnostic> {
        let node = &self.nodes[root.0];
        if node.poisoned || node.known.is_some() || !node.sources.is_empty() {
            return None;
        }
        let named = representative(members)?;
        let message = format!("the size of {} is never fixed", named.subject.describe());
        let mode = members.iter().find(|member| matches!(member.subject, Subject::Mode(..)));
        let error = Diagnostic::error(named.span, message).hint(match &named.subject {
            Subject::Label(name) => {
                format!(
                    "give it a size, `IndexLabel [{name}] = [8]`, or let a tensor have it whose size is declared or read"
                )
            }
            Subject::Slice(slice, tensor) => {
                format!("write numbers, as in `0:8` in place of `{slice}`, or read a file into `{tensor}`")
            }
            Subject::Mode(_, tensor) => {
                format!("write a number or a label instead of `?`, or read a file into `{tensor}`")
            }
        });
        let elsewhere = mode.filter(|mode| mode.span != named.span);
        Some(match elsewhere {
            Some(mode) => error.also(mode.span, format!("{} needs it", mode.subject.describe())),
            None => error,
        })
    }
}

/// A label names a class better than a mode does.
fn representative<'a>(members: &[&'a SizeNode]) -> Option<&'a SizeNode> {
    let label = members.iter().find(|node| matches!(node.subject, Subject::Label(_)));
    label.or(members.first()).copied()
}
