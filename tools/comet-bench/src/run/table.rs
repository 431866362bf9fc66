//! The table of `run`: a line for each kernel, input and number of threads, as Markdown and as JSON.

use super::contest::Contest;
use crate::setting::Outcome;
use crate::text::shown;
use crate::tiling::bars::geometric_mean;
use crate::timing::{median, quartiles};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// All that was measured.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(super) lines: Vec<Line>,
    /// What was left out, and why.
    pub(super) left_out: Vec<String>,
    /// The peers and inputs that are not there.
    pub(super) missing: Vec<String>,
    /// The lines that could not be measured: programs that fail, results that differ.
    pub(super) failed: Vec<String>,
}

/// Ours next to the fastest peer.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) kernel: String,
    pub(super) input: String,
    pub(super) threads: u32,
    /// Our median time; for a mean of several expressions there is none.
    pub(super) ours: Option<f64>,
    /// The fastest peer, and the ratios to it.
    pub(super) compared: Option<Compared>,
    /// The largest ratio that is wanted.
    pub(super) goal: Option<f64>,
    /// The slower peers, with their times.
    pub(super) others: Vec<(String, f64)>,
}

#[derive(Debug)]
pub(super) struct Compared {
    pub(super) peer: String,
    pub(super) seconds: Option<f64>,
    /// Quartiles of the ratios of the runs.
    pub(super) ratios: [f64; 3],
}

/// "Not slower" is met up to here, since times never agree.
const AS_FAST: f64 = 1.03;

impl Line {
    pub(super) fn of(kernel: &str, input: &str, threads: u32, goal: Option<f64>, contest: Contest) -> Self {
        let mut peers = contest.peers.into_iter();
        let compared = peers.next().map(|fastest| Compared {
            peer: fastest.name,
            seconds: Some(fastest.pairs.peer()),
            ratios: quartiles(fastest.pairs.ratios()),
        });
        Self {
            kernel: kernel.to_owned(),
            input: input.to_owned(),
            threads,
            ours: Some(median(contest.ours)),
            goal: goal.filter(|_| compared.is_some()),
            compared,
            others: peers.map(|peer| (peer.name, peer.pairs.peer())).collect(),
        }
    }

    /// The median ratio.
    pub(super) fn ratio(&self) -> Option<f64> {
        self.compared.as_ref().map(|compared| compared.ratios[1])
    }

    /// Whether the goal is met, where there is one.
    pub(super) fn met(&self) -> Option<bool> {
        let (goal, ratio) = (self.goal?, self.ratio()?);
        Some(ratio <= if goal == 1.0 { AS_FAST } else { goal })
    }

    fn cells(&self) -> [String; 9] {
        let seconds = |seconds: Option<f64>| seconds.map(shown).unwrap_or_default();
        let (peer, theirs, ratio, spread) = match &self.compared {
            None => Default::default(),
            Some(Compared { peer, seconds: theirs, ratios: [first, median, third] }) => {
                (peer.clone(), seconds(*theirs), format!("{median:.2}"), format!("{first:.2}–{third:.2}"))
            }
        };
        let goal = self.goal.map(|goal| format!("{goal:.2}")).unwrap_or_default();
        let verdict = match self.met() {
            None => "",
            Some(true) => "met",
            Some(false) => "MISSED",
        };
        let (kernel, input, threads) = (self.kernel.clone(), self.input.clone(), self.threads.to_string());
        [kernel, input, threads, seconds(self.ours), peer, theirs, ratio, spread, goal + " " + verdict]
    }

    fn json(&self) -> Value {
        let peer = self.compared.as_ref().map(|compared| {
            json!({ "name": compared.peer, "seconds": compared.seconds, "ratios": compared.ratios })
        });
        let others: serde_json::Map<String, Value> =
            self.others.iter().map(|(name, seconds)| (name.clone(), json!(seconds))).collect();
        json!({
            "kernel": self.kernel, "input": self.input, "threads": self.threads, "seconds": self.ours,
            "peer": peer, "goal": self.goal, "met": self.met(), "others": others,
        })
    }
}

