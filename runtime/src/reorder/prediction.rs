//! Whether a permutation pays, predicted from the measures before and after it. comet.txt section 8 finds
//! both: less time where entries come near the diagonal, more where they crowd in the top left corner, so
//! that few threads get most of the work.

use super::measure::Measures;
use std::fmt;

/// The cost has to change by this fraction to count.
const COUNTS: f64 = 0.1;
/// The fullest part has to get fuller by this factor.
const FULLER: f64 = 1.5;

/// What is expected of a new order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// What happens on one thread, by [`Measures::cost`].
    pub effect: Effect,
    /// Whether [`Measures::imbalance`] grows by half or more, so that equal parts of the first mode become
    /// unequal work.
    pub is_less_balanced: bool,
}

/// What happens to the time of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It falls by a tenth or more.
    Faster,
    /// Neither.
    Same,
    /// It grows by a tenth or more.
    Slower,
}

impl Prediction {
    /// Compares the orders before and after.
    pub fn of(before: &Measures, after: &Measures) -> Self {
        let effect = match after.cost / before.cost {
            ratio if ratio <= 1.0 - COUNTS => Effect::Faster,
            ratio if ratio >= 1.0 + COUNTS => Effect::Slower,
            _ => Effect::Same,
        };
        Self { effect, is_less_balanced: after.imbalance >= FULLER * before.imbalance }
    }
}

/// The words of `comet reorder`.
impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.effect {
            Effect::Faster => "pays",
            Effect::Same => "makes little difference",
            Effect::Slower => "hurts",
        })?;
        match self.is_less_balanced {
            true => f.write_str("; threads with equal parts of mode 0 get less equal work"),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prediction(cost: [f64; 2], imbalance: [f64; 2]) -> Prediction {
        let [before, after] = [0, 1].map(|n| Measures {
            bandwidth: None,
            mean_gap: 1.0,
            far: 0.5,
            uneven: 0.5,
            cost: cost[n],
            imbalance: imbalance[n],
        });
        Prediction::of(&before, &after)
    }

    #[test]
    fn small_differences_are_none() {
        assert_eq!(prediction([2.0, 1.75], [1.0, 1.1]).effect, Effect::Faster);
        assert_eq!(prediction([2.0, 1.85], [1.0, 1.1]).effect, Effect::Same);
        assert_eq!(prediction([2.0, 2.15], [1.0, 1.1]).effect, Effect::Same);
        assert_eq!(prediction([2.0, 2.25], [1.0, 1.1]).effect, Effect::Slower);
        assert!(!prediction([1.0, 1.0], [2.0, 2.9]).is_less_balanced);
        assert!(prediction([1.0, 1.0], [2.0, 3.0]).is_less_balanced);
    }
}
