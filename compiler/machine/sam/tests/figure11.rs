//! Figure 11 of sam.txt: the sampled product of two dense matrices as one graph, whose operands meet at every
//! coordinate or are looked up, on random data of its size.

use crate::draw::Draw;
use crate::notation::statement;
use crate::pack::pack;
use comet_sam::graph::GraphLevel;
use comet_sam::lower::{Choices, lower_with};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::{BTreeMap, BTreeSet};

/// The extent of `k`, and what the reference simulator counts with B of 250 x 100 with 1212 elements.
const CYCLES: [(usize, [u64; 2]); 3] =
    [(1, [25_170, 2_687]), (10, [25_170, 13_595]), (100, [122_698, 122_675])];

fn dense(dims: [usize; 2]) -> Vec<Entry> {
    let point = |place| vec![place / dims[1], place % dims[1]];
    (0..dims[0] * dims[1]).map(|place| (point(place), ((1 + place % 7) as f64).into())).collect()
}

/// So many elements at random.
fn random(dims: [usize; 2], count: usize) -> Vec<Entry> {
    let points = Draw::new(1).places(count, dims[0] * dims[1]);
    points.into_iter().map(|point| (vec![point / dims[1], point % dims[1]], 2.0.into())).collect()
}

#[test]
fn looking_up_takes_the_cycles_of_the_figure() {
    let order = ["i", "j", "k"].map(str::to_owned);
    for (inner, expected) in CYCLES {
        let mut statement = statement("X(i,j) = B(i,j) * C(i,k) * D(j,k)", &order);
        statement.tensors[2].levels = vec![GraphLevel::Dense; 2];
        statement.tensors[3].levels = vec![GraphLevel::Dense; 2];
        let data = [
            ([250, 100], random([250, 100], 1212)),
            ([250, inner], dense([250, inner])),
            ([100, inner], dense([100, inner])),
        ];
        let stored = statement.tensors[1..].iter().zip(&data);
        let tensors: BTreeMap<String, StoredTensor> = stored
            .map(|(format, (dims, entries))| (format.name.clone(), pack(format, dims, entries)))
            .collect();
        for (located, expected) in [BTreeSet::new(), BTreeSet::from([2, 3])].into_iter().zip(expected) {
            let lowered = lower_with(&statement, &Choices { located, ..Choices::default() })
                .expect("it can be lowered");
            let outcome = simulate(lowered.last(), &tensors, SimulationOptions::default()).expect("it runs");
            let cycles = outcome.cycles;
            println!("{inner}: {cycles} cycles, {expected} in the figure");
            assert_eq!(outcome.result.values.len(), 1212);
            assert!(cycles.abs_diff(expected) * 50 <= expected, "{inner}: {cycles} and not {expected}");
        }
    }
}
