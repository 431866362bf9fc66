//! The statistics of single operands that d2t2.txt sections 4.3 and 4.4 collect from one tiling, and the
//! values of the quantities of a formula at other sizes of tiles.

use crate::cube::conservative;
use crate::formula::{Assumption, Derivation, LoadFactor, Quantity};
use crate::machine::Machine;
use crate::model::Prediction;
use crate::observed::Observed;
use crate::operands::TiledOperands;
use crate::random::Random;
use crate::statement::{Nest, Statement, Tiles, Var};
use crate::tiled::Tiled;
use std::collections::BTreeMap;

pub struct Statistics<'a> {
    statement: &'a Statement,
    machine: Machine,
    /// The tiles that were looked at.
    base: Tiles,
    accesses: Vec<Option<OfAccess>>,
}

#[derive(Clone, Debug)]
pub struct OfAccess {
    /// How far the tiles reach that were looked at, one size an index.
    pub sizes: Vec<u64>,
    /// What a tile takes on average, in bytes.
    pub size_tile: f64,
    /// How much of the buffer the fullest tile takes.
    pub max_tile: f64,
    /// `PrTileIdx`: for each level of tiles, how many of the coordinates a fiber has on average.
    pub tile_index: Vec<f64>,
    /// `ProbIndex`: for each level inside of tiles, how many of the coordinates a fiber has on average.
    pub inner_index: Vec<f64>,
    /// `Corrs`, equation 11, for each index and shift: how much of what is at a coordinate is also at the one
    /// that far behind it, in the same tile. There are no more shifts than a few thousand.
    pub corrs: Vec<Vec<f64>>,
    /// `TileCorrs`, equation 12, for each index and shift: how many of the coordinates of tiles have also the
    /// one that far behind them. 1 without a shift.
    pub tile_corrs: Vec<Vec<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The share of the tiles.
    pub rate: f64,
    /// What they are drawn by.
    pub seed: u64,
}

impl Sample {
    /// The paper's hundredth of all tiles (section 5.3).
    pub fn of_tiles(seed: u64) -> Self {
        Self { rate: 0.01, seed }
    }
}

impl<'a> Statistics<'a> {
    /// Collects them from operands in tiles, `Corrs` from a share of the tiles.
    pub fn new(statement: &'a Statement, machine: Machine, cut: &TiledOperands, sample: Sample) -> Self {
        let of = |(access, tiled): (&crate::Access, &Option<Tiled>)| {
            let tiled = tiled.as_ref()?;
            let extents = statement.extents(&access.indices);
            Some(OfAccess::new(tiled, &extents, &machine, sample))
        };
        let accesses = statement.accesses.iter().zip(&cut.tiled).map(of).collect();
        Self { statement, machine, base: cut.tiles.clone(), accesses }
    }

    pub fn of(&self, access: usize) -> Option<&OfAccess> {
        self.accesses[access].as_ref()
    }

    /// The value of a quantity with tiles of other sizes.
    pub fn quantity(&self, quantity: &Quantity, tiles: &Tiles) -> f64 {
        match quantity {
            Quantity::SizeTile(access) => self.size_tile(*access, tiles),
            Quantity::Count(var) => tiles.count(self.statement, *var) as f64,
            Quantity::Iterations(var) => self.iterations(*var, tiles),
            Quantity::Tile(factor) => self.tile(factor),
            Quantity::Overlap(_) | Quantity::Meet(_) => 1.0,
            // On average, so that all tiles together reach as far as the extent.
            Quantity::Side(var) => {
                self.statement.extent(*var) as f64 / tiles.count(self.statement, *var) as f64
            }
            Quantity::Entry(access) => self.of(*access).map_or(1.0, |own| own.inner_index.iter().product()),
            Quantity::Corrs(access, var) => self.corrs(*access, *var, tiles.of(*var)),
            Quantity::ResultEntry => self.result_entry(),
        }
    }

    /// That of the tiles that were looked at, times how many times fewer tiles there are.
    fn size_tile(&self, access: usize, tiles: &Tiles) -> f64 {
        let indices = &self.statement.accesses[access].indices;
        let Some(own) = self.of(access) else {
            let values: f64 = tiles.of_all(indices).iter().map(|&size| size as f64).product();
            return values * self.machine.value_bytes as f64;
        };
        let fewer = |(&var, &size): (&Var, &u64)| {
            self.statement.extent(var).div_ceil(size) as f64 / tiles.count(self.statement, var) as f64
        };
        own.size_tile * indices.iter().zip(&own.sizes).map(fewer).product::<f64>()
    }

    /// Equation 18: larger tiles have fewer iterations only as far as neighbouring tiles are there together.
    fn iterations(&self, var: Var, tiles: &Tiles) -> f64 {
        let (base, size) = (self.base.of(var), tiles.of(var));
        let extent = self.statement.extent(var);
        if size <= base {
            return tiles.count(self.statement, var) as f64;
        }
        let together: Vec<f64> = self
            .with(var)
            .map(|(own, mode)| together(&own.tile_corrs[mode], size as f64 / base as f64))
            .collect();
        let mean = together.iter().sum::<f64>() / together.len().max(1) as f64;
        extent.div_ceil(base) as f64 / mean.max(1.0)
    }

