//! Whether two values of a result are the same but for the order in which terms were added up.

/// The difference of two values, relative to the larger, that another order of additions explains,
pub(crate) const TOLERANCE: f64 = 1e-9;
/// and the one relative to the largest of the result, where terms cancel.
const CANCELLED: f64 = 1e-13;

/// How far apart the values of a result may be.
pub(crate) struct Agreement {
    largest: f64,
    tolerance: f64,
}

impl Agreement {
    /// For the values of a result.
    pub(crate) fn on(values: &[f64]) -> Self {
        Self::within(TOLERANCE, values)
    }

    /// For the values of a method that enlarges differences.
    pub(crate) fn within(tolerance: f64, values: &[f64]) -> Self {
        Self { largest: values.iter().fold(0.0, |largest, value| f64::max(largest, value.abs())), tolerance }
    }

    /// Whether two values agree. What is no number agrees with nothing.
    pub(crate) fn holds(&self, one: f64, other: f64) -> bool {
        let difference = (one - other).abs();
        difference <= self.tolerance * one.abs().max(other.abs()) || difference <= CANCELLED * self.largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left where large terms cancel says little about them.
    #[test]
    fn values_agree_as_far_as_they_can() {
        let agreement = Agreement::on(&[-1e6, 2.0]);
        assert!(agreement.holds(2.0, 2.0 + 1e-9));
        assert!(agreement.holds(1e-10, -1e-8), "terms of 1e6 cancel");
        assert!(!agreement.holds(2.0, 2.001));
        assert!(!Agreement::on(&[2.0]).holds(1e-10, -1e-8));
        assert!(!agreement.holds(f64::NAN, f64::NAN));
    }
}
