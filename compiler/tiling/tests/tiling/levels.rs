//! Tiles for all levels of a machine at once: that they fit, what is expected of them, what they cost.

use crate::nested::{all, entries, kernels, nodes};
use crate::support::{Random, access, drawn, random_points, statement};
use comet_tiling::{
    Access, Expr, Footprint, Hierarchy, Leveled, Levels, Machine, MemoryLevel, Objective, Observed, Pattern,
    Points, Room, Scheme, Statement, TiledOperands, Tiles, Var, Variable, measure, measure_levels,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn hierarchy(rooms: Vec<Room>) -> Hierarchy {
    let level = |(number, room): (usize, Room)| MemoryLevel {
        name: format!("L{number}"),
        room,
        is_apart: false,
        count: 1 + number as u64,
        rate: Some(1e9 * (1.0 + number as f64)),
        energy: 8.0 / (1.0 + number as f64),
    };
    let levels = rooms.into_iter().enumerate().map(level).collect();
    Hierarchy { levels, rate: Some(1e9), energy: 0.5, ..Hierarchy::of_buffer(1) }
}

/// A statement on a machine.
fn on<R>(machine: &Hierarchy, statement: &Statement, of: impl FnOnce(Levels<'_>) -> R) -> R {
    let memories = machine.memories(statement).expect("there is room");
    let cut = TiledOperands::small_in(statement, &memories[0]);
    let observed = Observed::in_memory(statement, memories[0].clone(), &cut, 1);
    of(Levels::new(&observed, machine, memories))
}

/// What a scheme chooses for the least time, and what that moves.
fn counted(machine: &Hierarchy, statement: &Statement, scheme: Scheme) -> Leveled {
    on(machine, statement, |levels| {
        let mut chosen = levels.choose(scheme, Objective::Time);
        levels.count(&mut chosen);
        chosen
    })
}

/// Whether tiles fit, by all of them: what each takes is counted from its points.
fn fit(statement: &Statement, tiles: &Tiles, room: &Room) -> bool {
    let accesses = statement.accesses.len() as u64;
    let takes = |access: &Access| {
        let mut cut: BTreeMap<Vec<u64>, BTreeSet<Vec<u64>>> = BTreeMap::new();
        for point in entries(statement, access) {
            let tile = point.iter().zip(&access.indices).map(|(at, &var)| at / tiles.of(var)).collect();
            cut.entry(tile).or_default().insert(point);
        }
        let bytes = |points: &BTreeSet<Vec<u64>>| match access.pattern {
            Pattern::Dense => 8 * points.len() as u64,
            Pattern::Points(_) => Machine::of_buffer(1).bytes(Footprint::of_nodes(&nodes(points))),
        };
        cut.values().map(bytes).max().unwrap_or(0)
    };
    match room {
        Room::Shared(buffer) => {
            statement.accesses.iter().map(takes).sum::<u64>() <= buffer - buffer / (accesses + 1)
        }
        Room::Each(named, others) => statement.accesses.iter().all(|access| {
            let own = named.iter().find(|(name, _)| *name == access.name).map(|(_, buffer)| *buffer);
            takes(access) <= own.or(*others).expect("all have a buffer")
        }),
    }
}

/// Tiles that are chosen fit the buffer of each operand, or a shared one together, in all levels, whatever
/// the objective; inner ones are no longer than outer ones. So do conservative and prescient ones. The same
/// tiles given are expected to move the same, and do.
#[test]
fn chosen_tiles_fit_the_buffers_of_all_levels() {
    let mut random = Random(41);
    let kernels = kernels();
    for trial in 0..60 {
        let statement = drawn(&kernels[trial % kernels.len()], 40, 9, 6, &mut random);
        let mut room = |least: u64, most: u64| match random.below(3) {
            0 => Room::Shared(4 * (least + random.below(most))),
            1 => Room::Each(Vec::new(), Some(least + random.below(most))),
            _ => {
                let named = ["A", "C"].map(|name| (name.to_owned(), least + random.below(most)));
                Room::Each(named.into(), Some(least + random.below(most)))
            }
        };
        let rooms = vec![room(400, 4000), room(100, 900)];
        let machine = hierarchy(rooms.clone());
        let objectives = [Objective::Bytes, Objective::Time, Objective::Energy].map(|of| (Scheme::D2t2, of));
        let cubes = [Scheme::Conservative, Scheme::Prescient].map(|scheme| (scheme, Objective::Bytes));
        for (scheme, objective) in objectives.into_iter().chain(cubes) {
            let chosen = on(&machine, &statement, |levels| {
                let mut chosen = levels.choose(scheme, objective);
                let tiles = chosen.levels.iter().map(|level| level.tiles.clone());
                let mut given = levels.given(tiles.collect());
                levels.count(&mut chosen);
                levels.count(&mut given);
                assert_eq!(given.counted, chosen.counted, "trial {trial}, {}", scheme.name());
                assert_eq!(given.expected, chosen.expected, "trial {trial}, {}", scheme.name());
                chosen
            });
            for (level, room) in chosen.levels.iter().zip(&rooms) {
                let tiles = &level.tiles;
                assert!(level.fill <= 1.0, "trial {trial}, {}: {tiles} take {}", scheme.name(), level.fill);
                // Tiles inside of tiles are no larger than tiles of that size that begin anywhere.
                if *tiles == chosen.levels[0].tiles {
                    assert!(fit(&statement, tiles, room), "trial {trial}, {}: {tiles}", scheme.name());
                }
            }
            let [outer, inner] = [0, 1].map(|level| &chosen.levels[level].tiles.0);
            assert!(inner.iter().zip(outer).all(|(inner, outer)| inner <= outer), "{inner:?} {outer:?}");
        }
    }
}

/// A machine of one level chooses what a buffer of that size does, and moves the same bytes.
#[test]
fn one_level_is_a_buffer() {
    let mut random = Random(43);
    let kernels = kernels();
    for trial in 0..24 {
        let statement = drawn(&kernels[trial % kernels.len()], 60, 9, 9, &mut random);
        let buffer = 300 << random.below(5);
        let (machine, cut) = (Machine::of_buffer(buffer), Machine::of_buffer(buffer));
        let cut = TiledOperands::small(&statement, &cut);
        let observed = Observed::new(&statement, machine, &cut, 1);
        let hierarchy = Hierarchy::of_buffer(buffer);
        for scheme in [Scheme::Conservative, Scheme::Prescient, Scheme::Tailors, Scheme::D2t2] {
            let tiles = scheme.choose(&observed);
            let own = counted(&hierarchy, &statement, scheme);
            assert_eq!(own.levels[0].tiles, tiles, "trial {trial}, {}", scheme.name());
            assert_eq!(own.levels[0].predicted, observed.predict(&tiles));
            assert_eq!(own.levels[0].measured, Some(measure(&statement, &tiles, &machine)));
        }
    }
}

/// A product with clusters of entries, in the order i, k, j.
fn clustered(random: &mut Random) -> Statement {
    let order = [('i', 300), ('k', 280), ('j', 320)];
    let mut operand = |extents: [u64; 2]| {
        let mut columns = [Vec::new(), Vec::new()];
        for _ in 0..60 {
            let corner = extents.map(|extent| random.below(extent - 20));
            let inside = random_points(&[20, 20], 6, random);
            for (mode, column) in columns.iter_mut().enumerate() {
                column.extend(inside.column(mode).iter().map(|&at| i64::from(at) + corner[mode] as i64));
            }
        }
        Pattern::Points(Arc::new(Points::new(&extents, &columns).expect("inside")))
    };
    let (a, b) = (operand([300, 280]), operand([280, 320]));
    statement(&order, "ij", &[("ik", a), ("kj", b)], all(&[0, 1]))
}

/// What is expected to move between levels is close to what moves, for uniform and clustered operands.
#[test]
fn expectations_between_levels_are_close_to_counts() {
    let mut random = Random(47);
    for trial in 0..6 {
        let statement = match trial % 2 {
            0 => clustered(&mut random),
            _ => drawn(&("ij", vec!["ik", "kj"], all(&[0, 1])), 300, 30, 1 << 40, &mut random),
        };
        let rooms = vec![Room::Each(Vec::new(), Some(16 << 10)), Room::Each(Vec::new(), Some(1 << 10))];
        let machine = hierarchy(rooms);
        for scheme in [Scheme::Conservative, Scheme::Prescient, Scheme::D2t2] {
            let chosen = counted(&machine, &statement, scheme);
            for level in &chosen.levels {
                let counted = level.measured.as_ref().expect("it was counted").total() as f64;
                let ratio = level.predicted.total() / counted;
                assert!((0.85..1.2).contains(&ratio), "trial {trial}, {}: {ratio}", scheme.name());
            }
        }
    }
}

/// Time is that of the slowest level, or of the products; energy is that of all.
#[test]
fn costs_are_those_worked_by_hand() {
    let machine = hierarchy(vec![Room::Shared(1 << 20), Room::Shared(1 << 10)]);
    // 1 GB/s into the first level; twice 2 GB/s into the second ones, and twice 10⁹ products.
    let cost = machine.cost(&[3e9, 8e9], 5e9);
    assert_eq!((cost.seconds, cost.bound), (3.0, comet_tiling::Bound::Level(0)));
    assert_eq!(machine.cost(&[1e9, 8e9], 3e9).bound, comet_tiling::Bound::Level(1));
    assert_eq!(machine.cost(&[1e9, 8e9], 5e9).bound, comet_tiling::Bound::Products);
    assert!((cost.joules - (3e9 * 8.0 + 8e9 * 4.0 + 5e9 * 0.5) * 1e-12).abs() < 1e-15);
}

/// Products are counted one by one, those of each summand for itself.
#[test]
fn products_are_counted_one_by_one() {
    let points =
        |columns: [Vec<i64>; 2]| Pattern::Points(Arc::new(Points::new(&[3, 3], &columns).expect("inside")));
    let a = points([vec![0, 0, 2], vec![0, 1, 1]]);
    let b = points([vec![1, 1, 2], vec![0, 2, 2]]);
    let order = [('i', 3), ('k', 3), ('j', 3)];
    let product = statement(&order, "ij", &[("ik", a.clone()), ("kj", b.clone())], all(&[0, 1]));
    let sum = statement(
        &[('i', 3), ('j', 3)],
        "ij",
        &[("ij", a), ("ij", b)],
        Expr::Any(vec![access(0), access(1)]),
    );
    let machine = Hierarchy::of_buffer(1 << 10);
    let count =
        |statement: &Statement| on(&machine, statement, |levels| levels.with_counted_products().products());
    // Rows 0 and 2 of A have column 1, whose row of B has two entries.
    assert_eq!((count(&product), count(&sum)), (4, 6));
    let nothing = Statement {
        variables: vec![Variable { name: "i".to_owned(), extent: 5 }],
        accesses: vec![Access {
            name: "A".to_owned(),
            indices: vec![Var(0)],
            pattern: Pattern::Points(Arc::new(Points::new(&[5], &[vec![]]).expect("inside"))),
        }],
        target: comet_tiling::Target { name: "C".to_owned(), indices: vec![Var(0)], is_dense: false },
        value: access(0),
    };
    assert_eq!(count(&nothing), 0);
}

/// All tiles of two levels whose sizes are among some, inner ones no longer than outer ones.
fn all_pairs(statement: &Statement, sizes: &[u64]) -> Vec<[Tiles; 2]> {
    let along = |variable: &Variable| -> Vec<(u64, u64)> {
        let fitting = sizes.iter().filter(|size| **size <= variable.extent);
        let own: Vec<u64> = fitting.copied().chain([variable.extent]).collect();
        let inner = |&outer: &u64| {
            own.iter()
                .filter(move |inner| **inner <= outer)
                .map(move |&inner| (outer, inner))
                .collect::<Vec<_>>()
        };
        own.iter().flat_map(inner).collect()
    };
    let mut pairs = vec![[Tiles(Vec::new()), Tiles(Vec::new())]];
    for variable in &statement.variables {
        let longer = |pair: &[Tiles; 2]| {
            let with = |(outer, inner): (u64, u64)| {
                [Tiles([&pair[0].0[..], &[outer]].concat()), Tiles([&pair[1].0[..], &[inner]].concat())]
            };
            along(variable).into_iter().map(with).collect::<Vec<_>>()
        };
        pairs = pairs.iter().flat_map(longer).collect();
    }
    pairs
}

/// What is chosen for both levels at once is not far from the best of all pairs of tiles of a few sizes that
/// fit, for time and for energy, where the inner level weighs as much as the outer one.
#[test]
fn tiles_of_both_levels_are_near_the_best() {
    let mut random = Random(53);
    for trial in 0..6 {
        let statement = drawn(&("ij", vec!["ik", "kj"], all(&[0, 1])), 40, 12, 1 << 40, &mut random);
        let rooms = [2000 + random.below(2000), 300 + random.below(300)]
            .map(|size| Room::Each(Vec::new(), Some(size)));
        let machine = hierarchy(rooms.to_vec());
        let memories = machine.memories(&statement).expect("there is room");
        let cost = |tiles: &[Tiles]| {
            let bytes = measure_levels(&statement, tiles, &memories);
            let bytes: Vec<f64> = bytes.iter().map(|traffic| traffic.total() as f64).collect();
            machine.cost(&bytes, 0.0)
        };
        let mut best = [f64::MAX; 2];
        for pair in all_pairs(&statement, &[1, 4, 16]) {
            if !pair.iter().zip(&rooms).all(|(tiles, room)| fit(&statement, tiles, room)) {
                continue;
            }
            let cost = cost(&pair);
            best = [best[0].min(cost.seconds), best[1].min(cost.joules)];
        }
        for (objective, best) in [Objective::Time, Objective::Energy].into_iter().zip(best) {
            let chosen = on(&machine, &statement, |levels| levels.choose(Scheme::D2t2, objective));
            let tiles: Vec<Tiles> = chosen.levels.into_iter().map(|level| level.tiles).collect();
            let own = cost(&tiles);
            let own = if objective == Objective::Time { own.seconds } else { own.joules };
            assert!(own <= 1.1 * best, "trial {trial}, {objective:?}: {own}, and {best} of others");
        }
    }
}
