//! Copies and buses (sam.txt section 4.4): the same result, in fewer cycles.

use crate::draw::Draw;
use crate::notation::statement;
use crate::pack::pack;
use crate::run;
use comet_sam::graph::BlockKind;
use comet_sam::lower::{Choices, IndexStatement, Lowered, lower_with};
use comet_sam::simulate::{MemoryModel, SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::{BTreeMap, BTreeSet};

const ROWS: usize = 24;
const COLUMNS: usize = 40;

fn random(dims: &[usize], count: usize, seed: u64) -> Vec<Entry> {
    let (mut points, mut draw) = (BTreeSet::new(), Draw::new(seed));
    while points.len() < count {
        points.insert(dims.iter().map(|extent| draw.below(*extent)).collect::<Vec<_>>());
    }
    points.into_iter().zip(1..).map(|(point, number)| (point, f64::from(number % 9).into())).collect()
}

/// The product of two matrices in an order, with its data.
fn product(order: [&str; 3]) -> (IndexStatement, BTreeMap<String, StoredTensor>) {
    let statement = statement("X(i,j) = B(i,k) * C(k,j)", &order.map(str::to_owned));
    let dims = [[ROWS, COLUMNS], [COLUMNS, ROWS]];
    let stored = statement.tensors[1..].iter().zip(dims);
    let stored =
        stored.map(|(format, dims)| (format.name.clone(), pack(format, &dims, &random(&dims, 300, 5))));
    let stored = stored.collect();
    (statement, stored)
}

/// The cycles of a statement that is lowered so, whose result is right.
fn cycles(
    statement: &IndexStatement,
    stored: &BTreeMap<String, StoredTensor>,
    choices: &Choices,
) -> (u64, Lowered) {
    let lowered = lower_with(statement, choices).expect("it can be lowered");
    let extent = |index: &str| if index == "k" { COLUMNS } else { ROWS };
    run::compare(statement, &lowered, stored, &extent).expect("it computes the product");
    let cycles = simulate(lowered.last(), stored, SimulationOptions::default()).expect("it runs").cycles;
    (cycles, lowered)
}

fn copies(var: &str, factor: usize) -> Choices {
    Choices { parallel: BTreeMap::from([(var.to_owned(), factor)]), ..Choices::default() }
}

fn counted(lowered: &Lowered, is_it: impl Fn(&BlockKind) -> bool) -> usize {
    lowered.last().blocks.iter().filter(|block| is_it(&block.kind)).count()
}

/// Rows that are dealt out are computed side by side, and merged again.
#[test]
fn rows_are_dealt_out() {
    let (statement, stored) = product(["i", "j", "k"]);
    let (alone, _) = cycles(&statement, &stored, &Choices::default());
    for factor in [2, 4, 8] {
        let (cycles, lowered) = cycles(&statement, &stored, &copies("i", factor));
        println!("{factor} copies: {cycles} of {alone} cycles");
        assert_eq!(counted(&lowered, |kind| matches!(kind, BlockKind::Reduce(_))), factor);
        assert!(counted(&lowered, |kind| matches!(kind, BlockKind::Serialize(_))) > 0);
        assert!(cycles * (factor as u64) < alone * 5 / 4, "{factor} copies take {cycles} of {alone} cycles");
    }
}

/// A reduction takes what comes of its copies side by side: Gamma's reducer of several inputs. What it puts
/// out is one coordinate a cycle all the same.
#[test]
fn a_reducer_takes_copies_side_by_side() {
    let (statement, stored) = product(["i", "k", "j"]);
    let (mut last, _) = cycles(&statement, &stored, &Choices::default());
    for factor in [2, 4] {
        let (cycles, lowered) = cycles(&statement, &stored, &copies("k", factor));
        println!("{factor} copies: {cycles} after {last} cycles");
        let is_wide = |kind: &BlockKind| matches!(kind, BlockKind::Accumulate(accumulate) if accumulate.inputs == factor);
        assert_eq!(counted(&lowered, is_wide), 1);
        assert_eq!(counted(&lowered, |kind| matches!(kind, BlockKind::Serialize(_))), 0);
        // References of `B` and of `C`; nobody needs the coordinates.
        assert_eq!(counted(&lowered, |kind| matches!(kind, BlockKind::Parallelize(_))), 2);
        assert!(cycles < last);
        last = cycles;
    }
}

/// Sums of what several copies give are put together in the order of the copies, though with a slow memory
/// other values come first.
#[test]
fn sums_of_copies_do_not_depend_on_which_comes_first() {
    for text in ["X(i,j) = B(i,k) * C(k,j)", "x(i) = B(i,k) * C(k,j)"] {
        let statement = statement(text, &["i", "k", "j"].map(str::to_owned));
        let dims = [[ROWS, COLUMNS], [COLUMNS, ROWS]];
        let operands = statement.tensors[1..].iter().zip(dims).map(|(format, dims)| {
            let entries = random(&dims, 700, 5).into_iter().zip(1..);
            let entries = entries.map(|((point, _), number)| (point, (1.0 / f64::from(number)).into()));
            (format.name.clone(), pack(format, &dims, &entries.collect::<Vec<_>>()))
        });
        let stored = operands.collect();
        let choices = Choices { tiled_from: Some("j".to_owned()), ..copies("k", 3) };
        let lowered = lower_with(&statement, &choices).expect("it can be lowered");
        let free = simulate(lowered.last(), &stored, SimulationOptions::default()).expect("it runs");
        for dram in [0.7, 2.0, 9.0] {
            let memory = MemoryModel { dram, last_level: 2000, ..MemoryModel::default() };
            let options = SimulationOptions { memory: Some(memory), ..SimulationOptions::default() };
            let slow = simulate(lowered.last(), &stored, options).expect("it runs");
            assert_eq!(slow.result, free.result, "{text}, {dram}");
        }
    }
}

/// A bus of eight wires moves the elements of a vector eight times as fast.
#[test]
fn buses_move_several_tokens() {
    let statement = statement("x(i) = b(i) * a()", &["i".to_owned()]);
    let [vector, scalar] = [1, 2].map(|number| &statement.tensors[number]);
    let entries: Vec<Entry> = (0..ROWS).map(|place| (vec![place], 2.0.into())).collect();
    let stored = BTreeMap::from([
        (vector.name.clone(), pack(vector, &[ROWS], &entries)),
        (scalar.name.clone(), pack(scalar, &[], &[(Vec::new(), 3.0.into())])),
    ]);
    let choices = Choices { lanes: BTreeMap::from([("i".to_owned(), 8)]), ..Choices::default() };
    let (alone, _) = cycles(&statement, &stored, &Choices::default());
    let (wide, _) = cycles(&statement, &stored, &choices);
    assert_eq!(alone - wide, (ROWS - ROWS / 8) as u64);
}

/// What is inside of copies is copied with them, so that there are as many as their product; buses are side
/// by side.
#[test]
fn copies_and_lanes_have_a_limit() {
    let (statement, _) = product(["i", "j", "k"]);
    let numbers = |numbers: &[(&str, usize)]| -> BTreeMap<String, usize> {
        numbers.iter().map(|(var, number)| ((*var).to_owned(), *number)).collect()
    };
    let parallel = |chosen: &[(&str, usize)]| Choices { parallel: numbers(chosen), ..Choices::default() };
    let lanes = |chosen: &[(&str, usize)]| Choices { lanes: numbers(chosen), ..Choices::default() };
    assert!(lower_with(&statement, &parallel(&[("i", 32), ("j", 32), ("k", 0)])).is_ok());
    assert!(lower_with(&statement, &lanes(&[("i", 1024), ("j", 1024)])).is_ok());
    let refused = [
        parallel(&[("i", 1025)]),
        parallel(&[("i", 1000), ("j", 1000)]),
        parallel(&[("i", usize::MAX), ("j", 2)]),
        lanes(&[("i", 1025)]),
    ];
    let messages = refused.map(|choices| {
        let refusal = lower_with(&statement, &choices).expect_err("they are too many");
        format!("{refusal}; {}", refusal.hint.as_deref().expect("there is a way out"))
    });
    insta::assert_snapshot!(messages.join("\n"), @r"
    found 1025 copies of `i`, expected 1024 at most; choose fewer
    found 1000 copies of `i` times 1000 copies of `j`, expected 1024 at most; choose fewer
    found 18446744073709551615 copies of `i` times 2 copies of `j`, expected 1024 at most; choose fewer
    found 1025 lanes of `i`, expected 1024 at most; choose fewer
    ");
}
