//! Queues of a limited depth: nothing is lost in them, and little waits in them.

use crate::draw::Draw;
use crate::notation::{accesses, permutations, statement, variables};
use crate::pack::pack;
use comet_sam::dot;
use comet_sam::graph::Graph;
use comet_sam::lower::{Choices, IndexStatement, lower_with};
use comet_sam::simulate::{Cause, MemoryModel, RunReport, SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

const ORDER: [&str; 3] = ["i", "j", "k"];

fn bounded(graph: &Graph, tensors: &BTreeMap<String, StoredTensor>, depth: usize) -> RunReport {
    let options = SimulationOptions { queue_depth: NonZeroUsize::new(depth), ..SimulationOptions::default() };
    simulate(graph, tensors, options).expect("it runs")
}

/// The most tokens that all queues of a graph have room for.
fn room(graph: &Graph, depth: usize) -> u64 {
    let queues: usize = graph.streams.iter().map(|stream| stream.to.len()).sum();
    (queues * (depth + 1)) as u64
}

/// A dense matrix of this extent.
fn filled(extent: usize) -> Vec<Entry> {
    let points = (0..extent).flat_map(|row| (0..extent).map(move |column| (row, column)));
    points.map(|(row, column)| (vec![row, column], ((row + 2 * column) as f64).into())).collect()
}

#[test]
fn products_are_the_same_in_queues_of_any_depth() {
    for order in permutations(&ORDER.map(str::to_owned)) {
        let statement = statement("X(i,j) = B(i,k) * C(k,j)", &order);
        let stored = statement.tensors[1..].iter();
        let tensors: BTreeMap<String, StoredTensor> =
            stored.map(|format| (format.name.clone(), pack(format, &[9, 9], &filled(9)))).collect();
        for copies in [1, 3] {
            let parallel = BTreeMap::from([("k".to_owned(), copies)]);
            let lowered = lower_with(&statement, &Choices { parallel, ..Choices::default() });
            let lowered = lowered.expect("it can be lowered");
            let graph = lowered.last();
            let free = simulate(graph, &tensors, SimulationOptions::default()).expect("it runs");
            assert_eq!(free.most_waiting, None);
            for depth in [4, 16, 1000] {
                let outcome = bounded(graph, &tensors, depth);
                let most = outcome.most_waiting.expect("queues are bounded");
                assert_eq!(outcome.result, free.result, "{order:?}, {copies} copies, depth {depth}");
                assert!(outcome.cycles >= free.cycles && (1..=room(graph, depth)).contains(&most));
            }
        }
    }
}

/// Some of the places of a vector, or none, or all.
fn vector(extent: usize, percent: usize, draw: &mut Draw) -> Vec<Entry> {
    let places = (0..extent).filter(|_| draw.percent(percent));
    places.map(|place| (vec![place], (place as f64).into())).collect()
}

/// An intersecter signals what it would need next to a scanner that has ended already.
#[test]
fn what_skips_needs_no_room_on_the_way_back() {
    let order = ["i".to_owned()];
    let statement = statement("y(i) = a(i) * b(i)", &order);
    let choices = Choices { skipped: order.iter().cloned().collect(), ..Choices::default() };
    let lowered = lower_with(&statement, &choices).expect("it can be lowered");
    let mut draw = Draw::new(1);
    for case in 0..200 {
        let percents = [[0, 50], [10, 90], [50, 50], [100, 5]][case % 4];
        let operands = statement.tensors[1..].iter().zip(percents);
        let tensors = operands.map(|(format, percent)| {
            (format.name.clone(), pack(format, &[30], &vector(30, percent, &mut draw)))
        });
        let tensors: BTreeMap<String, StoredTensor> = tensors.collect();
        let free = simulate(lowered.last(), &tensors, SimulationOptions::default()).expect("it runs");
        for depth in 1..=4 {
            let outcome = bounded(lowered.last(), &tensors, depth);
            let most = outcome.most_waiting.expect("queues are bounded");
            assert_eq!(outcome.result, free.result, "{tensors:?}, depth {depth}");
            assert!(most <= room(lowered.last(), depth));
        }
    }
}

/// The operands of a statement, whose first two, `B` and `C`, have no points in common in two of three rows
/// out of the first hundred.
fn operands(text: &str, statement: &IndexStatement) -> BTreeMap<String, StoredTensor> {
    let accesses = accesses(text);
    let operands = accesses.iter().zip(&statement.tensors).skip(1).map(|((name, indices), format)| {
        let dims: Vec<usize> = indices.iter().map(|index| if index == "i" { ROWS } else { 2 }).collect();
        let points = points(&dims).filter(|point| match name.as_str() {
            "B" => point[1] == 0,
            "C" => point[1] == usize::from(point[0] % 3 != 1 && point[0] <= 100),
            _ => true,
        });
        let entries: Vec<Entry> =
            points.zip(1..).map(|(point, value)| (point, f64::from(value).into())).collect();
        (format.name.clone(), pack(format, &dims, &entries))
    });
    operands.collect()
}

const ROWS: usize = 120;

/// A copy under whose coordinates nothing is left, for long, does not hold up the others, which are merged
/// with it; whether its values are sums, or rows, or sums of rows.
#[test]
fn copies_that_drop_much_do_not_hold_up_others() {
    const STATEMENTS: [&str; 6] = [
        "X(i,j) = B(i,j) * C(i,j)",
        "x(i) = B(i,j) * C(i,j)",
        "x(i) = B(i,j) * C(i,j) * d(i)",
        "X(i,k) = B(i,j) * C(i,j) * d(k)",
        "X(i,k) = B(i,j) * C(i,j) * E(j,k)",
        "X(h,i) = B(i,j) * C(i,j) * D(h,i)",
    ];
    for text in STATEMENTS {
        let statement = statement(text, &variables(text));
        let tensors = operands(text, &statement);
        let alone = lower_with(&statement, &Choices::default()).expect("it can be lowered");
        let alone = simulate(alone.last(), &tensors, SimulationOptions::default()).expect("it runs").result;
        for dealt in [&["i"][..], &["i", "j"], &["h", "i"], &["j"]] {
            let parallel = dealt.iter().map(|var| ((*var).to_owned(), 3)).collect();
            let lowered = lower_with(&statement, &Choices { parallel, ..Choices::default() });
            let lowered = lowered.expect("it can be lowered");
            for depth in [2, 5, 16] {
                let outcome = bounded(lowered.last(), &tensors, depth);
                assert_eq!(outcome.result, alone, "{text}, {dealt:?}, {depth}");
            }
        }
    }
}

/// All points inside of extents.
fn points(dims: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    (0..dims.iter().product()).map(|mut place: usize| {
        let mut point: Vec<usize> = dims
            .iter()
            .rev()
            .map(|dim| {
                let at = place % dim;
                place /= dim;
                at
            })
            .collect();
        point.reverse();
        point
    })
}

/// A hold whose outer coordinate comes behind the fiber that it is held over.
const LATE: &str = r#"digraph SAM {
    comment="X=ss01,B=ss01"
    1 [type="fiberlookup" index="i" tensor="B" mode="0" format="compressed" root="true"]
    2 [type="fiberlookup" index="j" tensor="B" mode="1" format="compressed" root="false"]
    3 [type="crddrop" outer="i" inner="j"]
    4 [type="crdhold" outer="i" inner="j"]
    5 [type="fiberwrite" index="i" tensor="X" mode="0" format="compressed"]
    6 [type="fiberwrite" index="j" tensor="X" mode="1" format="compressed"]
    7 [type="arrayvals" tensor="B"]
    8 [type="broadcast"]
    0 [type="fiberwrite" tensor="X" mode="vals"]
    1 -> 3 [type="crd" comment="outer-i"]
    1 -> 2 [type="ref"]
    2 -> 3 [type="crd" comment="inner-j"]
    3 -> 8 [type="crd" comment="outer-i"]
    8 -> 5 [type="crd"]
    8 -> 4 [type="crd" comment="outer-i"]
    3 -> 4 [type="crd" comment="inner-j"]
    4 -> 6 [type="crd" comment="inner-j"]
    2 -> 7 [type="ref"]
    7 -> 0 [type="val"]
}
"#;

