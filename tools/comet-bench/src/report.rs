//! A table of ratios, as text and as JSON.

use crate::text::shown;
use serde_json::{Value, json};

/// What one benchmark has measured.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) bench: &'static str,
    /// One sentence on what a time and a ratio are.
    pub(crate) method: &'static str,
    pub(crate) rows: Vec<Row>,
    /// The peers that are not there, each with what to do about it.
    pub(crate) missing: Vec<String>,
}

/// A measurement next to that of a peer.
#[derive(Debug)]
pub(crate) struct Row {
    /// What is measured, on what.
    pub(crate) case: String,
    /// Seconds of ours.
    pub(crate) ours: f64,
    pub(crate) compared: Compared,
    /// The largest value that meets the goal: a ratio, or seconds where nothing is compared.
    pub(crate) goal: Option<f64>,
}

/// What a measurement is compared with.
#[derive(Debug)]
pub(crate) enum Compared {
    /// Another program: its seconds, and the median over the runs of our time as a multiple of its time.
    Peer { name: String, seconds: f64, ratio: f64 },
    /// Nothing; the time speaks for itself.
    Nothing,
}

impl Row {
    fn measured(&self) -> f64 {
        match &self.compared {
            Compared::Peer { ratio, .. } => *ratio,
            Compared::Nothing => self.ours,
        }
    }

    fn verdict(&self) -> &'static str {
        match self.goal {
            None => "",
            Some(goal) if self.measured() <= goal => "met",
            Some(_) => "MISSED",
        }
    }

    fn cells(&self) -> [String; 7] {
        let (peer, seconds, ratio) = match &self.compared {
            Compared::Peer { name, seconds, ratio } => (name.clone(), shown(*seconds), format!("{ratio:.3}")),
            Compared::Nothing => (String::new(), String::new(), String::new()),
        };
        let goal = match (self.goal, &self.compared) {
            (None, _) => String::new(),
            (Some(goal), Compared::Peer { .. }) => format!("{goal:.2}"),
            (Some(goal), Compared::Nothing) => shown(goal),
        };
        [self.case.clone(), shown(self.ours), peer, seconds, ratio, goal, self.verdict().to_owned()]
    }

    fn json(&self) -> Value {
        let peer = match &self.compared {
            Compared::Peer { name, seconds, ratio } => {
                json!({ "name": name, "seconds": seconds, "ratio": ratio })
            }
            Compared::Nothing => Value::Null,
        };
        json!({ "case": self.case, "seconds": self.ours, "peer": peer, "goal": self.goal })
    }
}

impl Report {
    /// For reading.
    pub(crate) fn text(&self) -> String {
        let heading = ["case", "comet", "peer", "its time", "ratio", "goal", ""].map(str::to_owned);
        let rows: Vec<[String; 7]> =
            std::iter::once(heading).chain(self.rows.iter().map(Row::cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 7] = std::array::from_fn(width);
        let mut text = format!("{}: {}\n", self.bench, self.method);
        for row in &rows {
            let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| match column {
                1 | 3..=5 => format!("{cell:>width$}"),
                _ => format!("{cell:<width$}"),
            });
            text += format!("  {}", cells.collect::<Vec<_>>().join("  ")).trim_end();
            text += "\n";
        }
        for missing in &self.missing {
            text += &format!("  MISSING: {missing}\n");
        }
        text
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(Row::json).collect();
        json!({ "bench": self.bench, "method": self.method, "rows": rows, "missing": self.missing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let peer = |ratio| Compared::Peer { name: "C".to_owned(), seconds: 0.002, ratio };
        Report {
            bench: "b",
            method: "m",
            rows: vec![
                Row { case: "x".to_owned(), ours: 0.003, compared: peer(1.5), goal: Some(1.05) },
                Row { case: "longer".to_owned(), ours: 1.25, compared: Compared::Nothing, goal: Some(2.0) },
            ],
            missing: vec!["p".to_owned()],
        }
    }

    /// Columns stand under each other, a missed goal and an absent peer are in capitals.
    #[test]
    fn text_has_one_line_a_row() {
        insta::assert_snapshot!(report().text(), @r"
        b: m
          case      comet  peer  its time  ratio    goal
          x       3.00 ms  C      2.00 ms  1.500    1.05  MISSED
          longer   1.25 s                         2.00 s  met
          MISSING: p
        ");
    }

    #[test]
    fn json_keeps_the_numbers() {
        let json = report().json();
        assert_eq!(json["rows"][0]["peer"]["ratio"], 1.5);
        assert_eq!(json["rows"][1]["peer"], Value::Null);
        assert_eq!(json["missing"][0], "p");
    }
}
