//! What is expected of tiles against what is counted, and the choice of tiles.

use crate::support::{Random, access, drawn, operand, statement};
use comet_tiling::{
    Expr, Machine, Observed, Pattern, Points, Scheme, Statement, Tiled, TiledOperands, Tiles, compare,
    fullest, measure,
};
use std::sync::Arc;

/// Points that a rule keeps, out of all.
fn matrix(extent: u64, mut is_kept: impl FnMut(u64, u64) -> bool) -> Points {
    let all = (0..extent).flat_map(|row| (0..extent).map(move |column| (row, column)));
    let kept =
        all.filter(|&(row, column)| is_kept(row, column)).map(|(row, column)| (row as i64, column as i64));
    let (rows, columns) = kept.unzip();
    Points::new(&[extent, extent], &[rows, columns]).expect("inside")
}

/// The product of a matrix with its transpose, in an order of the loops.
fn product(points: &Points, order: [char; 3]) -> Statement {
    let extent = points.extents()[0];
    let order = order.map(|name| (name, extent));
    let place = |name| order.iter().position(|(other, _)| *other == name).expect("a loop");
    let second = if place('k') < place('j') { points.permuted(&[1, 0]) } else { points.clone() };
    let operands =
        [("ik", Pattern::Points(Arc::new(points.clone()))), ("jk", Pattern::Points(Arc::new(second)))];
    statement(&order, "ij", &operands, Expr::All(vec![access(0), access(1)]))
}

/// Patterns of four kinds: everywhere, banded, blocks of a grid, and few rows and columns with most of the
/// entries.
fn patterns(extent: u64) -> Vec<(&'static str, Points)> {
    let mut random = Random(3);
    let mut draw = |share: f64| (random.below(1 << 30) as f64) < share * f64::from(1 << 30);
    vec![
        ("uniform", matrix(extent, |_, _| draw(0.02))),
        ("banded", matrix(extent, |row, column| row.abs_diff(column) < 8)),
        ("blocks", matrix(extent, |row, column| (row / 6 * 7 + column / 6 * 5) % 23 == 0)),
        ("power law", matrix(extent, |row, column| draw(6.0 / ((row + 1) * (column + 1)) as f64 + 0.002))),
    ]
}

