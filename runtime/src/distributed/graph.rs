//! Parts of METIS: new numbers for rows and columns, and a range of these for each process.

use super::partition::Partition;
use super::{divided_from, moves, processes};
use crate::error::Error;
use crate::reorder::{self, Method, Parts, PartsWorth, Permutation};
use crate::tensor::Tensor;

/// Finds new numbers for the rows and columns of a square matrix, with a range for each process, and what
/// these are worth. The first process finds them for all, and alone knows their worth.
pub(crate) fn in_parts(
    tensor: &Tensor,
    method: Method,
) -> Result<Option<(Permutation, Partition, PartsWorth)>, Error> {
    let Some(processes) = processes().filter(|processes| processes.count > 1) else { return Ok(None) };
    let extent = tensor.whole_dims().first().copied().unwrap_or_default();
    if extent < divided_from().max(processes.count) as i64 {
        return Ok(None);
    }
    let rows = tensor.placement.rows.as_ref();
    let gathered = rows.map(|rows| moves::gathered_by_first(tensor, rows, processes)).transpose()?;
    let found = match processes.rank {
        0 => reorder::in_parts(gathered.as_ref().unwrap_or(tensor), method, processes.count),
        _ => Ok(None),
    };
    drop(gathered);
    // What the first one has: whether it is an error, or nothing, and then the numbers.
    let mut state = [match &found {
        Ok(Some(_)) => 0u64,
        Ok(None) => 1,
        Err(_) => 2,
    }];
    processes.replace(&mut state)?;
    let mut parts = match (state[0], found) {
        (_, Err(error)) => return Err(error),
        (1, _) => return Ok(None),
        (2, _) => return Err(Error::Shape("the first process finds no parts".to_owned())),
        (_, Ok(Some(parts))) => parts,
        _ => Parts {
            order: vec![0; extent as usize],
            bounds: vec![0; processes.count + 1],
            worth: PartsWorth::default(),
        },
    };
    processes.replace(&mut parts.order)?;
    processes.replace(&mut parts.bounds)?;
    Ok(Some((parts.permutation()?, Partition::with_bounds(parts.bounds), parts.worth)))
}
