//! How processes divide a statement: which label, and where each of its tensors comes from.
//!
//! Every process decides alike, from what is the same on all: the statement, the extents, and how tensors are
//! placed. [`begin`] chooses the label that is divided, takes the rows of tensors that have it, gives local
//! numbers to labels along which rows of other processes are needed, and receives these. Tensors that have
//! the label stay divided. [`finish`] puts partial results together.

use super::choice::{DividedLabel, divided_label};
use super::fold::{self, Fold};
use super::needed::numbered;
use super::numbering::Numbering;
use super::partition::Partition;
use super::parts::{self, Along};
use super::statement::DivisibleStatement;
use super::{DivisionReport, Processes, ghosts};
use crate::error::Error;
use crate::output;
use crate::pack;
use crate::tensor::Tensor;
use std::sync::Arc;

/// A statement that this process computes its part of.
pub(crate) struct Division {
    /// The extent of each label here.
    pub(crate) extents: Vec<i64>,
    /// What the statement is computed on, in the place of its tensors: what this process has of them where
    /// there is none.
    pub(crate) parts: Vec<Option<Tensor>>,
    /// The place whose part is in each place: the last one with the same tensor and labels.
    pub(crate) sources: Vec<usize>,
    /// The local numbers of the rows for which operands have lent their values.
    lent: Vec<Option<Arc<Numbering>>>,
    fold: Option<Fold>,
    /// Whether every process is to have all of the result.
    is_gathered: bool,
    report: Option<DivisionReport>,
}

impl Division {
    /// A statement that one process computes alone.
    pub(crate) fn alone(statement: &DivisibleStatement<'_>) -> Self {
        Self {
            extents: statement.whole_extents(),
            parts: statement.places.iter().map(|_| None).collect(),
            sources: (0..statement.places.len()).collect(),
            lent: Vec::new(),
            fold: None,
            is_gathered: false,
            report: None,
        }
    }

    /// Returns what an operand has lent to its part, if it has: the part is freed otherwise.
    pub(crate) fn give_back(&self, place: usize, part: Tensor, operand: &mut Tensor) -> Result<(), Error> {
        match self.lent.get(place) {
            Some(Some(numbering)) => ghosts::take_back(part, operand, numbering),
            _ => Ok(()),
        }
    }
}

/// Provides what this process computes a statement on.
pub(crate) fn begin(
    statement: &mut DivisibleStatement<'_>,
    processes: &Processes,
    mut report: Option<DivisionReport>,
) -> Result<Division, Error> {
    // Another process that fails ends this one while it computes.
    output::flush();
    gather_replicated(statement, processes, &mut report)?;
    let divided = divided_label(statement, processes.count);
    if divided.is_none() {
        report.iter_mut().for_each(|report| report.undivided(statement, processes));
    }
    begin_along(statement, divided.as_ref(), processes, report)
}

/// Has every process have all of the tensors that are declared so.
pub(super) fn gather_replicated(
    statement: &mut DivisibleStatement<'_>,
    processes: &Processes,
    report: &mut Option<DivisionReport>,
) -> Result<(), Error> {
    for place in statement.description.replicated.clone() {
        parts::gather(statement.tensor_mut(place), processes)?;
        let name = &statement.labeled(place).name;
        report.iter_mut().for_each(|report| report.placed(name, "gathered", processes));
    }
    Ok(())
}

/// What processes have agreed on of the labels of a statement.
struct AgreedLabels {
    /// What this process computes with along each.
    along: Vec<Along>,
    /// The local numbers of a second mode with the divided label.
    own: Option<Arc<Numbering>>,
    /// The label of the result along which partial results are put together.
    target: Option<(usize, Arc<Partition>)>,
}

