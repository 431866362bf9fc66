//! Whether a schedule leaves a result as it is: the same points, and the same values but for the rounding of
//! sums in another order.

use comet_runtime::tensor::Tensor;
use comet_runtime::values::ValueColumn;
use comet_runtime::{CoordinateTensor, unpack};
use std::collections::HashMap;
use std::fmt::Display;

/// How far a `double` may be away, relative to itself.
const RELATIVE: f64 = 1e-9;
/// How far it may be away relative to the largest value: where sums cancel, their rounding stays.
const CANCELLED: f64 = 1e-12;
/// How much less precise a `float` is.
const OF_FLOAT: f64 = 1e5;

/// Results of the program as it is, and of other runs of it. Of a statement that runs several times the last
/// result counts.
#[derive(Default)]
pub(super) struct Results {
    /// By the number of a statement: how often it runs, and what it leaves.
    expected: HashMap<usize, (usize, CoordinateTensor)>,
    /// How often each statement has run in the run that is looked at.
    seen: HashMap<usize, usize>,
}

impl Results {
    pub(super) fn begin(&mut self) {
        self.seen.clear();
    }

    /// Keeps a result of the program as it is.
    pub(super) fn keep(&mut self, number: usize, tensor: &Tensor) -> Result<(), String> {
        let entries = unpack(tensor).map_err(|error| error.to_string())?;
        let times = self.expected.get(&number).map_or(1, |(times, _)| times + 1);
        self.expected.insert(number, (times, entries));
        Ok(())
    }

    /// What is not as expected of a result of another schedule.
    pub(super) fn difference(&mut self, number: usize, tensor: &Tensor) -> Option<String> {
        let seen = self.seen.entry(number).or_default();
        *seen += 1;
        let (_, expected) = self.expected.get(&number).filter(|(times, _)| times == seen)?;
        match unpack(tensor) {
            Ok(found) => difference(&tensor.name, &found, expected),
            Err(error) => Some(error.to_string()),
        }
    }
}

fn difference(name: &str, found: &CoordinateTensor, expected: &CoordinateTensor) -> Option<String> {
    if found.dims != expected.dims {
        return Some(format!("`{name}` has the extents {:?}, expected {:?}", found.dims, expected.dims));
    }
    if found.coords != expected.coords {
        let [found, expected] = [found, expected].map(|entries| entries.values.len());
        return Some(format!("`{name}` has {found} entries at other points than the {expected} expected"));
    }
    let place = unlike(&found.values, &expected.values)?;
    let point: Vec<String> = found.coords.iter().map(|column| column[place].to_string()).collect();
    let [found, expected] = [&found.values, &expected.values].map(|values| text(values, place));
    Some(format!("`{name}[{}]` is {found}, expected {expected}", point.join(",")))
}

fn unlike(found: &ValueColumn, expected: &ValueColumn) -> Option<usize> {
    match (found, expected) {
        (ValueColumn::F64(found), ValueColumn::F64(expected)) => first_unlike(found, expected, 1.0),
        (ValueColumn::F32(found), ValueColumn::F32(expected)) => {
            unlike_parts([found, expected], |value| [f64::from(*value)], OF_FLOAT)
        }
        (ValueColumn::C128(found), ValueColumn::C128(expected)) => {
            unlike_parts([found, expected], |value| [value.re, value.im], 1.0)
        }
        (ValueColumn::C64(found), ValueColumn::C64(expected)) => {
            unlike_parts([found, expected], |value| [value.re, value.im].map(f64::from), OF_FLOAT)
        }
        _ => (0..found.len()).find(|place| text(found, *place) != text(expected, *place)),
    }
}

/// The first place where one of the `N` parts of a value is not as expected.
fn unlike_parts<V, const N: usize>(
    [found, expected]: [&Vec<V>; 2],
    parts: fn(&V) -> [f64; N],
    factor: f64,
) -> Option<usize> {
    let [found, expected] =
        [found, expected].map(|values| values.iter().flat_map(parts).collect::<Vec<f64>>());
    first_unlike(&found, &expected, factor).map(|place| place / N)
}

fn first_unlike(found: &[f64], expected: &[f64], factor: f64) -> Option<usize> {
    let finite = expected.iter().map(|value| value.abs()).filter(|value| value.is_finite());
    let largest = finite.fold(0.0, f64::max);
    let is_alike = |(found, expected): (&f64, &f64)| {
        let allowed = RELATIVE * expected.abs() + CANCELLED * largest;
        found == expected
            || found.is_nan() && expected.is_nan()
            || (found - expected).abs() <= allowed * factor
    };
    found.iter().zip(expected).position(|pair| !is_alike(pair))
}

fn text(values: &ValueColumn, place: usize) -> String {
    match values {
        ValueColumn::F64(values) => values[place].to_string(),
        ValueColumn::F32(values) => values[place].to_string(),
        ValueColumn::I64(values) => values[place].to_string(),
        ValueColumn::C64(values) => complex_text(values[place].re, values[place].im),
        ValueColumn::C128(values) => complex_text(values[place].re, values[place].im),
    }
}

fn complex_text(re: impl Display, im: impl Display) -> String {
    format!("{re}{im:+}i")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding is no difference, also of what cancels; anything else is, NaN and infinity among it.
    #[test]
    fn rounding_is_alike() {
        let infinite = [f64::INFINITY, f64::NAN, 1.0];
        assert_eq!(first_unlike(&infinite, &infinite, 1.0), None);
        assert_eq!(first_unlike(&[1e6 + 1e-5, 1e-7], &[1e6, 0.0], 1.0), None);
        assert_eq!(first_unlike(&[1.0, 1.0 + 1e-8], &[1.0, 1.0], 1.0), Some(1));
        assert_eq!(first_unlike(&[f64::NAN], &[1.0], 1.0), Some(0));
        assert_eq!(first_unlike(&[f64::INFINITY], &[1.0], 1.0), Some(0));
        let [found, expected] = [2, 3].map(|value| ValueColumn::I64(vec![1, value]));
        assert_eq!(unlike(&found, &expected), Some(1));
    }
}
