//! What a statement wants of a tensor, along each of its modes, and how a process gets it.

use super::Processes;
use super::numbering::Numbering;
use super::partition::Partition;
use super::placement::{Placement, TensorRows};
use super::{ghosts, moves};
use crate::convert::fill_with;
use crate::error::Error;
use crate::pack;
use crate::slices::{self, Slice};
use crate::tensor::Tensor;
use crate::values::ValueColumn;
use std::sync::Arc;

/// The coordinates along a label that a process computes with.
#[derive(Clone, Debug)]
pub(super) enum Along {
    All,
    /// Its range of them.
    Divided(Arc<Partition>),
    /// Those that have local numbers.
    Numbered(Arc<Numbering>),
}

impl Along {
    /// How many there are, of a label with an extent.
    pub(super) fn extent(&self, whole: i64, rank: usize) -> i64 {
        match self {
            Self::All => whole,
            Self::Divided(partition) => partition.range(rank).end - partition.range(rank).start,
            Self::Numbered(numbering) => numbering.len() as i64,
        }
    }
}

/// Whether what a process has of a tensor is what is wanted along its modes.
pub(super) fn is_wanted(tensor: &Tensor, wanted: &[Along]) -> bool {
    let rows = tensor.placement.rows.as_ref();
    !tensor.is_constant()
        && wanted.iter().enumerate().all(|(mode, along)| {
            let own_rows = rows.filter(|rows| rows.mode == mode);
            let numbering = tensor.placement.numbering(mode);
            match along {
                Along::All => own_rows.is_none() && numbering.is_none(),
                Along::Divided(partition) => own_rows.is_some_and(|rows| rows.partition == *partition),
                Along::Numbered(wanted) => {
                    own_rows.is_none() && numbering.is_some_and(|numbering| Arc::ptr_eq(numbering, wanted))
                }
            }
        })
}

/// The placement of a tensor that is what is wanted.
pub(super) fn wanted_placement(wanted: &[Along]) -> Placement {
    let divided = wanted.iter().enumerate().find_map(|(mode, along)| match along {
        Along::Divided(partition) => Some(Placement::by_rows(mode, partition.clone())),
        _ => None,
    });
    let mut placement = divided.unwrap_or_default();
    for (mode, along) in wanted.iter().enumerate() {
        if let Along::Numbered(numbering) = along {
            placement.set_numbering(mode, Some(numbering.clone()));
        }
    }
    placement
}

/// Returns a tensor that is what is wanted.
pub(super) fn taken(tensor: &Tensor, wanted: &[Along], processes: &Processes) -> Result<Tensor, Error> {
    if let Some(value) = tensor.placement.as_constant() {
        return stored(tensor, value, wanted, processes);
    }
    let divided = wanted.iter().enumerate().find_map(|(mode, along)| match along {
        Along::Divided(partition) => Some((mode, partition)),
        _ => None,
    });
    let rows = tensor.placement.rows.as_ref();
    let mut expanded = None;
    let mut part = match (divided, rows) {
        (Some((mode, partition)), None) => {
            slices::joined(&[Slice::new(tensor, partition.range(processes.rank))], mode)?
        }
        (Some((mode, partition)), Some(rows)) if rows.mode != mode || rows.partition != *partition => {
            moves::redistributed(tensor, rows, mode, partition, processes)?
        }
        (None, Some(rows)) => match &wanted[rows.mode] {
            Along::Numbered(numbering) => {
                expanded = Some(rows.mode);
                expand(tensor, rows, numbering, processes)?
            }
            _ => moves::gathered(tensor, rows, processes)?,
        },
        _ => moves::copied(tensor)?,
    };
    part.placement = Placement::default();
    if let Some((mode, partition)) = divided {
        part.placement = Placement::by_rows(mode, partition.clone());
    }
    for (mode, along) in wanted.iter().enumerate() {
        let Along::Numbered(numbering) = along else { continue };
        if expanded != Some(mode) {
            let placement = part.placement.clone();
            part = slices::joined(&[Slice { tensor: &part, ranges: numbering.coordinates() }], mode)?;
            part.placement = placement;
        }
        part.placement.set_numbering(mode, Some(numbering.clone()));
    }
    Ok(part)
}

/// Stores what is wanted of a tensor whose elements have one value.
fn stored(
    tensor: &Tensor,
    value: &ValueColumn,
    wanted: &[Along],
    processes: &Processes,
) -> Result<Tensor, Error> {
    let mut part = Tensor::new(&tensor.name, tensor.format.clone());
    part.dims_stated.clone_from(&tensor.dims_stated);
    let extents = wanted.iter().zip(&tensor.dims);
    part.dims = extents.map(|(along, extent)| along.extent(*extent, processes.rank)).collect();
    part.placement = wanted_placement(wanted);
    pack::store_nothing(&mut part)?;
    fill_with(&mut part, value)?;
    Ok(part)
}

/// Receives the rows that have local numbers.
fn expand(
    tensor: &Tensor,
    rows: &TensorRows,
    numbering: &Numbering,
    processes: &Processes,
) -> Result<Tensor, Error> {
    if rows.partition == *numbering.partition() {
        return ghosts::expanded(tensor, rows.mode, numbering, processes);
    }
    let own = moves::redistributed(tensor, rows, rows.mode, numbering.partition(), processes)?;
    ghosts::expanded(&own, rows.mode, numbering, processes)
}

/// Has the listed coordinates of a mode be local numbers, or coordinates again.
pub(super) fn renumber(
    tensor: &mut Tensor,
    mode: usize,
    numbering: Option<&Arc<Numbering>>,
) -> Result<(), Error> {
    let old = tensor.placement.numbering(mode).cloned();
    let whole = tensor.whole_extent(mode);
    let coordinate = |number| old.as_ref().map_or(number, |old| old.coordinate(number));
    if numbering.is_some() || old.is_some() {
        slices::own_coordinates(tensor, mode)?;
    }
    match numbering {
        Some(new) => slices::renumber(tensor, mode, new.len() as i64, |old| new.local(coordinate(old)))?,
        None if old.is_some() => slices::renumber(tensor, mode, whole, coordinate)?,
        None => return Ok(()),
    }
    tensor.placement.set_numbering(mode, numbering.cloned());
    Ok(())
}

/// Has a tensor be whole on every process.
pub(super) fn gather(tensor: &mut Tensor, processes: &Processes) -> Result<(), Error> {
    if !tensor.placement.is_everywhere() {
        *tensor = taken(tensor, &vec![Along::All; tensor.dims.len()], processes)?;
    }
    Ok(())
}
