use crate::coordinates::positions;
use crate::{Coordinates, Error};

/// A discrete Laplacian on a regular grid, negated so that its diagonal is positive, with zero outside of
/// the grid.
///
/// Rows and columns are the grid's points in row-major order. The entries, sorted by row and column, are the
/// coefficients of the operator: applied to a quadratic polynomial, a row in the interior computes exactly
/// −∇² times [`Points::scale`].
#[derive(Clone, Debug, PartialEq)]
pub struct Stencil {
    /// Which neighbours take part.
    pub points: Points,
    /// The number of points along each axis: two for [`Points::Five`], else three; one number stands for a
    /// square or cube.
    pub grid: Vec<u64>,
}

/// The neighbours of a point that a stencil reads, itself included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Points {
    /// 2-D, the neighbours along the axes.
    Five,
    /// 3-D, the neighbours along the axes.
    Seven,
    /// 3-D, all 26 neighbours, with the coefficients 88, −6, −3, −2 for the point, faces, edges and corners
    /// (O'Reilly and Beck, "A family of large-stencil discrete Laplacian approximations in three
    /// dimensions", 2006).
    TwentySeven,
}

impl Points {
    pub fn axes(self) -> usize {
        match self {
            Points::Five => 2,
            Points::Seven | Points::TwentySeven => 3,
        }
    }

    /// The factor by which the coefficients exceed those of −∇² on a grid of spacing 1.
    pub fn scale(self) -> f64 {
        match self {
            Points::Five | Points::Seven => 1.0,
            Points::TwentySeven => 26.0,
        }
    }

    /// The coefficient of a neighbour that differs along so many axes, where it takes part.
    fn coefficient(self, distance: usize) -> Option<f64> {
        let coefficients: &[f64] = match self {
            Points::Five => &[4.0, -1.0],
            Points::Seven => &[6.0, -1.0],
            Points::TwentySeven => &[88.0, -6.0, -3.0, -2.0],
        };
        coefficients.get(distance).copied()
    }
}

impl Stencil {
    pub(crate) fn generate(&self) -> Result<Coordinates, Error> {
        let grid = self.grid()?;
        let points = positions(&grid)?;
        let extent = u64::try_from(points).map_err(|_| Error::Memory { entries: points })?;
        let neighbours = self.neighbours();
        let mut matrix = Coordinates::with_room(&[extent, extent], entries(&grid, &neighbours)?)?;

        let mut point = vec![0; grid.len()];
        for row in 0..extent {
            for neighbour in &neighbours {
                let Some(column) = neighbour.number(&grid, &point) else { continue };
                matrix.push(&[row, column]);
                matrix.values.push(neighbour.coefficient);
            }
            step(&grid, &mut point);
        }
        Ok(matrix)
    }

    fn grid(&self) -> Result<Vec<u64>, Error> {
        let axes = self.points.axes();
        match self.grid.len() {
            1 => Ok(vec![self.grid[0]; axes]),
            given if given == axes => Ok(self.grid.clone()),
            given => Err(Error::Options(format!(
                "the grid has {given} extents, expected {axes}, or one for a {}",
                if axes == 2 { "square" } else { "cube" }
            ))),
        }
    }

    /// In row-major order of their offsets, which makes the columns of a row ascend.
    fn neighbours(&self) -> Vec<Neighbour> {
        let axes = self.points.axes();
        let offsets = (0..3usize.pow(axes as u32)).map(|code| {
            (0..axes).rev().map(|axis| (code / 3usize.pow(axis as u32) % 3) as i64 - 1).collect::<Vec<i64>>()
        });
        offsets
            .filter_map(|offset| {
                let distance = offset.iter().filter(|&&step| step != 0).count();
                Some(Neighbour { coefficient: self.points.coefficient(distance)?, offset })
            })
            .collect()
    }
}

struct Neighbour {
    /// −1, 0 or 1 along each axis.
    offset: Vec<i64>,
    coefficient: f64,
}

impl Neighbour {
    /// Its row-major number, where it lies in the grid.
    fn number(&self, grid: &[u64], point: &[u64]) -> Option<u64> {
        let mut number = 0;
        for ((&extent, &at), &offset) in grid.iter().zip(point).zip(&self.offset) {
            let moved = at.checked_add_signed(offset).filter(|&moved| moved < extent)?;
            number = number * extent + moved;
        }
        Some(number)
    }

