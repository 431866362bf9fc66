//! Tiles of an operand, and larger ones put together from them.

use crate::grid::{Grid, Summary};
use crate::machine::Machine;
use crate::points::Points;
use crate::slices::Slices;
use crate::tiled::Tiled;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Tiles of one size, and those that are made of them.
pub(crate) struct Stack {
    /// The size along each mode.
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
        let grid = Grid::new(tiled, extents, factors);
        let ones = vec![1; factors.len()];
        Self {
            sizes: tiled.sizes().iter().zip(factors).map(|(size, factor)| size * factor).collect(),
            counted: tiled.sizes().to_vec(),
            extents: extents.to_vec(),
            slices,
            grids: RefCell::new(HashMap::from([(ones, Rc::new(grid))])),
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

    /// Tiles put together: from those of half the size along the mode with the most, as long as sizes can be
    /// halved, so that what is known of one size serves many others.
    fn grid(&self, factors: &[u64]) -> Rc<Grid> {
        if let Some(known) = self.grids.borrow().get(factors) {
            return Rc::clone(known);
        }
        let even = (0..factors.len()).filter(|&mode| factors[mode].is_multiple_of(2));
        let grid = match even.max_by_key(|&mode| factors[mode]) {
            Some(mode) => {
                let mut half = factors.to_vec();
                half[mode] /= 2;
                let mut steps = vec![1; factors.len()];
                steps[mode] = 2;
                self.grid(&half).coarsened(&steps)
            }
            None => self.grid(&vec![1; factors.len()]).coarsened(factors),
        };
        let grid = Rc::new(grid);
        self.grids.borrow_mut().insert(factors.to_vec(), Rc::clone(&grid));
        grid
    }
}

/// An operand that is not dense, in tiles of any size.
pub(crate) struct Operand<'a> {
    points: Arc<Points>,
    /// The size that it has been cut into, or will be, along each mode.
    base: Vec<u64>,
    /// In tiles of that size, if it has been.
    tiled: Option<&'a Tiled>,
    slices: Rc<Slices>,
    /// In tiles of that size along some modes, and of shorter ones along others.
    stacks: RefCell<HashMap<Vec<u64>, Rc<Stack>>>,
}

impl<'a> Operand<'a> {
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
        let is_short = |mode: usize| sizes[mode] < self.base[mode].min(extents[mode]);
        let from = |mode: usize| if is_short(mode) { sizes[mode] } else { self.base[mode] };
        self.stack((0..sizes.len()).map(from).collect()).summary(machine, sizes)
    }

    /// In tiles of a size, for those that these make.
    fn stack(&self, from: Vec<u64>) -> Rc<Stack> {
        if let Some(known) = self.stacks.borrow().get(&from) {
            return Rc::clone(known);
        }
        let (extents, ones, slices) = (self.points.extents(), vec![1; from.len()], Rc::clone(&self.slices));
        let stack = Rc::new(match self.tiled.filter(|tiled| tiled.sizes() == from) {
            Some(tiled) => Stack::new(tiled, extents, &ones, slices),
            None => Stack::new(&Tiled::new(&self.points, &from), extents, &ones, slices),
        });
        self.stacks.borrow_mut().insert(from, Rc::clone(&stack));
        stack
    }
}
