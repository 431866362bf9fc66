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
