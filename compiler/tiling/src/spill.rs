//! What a result moves that is written before it is finished, where a loop over something reduced is around
//! all of it: an iteration writes whenever the buffer is full, and later coordinates of that loop come to the same
//! points again. Iterations differ much in what they have, so that they are looked at one by one, as far as the
//! sample has points of them.

use crate::machine::{Footprint, Machine};
use crate::random::mixed;
use crate::sample::Products;
use crate::statement::{Nest, Statement, Tiles, Var, position};
use rustc_hash::{FxHashMap, FxHashSet};

/// The sampled products of an iteration: each with how many rows of the iteration it stands for.
struct Iteration<'a> {
    points: Vec<(f64, &'a [u32])>,
    /// How many iterations this one stands for.
    stands_for: f64,
    /// How many values each one of them stands for, along the last index.
    values: f64,
}

/// Where a nest has the variables that matter.
struct Places {
    /// Of the result's indices; the loop over something reduced, which is around them, is the first one.
    target: Vec<usize>,
    /// How far tiles reach along all variables of the nest.
    sizes: Vec<u32>,
}

impl Products {
    /// How many times as much as finished tiles would take is written, if the first loop is over something
    /// reduced: 1 if everything fits. Iterations have so many values on average.
    pub(crate) fn spilled(
        &self,
        (statement, nest): (&Statement, &Nest),
        tiles: &Tiles,
        (machine, mean): (&Machine, f64),
    ) -> f64 {
        let place = |&var: &Var| position(&nest.variables, var);
        let places = Places {
            target: statement.target.indices.iter().map(place).collect(),
            sizes: nest.variables.iter().map(|&var| tiles.of(var).clamp(1, 1 << 31) as u32).collect(),
        };
        let (mut whole, mut written) = (0.0, 0.0);
        for iteration in self.iterations(&places) {
            let scale = iteration.towards(mean, &places);
            let bytes = |pieces: u32| {
                let nodes: Vec<f64> =
                    iteration.nodes(&places, pieces).iter().map(|own| own * scale).collect();
                let count = f64::from(pieces).min(nodes[0].max(1.0));
                let mean: Vec<u64> = nodes.iter().map(|own| (own / count).ceil() as u64).collect();
                let share = machine.share(Footprint::of_levels(mean.iter().copied()));
                (count * machine.bytes(Footprint::of_levels(mean.into_iter())) as f64, share)
            };
            let (all, mut share) = bytes(1);
            let (mut own, mut pieces) = (all, 1);
            while share > 1.0 && pieces < places.sizes[0] {
                pieces *= 2;
                let (next, next_share) = bytes(pieces);
                // Pieces end where the buffer is full, between these and half as many.
                let way = share.ln() / (share / next_share).ln();
                own += (next - own) * if next_share < 1.0 { way } else { 1.0 };
                share = next_share;
            }
            whole += iteration.stands_for * all;
            written += iteration.stands_for * own;
        }
        if whole > 0.0 { (written / whole).max(1.0) } else { 1.0 }
    }

    /// The iterations that have sampled products. A slice stands for others of its tile, and where there are not
    /// so many in it, for those of other tiles; so does a coordinate of the last index.
    fn iterations(&self, places: &Places) -> Vec<Iteration<'_>> {
        let (first, last) = (places.target[0], places.target[places.target.len() - 1]);
        let mut weights: FxHashMap<u32, f64> = FxHashMap::default();
        for (weight, points) in self.slices() {
            let at = points.clone().next().map(|point| point[first] / places.sizes[first]);
            at.into_iter().for_each(|at| *weights.entry(at).or_default() += weight);
        }
        let seen = self.share() * f64::from(places.sizes[last]);
        let (values, of_last) = (seen.min(1.0) / self.share(), (1.0 / seen).max(1.0));
        let mut iterations: FxHashMap<u64, Iteration<'_>> = FxHashMap::default();
        for (weight, points) in self.slices() {
            for point in points {
                let key = together(point.iter().zip(&places.sizes).map(|(at, size)| at / size));
                let beyond = (weights[&(point[first] / places.sizes[first])]
                    / f64::from(places.sizes[first]))
                .max(1.0);
                let new = || Iteration { points: Vec::new(), stands_for: beyond * of_last, values };
                iterations.entry(key).or_insert_with(new).points.push((weight / beyond, point));
            }
        }
        iterations.into_values().collect()
    }
}

/// A number for several coordinates, by which they are distinguished.
fn together(coordinates: impl Iterator<Item = u32>) -> u64 {
    coordinates.fold(0, |key, at| mixed(key ^ u64::from(at)))
}

/// With how many sampled rows an iteration is known half from them, and half from what all iterations have on average.
const ROWS: f64 = 4.0;

impl Iteration<'_> {
    /// By what the numbers of nodes are multiplied, since few rows do not show what an iteration has.
    fn towards(&self, mean: f64, places: &Places) -> f64 {
        let rows: FxHashSet<u32> = self.points.iter().map(|(_, point)| point[places.target[0]]).collect();
        let (rows, values) = (rows.len() as f64, self.nodes(places, 1).last().copied().unwrap_or(0.0));
        if values > 0.0 { (rows + ROWS * mean / values) / (rows + ROWS) } else { 1.0 }
    }

    /// How many nodes each level has in all pieces of the iteration, which are as long along the reduced loop.
    fn nodes(&self, places: &Places, pieces: u32) -> Vec<f64> {
        let side = places.sizes[0].div_ceil(pieces).max(1);
        let rank = places.target.len();
        let mut seen = FxHashSet::default();
        let level = |level: usize, seen: &mut FxHashSet<u64>| {
            seen.clear();
            let values = if level == rank { self.values } else { 1.0 };
            let new = self.points.iter().filter(|(_, point)| {
                let prefix = places.target[..level].iter().map(|&place| point[place]);
                seen.insert(together(prefix.chain([point[0] / side])))
            });
            values * new.map(|(weight, _)| weight).sum::<f64>()
        };
        (1..=rank).map(|own| level(own, &mut seen)).collect()
    }
}
