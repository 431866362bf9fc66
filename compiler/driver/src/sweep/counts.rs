//! What a run counts: the columns of the table between its status and its time.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is counted, in the order of the columns. A count is missing where the run does not have it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct SimulationCounts {
    pub(crate) cycles: Option<u64>,
    /// The tokens of all streams of all runs of graphs.
    pub(crate) tokens: Option<u64>,
    /// The blocks of all graphs; a graph that runs several times counts once.
    pub(crate) blocks: Option<u64>,
    /// The most tokens that are in the queues of a graph at once.
    pub(crate) most_waiting: Option<u64>,
    pub(crate) dram_read: Option<u64>,
    pub(crate) dram_written: Option<u64>,
}

impl SimulationCounts {
    pub(crate) const COLUMNS: [&str; 6] =
        ["cycles", "tokens", "blocks", "most_waiting", "dram_read", "dram_written"];

    /// Returns the counts of a report that `comet sim --json` has written.
    pub(crate) fn of(report: &Value) -> Self {
        // A given graph is one run, and its fields are those of the whole.
        let whole = std::slice::from_ref(report);
        let graphs = report["graphs"].as_array().map_or(whole, Vec::as_slice);
        let each = |of: &dyn Fn(&Value) -> Option<u64>| graphs.iter().filter_map(of).collect::<Vec<u64>>();
        let sum = |numbers: Vec<u64>| (!numbers.is_empty()).then(|| numbers.iter().sum());
        Self {
            cycles: report["cycles"].as_u64(),
            tokens: sum(each(&tokens)),
            blocks: blocks(graphs),
            most_waiting: each(&|graph| graph["most_waiting"].as_u64()).into_iter().max(),
            dram_read: sum(each(&|graph| graph["memory"]["dram_read"].as_u64())),
            dram_written: sum(each(&|graph| graph["memory"]["dram_written"].as_u64())),
        }
    }
}

fn tokens(graph: &Value) -> Option<u64> {
    let of = |stream: &Value| {
        ["value", "stop", "empty", "done"].iter().filter_map(|kind| stream[kind].as_u64()).sum::<u64>()
    };
    Some(graph["streams"].as_array()?.iter().map(of).sum())
}

/// Returns the blocks of all graphs, each counted once however often it runs.
fn blocks(graphs: &[Value]) -> Option<u64> {
    let count = |graph: &Value| {
        Some((graph["graph"].as_u64().unwrap_or_default(), graph["blocks"].as_array()?.len() as u64))
    };
    let distinct: BTreeMap<u64, u64> = graphs.iter().filter_map(count).collect();
    (!distinct.is_empty()).then(|| distinct.values().sum())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColumnCost {
    /// Blocks of all graphs
    Blocks,
    /// Tokens of all streams
    Tokens,
    /// Bytes that DRAM reads and writes, with `--memory`
    Dram,
    /// The most tokens in queues at once, with `--queue-depth`
    #[value(alias = "most_waiting")]
    MostWaiting,
}

impl ColumnCost {
    pub(crate) fn of(self, counts: &SimulationCounts) -> Option<u64> {
        match self {
            Self::Blocks => counts.blocks,
            Self::Tokens => counts.tokens,
            Self::Dram => Some(counts.dram_read? + counts.dram_written?),
            Self::MostWaiting => counts.most_waiting,
        }
    }

    pub(crate) fn names(self) -> CostNames {
        let (title, column, flag) = match self {
            Self::Blocks => ("blocks", "blocks", None),
            Self::Tokens => ("tokens", "tokens", None),
            Self::Dram => ("DRAM traffic (bytes)", "dram", Some("--memory")),
            Self::MostWaiting => ("most tokens in queues at once", "most_waiting", Some("--queue-depth")),
        };
        CostNames { title, column, flag }
    }
}

pub(crate) struct CostNames {
    /// With its unit.
    pub(crate) title: &'static str,
    pub(crate) column: &'static str,
    /// The flag without which it is not counted.
    pub(crate) flag: Option<&'static str>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn graph(number: u64, blocks: &[&str]) -> Value {
        let blocks: Vec<Value> = blocks.iter().map(|name| json!({ "name": name })).collect();
        let streams = json!([{"value": 3, "stop": 1, "empty": 0, "done": 1, "idle": 9}]);
        json!({"graph": number, "name": "x", "blocks": blocks, "streams": streams, "most_waiting": blocks.len(), "memory": {"dram_read": 8, "dram_written": 2}})
    }

    /// A statement in a loop runs one graph several times: its work adds up, and its blocks do not.
    #[test]
    fn graphs_that_run_again_have_their_blocks_once() {
        let (x, y) = (graph(0, &["a", "b"]), graph(1, &["a"]));
        let counts = SimulationCounts::of(&json!({ "cycles": 30, "graphs": [x, y, x] }));
        let expected = SimulationCounts {
            cycles: Some(30),
            tokens: Some(15),
            blocks: Some(3),
            most_waiting: Some(2),
            dram_read: Some(24),
            dram_written: Some(6),
        };
        assert_eq!(counts, expected);
        assert_eq!(ColumnCost::Dram.of(&counts), Some(30));
    }

    #[test]
    fn a_given_graph_is_the_whole() {
        let counts = SimulationCounts::of(
            &json!({ "cycles": 7, "blocks": [{"name": "a"}], "streams": [{"value": 2}] }),
        );
        let none = SimulationCounts::default();
        let expected = SimulationCounts { cycles: Some(7), tokens: Some(2), blocks: Some(1), ..none };
        assert_eq!(counts, expected);
        assert_eq!(SimulationCounts::of(&json!({ "cycles": 0, "graphs": [] })).blocks, None);
    }
}
