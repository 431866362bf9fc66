//! Tiles of an operand, and larger ones put together from them.

use crate::distinct::Distinct;
use crate::grid::{Grid, Summary};
use crate::machine::Machine;
use crate::nested::Around;
use crate::points::Points;
use crate::random::Random;
use crate::statement::Var;
use crate::tiled::Tiled;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Tiles of one size, and those that are made of them.
pub(crate) struct Stack {
    sizes: Vec<u64>,
    /// Tiles whose nodes were counted: these, or the ones that they were put together from.
    counted: Vec<u64>,
    extents: Vec<u64>,
    slices: Rc<Slices>,
    /// Tiles put together, by how many along each mode.
    grids: RefCell<HashMap<Vec<u64>, Rc<Grid>>>,
    summaries: RefCell<HashMap<Vec<u64>, Rc<Summary>>>,
}

impl Stack {
    /// Of an operand with these extents in tiles, so many of which are put together along each mode.
    pub(crate) fn new(tiled: &Tiled, extents: &[u64], factors: &[u64], slices: Rc<Slices>) -> Self {
        let sizes = tiled.sizes().iter().zip(factors).map(|(size, factor)| size * factor).collect();
        let counted = tiled.sizes().to_vec();
        Self::of_grid(Grid::new(tiled, extents, factors), (sizes, counted), extents, slices)
    }

    /// Of tiles of a size, whose nodes were counted with tiles of another.
    fn of_grid(
        grid: Grid,
        (sizes, counted): (Vec<u64>, Vec<u64>),
        extents: &[u64],
        slices: Rc<Slices>,
    ) -> Self {
        let grids = HashMap::from([(vec![1; sizes.len()], Rc::new(grid))]);
        Self {
            sizes,
            counted,
            extents: extents.to_vec(),
            slices,
            grids: RefCell::new(grids),
            summaries: RefCell::default(),
        }
    }

    /// What is known of tiles of a size that these make; others are taken for the next larger one.
    pub(crate) fn summary(&self, machine: &Machine, sizes: &[u64]) -> Rc<Summary> {
        if let Some(known) = self.summaries.borrow().get(sizes) {
            return Rc::clone(known);
        }
        // One tile of everything is made of any number that is large enough: of powers of two, which others
        // are made of as well.
        let factor = |(mode, own): (usize, &u64)| {
            let factor = sizes[mode].div_ceil(*own);
            if sizes[mode] >= self.extents[mode] { factor.next_power_of_two() } else { factor }
        };
        let factors: Vec<u64> = self.sizes.iter().enumerate().map(factor).collect();
        let summary = self.grid(&factors).summary(machine, self.slices.shares(&self.counted, sizes));
        let summary = Rc::new(summary);
        self.summaries.borrow_mut().insert(sizes.to_vec(), Rc::clone(&summary));
        summary
    }

    /// Tiles put together: from those that are known and make them, of which there are fewest.
    fn grid(&self, factors: &[u64]) -> Rc<Grid> {
        let makes = |other: &&Vec<u64>| factors.iter().zip(*other).all(|(all, own)| all.is_multiple_of(*own));
        let grids = self.grids.borrow();
        let from = grids.keys().filter(makes).min_by_key(|other| grids[*other].len());
        let from = from.expect("single tiles make all").clone();
        let grid = Rc::clone(&grids[&from]);
        drop(grids);
        if from == factors {
            return grid;
        }
        let steps: Vec<u64> = factors.iter().zip(&from).map(|(all, own)| all / own).collect();
        let grid = Rc::new(grid.coarsened(&steps));
        self.grids.borrow_mut().insert(factors.to_vec(), Rc::clone(&grid));
        grid
    }
}

/// An operand that is not dense, in tiles of any size.
pub(crate) struct StackedOperand<'a> {
    points: Arc<Points>,
    /// The size that it has been cut into, or will be, along each mode.
    base: Vec<u64>,
    /// In tiles of that size, if it has been.
    tiled: Option<&'a Tiled>,
    slices: Rc<Slices>,
    /// In tiles of that size along some modes, and of shorter ones along others.
    stacks: RefCell<HashMap<Vec<u64>, Rc<Stack>>>,
}

impl<'a> StackedOperand<'a> {
    /// What has been cut.
    pub(crate) fn of_tiled(points: &Arc<Points>, tiled: &'a Tiled, slices: Rc<Slices>) -> Self {
        let (points, base) = (Arc::clone(points), tiled.sizes().to_vec());
        Self { points, base, tiled: Some(tiled), slices, stacks: RefCell::default() }
    }

    /// What will be cut into tiles of a size.
    pub(crate) fn of_points(points: Points, base: Vec<u64>, slices: Rc<Slices>) -> Self {
        Self { points: Arc::new(points), base, tiled: None, slices, stacks: RefCell::default() }
    }