    /// How many points of the grid have it: n along an axis it does not move along, else n − 1.
    fn count(&self, grid: &[u64]) -> Result<u128, Error> {
        let along: Vec<u64> = grid
            .iter()
            .zip(&self.offset)
            .map(|(&n, &offset)| n.saturating_sub(offset.unsigned_abs()))
            .collect();
        positions(&along)
    }
}

fn entries(grid: &[u64], neighbours: &[Neighbour]) -> Result<u128, Error> {
    neighbours.iter().map(|neighbour| neighbour.count(grid)).sum()
}

/// The next point in row-major order.
fn step(grid: &[u64], point: &mut [u64]) {
    for (&extent, at) in grid.iter().zip(point).rev() {
        *at += 1;
        if *at < extent {
            return;
        }
        *at = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const GRIDS: [(Points, &[u64]); 3] =
        [(Points::Five, &[4, 7]), (Points::Seven, &[3, 5, 4]), (Points::TwentySeven, &[4, 3, 5])];

    fn matrix(points: Points, grid: &[u64]) -> Coordinates {
        Stencil { points, grid: grid.to_vec() }.generate().expect("a small grid")
    }

    fn apply(matrix: &Coordinates, x: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; x.len()];
        for e in 0..matrix.len() {
            y[matrix.coords[0][e] as usize] += matrix.values[e] * x[matrix.coords[1][e] as usize];
        }
        y
    }

    #[test]
    fn known_counts() {
        let count = |points, grid: &[u64]| matrix(points, grid).len();
        assert_eq!(count(Points::Five, &[10]), 5 * 100 - 4 * 10);
        assert_eq!(count(Points::Five, &[4, 7]), 5 * 28 - 2 * 4 - 2 * 7);
        assert_eq!(count(Points::Seven, &[6]), 7 * 216 - 6 * 36);
        assert_eq!(count(Points::TwentySeven, &[8]), 22 * 22 * 22);
        assert_eq!(count(Points::TwentySeven, &[4, 3, 5]), 10 * 7 * 13);
        assert_eq!(count(Points::TwentySeven, &[1]), 1);
        assert_eq!(count(Points::Seven, &[0]), 0);
    }

    #[test]
    fn symmetric_and_sorted() {
        for (points, grid) in GRIDS {
            let matrix = matrix(points, grid);
            let entries: HashMap<_, _> = (0..matrix.len())
                .map(|e| ((matrix.coords[0][e], matrix.coords[1][e]), matrix.values[e]))
                .collect();
            assert!(entries.iter().all(|(&(row, column), value)| entries.get(&(column, row)) == Some(value)));
            let order: Vec<_> = matrix.coords[0].iter().zip(&matrix.coords[1]).collect();
            assert!(order.is_sorted_by(|a, b| a < b), "{points:?}");
        }
    }

    /// In the interior the operator is exact on quadratic polynomials, and each axis takes part in the same
    /// way.
    #[test]
    fn exact_on_quadratics() {
        for (points, grid) in GRIDS {
            let mut point = vec![0; grid.len()];
            let (mut x, mut interior) = (Vec::new(), Vec::new());
            for _ in 0..grid.iter().product() {
                let at: Vec<f64> = point.iter().map(|&at| at as f64).collect();
                let mixed: f64 = at.iter().product();
                let squares: f64 = at.iter().zip([1.0, 2.0, 4.0]).map(|(at, weight)| weight * at * at).sum();
                x.push(squares + 3.0 * mixed + 5.0 * at[0] + 7.0);
                interior.push(point.iter().zip(grid).all(|(&at, &n)| at > 0 && at + 1 < n));
                step(grid, &mut point);
            }
            let expected = -points.scale() * if grid.len() == 2 { 6.0 } else { 14.0 };
            let y = apply(&matrix(points, grid), &x);
            for (y, _) in y.iter().zip(&interior).filter(|&(_, &inside)| inside) {
                assert_eq!(*y, expected, "{points:?}");
            }
            assert!(interior.contains(&true));
        }
    }

    #[test]
    fn a_grid_of_the_wrong_rank_is_refused() {
        let error =
            Stencil { points: Points::TwentySeven, grid: vec![4, 4] }.generate().expect_err("two extents");
        assert_eq!(error.to_string(), "the grid has 2 extents, expected 3, or one for a cube");
    }

    #[test]
    fn a_grid_that_does_not_fit_the_memory_is_refused() {
        let error =
            Stencil { points: Points::Seven, grid: vec![1 << 20] }.generate().expect_err("2^60 points");
        assert!(matches!(error, Error::Memory { .. }), "{error}");
    }
}
