//! Streams that are not well formed are found while a graph runs, with the block that has seen them.

use comet_sam::dot;
use comet_sam::graph::{BlockId, Stream, StreamKind};
use comet_sam::simulate::{RunReport, SimulationFault, SimulationOptions, simulate};
use comet_sam::storage::{StoredLevel, StoredTensor};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A vector with these coordinates, sorted or not.
fn vector(crd: &[usize]) -> StoredTensor {
    let values: Vec<f64> = crd.iter().map(|&coordinate| coordinate as f64 + 0.5).collect();
    let level = StoredLevel::Compressed { seg: vec![0, crd.len()], crd: crd.to_vec() };
    StoredTensor { dims: vec![9], levels: vec![level], order: vec![0], values: values.into() }
}

/// Rows 0 and 2 with these columns.
fn matrix(rows: [&[usize]; 2]) -> StoredTensor {
    let inner = vector(&rows.concat());
    let ends = vec![0, rows[0].len(), rows[0].len() + rows[1].len()];
    let outer = StoredLevel::Compressed { seg: vec![0, 2], crd: vec![0, 2] };
    let StoredLevel::Compressed { crd, .. } = inner.levels[0].clone() else {
        unreachable!("it is compressed")
    };
    let levels = vec![outer, StoredLevel::Compressed { seg: ends, crd }];
    StoredTensor { dims: vec![9, 9], levels, order: vec![0, 1], values: inner.values }
}

fn message(nodes: &[&str], tensors: &[(&str, StoredTensor)]) -> String {
    match run(nodes, tensors) {
        Ok(outcome) => format!("{:?}", outcome.result.entries()),
        Err(fault) => fault.message,
    }
}

fn run(nodes: &[&str], tensors: &[(&str, StoredTensor)]) -> Result<RunReport, SimulationFault> {
    let mut text = "digraph SAM {\n".to_owned();
    nodes.iter().for_each(|node| writeln!(text, "    {node}").expect("strings take all"));
    let graph = dot::read(&(text + "}\n")).expect("it can be read");
    let tensors: BTreeMap<String, StoredTensor> =
        tensors.iter().map(|(name, storage)| ((*name).to_owned(), storage.clone())).collect();
    simulate(&graph, &tensors, SimulationOptions::default())
}

const COPY: [&str; 7] = [
    "comment=\"x=s0,b=s0\"",
    "1 [type=fiberlookup index=i tensor=b mode=0 format=compressed root=true]",
    "2 [type=arrayvals tensor=b]",
    "3 [type=fiberwrite index=i tensor=x mode=0 format=compressed]",
    "0 [type=fiberwrite tensor=x mode=vals]",
    "1 -> 3 [type=crd] 1 -> 2 [type=ref]",
    "2 -> 0 [type=val]",
];

const SUM: [&str; 9] = [
    "comment=\"x=s0,b=s0,c=s0\"",
    "1 [type=fiberlookup index=i tensor=b mode=0 format=compressed root=true]",
    "2 [type=fiberlookup index=i tensor=c mode=0 format=compressed root=true]",
    "3 [type=union index=i]",
    "4 [type=arrayvals tensor=b] 5 [type=arrayvals tensor=c] 6 [type=add sub=0]",
    "7 [type=fiberwrite index=i tensor=x mode=0 format=compressed] 0 [type=fiberwrite tensor=x mode=vals]",
    "1 -> 3 [type=crd comment=\"in-b\"] 1 -> 3 [type=ref comment=\"in-b\"]",
    "2 -> 3 [type=crd comment=\"in-c\"] 2 -> 3 [type=ref comment=\"in-c\"]",
    "3 -> 7 [type=crd] 3 -> 4 [type=ref comment=\"out-b\"] 3 -> 5 [type=ref comment=\"out-c\"] 4 -> 6 -> 0 [type=val] 5 -> 6 [type=val]",
];

#[test]
fn coordinates_must_ascend_where_they_are_written() {
    assert_eq!(message(&COPY, &[("b", vector(&[1, 4]))]), "[([1], F64(1.5)), ([4], F64(4.5))]");
    assert_eq!(
        message(&COPY, &[("b", vector(&[1, 4, 4]))]),
        "found the coordinate 4 behind 4, expected them to ascend in a fiber (at `FiberWrite i: x0 (3)`)"
    );
}

#[test]
fn coordinates_must_ascend_where_they_are_joined() {
    assert_eq!(
        message(&SUM, &[("b", vector(&[1, 4])), ("c", vector(&[5, 3]))]),
        "found the coordinate 3 behind 5, expected them to ascend in a fiber (at `union i (3)`)"
    );
    let intersect: Vec<&str> = SUM
        .iter()
        .map(|line| if line.contains("union") { "3 [type=intersect index=i]" } else { line })
        .collect();
    assert_eq!(
        message(&intersect, &[("b", vector(&[7, 4])), ("c", vector(&[8]))]),
        "found the coordinate 4 behind 7, expected them to ascend in a fiber (at `intersect i (3)`)"
    );
}

