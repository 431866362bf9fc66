//! Reordering: new numbers for the indices of a tensor's modes, so that entries that are used together lie
//! together (comet.txt section 7). Nothing but the numbers changes.
//!
//! *Before*, a chain of four vertices whose numbers came by chance, and *after* [`Method::Rcm`], with the
//! permutation `1 3 0 2` in both modes:
//!
//! ```text
//!     0 1 2 3          0 1 2 3
//!   0 x . x x        0 x x . .
//!   1 . x . x        1 x x x .
//!   2 x . x .        2 . x x x
//!   3 x x . x        3 . . x x
//! ```

mod counting;
mod degree;
mod fibers;
mod graph;
mod lexi;
mod measure;
mod parts;
mod pattern;
mod permutation;
mod permuted;
mod prediction;
mod rcm;
mod refine;

pub use comet_abi::reorder::Method;
pub use measure::{Measures, measure, measure_reordered};
pub(crate) use parts::{Parts, PartsWorth};
pub use permutation::Permutation;
pub use permuted::permute;
pub(crate) use permuted::permute_entries;
pub use prediction::{Effect, Prediction};

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::tensor::Tensor;
use pattern::EntryPattern;

/// The modes that get new numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Modes {
    /// Every mode.
    All,
    /// These, counted from 0, in any order; LexiOrder sorts them in this one.
    Only(Vec<usize>),
}

/// One permutation for each mode; that of a mode that is not chosen changes nothing.
///
/// # Errors
/// [`Error::Shape`] for coordinates outside of the extents, modes that are not there, and what
/// [`Method::Rcm`] does not do; [`Error::OutOfMemory`] for extents that the memory cannot hold permutations
/// of.
pub fn reorder(entries: &CoordinateTensor, method: Method, modes: &Modes) -> Result<Vec<Permutation>, Error> {
    let pattern = EntryPattern::of(entries)?;
    let chosen = chosen_modes(modes, pattern.rank())?;
    reorder_pattern(pattern, method, &chosen)
}

/// Reorders all modes of a stored tensor.
///
/// # Errors
/// The errors of [`reorder`].
pub fn reorder_tensor(tensor: &Tensor, method: Method) -> Result<Vec<Permutation>, Error> {
    let pattern = EntryPattern::of_tensor(tensor)?;
    let all: Vec<usize> = (0..pattern.rank()).collect();
    reorder_pattern(pattern, method, &all)
}

/// The rows of a square matrix in parts, one for each process.
///
/// # Errors
/// [`Error::Shape`] for other tensors; no memory.
pub(crate) fn in_parts(tensor: &Tensor, method: Method, processes: usize) -> Result<Option<Parts>, Error> {
    let pattern = EntryPattern::of_tensor(tensor)?;
    parts::find(&pattern, method, processes)
}

/// Returns the part of each row of a square matrix, of which columns of the coordinates of entries are known:
/// parts that `--partition=graph` divides it into.
///
/// # Errors
/// [`Error::Shape`] for other extents; no memory.
pub fn parts_of_rows(extents: Vec<usize>, columns: Vec<Vec<u32>>, parts: usize) -> Result<Vec<u32>, Error> {
    let found = parts::best(&EntryPattern { extents, columns }, parts)?;
    Ok(found.of_rows.into_iter().map(|part| part as u32).collect())
}

fn reorder_pattern(
    pattern: EntryPattern,
    method: Method,
    chosen: &[usize],
) -> Result<Vec<Permutation>, Error> {
    match method {
        Method::Lexi { iterations } => lexi::reorder(&pattern, chosen, iterations),
        Method::Rcm => rcm::reorder(&pattern, chosen),
        Method::Degree => degree::reorder(&pattern.sorted(), chosen),
        Method::Graph | Method::Auto => {
            Err(Error::Shape("parts are for processes, and there is one".to_owned()))
        }
    }
}

/// Permutes the coordinates of every entry; the order of the entries stays.
///
/// # Errors
/// [`Error::Shape`] where the permutations are not one for each mode and as long as its extent.
pub fn apply(entries: &mut CoordinateTensor, permutations: &[Permutation]) -> Result<(), Error> {
    entries.check()?;
    if permutations.len() != entries.rank() {
        return Err(Error::Shape(format!(
            "a tensor of rank {} takes as many permutations, found {}",
            entries.rank(),
            permutations.len()
        )));
    }
    for (mode, (permutation, &extent)) in permutations.iter().zip(&entries.dims).enumerate() {
        if permutation.len() as i64 != extent {
            let found = permutation.len();
            return Err(Error::Shape(format!(
                "the permutation of mode {mode} has {found} indices, expected {extent}"
            )));
        }
    }
    entries.coords.iter_mut().zip(permutations).for_each(|(column, permutation)| permutation.apply(column));
    Ok(())
}

fn chosen_modes(modes: &Modes, rank: usize) -> Result<Vec<usize>, Error> {
    let Modes::Only(chosen) = modes else { return Ok((0..rank).collect()) };
    for (place, &mode) in chosen.iter().enumerate() {
        if mode >= rank {
            return Err(Error::Shape(format!(
                "mode {mode} is to be reordered, but the tensor has rank {rank}: modes are counted from 0"
            )));
        }
        if chosen[..place].contains(&mode) {
            return Err(Error::Shape(format!("mode {mode} is to be reordered twice: name it once")));
        }
    }
    Ok(chosen.clone())
}
