//! What `comet tile` tells.

use comet_runtime::CoordinateTensor;
use comet_tiling::{Outcome, Scheme, Statement, Tiles, Traffic, Var};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

/// A statement with the tiles of all schemes.
pub(crate) struct Compared {
    pub(crate) statement: Statement,
    /// `C[i,j] = A[i,k] * B[k,j]`.
    pub(crate) text: String,
    pub(crate) outcomes: Vec<Outcome>,
    /// Small tiles brought together to about the chosen ones, if that was asked for.
    pub(crate) packed: Option<PackedOutcome>,
    /// How the traffic of the chosen tiles is predicted, one sentence a line.
    pub(crate) explained: Vec<String>,
    /// `Corrs` of operands along what is reduced, with their names.
    pub(crate) corrs: Vec<(String, Vec<f64>)>,
    /// What each access reads, and the variable of each mode; none is dense.
    pub(crate) entries: Vec<Option<(Arc<CoordinateTensor>, Vec<Var>)>>,
}

/// Packed tiles (d2t2.txt section 6.7).
pub(crate) struct PackedOutcome {
    /// The small tiles.
    pub(crate) small: Tiles,
    /// What they are brought together to.
    pub(crate) tiles: Tiles,
    pub(crate) measured: Traffic,
}

/// The scheme whose tiles are chosen.
pub(crate) const CHOSEN: Scheme = Scheme::D2t2;

impl Compared {
    /// Sizes of the chosen tiles, as a command of a schedule.
    pub(crate) fn command(&self) -> Option<String> {
        let chosen = self.outcomes.iter().find(|outcome| outcome.scheme == CHOSEN)?;
        Some(format!("tile({})", chosen.tiles.text(&self.statement)))
    }

    /// A table, one line a scheme.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n", self.text);
        let names: Vec<&str> = self.statement.variables.iter().map(|variable| &variable.name[..]).collect();
        let order = names.join(", ");
        let _ = writeln!(text, "loops over tiles: {order}; bytes, expected and counted");
        let header = ["", "expected in", "out", "counted in", "out", "all"];
        let [first, rest @ ..] = header;
        let columns: String = rest.iter().map(|title| format!("{title:>15}")).collect();
        let _ = writeln!(text, "{first:<14}{columns}   tiles");
        for outcome in &self.outcomes {
            let predicted = [outcome.predicted.input(), outcome.predicted.output];
            let predicted = predicted.map(|bytes| format!("{bytes:.0}"));
            let numbers = predicted.into_iter().chain(counted(outcome));
            let numbers = numbers.collect::<Vec<_>>();
            let numbers: String = numbers.iter().map(|number| format!("{number:>15}")).collect();
            let tiles = outcome.tiles.text(&self.statement);
            let _ = writeln!(text, "{:<14}{numbers}   {tiles}", outcome.scheme.name());
        }
        if let Some(packed) = &self.packed {
            let _ = writeln!(
                text,
                "tiles of {} brought together to {} move {} bytes",
                packed.small.text(&self.statement),
                packed.tiles.text(&self.statement),
                packed.measured.total()
            );
        }
        text
    }

    /// Sizes by the names of the variables.
    fn sizes(&self, tiles: &Tiles) -> Value {
        let sizes = self.statement.variables.iter().zip(&tiles.0);
        Value::Object(sizes.map(|(variable, &size)| (variable.name.clone(), json!(size))).collect())
    }

    /// CLI.md, "JSON of `comet tile`".
    pub(crate) fn json(&self, buffer: u64) -> Value {
        let scheme = |outcome: &Outcome| {
            let mut told = json!({
                "name": outcome.scheme.name(),
                "tiles": self.sizes(&outcome.tiles),
                "predicted": {
                    "input": outcome.predicted.input().round() as u64,
                    "output": outcome.predicted.output.round() as u64,
                },
            });
            if let Some(counted) = &outcome.measured {
                told["measured"] = measured(counted);
            }
            told
        };
        let mut told = json!({
            "statement": self.text,
            "buffer": buffer,
            "schemes": self.outcomes.iter().map(scheme).collect::<Vec<_>>(),
            "chosen": CHOSEN.name(),
        });
        if let Some(packed) = &self.packed {
            told["packed"] = json!({
                "small": self.sizes(&packed.small),
                "tiles": self.sizes(&packed.tiles),
                "measured": measured(&packed.measured),
            });
        }
        told
    }
}

/// What was counted, as tables have it: input, output, all.
pub(crate) fn counted(outcome: &Outcome) -> [String; 3] {
    match &outcome.measured {
        Some(traffic) => {
            [traffic.input(), traffic.output.bytes, traffic.total()].map(|bytes| bytes.to_string())
        }
        None => ["-"; 3].map(str::to_owned),
    }
}

fn measured(traffic: &Traffic) -> Value {
    json!({ "input": traffic.input(), "output": traffic.output.bytes })
}
