//! Tiles that are put together while the computation runs: what they are, and what they move.

use crate::support::{Random, access, operand, statement};
use comet_tiling::{
    Dynamic, Expr, Footprint, Machine, Moved, Pattern, Points, Statement, Tiles, Traffic, Unsupported, Var,
    drt, measure,
};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

fn all(count: usize) -> Expr {
    Expr::All((0..count).map(access).collect())
}

fn points(extents: &[u64], all: &[&[i64]]) -> Pattern {
    let column = |mode: usize| all.iter().map(|point| point[mode]).collect();
    let columns: Vec<Vec<i64>> = (0..extents.len()).map(column).collect();
    Pattern::Points(Arc::new(Points::new(extents, &columns).expect("inside")))
}

/// The points of an access.
fn stored(statement: &Statement, number: usize) -> BTreeSet<Vec<u64>> {
    let Pattern::Points(points) = &statement.accesses[number].pattern else {
        panic!("operands are sparse here")
    };
    let point = |place: usize| (0..points.rank()).map(|mode| u64::from(points.column(mode)[place])).collect();
    (0..points.len()).map(point).collect()
}

/// How many different beginnings points have, by length.
fn nodes(points: &BTreeSet<Vec<u64>>, rank: usize) -> Vec<u64> {
    let of =
        |length: usize| points.iter().map(|point| &point[..length]).collect::<BTreeSet<_>>().len() as u64;
    (1..=rank).map(of).collect()
}

/// All coordinates in ranges, in order.
fn all_in(ranges: &[Range<u64>]) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for range in ranges {
        let longer = |one: &Vec<u64>| range.clone().map(|at| [&one[..], &[at]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The traffic of iterations, by going over everything; and that every tile fits.
fn naive(statement: &Statement, iterations: &[Vec<Range<u64>>], machine: &Machine) -> Traffic {
    let mut traffic =
        Traffic { inputs: vec![Moved::default(); statement.accesses.len()], ..Traffic::default() };
    let stored: Vec<_> = (0..statement.accesses.len()).map(|number| stored(statement, number)).collect();
    let at = |vars: &[Var], point: &[u64]| vars.iter().map(|var| point[var.0]).collect::<Vec<u64>>();
    let mut before = vec![Vec::new(); statement.accesses.len()];
    for round in iterations {
        traffic.iterations += 1;
        for (number, access) in statement.accesses.iter().enumerate() {
            let ranges: Vec<Range<u64>> = access.indices.iter().map(|var| round[var.0].clone()).collect();
            let is_inside =
                |point: &&Vec<u64>| point.iter().zip(&ranges).all(|(at, range)| range.contains(at));
            let tile: BTreeSet<Vec<u64>> = stored[number].iter().filter(is_inside).cloned().collect();
            assert!(!tile.is_empty(), "iterations have a tile of every factor");
            let footprint = Footprint::of_nodes(&nodes(&tile, access.indices.len()));
            assert!(machine.fits(footprint), "{footprint:?} in {round:?}");
            if before[number] != ranges {
                before[number] = ranges;
                traffic.inputs[number].tiles += 1;
                traffic.inputs[number].bytes += machine.bytes(footprint);
            }
        }
        let has = |point: &Vec<u64>| {
            let of = |number: usize| stored[number].contains(&at(&statement.accesses[number].indices, point));
            (0..stored.len()).all(of)
        };
        let target = &statement.target.indices;
        let result: BTreeSet<Vec<u64>> =
            all_in(round).iter().filter(|point| has(point)).map(|point| at(target, point)).collect();
        if !result.is_empty() {
            let rank = target.len();
            let tile =
                if rank == 0 { Footprint::dense(1) } else { Footprint::of_nodes(&nodes(&result, rank)) };
            traffic.output.tiles += 1;
            traffic.output.bytes +=
                machine.bytes(tile) + (machine.parts(tile) - 1) * 2 * rank as u64 * machine.word_bytes;
        }
    }
    traffic
}

/// Every product is made in one iteration, and one only.
fn covers(statement: &Statement, iterations: &[Vec<Range<u64>>]) {
    let whole: Vec<Range<u64>> = statement.variables.iter().map(|variable| 0..variable.extent).collect();
    let stored: Vec<_> = (0..statement.accesses.len()).map(|number| stored(statement, number)).collect();
    for point in all_in(&whole) {
        let has = |(number, stored): (usize, &BTreeSet<Vec<u64>>)| {
            let indices = &statement.accesses[number].indices;
            stored.contains(&indices.iter().map(|var| point[var.0]).collect::<Vec<_>>())
        };
        let times = iterations
            .iter()
            .filter(|round| round.iter().zip(&point).all(|(range, at)| range.contains(at)))
            .count();
        assert!(times <= 1, "{point:?} {iterations:?}");
        assert!(times == 1 || !stored.iter().enumerate().all(has), "{point:?} {iterations:?}");
    }
}

/// One of the kernels with its loops in some order, on some operands.
fn random_statement(trial: usize, random: &mut Random) -> Statement {
    let kernels: [(&str, &[&str]); 8] = [
        ("ij", &["ik", "kj"]),
        ("ijk", &["ijl", "kl"]),
        ("ij", &["ikl", "jk", "jl"]),
        ("i", &["ij", "j"]),
        ("", &["ij", "ij"]),
        ("ij", &["ij", "ik", "kj"]),
        ("ij", &["i", "j"]),
        ("ij", &["ij"]),
    ];
    let (target, operands) = kernels[trial % kernels.len()];
    let mut order = vec![('i', 0), ('j', 0), ('k', 0), ('l', 0)];
    order.retain(|(name, _)| operands.iter().any(|indices| indices.contains(*name)));
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place as u64 + 1) as usize);
    }
    order.iter_mut().for_each(|(_, extent)| *extent = 2 + random.below(9));
    let every = 1 + random.below(4);
    let tensors: Vec<(&str, Pattern)> =
        operands.iter().map(|indices| (*indices, operand(&order, indices, every, random))).collect();
    statement(&order, target, &tensors, all(operands.len()))
}

