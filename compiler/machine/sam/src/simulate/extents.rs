//! Index variables have one extent, whichever tensor they are scanned in.

use super::fault::Fault;
use crate::graph::{Graph, Kind};
use crate::storage::Storage;
use std::collections::BTreeMap;

/// A mode of a tensor.
struct Place<'g> {
    tensor: &'g str,
    mode: usize,
    extent: usize,
}

/// Tensors must agree about the extents of the index variables that go through several of them.
pub(super) fn check(graph: &Graph, tensors: &BTreeMap<String, Storage>) -> Result<(), Fault> {
    let mut first: BTreeMap<&str, Place<'_>> = BTreeMap::new();
    for block in &graph.blocks {
        let (index, tensor, mode) = match &block.kind {
            Kind::Scanner(scanner) => (&scanner.index, &scanner.tensor, scanner.mode),
            Kind::Locate(locate) => (&locate.index, &locate.tensor, locate.mode),
            _ => continue,
        };
        // Tensors that are not there are told by the blocks that read them.
        let Some(&extent) = tensors.get(tensor).and_then(|stored| stored.dims.get(mode)) else { continue };
        let place = Place { tensor, mode, extent };
        match first.get(index.as_str()) {
            Some(other) if other.extent != extent => return Err(contradiction(index, other, &place)),
            Some(_) => {}
            None => {
                first.insert(index, place);
            }
        }
    }
    Ok(())
}

fn contradiction(index: &str, one: &Place<'_>, other: &Place<'_>) -> Fault {
    let of = |Place { tensor, mode, extent }: &Place<'_>| format!("{extent} in mode {mode} of `{tensor}`");
    Fault::new(format!("the extent of `{index}` is {}, and {}", of(one), of(other)))
        .hint("the tensors of a graph agree about the extent of an index variable")
}
