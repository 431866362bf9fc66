use crate::Coordinates;
use crate::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// The coefficients of a stencil; [`Values::Random`] for the kinds that have no values of their own.
    Own,
    /// Seeded, uniform on the multiples of 1/256 in (0, 1]. They are short in a file, and sums of products
    /// of two of them are exact in a double, so that a result does not depend on the order of its
    /// additions.
    Random,
    /// The rule of [`position_value`].
    Position,
}

/// Sets every entry to a seeded random value, see [`Values::Random`].
pub fn set_random_values(tensor: &mut Coordinates, seed: u64) {
    fill_random(tensor, &mut Random::new(seed));
}

pub(crate) fn fill_random(tensor: &mut Coordinates, random: &mut Random) {
    let entries = tensor.len();
    tensor.values.clear();
    tensor.values.extend((0..entries).map(|_| (random.below(256) + 1) as f64 / 256.0));
}

/// Sets every entry to the value of its position, see [`position_value`].
pub fn set_position_values(tensor: &mut Coordinates) {
    let values = (0..tensor.len()).map(|e| position_value(tensor.index(e))).collect();
    tensor.values = values;
}

/// The value of the entry at (i, j, k, …), 0-based: 1 + ((7·i + 13·j + 5·k + 11·l + 3·m + …) mod 17) / 16.
///
/// From the sixth mode on the factors are 15, 9, 1, and then 7 again.
pub fn position_value(index: impl IntoIterator<Item = u64>) -> f64 {
    const FACTORS: [u64; 8] = [7, 13, 5, 11, 3, 15, 9, 1];
    let terms = index.into_iter().zip(FACTORS.iter().cycle()).map(|(i, factor)| i % 17 * factor);
    let sum: u64 = terms.sum();
    1.0 + (sum % 17) as f64 / 16.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Amount, Generator, Kind, Uniform};

    #[test]
    fn the_value_of_a_position() {
        assert_eq!(position_value([0, 0]), 1.0);
        assert_eq!(position_value([1, 0]), 1.0 + 7.0 / 16.0);
        assert_eq!(position_value([0, 1]), 1.0 + 13.0 / 16.0);
        assert_eq!(position_value([1, 1]), 1.0 + 3.0 / 16.0);
        assert_eq!(position_value([0, 0, 1]), 1.0 + 5.0 / 16.0);
        assert_eq!(position_value([2, 3, 4, 5]), 1.0 + ((14 + 39 + 20 + 55) % 17) as f64 / 16.0);
        assert_eq!(position_value([u64::MAX]), 1.0 + ((u128::from(u64::MAX) * 7) % 17) as f64 / 16.0);
    }

    #[test]
    fn random_values_are_multiples_in_range_and_follow_the_seed() {
        let kind = Kind::Uniform(Uniform { dims: vec![50, 60], entries: Amount::Density(1.0) });
        let values =
            |seed| Generator::new(kind.clone()).seed(seed).generate().expect("a small matrix").values;
        let first = values(0);
        assert!(first.iter().all(|&v| v > 0.0 && v <= 1.0 && (v * 256.0).fract() == 0.0));
        let mean = first.iter().sum::<f64>() / first.len() as f64;
        assert!((0.47..0.53).contains(&mean), "{mean}");
        assert_eq!(first, values(0));
        assert_ne!(first, values(1));
    }
}
