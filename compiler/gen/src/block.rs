use crate::coordinates::position;
use crate::random::Random;
use crate::{Amount, Coordinates, Error, sample};

/// A matrix of small dense blocks at random places of a grid of blocks.
///
/// Where the extent is no multiple of the block's, the last blocks are cut off at the edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub rows: u64,
    pub columns: u64,
    pub block_rows: u64,
    pub block_columns: u64,
    pub blocks: Amount,
}

impl Block {
    pub(crate) fn generate(&self, random: &mut Random) -> Result<Coordinates, Error> {
        if self.block_rows == 0 || self.block_columns == 0 {
            return Err(Error::Options(format!(
                "the blocks are {} x {}, expected at least 1 x 1",
                self.block_rows, self.block_columns
            )));
        }
        let grid = [self.rows.div_ceil(self.block_rows), self.columns.div_ceil(self.block_columns)];
        let count = self.blocks.of(u128::from(grid[0]) * u128::from(grid[1]))?;
        let blocks = sample::uniform(&grid, count, random)?;

        let entries = u128::from(self.block_rows) * u128::from(self.block_columns) * blocks.len() as u128;
        let mut matrix = Coordinates::with_room(&[self.rows, self.columns], entries)?;
        let mut index = [0; 2];
        // A row of blocks is written row by row, so that the entries are sorted.
        for blocks in blocks.chunk_by(|a, b| a / u128::from(grid[1]) == b / u128::from(grid[1])) {
            position(&grid, blocks[0], &mut index);
            for row in span(index[0], self.block_rows, self.rows) {
                for &block in blocks {
                    position(&grid, block, &mut index);
                    for column in span(index[1], self.block_columns, self.columns) {
                        matrix.push(&[row, column]);
                    }
                }
            }
        }
        Ok(matrix)
    }
}

/// The rows or columns that a block covers.
fn span(block: u64, size: u64, extent: u64) -> std::ops::Range<u64> {
    block * size..extent.min(block.saturating_add(1).saturating_mul(size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn every_block_is_full_or_empty(
            rows in 1u64..20, columns in 1u64..20, block_rows in 1u64..6, block_columns in 1u64..6,
            density in 0.0f64..=1.0, seed in any::<u64>(),
        ) {
            let block = Block { rows, columns, block_rows, block_columns, blocks: Amount::Density(density) };
            let matrix = block.generate(&mut Random::new(seed)).expect("a small matrix");
            let positions: Vec<_> = matrix.coords[0].iter().zip(&matrix.coords[1]).collect();
            prop_assert!(positions.is_sorted_by(|a, b| a < b));
            let mut found = HashMap::new();
            for (i, j) in positions {
                prop_assert!(*i < rows && *j < columns);
                *found.entry((i / block_rows, j / block_columns)).or_insert(0) += 1;
            }
            for ((i, j), count) in found {
                let size = |at, block, extent| span(at, block, extent).count() as u64;
                prop_assert_eq!(count, size(i, block_rows, rows) * size(j, block_columns, columns));
            }
        }
    }

    #[test]
    fn as_many_blocks_as_asked_for() {
        let block =
            Block { rows: 64, columns: 96, block_rows: 4, block_columns: 8, blocks: Amount::Entries(5) };
        assert_eq!(block.generate(&mut Random::new(3)).expect("a small matrix").len(), 5 * 32);
    }
}