    /// The operands with a variable, and which of their indices it is.
    fn with(&self, var: Var) -> impl Iterator<Item = (&OfAccess, usize)> {
        self.statement.accesses.iter().zip(&self.accesses).filter_map(move |(access, own)| {
            let mode = access.indices.iter().position(|&other| other == var)?;
            Some((own.as_ref()?, mode))
        })
    }

    /// Equation 9, for outer indices that are seen; of those that are not, some coordinate.
    fn tile(&self, factor: &LoadFactor) -> f64 {
        let Some(own) = self.of(factor.access) else { return 1.0 };
        let indices = &self.statement.accesses[factor.access].indices;
        if indices[..factor.seen.len()] == factor.seen[..] {
            return own.tile_index[..factor.seen.len()].iter().product();
        }
        let all: f64 = own.tile_index.iter().product();
        let hidden = indices.iter().filter(|var| !factor.seen.contains(var));
        let hidden: f64 = hidden.map(|&var| self.base.count(self.statement, var) as f64).product();
        1.0 - (1.0 - all).powf(hidden)
    }

    /// The sum of `Corrs` over shifts below a size; beyond the tiles that were looked at the last one goes
    /// on.
    fn corrs(&self, access: usize, var: Var, size: u64) -> f64 {
        let Some(own) = self.of(access) else { return 1.0 };
        let indices = &self.statement.accesses[access].indices;
        let Some(mode) = indices.iter().position(|&other| other == var) else { return 1.0 };
        let corrs = &own.corrs[mode];
        let known: f64 = corrs.iter().take(size as usize).sum();
        let beyond =
            (size as usize).saturating_sub(corrs.len()) as f64 * corrs.last().copied().unwrap_or(0.0);
        (known + beyond).max(1.0)
    }

    /// A value, its coordinate, and a row of its own, which it shares with others.
    fn result_entry(&self) -> f64 {
        let rank = self.statement.target.indices.len().max(1) as f64;
        let words = if self.statement.target.is_dense { 0.0 } else { 1.0 + (rank - 1.0) };
        self.machine.value_bytes as f64 + words * self.machine.word_bytes as f64
    }
}

/// The sum of `TileCorrs` over so many shifts, the last one by the share of it that is reached. Those beyond
/// what is known are as the last one.
fn together(known: &[f64], shifts: f64) -> f64 {
    let whole = shifts as usize;
    let at = |shift: usize| known.get(shift).or(known.last()).copied().unwrap_or(0.0);
    let beyond = whole.saturating_sub(known.len()) as f64 * at(known.len());
    known.iter().take(whole).sum::<f64>() + beyond + shifts.fract() * at(whole)
}

impl OfAccess {
    fn new(tiled: &Tiled, extents: &[u64], machine: &Machine, sample: Sample) -> Self {
        let rank = tiled.rank();
        let footprints = tiled.footprints();
        let bytes: u64 = footprints.iter().map(|&tile| machine.bytes(tile)).sum();
        let counts: Vec<u64> =
            extents.iter().zip(tiled.sizes()).map(|(extent, size)| extent.div_ceil(*size)).collect();
        let nodes: Vec<f64> = tiled.levels().iter().map(|level| level.coordinates.len() as f64).collect();
        let above = |level: usize| level.checked_sub(1).map_or(1.0, |above| nodes[above]).max(1.0);
        let side = |level: usize| extents[level] as f64 / counts[level] as f64;
        Self {
            sizes: tiled.sizes().to_vec(),
            size_tile: bytes as f64 / footprints.len().max(1) as f64,
            max_tile: footprints.iter().map(|&tile| machine.share(tile)).fold(0.0, f64::max),
            tile_index: (0..rank).map(|level| nodes[level] / (above(level) * counts[level] as f64)).collect(),
            inner_index: (0..rank)
                .map(|level| nodes[rank + level] / (above(rank + level) * side(level)))
                .collect(),
            corrs: corrs(tiled, sample),
            tile_corrs: (0..rank).map(|mode| tile_corrs(tiled, mode, counts[mode])).collect(),
        }
    }
}

/// Equation 12, as a share of what is there without a shift.
fn tile_corrs(tiled: &Tiled, mode: usize, count: u64) -> Vec<f64> {
    let mut is_there = vec![false; count as usize];
    tiled.tile_coordinates()[mode].iter().for_each(|&at| is_there[at as usize] = true);
    let all = is_there.iter().filter(|&&there| there).count().max(1) as f64;
    // Shifts that tiles of the whole extent would need; beyond a few hundred they no longer differ.
    let shifts = is_there.len().min(MOST_SHIFTS);
    let both = |shift: usize| {
        is_there.iter().zip(&is_there[shift..]).filter(|(one, other)| **one && **other).count()
    };
    (0..shifts).map(|shift| both(shift) as f64 / all).collect()
}

const MOST_SHIFTS: usize = 512;

/// Tiles for buffers larger than any are as long as the extents, and all pairs of their slices too many.
const MOST_CORRS: u64 = 2048;

