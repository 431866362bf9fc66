//! Schemes by their names, and those whose traffic is only counted.

use crate::support::{Random, access, drawn};
use comet_tiling::{
    Contender, Expr, Machine, Observed, Packed, Scheme, Small, TiledOperands, Tiles, Unsupported,
    conservative, drt, measure,
};

/// Each scheme has a name of its own, by which it is found.
#[test]
fn schemes_are_found_by_their_names() {
    let all = Contender::all();
    assert_eq!(all.len(), 13);
    all.iter().for_each(|own| assert_eq!(Contender::named(own.name()), Some(*own)));
    assert_eq!(Contender::named("best"), None);
    let counted = all.iter().filter(|own| !own.is_predicted()).map(|own| own.name());
    assert_eq!(counted.collect::<Vec<_>>(), ["exhaustive", "packed", "packed-small", "drt"]);
}

/// Packed tiles are made of those that their names say, fit, and move what is counted of them.
#[test]
fn packed_and_dynamic_tiles_are_counted() {
    let kernel = ("ij", vec!["ik", "kj"], Expr::All(vec![access(0), access(1)]));
    let mut random = Random(3);
    for trial in 0..20 {
        // None is dense.
        let statement = drawn(&kernel, 90, 5, u64::MAX, &mut random);
        let machine = Machine::of_buffer(1 << 10);
        let cut = TiledOperands::small(&statement, &machine);
        let observed = Observed::new(&statement, machine, &cut, 1);
        let chosen = Scheme::D2t2.choose(&observed);
        for (kind, small) in [
            (Small::Conservative, conservative(&statement, &machine)),
            (Small::Base, Tiles::base(&statement, &machine)),
        ] {
            let outcome = kind.counted(&observed, &chosen);
            let packed = Packed::new(&statement, &small, &chosen, &machine);
            assert_eq!(outcome.measured, measure(&packed.statement, &packed.tiles, &machine), "{trial}");
            assert_eq!((outcome.small, outcome.tiles), (small, packed.sizes()), "{trial}");
            assert!(outcome.fill <= 1.0, "{trial}: {}", outcome.fill);
        }
        assert_eq!(observed.dynamic(), drt(&statement, &Tiles::base(&statement, &machine), &machine));
    }
}

/// A sum has no dynamic tiles.
#[test]
fn dynamic_tiles_of_a_sum_are_refused() {
    let kernel = ("ij", vec!["ij", "ij"], Expr::Any(vec![access(0), access(1)]));
    let statement = drawn(&kernel, 30, 5, u64::MAX, &mut Random(4));
    let machine = Machine::of_buffer(1 << 10);
    let cut = TiledOperands::small(&statement, &machine);
    let observed = Observed::new(&statement, machine, &cut, 1);
    assert_eq!(observed.dynamic(), Err(Unsupported::Products(2)));
}