fn random_tiles(statement: &Statement, most: u64, random: &mut Random) -> Tiles {
    Tiles(statement.variables.iter().map(|of| 1 + random.below(of.extent.min(most))).collect())
}

/// Matrix products, TTM, MTTKRP and others, in any order of loops: tiles fit, and what they move is what is
/// reported.
#[test]
fn iterations_move_what_is_reported() {
    let mut random = Random(11);
    let mut iterations = 0;
    for trial in 0..400 {
        let statement = random_statement(trial, &mut random);
        let micro = random_tiles(&statement, 2, &mut random);
        let mut machine = Machine::of_buffer([32, 72, 128, 288][trial / 8 % 4]);
        if trial / 32 % 2 == 1 {
            machine = Machine { value_bytes: 2, word_bytes: 2, is_apart: true, ..machine };
        }
        let Dynamic { traffic, iterations: outcome } = match drt(&statement, &micro, &machine) {
            Err(Unsupported::MicroTile(_)) => continue,
            other => other.expect("products of sparse operands"),
        };
        assert_eq!(traffic, naive(&statement, &outcome, &machine), "trial {trial}: {statement:?} {micro:?}");
        covers(&statement, &outcome);
        iterations += outcome.len();
    }
    assert!(iterations > 2000, "{iterations} iterations are few");
}