/// Equation 11, over a share of the tiles.
fn corrs(tiled: &Tiled, sample: Sample) -> Vec<Vec<f64>> {
    let rank = tiled.rank();
    let shifts = |&size: &u64| vec![0.0; size.min(MOST_CORRS) as usize];
    let mut sums: Vec<Vec<f64>> = tiled.sizes().iter().map(shifts).collect();
    let mut all = 0.0;
    let mut random = Random::new(sample.seed);
    let wanted = ((tiled.tiles() as f64 * sample.rate).ceil() as usize).min(tiled.tiles());
    for draw in 0..wanted {
        let tile = if wanted == tiled.tiles() { draw } else { random.below(tiled.tiles()) };
        let points = inside(tiled, tile);
        all += points.len() as f64;
        for (mode, sums) in sums.iter_mut().enumerate() {
            let mut slices: BTreeMap<u32, Vec<Vec<u32>>> = BTreeMap::new();
            for point in &points {
                let others = (0..rank).filter(|&other| other != mode).map(|other| point[other]).collect();
                slices.entry(point[mode]).or_default().push(others);
            }
            slices.values_mut().for_each(|slice| slice.sort_unstable());
            for (first, one) in &slices {
                let end = u64::from(*first).saturating_add(sums.len() as u64);
                let within = slices.range(first..).take_while(|(second, _)| u64::from(**second) < end);
                for (second, other) in within {
                    sums[(second - first) as usize] += common(one, other) as f64;
                }
            }
        }
    }
    sums.iter_mut().flatten().for_each(|sum| *sum /= f64::max(all, 1.0));
    sums
}

/// How many entries two sorted lists have in common.
fn common(one: &[Vec<u32>], other: &[Vec<u32>]) -> usize {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let mut count = 0;
    while let (Some(first), Some(second)) = (one.peek(), other.peek()) {
        match first.cmp(second) {
            std::cmp::Ordering::Less => drop(one.next()),
            std::cmp::Ordering::Greater => drop(other.next()),
            std::cmp::Ordering::Equal => {
                count += 1;
                one.next();
                other.next();
            }
        }
    }
    count
}

/// The coordinates of a tile's entries.
fn inside(tiled: &Tiled, tile: usize) -> Vec<Vec<u32>> {
    let mut points = vec![(tile, Vec::new())];
    for level in &tiled.levels()[tiled.rank()..] {
        points = points
            .into_iter()
            .flat_map(|(parent, path): (usize, Vec<u32>)| {
                let children = level.segments[parent]..level.segments[parent + 1];
                children.map(move |child| {
                    (child as usize, [&path[..], &[level.coordinates[child as usize]]].concat())
                })
            })
            .collect();
    }
    points.into_iter().map(|(_, path)| path).collect()
}

/// Equations 16 to 20 with the statistics of one tiling.
pub struct PaperModel<'a> {
    statement: &'a Statement,
    statistics: Statistics<'a>,
    reductions: Reductions,
}

/// Whether products that fall on the same value are taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reductions {
    Corrs,
    /// There are none (section 6.7).
    None,
}

impl<'a> PaperModel<'a> {
    /// Collects statistics of conservative tiles, `Corrs` of a share of them.
    pub fn new(statement: &'a Statement, machine: Machine, sample: Sample) -> Self {
        let cut = TiledOperands::new(statement, conservative(statement, &machine));
        Self::of_tiles(statement, machine, &cut, sample)
    }

    /// Collects statistics of these tiles.
    pub fn of_tiles(statement: &'a Statement, machine: Machine, cut: &TiledOperands, sample: Sample) -> Self {
        let statistics = Statistics::new(statement, machine, cut, sample);
        Self { statement, statistics, reductions: Reductions::Corrs }
    }

    /// Statistics of the small tiles, as all else that chooses has them.
    pub(crate) fn of_small_tiles(observed: &Observed<'a>, reductions: Reductions, sample: Sample) -> Self {
        let (statement, machine) = (observed.statement, *observed.machine());
        let statistics = Statistics::new(statement, machine, observed.cut, sample);
        Self { statement, statistics, reductions }
    }

    pub fn predict(&self, tiles: &Tiles) -> Prediction {
        let mut prediction = Prediction::none(self.statement);
        self.statement.nests().iter().for_each(|nest| self.add(nest, tiles, &mut prediction));
        prediction
    }

    fn add(&self, nest: &Nest, tiles: &Tiles, prediction: &mut Prediction) {
        let is_loop = |var| tiles.count(self.statement, var) > 1;
        let of = |quantity: &Quantity| match quantity {
            Quantity::Corrs(..) if self.reductions == Reductions::None => 1.0,
            _ => self.statistics.quantity(quantity, tiles),
        };
        let (statement, assumption) = (self.statement, Assumption::Independent);
        let derivation = Derivation { statement, nest, assumption, is_loop: &is_loop };
        for (access, input) in prediction.inputs.iter_mut().enumerate().filter(|own| nest.reads(own.0)) {
            *input += derivation.loads(access).value(&of);
        }
        prediction.output += derivation.stores().value(&of);
        prediction.iterations += derivation.iterations().value(&of);
    }
}