/// Goes over products of all patterns with their transposes, row by row and by inner products.
fn each_product(buffer: u64, mut each: impl FnMut(&str, &Observed<'_>)) {
    let machine = Machine::of_buffer(buffer);
    for (name, points) in patterns(600) {
        for order in [['i', 'k', 'j'], ['i', 'j', 'k']] {
            let statement = product(&points, order);
            let cut = TiledOperands::small(&statement, &machine);
            each(&format!("{name} {order:?}"), &Observed::new(&statement, machine, &cut, 1));
        }
    }
}

/// Expectations are within 15 % of counts over shapes and sizes of tiles.
#[test]
fn expectations_are_close_to_counts() {
    each_product(8 << 10, |name, observed| {
        for sizes in [
            [32, 32, 32],
            [128, 8, 128],
            [8, 128, 8],
            [600, 16, 600],
            [64, 64, 16],
            [43, 43, 43],
            [99, 13, 77],
        ] {
            let tiles = Tiles(sizes.to_vec());
            if fullest(observed.statement(), &tiles, observed.machine()) > 1.0 {
                continue;
            }
            let expected = observed.predict(&tiles).total();
            let counted = measure(observed.statement(), &tiles, observed.machine()).total() as f64;
            let share = expected / counted;
            assert!((0.85..=1.15).contains(&share), "{name} {tiles}: {share}");
        }
    });
}

/// What does not fit comes again with every use, which is expected within a quarter.
#[test]
fn what_comes_again_is_expected() {
    let mut beyond = 0;
    each_product(8 << 10, |name, observed| {
        for sizes in [[160, 160, 160], [300, 300, 300], [600, 96, 64]] {
            let tiles = Tiles(sizes.to_vec());
            beyond += u32::from(fullest(observed.statement(), &tiles, observed.machine()) > 1.0);
            let expected = observed.predict(&tiles).input();
            let counted = measure(observed.statement(), &tiles, observed.machine()).input() as f64;
            let share = expected / counted;
            assert!((0.75..=1.25).contains(&share), "{name} {tiles}: {share}");
        }
    });
    assert!(beyond >= 12, "only {beyond} of 24 do not fit");
}

/// Of the tiles of each operand a tenth may overflow, and these move no more than those of Tailors.
#[test]
fn overbooked_tiles_move_no_more_than_those_of_tailors() {
    let mut overflow = 0;
    each_product(2 << 10, |name, observed| {
        let tiles = Scheme::Overbooked.choose(observed);
        for access in &observed.statement().accesses {
            let Pattern::Points(points) = &access.pattern else { unreachable!("both are sparse") };
            let all = Tiled::new(points, &tiles.of_all(&access.indices)).footprints();
            let beyond = all.iter().filter(|tile| !observed.machine().fits(**tile)).count();
            assert!(10 * beyond <= all.len(), "{name} {tiles}: {beyond} of {}", all.len());
            overflow += beyond;
        }
        let [own, tailors] = [Scheme::Overbooked, Scheme::Tailors].map(|scheme| counted(observed, scheme));
        assert!(own as f64 <= 1.05 * tailors as f64, "{name}: {own} {tailors}");
    });
    assert!(overflow > 0, "no tile overflows");
}

/// Dense factors, and operands without entries.
#[test]
fn dense_factors_are_expected_too() {
    let machine = Machine::of_buffer(8 << 10);
    let order = [('i', 500), ('k', 500), ('j', 60)];
    for (name, points) in patterns(500) {
        let operands = [("ik", Pattern::Points(Arc::new(points))), ("kj", Pattern::Dense)];
        let product = statement(&order, "ij", &operands, Expr::All(vec![access(0), access(1)]));
        let cut = TiledOperands::small(&product, &machine);
        let observed = Observed::new(&product, machine, &cut, 1);
        for sizes in [[32, 32, 32], [128, 16, 60], [16, 64, 16]] {
            let tiles = Tiles(sizes.to_vec());
            let counted = measure(&product, &tiles, &machine).total() as f64;
            let share = observed.predict(&tiles).total() / counted;
            assert!((0.85..=1.15).contains(&share), "{name} {tiles}: {share}");
        }
    }
    let nothing = Points::new(&[20, 20], &[vec![], vec![]]).expect("inside");
    let product = product(&nothing, ['i', 'k', 'j']);
    let cut = TiledOperands::small(&product, &machine);
    let observed = Observed::new(&product, machine, &cut, 1);
    assert_eq!(counted(&observed, Scheme::D2t2), 0);
}

/// Every tile that is chosen fits, whatever the statement, and is no worse than what is sure to fit.
#[test]
fn chosen_tiles_fit() {
    let all = |parts: &[usize]| Expr::All(parts.iter().map(|&number| access(number)).collect());
    let kernels: Vec<(&str, Vec<&str>, Expr)> = vec![
        ("ij", vec!["ik", "kj"], all(&[0, 1])),
        ("ijk", vec!["ijl", "kl"], all(&[0, 1])),
        ("ij", vec!["ikl", "jk", "jl"], all(&[0, 1, 2])),
        ("i", vec!["ij", "j"], all(&[0, 1])),
        ("ij", vec!["ij", "ij"], Expr::Any(vec![access(0), access(1)])),
        ("ij", vec!["i", "i", "ij"], Expr::All(vec![Expr::Any(vec![access(0), access(1)]), access(2)])),
        ("", vec!["ij", "ij"], all(&[0, 1])),
    ];
    let mut random = Random(11);
    for trial in 0..70 {
        let statement = drawn(&kernels[trial % kernels.len()], 40, 9, 8, &mut random);
        let machine = if trial % 3 == 0 { Machine::opal() } else { Machine::of_buffer(64 << (trial % 5)) };
        let cut = TiledOperands::small(&statement, &machine);
        let observed = Observed::new(&statement, machine, &cut, trial as u64);
        // The one that counts takes as long as all others.
        let counting = (trial < 7).then_some(Scheme::Exhaustive);
        let schemes = [Scheme::Conservative, Scheme::Prescient, Scheme::D2t2].into_iter().chain(counting);
        for scheme in schemes {
            let tiles = scheme.choose(&observed);
            let share = fullest(&statement, &tiles, &machine);
            assert!(share <= 1.0, "trial {trial}: {} {tiles} takes {share}: {statement:?}", scheme.name());
        }
    }
}

/// Shapes that fit the data move less than square tiles, and not much more than the best that are found by
/// trying.
#[test]
fn chosen_tiles_move_less() {
    let machine = Machine::of_buffer(8 << 10);
    for (name, points) in patterns(900) {
        let statement = product(&points, ['i', 'k', 'j']);
        let cut = TiledOperands::small(&statement, &machine);
        let observed = Observed::new(&statement, machine, &cut, 1);
        let [conservative, chosen, best] = [Scheme::Conservative, Scheme::D2t2, Scheme::Exhaustive]
            .map(|scheme| counted(&observed, scheme) as f64);
        assert!(chosen <= 1.05 * conservative, "{name}: {chosen} and {conservative}");
        assert!(conservative - chosen >= 0.9 * (conservative - best), "{name}: {chosen} and {best}");
    }
}

/// TiledOperands that have two indices in common meet more often than each of these says.
#[test]
fn operands_that_share_two_indices_meet() {
    let machine = Machine::of_buffer(4 << 10);
    for (name, points) in patterns(600) {
        let moved = matrix(600, |row, column| (row / 2 * 5 + column / 3) % 50 == 0);
        let kernels = [
            ("i", vec![("ik", &points), ("ik", &points)]),
            ("ik", vec![("ik", &points), ("ik", &moved)]),
            ("ij", vec![("ik", &points), ("ik", &points), ("kj", &moved)]),
        ];
        for (target, operands) in kernels {
            let operands: Vec<(&str, Pattern)> = operands
                .into_iter()
                .map(|(indices, points)| (indices, Pattern::Points(Arc::new(points.clone()))))
                .collect();
            let factors = (0..operands.len()).map(access).collect();
            let order = [('i', 600), ('k', 600), ('j', 600)];
            let product = statement(&order[..operands.len().max(2)], target, &operands, Expr::All(factors));
            for sizes in [[16, 16, 16], [4, 64, 16], [64, 4, 64]] {
                let tiles = Tiles(sizes[..product.variables.len()].to_vec());
                let cut = TiledOperands::new(&product, Tiles(vec![4; tiles.0.len()]));
                let observed = Observed::new(&product, machine, &cut, 1);
                let expected = observed.predict(&tiles);
                let counted = measure(&product, &tiles, &machine);
                let share = expected.input() / counted.input() as f64;
                assert!((0.85..=1.15).contains(&share), "{name} {target} {tiles}: {share}");
            }
        }
    }
}

/// Results that a reduced loop goes around and that do not fit are expected to be written again.
#[test]
fn unfinished_results_are_expected_too() {
    let machine = Machine::of_buffer(4 << 10);
    for (name, points) in patterns(600) {
        let statement = product(&points, ['k', 'i', 'j']);
        let cut = TiledOperands::small(&statement, &machine);
        let observed = Observed::new(&statement, machine, &cut, 1);
        for sizes in [[16, 600, 600], [64, 64, 600], [8, 32, 32]] {
            let tiles = Tiles(sizes.to_vec());
            let counted = measure(&statement, &tiles, &machine).output.bytes as f64;
            let share = observed.predict(&tiles).output / counted;
            // Along a band iterations have the same, and what little of each is sampled says that they differ.
            let most = if name == "banded" { 1.5 } else { 1.25 };
            assert!((0.65..=most).contains(&share), "{name} {tiles}: {share}");
        }
    }
}

/// A sum with a factor that has no entries of its own along an index.
#[test]
fn broadcast_operands_are_sampled_like_others() {
    let machine = Machine::of_buffer(1 << 10);
    let points = matrix(3000, |row, column| (row * 7 + column * 3) % 500 == 0);
    let column = Points::new(&[3000], &[(0..3000).step_by(3).collect()]).expect("inside");
    let operands = [("ij", Pattern::Points(Arc::new(points))), ("i", Pattern::Points(Arc::new(column)))];
    let sum = Expr::Any(vec![access(0), access(1)]);
    let sum = statement(&[('i', 3000), ('j', 3000)], "ij", &operands, sum);
    let cut = TiledOperands::new(&sum, Tiles(vec![8, 8]));
    let observed = Observed::new(&sum, machine, &cut, 1);
    for sizes in [[8, 64], [64, 8], [64, 512]] {
        let tiles = Tiles(sizes.to_vec());
        let share = observed.predict(&tiles).output / measure(&sum, &tiles, &machine).output.bytes as f64;
        assert!((0.85..=1.15).contains(&share), "{tiles}: {share}");
    }
}

/// A sum of few entries in long extents has a result.
#[test]
fn few_entries_are_found() {
    let machine = Machine::of_buffer(1 << 10);
    let points = |columns: &[Vec<i64>]| {
        Pattern::Points(Arc::new(Points::new(&[100_000, 100_000], columns).expect("inside")))
    };
    let one = points(&[vec![5, 70_000], vec![9, 44_000]]);
    let other = points(&[vec![6, 99_999], vec![7, 99_999]]);
    let sum = Expr::Any(vec![access(0), access(1)]);
    let sum = statement(&[('i', 100_000), ('j', 100_000)], "ij", &[("ij", one), ("ij", other)], sum);
    let cut = TiledOperands::new(&sum, Tiles(vec![8, 8]));
    let observed = Observed::new(&sum, machine, &cut, 1);
    let tiles = Tiles(vec![64, 64]);
    let share = observed.predict(&tiles).output / measure(&sum, &tiles, &machine).output.bytes as f64;
    assert!((0.8..=1.2).contains(&share), "{share}");
}

/// Rows with many products each are sampled less, not cut off.
#[test]
fn long_rows_are_counted_to_their_end() {
    let machine = Machine::of_buffer(2 << 10);
    let points = matrix(700, |row, column| (row * 7 + column * 3) % 2 == 0);
    let operands = [("ik", Pattern::Points(Arc::new(points))), ("kj", Pattern::Dense)];
    let order = [('i', 700), ('k', 700), ('j', 300)];
    let product = statement(&order, "ij", &operands, Expr::All(vec![access(0), access(1)]));
    let cut = TiledOperands::small(&product, &machine);
    let observed = Observed::new(&product, machine, &cut, 1);
    let tiles = Tiles(vec![16, 16, 16]);
    let share = observed.predict(&tiles).output / measure(&product, &tiles, &machine).output.bytes as f64;
    assert!((0.9..=1.1).contains(&share), "{share}");
}

/// Tiles may be as short as one coordinate: no shape of powers of two moves much less than what is chosen.
#[test]
fn tiles_of_any_length_are_found() {
    let order = [('i', 24), ('k', 20), ('l', 12), ('j', 16)];
    let mut random = Random(5);
    for trial in 0..4 {
        let operands = [("ikl", 20), ("kj", 6), ("lj", 5)];
        let operands =
            operands.map(|(indices, every)| (indices, operand(&order, indices, every, &mut random)));
        let product = statement(&order, "ij", &operands, Expr::All((0..3).map(access).collect()));
        let machine = Machine::of_buffer(512 << (trial % 2));
        let cut = TiledOperands::small(&product, &machine);
        let observed = Observed::new(&product, machine, &cut, trial);
        let lengths = order.map(|(_, extent)| {
            let powers = (0..7).map(|power| 1 << power).filter(|&length| length < extent);
            powers.chain([extent]).collect::<Vec<u64>>()
        });
        let mut shapes = vec![Vec::new()];
        for own in &lengths {
            shapes = shapes
                .iter()
                .flat_map(|shape: &Vec<u64>| own.iter().map(move |&length| [&shape[..], &[length]].concat()))
                .collect();
        }
        let fitting = shapes.into_iter().map(Tiles).filter(|tiles| fullest(&product, tiles, &machine) <= 1.0);
        let best = fitting.map(|tiles| measure(&product, &tiles, &machine).total()).min().expect("some fit");
        let chosen = counted(&observed, Scheme::D2t2);
        assert!(chosen as f64 <= 1.1 * best as f64, "trial {trial}: {chosen} and {best}");
    }
}

/// What the tiles of a scheme move.
fn counted(observed: &Observed<'_>, scheme: Scheme) -> u64 {
    compare(observed, scheme).measured.expect("tiles that are compared are measured").total()
}
