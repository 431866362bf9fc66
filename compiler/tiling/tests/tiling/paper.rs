//! The paper's model against its equations over whole matrices, entry by entry.

use crate::support::{Random, access, random_points, statement};
use comet_tiling::{Expr, Machine, PaperModel, Pattern, Points, Sample, Statement, Tiles, conservative};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A matrix in tiles: its extents and their sizes.
struct Matrix {
    entries: BTreeSet<(u64, u64)>,
    extents: [u64; 2],
    sizes: [u64; 2],
}

impl Matrix {
    fn new(points: &Points, sizes: [u64; 2]) -> Self {
        let at = |mode: usize, place: usize| u64::from(points.column(mode)[place]);
        Self {
            entries: (0..points.len()).map(|place| (at(0, place), at(1, place))).collect(),
            extents: [points.extents()[0], points.extents()[1]],
            sizes,
        }
    }

    fn count(&self, mode: usize) -> f64 {
        self.extents[mode].div_ceil(self.sizes[mode]) as f64
    }

    /// The tiles that are not empty.
    fn tiles(&self) -> BTreeSet<(u64, u64)> {
        self.entries.iter().map(|(row, column)| (row / self.sizes[0], column / self.sizes[1])).collect()
    }

    /// Rows of all tiles: the tile along the columns with the row.
    fn rows(&self) -> BTreeSet<(u64, u64)> {
        self.entries.iter().map(|&(row, column)| (row, column / self.sizes[1])).collect()
    }

    /// Values, coordinates, and a segment more than there are parents.
    fn size_tile(&self) -> f64 {
        let [values, rows, tiles] = [self.entries.len(), self.rows().len(), self.tiles().len()];
        let bytes = 8 * values + 4 * (values + rows) + 4 * (2 * tiles + rows + tiles);
        bytes as f64 / (tiles as f64).max(1.0)
    }

    fn rows_of_tiles(&self) -> BTreeSet<u64> {
        self.tiles().iter().map(|tile| tile.0).collect()
    }

    fn outer(&self) -> [f64; 2] {
        let rows = self.rows_of_tiles().len() as f64;
        [rows / self.count(0), self.tiles().len() as f64 / (rows.max(1.0) * self.count(1))]
    }

    fn inner(&self) -> f64 {
        let side = |mode: usize| self.extents[mode] as f64 / self.count(mode);
        let [tiles, rows] = [self.tiles().len() as f64, self.rows().len() as f64];
        rows / (tiles.max(1.0) * side(0)) * (self.entries.len() as f64 / (rows.max(1.0) * side(1)))
    }

    /// The sum of `Corrs` along the rows.
    fn corrs(&self, size: u64) -> f64 {
        let common = |shift: u64| {
            let has_other = |&&(row, column): &&(u64, u64)| {
                row / self.sizes[0] == (row + shift) / self.sizes[0]
                    && self.entries.contains(&(row + shift, column))
            };
            self.entries.iter().filter(has_other).count() as f64 / (self.entries.len() as f64).max(1.0)
        };
        let known = |shift: u64| common(shift.min(self.sizes[0] - 1));
        (0..size).map(known).sum::<f64>().max(1.0)
    }

    /// Equation 18 along the rows.
    fn iterations(&self, size: u64) -> f64 {
        if size <= self.sizes[0] {
            return self.extents[0].div_ceil(size) as f64;
        }
        let rows = self.rows_of_tiles();
        let together = |shift: u64| {
            let both = rows.iter().filter(|&row| rows.contains(&(row + shift))).count();
            both as f64 / (rows.len() as f64).max(1.0)
        };
        // Tiles do not end with those that were looked at; the last shift counts by a share.
        let shifts = size as f64 / self.sizes[0] as f64;
        let last = self.count(0) as u64 - 1;
        let share = |shift: u64| (shifts - shift as f64).min(1.0) * together(shift.min(last));
        self.count(0) / (0..shifts.ceil() as u64).map(share).sum::<f64>().max(1.0)
    }
}

fn drawn(order: &[(char, u64)], every: u64, random: &mut Random) -> (Statement, [Points; 2]) {
    let [i, k, j] = [0, 1, 2].map(|place: usize| order[place].1);
    let a = random_points(&[i, k], every, random);
    let b = random_points(&[k, j], every, random);
    let pattern = |points: &Points| Pattern::Points(Arc::new(points.clone()));
    let product = Expr::All(vec![access(0), access(1)]);
    (statement(order, "ij", &[("ik", pattern(&a)), ("kj", pattern(&b))], product), [a, b])
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(1.0)
}

/// Equations 16 to 20 of `C[i,j] = A[i,k] * B[k,j]` in the order i, k, j, with more than one tile along each.
#[test]
fn predictions_are_those_of_the_equations() {
    let mut random = Random(7);
    for trial in 0..40 {
        let order = ['i', 'k', 'j'].map(|name| (name, 30 + random.below(40)));
        let every = 2 + random.below(40);
        let (product, [a, b]) = drawn(&order, every, &mut random);
        let machine = Machine::of_buffer(1 << 10);
        let base = conservative(&product, &machine);
        assert!(base.0.iter().zip(&order).all(|(&size, (_, extent))| 2 * size < *extent), "{base}");
        let a = Matrix::new(&a, [base.0[0], base.0[1]]);
        let b = Matrix::new(&b, [base.0[1], base.0[2]]);
        let size = |place: usize, random: &mut Random| 1 + random.below(order[place].1 - 1);
        let tiles = Tiles((0..3).map(|place| size(place, &mut random)).collect());
        let count = |place: usize| order[place].1.div_ceil(tiles.0[place]) as f64;
        let [i, k, j] = [count(0), count(1), count(2)];
        let area = |own: &Matrix, rows: f64, columns: f64| own.count(0) / rows * (own.count(1) / columns);
        let [tile_a, tile_b] = [&a, &b].map(|own| own.outer().iter().product::<f64>());
        let expected_a = a.size_tile() * area(&a, i, k) * i * k * tile_a * b.outer()[0];
        let expected_b = b.size_tile() * area(&b, k, j) * a.iterations(tiles.0[0]) * k * j * tile_a * tile_b;
        let points: f64 = order.iter().map(|(_, extent)| *extent as f64).product();
        let output = 16.0 * points * a.inner() * b.inner() / b.corrs(tiles.0[1]) * tile_a * tile_b;
        let all = Sample { rate: 1.0, seed: 1 };
        let predicted = PaperModel::new(&product, machine, all).predict(&tiles);
        let report = format!("trial {trial}: {tiles}: {predicted:?}, {expected_a}, {expected_b}, {output}");
        assert!(close(predicted.inputs[0], expected_a), "{report}");
        assert!(close(predicted.inputs[1], expected_b), "{report}");
        assert!(close(predicted.output, output), "{report}");
        assert!(close(predicted.iterations, i * k * j * tile_a * tile_b), "{report}");
    }
}

/// Nothing is expected of operands without entries.
#[test]
fn nothing_moves_where_nothing_is() {
    let order = [('i', 40), ('k', 40), ('j', 40)];
    let empty = || Pattern::Points(Arc::new(Points::new(&[40, 40], &[vec![], vec![]]).expect("inside")));
    let product = Expr::All(vec![access(0), access(1)]);
    let product = statement(&order, "ij", &[("ik", empty()), ("kj", empty())], product);
    let model = PaperModel::new(&product, Machine::of_buffer(1 << 10), Sample::of_tiles(1));
    assert_eq!(model.predict(&Tiles(vec![8, 16, 40])).total(), 0.0);
}