/// Provides what this process computes a statement on, where it is known what is divided.
pub(super) fn begin_along(
    statement: &mut DivisibleStatement<'_>,
    divided: Option<&DividedLabel>,
    processes: &Processes,
    mut report: Option<DivisionReport>,
) -> Result<Division, Error> {
    let labels = agree(statement, divided, processes, &mut report)?;
    give_coordinates_back(statement, &labels.along)?;
    let (mut parts, mut lent) = (Vec::new(), Vec::new());
    for place in 0..statement.places.len() {
        let wanted = statement.wanted(place, &labels.along, labels.own.as_ref());
        let (part, lent_rows) = part_of(statement, place, &wanted, processes)?;
        if part.is_some() {
            report.iter_mut().for_each(|report| report.taken(statement, place, &wanted, processes));
        }
        parts.push(part);
        lent.push(lent_rows);
    }
    let (result, extents) = (statement.result(), statement.local_extents(&labels.along, processes));
    statement.tensor_mut(result).placement.forget();
    let wanted = statement.wanted(result, &labels.along, labels.own.as_ref());
    let dims = statement.labeled(result).labels.iter().map(|label| extents[*label]).collect();
    let mut fold = None;
    if divided.is_some_and(|divided| divided.is_reduced) {
        let (planned, partial) = fold::begin(statement, labels.target, wanted, dims)?;
        (fold, parts[result]) = (Some(planned), Some(partial));
    } else {
        prepare_result(statement, &wanted, dims, processes)?;
    }
    // What reads the result reads what there is of it so far.
    let source = |place: usize| Some(statement.last_of(place)).filter(|last| *last != result);
    let sources = (0..=result).map(|place| source(place).unwrap_or(place)).collect();
    let is_gathered = statement.description.replicated.contains(&result);
    Ok(Division { extents, parts, sources, lent, fold, is_gathered, report })
}

/// Has tensors be divided along the label, and gives other labels local numbers where rows of other processes
/// are needed along them.
fn agree(
    statement: &mut DivisibleStatement<'_>,
    divided: Option<&DividedLabel>,
    processes: &Processes,
    report: &mut Option<DivisionReport>,
) -> Result<AgreedLabels, Error> {
    let mut along = vec![Along::All; statement.description.label_count()];
    let Some(divided) = divided else { return Ok(AgreedLabels { along, own: None, target: None }) };
    along[divided.label] = Along::Divided(divided.partition.clone());
    align(statement, divided, processes, report)?;
    let target = if divided.is_reduced { fold::target(statement, divided) } else { None };
    for label in (0..along.len()).filter(|label| *label != divided.label) {
        let folded = target.as_ref().filter(|(other, _)| *other == label).map(|(_, partition)| partition);
        if let Some(numbering) = numbered(statement, divided, label, folded, processes)? {
            along[label] = Along::Numbered(numbering);
        }
    }
    report.iter_mut().for_each(|report| report.agreed(statement, divided, processes));
    let own = Some(Arc::new(Numbering::of_own(&divided.partition, processes.rank)));
    Ok(AgreedLabels { along, own, target })
}

/// Has each tensor that has the divided label be divided along it, in the first place that it is in.
pub(super) fn align(
    statement: &mut DivisibleStatement<'_>,
    divided: &DividedLabel,
    processes: &Processes,
    report: &mut Option<DivisionReport>,
) -> Result<(), Error> {
    let mut aligned: Vec<usize> = Vec::new();
    for place in 0..statement.places.len() {
        let Some(mode) = statement.labeled(place).mode_of(divided.label) else { continue };
        // What is overwritten need not be moved.
        let is_overwritten = place == statement.result() && !statement.description.accumulates;
        let is_replicated = statement.description.replicated.contains(&place);
        if aligned.contains(&statement.places[place]) || is_overwritten || is_replicated {
            continue;
        }
        aligned.push(statement.places[place]);
        let rows = statement.rows_along(place, divided.label);
        if rows.is_none_or(|rows| rows.partition != divided.partition) {
            let tensor = statement.tensor_mut(place);
            let mut wanted = vec![Along::All; tensor.dims.len()];
            wanted[mode] = Along::Divided(divided.partition.clone());
            *tensor = parts::taken(tensor, &wanted, processes)?;
            let name = &statement.labeled(place).name;
            report.iter_mut().for_each(|report| report.placed(name, "divided", processes));
        }
    }
    Ok(())
}

/// Has what has local numbers of another statement have coordinates again, unless the tensor is in another
/// place that has these numbers: then this place gets a copy.
fn give_coordinates_back(statement: &mut DivisibleStatement<'_>, along: &[Along]) -> Result<(), Error> {
    for place in 0..statement.places.len() {
        for mode in 0..statement.labeled(place).labels.len() {
            let is_numbered = |other: usize| {
                let is_same = statement.places[other] == statement.places[place];
                is_same && matches!(along[statement.labeled(other).labels[mode]], Along::Numbered(_))
            };
            let is_all = matches!(along[statement.labeled(place).labels[mode]], Along::All);
            let is_kept = (0..statement.places.len()).any(is_numbered);
            if is_all && !is_kept && statement.tensor(place).placement.numbering(mode).is_some() {
                parts::renumber(statement.tensor_mut(place), mode, None)?;
            }
        }
    }
    Ok(())
}

