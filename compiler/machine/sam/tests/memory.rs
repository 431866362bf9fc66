//! What a memory of finite size and rate moves, and what waits for it.

use crate::notation::statement;
use crate::pack::pack;
use comet_sam::graph::{Element, GraphLevel, TensorFormat};
use comet_sam::lower::{Choices, Lowered, lower, lower_with};
use comet_sam::simulate::{
    Cut, EmptyCoordinates, MemoryModel, MemoryReport, Observe, SimulationOptions, Tensors, Untiled, simulate,
    simulate_observed,
};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::{BTreeMap, BTreeSet};

const SLOW: SimulationOptions = SimulationOptions {
    queue_depth: None,
    skip_depth: None,
    empty_coordinates: EmptyCoordinates::Dropped,
    memory: Some(MemoryModel {
        dram: 1.0,
        last_level: 100,
        on_chip: 1.0,
        element: 100,
        buffers: 2,
        pages: None,
    }),
    timings: comet_sam::machine::Timings::DEFAULT,
};

fn vector(level: GraphLevel, size: usize, coordinates: &[usize]) -> StoredTensor {
    let (levels, order) = (vec![level], vec![0]);
    let format = TensorFormat { name: String::new(), levels, order, element: Element::F64 };
    let entries: Vec<Entry> =
        coordinates.iter().map(|place| (vec![*place], (*place as f64 + 0.5).into())).collect();
    pack(&format, &[size], &entries)
}

/// What stands for all coordinates is written to files with values, which nothing reads: whether it has any
/// makes no difference.
#[test]
fn values_that_nothing_reads_are_not_moved() {
    let lowered = lower(&statement("x(i) = b(i) + a", &["i".to_owned()])).expect("it can be lowered");
    let [universe] = lowered.universes.as_slice() else { panic!("all coordinates are walked") };
    let number = StoredTensor { values: vec![2.0].into(), ..StoredTensor::default() };
    let with_values = vector(GraphLevel::Dense, 20, &(0..20).collect::<Vec<_>>());
    let alone = StoredTensor { values: Vec::<f64>::new().into(), ..with_values.clone() };
    let run = |all: StoredTensor| {
        let operands = [("a2", number.clone()), ("b1", vector(GraphLevel::Compressed, 20, &[3, 7, 11]))];
        let mut tensors = BTreeMap::from(operands.map(|(name, stored)| (name.to_owned(), stored)));
        tensors.insert(universe.tensor.clone(), all);
        simulate(lowered.last(), &tensors, SLOW).expect("it runs")
    };
    let outcome = run(alone);
    assert_eq!(outcome, run(with_values));
    // A number, and two positions and three coordinates with their values.
    assert_eq!(outcome.memory.expect("there is one").dram_read, 8 + 4 * (2 + 3) + 8 * 3);
}

/// The product of two matrices of 4 by 4 in tiles of 2 by 2, each with one entry in three of its tiles.
fn product(result: GraphLevel) -> (Lowered, BTreeMap<String, StoredTensor>) {
    let order = ["io", "ko", "jo", "i", "k", "j"].map(str::to_owned);
    let mut statement = statement("X(io,jo,i,j) = B(io,ko,i,k) * C(ko,jo,k,j)", &order);
    statement.tensors[0].levels = vec![result; 4];
    let entries = |points: [(usize, usize); 3]| -> Vec<Entry> {
        let entry = |(row, column): (usize, usize)| {
            (vec![row / 2, column / 2, row % 2, column % 2], ((row + 2 * column + 1) as f64).into())
        };
        points.into_iter().map(entry).collect()
    };
    let stored = [[(0, 0), (0, 3), (2, 1)], [(0, 0), (1, 3), (3, 3)]].map(entries);
    let operands = statement.tensors[1..].iter().zip(stored);
    let pack = |(format, entries): (&TensorFormat, Vec<Entry>)| {
        (format.name.clone(), pack(format, &[2, 2, 2, 2], &entries))
    };
    let tensors = operands.map(pack).collect();
    let choices = Choices { tiled_from: Some("i".to_owned()), ..Choices::default() };
    (lower_with(&statement, &choices).expect("it can be lowered"), tensors)
}

fn moved(result: GraphLevel, last_level: u64, untiled: &Untiled) -> MemoryReport {
    let (lowered, stored) = product(result);
    let memory = MemoryModel { last_level, element: 32, ..MemoryModel::default() };
    let options = SimulationOptions { memory: Some(memory), ..SimulationOptions::default() };
    let tensors = Tensors { stored: &stored, untiled };
    let outcome = simulate_observed(lowered.last(), tensors, options, &mut |_| {}, Observe::default())
        .expect("it runs");
    let alone = simulate(lowered.last(), &stored, SimulationOptions::default()).expect("it runs");
    assert_eq!(outcome.result, alone.result);
    outcome.memory.expect("there is a memory")
}

