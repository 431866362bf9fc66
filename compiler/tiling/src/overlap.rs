//! How much more often factors come together than if they knew nothing of each other: where their tiles are,
//! taken from the data.

use crate::formula::{LoadFactor, Overlap};
use crate::grid::Summary;
use crate::known::Known;
use crate::statement::{Tiles, Var, position};
use rustc_hash::FxHashMap;

/// What counts of a factor's tiles.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    Tiles,
    /// What they take, since they are loaded.
    Bytes,
    /// Whether there is one.
    Presence,
}

impl Weight {
    fn of(self, tiles: f64, bytes: f64) -> f64 {
        match self {
            Self::Tiles => tiles,
            Self::Bytes => bytes,
            Self::Presence => f64::from(u8::from(tiles > 0.0)),
        }
    }
}

impl dyn Known + '_ {
    /// The mean of the product of what factors have at the coordinates of variables, each by its own mean.
    pub(crate) fn overlap(&self, shared: &Overlap, tiles: &Tiles) -> f64 {
        match shared.vars[..] {
            [var] => self.overlap_along(var, shared, tiles),
            _ => self.overlap_at(shared, tiles),
        }
    }

    /// Along one variable: a list of what is at each coordinate.
    fn overlap_along(&self, var: Var, shared: &Overlap, tiles: &Tiles) -> f64 {
        let count = tiles.count(self.statement(), var) as usize;
        let mut products = vec![1.0; count];
        for factor in &shared.factors {
            let indices = &self.statement().accesses[factor.access].indices;
            let Some(summary) = self.summary(factor.access, tiles) else { continue };
            let along = &summary.along[position(indices, var)];
            let weight = self.weight(factor, 1, shared.loaded);
            let at = |&(tiles, bytes): &(f64, f64)| weight.of(tiles, bytes);
            let mean = along.iter().map(at).sum::<f64>() / count as f64;
            let mean = mean.max(f64::MIN_POSITIVE);
            products.iter_mut().zip(along).for_each(|(product, own)| *product *= at(own) / mean);
        }
        products.iter().sum::<f64>() / count as f64
    }

    /// At coordinates of several variables, of which one factor has all: only where that one has tiles.
    fn overlap_at(&self, shared: &Overlap, tiles: &Tiles) -> f64 {
        let of = |factor: &LoadFactor| self.located(factor, shared, tiles);
        let mut located: Vec<Located> = shared.factors.iter().filter_map(of).collect();
        let has_all = |own: &Located| own.places.len() == shared.vars.len();
        let Some(lead) = located.iter().position(has_all) else { return 1.0 };
        let lead = located.swap_remove(lead);
        let mut all = 0.0;
        for (at, own) in &lead.weights {
            let other = |other: &Located| {
                let at: Vec<u32> = other.places.iter().map(|&place| at[place]).collect();
                other.weights.get(&at).copied().unwrap_or(0.0) / other.mean
            };
            all += own / lead.mean * located.iter().map(other).product::<f64>();
        }
        all / self.cells(&shared.vars, tiles)
    }

    fn weight(&self, factor: &LoadFactor, vars: usize, loaded: Option<usize>) -> Weight {
        if loaded == Some(factor.access) {
            Weight::Bytes
        } else if factor.seen.len() == vars && self.statement().accesses[factor.access].indices.len() > vars {
            Weight::Presence
        } else {
            Weight::Tiles
        }
    }

    fn cells(&self, vars: &[Var], tiles: &Tiles) -> f64 {
        vars.iter().map(|&var| tiles.count(self.statement(), var) as f64).product()
    }

    /// What a factor has at the coordinates of those of the variables that it has; none is dense.
    fn located(&self, factor: &LoadFactor, shared: &Overlap, tiles: &Tiles) -> Option<Located> {
        let vars = &shared.vars;
        let summary = self.summary(factor.access, tiles)?;
        let places: Vec<usize> =
            (0..vars.len()).filter(|&place| factor.seen.contains(&vars[place])).collect();
        let own: Vec<Var> = places.iter().map(|&place| vars[place]).collect();
        let indices = &self.statement().accesses[factor.access].indices;
        let modes: Vec<usize> = own.iter().map(|&var| position(indices, var)).collect();
        let weight = self.weight(factor, own.len(), shared.loaded);
        let weights =
            weights(&summary, &modes, weight, |tile| summary.bytes_of(self.machine(factor.access), tile));
        let mean = weights.values().sum::<f64>() / self.cells(&own, tiles);
        Some(Located { places, weights, mean: mean.max(f64::MIN_POSITIVE) })
    }
}

/// What a factor has, by coordinates.
struct Located {
    /// Which of the variables it has.
    places: Vec<usize>,
    weights: FxHashMap<Vec<u32>, f64>,
    mean: f64,
}

fn weights(
    summary: &Summary,
    modes: &[usize],
    weight: Weight,
    bytes: impl Fn(usize) -> f64,
) -> FxHashMap<Vec<u32>, f64> {
    let mut weights = FxHashMap::default();
    for tile in 0..summary.grid.len() {
        let at: Vec<u32> = modes.iter().map(|&mode| summary.grid.coordinates[mode][tile]).collect();
        let own = weights.entry(at).or_insert(0.0);
        match weight {
            Weight::Presence => *own = 1.0,
            Weight::Tiles => *own += 1.0,
            Weight::Bytes => *own += bytes(tile),
        }
    }
    weights
}
