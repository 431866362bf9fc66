//! Colours for how much of something there is.

/// From little to much, so that all eyes and grey paper show the order (YlGnBu of Brewer's maps).
pub(crate) const COLOURS: [&str; 8] =
    ["#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4", "#1d91c0", "#225ea8", "#0c2c84"];

/// The first colour on which text is white.
const DARK: usize = 5;

/// Which of the colours stands for what: each for amounts up to a bound, and none for 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ColourScale {
    pub(crate) bounds: [f64; COLOURS.len()],
}

impl ColourScale {
    /// Equal steps up to the largest amount.
    pub(crate) fn linear(most: f64) -> Self {
        Self { bounds: std::array::from_fn(|step| most * (step + 1) as f64 / COLOURS.len() as f64) }
    }

    /// Equal factors from 1 up to the largest amount, where it is far from 1.
    pub(crate) fn of_counts(most: u64) -> Self {
        if most <= COLOURS.len() as u64 {
            return Self::linear(COLOURS.len() as f64);
        }
        let last = (COLOURS.len() - 1) as f64;
        let bound = |step: usize| (most as f64).powf(step as f64 / last);
        Self { bounds: std::array::from_fn(|step| bound(step).round()) }
    }

    pub(crate) fn step(&self, amount: f64) -> Option<usize> {
        let step = self.bounds.iter().position(|bound| amount <= *bound).unwrap_or(COLOURS.len() - 1);
        (amount > 0.0).then_some(step)
    }
}

pub(crate) fn text_on(step: Option<usize>) -> &'static str {
    if step.is_some_and(|step| step >= DARK) { "white" } else { "black" }
}
