use crate::coordinates::positions;
use crate::random::Random;
use crate::{Amount, Coordinates, Error, sample};

/// A tensor of any rank in which few indices of every mode hold most of the entries, as in data about
/// people and words.
///
/// An index is ⌊n·uᵏ⌋ for u uniform on [0, 1) and k the skew, so that the x-th most frequent index of a
/// mode occurs about as often as x^−(1 − 1/k). A random renaming of each mode's indices then scatters the
/// frequent ones. Whole powers keep the result the same on every machine.
#[derive(Clone, Debug, PartialEq)]
pub struct PowerLaw {
    /// The extents, usually three or four.
    pub dims: Vec<u64>,
    /// How many entries there are; one that falls on another is drawn again.
    pub entries: Amount,
    /// 1 is uniform, 2 and 3 are like most real data.
    pub skew: u32,
}

impl PowerLaw {
    pub(crate) fn generate(&self, random: &mut Random) -> Result<Coordinates, Error> {
        if self.skew == 0 {
            return Err(Error::Options("the skew is 0, expected at least 1".into()));
        }
        let count = self.entries.of(positions(&self.dims)?)?;
        let names = self.dims.iter().map(|&dim| random.permutation(dim)).collect::<Result<Vec<_>, _>>()?;
        let numbers = sample::distinct(&self.dims, count, |index| {
            for (i, names) in index.iter_mut().zip(&names) {
                *i = names[self.rank(names.len(), random)];
            }
        })?;
        Coordinates::at_positions(&self.dims, &numbers)
    }

    /// The place of an index in the order of frequency.
    fn rank(&self, extent: usize, random: &mut Random) -> usize {
        let u = random.unit();
        let power = (1..self.skew).fold(u, |power, _| power * u);
        // Rounding could reach the extent where it has more than 53 bits.
        ((power * extent as f64) as usize).min(extent - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of the most frequent tenth of a mode's indices.
    fn share(skew: u32, mode: usize) -> f64 {
        let dims = vec![200, 300, 400, 50];
        let tensor = PowerLaw { dims, entries: Amount::Entries(20_000), skew }.generate(&mut Random::new(7));
        let tensor = tensor.expect("a small tensor");
        assert_eq!(tensor.len(), 20_000);
        let mut counts = vec![0; tensor.dims[mode] as usize];
        for &i in &tensor.coords[mode] {
            counts[i as usize] += 1;
        }
        counts.sort_unstable_by(|a, b| b.cmp(a));
        counts[..counts.len() / 10].iter().sum::<i32>() as f64 / tensor.len() as f64
    }

    #[test]
    fn the_skew_decides_how_much_the_frequent_indices_hold() {
        for mode in 0..4 {
            // A tenth of the indices holds the (1/10)^(1/k) of the entries: 0.1, 0.32, 0.46.
            assert!((0.09..0.18).contains(&share(1, mode)), "{}", share(1, mode));
            assert!((0.28..0.36).contains(&share(2, mode)), "{}", share(2, mode));
            assert!((0.38..0.50).contains(&share(3, mode)), "{}", share(3, mode));
        }
    }

    #[test]
    fn a_skew_of_zero_is_refused() {
        let none = PowerLaw { dims: vec![3, 3, 3], entries: Amount::Entries(1), skew: 0 };
        let error = none.generate(&mut Random::new(0)).expect_err("no skew");
        assert_eq!(error.to_string(), "the skew is 0, expected at least 1");
    }
}
