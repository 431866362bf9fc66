//! Figure 13 of sam.txt: the product of two sparse vectors, element by element, stored and iterated in six
//! ways.

use crate::draw::Draw;
use crate::notation::statement;
use crate::pack::pack;
use crate::run;
use comet_sam::graph::GraphLevel;
use comet_sam::lower::{Choices, lower_with};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::Entry;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

const SIZE: usize = 2000;
/// How many chunks a split vector has.
const CHUNKS: usize = 64;

/// How vectors are stored and iterated.
struct Way {
    name: &'static str,
    level: GraphLevel,
    is_split: bool,
    skips: bool,
}

const WAYS: [Way; 6] = [
    Way { name: "Dense", level: GraphLevel::Dense, is_split: false, skips: false },
    Way { name: "Crd", level: GraphLevel::Compressed, is_split: false, skips: false },
    Way { name: "Crd w/ skip", level: GraphLevel::Compressed, is_split: false, skips: true },
    Way { name: "Crd w/ split", level: GraphLevel::Compressed, is_split: true, skips: false },
    Way { name: "BV", level: GraphLevel::BitVector(64), is_split: false, skips: false },
    Way { name: "BV w/ split", level: GraphLevel::BitVector(64), is_split: true, skips: false },
];

/// The cycles of a way. A scanner that skips is not far ahead: there would be little left to skip.
fn cycles(way: &Way, vectors: &[Vec<usize>; 2]) -> u64 {
    let options = SimulationOptions { skip_depth: NonZeroUsize::new(2), ..SimulationOptions::default() };
    cycles_with(way, vectors, options)
}

fn cycles_with(way: &Way, vectors: &[Vec<usize>; 2], options: SimulationOptions) -> u64 {
    let (text, order) = match way.is_split {
        false => ("x(i) = b(i) * c(i)", vec!["i"]),
        true => ("x(o,i) = b(o,i) * c(o,i)", vec!["o", "i"]),
    };
    let order: Vec<String> = order.into_iter().map(str::to_owned).collect();
    let mut statement = statement(text, &order);
    statement.tensors[1..].iter_mut().for_each(|tensor| tensor.levels.fill(way.level));
    let inner = SIZE.div_ceil(CHUNKS);
    let dims = if way.is_split { vec![CHUNKS, inner] } else { vec![SIZE] };
    let point = |place: usize| if way.is_split { vec![place / inner, place % inner] } else { vec![place] };
    let entries = |places: &Vec<usize>| -> Vec<Entry> {
        places.iter().map(|&place| (point(place), ((1 + place % 9) as f64).into())).collect()
    };
    let operands = statement.tensors[1..].iter().zip(vectors);
    let stored = operands
        .map(|(format, places)| (format.name.clone(), pack(format, &dims, &entries(places))))
        .collect();
    let skipped = if way.skips { order.iter().cloned().collect() } else { BTreeSet::new() };
    let choices = Choices { skipped, ..Choices::default() };
    let lowered = lower_with(&statement, &choices).expect("it can be lowered");
    let extent = |index: &str| if way.is_split { dims[usize::from(index == "i")] } else { SIZE };
    run::compare(&statement, &lowered, &stored, &extent).expect("it computes the product");
    simulate(lowered.last(), &stored, options).expect("it runs").cycles
}

/// The cycles of all ways.
fn all(vectors: &[Vec<usize>; 2]) -> [u64; 6] {
    let cycles = WAYS.each_ref().map(|way| cycles(way, vectors));
    let told: Vec<String> =
        WAYS.iter().zip(cycles).map(|(way, cycles)| format!("{} {cycles}", way.name)).collect();
    println!("{}", told.join(", "));
    cycles
}

fn uniform(count: usize, seed: u64) -> Vec<usize> {
    Draw::new(seed).places(count, SIZE).into_iter().collect()
}