    pub(crate) fn summary(&self, machine: &Machine, sizes: &[u64]) -> Rc<Summary> {
        let extents = self.points.extents();
        // Sizes of other operands need not be multiples of this one's; all are of powers of two.
        let from = |mode: usize| match sizes[mode] {
            size if size >= extents[mode] => self.base[mode],
            size if size < self.base[mode] => size,
            size => self.base[mode].min(1 << size.trailing_zeros()),
        };
        self.stack((0..sizes.len()).map(from).collect()).summary(machine, sizes)
    }

    /// In tiles of a size, for those that these make.
    fn stack(&self, from: Vec<u64>) -> Rc<Stack> {
        if let Some(known) = self.stacks.borrow().get(&from) {
            return Rc::clone(known);
        }
        let (extents, slices) = (self.points.extents(), Rc::clone(&self.slices));
        let stack = Rc::new(match self.tiled.filter(|tiled| tiled.sizes() == from) {
            Some(tiled) => Stack::new(tiled, extents, &vec![1; from.len()], slices),
            None => {
                let grid = Grid::of_points(&self.points, &from);
                Stack::of_grid(grid, (from.clone(), from.clone()), extents, slices)
            }
        });
        self.stacks.borrow_mut().insert(from, Rc::clone(&stack));
        stack
    }
}

pub(crate) struct Slices {
    rank: usize,
    /// The coordinates of the entries, one behind the other.
    points: Vec<u32>,
    /// Where each slice begins, and of how many entries each of its own stands for one.
    slices: Vec<(usize, f64)>,
    /// Nodes that were counted, by level and sizes of tiles.
    known: RefCell<HashMap<(usize, Vec<u64>), f64>>,
}

/// How many slices are drawn, and of how many entries.
const SLICES: usize = 64;
const ENTRIES: usize = 4096;

impl Slices {
    pub(crate) fn draw(points: &Points, seed: u64) -> Self {
        let rank = points.rank();
        let mut drawn = Self { rank, points: Vec::new(), slices: Vec::new(), known: RefCell::default() };
        if points.is_empty() || rank < 2 {
            return drawn;
        }
        let mut random = Random::new(seed);
        let column = points.column(0);
        while drawn.slices.len() < SLICES && drawn.points.len() < ENTRIES * rank {
            let at = column[random.below(column.len())];
            let begin = column.partition_point(|&other| other < at);
            let count = column[begin..].partition_point(|&other| other == at);
            drawn.slices.push((drawn.points.len(), 1.0 / count as f64));
            for place in begin..begin + count {
                drawn.points.extend((0..rank).map(|mode| points.column(mode)[place]));
            }
        }
        drawn
    }

    /// The same slices inside of tiles, of an operand with these indices.
    pub(crate) fn inside(&self, around: &Around, indices: &[Var]) -> Self {
        let mut points = Vec::new();
        let of_point = self.points.chunks_exact(self.rank.max(1));
        of_point.for_each(|point| around.point(indices, point, &mut points));
        let times = points.len().checked_div(self.points.len()).unwrap_or(1);
        let slices = self.slices.iter().map(|&(begin, weight)| (begin * times, weight)).collect();
        Self { rank: self.rank * times, points, slices, known: RefCell::default() }
    }

    /// What is left of the nodes of each level when tiles of one size are put together to tiles of another.
    pub(crate) fn shares(&self, from: &[u64], to: &[u64]) -> Vec<f64> {
        let rank = from.len();
        let share = |level: usize| {
            if level + 1 == rank || from[level + 1..] == to[level + 1..] || self.points.is_empty() {
                return 1.0;
            }
            self.nodes(level, to) / self.nodes(level, from)
        };
        (0..rank).map(share).collect()
    }

    fn nodes(&self, level: usize, sizes: &[u64]) -> f64 {
        let key = (level, sizes[level + 1..].to_vec());
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let size = |(mode, &size): (usize, &u64)| {
            if mode <= level { 1 } else { size.clamp(1, u64::from(u32::MAX)) as u32 }
        };
        let sizes: Vec<u32> = sizes.iter().enumerate().map(size).collect();
        let ends = self.slices.iter().skip(1).map(|(begin, _)| *begin).chain([self.points.len()]);
        let mut seen = Distinct::new(self.points.len() / self.rank);
        let mut count = 0.0;
        for (number, (&(begin, weight), end)) in self.slices.iter().zip(ends).enumerate() {
            // A slice that was drawn twice is counted twice.
            let is_new =
                |point: &&[u32]| seen.insert(number as u64, point.iter().copied().zip(sizes.iter().copied()));
            count += weight * self.points[begin..end].chunks_exact(self.rank).filter(is_new).count() as f64;
        }
        self.known.borrow_mut().insert(key, count);
        count
    }
}
