//! What moves between levels of memory, against loops over everything.

use crate::support::{Random, access, by_tile, drawn};
use comet_tiling::{
    Access, Expr, Footprint, Machine, Memory, Pattern, Points, Statement, Tiles, Var, measure, measure_levels,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) fn all(parts: &[usize]) -> Expr {
    Expr::All(parts.iter().map(|&number| access(number)).collect())
}

pub(crate) fn kernels() -> Vec<(&'static str, Vec<&'static str>, Expr)> {
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
pub(crate) fn entries(statement: &Statement, access: &Access) -> Vec<Vec<u64>> {
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
pub(crate) fn all_below(bounds: &[u64]) -> Vec<Vec<u64>> {
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
pub(crate) fn nodes(points: &BTreeSet<Vec<u64>>) -> Vec<u64> {
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
        let operands = statement.accesses.iter().zip(&stored);
        let cut: Vec<BTreeMap<Vec<u64>, BTreeSet<Vec<u64>>>> =
            operands.map(|(access, stored)| by_tile(stored, |point| round(&access.indices, point))).collect();
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
        let mut iterations: BTreeMap<Vec<u64>, BTreeSet<Vec<u64>>> = BTreeMap::new();
        for point in all_below(&extents) {
            iterations.entry(round(&nest.variables, &point)).or_default().insert(point);
        }
        // For each access and each time that its tile is loaded: the tile, and in how many iterations it is used.
        let mut loads: BTreeMap<(usize, Vec<u64>), (Vec<u64>, u64)> = BTreeMap::new();
        for (key, points) in &iterations {
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
        let iterations = all_below(&counts.collect::<Vec<_>>());
        let of = |tile: &Vec<u64>| {
            let part = part(&statement, &tiles[0], tile);
            let inner = tiles[1].0.iter().zip(&part.variables);
            let inner = Tiles(inner.map(|(&size, variable)| size.min(variable.extent)).collect());
            measure(&part, &inner, &machine).output.bytes
        };
        let expected: u64 = iterations.iter().map(of).sum();
        assert_eq!(counted.bytes, expected, "trial {trial}: {statement:?} {tiles:?} {machine:?}");
    }
    assert!(is_beyond > 40, "{is_beyond}");
}