/// What waits inside of a block is as much as waits in a queue.
#[test]
fn a_hold_keeps_no_more_than_a_queue_does() {
    let graph = dot::read(LATE).expect("it can be read");
    let tensors = BTreeMap::from([("B".to_owned(), pack(&graph.tensors[1], &[20, 20], &filled(20)))]);
    assert_eq!(bounded(&graph, &tensors, 20).result.entries(), filled(20));
    let options = SimulationOptions { queue_depth: NonZeroUsize::new(4), ..SimulationOptions::default() };
    let fault =
        simulate(&graph, &tensors, options).expect_err("the hold is full before its coordinate comes");
    assert_eq!(fault.hint.as_deref(), Some("deepen the queues, or leave them unbounded"));
    assert_eq!(fault.cause, Cause::Options);
}

/// A reducer of two levels behind a dropper, in queues that are shorter than fibers: all in front of it wait
/// for room, be it in queues or in buffers for tiles.
#[test]
fn what_waits_for_room_is_not_said_to_have_ended() {
    let order = ["k", "i", "j"].map(str::to_owned);
    let statement = statement("X(i,j) = B(k,i,j) * C(k,i,j)", &order);
    let choices = Choices { tiled_from: Some("i".to_owned()), ..Choices::default() };
    let lowered = lower_with(&statement, &choices).expect("it can be lowered");
    let dims = [12, 9, 9];
    let entries: Vec<Entry> = points(&dims).zip(1..).map(|(point, n)| (point, f64::from(n).into())).collect();
    let operands = statement.tensors[1..].iter();
    let tensors: BTreeMap<String, StoredTensor> =
        operands.map(|format| (format.name.clone(), pack(format, &dims, &entries))).collect();
    let slow = MemoryModel { dram: 1.0, ..MemoryModel::default() };
    const CIRCLE: &str = "`CrdDrop i,j (14)` waits for room at `SparseAccumulator 2 (15)`, \
                          `SparseAccumulator 2 (15)` waits for a token of `CrdDrop i,j (14)`";
    for depth in 1..6 {
        for memory in [None, Some(MemoryModel::default()), Some(slow)] {
            let options = SimulationOptions {
                queue_depth: NonZeroUsize::new(depth),
                memory,
                ..SimulationOptions::default()
            };
            let fault = simulate(lowered.last(), &tensors, options).expect_err("the fibers are longer");
            let (_, waits) = fault.message.split_once(": ").expect("it says what waits");
            assert_eq!(waits, CIRCLE, "{depth}, {memory:?}");
            assert_eq!(fault.cause, Cause::Options, "{depth}, {memory:?}");
        }
    }
}
