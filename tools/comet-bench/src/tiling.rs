//! `tiling`: the tiles that are chosen from data, and those of other schemes, on real and generated data:
//! what they are expected to move, and what they move (d2t2.txt section 6).

pub(crate) mod bars;
mod costs;
pub(crate) mod inputs;
pub(crate) mod kernels;
pub(crate) mod parallel;
pub(crate) mod row;
mod score;
mod seeds;
mod stand_ins;

use crate::setting::{Outcome, Setting};
use clap::Args;
use comet_tiling::Machine;
use costs::Cost;
use inputs::Input;
use kernels::TiledKernel;
use row::{Contest, Row};
use seeds::Seeds;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct TilingArguments {
    /// Matrices and tensors; by default those of the shared data, and generated ones
    files: Vec<PathBuf>,
    /// Those whose name holds this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The memories of Opal, 2 KB each, in place of one of 128 KiB; by default on what stands in for the
    /// matrices of Table 5, and small ones
    #[arg(long)]
    opal: bool,
    /// Only these schemes, as `d2t2,exhaustive`; all by default
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    schemes: Vec<String>,
    /// Only what choosing costs: processor time of statistics and search over that of cutting the operands
    #[arg(long)]
    costs: bool,
    /// Only how right expectations of the chosen tiles are, with samples of so many seeds
    #[arg(long, value_name = "SEEDS")]
    seeds: Option<u64>,
}

/// All matrices and tensors with their kernels.
#[derive(Debug)]
pub(crate) struct Tilings {
    rows: Vec<Row>,
    costs: Vec<Cost>,
    seeds: Vec<Seeds>,
    is_opal: bool,
}

pub(crate) fn run(_setting: &Setting, arguments: &TilingArguments) -> Outcome<Tilings> {
    let is_opal = arguments.opal;
    let machine = if is_opal { Machine::opal() } else { Machine::of_buffer(128 << 10) };
    let contest = Contest::of_all(machine).only(&arguments.schemes)?;
    let (mut rows, mut costs, mut seeds) = (Vec::new(), Vec::new(), Vec::new());
    for input in arguments.inputs() {
        let points = input.points()?;
        for &kernel in TiledKernel::of_rank(points.rank()) {
            // Section 6.4 has this order alone.
            if is_opal && kernel == TiledKernel::Ijk {
                continue;
            }
            if arguments.costs {
                let cost = Cost::of(&input, kernel, &points, contest.machine)?;
                eprint!("{}", cost.text());
                costs.push(cost);
                continue;
            }
            if let Some(count) = arguments.seeds {
                let own = Seeds::of((&input, kernel, &points), contest.machine, count)?;
                eprint!("{}", own.text());
                seeds.push(own);
                continue;
            }
            let row = contest.row(&input, kernel, &points)?;
            eprint!("{}", row.text());
            rows.push(row);
        }
    }
    match rows.is_empty() && costs.is_empty() && seeds.is_empty() {
        true => Err("there is nothing of that name to measure on".to_owned()),
        false => Ok(Tilings { rows, costs, seeds, is_opal }),
    }
}

impl TilingArguments {
    fn inputs(&self) -> Vec<Input> {
        let mut inputs = match (self.files.is_empty(), self.opal) {
            (false, _) => self.files.iter().cloned().map(Input::file).collect(),
            (true, true) => inputs::opal(),
            (true, false) => inputs::all(),
        };
        inputs.retain(|input| self.only.as_ref().is_none_or(|only| input.name.contains(only)));
        inputs
    }
}

/// What the chosen tiles are compared with, in a table.
const OTHERS: [&str; 10] = [
    "conservative",
    "prescient",
    "tailors",
    "drt",
    "exhaustive",
    "independent",
    "without-corrs",
    "corrs-only",
    "packed",
    "packed-small",
];

impl Tilings {
    /// A table of how many times less the chosen tiles move, the means, and what they say.
    pub(crate) fn text(&self) -> String {
        if !self.costs.is_empty() {
            return costs::text(&self.costs);
        }
        if !self.seeds.is_empty() {
            return seeds::text(&self.seeds);
        }
        let mut text = format!("{:<18}{:<10}", "", "");
        OTHERS.iter().for_each(|name| {
            let _ = write!(text, "{name:>14}");
        });
        text += "  of exhaustive  expected/counted  overhead";
        text += if self.is_opal { "  Table 5\n" } else { "\n" };
        self.rows.iter().for_each(|row| self.line(&mut text, row));
        let _ = write!(text, "{:<28}", "geometric mean");
        for name in OTHERS {
            let mean = bars::geometric_mean(self.rows.iter().filter_map(|row| row.gain(name)));
            let _ = write!(text, "{:>14.2}", mean.unwrap_or(f64::NAN));
        }
        text += "\n";
        if self.is_opal {
            text += &self.table5();
        }
        text + &bars::text(&self.rows)
    }

    fn line(&self, text: &mut String, row: &Row) {
        let _ = write!(text, "{:<18}{:<10}", row.name, row.kernel.name());
        for name in OTHERS {
            let gain = row.gain(name).map_or_else(|| "-".to_owned(), |gain| format!("{gain:.2}"));
            let _ = write!(text, "{gain:>14}");
        }
        let optimality = 100.0 * row.optimality().unwrap_or(f64::NAN);
        let accuracy = row.accuracy().unwrap_or(f64::NAN);
        let _ = write!(text, "{optimality:>14.0}%{accuracy:>18.3}{:>9.0}%", 100.0 * row.overhead());
        if self.is_opal {
            let paper = row.paper.map_or_else(|| "-".to_owned(), |paper| format!("{paper:.2}"));
            let _ = write!(text, "{paper:>9}");
        }
        text.push('\n');
    }

    /// The means of the rows that stand in for the paper's.
    fn table5(&self) -> String {
        let rows = || self.rows.iter().filter(|row| row.paper.is_some());
        let ours = bars::geometric_mean(rows().filter_map(|row| row.gain("prescient")));
        let paper = bars::geometric_mean(rows().filter_map(|row| row.paper));
        match (ours, paper) {
            (Some(ours), Some(paper)) => format!(
                "improvement over prescient of what stands in for Table 5: {ours:.2} in traffic; the paper's matrices: {paper:.2} in time\n"
            ),
            _ => String::new(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        let rows = self.rows.iter().map(Row::json).chain(self.costs.iter().map(Cost::json));
        rows.chain(self.seeds.iter().map(Seeds::json)).collect()
    }
}
