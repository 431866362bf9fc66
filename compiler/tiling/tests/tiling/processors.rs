//! What is known of products on processors from little: against a cache of lines that all entries go through,
//! and tiles that are counted.

use crate::support::{Random, random_points};
use comet_tiling::{
    Bounds, Machine, Points, SparseProduct, Target, Tiles, Var, Variable, distinct, measure, thinned,
};
use std::collections::{BTreeSet, VecDeque};

/// The indices of the sparse operand, of the dense ones, and of the result; and whether that is dense.
type Shape = (&'static str, &'static [&'static str], &'static str, bool);

const SHAPES: &[Shape] = &[
    ("ik", &["kj"], "ij", true),
    ("ki", &["kj"], "ij", true),
    ("ikl", &["kj", "lj"], "ij", true),
    ("ikl", &["lj"], "ikj", false),
    ("ik", &["ij", "kj"], "ik", false),
];

/// The product over variables in the order of the sparse operand's indices, then j.
fn product((sparse, dense, target, is_dense): Shape, extents: &[(char, u64)]) -> SparseProduct {
    let mut order: Vec<char> = sparse.chars().collect();
    order.push('j');
    let var = |name: char| Var(order.iter().position(|own| *own == name).expect("it is there"));
    let extent = |name: char| extents.iter().find(|(own, _)| *own == name).expect("it has an extent").1;
    let variables = order.iter().map(|&name| Variable { name: name.into(), extent: extent(name) });
    let named = |indices: &str| (indices.to_owned(), indices.chars().map(var).collect::<Vec<Var>>());
    let mut indices: Vec<Var> = target.chars().map(var).collect();
    indices.sort_unstable();
    let target = Target { name: "C".to_owned(), indices, is_dense };
    let dense = dense.iter().map(|indices| named(indices)).collect();
    SparseProduct::new(variables.collect(), named(sparse), dense, target).expect("all dense tensors have j")
}

fn drawn(shape: Shape, random: &mut Random) -> (SparseProduct, Points) {
    let mut extents: Vec<(char, u64)> = "ikl".chars().map(|name| (name, 8 + random.below(20))).collect();
    extents.push(('j', 8 * (1 + random.below(4))));
    let product = product(shape, &extents);
    let own: Vec<u64> = product.variables().iter().map(|variable| variable.extent).collect();
    let points = random_points(&own[..shape.0.len()], 2 + random.below(8), random);
    (product, points)
}

/// What dense tensors move through a cache of lines that forgets what was not used for the longest time, and
/// how much of it comes for the first time.
fn through_a_cache(shape: Shape, product: &SparseProduct, points: &Points, cache: usize) -> [f64; 2] {
    let (sparse, dense, target, is_dense) = shape;
    let names: Vec<char> = sparse.chars().chain(['j']).collect();
    let tensors: Vec<&str> = dense.iter().copied().chain(is_dense.then_some(target)).collect();
    let mut lines: VecDeque<(usize, u64)> = VecDeque::new();
    let (mut missed, mut seen) = (0, BTreeSet::new());
    let variables = product.variables();
    for entry in 0..points.len() {
        for j in 0..variables[variables.len() - 1].extent {
            let at = |name: char| match sparse.find(name) {
                Some(mode) => u64::from(points.column(mode)[entry]),
                None => j,
            };
            let extent =
                |name: char| variables[names.iter().position(|own| *own == name).expect("one")].extent;
            for (tensor, indices) in tensors.iter().enumerate() {
                let place = indices.chars().fold(0, |place, name| place * extent(name) + at(name));
                let line = (tensor, place / 8);
                match lines.iter().position(|own| *own == line) {
                    Some(known) => drop(lines.remove(known)),
                    None => missed += 1,
                }
                seen.insert(line);
                lines.push_back(line);
                if lines.len() > cache / 64 {
                    lines.pop_front();
                }
            }
        }
    }
    [f64::from(missed) * 64.0, seen.len() as f64 * 64.0]
}

fn counts(points: &Points) -> Vec<u64> {
    let column = |mode: usize| points.column(mode).iter().map(|&at| at.into()).collect::<Vec<i64>>();
    (0..points.rank()).map(|mode| distinct(&column(mode), 1, points.extents()[mode].cast_signed())).collect()
}

/// No cache moves more than the bound without tiles, and no tiles move less than that with them.
#[test]
fn bounds_are_bounds() {
    let mut random = Random(5);
    let mut left_out = 0;
    for round in 0..30 {
        for &shape in SHAPES {
            let (product, points) = drawn(shape, &mut random);
            if points.is_empty() {
                continue;
            }
            let entries = points.len() as u64;
            let cache = 512 << random.below(4);
            let [moved, once] = through_a_cache(shape, &product, &points, cache as usize);
            let untiled = moved + 12.0 * entries as f64;
            let statement = product.scaled(points.clone(), 1);
            let tiled = (0..6).map(|_| {
                let size = |variable: &Variable| 1 + random.below(variable.extent);
                let tiles = Tiles(product.variables().iter().map(size).collect());
                measure(&statement, &tiles, &Machine::of_buffer(cache)).total() as f64
            });
            let tiled = tiled.fold(f64::INFINITY, f64::min);
            let Bounds { untiled: most, tiled: least } =
                product.with_distinct(entries, &counts(&points), cache);
            assert!(
                untiled <= most && tiled >= least,
                "{round}, {shape:?}: {untiled} {most} {tiled} {least}"
            );
            let most_entries = entries + random.below(50);
            let before = product.before_reading(most_entries, cache);
            assert!(untiled <= before.untiled, "{round}, {shape:?}: {untiled} {before:?}");
            left_out += u64::from(before.tiled >= before.untiled);
            let least = before.tiled - 12.0 * (most_entries - entries) as f64;
            assert!(moved <= once || least <= tiled, "{round}, {shape:?}: {before:?} {tiled} {moved} {once}");
        }
    }
    assert!(left_out > 10, "{left_out}");
}

/// Rows stand for their lines: what moves through the cache is about the same.
#[test]
fn rows_go_through_a_cache_as_lines_do() {
    let mut random = Random(9);
    for &shape in SHAPES.iter().filter(|shape| shape.3) {
        for _ in 0..12 {
            let (product, points) = drawn(shape, &mut random);
            let (entries, cache) = (points.len() as u64, 2048);
            if entries < 100 {
                continue;
            }
            let estimate = product.untiled(entries, &points, cache);
            let [moved, _] = through_a_cache(shape, &product, &points, cache as usize);
            let exact = moved + 12.0 * entries as f64;
            let off = estimate / exact;
            assert!((0.5..1.6).contains(&off), "{shape:?}: {estimate} for {exact}");
        }
    }
}

/// A long window is not needed where the cache has few rows, and is not beyond a bound.
#[test]
fn windows_fill_the_cache() {
    let of = |j: u64| product(SHAPES[0], &[('i', 1000), ('k', 1000), ('j', j)]);
    assert_eq!(of(256).window(1 << 20), 1 << 14);
    assert_eq!(of(64).window(64 << 20), 4 * (64 << 20) / 512);
    assert_eq!(of(8).window(1 << 30), 1 << 20);
}

/// A part of everything is tiled as the whole is, since the buffer is as small a part.
#[test]
fn scales_change_one_extent() {
    let product = product(SHAPES[0], &[('i', 100), ('k', 90), ('j', 256)]);
    assert_eq!(
        [1, 70_000, 10_000_000, 1 << 40].map(|entries| product.scale(entries, 1 << 16)),
        [1, 2, 256, 256]
    );
    let points = random_points(&[100, 90], 4, &mut Random(1));
    let statement = product.scaled(points, 16);
    assert_eq!(statement.variables.iter().map(|own| own.extent).collect::<Vec<_>>(), [100, 90, 16]);
    assert_eq!(product.unscaled(&Tiles(vec![50, 30, 4]), 16), Tiles(vec![50, 30, 64]));
    assert_eq!(product.unscaled(&Tiles(vec![50, 30, 16]), 16), Tiles(vec![50, 30, 256]));
}

/// One entry of each group is drawn, and not the same one of all.
#[test]
fn one_of_so_many_is_drawn() {
    let drawn: Vec<usize> = thinned(1000, 8, 3).collect();
    assert_eq!(drawn.len(), 125);
    assert!(drawn.iter().enumerate().all(|(group, place)| place / 8 == group));
    assert!((0..8).all(|rest| drawn.iter().any(|place| place % 8 == rest)));
    assert_eq!(thinned(5, 1, 3).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    assert!(thinned(5, 8, 3).all(|place| place < 5));
}

/// A sparse operand has all indices of the dense ones, or there is no dense one: nothing is known.
#[test]
fn some_products_are_none() {
    let variable = |name: &str| Variable { name: name.to_owned(), extent: 9 };
    let sparse = ("A".to_owned(), vec![Var(0), Var(1)]);
    let of = |dense: Vec<(String, Vec<Var>)>, target: Vec<Var>| {
        let target = Target { name: "y".to_owned(), indices: target, is_dense: true };
        SparseProduct::new(["i", "k", "j"].map(variable).into(), sparse.clone(), dense, target)
    };
    let vector = ("x".to_owned(), vec![Var(1)]);
    let matrix = ("B".to_owned(), vec![Var(1), Var(2)]);
    assert_eq!(of(vec![vector.clone()], vec![Var(0)]), None);
    assert_eq!(of(Vec::new(), vec![Var(0)]), None);
    assert_eq!(of(vec![vector, matrix.clone()], vec![Var(0), Var(2)]), None);
    assert!(of(vec![matrix], vec![Var(0), Var(2)]).is_some());
}
