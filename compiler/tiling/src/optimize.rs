//! The search for tiles (d2t2.txt section 5.2): shapes by geometric steps under the constraint that every
//! tile of an input fits, then sizes by what the fullest tile leaves of the buffer (equation 22). What is
//! looked at are estimates; that the chosen tiles fit is made sure with all entries.

use crate::cube::conservative_in;
use crate::footprints;
use crate::machine::{Footprint, Machine, longest};
use crate::memory::Memory;
use crate::observed::Observed;
use crate::statement::{Access, Statement, Tiles, Var};
use itertools::Itertools as _;

/// How much of the buffer the fullest tile of any input takes: 1 or less if all fit. Looks at all entries.
pub fn fullest(statement: &Statement, tiles: &Tiles, machine: &Machine) -> f64 {
    fullest_in(statement, tiles, &Memory::of(*machine, statement))
}

/// The same in a level of memory; of a shared buffer, what the fullest tiles of all inputs take together.
pub(crate) fn fullest_in(statement: &Statement, tiles: &Tiles, memory: &Memory) -> f64 {
    let share = |(access, machine)| fullest_of(access, tiles, machine);
    memory.together(statement.accesses.iter().zip(&memory.inputs).map(share))
}

/// The same of one input.
pub(crate) fn fullest_of(access: &Access, tiles: &Tiles, machine: &Machine) -> f64 {
    let sizes = tiles.of_all(&access.indices);
    match access.points() {
        Some(points) => footprints::fullest(points, &sizes, machine, |_| true),
        None => machine.share(Footprint::full(&sizes)),
    }
}

/// How much longer than wide shapes are, along the indices of the result against what is reduced.
pub(crate) const SHAPES: [f64; 5] = [0.25, 1.0, 4.0, 16.0, 64.0];

/// Those that the search begins with, besides the longest and the shortest.
const STARTING: [f64; 2] = [1.0, 16.0];

/// Of how many variables all combinations of longest and shortest tiles are looked at.
const MOST_EXTREMES: usize = 6;

/// From how many of them single steps go on.
const STARTS: usize = 2;

/// At most what share of the best estimate tiles of another shape must be expected to move to be better:
/// errors of such tiles differ more than those of similar ones.
const SURELY: f64 = 0.98;

/// Up to how many times the least estimate others count as near it.
const NEAR: f64 = 1.1;

/// Orders of so many variables: all of up to four, and of more those that begin with each one.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count > 4 {
        return (0..count).map(|first| (0..count).map(|place| (first + place) % count).collect()).collect();
    }
    (0..count).permutations(count).collect()
}

/// How many times as long tiles are along some variable that are of another shape.
const FAR: u64 = 4;

/// Whether tiles are of another shape.
pub(crate) fn is_far(one: &Tiles, other: &Tiles) -> bool {
    let mut sizes = one.0.iter().zip(&other.0);
    sizes.any(|(&one, &other)| one.max(other) >= FAR * one.min(other))
}

