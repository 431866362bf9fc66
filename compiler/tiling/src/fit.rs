//! Whether all tiles of an operand fit, from all of its entries, but with as few looks at them as it takes: a
//! tile has no more nodes in a level than the small ones that it covers have in sum.

use crate::footprints::fullest;
use crate::grid::Grid;
use crate::machine::Footprint;
use crate::observed::Observed;
use crate::optimize;
use crate::statement::Tiles;
use rustc_hash::FxHashSet;

impl Observed<'_> {
    /// How much of the buffer the fullest tile of an access takes, if that is more than all of it; otherwise
    /// a number that is 1 at most.
    pub(crate) fn beyond(&self, access: usize, tiles: &Tiles) -> f64 {
        if let Some(share) = self.dense_share(access, tiles) {
            return share;
        }
        let key = (access, tiles.of_all(&self.statement.accesses[access].indices));
        let known = &self.quick().sure;
        if let Some(&share) = known.borrow().get(&key) {
            return share;
        }
        let share = self.beyond_sparse(access, tiles);
        known.borrow_mut().insert(key, share);
        share
    }

    fn beyond_sparse(&self, access: usize, tiles: &Tiles) -> f64 {
        let own = &self.statement.accesses[access];
        let (Some(points), Some(tiled)) = (own.points(), &self.cut.tiled[access]) else {
            return 0.0;
        };
        let sizes: Vec<u64> = tiles
            .of_all(&own.indices)
            .into_iter()
            .zip(points.extents())
            .map(|(size, &all)| size.clamp(1, all.max(1)))
            .collect();
        let is_made =
            |((&size, &small), &all): ((&u64, &u64), &u64)| size >= all || size.is_multiple_of(small);
        let is_made = sizes.iter().zip(tiled.sizes()).zip(points.extents()).all(is_made);
        // Where small tiles have few entries each, to look at all of them is to look at all entries.
        if !is_made || !tiled.is_coarse() {
            return fullest(points, &sizes, &self.memory.inputs[access], |_| true);
        }
        let factors: Vec<u64> =
            sizes.iter().zip(tiled.sizes()).map(|(size, small)| size.div_ceil(*small)).collect();
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
        if largest <= 1.0 {
            return largest;
        }
        let doubtful = (0..covering.len()).filter(|&tile| bounds[tile] > 1.0);
        let doubtful: FxHashSet<u32> = doubtful.map(|tile| covering.coordinates[0][tile]).collect();
        fullest(points, &sizes, machine, |strip| doubtful.contains(&strip))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::operands::TiledOperands;
    use crate::points::{Points, drawn};
    use crate::random::Random;
    use crate::statement::{Access, Expr, Pattern, Statement, Target, Var, Variable};
    use crate::tiled::Tiled;
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
        let points = statement.accesses[0].points().expect("it is sparse");
        let cut_anew = Tiled::new(points, sizes).footprints();
        let exact = cut_anew.into_iter().map(|tile| machine.share(tile)).fold(0.0, f64::max);
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
            let (points, sizes) = drawn(&mut random, 2 + trial % 2, 60, 400);
            let statement = sum(points);
            agrees(&statement, Machine::of_buffer(64 << (trial % 8)), &sizes);
        }
    }
}
