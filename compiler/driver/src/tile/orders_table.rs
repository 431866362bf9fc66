//! The orders that `comet tile --orders` has looked at, as a table and as JSON.

use super::orders::{EvaluatedOrder, Searched};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// How many orders are shown; the JSON has all.
const SHOWN: usize = 24;

impl Searched {
    /// A table, one line an order, the best first.
    pub(crate) fn text(&self, statement: &str) -> String {
        let mut text = format!("{statement}\norders of the loops, least bytes expected first\n");
        let places = self.places();
        let name = |place: usize| self.evaluated[place].names.join(", ");
        let width = places.iter().map(|&place| name(place).len()).max().unwrap_or(0).max("order".len());
        let titles =
            ["expected in", "out", "all", "counted all"].map(|title| format!("{title:>15}")).concat();
        let _ = writeln!(text, "{:<width$}{titles}   tiles", "order");
        for &place in places.iter().take(SHOWN) {
            let evaluated = &self.evaluated[place];
            let numbers = evaluated.numbers().map(|number| format!("{number:>15}")).concat();
            let _ = writeln!(
                text,
                "{:<width$}{numbers}   {}{}",
                name(place),
                evaluated.tiles_text(),
                self.remark(place)
            );
        }
        if places.len() > SHOWN {
            let _ = writeln!(text, "and {} orders of which more is expected", places.len() - SHOWN);
        }
        if self.left_out > 0 {
            let all = self.left_out.saturating_add(self.evaluated.len());
            let _ = writeln!(
                text,
                "not looked at: {} of {all} orders, those that differ most from the one without `--orders`",
                self.left_out
            );
        }
        text
    }

    /// Those of which least is expected first.
    fn places(&self) -> Vec<usize> {
        let total = |place: usize| self.evaluated[place].predicted.total();
        let mut places: Vec<usize> = (0..self.evaluated.len()).collect();
        places.sort_by(|&one, &other| total(one).total_cmp(&total(other)));
        places
    }

    fn remark(&self, place: usize) -> String {
        let mut remarks = Vec::new();
        if place == self.best {
            remarks.push("chosen".to_owned());
        }
        if place == 0 {
            remarks.push("without `--orders`".to_owned());
        }
        remarks.extend(self.evaluated[place].refused.as_ref().map(|reason| format!("refused: {reason}")));
        if remarks.is_empty() { String::new() } else { format!("   {}", remarks.join(", ")) }
    }

    pub(crate) fn json(&self) -> Value {
        let evaluated = self.places().into_iter().map(|place| {
            let own = &self.evaluated[place];
            let sizes = own.names.iter().zip(&own.tiles.0).map(|(name, &size)| (name.clone(), json!(size)));
            let mut report = json!({
                "order": own.names,
                "tiles": sizes.collect::<Map<_, _>>(),
                "predicted": {
                    "input": own.predicted.input().round() as u64,
                    "output": own.predicted.output.round() as u64,
                },
                "chosen": place == self.best,
                "own": place == 0,
            });
            if let Some(counted) = &own.measured {
                report["measured"] = json!({ "input": counted.input(), "output": counted.output.bytes });
            }
            if let Some(reason) = &own.refused {
                report["refused"] = json!(reason);
            }
            report
        });
        json!({ "looked_at": evaluated.collect::<Vec<_>>(), "left_out": self.left_out })
    }
}

impl EvaluatedOrder {
    /// Input, output and all that is expected, and all that was counted.
    fn numbers(&self) -> [String; 4] {
        let expected = [self.predicted.input(), self.predicted.output, self.predicted.total()];
        let [input, output, all] = expected.map(|bytes| format!("{bytes:.0}"));
        let counted = self.measured.as_ref().map_or_else(|| "-".to_owned(), |own| own.total().to_string());
        [input, output, all, counted]
    }
}
