//! The paper's own model of traffic (d2t2.txt section 5.1, equations 16 to 20, for any statement):
//! statistics of single operands, which know nothing of each other. Tiles are chosen by
//! [`crate::Observed`], which looks at the operands together; this model says how far single ones go, and
//! shapes of `independent` and `without-corrs` are chosen by it.
//!
//! What the text leaves open is decided like this. Statistics are of conservative tiles (section 4.3),
//! `Corrs` of 1 % of them (section 5.3). `SizeTile` and the probabilities are those of these tiles; the
//! paper looks at tiles of other shapes and of the same size only, and in others `SizeTile` is taken to
//! grow as the number of tiles falls. `TileCorrs` are shares of what is there without a shift, on average
//! over the operands that have the variable; the last shift of a tile counts by the part of it that the
//! tile reaches. `Corrs` beyond the tiles that were looked at are those of the largest shift. An entry of
//! a sparse result takes a value, its coordinate and one more word for each outer level.

use crate::cube::conservative;
use crate::formula::{Assumption, Derivation, Quantity};
use crate::machine::Machine;
use crate::model::Prediction;
use crate::observed::Observed;
use crate::operands::TiledOperands;
use crate::statement::{Nest, Statement, Tiles};
use crate::statistics::{Sample, Statistics};

/// Equations 16 to 20 with the statistics of one tiling.
pub struct PaperModel<'a> {
    statement: &'a Statement,
    statistics: Statistics<'a>,
    reductions: Reductions,
}

/// Whether products that fall on the same value are taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reductions {
    Corrs,
    /// There are none (section 6.7).
    None,
}

impl<'a> PaperModel<'a> {
    /// Collects statistics of conservative tiles, `Corrs` of a share of them.
    pub fn new(statement: &'a Statement, machine: Machine, sample: Sample) -> Self {
        let cut = TiledOperands::new(statement, conservative(statement, &machine));
        Self::of_tiles(statement, machine, &cut, sample)
    }

    /// Collects statistics of these tiles.
    pub fn of_tiles(statement: &'a Statement, machine: Machine, cut: &TiledOperands, sample: Sample) -> Self {
        let statistics = Statistics::new(statement, machine, cut, sample);
        Self { statement, statistics, reductions: Reductions::Corrs }
    }

    /// Statistics of the small tiles, as all else that chooses has them.
    pub(crate) fn of_small_tiles(observed: &Observed<'a>, reductions: Reductions, sample: Sample) -> Self {
        let (statement, machine) = (observed.statement, *observed.machine());
        let statistics = Statistics::new(statement, machine, observed.cut, sample);
        Self { statement, statistics, reductions }
    }

    pub fn predict(&self, tiles: &Tiles) -> Prediction {
        let mut prediction =
            Prediction { inputs: vec![0.0; self.statement.accesses.len()], ..Prediction::default() };
        self.statement.nests().iter().for_each(|nest| self.add(nest, tiles, &mut prediction));
        prediction
    }

    fn add(&self, nest: &Nest, tiles: &Tiles, prediction: &mut Prediction) {
        let is_loop = |var| tiles.count(self.statement, var) > 1;
        let of = |quantity: &Quantity| match quantity {
            Quantity::Corrs(..) if self.reductions == Reductions::None => 1.0,
            _ => self.statistics.quantity(quantity, tiles),
        };
        let (statement, assumption) = (self.statement, Assumption::Independent);
        let derivation = Derivation { statement, nest, assumption, is_loop: &is_loop };
        for (access, input) in prediction.inputs.iter_mut().enumerate().filter(|own| nest.reads(own.0)) {
            *input += derivation.loads(access).value(&of);
        }
        prediction.output += derivation.stores().value(&of);
        prediction.iterations += derivation.iterations().value(&of);
    }
}
