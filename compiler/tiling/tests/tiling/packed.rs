//! Small tiles that are brought together, against tiles that are cut anew.

use crate::support::{Random, access, drawn, random_points, statement};
use comet_tiling::{Expr, Machine, Packed, Pattern, Tiles, fullest, measure};
use std::sync::Arc;

/// A machine that counts values only: levels of small tiles take nothing.
const VALUES: Machine =
    Machine { buffer: 1 << 20, value_bytes: 1, word_bytes: 0, is_apart: false, outside: 0 };

/// Of values, packed tiles move what tiles of that size move.
#[test]
fn values_move_as_in_tiles_of_that_size() {
    let mut random = Random(5);
    let product = Expr::All(vec![access(0), access(1)]);
    for trial in 0..40 {
        let order = [('i', 24), ('k', 20), ('j', 16)];
        let every = 2 + random.below(12);
        let a = Pattern::Points(Arc::new(random_points(&[24, 20], every, &mut random)));
        let b = Pattern::Points(Arc::new(random_points(&[20, 16], every, &mut random)));
        let statement = statement(&order, "ij", &[("ik", a), ("kj", b)], product.clone());
        let small = Tiles(vec![4, 2, 4]);
        let tiles =
            Tiles(vec![4 * (1 + random.below(6)), 2 * (1 + random.below(10)), 4 * (1 + random.below(4))]);
        let packed = Packed::new(&statement, &small, &tiles, &VALUES);
        let own = measure(&packed.statement, &packed.tiles, &VALUES);
        assert_eq!(own, measure(&statement, &tiles, &VALUES), "trial {trial}: {tiles}");
    }
}

/// Two entries in two small tiles of one tile: two levels more say which of them it is.
#[test]
fn small_tiles_have_levels_of_their_own() {
    let machine = Machine::of_buffer(1 << 10);
    let points = comet_tiling::Points::new(&[4, 4], &[vec![0, 0], vec![0, 2]]).expect("inside");
    let copy =
        statement(&[('i', 4), ('j', 4)], "ij", &[("ij", Pattern::Points(Arc::new(points)))], access(0));
    let packed = Packed::new(&copy, &Tiles(vec![2, 2]), &Tiles(vec![4, 4]), &machine);
    assert_eq!(packed.tiles, Tiles(vec![2, 2, 2, 2]));
    let moved = measure(&packed.statement, &packed.tiles, &machine);
    // Values 2; coordinates 1 + 2 + 2 + 2; segments 2 + 2 + 3 + 3.
    assert_eq!(moved.inputs[0].bytes, 2 * 8 + (7 + 10) * 4);
}

/// Levels of small tiles take room as well.
#[test]
fn packed_tiles_fit() {
    let kernel = ("ij", vec!["ik", "kj"], Expr::All(vec![access(0), access(1)]));
    let mut random = Random(9);
    for trial in 0..30 {
        let statement = drawn(&kernel, 60, 6, 9, &mut random);
        let machine = Machine::of_buffer(1 << 10);
        let packed =
            Packed::new(&statement, &Tiles::base(&statement, &machine), &Tiles(vec![64; 3]), &machine);
        assert!(
            fullest(&packed.statement, &packed.tiles, &machine) <= 1.0,
            "trial {trial}: {}",
            packed.tiles
        );
    }
}
