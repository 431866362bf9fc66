//! What a statement computes, by plain loops over all points.

use crate::draw::Case;
use comet_notation::{Operator, Patterns};
use comet_spatial::app::mode_of;
use comet_spatial::lower::{NestAccess, Value};
use std::collections::BTreeMap;

/// Compares what was computed with what should be.
pub(crate) fn compare(case: &Case, found: &BTreeMap<Vec<usize>, f64>) -> Result<(), String> {
    let expected = expected(case);
    // Below the last compressed level everything is stored, as 0 where nothing comes.
    let last = case.result.levels.iter().rposition(|level| !level.is_full());
    let stored = &case.result.levels[..last.map_or(0, |last| last + 1)];
    let is_beside = |point: &[usize], other: &[usize]| {
        stored.iter().all(|level| point[mode_of(level)] == other[mode_of(level)])
    };
    for (point, value) in &expected {
        match found.get(point) {
            Some(other) if (other - value).abs() <= 1e-9 * (1.0 + value.abs()) => {}
            Some(other) => return Err(format!("{value} expected at {point:?}, found {other}")),
            None => return Err(format!("{value} expected at {point:?}, found nothing")),
        }
    }
    for (point, value) in found {
        let is_row = stored.is_empty() || expected.keys().any(|other| is_beside(point, other));
        if !expected.contains_key(point) && (!is_row || *value != 0.0) {
            return Err(format!("nothing expected at {point:?}, found {value}"));
        }
    }
    Ok(())
}

/// The points that get a value.
fn expected(case: &Case) -> BTreeMap<Vec<usize>, f64> {
    let mut points = vec![Vec::new()];
    for extent in &case.extents {
        points = points
            .into_iter()
            .flat_map(|point: Vec<usize>| (0..*extent).map(move |value| [&point[..], &[value]].concat()))
            .collect();
    }
    let mut result = BTreeMap::new();
    for point in points {
        if let Some(value) = value(case, &case.value, &point) {
            let target: Vec<usize> = case.target.iter().map(|var| point[*var]).collect();
            *result.entry(target).or_insert(0.0) += value;
        }
    }
    result
}

fn value(case: &Case, of: &Value, point: &[usize]) -> Option<f64> {
    match of {
        Value::Access(NestAccess { tensor, indices }) => {
            let at: Vec<usize> = indices.iter().map(|var| point[*var]).collect();
            case.data[*tensor].at(&at)
        }
        Value::Float(number, _) => Some(*number),
        Value::Negate(inner) => value(case, inner, point).map(|value| -value),
        Value::Combine(how, operator, left, right) => {
            let (left, right) = (value(case, left, point), value(case, right, point));
            let (left, right) = match (how, left, right) {
                (Patterns::Intersection, left, right) => (left?, right?),
                (Patterns::Union, None, None) => return None,
                (Patterns::Union, left, right) => (left.unwrap_or(0.0), right.unwrap_or(0.0)),
            };
            Some(match operator {
                Operator::Add => left + right,
                Operator::Sub => left - right,
                _ => left * right,
            })
        }
        other => panic!("{other:?} is not drawn"),
    }
}
