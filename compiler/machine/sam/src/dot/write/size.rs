//! How much room the arrays of a result need, as text: products of the extents of the operands' modes.

use std::collections::HashMap;

use crate::graph::{BlockKind, Graph, TensorFormat, WriteLevel};

pub(super) struct ArraySizes<'graph> {
    graph: &'graph Graph,
    /// For each index variable the extent of the first operand that has it.
    extents: HashMap<&'graph str, String>,
    /// For each level that is written its index variable.
    indices: HashMap<(&'graph str, usize), &'graph str>,
}

impl<'graph> ArraySizes<'graph> {
    pub(super) fn new(graph: &'graph Graph) -> Self {
        let mut scanned = Vec::new();
        let mut indices = HashMap::new();
        for block in &graph.blocks {
            match &block.kind {
                BlockKind::Scanner(scanner) => {
                    let position =
                        graph.tensors.iter().skip(1).position(|tensor| tensor.name == scanner.tensor);
                    scanned.push((position, scanner));
                }
                BlockKind::WriteLevel(write) => {
                    indices.insert((write.tensor.as_str(), write.mode), write.index.as_str());
                }
                BlockKind::Locate(locate) => {
                    indices.insert((locate.tensor.as_str(), locate.mode), locate.index.as_str());
                }
                _ => {}
            }
        }
        scanned.sort_by_key(|(position, _)| *position);
        let mut extents = HashMap::new();
        for (_, scanner) in scanned {
            extents
                .entry(scanner.index.as_str())
                .or_insert_with(|| format!("{}{}_dim", scanner.tensor, scanner.mode));
        }
        Self { graph, extents, indices }
    }

    /// One segment more than the level before has positions.
    pub(super) fn segments(&self, write: &WriteLevel) -> String {
        let before = self.extents(&write.tensor, |modes, position| &modes[..position], write.mode);
        if before.is_empty() { "2".to_owned() } else { format!("{}+1", before.join("*")) }
    }

    /// As many coordinates as if nothing were zero.
    pub(super) fn coordinates(&self, write: &WriteLevel) -> String {
        self.extents(&write.tensor, |modes, position| &modes[..=position], write.mode).join("*")
    }

    pub(super) fn values(&self, tensor: &str) -> String {
        let modes = self.format(tensor).map_or(&[][..], |format| &format.order);
        let extents = modes.iter().map(|&mode| self.extent(tensor, mode));
        std::iter::once("1".to_owned()).chain(extents).collect::<Vec<_>>().join("*")
    }

    fn extents(&self, tensor: &str, part: impl Fn(&[usize], usize) -> &[usize], mode: usize) -> Vec<String> {
        let Some(format) = self.format(tensor) else { return vec![self.extent(tensor, mode)] };
        let position = format.order.iter().position(|&stored| stored == mode).unwrap_or_default();
        part(&format.order, position).iter().map(|&mode| self.extent(tensor, mode)).collect()
    }

    fn format(&self, tensor: &str) -> Option<&TensorFormat> {
        self.graph.tensors.iter().find(|format| format.name == tensor)
    }

    /// The result's own where no operand has the index variable.
    fn extent(&self, tensor: &str, mode: usize) -> String {
        let index = self.indices.get(&(tensor, mode));
        let scanned = index.and_then(|index| self.extents.get(index));
        scanned.cloned().unwrap_or_else(|| format!("{tensor}{mode}_dim"))
    }
}
