//! The report of a simulation.

use super::block::WrittenPart;
use super::fault::SimulationFault;
use super::memory::MemoryReport;
use super::observe::Profile;
use super::points::PointReport;
use super::token::TokenCounts;
use crate::arithmetic::Values;
use crate::graph::{BlockKind, Graph, GraphLevel, Stream, StreamKind, TensorFormat};
use crate::machine::CostReport;
use crate::storage::{BitVectors, StoredLevel, StoredTensor};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// Cycles until all writers had ended, and the result was in DRAM if memory is finite.
    pub cycles: u64,
    pub most_waiting: Option<u64>,
    pub memory: Option<MemoryReport>,
    /// What has happened when, if that was asked for.
    pub profile: Option<Profile>,
    /// What the run has cost, on a machine that says what units cost.
    pub costs: Option<CostReport>,
    pub result: StoredTensor,
    /// Why what was written is no tensor, of a graph whose writers have got streams that do not fit each
    /// other; the result is empty then.
    pub unfit: Option<SimulationFault>,
    pub streams: Vec<StreamReport>,
    /// For each block of the graph how much it had to do.
    pub blocks: Vec<BlockReport>,
    /// For each tensor that is scanned what it would take as a stream of points.
    pub points: Vec<PointReport>,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StreamReport {
    pub name: String,
    pub kind: StreamKind,
    /// Its tokens. On a bus several of them move in a cycle, so that there may be more of them than cycles.
    #[serde(flatten)]
    pub counts: TokenCounts,
    /// Of all cycles of the run those in which it has carried nothing.
    pub idle: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct BlockReport {
    pub name: String,
    /// The name of its type in the files of graphs.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub busy: u64,
}

/// The block and the output that a stream comes from: `intersect_k.crd`, with the number of the port where
/// several outputs are of its kind.
pub(super) fn stream_name(graph: &Graph, stream: &Stream) -> String {
    let (block, port) = stream.from;
    let source = &graph.blocks[block.0];
    let is_only = source.kind.outputs().iter().filter(|kind| **kind == stream.kind).count() == 1;
    let number = if is_only { String::new() } else { port.0.to_string() };
    format!("{}.{}{number}", source.name, stream.kind.name())
}

/// Assembles the result from what the writers have stored. Levels and values that do not fit are returned as
/// a fault beside an empty tensor.
pub(super) fn result(
    graph: &Graph,
    tensors: &BTreeMap<String, StoredTensor>,
    written: Vec<WrittenPart>,
) -> Result<(StoredTensor, Option<SimulationFault>), SimulationFault> {
    let Some(format) = graph.tensors.first() else {
        return Err(fault!("the graph names no tensor"));
    };
    let dims = result_dims(graph, tensors);
    if dims.contains(&0) {
        return Ok((nothing(format, dims), None));
    }
    let mut levels: BTreeMap<usize, StoredLevel> = BTreeMap::new();
    let mut values = Vec::new();
    for part in written {
        match part {
            WrittenPart::Values(stored) => values = stored,
            WrittenPart::Scattered(stored) => {
                values = stored;
                levels.extend(dims.iter().map(|&size| StoredLevel::Dense { size }).enumerate());
            }
            WrittenPart::Level { mode, level: GraphLevel::Dense, .. } => {
                let size = dims.get(mode).copied().unwrap_or_default();
                levels.insert(mode, StoredLevel::Dense { size });
            }
            WrittenPart::Level {
                mode,
                level: GraphLevel::Compressed | GraphLevel::BitVector(_),
                seg,
                crd,
            } => {
                levels.insert(mode, StoredLevel::Compressed { seg, crd });
            }
        }
    }
    let missing = |mode: &usize| fault!("nothing writes mode {mode} of `{}`", format.name);
    let stored = format.order.iter().map(|mode| levels.remove(mode).ok_or_else(|| missing(mode)));
    let mut levels: Vec<StoredLevel> = stored.collect::<Result<_, _>>()?;
    leave_out_dropped(&mut levels);
    // What reducers of SAM's files make of nothing goes where no coordinate has come.
    if !format.order.is_empty() && positions(&levels) == 0 {
        values.clear();
    }
    let values = Values { element: format.element, bits: values };
    let mut storage = StoredTensor { dims, levels, order: format.order.clone(), values };
    if let Err(fault) = storage.check(&format.name) {
        return Ok((nothing(format, storage.dims), Some(fault)));
    }
    for (number, level) in format.levels.iter().enumerate() {
        if let GraphLevel::BitVector(width) = level {
            storage.make_words(number, *width);
        }
    }
    Ok((storage, None))
}

/// How many values belong to the coordinates.
fn positions(levels: &[StoredLevel]) -> usize {
    levels.iter().fold(1, |positions, level| level.positions(positions).unwrap_or(usize::MAX))
}

/// A tensor with an extent of 0 has no elements, and no coordinates above them, which dense levels bring all
/// the same.
fn nothing(format: &TensorFormat, dims: Vec<usize>) -> StoredTensor {
    let mut positions = 1;
    let mut levels = Vec::new();
    for (level, &mode) in format.levels.iter().zip(&format.order) {
        let stored = match level {
            GraphLevel::Dense => StoredLevel::Dense { size: dims.get(mode).copied().unwrap_or_default() },
            GraphLevel::Compressed => {
                StoredLevel::Compressed { seg: vec![0; positions + 1], crd: Vec::new() }
            }
            GraphLevel::BitVector(width) => {
                let size = dims.get(mode).copied().unwrap_or_default();
                StoredLevel::BitVector(BitVectors::new(size, *width, vec![0; positions + 1], &[]))
            }
        };
        positions = stored.positions(positions).unwrap_or(usize::MAX);
        levels.push(stored);
    }
    let values = Values { element: format.element, bits: vec![0; positions] };
    StoredTensor { dims, levels, order: format.order.clone(), values }
}

/// Where a level has as many fibers as there are coordinates above, they belong together. Where it has not,
/// coordinates above empty fibers have been dropped, and these fibers are left out.
fn leave_out_dropped(levels: &mut [StoredLevel]) {
    let mut positions = 1;
    for level in levels {
        level.leave_out_dropped(positions);
        positions = level.positions(positions).unwrap_or(usize::MAX);
    }
}

/// The extent of each mode of the result: that of its index variable wherever it is scanned.
pub(super) fn result_dims(graph: &Graph, tensors: &BTreeMap<String, StoredTensor>) -> Vec<usize> {
    let Some(format) = graph.tensors.first() else { return Vec::new() };
    let mut dims = vec![0; format.order.len()];
    for block in &graph.blocks {
        let (mode, index) = match &block.kind {
            BlockKind::WriteLevel(level) => (level.mode, &level.index),
            BlockKind::Locate(locate) if locate.tensor == format.name => (locate.mode, &locate.index),
            _ => continue,
        };
        if let Some(dim) = dims.get_mut(mode) {
            *dim = extent(graph, tensors, index);
        }
    }
    dims
}

pub(super) fn extent(graph: &Graph, tensors: &BTreeMap<String, StoredTensor>, index: &str) -> usize {
    let extents = graph.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Scanner(scanner) if scanner.index == *index => {
            tensors.get(&scanner.tensor)?.dims.get(scanner.mode).copied()
        }
        _ => None,
    });
    extents.max().unwrap_or_default()
}

impl StoredTensor {
    /// Whether the levels fit each other and the values, as what a graph writes may not.
    fn check(&self, name: &str) -> Result<(), SimulationFault> {
        let mut positions = 1;
        for (level, mode) in self.levels.iter().zip(&self.order) {
            if let Some(seg) = level.segments()
                && seg.len() != positions + 1
            {
                let fibers = seg.len() - 1;
                return Err(fault!("mode {mode} of `{name}` was written with {fibers} fibers, and there are {positions} coordinates above")
                .hint("a coordinate dropper or the policy of a reducer does not fit the graph"));
            }
            positions = level.positions(positions).unwrap_or(usize::MAX);
        }
        match self.values.len() == positions {
            true => Ok(()),
            false => Err(fault!(
                "`{name}` was written with {} values, and its coordinates lead to {positions}",
                self.values.len()
            )
            .hint("a coordinate dropper or the policy of a reducer does not fit the graph")),
        }
    }
}
