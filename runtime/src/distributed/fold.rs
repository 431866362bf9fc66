//! Partial results, which processes have where they divide a label that is reduced.

use super::Processes;
use super::choice::DividedLabel;
use super::partition::Partition;
use super::parts::{self, Along};
use super::placement::Placement;
use super::statement::DivisibleStatement;
use super::{ghosts, moves};
use crate::error::Error;
use crate::pack;
use crate::slices;
use crate::tensor::Tensor;
use comet_notation::Operator;
use std::sync::Arc;

/// So many values a process receives at most for every process to have all of a result.
const FEW: i64 = 1 << 12;

/// How partial results are put together.
pub(super) struct Fold {
    operator: Operator,
    accumulates: bool,
    /// The mode of the result of which each process gets rows; every process gets all where there is none.
    rows: Option<(usize, Arc<Partition>)>,
    /// What a partial result has along each mode.
    along: Vec<Along>,
}

/// The label of the result along which each process gets rows of it. Of a small result, every process gets
/// all, unless something is divided along its labels.
pub(super) fn target(
    statement: &DivisibleStatement<'_>,
    divided: &DividedLabel,
) -> Option<(usize, Arc<Partition>)> {
    let result = statement.result();
    let labels = &statement.labeled(result).labels;
    let is_outside = |place: &usize| statement.labeled(*place).mode_of(divided.label).is_none();
    let existing = labels.iter().find_map(|label| {
        // The result comes first.
        let mut places = (0..=result).rev().filter(is_outside);
        places.find_map(|place| Some((*label, statement.rows_along(place, *label)?.partition.clone())))
    });
    if existing.is_some() {
        return existing;
    }
    let count = labels.iter().map(|label| statement.extent(*label)).fold(1, i64::saturating_mul);
    let processes = divided.partition.processes();
    if count.saturating_mul(processes as i64 - 1) <= FEW {
        return None;
    }
    let label = long_label(statement, processes)?;
    Some((label, Arc::new(Partition::even(statement.extent(label), processes))))
}

/// The label of the outermost level of the result that has enough coordinates to be divided.
fn long_label(statement: &DivisibleStatement<'_>, processes: usize) -> Option<usize> {
    let result = statement.result();
    let levels = &statement.tensor(result).format.format.levels;
    let modes = levels.iter().filter_map(|level| level.expr.mode());
    let mut labels = modes.map(|mode| statement.labeled(result).labels[mode]);
    labels.find(|label| statement.is_divisible(*label) && statement.extent(*label) >= processes as i64)
}

/// Makes room for the partial result of this process.
pub(super) fn begin(
    statement: &DivisibleStatement<'_>,
    target: Option<(usize, Arc<Partition>)>,
    along: Vec<Along>,
    dims: Vec<i64>,
) -> Result<(Fold, Tensor), Error> {
    let (result, labeled) = (statement.tensor(statement.result()), statement.labeled(statement.result()));
    let mut partial = Tensor::new(&result.name, result.format.clone());
    partial.dims_stated.clone_from(&result.dims_stated);
    partial.dims = dims;
    pack::store_nothing(&mut partial)?;
    let operator = statement.description.reduction.as_ref();
    let operator = operator.and_then(|reduction| Operator::named(&reduction.operator));
    let operator = operator.ok_or_else(|| Error::Internal("the reduction has no operator".to_owned()))?;
    let rows = target.and_then(|(label, partition)| Some((labeled.mode_of(label)?, partition)));
    Ok((Fold { operator, accumulates: statement.description.accumulates, rows, along }, partial))
}

impl Fold {
    /// Puts the partial results of all processes together.
    pub(super) fn finish(
        self,
        partial: Tensor,
        result: &mut Tensor,
        processes: &Processes,
    ) -> Result<(), Error> {
        if self.accumulates {
            self.place(result, processes)?;
        }
        let mut combined = match slices::is_dense(&partial) {
            true => self.combined(partial, result, processes)?,
            false => self.summed(partial, result, processes)?,
        };
        let rows = self.rows;
        combined.placement =
            rows.map_or_else(Placement::default, |(mode, partition)| Placement::by_rows(mode, partition));
        *result = combined;
        Ok(())
    }

    /// Has the result, which is added to, be placed as partial results are put together.
    fn place(&self, result: &mut Tensor, processes: &Processes) -> Result<(), Error> {
        let mut wanted = vec![Along::All; result.dims.len()];
        if let Some((mode, partition)) = &self.rows {
            wanted[*mode] = Along::Divided(partition.clone());
        }
        if !parts::is_wanted(result, &wanted) {
            *result = parts::taken(result, &wanted, processes)?;
        }
        Ok(())
    }

    fn combined(&self, mut partial: Tensor, result: &Tensor, processes: &Processes) -> Result<Tensor, Error> {
        let mut combined = match &self.rows {
            Some((mode, partition)) => {
                let rows = match &self.along[*mode] {
                    Along::Numbered(numbering) => {
                        assert_eq!(numbering.partition(), partition, "numbers are of the same ranges");
                        ghosts::FoldedRows::numbered(numbering)
                    }
                    _ => ghosts::FoldedRows::all(partition, processes.rank),
                };
                ghosts::folded(&partial, *mode, &rows, self.operator, processes)?
            }
            None => {
                ghosts::combined(&mut partial, self.operator, processes)?;
                partial
            }
        };
        if self.accumulates {
            ghosts::add(&mut combined, result)?;
        }
        Ok(combined)
    }

    fn summed(&self, mut partial: Tensor, result: &Tensor, processes: &Processes) -> Result<Tensor, Error> {
        for (mode, along) in self.along.iter().enumerate() {
            if let Along::Numbered(numbering) = along {
                let extent = numbering.partition().extent();
                slices::renumber(&mut partial, mode, extent, |local| numbering.coordinate(local))?;
            }
        }
        let target = self.rows.as_ref().map(|(mode, partition)| (*mode, &**partition));
        moves::summed(&partial, target, self.accumulates.then_some(result), processes)
    }
}
