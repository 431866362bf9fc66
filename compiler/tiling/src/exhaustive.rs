//! The search that choices are judged by: over all shapes, with nothing left out that could be much better.

use crate::measure::measure_in;
use crate::observed::Observed;
use crate::statement::{Statement, Tiles, Variable};

/// Shapes that are expected to move so many times the least are not counted.
const NEAR: f64 = 1.3;

/// How many shapes are counted: so many products in all, but at least and at most so many shapes.
const PRODUCTS: f64 = 2e7;
const LEAST: f64 = 5.0;
const MOST: f64 = 400.0;

impl Observed<'_> {
    /// Of all tiles that fit and are as long as powers of two or the extents along all variables, and the
    /// chosen ones, those that move least. Those of which least is expected are counted, more of them of
    /// small statements.
    pub(crate) fn best_of_all(&self) -> Tiles {
        let fitting = all(self.statement).into_iter().filter(|tiles| self.fits(tiles));
        let mut expected: Vec<(Tiles, f64)> = fitting.map(|tiles| self.with_total(tiles)).collect();
        expected.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let least = expected.first().map_or(0.0, |(_, total)| *total);
        let products: f64 = self.nests().iter().map(|(_, products)| products.all()).sum();
        let most = (PRODUCTS / products.max(1.0)).clamp(LEAST, MOST) as usize;
        let near = expected.into_iter().take_while(|(_, total)| *total <= NEAR * least);
        let near = near.map(|(tiles, _)| tiles).filter(|tiles| self.fullest_surely(tiles) <= 1.0).take(most);
        let counted = near.chain([self.sure()]).map(|tiles| {
            let total = measure_in(self.statement, &tiles, &self.memory).total();
            (tiles, total)
        });
        let best = counted.min_by_key(|(_, total)| *total);
        best.expect("the chosen tiles are among those that are counted").0
    }
}

/// How many shapes are looked at, at most.
const SHAPES: usize = 60_000;

/// All tiles as long as powers of two or the extents; of every second, third power and so on where that would
/// be too many.
fn all(statement: &Statement) -> Vec<Tiles> {
    let count = |step: usize| {
        let along = |variable: &Variable| (variable.extent.max(1).ilog2() as usize).div_ceil(step) + 1;
        statement.variables.iter().map(along).fold(1, usize::saturating_mul)
    };
    let step = (1..64).find(|&step| count(step) <= SHAPES).unwrap_or(64);
    let mut shapes = vec![Vec::new()];
    for variable in &statement.variables {
        let powers =
            (0..64).step_by(step).map(|power| 1u64 << power).take_while(|&size| size < variable.extent);
        let sizes: Vec<u64> = powers.chain([variable.extent]).collect();
        let longer =
            |shape: &Vec<u64>| sizes.iter().map(|&size| [&shape[..], &[size]].concat()).collect::<Vec<_>>();
        shapes = shapes.iter().flat_map(longer).collect();
    }
    shapes.into_iter().map(Tiles).collect()
}
