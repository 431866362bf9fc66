//! What moves between levels of memory, against loops over everything; tiles for all levels at once.

use crate::support::{Random, access, drawn, random_points, statement};
use comet_tiling::{
    Access, Expr, Footprint, Hierarchy, Leveled, Levels, Machine, Memory, MemoryLevel, Objective, Observed,
    Pattern, Points, Room, Scheme, Statement, TiledOperands, Tiles, Var, Variable, measure, measure_levels,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn all(parts: &[usize]) -> Expr {
    Expr::All(parts.iter().map(|&number| access(number)).collect())
}

fn kernels() -> Vec<(&'static str, Vec<&'static str>, Expr)> {
    vec![
        ("ij", vec!["ik", "kj"], all(&[0, 1])),
        ("ijk", vec!["ijl", "kl"], all(&[0, 1])),
        ("ij", vec!["ikl", "jk", "jl"], all(&[0, 1, 2])),
        ("i", vec!["ij", "j"], all(&[0, 1])),
        ("", vec!["ij", "ij"], all(&[0, 1])),
        ("ij", vec!["ij", "ij"], Expr::Any(vec![access(0), access(1)])),
        ("ij", vec!["ij", "ik", "kj"], Expr::Any(vec![access(0), all(&[1, 2])])),
        ("ij", vec!["i", "j"], all(&[0, 1])),
    ]
}

/// Tiles of some levels, each no longer than those around.
fn nested(statement: &Statement, levels: usize, random: &mut Random) -> Vec<Tiles> {
    let mut within: Vec<u64> = statement.variables.iter().map(|variable| variable.extent).collect();
    let mut level = || {
        within.iter_mut().for_each(|size| *size = 1 + random.below(*size));
        Tiles(within.clone())
    };
    (0..levels).map(|_| level()).collect()
}

/// The entries of an access.
fn entries(statement: &Statement, access: &Access) -> Vec<Vec<u64>> {
    match &access.pattern {
        Pattern::Points(points) => (0..points.len())
            .map(|place| (0..points.rank()).map(|mode| u64::from(points.column(mode)[place])).collect())
            .collect(),
        Pattern::Dense => {
            let extents: Vec<u64> = access.indices.iter().map(|&var| statement.extent(var)).collect();
            all_below(&extents)
        }
    }
}

/// All coordinates below bounds, in order.
fn all_below(bounds: &[u64]) -> Vec<Vec<u64>> {
    bounds.iter().fold(vec![Vec::new()], |all, &bound| {
        let longer = |one: &Vec<u64>| (0..bound).map(|at| [&one[..], &[at]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}

/// Which tile a coordinate is in, from the outermost level in.
fn path(at: u64, sizes: &[u64]) -> Vec<u64> {
    let of = |(path, rest): (Vec<u64>, u64), size: &u64| ([&path[..], &[rest / size]].concat(), rest % size);
    sizes.iter().fold((Vec::new(), at), of).0
}

/// How many different beginnings points have, by length.
fn nodes(points: &BTreeSet<Vec<u64>>) -> Vec<u64> {
    let rank = points.first().map_or(0, Vec::len);
    let of =
        |length: usize| points.iter().map(|point| &point[..length]).collect::<BTreeSet<_>>().len() as u64;
    (1..=rank).map(of).collect()
}

/// The bytes of each access, and of the result where no tile of it is beyond its buffer, that move into the
/// innermost of these levels: by going over all points of all loops.
fn naive(statement: &Statement, tiles: &[Tiles], machine: &Machine) -> (Vec<u64>, u64) {
    let (mut inputs, mut output) = (vec![0; statement.accesses.len()], 0);
    let sizes = |var: Var| tiles.iter().map(|tiles| tiles.of(var)).collect::<Vec<u64>>();
    let stored: Vec<BTreeSet<Vec<u64>>> =
        statement.accesses.iter().map(|access| entries(statement, access).into_iter().collect()).collect();
    for nest in statement.nests() {
        let place = |var: &Var| nest.variables.iter().position(|other| other == var).expect("a loop");
        let at = |vars: &[Var], point: &[u64]| vars.iter().map(|var| point[place(var)]).collect::<Vec<u64>>();
        // By the tile of each level, and along each variable: the loops from the outermost in.
        let round = |vars: &[Var], point: &[u64]| -> Vec<u64> {
            let paths: Vec<Vec<u64>> =
                vars.iter().zip(point).map(|(&var, &at)| path(at, &sizes(var))).collect();
            (0..tiles.len()).flat_map(|level| paths.iter().map(move |path| path[level])).collect()
        };
        let mut cut: Vec<BTreeMap<Vec<u64>, BTreeSet<Vec<u64>>>> = Vec::new();
        for (access, stored) in statement.accesses.iter().zip(&stored) {
            let mut tiles: BTreeMap<_, BTreeSet<Vec<u64>>> = BTreeMap::new();
            for point in stored {
                tiles.entry(round(&access.indices, point)).or_default().insert(point.clone());
            }
            cut.push(tiles);
        }
        let is_loop = |level: usize, var: Var| {
            let around = level.checked_sub(1).map_or(statement.extent(var), |level| tiles[level].of(var));
            around > tiles[level].of(var)
        };
        // Where in the loops a tile is loaded: behind the last one that goes over several of its tiles.
        let depth = |access: &Access| {
            let loops =
                (0..tiles.len()).flat_map(|level| nest.variables.iter().map(move |&var| (level, var)));
            let last = loops
                .enumerate()
                .filter(|(_, (level, var))| access.indices.contains(var) && is_loop(*level, *var));
            last.last().map_or(0, |(depth, _)| depth + 1)
        };
        let extents: Vec<u64> = nest.variables.iter().map(|&var| statement.extent(var)).collect();
        let mut rounds: BTreeMap<Vec<u64>, BTreeSet<Vec<u64>>> = BTreeMap::new();
        for point in all_below(&extents) {
            rounds.entry(round(&nest.variables, &point)).or_default().insert(point);
        }
        // For each access and each time that its tile is loaded: the tile, and in how many rounds it is used.
        let mut loads: BTreeMap<(usize, Vec<u64>), (Vec<u64>, u64)> = BTreeMap::new();
        for (key, points) in &rounds {
            let point = points.first().expect("a round has points");
            let tile = |access: usize| {
                let indices = &statement.accesses[access].indices;
                round(indices, &at(indices, point))
            };
            let has = |access: &usize| cut[*access].contains_key(&tile(*access));
            let alive: Vec<_> = nest.terms.iter().filter(|term| term.iter().all(has)).collect();
            let used: BTreeSet<usize> = alive.iter().copied().flatten().copied().collect();
            for access in used {
                let begin = key[..depth(&statement.accesses[access])].to_vec();
                loads.entry((access, begin)).or_insert_with(|| (tile(access), 0)).1 += 1;
            }
            let is_there = |access: &usize, point: &[u64]| {
                stored[*access].contains(&at(&statement.accesses[*access].indices, point))
            };
            let has_value = |point: &&Vec<u64>| {
                alive.iter().any(|term| term.iter().all(|access| is_there(access, point)))
            };
            let indices = &statement.target.indices;
            let of_all: BTreeSet<Vec<u64>> = points.iter().map(|point| at(indices, point)).collect();
            let result: BTreeSet<Vec<u64>> =
                points.iter().filter(has_value).map(|point| at(indices, point)).collect();
            if !result.is_empty() {
                output += machine.bytes(match indices.len() {
                    0 => Footprint::dense(1),
                    _ if statement.target.is_dense => Footprint::dense(of_all.len() as u64),
                    _ => Footprint::of_nodes(&nodes(&result)),
                });
            }
        }
        for ((access, _), (tile, uses)) in loads {
            let points = &cut[access][&tile];
            let bytes = machine.bytes(match statement.accesses[access].pattern {
                Pattern::Dense => Footprint::dense(points.len() as u64),
                Pattern::Points(_) => Footprint::of_nodes(&nodes(points)),
            });
            inputs[access] += bytes + (uses - 1) * bytes.saturating_sub(machine.buffer);
        }
    }
    (inputs, output)
}

/// Two and three levels, any order of loops, tiles of any size, also those that do not divide the tiles
/// around, dense operands and results: the bytes of each operand and of the result.
#[test]
fn bytes_between_levels_are_those_of_loops_over_everything() {
    let mut random = Random(31);
    let kernels = kernels();
    for trial in 0..400 {
        let mut statement = drawn(&kernels[trial % kernels.len()], 9, 6, 4, &mut random);
        statement.target.is_dense = random.below(3) == 0;
        let levels = 1 + random.below(3) as usize;
        let tiles = nested(&statement, levels, &mut random);
        let of_inputs = Machine::of_buffer(40 << random.below(9));
        let large = Machine::of_buffer(1 << 20);
        let memory = Memory::of_each(vec![of_inputs; statement.accesses.len()], large);
        let counted = measure_levels(&statement, &tiles, &vec![memory; levels]);
        for (level, traffic) in counted.iter().enumerate() {
            let (inputs, output) = naive(&statement, &tiles[..=level], &of_inputs);
            let own: Vec<u64> = traffic.inputs.iter().map(|moved| moved.bytes).collect();
            assert_eq!(own, inputs, "trial {trial}, level {level}: {statement:?} {tiles:?}");
            assert_eq!(traffic.output.bytes, output, "trial {trial}, level {level}: {statement:?} {tiles:?}");
        }
    }
}

/// The part of a statement that is in a tile: its coordinates begin with 0.
fn part(statement: &Statement, tiles: &Tiles, tile: &[u64]) -> Statement {
    let begin: Vec<u64> = tile.iter().zip(&tiles.0).map(|(at, size)| at * size).collect();
    let mut part = statement.clone();
    for ((variable, begin), size) in part.variables.iter_mut().zip(&begin).zip(&tiles.0) {
        variable.extent = (variable.extent - begin).min(*size);
    }
    for (own, whole) in part.accesses.iter_mut().zip(&statement.accesses) {
        if own.pattern == Pattern::Dense {
            continue;
        }
        let extents: Vec<u64> = own.indices.iter().map(|var| part.variables[var.0].extent).collect();
        let inside = entries(statement, whole).into_iter().filter_map(|point| {
            let own = point.iter().zip(&whole.indices).map(|(at, var)| at.checked_sub(begin[var.0]));
            let own: Vec<u64> = own.collect::<Option<_>>()?;
            own.iter().zip(&extents).all(|(at, extent)| at < extent).then_some(own)
        });
        let inside: Vec<Vec<u64>> = inside.collect();
        let column = |mode: usize| inside.iter().map(|point| point[mode] as i64).collect();
        let columns: Vec<Vec<i64>> = (0..extents.len()).map(column).collect();
        own.pattern = Pattern::Points(Arc::new(Points::new(&extents, &columns).expect("inside")));
    }
    part
}

/// Results beyond the buffer of an inner level are written in the parts in which the plain statement inside
/// of each outer tile writes them.
#[test]
fn results_of_inner_levels_are_those_of_their_outer_tiles() {
    let mut random = Random(37);
    let kernels = kernels();
    let mut is_beyond = 0;
    for trial in 0..200 {
        let mut statement = drawn(&kernels[trial % kernels.len()], 12, 2, 6, &mut random);
        statement.target.is_dense = random.below(4) == 0;
        let tiles = nested(&statement, 2, &mut random);
        let machine = Machine::of_buffer(40 + random.below(80));
        let memories = vec![Memory::of(machine, &statement); 2];
        let counted = &measure_levels(&statement, &tiles, &memories)[1].output;
        let large = vec![Memory::of(Machine::of_buffer(1 << 20), &statement); 2];
        is_beyond += u64::from(measure_levels(&statement, &tiles, &large)[1].output != *counted);
        // Nests have loops of their own: a sum over other variables is taken apart.
        if statement.nests().len() > 1 {
            continue;
        }
        let counts = (0..statement.variables.len()).map(|place| tiles[0].count(&statement, Var(place)));
        let rounds = all_below(&counts.collect::<Vec<_>>());
        let of = |tile: &Vec<u64>| {
            let part = part(&statement, &tiles[0], tile);
            let inner = tiles[1].0.iter().zip(&part.variables);
            let inner = Tiles(inner.map(|(&size, variable)| size.min(variable.extent)).collect());
            measure(&part, &inner, &machine).output.bytes
        };
        let expected: u64 = rounds.iter().map(of).sum();
        assert_eq!(counted.bytes, expected, "trial {trial}: {statement:?} {tiles:?} {machine:?}");
    }
    assert!(is_beyond > 40, "{is_beyond}");
}

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
        levels.count(Some(scheme), &mut chosen);
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

/// Tiles that are chosen fit the buffer of each operand, or a shared one together, in all levels, whatever the
/// objective; inner ones are no longer than outer ones. So do conservative and prescient ones.
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
            let chosen = on(&machine, &statement, |levels| levels.choose(scheme, objective));
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
    for trial in 0..8 {
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
