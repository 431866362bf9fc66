//! What is known of the operands of a statement in tiles, and the values of the quantities of
//! formulas. It is known from all tiles of an operand, those of a coarser cut, or those of a part of the
//! statement.

use crate::formula::{Assumption, Derivation, LoadFactor, Meet, Quantity};
use crate::grid::Summary;
use crate::machine::{Footprint, Machine};
use crate::statement::{Nest, Statement, Tiles, Var, position};
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
