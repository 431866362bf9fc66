use crate::{Coordinates, Error};

/// A matrix whose entries (i, j) are all those with −`below` ≤ j − i ≤ `above`.
#[derive(Clone, Debug, PartialEq)]
pub struct Banded {
    pub rows: u64,
    pub columns: u64,
    pub below: u64,
    pub above: u64,
}

impl Banded {
    pub(crate) fn generate(&self) -> Result<Coordinates, Error> {
        let entries = (0..self.rows).map(|row| u128::from(self.end(row) - self.begin(row))).sum();
        let mut matrix = Coordinates::with_room(&[self.rows, self.columns], entries)?;
        for row in 0..self.rows {
            for column in self.begin(row)..self.end(row) {
                matrix.push(&[row, column]);
            }
        }
        Ok(matrix)
    }

    fn begin(&self, row: u64) -> u64 {
        row.saturating_sub(self.below).min(self.end(row))
    }

    fn end(&self, row: u64) -> u64 {
        row.saturating_add(self.above).saturating_add(1).min(self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn holds_the_band_and_nothing_else(rows in 0u64..12, columns in 0u64..12, below in 0u64..14, above in 0u64..14) {
            let matrix = Banded { rows, columns, below, above }.generate().expect("a small matrix");
            let found: Vec<(u64, u64)> =
                matrix.coords[0].iter().copied().zip(matrix.coords[1].iter().copied()).collect();
            let inside = |&(i, j): &(u64, u64)| j + below >= i && j <= i + above;
            let expected: Vec<(u64, u64)> =
                (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).filter(inside).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
