//! Whether all tiles of an operand fit, from all of its entries, but with as few looks at them as it takes: a
//! tile has no more nodes in a level than the small ones that it covers have in sum, no fewer than one a
//! value in the last level, and no more than its values in the others.

use crate::grid::Grid;
use crate::machine::{Footprint, Machine};
use crate::observed::Observed;
use crate::optimize;
use crate::points::Points;
use crate::statement::{Pattern, Tiles};
use crate::tiled::Tiled;
use rustc_hash::{FxHashMap, FxHashSet};

impl Observed<'_> {
    /// How much of the buffer the fullest tile of an access takes, if that is more than all of it; otherwise
    /// a number that is 1 at most.
    pub(crate) fn beyond(&self, access: usize, tiles: &Tiles) -> f64 {
        if let Some(share) = self.dense_share(access, tiles) {
            return share;
        }
        let own = &self.statement.accesses[access];
        let (Pattern::Points(points), Some(tiled)) = (&own.pattern, &self.cut.tiled[access]) else {
            return 0.0;
        };
        let sizes: Vec<u64> = tiles
            .of_all(&own.indices)
            .into_iter()
            .zip(points.extents())
            .map(|(size, &all)| size.clamp(1, all.max(1)))
            .collect();
        let covers = |(&size, &small): (&u64, &u64)| size.div_ceil(small);
        let factors: Vec<u64> = sizes.iter().zip(tiled.sizes()).map(covers).collect();
        let is_made =
            |((&size, &small), &all): ((&u64, &u64), &u64)| size >= all || size.is_multiple_of(small);
        let is_made = sizes.iter().zip(tiled.sizes()).zip(points.extents()).all(is_made);
        let covering = Grid::new(tiled, points.extents(), &factors);
        let machine = &self.memory.inputs[access];
        let outside = machine.outside as usize;
        let share = |tile: usize| {
            let nodes = |(level, nodes): (usize, &Vec<u32>)| {
                if level < outside { 1 } else { u64::from(nodes[tile]) }
            };
            machine.share(Footprint::of_levels(covering.nodes.iter().enumerate().map(nodes)))
        };
        let bounds: Vec<f64> = (0..covering.len()).map(share).collect();
        let largest = bounds.iter().copied().fold(0.0, f64::max);
        if !is_made {
            // Along a mode whose small tiles do not make it, a tile lies in two of those that cover it.
            let most = largest * f64::from(1 << points.rank().min(31));
            return if most <= 1.0 { most } else { fullest_by_values(machine, points, &sizes) };
        }
        if largest <= 1.0 {
            return largest;
        }
        let narrow: Vec<u32> = factors.iter().map(|&factor| factor as u32).collect();
        let doubtful = doubtful(&covering, &bounds);
        let is_doubtful = |path: &[u32]| {
            doubtful.contains(&key(&covering.counts, path.iter().zip(&narrow).map(|(at, by)| at / by)))
        };
        fullest_of(machine, points, tiled.entries(is_doubtful), &sizes)
    }

    /// The same of all accesses.
    pub(crate) fn fullest_surely(&self, tiles: &Tiles) -> f64 {
        let accesses = 0..self.statement.accesses.len();
        self.memory.together(accesses.map(|access| self.sure_share(access, tiles)))
    }

    /// How much of its buffer the fullest tile of an access takes. Of a buffer of its own only whether that
    /// is more than all of it is exact.
    pub(crate) fn sure_share(&self, access: usize, tiles: &Tiles) -> f64 {
        let own = &self.statement.accesses[access];
        match self.memory.is_shared() {
            true => optimize::fullest_of(own, tiles, &self.memory.inputs[access]),
            false => self.beyond(access, tiles),
        }
    }
}

/// The fullest of the tiles of some entries.
fn fullest_of(machine: &Machine, points: &Points, columns: Vec<Vec<u32>>, sizes: &[u64]) -> f64 {
    let some = Points::sorted(points.extents().to_vec(), columns);
    let footprints = Tiled::new(&some, sizes).footprints();
    footprints.into_iter().map(|tile| machine.share(tile)).fold(0.0, f64::max)
}

