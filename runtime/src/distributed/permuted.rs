//! Tensors whose indices get new numbers: where each process has rows, entries go to the processes that have
//! their new rows.

use super::entries::{own_rows, partition_for};
use super::partition::Partition;
use super::parts::{self, Along};
use super::placement::Placement;
use super::whole::with_whole;
use super::{Processes, divided_from, processes};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::reorder::{self, Permutation};
use crate::tensor::Tensor;
use crate::unpack::unpack;
use crate::{pack, slices};
use std::sync::Arc;

/// Copies what a tensor holds into another one of its format and whole extents, at the new numbers of its
/// indices. `divided` has the mode of the copy of which processes have ranges; without it, these have rows of
/// the copy where they have some of the tensor.
pub(crate) fn permute(
    from: &Tensor,
    to: &mut Tensor,
    permutations: &[Option<Permutation>],
    divided: Option<(usize, Arc<Partition>)>,
) -> Result<(), Error> {
    let several = processes().filter(|processes| processes.count > 1 && from.is_divided());
    let mode = divided.as_ref().map(|(mode, _)| *mode).or_else(|| outermost_mode(to));
    if let (Some(processes), Some(mode)) = (several, mode)
        && is_exchanged(from, to, mode, processes)
    {
        return permute_rows(
            from,
            to,
            permutations,
            mode,
            divided.map(|(_, partition)| partition),
            processes,
        );
    }
    with_whole(from, |from| reorder::permute(from, to, permutations))?;
    if let (Some(processes), Some((mode, partition))) = (processes(), divided) {
        let mut wanted = vec![Along::All; to.dims.len()];
        wanted[mode] = Along::Divided(partition);
        *to = parts::taken(to, &wanted, processes)?;
    }
    Ok(())
}

fn outermost_mode(tensor: &Tensor) -> Option<usize> {
    (0..tensor.dims.len()).find(|mode| slices::level_of(tensor, *mode) == Some(0))
}

/// Whether entries go to the processes that have their new rows: where no level depends on the order in which
/// they come.
fn is_exchanged(from: &Tensor, to: &Tensor, mode: usize, processes: &Processes) -> bool {
    let is_ordered = to.format.format.levels.iter().all(|level| level.kind.is_ordered());
    let is_long = from.whole_extent(mode) >= divided_from().max(processes.count) as i64;
    is_ordered && is_long && slices::level_of(to, mode).is_some()
}

fn permute_rows(
    from: &Tensor,
    to: &mut Tensor,
    permutations: &[Option<Permutation>],
    mode: usize,
    partition: Option<Arc<Partition>>,
    processes: &Processes,
) -> Result<(), Error> {
    let mut entries = unpack(from)?;
    in_the_whole(&mut entries, from);
    reorder::permute_entries(&mut entries, permutations);
    let partition = match partition {
        Some(partition) => partition,
        None => Arc::new(partition_for(to, &entries, mode, processes)?),
    };
    let entries = own_rows(entries, mode, &partition, processes)?;
    to.dims.clone_from(&entries.dims);
    to.placement = Placement::by_rows(mode, partition);
    pack::store(to, &entries)
}

/// Has the entries of a part stand at their coordinates in the whole tensor.
fn in_the_whole(entries: &mut CoordinateTensor, part: &Tensor) {
    if let Some(rows) = &part.placement.rows {
        let start = rows.own().start;
        entries.coords[rows.mode].iter_mut().for_each(|coordinate| *coordinate += start);
    }
    for mode in 0..part.dims.len() {
        if let Some(numbering) = part.placement.numbering(mode) {
            entries.coords[mode].iter_mut().for_each(|number| *number = numbering.coordinate(*number));
        }
    }
    entries.dims = part.whole_dims();
}