impl Observed<'_> {
    /// Where single steps begin, that of which least is expected first.
    pub(crate) fn starts(&self) -> Vec<(Tiles, f64)> {
        let starts = self.shapes(&STARTING).into_iter().map(|(_, tiles)| tiles);
        let starts = starts.chain(self.corners()).chain(self.extremes()).chain([self.cube()]);
        let mut predicted: Vec<(Tiles, f64)> = starts.map(|tiles| self.with_total(tiles)).collect();
        predicted.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        predicted.dedup_by(|(one, _), (other, _)| one == other);
        predicted
    }

    /// What single steps come to from the best starts, that of which least is expected first, and from the
    /// best one of another shape than these.
    pub(crate) fn optima(&self) -> Vec<Tiles> {
        let starts = self.starts();
        let mut climbed: Vec<(Tiles, f64)> =
            starts.iter().take(STARTS).map(|start| self.climb(start.clone())).collect();
        climbed.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        climbed.dedup_by(|(one, _), (other, _)| one == other);
        let mut sorted = self.distinguishable(climbed);
        let far = starts.into_iter().find(|(start, _)| sorted.iter().all(|other| is_far(start, other)));
        if let Some((far, _)) = far.map(|start| self.climb(start)) {
            let [own, first] = [&far, &sorted[0]].map(|tiles| self.estimate_by_all(tiles).total());
            let place = if own < SURELY * first { 0 } else { sorted.len() };
            sorted.insert(place, far);
        }
        sorted
    }

    /// Where estimates of the best tiles differ little, all of the sample says which are the best: estimates
    /// look at a part of it, and that part would choose.
    fn distinguishable(&self, mut sorted: Vec<(Tiles, f64)>) -> Vec<Tiles> {
        let least = sorted.first().map_or(0.0, |(_, total)| *total);
        let near = sorted.iter().take_while(|(_, total)| *total <= NEAR * least).count();
        if near > 1 {
            sorted[..near].iter_mut().for_each(|(tiles, total)| *total = self.estimate_by_all(tiles).total());
            sorted[..near].sort_by(|(_, one), (_, other)| one.total_cmp(other));
        }
        sorted.into_iter().map(|(tiles, _)| tiles).collect()
    }

    /// Tiles that are as long as can be along most variables, and short along those that come first in some
    /// order of them, by as many halves as it takes until they fit.
    fn corners(&self) -> Vec<Tiles> {
        let whole = self.memory.around.with_single(Tiles::cube(self.statement, u64::MAX));
        let mut corners: Vec<Tiles> = Vec::new();
        for order in orders(self.loops_inside().len()) {
            let mut tiles = whole.clone();
            for variable in order.into_iter().map(|place| self.loops_inside().start + place) {
                while !self.fits(&tiles) && tiles.0[variable] > 1 {
                    tiles.0[variable] = self.halved(tiles.0[variable], variable);
                }
            }
            if self.fits(&tiles) && !corners.contains(&tiles) {
                corners.push(tiles);
            }
        }
        corners
    }

    /// The largest cube of small tiles that fits, about.
    fn cube(&self) -> Tiles {
        let small = self.base().0[self.loops_inside()].iter().copied().max().unwrap_or(1);
        let variables = &self.statement.variables[self.loops_inside()];
        let extent = variables.iter().map(|variable| variable.extent).max().unwrap_or(1);
        let cube = |times: u64| self.memory.around.with_single(Tiles::cube(self.statement, times * small));
        let times = longest(extent.div_ceil(small), |times| self.fits(&cube(times)));
        if self.fits(&cube(times)) { cube(times) } else { conservative_in(self.statement, &self.memory) }
    }

    /// Tiles that are as long as can be along some variables, and of one coordinate along the others.
    fn extremes(&self) -> Vec<Tiles> {
        let inside = self.loops_inside();
        let count = inside.len().min(MOST_EXTREMES);
        let tiles = |whole: u32| {
            let along = |(place, variable): (usize, &crate::Variable)| {
                if place >= count || whole >> place & 1 == 1 { variable.extent.max(1) } else { 1 }
            };
            let sizes = self.statement.variables[inside.clone()].iter().enumerate().map(along);
            self.memory.around.tiles(&Tiles(sizes.collect()))
        };
        (0..1 << count).map(tiles).filter(|tiles| self.fits(tiles)).collect()
    }

    /// With what is expected of them.
    pub(crate) fn with_total(&self, tiles: Tiles) -> (Tiles, f64) {
        let total = self.estimate(&tiles).total();
        (tiles, total)
    }

    /// Tiles of several shapes that take as much as conservative ones if all are full, and the largest ones
    /// of each shape that fit.
    pub(crate) fn shapes(&self, shapes: &[f64]) -> Vec<(Tiles, Tiles)> {
        let largest = |shape: &f64| {
            let own = self.scaled_shape(*shape, 1.0);
            Some((own, self.largest(*shape)?))
        };
        let mut shapes: Vec<(Tiles, Tiles)> = shapes.iter().filter_map(largest).collect();
        shapes.dedup_by(|(_, one), (_, other)| one == other);
        shapes
    }

    /// Conservative tiles times a factor along all variables, and longer by a shape's along the result's.
    fn scaled_shape(&self, shape: f64, scale: f64) -> Tiles {
        let accesses = self.statement.accesses.iter().enumerate();
        let rank = |indices: &[Var]| indices.len() - self.memory.around.outside(indices);
        let sides = accesses.map(|(number, access)| self.memory.side(number, rank(&access.indices)));
        let side = sides.min().unwrap_or_else(|| self.memory.result.conservative(1));
        let conservative = self.rounded(&Tiles::cube(self.statement, side));
        let size = |(place, &size): (usize, &u64)| {
            let is_kept = self.statement.target.indices.contains(&Var(place));
            let factor = if is_kept { shape.sqrt() } else { shape.sqrt().recip() };
            ((size as f64 * factor * scale) as u64).clamp(1, self.statement.variables[place].extent)
        };
        let tiles = Tiles(conservative.0.iter().enumerate().map(size).collect());
        self.rounded(&self.memory.around.with_single(tiles))
    }

    /// The largest tiles of a shape that fit, in steps of two; none where the smallest do not.
    fn largest(&self, shape: f64) -> Option<Tiles> {
        let mut scale = 1.0;
        let mut best = self.scaled_shape(shape, scale);
        if !self.fits(&best) {
            return None;
        }
        loop {
            // A tile that takes a sixteenth of the buffer can be four times as long along two indices.
            let steps = (self.fullest(&best).recip().log2() / 2.0).floor().clamp(1.0, 20.0);
            let larger = (1..=steps as i32).rev().map(|steps| scale * f64::from(steps).exp2());
            let larger = larger.map(|scale| (scale, self.scaled_shape(shape, scale)));
            let next = larger.into_iter().find(|(_, tiles)| *tiles != best && self.fits(tiles));
            match next {
                Some(next) => (scale, best) = next,
                None => return Some(best),
            }
        }
    }

    /// Goes to the neighbour of which less is expected, until there is none.
    fn climb(&self, mut best: (Tiles, f64)) -> (Tiles, f64) {
        loop {
            let neighbours = self.neighbours(&best.0).into_iter().filter(|tiles| self.fits(tiles));
            let predicted = neighbours.map(|tiles| self.with_total(tiles));
            match predicted.min_by(|(_, one), (_, other)| one.total_cmp(other)) {
                Some(next) if next.1 < best.1 => best = next,
                _ => return best,
            }
        }
    }

    /// Tiles that are twice as long along a variable, half as long along one, or both.
    fn neighbours(&self, tiles: &Tiles) -> Vec<Tiles> {
        let grown = |&variable: &usize| tiles.0[variable] < self.statement.variables[variable].extent;
        let shrunk = |&variable: &usize| tiles.0[variable] > 1;
        let all = self.loops_inside();
        let longer = all.clone().filter(grown).map(Some).chain([None]);
        let pairs = longer.flat_map(|longer| {
            let shorter = all.clone().filter(shrunk).filter(move |&other| Some(other) != longer);
            shorter.map(Some).chain([None]).map(move |shorter| (longer, shorter))
        });
        pairs
            .map(|(longer, shorter)| self.stepped(tiles, longer, shorter))
            .filter(|other| other != tiles)
            .collect()
    }

    fn stepped(&self, tiles: &Tiles, longer: Option<usize>, shorter: Option<usize>) -> Tiles {
        let mut other = tiles.clone();
        if let Some(longer) = longer {
            other.0[longer] = self.doubled(tiles.0[longer], longer);
        }
        if let Some(shorter) = shorter {
            other.0[shorter] = self.halved(tiles.0[shorter], shorter);
        }
        other
    }

    /// Twice a size, at most the extent; a small tile on the way from shorter ones.
    fn doubled(&self, size: u64, variable: usize) -> u64 {
        let (small, extent) = (self.base().0[variable], self.statement.variables[variable].extent);
        let twice = size.saturating_mul(2);
        if size < small { twice.min(small).min(extent) } else { twice.min(extent) }
    }

    /// Half of a size, as a power of two of small tiles; below one, as a power of two.
    fn halved(&self, size: u64, variable: usize) -> u64 {
        let small = self.base().0[variable];
        match size > small {
            true => size.div_ceil(small).next_power_of_two() / 2 * small,
            false => (size.next_power_of_two() / 2).max(1),
        }
    }

    /// Sizes that tiles of the base make, and shorter ones.
    fn rounded(&self, tiles: &Tiles) -> Tiles {
        let round = |((&size, &base), variable): ((&u64, &u64), &crate::Variable)| match size {
            _ if size >= variable.extent => variable.extent,
            _ if size < base => size.max(1),
            _ => size / base * base,
        };
        Tiles(tiles.0.iter().zip(&self.base().0).zip(&self.statement.variables).map(round).collect())
    }

    /// Whether all tiles fit, by the estimates.
    pub(crate) fn fits(&self, tiles: &Tiles) -> bool {
        let mut accesses = 0..self.statement.accesses.len();
        if self.memory.is_shared() {
            return self.fullest(tiles) <= 1.0;
        }
        accesses.all(|access| self.fits_about(access, tiles))
    }

    /// How much of the buffer the fullest tile takes, by the estimates.
    fn fullest(&self, tiles: &Tiles) -> f64 {
        let accesses = 0..self.statement.accesses.len();
        self.memory.together(accesses.map(|access| self.fullest_about(access, tiles)))
    }

    /// Equation 22: what the fullest tile leaves of the buffer goes to the variable of which that saves most,
    /// as long as all tiles fit.
    pub(crate) fn resize(&self, tiles: &Tiles) -> Tiles {
        let all: Vec<Var> = self.loops_inside().map(Var).collect();
        let mut best = tiles.clone();
        loop {
            let tile_factor = self.fullest(&best).recip();
            let larger = self.scaled(&best, (&all, tile_factor), &|other| self.fits(other));
            match larger {
                Some(larger) if self.estimate(&larger).total() < self.estimate(&best).total() => {
                    best = larger
                }
                _ => return best,
            }
        }
    }

    /// One variable's size times a factor: the one with the least traffic after it.
    pub(crate) fn scaled(
        &self,
        tiles: &Tiles,
        (vars, factor): (&[Var], f64),
        is_wanted: &dyn Fn(&Tiles) -> bool,
    ) -> Option<Tiles> {
        let along = |&Var(place): &Var| {
            let mut other = tiles.clone();
            let extent = self.statement.variables[place].extent;
            other.0[place] = ((tiles.0[place] as f64 * factor) as u64).clamp(1, extent);
            self.rounded(&other)
        };
        let all = vars.iter().map(along).filter(|other| other != tiles && is_wanted(other));
        let predicted = all.map(|other| self.with_total(other));
        predicted.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(best, _)| best)
    }
}
