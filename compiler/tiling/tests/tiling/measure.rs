//! What is counted as traffic, by hand and against loops over all tiles and all points.

use crate::support::{Random, access, by_tile, drawn, operand, statement};
use comet_tiling::{
    Expr, Footprint, Machine, Moved, Pattern, Points, Statement, Stretched, Tiles, Traffic, Var, Variable,
    measure,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A machine that counts values only, as figure 3 does.
const VALUES: Machine =
    Machine { buffer: 1 << 20, value_bytes: 1, word_bytes: 0, is_apart: false, outside: 0 };

fn points(extent: u64, all: &[(i64, i64)]) -> Pattern {
    let (rows, columns) = all.iter().copied().unzip();
    Pattern::Points(Arc::new(Points::new(&[extent, extent], &[rows, columns]).expect("inside")))
}

/// As in figure 3: tiles of 2 by 2 fetch the four entries of A once and those of B seven times in five
/// iterations; tall tiles of A and wide ones of B skip the empty column, and fetch B once in three iterations.
#[test]
fn reshaped_tiles_skip_an_empty_column() {
    let order = [('i', 4), ('k', 4), ('j', 4)];
    let a = points(4, &[(1, 0), (2, 3), (3, 1), (3, 3)]);
    let b = points(4, &[(0, 3), (1, 1), (1, 3), (3, 3)]);
    let product = Expr::All(vec![access(0), access(1)]);
    let product = statement(&order, "ij", &[("ik", a), ("kj", b)], product);
    let of = |sizes: [u64; 3]| {
        let traffic = measure(&product, &Tiles(sizes.to_vec()), &VALUES);
        (traffic.inputs[0].bytes, traffic.inputs[1].bytes, traffic.output.bytes, traffic.iterations)
    };
    assert_eq!(of([2, 2, 2]), (4, 7, 5, 5));
    assert_eq!(of([4, 1, 4]), (4, 4, 5, 3));
}

/// The points of an access.
fn entries(pattern: &Pattern, extents: &[u64]) -> BTreeSet<Vec<u64>> {
    match pattern {
        Pattern::Points(points) => (0..points.len())
            .map(|place| (0..points.rank()).map(|mode| u64::from(points.column(mode)[place])).collect())
            .collect(),
        Pattern::Dense => {
            let mut all = vec![Vec::new()];
            for &extent in extents {
                all = all
                    .iter()
                    .flat_map(|one: &Vec<u64>| (0..extent).map(|at| [&one[..], &[at]].concat()))
                    .collect();
            }
            all.into_iter().collect()
        }
    }
}

/// All coordinates below bounds, in order.
fn all_below(bounds: &[u64]) -> Vec<Vec<u64>> {
    entries(&Pattern::Dense, bounds).into_iter().collect()
}

/// How many different beginnings points have, by length.
fn nodes(points: &BTreeSet<Vec<u64>>, rank: usize) -> Vec<u64> {
    let of =
        |length: usize| points.iter().map(|point| &point[..length]).collect::<BTreeSet<_>>().len() as u64;
    (1..=rank).map(of).collect()
}

/// Where tiles begin along each variable.
fn bounds(statement: &Statement, tiles: &Tiles) -> Vec<Vec<u64>> {
    let along = |(place, variable): (usize, &Variable)| {
        (0..variable.extent).step_by(tiles.of(Var(place)) as usize).collect()
    };
    statement.variables.iter().enumerate().map(along).collect()
}

/// The same counts, by going over everything, of tiles that begin at these coordinates.
fn naive(statement: &Statement, bounds: &[Vec<u64>], machine: &Machine) -> Traffic {
    let count = |var: &Var| bounds[var.0].len() as u64;
    let mut traffic =
        Traffic { inputs: vec![Moved::default(); statement.accesses.len()], ..Traffic::default() };
    let extents = |vars: &[Var]| vars.iter().map(|&var| statement.extent(var)).collect::<Vec<_>>();
    let stored: Vec<BTreeSet<Vec<u64>>> =
        statement.accesses.iter().map(|access| entries(&access.pattern, &extents(&access.indices))).collect();
    for nest in statement.nests() {
        let place = |var: &Var| nest.variables.iter().position(|other| other == var).expect("a loop");
        let at = |vars: &[Var], point: &[u64]| vars.iter().map(|var| point[place(var)]).collect::<Vec<u64>>();
        let tile = |vars: &[Var], point: &[u64]| {
            let tile =
                |(var, at): (&Var, &u64)| bounds[var.0].partition_point(|begin| begin <= at) as u64 - 1;
            vars.iter().zip(point).map(tile).collect::<Vec<u64>>()
        };
        let operands = statement.accesses.iter().zip(&stored);
        let cut: Vec<BTreeMap<Vec<u64>, BTreeSet<Vec<u64>>>> =
            operands.map(|(access, stored)| by_tile(stored, |point| tile(&access.indices, point))).collect();
        let takes = |access: usize, tile: &BTreeSet<Vec<u64>>| {
            let of = &statement.accesses[access];
            machine.bytes(match of.pattern {
                Pattern::Dense => Footprint::dense(tile.len() as u64),
                Pattern::Points(_) => Footprint::of_nodes(&nodes(tile, of.indices.len())),
            })
        };
        let counts: Vec<u64> = nest.variables.iter().map(count).collect();
        let mut loaded: BTreeSet<(usize, Vec<u64>)> = BTreeSet::new();
        for iteration in all_below(&counts) {
            let has = |access: &usize| {
                cut[*access].contains_key(&at(&statement.accesses[*access].indices, &iteration))
            };
            let alive: Vec<_> = nest.terms.iter().filter(|term| term.iter().all(has)).collect();
            if alive.is_empty() {
                continue;
            }
            traffic.iterations += 1;
            for &number in alive.iter().copied().flatten() {
                let indices = &statement.accesses[number].indices;
                let moving = indices.iter().rev().find(|var| count(var) > 1);
                let prefix = moving.map_or(0, |var| place(var) + 1);
                if loaded.insert((number, iteration[..prefix].to_vec())) {
                    let bytes = takes(number, &cut[number][&at(indices, &iteration)]);
                    traffic.inputs[number].tiles += 1;
                    traffic.inputs[number].bytes += bytes;
                }
            }
            let ends = |var: &Var, at: u64| bounds[var.0].get(at as usize + 1).copied();
            let between = |(var, &at): (&Var, &u64)| {
                (bounds[var.0][at as usize], ends(var, at).unwrap_or(statement.extent(*var)))
            };
            let bounds: Vec<(u64, u64)> = nest.variables.iter().zip(&iteration).map(between).collect();
            let sizes: Vec<u64> = bounds.iter().map(|(begin, end)| end - begin).collect();
            let mut result = BTreeSet::new();
            for inner in all_below(&sizes) {
                let point: Vec<u64> = inner.iter().zip(&bounds).map(|(at, (begin, _))| at + begin).collect();
                let is_there = |number: &usize| {
                    stored[*number].contains(&at(&statement.accesses[*number].indices, &point))
                };
                if alive.iter().any(|term| term.iter().all(is_there)) {
                    result.insert(at(&statement.target.indices, &point));
                }
            }
            if !result.is_empty() {
                let rank = statement.target.indices.len();
                let extent = |var: &Var| sizes[place(var)];
                let tile = match rank {
                    0 => Footprint::dense(1),
                    _ if statement.target.is_dense => {
                        Footprint::dense(statement.target.indices.iter().map(extent).product())
                    }
                    _ => Footprint::of_nodes(&nodes(&result, rank)),
                };
                traffic.output.tiles += 1;
                traffic.output.bytes += machine.bytes(tile);
            }
        }
    }
    traffic
}

/// Products, sums and reductions: the result's indices, those of the operands, what is computed.
fn kernels() -> Vec<(&'static str, Vec<&'static str>, Expr)> {
    let all = |parts: &[usize]| Expr::All(parts.iter().map(|&number| access(number)).collect());
    vec![
        ("ij", vec!["ik", "kj"], all(&[0, 1])),
        ("ijk", vec!["ijl", "kl"], all(&[0, 1])),
        ("ij", vec!["ikl", "jk", "jl"], all(&[0, 1, 2])),
        ("i", vec!["ij", "j"], all(&[0, 1])),
        ("", vec!["ij", "ij"], all(&[0, 1])),
        ("ij", vec!["i", "i", "ij"], Expr::All(vec![Expr::Any(vec![access(0), access(1)]), access(2)])),
        ("ij", vec!["ij", "ij"], Expr::Any(vec![access(0), access(1)])),
        ("ij", vec!["ij", "ik", "kj"], Expr::Any(vec![access(0), all(&[1, 2])])),
        ("ij", vec!["ij", "ik", "kj"], all(&[0, 1, 2])),
        ("ij", vec!["i", "j"], all(&[0, 1])),
    ]
}

/// Products, sums, reductions, dense operands, in any order of loops and with tiles of any size.
#[test]
fn counts_are_those_of_loops_over_everything() {
    let (machine, kernels) = (Machine::of_buffer(1 << 20), kernels());
    let mut random = Random(7);
    for trial in 0..300 {
        let mut statement = drawn(&kernels[trial % kernels.len()], 9, 6, 6, &mut random);
        statement.target.is_dense = random.below(3) == 0;
        let tiles = statement.variables.iter().map(|variable| 1 + random.below(variable.extent));
        let tiles = Tiles(tiles.collect());
        let counted = measure(&statement, &tiles, &machine);
        assert_eq!(
            counted,
            naive(&statement, &bounds(&statement, &tiles), &machine),
            "trial {trial}: {statement:?} {tiles:?}"
        );
    }
}

/// Tiles of equal occupancy are counted as tiles that begin at the given coordinates.
#[test]
fn stretched_statements_have_uneven_tiles() {
    let (machine, kernels) = (Machine::of_buffer(1 << 20), kernels());
    let mut random = Random(11);
    let mut uneven = 0;
    for trial in 0..300 {
        let mut statement = drawn(&kernels[trial % kernels.len()], 9, 6, 6, &mut random);
        statement.target.is_dense = random.below(3) == 0;
        let stretched = Stretched::new(&statement);
        let variables = &stretched.statement.variables;
        let tiles = Tiles(variables.iter().map(|variable| 1 + random.below(variable.extent)).collect());
        let bounds = stretched.bounds(&tiles);
        let lengths =
            |bounds: &Vec<u64>| bounds.windows(2).map(|two| two[1] - two[0]).collect::<BTreeSet<_>>();
        uneven += bounds.iter().filter(|bounds| lengths(bounds).len() > 1).count();
        let counted = measure(&stretched.statement, &tiles, &machine);
        let expected = naive(&statement, &bounds, &machine);
        assert_eq!(counted, expected, "trial {trial}: {statement:?} {tiles:?} {bounds:?}");
    }
    assert!(uneven > 50, "{uneven}");
}

/// A result beyond the buffer is written in several parts.
#[test]
fn results_beyond_the_buffer_are_streamed() {
    let order = [('i', 64)];
    let full = Pattern::Points(Arc::new(Points::new(&[64], &[(0..64).collect()]).expect("inside")));
    let copy = statement(&order, "i", &[("i", full)], access(0));
    // A buffer of 4 values: 2 by 2 of them, and what says where they are.
    let machine = Machine::of_buffer(32);
    let traffic = measure(&copy, &Tiles(vec![64]), &machine);
    let whole = machine.bytes(Footprint::of_nodes(&[64]));
    assert_eq!(traffic.output.bytes, whole + (whole.div_ceil(machine.buffer) - 1) * 8);
}

/// Rows of a result that are added to again with the next coordinate of what is reduced are written whenever
/// the buffer is full, counted here point by point.
#[test]
fn unfinished_results_are_written_again() {
    let mut random = Random(17);
    let mut again = 0;
    for trial in 0..60 {
        let order = [('k', 9), ('i', 8), ('j', 7)];
        let operands = [("ik", 2), ("kj", 2)];
        let operands = operands.map(|(of, every)| (of, operand(&order, of, every, &mut random)));
        let product = statement(&order, "ij", &operands, Expr::All(vec![access(0), access(1)]));
        let tiles = Tiles(vec![1 + random.below(9), 8, 1 + random.below(7)]);
        let machine = Machine::of_buffer(60 + random.below(300));
        let bytes = |points: &BTreeSet<Vec<u64>>| machine.bytes(Footprint::of_nodes(&nodes(points, 2)));
        let extents = |vars: &[Var]| vars.iter().map(|&var| product.extent(var)).collect::<Vec<_>>();
        let stored: Vec<BTreeSet<Vec<u64>>> =
            product.accesses.iter().map(|own| entries(&own.pattern, &extents(&own.indices))).collect();
        let mut iterations: BTreeMap<Vec<u64>, Vec<Vec<u64>>> = BTreeMap::new();
        for point in all_below(&[9, 8, 7]) {
            let [k, i, j] = point[..] else { unreachable!("three coordinates") };
            if stored[0].contains(&vec![k, i]) && stored[1].contains(&vec![k, j]) {
                let iteration = vec![k / tiles.0[0], i / tiles.0[1], j / tiles.0[2]];
                iterations.entry(iteration).or_default().push(vec![i, j]);
            }
        }
        let expected = iterations.values().map(|points| {
            let whole: BTreeSet<Vec<u64>> = points.iter().cloned().collect();
            if bytes(&whole) <= machine.buffer {
                return bytes(&whole);
            }
            again += 1;
            let (mut all, mut held) = (0, BTreeSet::new());
            for point in points {
                let mut more = held.clone();
                more.insert(point.clone());
                if bytes(&more) > machine.buffer {
                    all += bytes(&held);
                    more = BTreeSet::from([point.clone()]);
                }
                held = more;
            }
            all + bytes(&held)
        });
        let expected: u64 = expected.sum();
        let counted = measure(&product, &tiles, &machine).output.bytes;
        assert_eq!(counted, expected, "trial {trial}: {tiles} {machine:?}");
    }
    assert!(again > 20, "{again}");
}
