//! What streams of points would carry instead of streams of levels (sam.txt section 3.8): a tuple for every
//! value, with a coordinate for each mode and the value itself, and no control tokens but the end.

use super::outcome::StreamReport;
use crate::graph::{BlockKind, Graph, StreamKind};
use comet_notation::distinct;

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PointReport {
    pub tensor: String,
    /// Tokens on the streams of its scanners' coordinates, or of their words of bits, and of its arrays'
    /// values.
    pub levels: u64,
    /// Tokens of the values that its arrays have loaded, as points.
    pub points: u64,
}

/// One report for each tensor whose levels are scanned. The streams are those of the graph, in its order.
pub(super) fn points(graph: &Graph, streams: &[StreamReport]) -> Vec<PointReport> {
    let operands = graph.tensors.iter().skip(1).filter(|tensor| !tensor.levels.is_empty());
    let names = distinct(operands.map(|tensor| tensor.name.as_str()));
    names.into_iter().filter_map(|name| report(graph, streams, name)).collect()
}

fn report(graph: &Graph, streams: &[StreamReport], name: &str) -> Option<PointReport> {
    let modes = graph.tensors.iter().find(|tensor| tensor.name == name)?.order.len() as u64;
    let (mut levels, mut values, mut ends) = (0, 0, 0);
    for (stream, told) in graph.streams.iter().zip(streams) {
        match &graph.blocks[stream.from.0.0].kind {
            BlockKind::Scanner(scanner) if scanner.tensor == name && stream.kind != StreamKind::Ref => {
                levels += told.counts.total();
            }
            BlockKind::Array { tensor, .. } if tensor == name => {
                levels += told.counts.total();
                values += told.counts.value;
                ends += told.counts.done;
            }
            _ => {}
        }
    }
    let is_scanned = levels > 0 && ends > 0;
    is_scanned.then(|| PointReport { tensor: name.to_owned(), levels, points: (modes + 1) * values + ends })
}
