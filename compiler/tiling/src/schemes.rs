//! The schemes that d2t2.txt section 6 compares: how each chooses tiles.

use crate::cube::{conservative, conservative_in, largest, overbooked};
use crate::drt::{Dynamic, Unsupported, drt};
use crate::formula::Quantity;
use crate::measure::{Traffic, measure, measure_in};
use crate::model::Prediction;
use crate::nested::Packed;
use crate::observed::Observed;
use crate::optimize::{SHAPES, fullest, fullest_in};
use crate::statement::{Statement, Tiles, Var, Variable};
use crate::statistics::{PaperModel, Reductions, Sample, Statistics};
use itertools::Itertools as _;

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
                largest(statement, memory, |tiles| fullest_in(statement, tiles, memory) <= 1.0)
            }
            Self::Tailors => {
                let memory = &memory.clone().divided();
                let is_booked = |tiles: &Tiles| overbooked(statement, tiles, memory) <= OVERBOOKED;
                largest(statement, memory, is_booked)
            }
            Self::D2t2 => observed.sure(),
            Self::Overbooked => with_overflow(observed),
            Self::Exhaustive => observed.best_of_all(),
            Self::Independent | Self::WithoutCorrs | Self::CorrsOnly => {
                observed.verified(&observed.resize(&with_less_knowledge(observed, self)))
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contender {
    /// One with tiles of one size.
    Scheme(Scheme),
    /// Small tiles brought together to about the chosen ones (section 6.7).
    Packed(Small),
    /// Tiles of several sizes along an index, with about as many entries each.
    Occupancy,
    /// Tiles of several sizes, put together while the computation runs.
    Drt,
}

impl Contender {
    /// Everything there is, in the order of reports.
    pub fn all() -> Vec<Self> {
        let schemes = Scheme::ALL.into_iter().chain([Scheme::Overbooked]).chain(Scheme::ABLATIONS);
        let packed = Small::ALL.map(Self::Packed);
        schemes.map(Self::Scheme).chain([Self::Occupancy]).chain(packed).chain([Self::Drt]).collect()
    }

    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheme(scheme) => scheme.name(),
            Self::Packed(small) => small.into(),
            Self::Occupancy => "occupancy",
            Self::Drt => "drt",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|own| own.name() == name)
    }

    /// Whether nothing is counted to choose its tiles and to predict what they move.
    pub fn is_predicted(self) -> bool {
        match self {
            Self::Scheme(scheme) => scheme != Scheme::Exhaustive,
            Self::Occupancy => true,
            Self::Packed(_) | Self::Drt => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
pub enum Small {
    #[strum(serialize = "packed")]
    Conservative,
    /// Those that statistics are made of, a quarter as long.
    #[strum(serialize = "packed-small")]
    Base,
}

impl Small {
    pub const ALL: [Self; 2] = [Self::Conservative, Self::Base];

    /// Brings small tiles together to about the chosen ones, and counts what these packed tiles move.
    pub fn counted(self, observed: &Observed<'_>, chosen: &Tiles) -> PackedOutcome {
        let (statement, machine) = (observed.statement, observed.machine());
        let small = match self {
            Self::Conservative => conservative(statement, machine),
            Self::Base => Tiles::base(statement, machine),
        };
        let packed = Packed::new(statement, &small, chosen, machine);
        PackedOutcome {
            fill: fullest(&packed.statement, &packed.tiles, machine),
            measured: measure(&packed.statement, &packed.tiles, machine),
            tiles: packed.sizes(),
            small,
        }
    }
}

#[derive(Clone, Debug)]
pub struct PackedOutcome {
    pub small: Tiles,
    /// What they are brought together to.
    pub tiles: Tiles,
    pub fill: f64,
    pub measured: Traffic,
}

impl Observed<'_> {
    /// Goes through the statement in dynamic tiles, grown from the tiles that statistics are made of.
    ///
    /// # Errors
    /// Statements that have no dynamic tiles, as [`drt`] has it.
    pub fn dynamic(&self) -> Result<Dynamic, Unsupported> {
        drt(self.statement, self.base(), self.machine())
    }
}

/// What `Corrs` are drawn by.
const SEED: u64 = 1;

/// Below this sum of `Corrs` little of what tiles produce falls on the same values.
const LITTLE_REUSE: f64 = 1.6;

/// The tiles of the shape of which least is expected, as large as they fit (d2t2.txt section 6.7): by
/// statistics of single operands, as the paper has them, with and without `Corrs`, or by `Corrs` alone.
fn with_less_knowledge(observed: &Observed<'_>, scheme: Scheme) -> Tiles {
    match scheme {
        Scheme::CorrsOnly => {
            let (statement, machine) = (observed.statement, *observed.machine());
            let statistics = Statistics::new(statement, machine, observed.cut, Sample::of_tiles(SEED));
            best(observed, &|tiles| distance(observed, &statistics, tiles))
        }
        _ => {
            let reductions =
                if scheme == Scheme::WithoutCorrs { Reductions::None } else { Reductions::Corrs };
            let model = PaperModel::of_small_tiles(observed, reductions, Sample::of_tiles(SEED));
            best(observed, &|tiles| model.predict(tiles).total())
        }
    }
}

fn best(observed: &Observed<'_>, expected: &dyn Fn(&Tiles) -> f64) -> Tiles {
    let shapes = observed.shapes(&SHAPES).into_iter().map(|(shape, largest)| (expected(&shape), largest));
    let best = shapes.min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map_or_else(|| conservative_in(observed.statement, &observed.memory), |(_, largest)| largest)
}

/// How far tiles are from the shape that the sum of `Corrs` asks for: long along the indices of the result
/// where it is small, else square.
fn distance(observed: &Observed<'_>, statistics: &Statistics<'_>, tiles: &Tiles) -> f64 {
    let statement = observed.statement;
    let square = conservative_in(statement, &observed.memory);
    let reduced = statement.reduced();
    let sum = |&var: &Var| {
        let has_it = |access: &usize| statement.accesses[*access].indices.contains(&var);
        let last = (0..statement.accesses.len()).rfind(has_it);
        last.map_or(1.0, |access| statistics.quantity(&Quantity::Corrs(access, var), &square))
    };
    let reuse: f64 = reduced.iter().map(sum).product();
    let side: f64 = reduced.iter().map(|&var| tiles.of(var) as f64 / square.of(var) as f64).product();
    if reuse < LITTLE_REUSE { side } else { side.ln().abs() }
}

/// Shapes that are expected to move so many times the least are not counted.
const NEAR: f64 = 1.3;

/// How many shapes are counted: so many products in all, but at least and at most so many shapes.
const PRODUCTS: f64 = 2e7;
const FEWEST_COUNTED: f64 = 5.0;
const MOST_COUNTED: f64 = 400.0;

impl Observed<'_> {
    /// Of all tiles that fit and are as long as powers of two or the extents along all variables, and the
    /// chosen ones, those that move least. Those of which least is expected are counted, more of them of
    /// small statements.
    pub(crate) fn best_of_all(&self) -> Tiles {
        let fitting = all(self.statement).into_iter().filter(|tiles| self.fits(tiles));
        let mut expected: Vec<(Tiles, f64)> = fitting.map(|tiles| self.with_total(tiles)).collect();
        expected.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let least = expected.first().map_or(0.0, |(_, total)| *total);
        let products: f64 = self.nests().iter().map(|(_, products)| products.all()).sum();
        let most = (PRODUCTS / products.max(1.0)).clamp(FEWEST_COUNTED, MOST_COUNTED) as usize;
        let near = expected.into_iter().take_while(|(_, total)| *total <= NEAR * least);
        let near = near.map(|(tiles, _)| tiles).filter(|tiles| self.fullest_surely(tiles) <= 1.0).take(most);
        let counted = near.chain([self.sure()]).map(|tiles| {
            let total = measure_in(self.statement, &tiles, &self.memory).total();
            (tiles, total)
        });
        let best = counted.min_by_key(|(_, total)| *total);
        best.expect("the chosen tiles are among those that are counted").0
    }
}

