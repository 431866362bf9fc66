//! Medians and how far times spread around them.

/// Times of one candidate in seconds, each of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Times {
    sorted: Vec<f64>,
}

impl Times {
    pub(crate) fn add(&mut self, time: f64) {
        let place = self.sorted.partition_point(|other| *other <= time);
        self.sorted.insert(place, time);
    }

    pub(crate) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// The time that a share of the others is below; `None` without times.
    pub(crate) fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.sorted.len().checked_sub(1)?;
        let place = share * last as f64;
        let (below, above) = (self.sorted[place.floor() as usize], self.sorted[place.ceil() as usize]);
        Some(below + (above - below) * place.fract())
    }

    /// Infinite where there is none, so that it is no best one.
    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5).unwrap_or(f64::INFINITY)
    }

    /// Infinite where there is none.
    pub(crate) fn fastest(&self) -> f64 {
        self.quantile(0.0).unwrap_or(f64::INFINITY)
    }

    /// Whether the median is lower by at least a share, and half of the times of each do not reach the
    /// other's.
    pub(crate) fn is_clearly_below(&self, other: &Self, share: f64) -> bool {
        let apart = match (self.quantile(0.75), other.quantile(0.25)) {
            (Some(high), Some(low)) => high < low,
            _ => false,
        };
        apart && self.median() <= other.median() * (1.0 - share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(all: &[f64]) -> Times {
        let mut times = Times::default();
        all.iter().for_each(|time| times.add(*time));
        times
    }

    #[test]
    fn medians_lie_in_the_middle() {
        assert_eq!(times(&[3.0, 1.0, 2.0]).median(), 2.0);
        assert_eq!(times(&[1.0, 2.0]).median(), 1.5);
        assert_eq!(times(&[]).median(), f64::INFINITY);
        assert_eq!(times(&[5.0, 1.0, 2.0, 3.0, 4.0]).quantile(0.25), Some(2.0));
    }

    /// A median that is lower by chance is not clearly below.
    #[test]
    fn noise_is_no_gain() {
        let slow = times(&[1.0, 1.1, 1.2]);
        assert!(times(&[0.8, 0.9, 0.95]).is_clearly_below(&slow, 0.03));
        assert!(!times(&[0.8, 1.05, 1.2]).is_clearly_below(&slow, 0.03), "they overlap");
        assert!(!times(&[1.0]).is_clearly_below(&times(&[1.01]), 0.03), "it is not worth it");
    }
}
