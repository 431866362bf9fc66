//! The result of a statement by loops over all points.

use comet_sam::graph::Operator;
use comet_sam::lower::{Expression, Statement};
use comet_sam::storage::{Entry, Storage, StoredLevel};
use std::collections::BTreeMap;

/// What has no value is not stored; a scalar always is.
pub(crate) fn expected(
    statement: &Statement,
    tensors: &BTreeMap<String, Storage>,
    extent: &dyn Fn(&str) -> usize,
) -> Vec<Entry> {
    let stored: Vec<BTreeMap<Vec<usize>, f64>> = statement
        .tensors
        .iter()
        .map(|format| tensors.get(&format.name).map_or(BTreeMap::new(), stored_points))
        .collect();
    let indices = &statement.result.indices;
    let mut found = Vec::new();
    for point in points(&indices.iter().map(|index| extent(index)).collect::<Vec<_>>()) {
        let bound: BTreeMap<&str, usize> =
            indices.iter().map(String::as_str).zip(point.iter().copied()).collect();
        let value = evaluate(&statement.value, &stored, &bound, extent);
        if value.is_some() || point.is_empty() {
            found.push((point, value.unwrap_or(0.0)));
        }
    }
    found
}

fn points(dims: &[usize]) -> Vec<Vec<usize>> {
    let Some((last, outer)) = dims.split_last() else { return vec![Vec::new()] };
    let outer = points(outer);
    outer
        .iter()
        .flat_map(|point| (0..*last).map(move |inner| [point.as_slice(), &[inner]].concat()))
        .collect()
}

fn evaluate(
    expression: &Expression,
    stored: &[BTreeMap<Vec<usize>, f64>],
    bound: &BTreeMap<&str, usize>,
    extent: &dyn Fn(&str) -> usize,
) -> Option<f64> {
    match expression {
        Expression::Access(access) => {
            let point: Vec<usize> = access.indices.iter().map(|index| bound[index.as_str()]).collect();
            stored[access.tensor].get(&point).copied()
        }
        Expression::Combine(_, Operator::Multiply, a, b) => {
            Some(evaluate(a, stored, bound, extent)? * evaluate(b, stored, bound, extent)?)
        }
        Expression::Combine(_, operator, a, b) => {
            let sign = if *operator == Operator::Subtract { -1.0 } else { 1.0 };
            match (evaluate(a, stored, bound, extent), evaluate(b, stored, bound, extent)) {
                (None, None) => None,
                (a, b) => Some(a.unwrap_or(0.0) + sign * b.unwrap_or(0.0)),
            }
        }
        Expression::Reduce(_, index, body) => {
            let values = (0..extent(index)).filter_map(|value| {
                let mut inner = bound.clone();
                inner.insert(index, value);
                evaluate(body, stored, &inner, extent)
            });
            values.reduce(|a, b| a + b)
        }
        other => unreachable!("no text gives {other:?}"),
    }
}

/// All that is stored: of a dense tensor every point.
fn stored_points(tensor: &Storage) -> BTreeMap<Vec<usize>, f64> {
    let is_dense = tensor.levels.iter().all(|level| matches!(level, StoredLevel::Dense { .. }));
    let zeros = if is_dense { points(&tensor.dims) } else { Vec::new() };
    let zeros = zeros.into_iter().map(|point| (point, 0.0));
    zeros.chain(tensor.entries()).collect()
}