/// Counts values first: most tiles have too few to be the fullest one.
fn fullest_by_values(machine: &Machine, points: &Points, sizes: &[u64]) -> f64 {
    let keys = Keys::new(points, sizes);
    let mut values: FxHashMap<u64, u64> = FxHashMap::default();
    for entry in 0..points.len() {
        *values.entry(keys.of(points, entry)).or_default() += 1;
    }
    let rank = points.rank();
    let share = |nodes: u64, values: u64| {
        let levels = (1..=rank).map(|level| match level {
            _ if level == rank => values,
            _ if level <= machine.outside as usize => 1,
            _ => nodes.min(values),
        });
        machine.share(Footprint::of_levels(levels))
    };
    let most = values.values().copied().max().unwrap_or(0);
    let least = share(1, most);
    if share(most, most) <= 1.0 || least > 1.0 {
        return share(most, most).min(1.0).max(least);
    }
    let is_doubtful = |(_, values): &(&u64, &u64)| share(**values, **values) > least.max(1.0);
    let doubtful: FxHashSet<u64> = values.iter().filter(is_doubtful).map(|(key, _)| *key).collect();
    let is_doubtful = |entry: &usize| doubtful.contains(&keys.of(points, *entry));
    let kept: Vec<usize> = (0..points.len()).filter(is_doubtful).collect();
    let column = |mode: usize| kept.iter().map(|&entry| points.column(mode)[entry]).collect();
    fullest_of(machine, points, (0..rank).map(column).collect(), sizes)
}

/// The keys of tiles that are expected to be beyond the buffer.
fn doubtful(covering: &Grid, bounds: &[f64]) -> FxHashSet<u64> {
    let key = |tile: usize| key(&covering.counts, covering.coordinates.iter().map(|column| column[tile]));
    (0..covering.len()).filter(|&tile| bounds[tile] > 1.0).map(key).collect()
}

/// The number of a tile, of so many along each mode. Beyond 2⁶⁴ two tiles may have one number, and are then
/// looked at together.
fn key(counts: &[u64], at: impl Iterator<Item = u32>) -> u64 {
    counts.iter().zip(at).fold(0, |key, (count, at)| key.wrapping_mul(*count).wrapping_add(u64::from(at)))
}

/// Numbers of the tiles of entries.
struct Keys {
    sizes: Vec<u32>,
    counts: Vec<u64>,
}

impl Keys {
    fn new(points: &Points, sizes: &[u64]) -> Self {
        let counts = points.extents().iter().zip(sizes).map(|(extent, size)| extent.div_ceil(*size).max(1));
        Self { counts: counts.collect(), sizes: sizes.iter().map(|&size| size as u32).collect() }
    }

    fn of(&self, points: &Points, entry: usize) -> u64 {
        let at = self.sizes.iter().enumerate().map(|(mode, size)| points.column(mode)[entry] / size);
        key(&self.counts, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operands::TiledOperands;
    use crate::optimize::fullest;
    use crate::random::Random;
    use crate::statement::{Access, Expr, Statement, Target, Var, Variable};
    use std::sync::Arc;

    fn sum(points: Points) -> Statement {
        let variable = |(place, &extent): (usize, &u64)| Variable { name: format!("x{place}"), extent };
        let indices: Vec<Var> = (0..points.rank()).map(Var).collect();
        Statement {
            variables: points.extents().iter().enumerate().map(variable).collect(),
            accesses: vec![Access {
                name: "A".to_owned(),
                indices: indices.clone(),
                pattern: Pattern::Points(Arc::new(points)),
            }],
            target: Target { name: "C".to_owned(), indices, is_dense: false },
            value: Expr::Access(0),
        }
    }

    fn agrees(statement: &Statement, machine: Machine, sizes: &[u64]) {
        let cut = TiledOperands::small(statement, &machine);
        let observed = Observed::new(statement, machine, &cut, 1);
        let tiles = Tiles(sizes.to_vec());
        let exact = fullest(statement, &tiles, &machine);
        assert_eq!(observed.beyond(0, &tiles) <= 1.0, exact <= 1.0, "{tiles} take {exact} of {machine:?}");
    }

    /// A tile between two small ones has what lies at the border of both: rows 28 to 35 of tiles of 9 rows.
    #[test]
    fn tiles_across_small_ones_are_looked_at() {
        let (rows, columns) = (28..36).flat_map(|row| (0..1500).map(move |column| (row, column))).unzip();
        let points = Points::new(&[128, 1500], &[rows, columns]).expect("inside");
        agrees(&sum(points), Machine::of_buffer(128 << 10), &[9, 1500]);
    }

    /// Whatever the sizes, the look at bounds says what the look at all entries says.
    #[test]
    fn bounds_say_what_entries_say() {
        let mut random = Random::new(3);
        for trial in 0..300 {
            let extents: Vec<u64> = (0..2 + trial % 2).map(|_| 1 + random.below(60) as u64).collect();
            let column = |extent: &u64| (0..400).map(|_| random.below(*extent as usize) as i64).collect();
            let columns: Vec<Vec<i64>> = extents.iter().map(column).collect();
            let statement = sum(Points::new(&extents, &columns).expect("inside"));
            let sizes: Vec<u64> =
                extents.iter().map(|&extent| 1 + random.below(extent as usize) as u64).collect();
            agrees(&statement, Machine::of_buffer(64 << (trial % 8)), &sizes);
        }
    }
}