impl Table {
    /// Adds a line, and shows it to those who wait.
    pub(super) fn report(&mut self, line: Line) {
        eprintln!("{}", line.cells().join("  "));
        self.lines.push(line);
    }

    /// # Errors
    /// Lines that could not be measured.
    pub(crate) fn complete(&self) -> Outcome<()> {
        match self.failed.len() {
            0 => Ok(()),
            count => Err(format!("{count} lines could not be measured")),
        }
    }

    /// Markdown, whose columns stand under each other.
    pub(crate) fn text(&self) -> String {
        let heading =
            ["kernel", "input", "threads", "comet", "fastest peer", "its time", "ratio", "quartiles", "goal"];
        let rows: Vec<[String; 9]> =
            std::iter::once(heading.map(str::to_owned)).chain(self.lines.iter().map(Line::cells)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 9] = std::array::from_fn(width);
        let mut text = String::new();
        for (number, row) in rows.iter().enumerate() {
            for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
                let _ = match column {
                    2 | 3 | 5..=7 => write!(text, "| {cell:>width$} "),
                    _ => write!(text, "| {cell:<width$} "),
                };
            }
            text += "|\n";
            if number == 0 {
                text += "|---|---|---:|---:|---|---:|---:|---:|---|\n";
            }
        }
        text += &self.summary();
        for left_out in &self.left_out {
            let _ = writeln!(text, "- left out: {left_out}");
        }
        for missing in &self.missing {
            let _ = writeln!(text, "- MISSING: {missing}");
        }
        for failed in &self.failed {
            let _ = writeln!(text, "- FAILED: {failed}");
        }
        text
    }

    fn summary(&self) -> String {
        let verdicts: Vec<bool> = self.lines.iter().filter_map(Line::met).collect();
        let met = verdicts.iter().filter(|met| **met).count();
        let mean = geometric_mean(self.lines.iter().filter_map(Line::ratio));
        let mean =
            mean.map(|mean| format!(" The geometric mean of the ratios is {mean:.3}.")).unwrap_or_default();
        format!("\n{met} of {} goals are met.{mean}\n\n", verdicts.len())
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        let lines: Vec<Value> = self.lines.iter().map(Line::json).collect();
        json!({ "bench": "run", "lines": lines, "left_out": self.left_out, "missing": self.missing, "failed": self.failed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(goal: f64, ratio: f64) -> Line {
        let compared =
            Compared { peer: "C".to_owned(), seconds: Some(0.02), ratios: [ratio - 0.1, ratio, ratio + 0.1] };
        Line {
            kernel: "SpMV".to_owned(),
            input: "a".to_owned(),
            threads: 1,
            ours: Some(0.0125),
            compared: Some(compared),
            goal: Some(goal),
            others: vec![("MKL".to_owned(), 0.03)],
        }
    }

    /// Only the goal of 1.0 has an allowance.
    #[test]
    fn lines_report_what_is_met() {
        let table = Table {
            lines: vec![line(1.0, 1.02), line(0.8, 0.81)],
            left_out: vec!["b".to_owned()],
            missing: vec!["c".to_owned()],
            failed: Vec::new(),
        };
        insta::assert_snapshot!(table.text(), @r"
        | kernel | input | threads |   comet | fastest peer | its time | ratio | quartiles | goal        |
        |---|---|---:|---:|---|---:|---:|---:|---|
        | SpMV   | a     |       1 | 12.5 ms | C            |  20.0 ms |  1.02 | 0.92–1.12 | 1.00 met    |
        | SpMV   | a     |       1 | 12.5 ms | C            |  20.0 ms |  0.81 | 0.71–0.91 | 0.80 MISSED |

        1 of 2 goals are met. The geometric mean of the ratios is 0.909.

        - left out: b
        - MISSING: c
        ");
        assert_eq!(table.json()["lines"][0]["others"]["MKL"], 0.03);
    }
}