/// When everything fits, and the first and the last micro-tiles are needed, there is one tile of all.
#[test]
fn a_huge_buffer_takes_everything_at_once() {
    let machine = Machine::of_buffer(1 << 20);
    let mut random = Random(5);
    for trial in 0..80 {
        let mut statement = random_statement(trial, &mut random);
        for access in &mut statement.accesses {
            let extents: Vec<u64> =
                access.indices.iter().map(|var| statement.variables[var.0].extent).collect();
            let Pattern::Points(points) = &access.pattern else { panic!("operands are sparse here") };
            let column = |mode: usize| {
                let ends = [0, extents[mode] as i64 - 1];
                points.column(mode).iter().map(|&at| i64::from(at)).chain(ends).collect::<Vec<_>>()
            };
            let columns: Vec<_> = (0..extents.len()).map(column).collect();
            access.pattern = Pattern::Points(Arc::new(Points::new(&extents, &columns).expect("inside")));
        }
        let whole = Tiles(statement.variables.iter().map(|variable| variable.extent).collect());
        let micro = random_tiles(&statement, 3, &mut random);
        let outcome = drt(&statement, &micro, &machine).expect("products of sparse operands");
        assert_eq!(outcome.traffic, measure(&statement, &whole, &machine), "trial {trial}");
    }
}

fn product(a: Pattern, b: Pattern) -> Statement {
    let sum = all(2);
    statement(&[('i', 4), ('k', 4), ('j', 4)], "ij", &[("ik", a), ("kj", b)], sum)
}

/// A grows along k and i in turn until four values are in rows 0 to 2 and columns 0 to 2, and takes row 3,
/// which has nothing there. B grows along j below that; the last tile ends with the last column that has a
/// value.
#[test]
fn tiles_of_a_small_product() {
    // a . b .      a . . b
    // . c . d      . c . .
    // e . . f      . d e .
    // . . . g      f . g .
    let extents = [4, 4];
    let a = points(&extents, &[&[0, 0], &[0, 2], &[1, 1], &[1, 3], &[2, 0], &[2, 3], &[3, 3]]);
    let b = points(&extents, &[&[0, 0], &[0, 3], &[1, 1], &[2, 1], &[2, 2], &[3, 0], &[3, 2]]);
    // Four values, which nothing says the places of.
    let machine = Machine { buffer: 4, value_bytes: 1, word_bytes: 0, is_apart: false, outside: 0 };
    let outcome = drt(&product(a, b), &Tiles(vec![1, 1, 1]), &machine).expect("a product of sparse operands");
    let iterations = [[0..4, 0..3, 0..3], [0..4, 0..3, 3..4], [0..4, 3..4, 0..3]];
    assert_eq!(outcome.iterations, iterations);
    let moved = |tiles, bytes| Moved { tiles, bytes };
    // Results of 5, 2 and 6 values.
    let traffic = Traffic { inputs: vec![moved(2, 7), moved(3, 7)], output: moved(3, 13), iterations: 3 };
    assert_eq!(outcome.traffic, traffic);
}

/// What is not a product of sparse operands is refused.
#[test]
fn other_statements_are_refused() {
    let machine = Machine::of_buffer(1 << 10);
    let full = || points(&[4, 4], &[&[0, 0], &[3, 2]]);
    let dense = product(full(), Pattern::Dense);
    let sum = statement(
        &[('i', 4), ('j', 4)],
        "ij",
        &[("ij", full()), ("ij", full())],
        Expr::Any(vec![access(0), access(1)]),
    );
    let spread = statement(&[('i', 4), ('j', 4), ('k', 4)], "ijk", &[("ij", full())], access(0));
    let refused = |of: &Statement, machine: &Machine| {
        drt(of, &Tiles::cube(of, 4), machine).expect_err("not supported").to_string()
    };
    assert_eq!(
        refused(&dense, &machine),
        "dynamic tiles are grown in sparse operands, and `B[k,j]` is not one"
    );
    assert_eq!(refused(&sum, &machine), "dynamic tiles are grown for one product, and the statement has 2");
    assert_eq!(refused(&spread, &machine), "no operand has the variable `k`");
    let tiny = Machine { buffer: 8, value_bytes: 8, word_bytes: 0, is_apart: false, outside: 0 };
    assert_eq!(refused(&product(full(), full()), &tiny), "a micro-tile of `A[i,k]` is beyond the buffer");
}
