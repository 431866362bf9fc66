//! What a memory of finite size and rate moves, and what waits for it.

use crate::notation::statement;
use crate::pack::pack;
use comet_sam::graph::{Element, Level, TensorFormat};
use comet_sam::lower::lower;
use comet_sam::simulate::{EmptyCoordinates, Memory, Options, simulate};
use comet_sam::storage::{Entry, Storage};
use std::collections::BTreeMap;

const SLOW: Options = Options {
    queue_depth: None,
    skip_depth: None,
    empty_coordinates: EmptyCoordinates::Dropped,
    memory: Some(Memory { dram: 1.0, last_level: 100, on_chip: 1.0, element: 100, buffers: 2, pages: None }),
    timings: comet_sam::machine::Timings::DEFAULT,
};

fn vector(level: Level, size: usize, coordinates: &[usize]) -> Storage {
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
    let number = Storage { values: vec![2.0].into(), ..Storage::default() };
    let with_values = vector(Level::Dense, 20, &(0..20).collect::<Vec<_>>());
    let alone = Storage { values: Vec::<f64>::new().into(), ..with_values.clone() };
    let run = |all: Storage| {
        let operands = [("a2", number.clone()), ("b1", vector(Level::Compressed, 20, &[3, 7, 11]))];
        let mut tensors = BTreeMap::from(operands.map(|(name, stored)| (name.to_owned(), stored)));
        tensors.insert(universe.tensor.clone(), all);
        simulate(lowered.last(), &tensors, SLOW).expect("it runs")
    };
    let outcome = run(alone);
    assert_eq!(outcome, run(with_values));
    // A number, and two positions and three coordinates with their values.
    assert_eq!(outcome.memory.expect("there is one").dram_read, 8 + 4 * (2 + 3) + 8 * 3);
}