/// Runs of one vector between those of the other.
fn runs(length: usize) -> [Vec<usize>; 2] {
    let period = SIZE * length / 400;
    let of = |start: usize| (0..SIZE).filter(|place| (place + period - start) % period < length).collect();
    [of(0), of(period / 2)]
}

/// Blocks of both vectors.
fn blocks(length: usize, seed: u64) -> [Vec<usize>; 2] {
    let of = |seed: u64| {
        let starts = uniform(400 / length, seed);
        let places: BTreeSet<usize> =
            starts.iter().flat_map(|start| *start..(start + length).min(SIZE)).collect();
        places.into_iter().collect()
    };
    [of(seed), of(seed + 100)]
}

/// The bit vector is as long as the vector, whatever is stored; few coordinates are fewer than its words.
#[test]
fn random_vectors() {
    let counts = [1800, 400, 100, 10, 2];
    let all = counts.map(|count| all(&[uniform(count, 1), uniform(count, 2)]));
    for [dense, crd, skip, _, words, _] in all {
        assert_eq!((dense, words), (2007, 38));
        assert!(skip <= crd && crd <= skip * 5 / 4, "there is little to skip: {skip} of {crd}");
    }
    let [[_, dense_crd, ..], .., [_, sparse_crd, .., sparse_tree]] = all;
    assert!(38 < dense_crd && sparse_crd < 38 && sparse_tree < 38);
}

/// The longer runs are, the more is skipped, and the fewer chunks have something of both vectors.
#[test]
fn runs_of_nonzeros() {
    let all = [1, 5, 10, 20, 50, 100].map(|length| all(&runs(length)));
    for [_, crd, skip, split, words, tree] in all {
        assert_eq!((crd, words), (807, 38));
        assert!(skip <= crd && split <= crd * 11 / 10 && tree <= 2 * CHUNKS as u64 + 10);
    }
    assert!(all.is_sorted_by(|a, b| a[2] >= b[2] && a[3] >= b[3] && a[5] >= b[5]));
    let [_, crd, skip, split, _, tree] = all[5];
    assert!(10 * skip < crd && 10 * split < crd && 10 * tree < crd);
}

/// So it is with blocks.
#[test]
fn blocks_of_nonzeros() {
    let all = [1, 5, 20, 100].map(|length| all(&blocks(length, 5)));
    for [_, crd, skip, split, words, _] in all {
        assert_eq!(words, 38);
        assert!(skip <= crd && split <= crd * 11 / 10);
    }
    let [_, crd, skip, split, _, tree] = all[3];
    assert!(4 * skip < crd && 4 * split < crd && 4 * tree < crd);
}

/// In queues of any depth, with skipping and without it, cycles are those of SAM's own blocks
/// (weiya711/sam at 6e477d14, `back_en`), which were run by hand on these vectors: unbounded, and at
/// depths of 1, 2, 4 and 8.
#[test]
fn depths_take_the_cycles_of_sams_blocks() {
    let periodic =
        [(7, 3), (40, 9)].map(|(period, length)| (0..SIZE).filter(|x| x % period < length).collect());
    let counted = [
        (runs(5), [807, 966, 807, 807, 807], [805, 805, 805, 805, 805]),
        (runs(20), [807, 846, 807, 807, 807], [760, 205, 205, 282, 432]),
        (runs(100), [807, 814, 807, 807, 807], [266, 45, 45, 58, 80]),
        (periodic, [1121, 1262, 1121, 1121, 1121], [1110, 739, 634, 763, 959]),
    ];
    for (vectors, plain, skipped) in counted {
        for (way, expected) in [(&WAYS[1], plain), (&WAYS[2], skipped)] {
            let depths = [0, 1, 2, 4, 8].map(|depth| {
                let options = SimulationOptions {
                    queue_depth: NonZeroUsize::new(depth),
                    ..SimulationOptions::default()
                };
                cycles_with(way, &vectors, options)
            });
            assert_eq!(depths, expected, "{}", way.name);
        }
    }
}
