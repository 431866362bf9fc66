//! Which label of a statement processes divide, and into which ranges.

use super::Processes;
use super::partition::Partition;
use super::statement::DivisibleStatement;
use crate::slices;
use crate::tensor::{Index, Tensor, with_indices};
use comet_format::Children;
use comet_notation::Operator;
use std::sync::Arc;

/// The label that is divided.
pub(super) struct Divided {
    pub(super) label: usize,
    pub(super) partition: Arc<Partition>,
    /// Whether each process has partial results for all of the result, and not its part of it.
    pub(super) is_reduced: bool,
}

/// Chooses the label. `None` where every process computes everything.
pub(super) fn divided_label(statement: &DivisibleStatement<'_>, processes: &Processes) -> Option<Divided> {
    if processes.count == 1 {
        return None;
    }
    let mut best: Option<(Score, usize)> = None;
    for label in 0..statement.labels.labels() {
        let is_chosen = statement.labels.chosen.is_none_or(|chosen| chosen == label);
        if !is_chosen || !can_be_divided(statement, label, processes) {
            continue;
        }
        let score = score(statement, label);
        if best.as_ref().is_none_or(|(other, _)| score > *other) {
            best = Some((score, label));
        }
    }
    let (_, label) = best?;
    let places = by_size(statement);
    let existing = places.iter().find_map(|place| statement.rows_along(*place, label));
    let partition = match existing {
        Some(rows) => rows.partition.clone(),
        None => Arc::new(new_partition(statement, &places, label, processes)),
    };
    Some(Divided { label, partition, is_reduced: !statement.labels.divides.contains(&label) })
}

/// How well tensors are divided along a label: first those that are declared to be, the sparse ones, then the
/// sizes of dense ones, and then whether it is the outermost one of the result.
type Score = (usize, usize, f64, bool);

/// A tensor counts where processes have its rows along the label already, so that what is divided stays so,
/// and half where its outermost level stores the label.
fn score(statement: &DivisibleStatement<'_>, label: usize) -> Score {
    let is_outermost = |place: usize| statement.outermost_label(place) == Some(label);
    let (mut sparse, mut dense) = (0, 0.0);
    for place in 0..statement.places.len() {
        let tensor = statement.tensor(place);
        if statement.labels.replicated.contains(&place) {
            continue;
        }
        let is_divided = statement.rows_along(place, label).is_some();
        let points = match is_divided {
            true => 2,
            false => usize::from(!tensor.is_divided() && is_outermost(place)),
        };
        match tensor.format.format.is_dense() {
            false => sparse += points,
            true => {
                let size: f64 = tensor.whole_dims().iter().map(|extent| *extent as f64).product();
                dense += points as f64 * size;
            }
        }
    }
    (statement.stated_along(label), sparse, dense, is_outermost(statement.result()))
}

/// The places of tensors, sparse ones first, and large ones before small ones.
fn by_size(statement: &DivisibleStatement<'_>) -> Vec<usize> {
    let size = |place: &usize| {
        let tensor = statement.tensor(*place);
        let size: f64 = tensor.whole_dims().iter().map(|extent| *extent as f64).product();
        (tensor.format.format.is_dense(), -size)
    };
    let mut places: Vec<usize> = (0..statement.places.len()).collect();
    places.sort_by(|left, right| size(left).partial_cmp(&size(right)).expect("extents are numbers"));
    places
}

fn can_be_divided(statement: &DivisibleStatement<'_>, label: usize, processes: &Processes) -> bool {
    // The coordinates of a second mode with the label become local numbers, if they are listed.
    let result = statement.labeled(statement.result());
    let of_result = || result.labels.iter().enumerate().filter(|(_, other)| **other == label);
    let lists = |mode| slices::listing_level(statement.tensor(statement.result()), mode).is_some();
    if of_result().skip(1).any(|(mode, _)| !lists(mode)) {
        return false;
    }
    let has_fewer = statement.extent(label) < processes.count as i64;
    if !statement.is_divisible(label) || has_fewer && statement.stated_along(label) == 0 {
        return false;
    }
    if statement.labels.divides.contains(&label) {
        return true;
    }
    let reduction = statement.labels.reduction.as_ref().filter(|other| other.labels.contains(&label));
    let Some(reduction) = reduction else { return false };
    let result = statement.tensor(statement.result());
    let format = &result.format.format;
    let is_added = reduction.operator == Operator::Add.name() && !format.is_dense();
    result.format.value.is_computed() && (slices::is_dense(result) || is_added)
}

/// A partition that balances the entries of the largest sparse tensor whose outermost level stores the mode.
fn new_partition(
    statement: &DivisibleStatement<'_>,
    places: &[usize],
    label: usize,
    processes: &Processes,
) -> Partition {
    let is_overwritten = !statement.labels.accumulates && !statement.reads_result();
    let result = statement.places[statement.result()];
    let has_entries = |place: &&usize| !is_overwritten || statement.places[**place] != result;
    let balancing = places.iter().filter(has_entries).find_map(|place| {
        let (tensor, mode) = (statement.tensor(*place), statement.labeled(*place).mode_of(label)?);
        let outermost = tensor.format.format.levels.first()?.kind;
        let is_counted = !tensor.format.format.is_dense()
            && slices::level_of(tensor, mode) == Some(0)
            && (outermost.is_full() || slices::listing_level(tensor, mode) == Some(0))
            && !tensor.is_divided();
        is_counted.then_some((tensor, mode))
    });
    match balancing {
        Some((tensor, mode)) => balanced(tensor, mode, processes.count),
        None => Partition::even(statement.extent(label), processes.count),
    }
}

/// Ranges of a mode with about as many positions each, of a tensor whose outermost level stores it.
fn balanced(tensor: &Tensor, mode: usize, count: usize) -> Partition {
    let levels = &tensor.format.format.levels;
    let is_listed = !levels[0].kind.is_full();
    let position = |coordinate: i64| match is_listed {
        true => with_indices!(&tensor.levels[0].crd, crd => {
            crd.partition_point(|other| other.signed() < coordinate)
        }),
        false => coordinate as usize,
    };
    let below = |position: usize| {
        (1..levels.len()).fold(position, |position, level| match levels[level].kind.children() {
            Children::Every => position * tensor.level_size(level) as usize,
            Children::Segment => tensor.levels[level].pos.get(position) as usize,
            Children::One => position,
        })
    };
    Partition::balanced(tensor.dims[mode], count, |coordinate| below(position(coordinate)))
}
