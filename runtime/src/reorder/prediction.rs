//! Whether a new order pays, told from the measures of the old and the new one. comet.txt section 8 finds
//! both: less time where entries come near the diagonal, more where they crowd in the top left corner, so
//! that few threads get most of the work.

use super::measure::Measures;

/// Far accesses have to change by this fraction of all accesses to count…
const OF_ALL: f64 = 0.02;
/// …and by this fraction of what they were.
const OF_FAR: f64 = 0.1;
/// The fullest part has to get fuller by this factor.
const FULLER: f64 = 1.5;

/// What is expected of a new order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// What happens to [`Measures::far`].
    pub locality: Locality,
    /// Whether [`Measures::imbalance`] grows by half or more, so that equal parts of the first mode become
    /// unequal work.
    pub is_less_balanced: bool,
}

/// What happens to the accesses that are far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locality {
    /// They become fewer, by a tenth and by 2 % of all accesses at least.
    Better,
    /// Neither.
    Same,
    /// They become more, by as much.
    Worse,
}

impl Prediction {
    /// Compares the orders before and after.
    pub fn of(before: &Measures, after: &Measures) -> Self {
        let is_fewer = |than: f64, far: f64| than - far >= OF_ALL && than - far >= OF_FAR * than;
        let locality = match (is_fewer(before.far, after.far), is_fewer(after.far, before.far)) {
            (true, _) => Locality::Better,
            (_, true) => Locality::Worse,
            _ => Locality::Same,
        };
        Self { locality, is_less_balanced: after.imbalance >= FULLER * before.imbalance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(far: [f64; 2], imbalance: [f64; 2]) -> Prediction {
        let measures =
            |n: usize| Measures { bandwidth: None, mean_gap: 1.0, far: far[n], imbalance: imbalance[n] };
        Prediction::of(&measures(0), &measures(1))
    }

    #[test]
    fn small_differences_are_none() {
        assert_eq!(prediction([0.5, 0.4], [1.0, 1.1]).locality, Locality::Better);
        assert_eq!(prediction([0.4, 0.5], [1.0, 1.1]).locality, Locality::Worse);
        assert_eq!(prediction([0.5, 0.46], [1.0, 1.1]).locality, Locality::Same);
        assert_eq!(prediction([0.015, 0.001], [1.0, 1.1]).locality, Locality::Same);
        assert!(!prediction([0.5, 0.4], [2.0, 2.9]).is_less_balanced);
        assert!(prediction([0.5, 0.4], [2.0, 3.0]).is_less_balanced);
    }
}
