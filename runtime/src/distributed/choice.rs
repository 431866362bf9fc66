//! Which label of a statement processes divide, and into which ranges.

use super::partition::Partition;
use super::statement::DivisibleStatement;
use crate::slices;
use crate::tensor::Tensor;
use comet_notation::Operator;
use std::sync::Arc;

/// The label that is divided.
pub(super) struct DividedLabel {
    pub(super) label: usize,
    pub(super) partition: Arc<Partition>,
    /// Whether each process has partial results for all of the result, and not its part of it.
    pub(super) is_reduced: bool,
}

/// Chooses the label that so many processes divide. `None` where every process computes everything.
pub(super) fn divided_label(statement: &DivisibleStatement<'_>, processes: usize) -> Option<DividedLabel> {
    if processes == 1 {
        return None;
    }
    let mut best: Option<(Score, usize)> = None;
    for label in 0..statement.description.label_count() {
        let is_chosen = statement.description.chosen.is_none_or(|chosen| chosen == label);
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
    Some(DividedLabel { label, partition, is_reduced: !statement.description.divides.contains(&label) })
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
        if statement.description.replicated.contains(&place) {
            continue;
        }
        let is_divided = statement.rows_along(place, label).is_some();
        let points = match is_divided {
            true => 2,
            false => {
                let is_free = !tensor.is_divided() || tensor.is_constant();
                usize::from(is_free && is_outermost(place))
            }
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

fn can_be_divided(statement: &DivisibleStatement<'_>, label: usize, processes: usize) -> bool {
    // The coordinates of a second mode with the label become local numbers, if they are listed.
    let result = statement.labeled(statement.result());
    let of_result = || result.labels.iter().enumerate().filter(|(_, other)| **other == label);
    let lists = |mode| slices::listing_level(statement.tensor(statement.result()), mode).is_some();
    if of_result().skip(1).any(|(mode, _)| !lists(mode)) {
        return false;
    }
    let has_fewer = statement.extent(label) < processes as i64;
    if !statement.is_divisible(label) || has_fewer && statement.stated_along(label) == 0 {
        return false;
    }
    if statement.description.divides.contains(&label) {
        return true;
    }
    let reduction = statement.description.reduction.as_ref().filter(|other| other.labels.contains(&label));
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
    processes: usize,
) -> Partition {
    let result = statement.places[statement.result()];
    let has_entries = |place: &&usize| !statement.overwrites_result() || statement.places[**place] != result;
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
        Some((tensor, mode)) => balanced(tensor, mode, processes),
        None => Partition::even(statement.extent(label), processes),
    }
}

/// Ranges of a mode with about as many positions each, of a tensor whose outermost level stores it.
fn balanced(tensor: &Tensor, mode: usize, count: usize) -> Partition {
    let entries_before = |coordinate: i64| {
        let levels = 1..tensor.levels.len();
        levels.fold(slices::position(tensor, coordinate), |parent, level| {
            slices::first_child(tensor, level, parent)
        })
    };
    Partition::balanced(tensor.dims[mode], count, entries_before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coordinates::CoordinateTensor;
    use crate::distributed::fold;
    use crate::distributed::placement::Placement;
    use crate::pack::{pack, store_nothing};
    use crate::values::ValueColumn;
    use comet_abi::distribution::StatementDescription;

    /// Row i of this many columns has i entries, as far as there are columns.
    fn matrix(rows: i64, columns: i64, format: &str) -> Tensor {
        let entries = (0..rows).flat_map(|row| (0..row.min(columns)).map(move |column| (row, column)));
        let (row, column): (Vec<i64>, Vec<i64>) = entries.unzip();
        let values = ValueColumn::F64(vec![1.0; row.len()]);
        let coords = CoordinateTensor { dims: vec![rows, columns], coords: vec![row, column], values };
        pack(&coords, &format.parse().unwrap()).unwrap()
    }

    fn vector(extent: i64) -> Tensor {
        let values = ValueColumn::F64(vec![1.0; extent as usize]);
        let coords = CoordinateTensor { dims: vec![extent], coords: vec![(0..extent).collect()], values };
        pack(&coords, &"f64 i32 (0 : D)".parse().unwrap()).unwrap()
    }

    const CSR: &str = "f64 i32 (0 : D, 1 : CU)";

    /// What is divided among three processes: the label, the bounds of ranges, and whether results are
    /// partial.
    fn divided(text: &str, tensors: &mut [Tensor]) -> Option<(usize, Partition, bool)> {
        let description: StatementDescription = text.parse().unwrap();
        let places = (0..tensors.len()).collect();
        let statement =
            DivisibleStatement { description: &description, tensors: tensors.iter_mut().collect(), places };
        let found = divided_label(&statement, 3)?;
        Some((found.label, Partition::clone(&found.partition), found.is_reduced))
    }

    #[test]
    fn rows_of_a_sparse_operand_have_about_as_many_entries() {
        let product = "A(0,1) x(1) y(0); divides 0; add over 1; 1 within 0";
        let mut tensors = [matrix(9, 9, CSR), vector(9), vector(9)];
        assert_eq!(
            divided(product, &mut tensors),
            Some((0, Partition::with_bounds(vec![0, 6, 8, 9]), false))
        );
        // By columns, partial results are put together.
        let mut tensors = [matrix(9, 9, "f64 i32 (1 : D, 0 : CU)"), vector(9), vector(9)];
        let found = divided(product, &mut tensors).map(|(label, _, is_reduced)| (label, is_reduced));
        assert_eq!(found, Some((1, true)));
    }

    #[test]
    fn what_is_divided_stays_so() {
        let product = "A(0,1) B(1,2) C(0,2); divides 0,2; add over 1";
        let mut tensors = [matrix(9, 9, CSR), matrix(9, 9, CSR), matrix(9, 9, "f64 i32 (0 : D, 1 : D)")];
        let partition = Arc::new(Partition::with_bounds(vec![0, 1, 2, 9]));
        tensors[1].placement = Placement::by_rows(0, partition.clone());
        let along = divided(product, &mut tensors).unwrap();
        assert_eq!(along, (1, Partition::clone(&partition), true));
    }

    #[test]
    fn a_result_that_is_overwritten_balances_nothing() {
        let sum = "A(0,1) C(0,1); divides 0,1";
        let mut larger = matrix(9, 99, CSR);
        larger.dims = vec![9, 99];
        let mut tensors = [matrix(9, 99, CSR), larger];
        let of_operand = divided(sum, &mut tensors).unwrap().1;
        tensors[1] = matrix(9, 99, CSR);
        store_nothing(&mut tensors[1]).unwrap();
        assert_eq!(divided(sum, &mut tensors).unwrap().1, of_operand);
        assert_eq!(divided("A(0,1) C(0,1); divides 0,1; accumulates", &mut tensors).unwrap().1, of_operand);
    }

    #[test]
    fn short_labels_are_divided_where_a_declaration_says_so() {
        let mut tensors = [vector(9), vector(9)];
        assert_eq!(divided("x(0) y(0); from 64; divides 0", &mut tensors), None);
        let even = Partition::even(9, 3);
        assert_eq!(divided("x(0) y(0); from 9; divides 0", &mut tensors), Some((0, even.clone(), false)));
        assert_eq!(divided("x(0) y(0); from 64; divides 0; rows 1", &mut tensors), Some((0, even, false)));
        let mut short = [vector(2), vector(2)];
        assert_eq!(divided("x(0) y(0); divides 0", &mut short), None);
    }

    #[test]
    fn large_results_get_rows_along_a_label_that_is_long_enough() {
        let description: StatementDescription =
            "A(0,1) Y(2,1); from 64; divides 2,1; add over 0".parse().unwrap();
        let dense = |rows, columns| {
            let mut tensor = Tensor::new("Y", "f64 i32 (0 : D, 1 : D)".parse().unwrap());
            tensor.dims = vec![rows, columns];
            tensor
        };
        let target = |columns, placement: Option<Placement>| {
            let (mut operand, mut result) = (matrix(9, 9, CSR), dense(3, columns));
            operand.dims = vec![9, columns];
            result.placement = placement.unwrap_or_default();
            let tensors = vec![&mut operand, &mut result];
            let statement = DivisibleStatement { description: &description, tensors, places: vec![0, 1] };
            let partition = Arc::new(Partition::even(9, 3));
            let divided = DividedLabel { label: 0, partition, is_reduced: true };
            fold::target(&statement, &divided).map(|(label, partition)| (label, Partition::clone(&partition)))
        };
        assert_eq!(target(100, None), None);
        assert_eq!(target(30_000, None), Some((1, Partition::even(30_000, 3))));
        let own = Partition::with_bounds(vec![0, 5, 9, 100]);
        let placement = Placement::by_rows(1, Arc::new(own.clone()));
        assert_eq!(target(100, Some(placement)), Some((1, own)));
    }
}
