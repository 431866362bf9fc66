//! Tensors from their entries.

use comet_sam::arithmetic::Values;
use comet_sam::graph::{GraphLevel, TensorFormat};
use comet_sam::storage::{BitVectors, Entry, StoredLevel, StoredTensor};

/// Stores entries in the levels of a format. Entries come in any order, no point twice.
pub(crate) fn pack(format: &TensorFormat, dims: &[usize], entries: &[Entry]) -> StoredTensor {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    let path = |entry: &Entry| -> Vec<usize> { format.order.iter().map(|&mode| entry.0[mode]).collect() };
    entries.sort_by_key(|entry| path(entry));
    let mut levels = Vec::new();
    // For each entry the position in the level before.
    let mut parents = vec![0; entries.len()];
    let mut positions = 1;
    for (level, &mode) in format.levels.iter().zip(&format.order) {
        let coordinates: Vec<usize> = entries.iter().map(|entry| entry.0[mode]).collect();
        let (stored, next) = store_level(*level, dims[mode], positions, &parents, &coordinates);
        positions = stored.positions(positions);
        levels.push(stored);
        parents = next;
    }
    let mut values = Values::zeros(format.element, positions);
    for (position, entry) in parents.iter().zip(&entries) {
        values.bits[*position] = entry.1.bits();
    }
    StoredTensor { dims: dims.to_vec(), levels, order: format.order.clone(), values }
}

fn store_level(
    level: GraphLevel,
    size: usize,
    positions: usize,
    parents: &[usize],
    coordinates: &[usize],
) -> (StoredLevel, Vec<usize>) {
    match level {
        GraphLevel::Dense => {
            let next = parents.iter().zip(coordinates).map(|(parent, crd)| parent * size + crd).collect();
            (StoredLevel::Dense { size }, next)
        }
        GraphLevel::Compressed => {
            let (mut seg, mut crd, mut next) = (vec![0; positions + 1], Vec::new(), Vec::new());
            let mut last = None;
            for path in parents.iter().zip(coordinates) {
                if last != Some(path) {
                    crd.push(*path.1);
                    seg[path.0 + 1] += 1;
                    last = Some(path);
                }
                next.push(crd.len() - 1);
            }
            for parent in 0..positions {
                seg[parent + 1] += seg[parent];
            }
            (StoredLevel::Compressed { seg, crd }, next)
        }
        GraphLevel::BitVector(width) => {
            let compressed = store_level(GraphLevel::Compressed, size, positions, parents, coordinates);
            let (StoredLevel::Compressed { seg, crd }, next) = compressed else {
                unreachable!("a compressed level is stored as one")
            };
            (StoredLevel::BitVector(BitVectors::new(size, width, seg, &crd)), next)
        }
    }
}
