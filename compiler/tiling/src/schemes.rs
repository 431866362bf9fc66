//! The schemes that d2t2.txt section 6 compares: how each chooses tiles.

use crate::ablation;
use crate::cube::{self, conservative_in};
use crate::measure::{Traffic, measure_in};
use crate::model::Prediction;
use crate::observed::Observed;
use crate::optimize::fullest_in;
use crate::overbooked::{self, OVERBOOKED};
use crate::statement::Tiles;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Scheme {
    /// Cubes that fit however they are filled.
    Conservative,
    /// The largest cubes that fit, found by trying.
    Prescient,
    /// The largest cubes of which at most a tenth does not fit; what does not is fetched again with
    /// every use.
    Tailors,
    /// Shapes and sizes from statistics.
    D2t2,
    /// The same where as many tiles may overflow as those of Tailors.
    Overbooked,
    /// All shapes of powers of two and of whole extents that fit: of those of which little is expected, all
    /// or the first ones, and of what is chosen, the one with the least traffic.
    Exhaustive,
    /// Shapes by the equations as the paper has them, from statistics of single operands; sizes as in
    /// [`Self::D2t2`].
    Independent,
    /// The same without `Corrs`.
    WithoutCorrs,
    /// Shapes by `Corrs` alone.
    CorrsOnly,
}

impl Scheme {
    pub const ALL: [Self; 5] =
        [Self::Conservative, Self::Prescient, Self::Tailors, Self::D2t2, Self::Exhaustive];

    /// What is chosen with less knowledge.
    pub const ABLATIONS: [Self; 3] = [Self::Independent, Self::WithoutCorrs, Self::CorrsOnly];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn choose(self, observed: &Observed<'_>) -> Tiles {
        let (statement, memory) = (observed.statement, &observed.memory);
        match self {
            Self::Conservative => conservative_in(statement, memory),
            Self::Prescient => {
                cube::largest(statement, memory, |tiles| fullest_in(statement, tiles, memory) <= 1.0)
            }
            Self::Tailors => {
                let memory = &memory.clone().divided();
                let is_booked = |tiles: &Tiles| cube::overbooked(statement, tiles, memory) <= OVERBOOKED;
                cube::largest(statement, memory, is_booked)
            }
            Self::D2t2 => observed.sure(),
            Self::Overbooked => overbooked::choose(observed),
            Self::Exhaustive => observed.best_of_all(),
            Self::Independent | Self::WithoutCorrs | Self::CorrsOnly => {
                observed.verified(&observed.resize(&ablation::choose(observed, self)))
            }
        }
    }
}

/// Whether the traffic of tiles is counted, beside what the model predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    Done,
    LeftOut,
}

/// The tiles of a scheme, what is expected of them, and what they move.
#[derive(Clone, Debug)]
pub struct SchemeResult {
    pub scheme: Scheme,
    pub tiles: Tiles,
    pub predicted: Prediction,
    /// Between which numbers of bytes the traffic lies with a probability of nine in ten.
    pub interval: [f64; 2],
    pub measured: Option<Traffic>,
}

pub fn compare(observed: &Observed<'_>, scheme: Scheme) -> SchemeResult {
    let outcome = expect(observed, scheme);
    let measured = measure_in(observed.statement, &outcome.tiles, &observed.memory);
    SchemeResult { measured: Some(measured), ..outcome }
}

pub fn expect(observed: &Observed<'_>, scheme: Scheme) -> SchemeResult {
    let tiles = scheme.choose(observed);
    let (predicted, interval) = (observed.predict(&tiles), observed.interval(&tiles));
    SchemeResult { scheme, tiles, predicted, interval, measured: None }
}
