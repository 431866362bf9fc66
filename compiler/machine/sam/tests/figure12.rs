//! Figure 12 of sam.txt: the product of two sparse matrices in six dataflow orders, on random data of its
//! size.

use crate::draw::Draw;
use crate::notation::statement;
use crate::pack::pack;
use comet_sam::lower::lower;
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

/// What the reference simulator counts for B of 250 x 100 with 1212 elements and C of 100 x 250 with 1280.
const CYCLES: [(&str, u64); 6] =
    [("ijk", 662_574), ("jik", 662_574), ("ikj", 25_235), ("jki", 24_910), ("kij", 30_833), ("kji", 30_898)];

/// So many elements at random.
fn random(dims: [usize; 2], count: usize, seed: u64) -> Vec<Entry> {
    let points = Draw::new(seed).places(count, dims[0] * dims[1]);
    let entry = |point: usize| (vec![point / dims[1], point % dims[1]], ((1 + point % 9) as f64).into());
    points.into_iter().map(entry).collect()
}

#[test]
fn orders_take_the_cycles_of_the_figure() {
    let operands = [("B1", [250, 100], 1212), ("C2", [100, 250], 1280)];
    for (order, expected) in CYCLES {
        let order: Vec<String> = order.chars().map(String::from).collect();
        let statement = statement("X(i,j) = B(i,k) * C(k,j)", &order);
        let stored = operands.iter().zip(1..).map(|(&(name, dims, count), tensor)| {
            let entries = random(dims, count, tensor as u64);
            (name.to_owned(), pack(&statement.tensors[tensor], &dims, &entries))
        });
        let tensors: BTreeMap<String, StoredTensor> = stored.collect();
        let lowered = lower(&statement).expect("it can be lowered");
        let start = std::time::Instant::now();
        let cycles =
            simulate(lowered.last(), &tensors, SimulationOptions::default()).expect("it runs").cycles;
        println!("{}: {cycles} cycles, {expected} in the figure, {:?}", order.concat(), start.elapsed());
        assert!(
            cycles.abs_diff(expected) * 50 <= expected,
            "{}: {cycles} and not {expected}",
            order.concat()
        );
    }
}