/// A tile comes again with each round of the loops around its last index, not with those inside of them; what
/// is written is what the products of a round give. A tile of an entry takes a value, two coordinates and two
/// segments of two positions: 32 bytes.
#[test]
fn tiles_move_in_rounds() {
    let moved = moved(GraphLevel::Compressed, 0, &Untiled::default());
    // Of B three, for (io, ko); of C two for (0, 0), one for (0, 1), and the first two again for (1, 0).
    assert_eq!((moved.from_dram, moved.from_last_level, moved.dram_read), (8, 0, 8 * 32));
    assert_eq!(moved.kept, 2, "B's tiles of (0, 0) and (1, 0) are there for the second tile of C");
    // In two of five rounds the entries have no k in common.
    assert_eq!(moved.dram_written, 3 * 32);
}

/// What the last-level buffer holds is pushed from there in the next round.
#[test]
fn tiles_are_pushed_again_from_the_last_level() {
    let moved = moved(GraphLevel::Compressed, 1000, &Untiled::default());
    assert_eq!((moved.from_dram, moved.from_last_level, moved.dram_read), (6, 2, 6 * 32));
}

/// Of a dense result all of the tile is written, as far as the index goes.
#[test]
fn tiles_of_dense_results_are_written_whole() {
    assert_eq!(moved(GraphLevel::Dense, 0, &Untiled::default()).dram_written, 3 * 4 * 8);
    let cut = Cut { over_tiles: "io".to_owned(), extent: 3 };
    let untiled = Untiled { cuts: BTreeMap::from([("i".to_owned(), cut)]), ..Untiled::default() };
    assert_eq!(moved(GraphLevel::Dense, 0, &untiled).dram_written, (2 * 4 + 2) * 8);
}

/// Of a dense operand only values are moved, though a level of its tiles is compressed; a temporary is part
/// of the result.
#[test]
fn what_tensors_do_not_tell_is_given() {
    let names = |names: [&str; 1]| names.map(str::to_owned).into_iter().collect::<BTreeSet<String>>();
    let dense = Untiled { dense: names(["B1"]), ..Untiled::default() };
    assert_eq!(moved(GraphLevel::Compressed, 0, &dense).dram_read, 5 * 32 + 3 * 8);
    let sums = Untiled { sums: names(["B1"]), ..Untiled::default() };
    assert_eq!(moved(GraphLevel::Compressed, 0, &sums).dram_written, 0);
}

/// A buffer has room for a tile that is as large as it is, and not for a larger one.
#[test]
fn a_buffer_holds_one_tile() {
    let order = ["io", "jo", "i", "j"].map(str::to_owned);
    let statement = statement("X(io,jo,i,j) = B(io,jo,i,j)", &order);
    let format = &statement.tensors[1];
    let entries: Vec<Entry> = (0..3).map(|place| (vec![0, 0, place, place], 1.5.into())).collect();
    let stored = BTreeMap::from([(format.name.clone(), pack(format, &[1, 1, 4, 4], &entries))]);
    let choices = Choices { tiled_from: Some("i".to_owned()), ..Choices::default() };
    let lowered = lower_with(&statement, &choices).expect("it can be lowered");
    let run = |element| {
        let memory = MemoryModel { element, last_level: 0, ..MemoryModel::default() };
        simulate(
            lowered.last(),
            &stored,
            SimulationOptions { memory: Some(memory), ..SimulationOptions::default() },
        )
    };
    // Three values, six coordinates, and segments of two and four positions.
    let whole = 3 * 8 + 6 * 4 + 6 * 4;
    assert_eq!(run(whole).expect("it fits").memory.expect("there is one").dram_written, whole);
    let fault = run(whole - 1).expect_err("the operand does not fit either");
    assert!(fault.message.contains("takes 72 bytes"), "{}", fault.message);
}

/// Sums over the same variables that are added up are one graph in tiles, so that a round writes what all of
/// their products give; what is at a tile of one of them is written once.
#[test]
fn sums_over_the_same_variables_are_written_together() {
    let order = ["io", "ko", "i", "k"].map(str::to_owned);
    let statement = statement("X(io,i) = B(io,ko,i,k) * c(ko,k) + D(io,ko,i,k) * e(ko,k)", &order);
    let point = |format: &TensorFormat, entry: Vec<usize>| -> StoredTensor {
        let extents = vec![2; entry.len()];
        pack(format, &extents, &[(entry, 1.5.into())])
    };
    let [b, c, d, e] = [vec![0, 1, 1, 0], vec![1, 0], vec![0, 1, 1, 0], vec![1, 0]];
    let operands = statement.tensors[1..].iter().zip([b, c, d, e]);
    let stored = operands.map(|(format, entry)| (format.name.clone(), point(format, entry))).collect();
    let choices = Choices { tiled_from: Some("i".to_owned()), ..Choices::default() };
    let lowered = lower_with(&statement, &choices).expect("it can be lowered");
    assert_eq!(lowered.graphs.len(), 1);
    let options = SimulationOptions { memory: Some(MemoryModel::default()), ..SimulationOptions::default() };
    let moved = simulate(lowered.last(), &stored, options).expect("it runs").memory.expect("there is one");
    assert_eq!(moved.dram_written, 8 + 4 + 2 * 4, "a value, its coordinate, two positions");
    assert_eq!(moved.from_dram, 4);
}
