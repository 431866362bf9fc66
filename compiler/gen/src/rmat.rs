use crate::random::Random;
use crate::{Amount, Coordinates, Error, sample};

/// The adjacency matrix of a scale-free directed graph (Chakrabarti, Zhan and Faloutsos, "R-MAT: A
/// recursive model for graph mining", 2004): an entry falls into a quadrant of the matrix, then into a
/// quadrant of that, and so on.
///
/// An entry that falls on another is drawn again, so exactly as many are there as were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Rmat {
    /// The matrix has 2^`scale` rows and columns.
    pub scale: u32,
    /// How many entries it has.
    pub entries: Amount,
    /// The probabilities of the upper left, upper right and lower left quadrant; the rest is the lower
    /// right one's.
    pub quadrants: [f64; 3],
}

impl Rmat {
    /// The parameters of the Graph 500 benchmark: sixteen entries a row, quadrants 0.57, 0.19, 0.19 and 0.05.
    pub fn graph500(scale: u32) -> Self {
        let entries = 1u64.checked_shl(scale).and_then(|rows| rows.checked_mul(16));
        let entries = Amount::Entries(entries.unwrap_or(u64::MAX));
        Rmat { scale, entries, quadrants: [0.57, 0.19, 0.19] }
    }

    pub(crate) fn generate(&self, random: &mut Random) -> Result<Coordinates, Error> {
        self.check()?;
        let extent = 1u64 << self.scale;
        let dims = [extent, extent];
        let count = self.entries.of(u128::from(extent) * u128::from(extent))?;
        let numbers = sample::distinct(&dims, count, |index| self.draw(index, random))?;
        Coordinates::at_positions(&dims, &numbers)
    }

    fn check(&self) -> Result<(), Error> {
        if self.scale > 62 {
            return Err(Error::Options(format!("the scale is {}, expected at most 62", self.scale)));
        }
        let [a, b, c] = self.quadrants;
        let valid = [a, b, c, 1.0 - (a + b + c)].iter().all(|p| *p >= -1e-12);
        if !valid {
            return Err(Error::Options(format!(
                "the quadrants' probabilities are {a}, {b} and {c}, expected none below 0 and a sum of at most 1"
            )));
        }
        Ok(())
    }

    fn draw(&self, index: &mut [u64], random: &mut Random) {
        let [a, b, c] = self.quadrants;
        let (mut row, mut column) = (0, 0);
        for _ in 0..self.scale {
            let at = random.unit();
            let (lower, right) = match () {
                _ if at < a => (0, 0),
                _ if at < a + b => (0, 1),
                _ if at < a + b + c => (1, 0),
                _ => (1, 1),
            };
            (row, column) = (2 * row + lower, 2 * column + right);
        }
        index.copy_from_slice(&[row, column]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rows_hold_most_of_the_entries() {
        let rmat = Rmat { entries: Amount::Entries(8 << 10), ..Rmat::graph500(10) };
        let matrix = rmat.generate(&mut Random::new(1)).expect("a small graph");
        assert_eq!((matrix.len(), &matrix.dims[..]), (8 << 10, &[1024, 1024][..]));
        let upper = matrix.coords[0].iter().filter(|&&row| row < 512).count();
        let left = matrix.coords[1].iter().filter(|&&column| column < 512).count();
        // 0.76 of what is drawn; redrawing what is already there lowers it a little.
        assert!((0.70..0.77).contains(&(upper as f64 / matrix.len() as f64)), "{upper}");
        assert!((0.70..0.77).contains(&(left as f64 / matrix.len() as f64)), "{left}");
    }

    #[test]
    fn the_quadrants_are_distinguished() {
        let only_upper_right = Rmat { scale: 5, entries: Amount::Entries(1), quadrants: [0.0, 1.0, 0.0] };
        let matrix = only_upper_right.generate(&mut Random::new(0)).expect("one entry");
        assert_eq!(matrix.coords, [[0], [31]]);
    }

    #[test]
    fn impossible_options_are_refused() {
        let message = |rmat: Rmat| rmat.generate(&mut Random::new(0)).expect_err("impossible").to_string();
        assert_eq!(message(Rmat::graph500(63)), "the scale is 63, expected at most 62");
        assert_eq!(
            message(Rmat { quadrants: [0.6, 0.3, 0.2], ..Rmat::graph500(8) }),
            "the quadrants' probabilities are 0.6, 0.3 and 0.2, expected none below 0 and a sum of at most 1"
        );
    }
}
