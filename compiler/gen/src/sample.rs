use crate::Error;
use crate::coordinates::{number, positions, reserve};
use crate::random::Random;

/// How many of the possible positions hold an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// So many.
    Entries(u64),
    /// This fraction of all, in [0, 1], rounded to a whole number.
    Density(f64),
}

impl Amount {
    /// The number of entries among so many positions.
    pub(crate) fn of(self, cells: u128) -> Result<u64, Error> {
        let entries = match self {
            Amount::Entries(entries) => u128::from(entries),
            Amount::Density(density) if (0.0..=1.0).contains(&density) => {
                (cells as f64 * density).round() as u128
            }
            Amount::Density(density) => {
                return Err(Error::Options(format!(
                    "the density is {density}, expected a number from 0 to 1"
                )));
            }
        };
        if entries > cells {
            return Err(Error::Options(format!(
                "{entries} entries were asked for, but there are {cells} positions"
            )));
        }
        u64::try_from(entries).map_err(|_| Error::Memory { entries })
    }
}

/// The numbers of `count` distinct positions, sorted, each as likely as any other.
pub(crate) fn uniform(dims: &[u64], count: u64, random: &mut Random) -> Result<Vec<u128>, Error> {
    let cells = positions(dims)?;
    // Drawing until enough are distinct takes long when most positions are taken.
    if u128::from(count) > cells / 8 {
        return select(cells, count, random);
    }
    distinct(dims, count, |index| {
        for (i, &dim) in index.iter_mut().zip(dims) {
            *i = random.below(dim);
        }
    })
}

/// Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
fn select(cells: u128, count: u64, random: &mut Random) -> Result<Vec<u128>, Error> {
    let mut chosen = Vec::new();
    reserve(&mut chosen, u128::from(count))?;
    let cells = u64::try_from(cells).map_err(|_| Error::Memory { entries: u128::from(count) })?;
    for cell in 0..cells {
        if random.below(cells - cell) < count - chosen.len() as u64 {
            chosen.push(u128::from(cell));
        }
    }
    Ok(chosen)
}

/// The numbers of `count` distinct positions, sorted, drawn as often as that takes.
pub(crate) fn distinct(
    dims: &[u64],
    count: u64,
    mut draw: impl FnMut(&mut [u64]),
) -> Result<Vec<u128>, Error> {
    /// A distribution that has not filled up by then has most of its weight on fewer positions than were
    /// asked for.
    const DRAWS: usize = 200;
    let mut numbers: Vec<u128> = Vec::new();
    reserve(&mut numbers, u128::from(count))?;
    let count = count as usize;
    let mut index = vec![0; dims.len()];
    for _ in 0..DRAWS {
        while numbers.len() < count {
            draw(&mut index);
            numbers.push(number(dims, &index));
        }
        // The stable sort merges the sorted run of the draws before in linear time.
        numbers.sort();
        numbers.dedup();
        if numbers.len() == count {
            return Ok(numbers);
        }
    }
    let found = numbers.len();
    Err(Error::Options(format!(
        "only {found} of {count} entries found a free position: ask for fewer, for larger extents or for less skew"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn exactly_as_many_distinct_sorted_positions_as_asked_for(
            rows in 1u64..40, columns in 1u64..40, fraction in 0.0f64..=1.0, seed in any::<u64>(),
        ) {
            let cells = u128::from(rows * columns);
            let count = Amount::Density(fraction).of(cells).expect("a density in range");
            let numbers = uniform(&[rows, columns], count, &mut Random::new(seed)).expect("room enough");
            prop_assert_eq!(numbers.len() as u64, count);
            prop_assert!(numbers.is_sorted_by(|a, b| a < b));
            prop_assert!(numbers.iter().all(|&n| n < cells));
        }
    }

    #[test]
    fn amounts_out_of_range_are_refused() {
        let message = |amount: Amount| amount.of(12).expect_err("out of range").to_string();
        assert_eq!(message(Amount::Entries(13)), "13 entries were asked for, but there are 12 positions");
        assert_eq!(message(Amount::Density(1.5)), "the density is 1.5, expected a number from 0 to 1");
        assert_eq!(message(Amount::Density(f64::NAN)), "the density is NaN, expected a number from 0 to 1");
    }

    #[test]
    fn a_distribution_that_cannot_fill_up_ends() {
        let error = distinct(&[10], 2, |index| index[0] = 4).expect_err("only one position is ever drawn");
        assert!(error.to_string().starts_with("only 1 of 2 entries found a free position"));
    }
}
