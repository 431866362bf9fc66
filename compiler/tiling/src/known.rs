//! What is known of the operands of a statement in tiles, and the values of the quantities of
//! formulas. It is known from all tiles of an operand, those of a coarser cut, or those of a part of the
//! statement.

use crate::formula::{Assumption, Derivation, LoadFactor, Meet, Overlap, Quantity};
use crate::grid::Summary;
use crate::machine::{Footprint, Machine};
use crate::statement::{Nest, Statement, Tiles, Var, position};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Operands in tiles of any size.
pub(crate) trait Known {
    fn statement(&self) -> &Statement;

    /// What tiles of an access are for.
    fn machine(&self, access: usize) -> &Machine;

    /// An access in tiles; none is dense.
    fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>>;

    /// Whether the loop over tiles along a variable has more than one iteration.
    fn is_loop(&self, var: Var, tiles: &Tiles) -> bool {
        tiles.count(self.statement(), var) > 1
    }
}

impl dyn Known + '_ {
    /// What follows from the formulas of a nest with tiles.
    pub(crate) fn derived<R>(&self, nest: &Nest, tiles: &Tiles, of: impl FnOnce(&Derivation<'_>) -> R) -> R {
        let is_loop = |var| self.is_loop(var, tiles);
        let (statement, assumption) = (self.statement(), Assumption::Joint);
        of(&Derivation { statement, nest, assumption, is_loop: &is_loop })
    }

    /// What an access moves in a nest, in bytes.
    pub(crate) fn loads(&self, nest: &Nest, access: usize, tiles: &Tiles) -> f64 {
        let known = |quantity: &Quantity| self.quantity(quantity, tiles);
        self.derived(nest, tiles, |derivation| derivation.loads(access).value(&known))
    }

    /// What of tiles that do not fit comes again, in bytes, with all of the iterations in which they are used
    /// but the one that they were moved for.
    pub(crate) fn loads_again(&self, access: usize, (loads, iterations): (f64, f64), tiles: &Tiles) -> f64 {
        let (takes, beyond) = match self.summary(access, tiles) {
            Some(summary) => {
                (summary.bytes / summary.tiles.max(1.0), summary.beyond / summary.tiles.max(1.0))
            }
            None => {
                let tile = Footprint::full(&tiles.of_all(&self.statement().accesses[access].indices));
                let machine = self.machine(access);
                (machine.bytes(tile) as f64, machine.beyond(tile) as f64)
            }
        };
        let moved = loads / takes.max(1.0);
        beyond * (iterations - moved).max(0.0)
    }

    /// The iterations of a nest in which all factors of a product have a tile.
    pub(crate) fn iterations(&self, nest: &Nest, tiles: &Tiles) -> f64 {
        let known = |quantity: &Quantity| self.quantity(quantity, tiles);
        self.derived(nest, tiles, |derivation| derivation.iterations().value(&known))
    }

    fn count(&self, var: Var, tiles: &Tiles) -> f64 {
        tiles.count(self.statement(), var) as f64
    }

    /// How many coordinates a tile has along variables, on average.
    pub(crate) fn side(&self, vars: &[Var], tiles: &Tiles) -> f64 {
        vars.iter().map(|&var| self.statement().extent(var) as f64 / self.count(var, tiles)).product()
    }

    /// What the statistics know of a quantity.
    pub(crate) fn quantity(&self, quantity: &Quantity, tiles: &Tiles) -> f64 {
        match quantity {
            Quantity::SizeTile(access) => match self.summary(*access, tiles) {
                Some(summary) => summary.bytes / summary.tiles.max(1.0),
                None => {
                    let values = self.side(&self.statement().accesses[*access].indices, tiles);
                    values * self.machine(*access).value_bytes as f64
                }
            },
            Quantity::Count(var) | Quantity::Iterations(var) => self.count(*var, tiles),
            Quantity::Tile(factor) => self.probability(factor, tiles),
            Quantity::Overlap(shared) => self.overlap(shared, tiles),
            Quantity::Meet(meet) => self.meet(meet, tiles),
            Quantity::Side(var) => tiles.of(*var) as f64,
            // What a sample answers of both operands together.
            Quantity::Entry(_) | Quantity::Corrs(..) | Quantity::ResultEntry => 1.0,
        }
    }

    /// Of the coordinates that the factor with the fewest has, one is among those of all others.
    fn meet(&self, meet: &Meet, tiles: &Tiles) -> f64 {
        let count = self.count(meet.var, tiles);
        let have = |factor: &LoadFactor| {
            let summary = self.summary(factor.access, tiles)?;
            let seen: f64 = factor.seen.iter().map(|&var| self.count(var, tiles)).product();
            let present = (seen * self.probability(factor, tiles)).max(f64::MIN_POSITIVE);
            Some((summary.tiles / present).clamp(1.0, count))
        };
        let mut have: Vec<f64> = meet.factors.iter().filter_map(have).collect();
        have.sort_by(f64::total_cmp);
        let Some((fewest, others)) = have.split_first() else { return 1.0 };
        let all_others: f64 = others.iter().map(|have| have / count).product();
        1.0 - (1.0 - all_others).powf(*fewest)
    }

    fn probability(&self, factor: &LoadFactor, tiles: &Tiles) -> f64 {
        let indices = &self.statement().accesses[factor.access].indices;
        let Some(summary) = self.summary(factor.access, tiles) else { return 1.0 };
        let whole: f64 = factor.seen.iter().map(|&var| self.count(var, tiles)).product();
        if factor.seen.len() == indices.len() {
            return summary.tiles / whole;
        }
        if let [only] = factor.seen[..] {
            return summary.present[position(indices, only)] / whole;
        }
        // Some tile among those of the variables that are not seen.
        let hidden = indices.iter().filter(|var| !factor.seen.contains(var));
        let hidden: f64 = hidden.map(|&var| self.count(var, tiles)).product();
        1.0 - (1.0 - summary.tiles / (whole * hidden)).powf(hidden)
    }
}

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