/// The coordinates of the second level come to the writer of the first.
#[test]
fn stops_are_those_of_the_level() {
    let nodes = [
        "comment=\"x=s0,B=ss01\"",
        "1 [type=fiberlookup index=i tensor=B mode=0 format=compressed root=true]",
        "2 [type=fiberlookup index=j tensor=B mode=1 format=compressed root=false]",
        "3 [type=arrayvals tensor=B]",
        "4 [type=fiberwrite index=i tensor=x mode=0 format=compressed]",
        "0 [type=fiberwrite tensor=x mode=vals]",
        "1 -> 2 [type=ref] 2 -> 4 [type=crd] 2 -> 3 [type=ref]",
        "3 -> 0 [type=val]",
    ];
    assert_eq!(
        message(&nodes, &[("B", matrix([&[3, 5], &[4]]))]),
        "`S1` ends more than there is: expected stops up to `S0`, since the level is at depth 1 (at `FiberWrite i: x0 (4)`)"
    );
}

/// No queue is too short where all are unbounded.
#[test]
fn circles_are_not_blamed_on_queues() {
    let nodes = [
        "comment=\"x=s0,b=s0\"",
        "1 [type=fiberlookup index=i tensor=b mode=0 format=compressed root=true]",
        "2 [type=arrayvals tensor=b] 3 [type=add sub=0] 4 [type=neg]",
        "5 [type=fiberwrite index=i tensor=x mode=0 format=compressed]",
        "0 [type=fiberwrite tensor=x mode=vals]",
        "1 -> 5 [type=crd] 1 -> 2 [type=ref] 2 -> 3 [type=val] 4 -> 3 [type=val]",
        "6 [type=broadcast] 3 -> 6 [type=val] 6 -> 4 [type=val] 6 -> 0 [type=val]",
    ];
    let fault = run(&nodes, &[("b", vector(&[1, 4]))]).expect_err("nothing can begin");
    assert_eq!(
        fault.message,
        "deadlock in cycle 7: `Add (3)` waits for a token of `Neg (4)`, `Neg (4)` waits for a token of `Add (3)`"
    );
    assert_eq!(fault.hint.as_deref(), Some("the streams lead in a circle, in which no block can begin"));
}

/// References of one operand that are led into another one, which would load wrong values.
#[test]
fn references_lead_into_their_own_tensor() {
    let mut graph = dot::read(include_str!("graphs/skipping.gv")).expect("it can be read");
    let is_joined = |stream: &&mut Stream| stream.kind == StreamKind::Ref && stream.from.0 == BlockId(2);
    let mut joined = graph.streams.iter_mut().filter(is_joined);
    let (of_b, of_c) = (joined.next().expect("one for `b`"), joined.next().expect("one for `c`"));
    std::mem::swap(&mut of_b.to, &mut of_c.to);
    let fault =
        simulate(&graph, &BTreeMap::new(), SimulationOptions::default()).expect_err("it is wired wrongly");
    assert_eq!(
        fault.message,
        "references of `c`, from `FiberLookup i: c0 (2)`, enter `Array Vals: b (4)`, which takes those of `b`"
    );
    assert!(fault.hint.expect("it says what to do").contains("lead references of `b` there"));
}

/// Where coordinates of `b` have no row in `B`, the scanner of its columns puts an empty token, which is no
/// coordinate to store or to merge by.
#[test]
fn empty_tokens_are_no_coordinates() {
    let before = [
        "comment=\"x=s0,b=s0,B=ss01\"",
        "1 [type=fiberlookup index=i tensor=b mode=0 format=compressed root=true]",
        "2 [type=fiberlookup index=i tensor=B mode=0 format=compressed root=true]",
        "3 [type=union index=i] 4 [type=fiberlookup index=j tensor=B mode=1 format=compressed]",
        "5 [type=fiberwrite index=j tensor=x mode=0 format=compressed]",
        "6 [type=arrayvals tensor=B] 7 [type=arrayvals tensor=b] 0 [type=fiberwrite tensor=x mode=vals]",
        "1 -> 3 [type=crd comment=\"in-b\"] 1 -> 3 [type=ref comment=\"in-b\"]",
        "2 -> 3 [type=crd comment=\"in-B\"] 2 -> 3 [type=ref comment=\"in-B\"]",
        "3 -> 4 [type=ref comment=\"out-B\"] 3 -> 7 [type=ref comment=\"out-b\"]",
        "4 -> 6 [type=ref] 6 -> 0 [type=val]",
    ];
    let written = [&before[..], &["4 -> 5 [type=crd]"]].concat();
    let merged = [
        &before[..],
        &["8 [type=serialize index=j factor=2]", "4 -> 8 [type=crd] 4 -> 8 [type=crd]", "8 -> 5 [type=crd]"],
    ]
    .concat();
    let operands = [("b", vector(&[1])), ("B", matrix([&[3, 5], &[4]]))];
    assert_eq!(
        message(&written, &operands),
        "expected coordinates to write, found an empty token (at `FiberWrite j: x0 (5)`)"
    );
    assert_eq!(
        message(&merged, &operands),
        "expected coordinates to serialize, found an empty token (at `Serialize j: 2 (8)`)"
    );
}
