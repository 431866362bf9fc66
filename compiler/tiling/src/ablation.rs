//! Shapes chosen with less knowledge (d2t2.txt section 6.7): by statistics of single operands, as the paper
//! has them, with and without `Corrs`, and by `Corrs` alone.

use crate::cube::conservative_in;
use crate::formula::Quantity;
use crate::observed::Observed;
use crate::optimize::SHAPES;
use crate::paper::{PaperModel, Reductions};
use crate::schemes::Scheme;
use crate::statement::{Tiles, Var};
use crate::statistics::{Sample, Statistics};

/// What `Corrs` are drawn by.
const SEED: u64 = 1;

/// Below this sum of `Corrs` little of what tiles produce falls on the same values.
const LITTLE_REUSE: f64 = 1.6;

/// The tiles of the shape of which least is expected, as large as they fit.
pub(crate) fn choose(observed: &Observed<'_>, scheme: Scheme) -> Tiles {
    match scheme {
        Scheme::CorrsOnly => {
            let (statement, machine) = (observed.statement, *observed.machine());
            let statistics = Statistics::new(statement, machine, observed.cut, Sample::of_tiles(SEED));
            best(observed, &|tiles| distance(observed, &statistics, tiles))
        }
        _ => {
            let reductions =
                if scheme == Scheme::WithoutCorrs { Reductions::None } else { Reductions::Corrs };
            let model = PaperModel::of_small_tiles(observed, reductions, Sample::of_tiles(SEED));
            best(observed, &|tiles| model.predict(tiles).total())
        }
    }
}

fn best(observed: &Observed<'_>, expected: &dyn Fn(&Tiles) -> f64) -> Tiles {
    let shapes = observed.shapes(&SHAPES).into_iter().map(|(shape, largest)| (expected(&shape), largest));
    let best = shapes.min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map_or_else(|| conservative_in(observed.statement, &observed.memory), |(_, largest)| largest)
}

/// How far tiles are from the shape that the sum of `Corrs` asks for: long along the indices of the result
/// where it is small, else square.
fn distance(observed: &Observed<'_>, statistics: &Statistics<'_>, tiles: &Tiles) -> f64 {
    let statement = observed.statement;
    let square = conservative_in(statement, &observed.memory);
    let is_reduced = |var: &Var| !statement.target.indices.contains(var);
    let reduced: Vec<Var> = (0..statement.variables.len()).map(Var).filter(is_reduced).collect();
    let sum = |&var: &Var| {
        let has_it = |access: &usize| statement.accesses[*access].indices.contains(&var);
        let last = (0..statement.accesses.len()).rfind(has_it);
        last.map_or(1.0, |access| statistics.quantity(&Quantity::Corrs(access, var), &square))
    };
    let reuse: f64 = reduced.iter().map(sum).product();
    let side: f64 = reduced.iter().map(|&var| tiles.of(var) as f64 / square.of(var) as f64).product();
    if reuse < LITTLE_REUSE { side } else { side.ln().abs() }
}