/// How many shapes are looked at, at most.
const MOST_SHAPES: usize = 60_000;

/// All tiles as long as powers of two or the extents; of every second, third power and so on where that would
/// be too many.
fn all(statement: &Statement) -> Vec<Tiles> {
    let count = |step: usize| {
        let along = |variable: &Variable| (variable.extent.max(1).ilog2() as usize).div_ceil(step) + 1;
        statement.variables.iter().map(along).fold(1, usize::saturating_mul)
    };
    let step = (1..64).find(|&step| count(step) <= MOST_SHAPES).unwrap_or(64);
    let sizes = statement.variables.iter().map(|variable| {
        let powers = (0..64).step_by(step).map(|power| 1u64 << power);
        powers.take_while(|&size| size < variable.extent).chain([variable.extent]).collect::<Vec<_>>()
    });
    sizes.multi_cartesian_product().map(Tiles).collect()
}

/// The share of the tiles of an operand that may not fit.
const OVERBOOKED: f64 = 0.1;

/// Buffers that are so many times as large, one after the other.
const LARGER: f64 = std::f64::consts::SQRT_2;

/// How many of them are tried at most.
const MOST_BUFFERS: i32 = 24;

/// Of the tiles that are chosen for larger and larger buffers, and of those of Tailors, the ones of which the
/// least traffic is expected with the own buffer, if at most a tenth of the tiles of any operand does not fit
/// it. What does not fit comes again with every use.
fn with_overflow(observed: &Observed<'_>) -> Tiles {
    let (statement, own) = (observed.statement, &observed.memory);
    let for_buffers = |step: i32| observed.with_memory(own.clone().times(LARGER.powi(step))).sure();
    let mut tried = vec![observed.sure(), Scheme::Tailors.choose(observed)];
    for step in 1..=MOST_BUFFERS {
        let tiles = for_buffers(step);
        if overbooked(statement, &tiles, &own.clone().divided()) > OVERBOOKED {
            break;
        }
        if !tried.contains(&tiles) {
            tried.push(tiles);
        }
    }
    let expected = tried.into_iter().map(|tiles| (observed.predict(&tiles).total(), tiles));
    let best = expected.min_by(|(one, _), (other, _)| one.total_cmp(other));
    best.expect("the chosen tiles are among them").1
}
