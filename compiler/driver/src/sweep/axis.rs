//! The axes of a design space, and its points.

use crate::failure::{Failure, Result as Outcome};
use itertools::Itertools as _;

/// A name, and what stands for it in each run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

/// More labels have more orders than anyone simulates.
const MOST_LABELS: usize = 6;

/// The axis of `n=1|2|4`.
pub(crate) fn parse(text: &str) -> Result<Axis, String> {
    let (name, values) = named(text, "NAME=V1|V2|…")?;
    let values: Vec<String> = values.split('|').map(|value| value.trim().to_owned()).collect();
    checked(name, values, text)
}

/// The axis of `o=i,j,k`, whose values are all orders of the labels.
pub(crate) fn parse_orders(text: &str) -> Result<Axis, String> {
    let (name, labels) = named(text, "NAME=i,j,…")?;
    let labels: Vec<&str> = labels.split(',').map(str::trim).collect();
    let labels = checked(name, labels.iter().map(|label| (*label).to_owned()).collect(), text)?.values;
    if labels.len() > MOST_LABELS {
        let count = labels.len();
        return Err(format!(
            "found {count} labels, expected no more than {MOST_LABELS}: there are {count}! orders"
        ));
    }
    let values = labels.iter().permutations(labels.len()).map(|order| order.iter().join(", ")).collect();
    Ok(Axis { name: name.to_owned(), values })
}

fn named<'t>(text: &'t str, expected: &str) -> Result<(&'t str, &'t str), String> {
    let found = text.split_once('=').map(|(name, values)| (name.trim(), values));
    let found = found.filter(|(name, _)| is_name(name));
    found.ok_or_else(|| {
        format!("found `{text}`, expected `{expected}` with a name of letters, digits and `_`")
    })
}

/// Whether `{text}` is a place of an axis.
pub(crate) fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

fn checked(name: &str, values: Vec<String>, text: &str) -> Result<Axis, String> {
    if values.iter().any(String::is_empty) {
        return Err(format!("found an empty value in `{text}`, expected some text between the separators"));
    }
    if values.iter().any(|value| value.contains(char::is_control)) {
        return Err(format!("found a control character in a value of `{name}`, expected one line of text"));
    }
    match (1..values.len()).find(|place| values[..*place].contains(&values[*place])) {
        Some(place) => Err(format!("found `{}` twice in `{text}`, expected it once", values[place])),
        None => Ok(Axis { name: name.to_owned(), values }),
    }
}

/// The most runs of a sweep: far more than anyone waits for, and few enough for memory.
const MOST: usize = 100_000;

/// Refuses axes with too many combinations.
pub(crate) fn check(axes: &[Axis]) -> Outcome<()> {
    let count = axes.iter().try_fold(1_usize, |count, axis| count.checked_mul(axis.values.len()));
    if count.is_some_and(|count| count <= MOST) {
        return Ok(());
    }
    let counts: Vec<String> = axes.iter().map(|axis| axis.values.len().to_string()).collect();
    let message = format!("the axes have {} combinations, expected {MOST} at most", counts.join(" times "));
    let hint = "leave out values, or sweep over some axes at a time";
    Err(Failure::hinted(message, hint))
}

/// All combinations of values, one for each axis; the last axis changes first.
pub(crate) fn points(axes: &[Axis]) -> Vec<Vec<String>> {
    axes.iter().map(|axis| axis.values.iter().cloned()).multi_cartesian_product().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_a_point() {
        let axes = [parse("o=i, j|j, i").unwrap(), parse("n=1|2|4").unwrap()];
        let points: Vec<String> = points(&axes).iter().map(|point| point.join("/")).collect();
        assert_eq!(points, ["i, j/1", "i, j/2", "i, j/4", "j, i/1", "j, i/2", "j, i/4"]);
    }

    #[test]
    fn orders_are_all_permutations() {
        let axis = parse_orders("o=i,j,k").unwrap();
        assert_eq!(axis.values, ["i, j, k", "i, k, j", "j, i, k", "j, k, i", "k, i, j", "k, j, i"]);
        assert_eq!(parse_orders("o=i").unwrap().values, ["i"]);
        assert_eq!(parse_orders("o=a,b,c,d,e,f").unwrap().values.len(), 720);
    }

    #[test]
    fn what_is_wrong_is_reported() {
        for (text, found) in [
            ("1|2", "found `1|2`, expected `NAME=V1|V2|…`"),
            ("a b=1", "found `a b=1`, expected"),
            ("n=1||2", "found an empty value in `n=1||2`"),
            ("n=", "found an empty value"),
            ("n=1|2|1", "found `1` twice"),
            ("n=1\n2", "found a control character in a value of `n`"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(found), "{error}");
        }
        assert!(parse_orders("o=a,b,c,d,e,f,g").unwrap_err().starts_with("found 7 labels"));
        assert!(parse_orders("o=i,,j").unwrap_err().starts_with("found an empty value"));
    }
}