/// Returns what the statement is computed on in the place of a tensor, with the local numbers of the rows for
/// which the tensor has lent its values. `None` where that is what this process has of it or another place
/// has the same, and for the result, which is prepared by itself.
fn part_of(
    statement: &mut DivisibleStatement<'_>,
    place: usize,
    wanted: &[Along],
    processes: &Processes,
) -> Result<(Option<Tensor>, Option<Arc<Numbering>>), Error> {
    if let Some((mode, numbering)) = lending(statement, place, wanted) {
        let part = ghosts::lend(statement.tensor_mut(place), mode, &numbering, processes)?;
        if part.is_some() {
            return Ok((part, Some(numbering)));
        }
    }
    let has_none = statement.last_of(place) != place || place == statement.result();
    if has_none || parts::is_wanted(statement.tensor(place), wanted) {
        return Ok((None, None));
    }
    let is_whole = wanted.iter().all(|along| matches!(along, Along::All));
    if is_whole && statement.tensor(place).is_constant() {
        parts::gather(statement.tensor_mut(place), processes)?;
        return Ok((None, None));
    }
    Ok((Some(parts::taken(statement.tensor(place), wanted, processes)?), None))
}

/// The mode and the local numbers of the rows for which an operand can lend its values: nothing else is
/// wanted of it, there or in another place.
fn lending(
    statement: &DivisibleStatement<'_>,
    place: usize,
    wanted: &[Along],
) -> Option<(usize, Arc<Numbering>)> {
    let (tensor, tensor_number) = (statement.tensor(place), statement.places[place]);
    let rows = tensor.placement.rows.as_ref()?;
    let mut same = (0..statement.places.len()).filter(|other| statement.places[*other] == tensor_number);
    let is_alone = place != statement.result() && same.all(|other| statement.last_of(other) == place);
    let is_whole =
        |mode: usize| matches!(wanted[mode], Along::All) && tensor.placement.numbering(mode).is_none();
    let others_are_whole = (0..wanted.len()).all(|mode| mode == rows.mode || is_whole(mode));
    match &wanted[rows.mode] {
        Along::Numbered(numbering)
            if is_alone && others_are_whole && rows.partition == *numbering.partition() =>
        {
            Some((rows.mode, numbering.clone()))
        }
        _ => None,
    }
}

/// Makes room for a result that is computed in place.
fn prepare_result(
    statement: &mut DivisibleStatement<'_>,
    wanted: &[Along],
    dims: Vec<i64>,
    processes: &Processes,
) -> Result<(), Error> {
    let overwrites = statement.overwrites_result();
    let tensor = statement.tensor_mut(statement.result());
    if parts::is_wanted(tensor, wanted) {
        return Ok(());
    }
    if !overwrites {
        *tensor = parts::taken(tensor, wanted, processes)?;
        return Ok(());
    }
    drop(tensor.take_storage());
    (tensor.dims, tensor.placement) = (dims, parts::wanted_placement(wanted));
    pack::store_nothing(tensor)
}

/// Puts the partial results of all processes together, and reports what has moved.
pub(crate) fn finish(
    division: Division,
    partial: Option<Tensor>,
    result: &mut Tensor,
    processes: &Processes,
) -> Result<(), Error> {
    match finish_part(division, partial, result, processes)? {
        Some(report) => report.finish(result, processes),
        None => Ok(()),
    }
}

/// Puts the partial results of all processes together, and returns the report.
pub(super) fn finish_part(
    mut division: Division,
    partial: Option<Tensor>,
    result: &mut Tensor,
    processes: &Processes,
) -> Result<Option<DivisionReport>, Error> {
    if let (Some(fold), Some(partial)) = (division.fold, partial) {
        fold.finish(partial, result, processes)?;
    }
    if division.is_gathered {
        parts::gather(result, processes)?;
        division.report.iter_mut().for_each(|report| report.placed(&result.name, "gathered", processes));
    }
    Ok(division.report)
}
