//! Figure 15 of sam.txt: the product of two sparse matrices of ever larger extents and one number of
//! nonzeros, tile by tile, in a finite memory.

use crate::draw::Draw;
use crate::notation::statement;
use crate::pack::pack;
use comet_sam::lower::{Choices, Lowered, lower_with};
use comet_sam::simulate::{Cause, MemoryModel, RunReport, SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

const TILE: usize = 128;

fn uniform(size: usize, count: usize, seed: u64) -> Vec<Entry> {
    let (mut points, mut draw) = (BTreeSet::new(), Draw::new(seed));
    while points.len() < count {
        points.insert((draw.below(size), draw.below(size)));
    }
    let entry = |(row, column): (usize, usize)| {
        let point = vec![row / TILE, column / TILE, row % TILE, column % TILE];
        (point, ((1 + (row + column) % 9) as f64).into())
    };
    points.into_iter().map(entry).collect()
}

/// The graph of a product, and matrices of this extent with so many nonzeros each.
fn tiled(size: usize, count: usize) -> (Lowered, BTreeMap<String, StoredTensor>) {
    let order = ["io", "ko", "jo", "i", "k", "j"].map(str::to_owned);
    let statement = statement("X(io,jo,i,j) = B(io,ko,i,k) * C(ko,jo,k,j)", &order);
    let tiles = size.div_ceil(TILE);
    let stored = statement.tensors[1..].iter().enumerate();
    let tensors: BTreeMap<String, StoredTensor> = stored
        .map(|(number, format)| {
            let entries = uniform(size, count, number as u64);
            (format.name.clone(), pack(format, &[tiles, tiles, TILE, TILE], &entries))
        })
        .collect();
    let choices = Choices {
        skipped: order.iter().cloned().collect(),
        tiled_from: Some("i".to_owned()),
        ..Choices::default()
    };
    (lower_with(&statement, &choices).expect("it can be lowered"), tensors)
}

/// Runs the product in this memory.
fn product(size: usize, count: usize, memory: MemoryModel) -> RunReport {
    let (lowered, tensors) = tiled(size, count);
    let alone = SimulationOptions { skip_depth: NonZeroUsize::new(2), ..SimulationOptions::default() };
    let options = SimulationOptions { memory: Some(memory), ..alone };
    let outcome = simulate(lowered.last(), &tensors, options).expect("it runs");
    println!("{size} {count}: {} cycles {:?}", outcome.cycles, outcome.memory);
    let alone = simulate(lowered.last(), &tensors, alone).expect("it runs");
    assert_eq!(alone.result, outcome.result);
    outcome
}

/// Cycles first grow with the number of tiles that have something, and shrink when fewer and fewer pairs of
/// tiles have. At last nothing but what is stored takes time.
#[test]
fn cycles_rise_and_fall_with_the_extent() {
    let cycles = [512, 1024, 2048, 3072, 8192].map(|size| product(size, 500, MemoryModel::default()).cycles);
    assert!(cycles[0] < cycles[1] && cycles[2] > cycles[3] && cycles[3] > cycles[4], "{cycles:?}");
}

/// Tiles come once from a memory on the chip that holds all of them, and again from DRAM for one that does
/// not, which takes longer.
#[test]
fn a_small_last_level_buffer_reads_tiles_again() {
    let large = product(1024, 2000, MemoryModel::default());
    let small = product(1024, 2000, MemoryModel { last_level: 5000, ..MemoryModel::default() });
    let slow = product(1024, 2000, MemoryModel { last_level: 5000, dram: 1.0, ..MemoryModel::default() });
    let [large_bytes, small_bytes] = [&large, &small].map(|outcome| outcome.memory.unwrap().dram_read);
    assert!(large_bytes * 2 < small_bytes, "{large_bytes} and {small_bytes}");
    assert!(large.cycles <= small.cycles && small.cycles < slow.cycles);
    let moved = slow.memory.unwrap();
    assert_eq!(moved.dram_busy, moved.dram_read + moved.dram_written, "a byte takes a cycle");
    let more = MemoryModel { buffers: 8, last_level: 5000, dram: 1.0, ..MemoryModel::default() };
    assert!(product(1024, 2000, more).cycles < slow.cycles);
}

/// What a memory holds back is what has to be moved: a reference into a tile that is there passes like any
/// other token.
#[test]
fn a_fast_memory_holds_nothing_up() {
    let (lowered, tensors) = tiled(1024, 2000);
    let fast = MemoryModel { dram: 1e9, on_chip: 1e9, ..MemoryModel::default() };
    let [fast, alone] = [Some(fast), None].map(|memory| {
        simulate(lowered.last(), &tensors, SimulationOptions { memory, ..SimulationOptions::default() })
            .expect("it runs")
            .cycles
    });
    assert!(fast <= alone + alone / 20, "{fast} and {alone}");
}

/// The tiles of an operand that is located come once each, and only those that the others have, too.
#[test]
fn a_located_operand_is_fetched_tile_by_tile() {
    let order = ["io", "jo", "i", "j"].map(str::to_owned);
    let statement = statement("X(io,jo,i,j) = B(io,jo,i,j) * C(io,jo,i,j)", &order);
    let tiles = |entries: &[Entry]| -> BTreeSet<Vec<usize>> {
        entries.iter().map(|(point, _)| point[..2].to_vec()).collect()
    };
    let of_b = uniform(2048, 200, 0);
    // A third of what `B` has, and others in other tiles, most of them.
    let mut of_c = uniform(2048, 100, 1);
    let is_new = |(point, _): &&Entry| of_c.iter().all(|(other, _)| other != point);
    let both: Vec<Entry> = of_b.iter().step_by(3).filter(is_new).cloned().collect();
    of_c.extend(both);
    let (tiles_of_b, tiles_of_c) = (tiles(&of_b), tiles(&of_c));
    let stored = statement.tensors[1..].iter().zip([of_b, of_c]);
    let tensors: BTreeMap<String, StoredTensor> = stored
        .map(|(format, entries)| (format.name.clone(), pack(format, &[16, 16, TILE, TILE], &entries)))
        .collect();
    let choices =
        Choices { located: BTreeSet::from([2]), tiled_from: Some("i".to_owned()), ..Choices::default() };
    let lowered = lower_with(&statement, &choices).expect("it can be lowered");
    let run = |memory| {
        let options = SimulationOptions { memory, ..SimulationOptions::default() };
        simulate(lowered.last(), &tensors, options).expect("it runs")
    };
    let (alone, fast) = (run(None), run(Some(MemoryModel::default())));
    let slow = run(Some(MemoryModel { dram: 1.0, ..MemoryModel::default() }));
    assert!(alone.result == fast.result && alone.result == slow.result && !alone.result.entries().is_empty());
    assert!(fast.cycles < slow.cycles);
    let met = tiles_of_b.intersection(&tiles_of_c).count();
    assert!(met < tiles_of_c.len());
    assert_eq!(slow.memory.unwrap().from_dram, (tiles_of_b.len() + met) as u64);
}

/// A tile must fit.
#[test]
fn a_tile_that_is_too_large_is_told() {
    let memory = MemoryModel { element: 100, ..MemoryModel::default() };
    let (lowered, tensors) = tiled(512, 500);
    let options = SimulationOptions { memory: Some(memory), ..SimulationOptions::default() };
    let fault = simulate(lowered.last(), &tensors, options).unwrap_err();
    assert!(
        fault.message.contains("bytes, and a buffer of the processing element has room for 100"),
        "{}",
        fault.message
    );
    assert_eq!(fault.cause, Cause::Options);
}

/// While one tile is worked on another one is read, and something must move.
#[test]
fn a_memory_needs_two_buffers_and_a_rate() {
    let (lowered, tensors) = tiled(512, 500);
    let told = |memory| {
        let options = SimulationOptions { memory: Some(memory), ..SimulationOptions::default() };
        let fault = simulate(lowered.last(), &tensors, options).unwrap_err();
        assert_eq!(fault.cause, Cause::Options);
        fault.message
    };
    let memory = MemoryModel::default();
    assert_eq!(
        told(MemoryModel { buffers: 1, ..memory }),
        "found 1 buffers, expected 2 or more: one to work on, others to read ahead"
    );
    assert_eq!(
        told(MemoryModel { dram: 0.0, ..memory }),
        "memories move 0 and 2048 bytes a cycle, expected a rate of 0.000001 or more"
    );
    assert_eq!(
        told(MemoryModel { on_chip: f64::NAN, ..memory }),
        "memories move 68.256 and NaN bytes a cycle, expected a rate of 0.000001 or more"
    );
}
