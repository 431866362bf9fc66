//! Reducers of points, as the files of SAM's tools have them: outer coordinates are held for each value.

use crate::notation::dense::expected;
use crate::notation::statement;
use crate::pack::pack;
use comet_sam::dot;
use comet_sam::graph::{BlockKind, Graph};
use comet_sam::lower::{IndexStatement, lower};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

/// X(i,j) = B(i,k) * C(k,j), row by row.
const BY_ROWS: &str = r#"digraph SAM {
    comment="X=ss01,B1=ss01,C2=ss01"
    1 [type="fiberlookup" index="i" tensor="B1" mode="0" format="compressed" root="true"]
    2 [type="broadcast"]
    3 [type="repsiggen" index="i"]
    4 [type="repeat" index="i" tensor="C2" root="true"]
    5 [type="fiberlookup" index="k" tensor="B1" mode="1" format="compressed" root="false"]
    6 [type="fiberlookup" index="k" tensor="C2" mode="0" format="compressed" root="false"]
    7 [type="intersect" index="k"]
    8 [type="crdhold" outer="i" inner="k"]
    9 [type="fiberlookup" index="j" tensor="C2" mode="1" format="compressed" root="false"]
    10 [type="crdhold" outer="i" inner="j"]
    11 [type="broadcast"]
    12 [type="repsiggen" index="j"]
    13 [type="repeat" index="j" tensor="B1" root="false"]
    14 [type="arrayvals" tensor="B1"]
    15 [type="arrayvals" tensor="C2"]
    16 [type="mul"]
    17 [type="spaccumulator" order="1" in0="j" in1="i"]
    18 [type="fiberwrite" index="i" tensor="X" mode="0" format="compressed"]
    19 [type="fiberwrite" index="j" tensor="X" mode="1" format="compressed"]
    0 [type="fiberwrite" tensor="X" mode="vals"]
    1 -> 2 [type="crd"]
    2 -> 3 [type="crd"]
    2 -> 8 [type="crd" comment="outer-i"]
    3 -> 4 [type="repsig"]
    1 -> 5 [type="ref"]
    4 -> 6 [type="ref"]
    5 -> 7 [type="crd" comment="in-B1"]
    5 -> 7 [type="ref" comment="in-B1"]
    6 -> 7 [type="crd" comment="in-C2"]
    6 -> 7 [type="ref" comment="in-C2"]
    7 -> 8 [type="crd" comment="inner-k"]
    7 -> 13 [type="ref" comment="out-B1"]
    7 -> 9 [type="ref" comment="out-C2"]
    8 -> 10 [type="crd" comment="outer-i"]
    9 -> 11 [type="crd"]
    11 -> 10 [type="crd" comment="inner-j"]
    11 -> 12 [type="crd"]
    12 -> 13 [type="repsig"]
    13 -> 14 [type="ref"]
    9 -> 15 [type="ref"]
    14 -> 16 [type="val"]
    15 -> 16 [type="val"]
    10 -> 17 [type="crd" comment="outer-i"]
    10 -> 17 [type="crd" comment="inner-j"]
    16 -> 17 [type="val"]
    17 -> 18 [type="crd" comment="out-i"]
    17 -> 19 [type="crd" comment="out-j"]
    17 -> 0 [type="val"]
}
"#;

fn entries(dims: [usize; 2], seed: usize) -> Vec<Entry> {
    let points = (0..dims[0]).flat_map(|row| (0..dims[1]).map(move |column| (row, column)));
    let stored =
        points.filter(|(row, column)| (row * 7 + column * 5 + seed).is_multiple_of(3) && row % 4 != seed % 4);
    stored
        .map(|(row, column)| (vec![row, column], ((1 + (row + 2 * column + seed) % 7) as f64).into()))
        .collect()
}

fn tensors(statement: &IndexStatement, seed: usize) -> BTreeMap<String, StoredTensor> {
    let stored = [("B1", [6, 5]), ("C2", [5, 8])].into_iter().zip(1..).map(|((name, dims), tensor)| {
        let entries = entries(dims, seed + tensor);
        (name.to_owned(), pack(&statement.tensors[tensor], &dims, &entries))
    });
    stored.collect()
}

#[test]
fn points_are_added_up_as_levels_are() {
    let order = ["i", "k", "j"].map(str::to_owned);
    let statement = statement("X(i,j) = B(i,k) * C(k,j)", &order);
    let by_points = dot::read(BY_ROWS).expect("it can be read");
    let lowered = lower(&statement).expect("it can be lowered");
    let by_levels = lowered.last();
    let has_hold =
        |graph: &Graph| graph.blocks.iter().any(|block| matches!(block.kind, BlockKind::Hold { .. }));
    assert!(has_hold(&by_points) && !has_hold(by_levels));
    for seed in 0..8 {
        let tensors = tensors(&statement, seed);
        let extent = |index: &str| {
            if index == "i" {
                6
            } else if index == "k" {
                5
            } else {
                8
            }
        };
        let expected = expected(&statement, &tensors, &extent);
        let [points, levels] = [&by_points, by_levels]
            .map(|graph| simulate(graph, &tensors, SimulationOptions::default()).expect("it runs"));
        assert_eq!(points.result.entries(), expected, "data {seed}");
        assert_eq!(levels.result.entries(), expected, "data {seed}");
        // Stops are left out in front of the reducer of points.
        assert!(points.cycles > levels.cycles, "data {seed}");
    }
}
