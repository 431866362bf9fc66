//! What is known of a statement's operands before tiles are chosen: their tiles of one small size, and
//! samples.

use crate::grid::{Grid, Summary};
use crate::machine::{Footprint, Machine};
use crate::operands::TiledOperands;
use crate::points::Points;
use crate::sample::Products;
use crate::slices::Slices;
use crate::statement::{Nest, Pattern, Statement, Tiles};
use crate::tiled::Tiled;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Statistics of a statement.
pub struct Observed<'a> {
    pub(crate) statement: &'a Statement,
    pub(crate) machine: Machine,
    /// The tiles that operands were cut into.
    pub(crate) small: Tiles,
    /// Tiles that others are put together from: as long as small ones, or a few times as long.
    pub(crate) base: Tiles,
    operands: Vec<Option<Rc<Operand>>>,
    nests: Vec<(Nest, Products)>,
}

/// An operand that is not dense.
struct Operand {
    points: Arc<Points>,
    /// Its tiles of the size that was looked at.
    fine: Rc<Grid>,
    fine_base: Vec<u64>,
    /// Tiles of `base`, put together by these factors along each mode.
    grids: RefCell<HashMap<Vec<u64>, Rc<Grid>>>,
    /// Tiles that are shorter than those of `base` along some modes, and as long along the others.
    short: RefCell<HashMap<Vec<u64>, Rc<Grid>>>,
    summaries: RefCell<HashMap<Vec<u64>, Rc<Summary>>>,
    /// Sizes of tiles that do not fit.
    unfit: RefCell<Vec<Vec<u64>>>,
    sample: Slices,
    extents: Vec<u64>,
    /// The tiles that larger ones are made of.
    base: Vec<u64>,
}

impl<'a> Observed<'a> {
    /// Looks at operands in small tiles.
    pub fn new(statement: &'a Statement, machine: Machine, cut: &TiledOperands, seed: u64) -> Self {
        let operands =
            statement.accesses.iter().zip(&cut.tiled).map(|(access, tiled)| match (&access.pattern, tiled) {
                (Pattern::Points(points), Some(tiled)) => Some(Rc::new(Operand::new(points, tiled, seed))),
                _ => None,
            });
        let operands: Vec<Option<Rc<Operand>>> = operands.collect();
        let base = common(statement, cut.tiles.clone(), &operands);
        let nests = statement.nests().into_iter().map(|nest| {
            let products = Products::draw(statement, &nest, seed);
            (nest, products)
        });
        Self { statement, machine, operands, nests: nests.collect(), small: cut.tiles.clone(), base }
    }

    /// What is observed.
    pub fn statement(&self) -> &'a Statement {
        self.statement
    }

    /// What tiles are for.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The loops, and samples of what they compute.
    pub(crate) fn nests(&self) -> &[(Nest, Products)] {
        &self.nests
    }

    /// Whether all tiles of an access fit, as far as is known.
    pub(crate) fn access_fits(&self, access: usize, tiles: &Tiles) -> bool {
        let sizes = tiles.of_all(&self.statement.accesses[access].indices);
        match &self.operands[access] {
            Some(operand) => operand.fits(&self.machine, &sizes),
            None => self.machine.fits(Footprint::full(&sizes)),
        }
    }

    /// An access in tiles; none is dense.
    pub(crate) fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>> {
        let sizes = tiles.of_all(&self.statement.accesses[access].indices);
        self.operands[access].as_ref().map(|operand| operand.summary(&self.machine, &sizes))
    }
}

/// Sizes that all operands have tiles of.
fn common(statement: &Statement, mut base: Tiles, operands: &[Option<Rc<Operand>>]) -> Tiles {
    for (access, operand) in statement.accesses.iter().zip(operands) {
        for (var, &size) in access.indices.iter().zip(operand.iter().flat_map(|operand| &operand.base)) {
            let own = &mut base.0[var.0];
            *own = size.min(statement.extent(*var)).max(*own);
        }
    }
    base
}

