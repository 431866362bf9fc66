//! Whether numbers are in proportion to others, as points of a figure.

/// How logarithms of numbers go with those of others.
pub(super) struct Fit {
    /// The correlation.
    pub(super) r: f64,
    /// Of the line through the mean.
    slope: f64,
}

impl Fit {
    pub(super) fn of(across: &[f64], up: &[f64]) -> Self {
        let logarithms = |numbers: &[f64]| numbers.iter().map(|number| number.ln()).collect::<Vec<f64>>();
        let (x, y) = (centred(&logarithms(across)), centred(&logarithms(up)));
        let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
        let slope = product(&x, &y) / product(&x, &x);
        Self { r: product(&x, &y) / (product(&x, &x) * product(&y, &y)).sqrt(), slope }
    }

    /// Whether twice less traffic is about twice as fast.
    pub(super) fn is_linear(&self) -> bool {
        self.r >= 0.9 && (0.8..=1.25).contains(&self.slope)
    }

    pub(super) fn description(&self) -> String {
        format!("the logarithms' correlation is {:.2}, and the slope {:.2}", self.r, self.slope)
    }
}

fn centred(numbers: &[f64]) -> Vec<f64> {
    let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    numbers.iter().map(|number| number - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in proportion to others are described as such.
    #[test]
    fn proportion_is_a_slope_of_one() {
        let fit = Fit::of(&[1.0, 2.0, 8.0], &[3.0, 6.0, 24.0]);
        assert!((fit.slope - 1.0).abs() < 1e-12 && fit.is_linear());
        assert!(!Fit::of(&[1.0, 2.0, 8.0], &[1.0, 4.0, 64.0]).is_linear());
    }
}
