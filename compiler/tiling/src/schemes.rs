//! The schemes that d2t2.txt section 6 compares: how each chooses tiles.

use crate::ablation;
use crate::cube::{self, conservative};
use crate::machine::Machine;
use crate::measure::{Traffic, measure};
use crate::model::Prediction;
use crate::observed::Observed;
use crate::optimize::{SHAPES, fullest};
use crate::statement::{Statement, Tiles};

/// A way to choose tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// The shapes of which least is expected, each as large as it fits, and what is chosen; of these the one
    /// with the least traffic.
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
    /// Those that are compared.
    pub const ALL: [Self; 5] =
        [Self::Conservative, Self::Prescient, Self::Tailors, Self::D2t2, Self::Exhaustive];

    /// What is chosen with less knowledge.
    pub const ABLATIONS: [Self; 3] = [Self::Independent, Self::WithoutCorrs, Self::CorrsOnly];

    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Conservative => "conservative",
            Self::Prescient => "prescient",
            Self::Tailors => "tailors",
            Self::D2t2 => "d2t2",
            Self::Exhaustive => "exhaustive",
            Self::Independent => "independent",
            Self::WithoutCorrs => "without-corrs",
            Self::CorrsOnly => "corrs-only",
        }
    }

    /// The tiles that it chooses.
    pub fn choose(self, observed: &Observed<'_>) -> Tiles {
        let (statement, machine) = (observed.statement, &observed.machine);
        match self {
            Self::Conservative => conservative(statement, machine),
            Self::Prescient => {
                cube::largest(statement, machine, |tiles| fullest(statement, tiles, machine) <= 1.0)
            }
            Self::Tailors => {
                let is_booked = |tiles: &Tiles| cube::overbooked(statement, tiles, machine) <= OVERBOOKED;
                cube::largest(statement, machine, is_booked)
            }
            Self::D2t2 => observed.sure(),
            Self::Exhaustive => exhaustive(observed),
            Self::Independent | Self::WithoutCorrs | Self::CorrsOnly => {
                observed.verified(&observed.resize(&ablation::choose(observed, self)))
            }
        }
    }
}

/// The tiles of a scheme, what is expected of them, and what they move.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Which.
    pub scheme: Scheme,
    /// Their sizes.
    pub tiles: Tiles,
    /// What the model says.
    pub predicted: Prediction,
    /// What was counted; `None` where nothing was.
    pub measured: Option<Traffic>,
}

/// Chooses tiles and measures them.
pub fn compare(observed: &Observed<'_>, scheme: Scheme) -> Outcome {
    let outcome = expect(observed, scheme);
    let measured = measure(observed.statement, &outcome.tiles, &observed.machine);
    Outcome { measured: Some(measured), ..outcome }
}

/// Chooses tiles without measuring them.
pub fn expect(observed: &Observed<'_>, scheme: Scheme) -> Outcome {
    let tiles = scheme.choose(observed);
    let predicted = observed.predict(&tiles);
    Outcome { scheme, tiles, predicted, measured: None }
}

/// The share of tiles that Tailors lets overflow.
const OVERBOOKED: f64 = 0.1;

/// How many shapes an exhaustive search measures.
const MEASURED: usize = 12;

fn exhaustive(observed: &Observed<'_>) -> Tiles {
    let (statement, machine) = (observed.statement, &observed.machine);
    let mut candidates: Vec<(Tiles, f64)> = observed
        .shapes(&SHAPES)
        .into_iter()
        .map(|(_, largest)| largest)
        .chain([observed.sure(), conservative(statement, machine), Scheme::Prescient.choose(observed)])
        .map(|tiles| {
            let tiles = grown(statement, machine, &tiles);
            let total = observed.predict(&tiles).total();
            (tiles, total)
        })
        .collect();
    candidates.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    candidates.dedup_by(|(one, _), (other, _)| one == other);
    let largest = candidates.into_iter().take(MEASURED).map(|(tiles, _)| tiles);
    let measured = largest.chain([Scheme::D2t2.choose(observed)]).map(|tiles| {
        let total = measure(statement, &tiles, machine).total();
        (tiles, total)
    });
    let best = measured.min_by_key(|(_, total)| *total);
    best.map_or_else(|| conservative(statement, machine), |(tiles, _)| tiles)
}

/// The largest tiles of a shape that fit, by binary search over all data.
fn grown(statement: &Statement, machine: &Machine, tiles: &Tiles) -> Tiles {
    let scaled = |factor: f64| {
        let size = |(&size, variable): (&u64, &crate::Variable)| {
            ((size as f64 * factor) as u64).clamp(1, variable.extent)
        };
        Tiles(tiles.0.iter().zip(&statement.variables).map(size).collect())
    };
    let fits = |factor: f64| fullest(statement, &scaled(factor), machine) <= 1.0;
    let (mut low, mut high) = (0.25, 0.5);
    let is_whole =
        |tiles: &Tiles| tiles.0.iter().zip(&statement.variables).all(|(&size, own)| size >= own.extent);
    while high < 1e6 && fits(high) && !is_whole(&scaled(low)) {
        (low, high) = (high, 2.0 * high);
    }
    while high / low > 1.02 {
        let middle = (low * high).sqrt();
        if fits(middle) { low = middle } else { high = middle }
    }
    scaled(low)
}
