//! How many blocks of each kind a graph takes, and what an expression asks of a machine: the columns of
//! table 1 of sam.txt.

mod ablation;

pub use ablation::Removed;

use crate::graph::{BlockKind, Graph, Merge};
use crate::lower::{IndexExpression, IndexStatement};
use std::collections::BTreeSet;

/// The right half of table 1, and the blocks of section 4. Signals of repeaters and holds are part of other
/// blocks there, and are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Primitives {
    pub scan: usize,
    pub repeat: usize,
    pub intersect: usize,
    pub union: usize,
    pub alu: usize,
    pub reduce: usize,
    pub drop: usize,
    pub write: usize,
    pub array: usize,
    pub locate: usize,
    /// Converters to bit vectors, and what takes these apart.
    pub convert: usize,
    pub parallel: usize,
    pub fetch: usize,
}

impl Primitives {
    pub fn of(graph: &Graph) -> Self {
        let mut counted = Self::default();
        for block in &graph.blocks {
            match &block.kind {
                BlockKind::Scanner(_) => counted.scan += 1,
                BlockKind::Repeat(_) => counted.repeat += 1,
                BlockKind::Join(join) if join.taken_apart().is_some() => counted.convert += 1,
                BlockKind::Join(join) if join.how == Merge::Intersect => counted.intersect += 1,
                BlockKind::Join(_) => counted.union += 1,
                BlockKind::Alu(_) | BlockKind::Apply(_) | BlockKind::Mask(_) => counted.alu += 1,
                BlockKind::Reduce(_) | BlockKind::Accumulate(_) => counted.reduce += 1,
                BlockKind::Drop { .. } => counted.drop += 1,
                BlockKind::WriteLevel(_) | BlockKind::WriteValues(_) => counted.write += 1,
                BlockKind::Array { .. } => counted.array += 1,
                BlockKind::Locate(_) => counted.locate += 1,
                BlockKind::ToWords(_) => counted.convert += 1,
                BlockKind::Parallelize(_) | BlockKind::Serialize(_) => counted.parallel += 1,
                BlockKind::Fetch(_) => counted.fetch += 1,
                BlockKind::RepeatSignal { .. } | BlockKind::Hold { .. } => {}
            }
        }
        counted
    }
}

/// The left half of table 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    pub output_order: usize,
    pub input_orders: BTreeSet<usize>,
    pub inputs: usize,
    /// The dimensions of the memory that its reducers need; none if it reduces nothing.
    pub reduce_orders: BTreeSet<usize>,
    pub broadcasts: bool,
    pub operators: Vec<crate::graph::Operator>,
}

impl Features {
    pub fn of(statement: &IndexStatement, graph: &Graph) -> Self {
        let accesses = statement.value.accesses();
        let mut operators = Vec::new();
        collect_operators(&statement.value, &mut operators);
        Self {
            output_order: statement.result.indices.len(),
            input_orders: accesses.iter().map(|access| access.indices.len()).collect(),
            inputs: accesses.len(),
            reduce_orders: graph.blocks.iter().filter_map(|block| reduce_order(&block.kind)).collect(),
            broadcasts: graph.blocks.iter().any(|block| matches!(block.kind, BlockKind::Repeat(_))),
            operators,
        }
    }
}

fn reduce_order(kind: &BlockKind) -> Option<usize> {
    match kind {
        BlockKind::Reduce(_) => Some(0),
        BlockKind::Accumulate(accumulate) => Some(accumulate.order),
        _ => None,
    }
}

fn collect_operators(expression: &IndexExpression, operators: &mut Vec<crate::graph::Operator>) {
    expression.parts().into_iter().for_each(|part| collect_operators(part, operators));
    if let IndexExpression::Combine(_, operator, ..) = expression
        && !operators.contains(operator)
    {
        operators.push(*operator);
    }
}
