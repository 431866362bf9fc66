//! What `--instrument=workspace` reports, in the terms of the model. A key is one word here and not two
//! coordinates, so that a point is two words and not three.

use super::model::Cost;
use crate::setting::Outcome;
use serde_json::Value;

/// The counts of one workspace or conversion.
#[derive(Clone, Debug)]
pub(super) struct Counts(Value);

impl Counts {
    /// Those of a kind, among what a program has reported.
    pub(super) fn of_kind(report: &str, kind: &str) -> Outcome<Self> {
        let records = report.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut of_kind = records.filter(|record| record["kind"] == kind);
        of_kind.next().map(Self).ok_or_else(|| format!("no counts of a {kind} in {report:?}"))
    }

    pub(super) fn number(&self, name: &str) -> Outcome<f64> {
        self.0[name].as_f64().ok_or_else(|| format!("expected a number `{name}` in {}", self.0))
    }
}

/// A dense workspace and a conversion: a value for each insert and a coordinate for each element, the sorts,
/// what goes on to the rows, and the conversion's counters and moves.
pub(super) fn assembly(dense: &Counts, conversion: &Counts) -> Outcome<Cost> {
    let moved =
        2.0 * dense.number("touched")? + conversion.number("counted")? + 2.0 * conversion.number("moved")?;
    Ok(Cost {
        stores: dense.number("inserts")? + dense.number("touched")?,
        sort: dense.number("steps")?,
        merge: 0.0,
        rest: moved + 4.0 * conversion.number("counters")?,
    })
}

/// A hash table or a list: a key and a value for each new point, a value for a hit; merging, copies included;
/// the levels that are built.
pub(super) fn sparse(points: &Counts, columns: f64) -> Outcome<Cost> {
    Ok(Cost {
        stores: 2.0 * points.number("sorted")? + points.number("hits")?,
        sort: 2.0 * points.number("steps")?,
        merge: 2.0 * (points.number("merged")? + points.number("copied")?),
        rest: points.number("elements")? + columns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_from_what_a_program_reports() {
        let report = "note: x\n{\"name\": \"C\", \"kind\": \"hash\", \"sorted\": 5, \"hits\": 2, \"steps\": 8, \
                    \"merged\": 6, \"copied\": 1, \"elements\": 4}\n";
        let points = Counts::of_kind(report, "hash").unwrap();
        let expected = Cost { stores: 12.0, sort: 16.0, merge: 14.0, rest: 7.0 };
        assert_eq!(sparse(&points, 3.0), Ok(expected));
        assert!(Counts::of_kind(report, "dense").is_err());
        assert!(points.number("touched").is_err());
    }
}