impl Operand {
    fn new(points: &Arc<Points>, tiled: &Tiled, seed: u64) -> Self {
        let fine = Rc::new(Grid::new(tiled, points.extents()));
        let fine_base = tiled.sizes().to_vec();
        let (mut whole, mut base) = (Rc::clone(&fine), fine_base.clone());
        let twos = vec![2; points.rank()];
        // Tiles of hardly more than an entry say no more than larger ones, and take longer.
        for _ in 0..2 {
            if whole.len() < FEW_TILES || whole.len() * 4 < points.len() {
                break;
            }
            whole = Rc::new(whole.coarsened(&twos));
            base.iter_mut().for_each(|size| *size *= 2);
        }
        let ones = vec![1; points.rank()];
        Self {
            points: Arc::clone(points),
            fine,
            fine_base,
            short: RefCell::default(),
            grids: RefCell::new(HashMap::from([(ones, whole)])),
            summaries: RefCell::default(),
            unfit: RefCell::default(),
            sample: Slices::draw(points, seed),
            extents: points.extents().to_vec(),
            base,
        }
    }

    /// Tiles that reach at least as far as others that do not fit are not looked at.
    fn fits(&self, machine: &Machine, sizes: &[u64]) -> bool {
        let reaches = |other: &Vec<u64>| other.iter().zip(sizes).all(|(other, own)| own >= other);
        if self.unfit.borrow().iter().any(reaches) {
            return false;
        }
        let fits = self.summary(machine, sizes).fullest <= 1.0;
        if !fits {
            self.unfit.borrow_mut().push(sizes.to_vec());
        }
        fits
    }

    fn summary(&self, machine: &Machine, sizes: &[u64]) -> Rc<Summary> {
        if let Some(known) = self.summaries.borrow().get(sizes) {
            return Rc::clone(known);
        }
        let (grid, from) = self.made_of(sizes);
        let summary = Rc::new(grid.summary(machine, self.sample.shares(&from, sizes)));
        self.summaries.borrow_mut().insert(sizes.to_vec(), Rc::clone(&summary));
        summary
    }

    /// Tiles of some sizes, and the sizes of those that they are made of.
    fn made_of(&self, sizes: &[u64]) -> (Rc<Grid>, Vec<u64>) {
        let makes = |base: &[u64]| {
            let makes = |(mode, &base): (usize, &u64)| {
                sizes[mode].is_multiple_of(base) || sizes[mode] >= self.extents[mode]
            };
            base.iter().enumerate().all(makes)
        };
        // One tile of everything is made of any number that is large enough: of powers of two, which others
        // are made of as well.
        let factors = |bases: &[u64]| -> Vec<u64> {
            let factor = |(mode, base): (usize, &u64)| {
                let own = sizes[mode].div_ceil(*base);
                if sizes[mode] >= self.extents[mode] { own.next_power_of_two() } else { own }
            };
            bases.iter().enumerate().map(factor).collect()
        };
        if makes(&self.base) {
            return (self.grid(&factors(&self.base)), self.fine_base.clone());
        }
        let is_short = |mode: usize| {
            sizes[mode] < self.base[mode].min(self.extents[mode])
                && !sizes[mode].is_multiple_of(self.fine_base[mode])
        };
        if !(0..sizes.len()).any(is_short) {
            return (Rc::new(self.fine.coarsened(&factors(&self.fine_base))), self.fine_base.clone());
        }
        let short = |mode: usize| if is_short(mode) { sizes[mode] } else { self.fine_base[mode] };
        let from: Vec<u64> = (0..sizes.len()).map(short).collect();
        let known = self.short.borrow().get(&from).cloned();
        let short = known.unwrap_or_else(|| {
            let short = Rc::new(Grid::new(&Tiled::new(&self.points, &from), self.points.extents()));
            self.short.borrow_mut().insert(from.clone(), Rc::clone(&short));
            short
        });
        (Rc::new(short.coarsened(&factors(&from))), from)
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

/// So many tiles are gone through in some milliseconds.
const FEW_TILES: usize = 400_000;
