//! Statements on small random operands, for the tests.

use comet_tiling::{Access, Expr, Pattern, Points, Statement, Target, Var, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Numbers that look random, the same for one seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Points of which about one in `every` is there.
pub(crate) fn random_points(extents: &[u64], every: u64, random: &mut Random) -> Points {
    let mut columns = vec![Vec::new(); extents.len()];
    let mut point = vec![0; extents.len()];
    loop {
        if random.below(every) == 0 {
            columns.iter_mut().zip(&point).for_each(|(column, &at)| column.push(at as i64));
        }
        let Some(mode) = (0..extents.len()).rev().find(|&mode| point[mode] + 1 < extents[mode]) else {
            break;
        };
        point[mode] += 1;
        point[mode + 1..].fill(0);
    }
    Points::new(extents, &columns).expect("coordinates are inside")
}

/// A statement by the names of its variables: `order` in dataflow order with extents, tensors as `A(ik)`.
pub(crate) fn statement(
    order: &[(char, u64)],
    target: &str,
    tensors: &[(&str, Pattern)],
    value: Expr,
) -> Statement {
    let place = |name: char| Var(order.iter().position(|(other, _)| *other == name).expect("a variable"));
    let indices = |text: &str| {
        let mut indices: Vec<Var> = text.chars().map(place).collect();
        indices.sort_unstable();
        indices
    };
    Statement {
        variables: order.iter().map(|&(name, extent)| Variable { name: name.to_string(), extent }).collect(),
        accesses: tensors
            .iter()
            .enumerate()
            .map(|(number, (of, pattern))| Access {
                name: char::from(b'A' + number as u8).to_string(),
                indices: indices(of),
                pattern: pattern.clone(),
            })
            .collect(),
        target: Target { name: "X".to_owned(), indices: indices(target), is_dense: false },
        value,
    }
}

/// Points of a tensor with those indices, whose extents are those of the variables; the modes are in dataflow
/// order.
pub(crate) fn operand(order: &[(char, u64)], indices: &str, every: u64, random: &mut Random) -> Pattern {
    let mut places: Vec<usize> = indices
        .chars()
        .map(|name| order.iter().position(|(other, _)| *other == name).expect("a variable"))
        .collect();
    places.sort_unstable();
    let extents: Vec<u64> = places.iter().map(|&place| order[place].1).collect();
    Pattern::Points(Arc::new(random_points(&extents, every, random)))
}

/// A statement over at most i, j, k and l in a random order of the loops, with extents up to `longest`, one
/// entry in up to `sparsest` places, and one dense operand in `dense`.
pub(crate) fn drawn(
    (target, operands, value): &(&str, Vec<&str>, Expr),
    longest: u64,
    sparsest: u64,
    dense: u64,
    random: &mut Random,
) -> Statement {
    let mut order = vec![('i', 0), ('j', 0), ('k', 0), ('l', 0)];
    order.retain(|(name, _)| operands.iter().any(|indices| indices.contains(*name)));
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place as u64 + 1) as usize);
    }
    order.iter_mut().for_each(|(_, extent)| *extent = 1 + random.below(longest));
    let every = 1 + random.below(sparsest);
    let mut draw = |indices: &str| match random.below(dense) {
        0 => Pattern::Dense,
        _ => operand(&order, indices, every, random),
    };
    let tensors: Vec<(&str, Pattern)> = operands.iter().map(|indices| (*indices, draw(indices))).collect();
    statement(&order, target, &tensors, value.clone())
}

pub(crate) fn access(number: usize) -> Expr {
    Expr::Access(number)
}

/// The points of an operand by the tile that they are in.
pub(crate) fn by_tile(
    points: &BTreeSet<Vec<u64>>,
    tile: impl Fn(&[u64]) -> Vec<u64>,
) -> BTreeMap<Vec<u64>, BTreeSet<Vec<u64>>> {
    let mut tiles: BTreeMap<_, BTreeSet<Vec<u64>>> = BTreeMap::new();
    for point in points {
        tiles.entry(tile(point)).or_default().insert(point.clone());
    }
    tiles
}
