//! What a run shows that another graph of the same statement would do in far fewer cycles.

use super::outcome::RunReport;
use crate::graph::{BlockId, BlockKind, Graph, Join, Merge, Port};

const MANY: u64 = 1000;
/// They are so many times as many as those that the intersecter lets through.
const FAR_MORE: u64 = 8;

impl RunReport {
    /// The tensors of the graph whose dense levels were scanned again and again, where the coordinates of
    /// others are far fewer, so that these could be located in them (sam.txt section 4.2). What stands for
    /// all coordinates of a variable has no values, and is none.
    pub fn scanned_whole<'g>(&self, graph: &'g Graph) -> Vec<&'g str> {
        let is_loaded = |name: &&str| {
            let loads = |kind: &BlockKind| matches!(kind, BlockKind::Array { tensor, .. } if tensor == name);
            graph.blocks.iter().any(|block| loads(&block.kind))
        };
        let mut found = Vec::new();
        for (id, block) in graph.blocks.iter().enumerate() {
            if let BlockKind::Join(join) = &block.kind
                && join.how == Merge::Intersect
            {
                found.extend(self.scanned_for(graph, BlockId(id), join));
            }
        }
        found.retain(is_loaded);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn scanned_for<'g>(&self, graph: &'g Graph, id: BlockId, join: &Join) -> Vec<&'g str> {
        let values = |number: usize| self.streams.get(number).map_or(0, |report| report.counts.value);
        let numbered = || graph.streams.iter().enumerate();
        let joined = numbered().find(|(_, stream)| stream.from == (id, Port::FIRST));
        let joined = joined.map_or(0, |(number, _)| values(number));
        let dense = |operand: usize| {
            let input = (id, Port::operand_crd(operand));
            let (number, stream) = numbered().find(|(_, stream)| stream.to.contains(&input))?;
            match &graph.blocks[stream.from.0.0].kind {
                BlockKind::Scanner(scanner) if scanner.level.is_dense() && !scanner.root => {
                    let is_far_more = values(number) >= MANY.max(FAR_MORE.saturating_mul(joined));
                    is_far_more.then_some(scanner.tensor.as_str())
                }
                _ => None,
            }
        };
        (0..join.operands.len()).filter_map(dense).collect()
    }
}
