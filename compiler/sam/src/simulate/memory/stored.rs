//! How many bytes tensors take.

use super::super::fault::Fault;
use crate::arithmetic::Element;
use crate::graph::{Graph, Kind};
use crate::storage::{Storage, StoredLevel};

/// The number of bytes of a coordinate and of a segment's position.
const INDEX: u64 = 4;

/// A tensor as a memory moves it.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulate) struct Stored<'a> {
    pub(in crate::simulate) storage: &'a Storage,
    /// Whether its values are moved.
    has_values: bool,
}

impl<'a> Stored<'a> {
    /// An operand, whose values are moved if some array of the graph loads them. What stands for all
    /// coordinates may have none; where it has, nothing loads them.
    pub(in crate::simulate) fn operand(graph: &Graph, name: &str, storage: &'a Storage) -> Self {
        let loads = |kind: &Kind| matches!(kind, Kind::Array { tensor, .. } if tensor == name);
        Self { storage, has_values: graph.blocks.iter().any(|block| loads(&block.kind)) }
    }

    /// What has been written.
    pub(in crate::simulate) fn result(storage: &'a Storage) -> Self {
        Self { storage, has_values: true }
    }

    /// The bytes of all of it.
    pub(in crate::simulate) fn bytes(&self) -> u64 {
        self.bytes_below(0, 0).unwrap_or(0)
    }

    /// The bytes below a position in front of a level: segments, coordinates, words and values.
    pub(in crate::simulate) fn bytes_below(&self, level: usize, position: u64) -> Result<u64, Fault> {
        let (mut start, mut end, mut bytes) = (position as usize, position as usize + 1, 0);
        for stored in &self.storage.levels[level..] {
            let parents = (end - start) as u64;
            let children = |seg: &[usize]| Some((*seg.get(start)?, *seg.get(end)?));
            let range = match stored {
                StoredLevel::Dense { size } => Some((start.saturating_mul(*size), end.saturating_mul(*size))),
                StoredLevel::Compressed { seg, .. } => children(seg),
                StoredLevel::BitVector(bits) => children(&bits.seg),
            };
            let outside = || Fault::new(format!("reference {position} leads to no part of the tensor"));
            (start, end) = range.ok_or_else(outside)?;
            bytes += match stored {
                StoredLevel::Dense { .. } => 0,
                StoredLevel::Compressed { .. } => INDEX * (parents + 1 + (end - start) as u64),
                StoredLevel::BitVector(bits) => {
                    INDEX * parents + parents * (bits.words_each() as u64 * u64::from(bits.width)).div_ceil(8)
                }
            };
        }
        let values = if self.has_values { (end - start) as u64 } else { 0 };
        Ok(bytes + values.saturating_mul(value_bytes(self.storage.values.element)))
    }
}

/// The bytes of a value.
fn value_bytes(element: Element) -> u64 {
    match element {
        Element::F32 => 4,
        Element::F64 | Element::I64 => 8,
    }
}
