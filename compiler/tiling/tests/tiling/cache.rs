//! What loops without tiles move through a cache.

use crate::support::{access, statement};
use comet_tiling::{Expr, Machine, Observed, Pattern, Points, Statement, TiledOperands, Tiles};
use std::sync::Arc;

/// A sparse matrix with so many entries a row, far apart, times a dense one of 2000 by 64.
fn product(rows: i64, entries: i64) -> Statement {
    let of = |part: &dyn Fn(i64, i64) -> i64| -> Vec<i64> {
        (0..rows)
            .flat_map(|row| (0..entries).map(move |place| (row, place)))
            .map(|(row, place)| part(row, place))
            .collect()
    };
    let columns = of(&|row, place| (row * 617 + place * 2000 / entries) % 2000);
    let points = Points::new(&[rows as u64, 2000], &[of(&|row, _| row), columns]).expect("inside");
    let operands = [("ik", Pattern::Points(Arc::new(points))), ("kj", Pattern::Dense)];
    let order = [('i', rows as u64), ('k', 2000), ('j', 64)];
    let mut product = statement(&order, "ij", &operands, Expr::All(vec![access(0), access(1)]));
    product.target.is_dense = true;
    product
}

fn untiled(statement: &Statement, cache: u64) -> f64 {
    let machine = Machine::of_buffer(64 << 10);
    let cut = TiledOperands::small(statement, &machine);
    Observed::new(statement, machine, &cut, 1).untiled(cache)
}

/// A row of the dense matrix, 512 bytes, comes with every entry if the cache is small, and once if all fits.
#[test]
fn what_a_cache_forgets_comes_again() {
    let product = product(3000, 100);
    let once = (2000 * 64 + 3000 * 64) as f64 * 8.0 + 300_000.0 * 12.0;
    let always = 300_000.0 * 512.0;
    let small = untiled(&product, 16 << 10);
    assert!((0.9..1.1).contains(&(small / (always + 3000.0 * 512.0 + 300_000.0 * 12.0))), "{small} {always}");
    for cache in [4 << 20, 1 << 40] {
        let large = untiled(&product, cache);
        assert!((0.95..1.05).contains(&(large / once)), "{large} {once}");
    }
}

/// Entries in the first rows only are found.
#[test]
fn rows_are_looked_at_where_entries_are() {
    let mut product = product(500, 100);
    let mut long = product.clone();
    long.variables[0].extent = 1_000_000;
    for access in &mut long.accesses {
        if let Pattern::Points(points) = &access.pattern {
            access.pattern = Pattern::Points(Arc::new(points.within(&[1_000_000, 2000])));
        }
    }
    // A result that is dense would be longer, too.
    (product.target.is_dense, long.target.is_dense) = (false, false);
    let [one, other] = [untiled(&product, 16 << 10), untiled(&long, 16 << 10)];
    assert!((one - other).abs() < 0.1 * one, "{one} {other}");
}
