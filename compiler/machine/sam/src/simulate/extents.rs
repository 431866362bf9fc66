//! Index variables have one extent, whichever tensor they are scanned in.

use super::fault::SimulationFault;
use crate::graph::{Graph, LevelAccess};
use crate::storage::StoredTensor;
use std::collections::BTreeMap;

struct ExtentSource<'g> {
    tensor: &'g str,
    mode: usize,
    extent: usize,
}

/// Tensors must agree about the extents of the index variables that go through several of them.
pub(super) fn check(graph: &Graph, tensors: &BTreeMap<String, StoredTensor>) -> Result<(), SimulationFault> {
    let mut first: BTreeMap<&str, ExtentSource<'_>> = BTreeMap::new();
    for block in &graph.blocks {
        let read = block.kind.level_access().filter(|_| !block.kind.is_writer());
        let Some(LevelAccess { index, tensor, mode }) = read else { continue };
        // The blocks that read tensors which are not there report them.
        let Some(&extent) = tensors.get(tensor).and_then(|stored| stored.dims.get(mode)) else { continue };
        let place = ExtentSource { tensor, mode, extent };
        match first.get(index) {
            Some(other) if other.extent != extent => return Err(contradiction(index, other, &place)),
            Some(_) => {}
            None => {
                first.insert(index, place);
            }
        }
    }
    Ok(())
}

fn contradiction(index: &str, one: &ExtentSource<'_>, other: &ExtentSource<'_>) -> SimulationFault {
    let of = |ExtentSource { tensor, mode, extent }: &ExtentSource<'_>| {
        format!("{extent} in mode {mode} of `{tensor}`")
    };
    fault!("the extent of `{index}` is {}, and {}", of(one), of(other))
        .hint("the tensors of a graph agree about the extent of an index variable")
}
