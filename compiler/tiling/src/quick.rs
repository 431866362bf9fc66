//! What the search for tiles looks at: less than all entries, so that choosing takes a part of the time that
//! cutting the operands takes.
//!
//! Tiles that are no shorter than a *unit* along all variables are made of some thousand tiles that all
//! operands are cut into. Along a variable with shorter ones, *parts* of the operands are looked at: those
//! between some multiples of its unit. They show how much more is moved, and how much less a tile takes, than
//! with tiles of a unit, of which is known what all operands have.

mod part;

use self::part::UnitPart;
use crate::grid::Summary;
use crate::known::Known;
use crate::machine::Machine;
use crate::model::Prediction;
use crate::observed::Observed;
use crate::sample::Products;
use crate::stack::{Slices, Stack};
use crate::statement::{Access, Statement, Tiles, Var};
use crate::tiled::Tiled;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// What the search looks at.
pub(crate) struct Quick<'a> {
    /// The shortest tiles of which all operands are known.
    pub(crate) unit: Tiles,
    /// Of each access; none is dense.
    stacks: Vec<Option<Stack>>,
    products: Vec<Products>,
    /// What is known along variables.
    parts: RefCell<FxHashMap<Var, Rc<UnitPart<'a>>>>,
    estimates: RefCell<FxHashMap<Tiles, Prediction>>,
    shares: RefCell<FxHashMap<(usize, Vec<u64>), f64>>,
    /// What looks at all entries have said of an access in tiles.
    pub(crate) sure: RefCell<FxHashMap<(usize, Vec<u64>), f64>>,
    /// Of each access, tiles that fit and tiles that do not: those that reach as far along all indices as
    /// some that do not fit do not, either.
    fitting: RefCell<Vec<[Vec<Vec<u64>>; 2]>>,
}

/// Into how many tiles an operand is cut at most: this share of its entries, within bounds.
const TILES: f64 = 1.0 / 64.0;
const FEWEST: f64 = 512.0;
const MOST: f64 = 16384.0;

/// How many units a variable has at least, if it is not shorter: a part is some of them.
const UNITS: u64 = 64;

impl<'a> Quick<'a> {
    pub(crate) fn new(observed: &Observed<'a>) -> Self {
        let statement = observed.statement;
        let unit = unit(observed);
        let stack = |(access, (tiled, slices)): (&Access, (&Option<Tiled>, &Option<Rc<Slices>>))| {
            let (tiled, slices) = (tiled.as_ref()?, slices.as_ref()?);
            let extents = statement.extents(&access.indices);
            let factors = unit.of_all(&access.indices).into_iter().zip(tiled.sizes());
            let factors: Vec<u64> = factors.map(|(unit, size)| unit.div_ceil(*size)).collect();
            Some(Stack::new(tiled, &extents, &factors, Rc::clone(slices)))
        };
        let cut = observed.cut.tiled.iter().zip(&observed.slices);
        Self {
            stacks: statement.accesses.iter().zip(cut).map(stack).collect(),
            products: observed
                .nests()
                .iter()
                .map(|(nest, products)| products.some(statement, nest))
                .collect(),
            unit,
            parts: RefCell::default(),
            estimates: RefCell::default(),
            shares: RefCell::default(),
            sure: RefCell::default(),
            fitting: RefCell::new(vec![<[Vec<Vec<u64>>; 2]>::default(); statement.accesses.len()]),
        }
    }

    fn part(&self, observed: &Observed<'a>, var: Var) -> Rc<UnitPart<'a>> {
        let known = self.parts.borrow().get(&var).cloned();
        known.unwrap_or_else(|| {
            let part = Rc::new(UnitPart::new(observed, var, self.unit.of(var)));
            self.parts.borrow_mut().insert(var, Rc::clone(&part));
            part
        })
    }

    /// Whether tiles are shorter than a unit along a variable.
    fn is_short(&self, observed: &Observed<'a>, tiles: &Tiles, var: Var) -> bool {
        tiles.of(var) < self.unit.of(var).min(observed.statement.extent(var))
    }
}

/// Small tiles, twice as long along the variable that has most of them until no operand has too many.
fn unit(observed: &Observed<'_>) -> Tiles {
    let statement = observed.statement;
    // As long as the tiles that any operand is cut into.
    let mut unit = observed.base().clone();
    for (access, tiled) in statement.accesses.iter().zip(&observed.cut.tiled) {
        for (var, &size) in access.indices.iter().zip(tiled.iter().flat_map(Tiled::sizes)) {
            unit.0[var.0] = unit.of(*var).max(size);
        }
    }
    for (access, tiled) in statement.accesses.iter().zip(&observed.cut.tiled) {
        let Some(tiled) = tiled else { continue };
        let entries = tiled.level(2 * tiled.rank() - 1).coordinates.len() as f64;
        let most = (entries * TILES).clamp(FEWEST, MOST);
        loop {
            let count = |var: &Var| unit.count(statement, *var);
            let cells: f64 = access.indices.iter().map(|var| count(var) as f64).product();
            let factors = access.indices.iter().zip(tiled.sizes());
            let factors: Vec<u32> = factors.map(|(var, size)| unit.of(*var).div_ceil(*size) as u32).collect();
            // Tiles have one coordinate along variables of loops around.
            let outside = observed.memory.around.outside(&access.indices);
            let longest = access.indices[outside..].iter().copied().max_by_key(count);
            match longest
                .filter(|var| cells > most && count(var) > UNITS && tiled.tiles_about(&factors) > most)
            {
                Some(longest) => unit.0[longest.0] *= 2,
                None => break,
            }
        }
    }
    unit
}

/// All operands in tiles of units. Those that are shorter along some variable are taken for dense.
#[derive(Clone, Copy)]
struct InUnits<'v, 'a> {
    quick: &'v Quick<'a>,
    observed: &'v Observed<'a>,
}

impl Known for InUnits<'_, '_> {
    fn statement(&self) -> &Statement {
        self.observed.statement
    }

    fn machine(&self, access: usize) -> &Machine {
        &self.observed.memory.inputs[access]
    }

    fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>> {
        let indices = &self.observed.statement.accesses[access].indices;
        if indices.iter().any(|&var| self.quick.is_short(self.observed, tiles, var)) {
            return None;
        }
        let stack = self.quick.stacks[access].as_ref()?;
        Some(stack.summary(self.machine(access), &tiles.of_all(indices)))
    }
}

/// A part in tiles, and all of the operands that it has no part of.
struct InPart<'v, 'a> {
    part: &'v UnitPart<'a>,
    all: InUnits<'v, 'a>,
}

impl Known for InPart<'_, '_> {
    fn statement(&self) -> &Statement {
        &self.part.statement
    }

    fn machine(&self, access: usize) -> &Machine {
        self.all.machine(access)
    }

    fn is_loop(&self, var: Var, tiles: &Tiles) -> bool {
        self.all.is_loop(var, tiles)
    }

    fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>> {
        let sizes = tiles.of_all(&self.part.statement.accesses[access].indices);
        match &self.part.operands[access] {
            Some(operand) => Some(operand.summary(self.machine(access), &sizes)),
            None => self.all.summary(access, tiles),
        }
    }
}

/// What is known of tiles of units, and how many times more or less it is with tiles that are shorter along
/// one variable after the other.
struct Steps<'v, 'a> {
    all: InUnits<'v, 'a>,
    /// No shorter than units.
    long: Tiles,
    /// Parts, with tiles before they become shorter along the variable of the part, and after.
    steps: Vec<(Rc<UnitPart<'a>>, Tiles, Tiles)>,
}

impl<'v, 'a> Steps<'v, 'a> {
    fn new(observed: &'v Observed<'a>, tiles: &Tiles, vars: impl Iterator<Item = Var>) -> Self {
        let quick = observed.quick();
        let long = observed.at_least(tiles, &quick.unit);
        let mut steps = Vec::new();
        let mut before = long.clone();
        for var in vars.filter(|&var| quick.is_short(observed, tiles, var)) {
            let mut after = before.clone();
            after.0[var.0] = tiles.of(var);
            steps.push((quick.part(observed, var), before, after.clone()));
            before = after;
        }
        Self { all: InUnits { quick, observed }, long, steps }
    }

    fn value(&self, of: impl Fn(&dyn Known, &Tiles) -> f64) -> f64 {
        let times = |(part, before, after): &(Rc<UnitPart<'a>>, Tiles, Tiles)| {
            let known = InPart { part, all: self.all };
            let before = of(&known, before);
            if before > 0.0 { of(&known, after) / before } else { 1.0 }
        };
        of(&self.all, &self.long) * self.steps.iter().map(times).product::<f64>()
    }
}

impl<'a> Observed<'a> {
    /// What is expected of tiles, as well as it must be known to choose some.
    pub(crate) fn estimate(&self, tiles: &Tiles) -> Prediction {
        let quick = self.quick();
        if let Some(known) = quick.estimates.borrow().get(tiles) {
            return known.clone();
        }
        let estimate = match self.between(tiles, &self.quick().unit) {
            Some((smaller, larger, share)) => self.estimate(&smaller).towards(&self.estimate(&larger), share),
            None => self.estimated(tiles, quick.products.iter()),
        };
        quick.estimates.borrow_mut().insert(tiles.clone(), estimate.clone());
        estimate
    }

    /// The same with all of the sample.
    pub(crate) fn estimate_by_all(&self, tiles: &Tiles) -> Prediction {
        let of = |tiles: &Tiles| self.estimated(tiles, self.nests().iter().map(|(_, products)| products));
        match self.between(tiles, &self.quick().unit) {
            Some((smaller, larger, share)) => of(&smaller).towards(&of(&larger), share),
            None => of(tiles),
        }
    }

    /// Of tiles that units make, or that are shorter, with a sample for each nest.
    fn estimated<'s>(&self, tiles: &Tiles, samples: impl Iterator<Item = &'s Products>) -> Prediction {
        let steps = Steps::new(self, tiles, self.by_accesses().into_iter());
        let mut estimate = Prediction::none(self.statement);
        for ((nest, _), products) in self.nests().iter().zip(samples) {
            for (access, input) in estimate.inputs.iter_mut().enumerate().filter(|of| nest.reads(of.0)) {
                *input += steps.value(|known, tiles| known.loads(nest, access, tiles));
            }
            let iterations = steps.value(|known, tiles| known.iterations(nest, tiles));
            estimate.iterations += iterations;
            estimate.output += self.stores(nest, products, iterations, tiles);
        }
        estimate
    }

    /// The variables, those first that most accesses have.
    fn by_accesses(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = (0..self.statement.variables.len()).map(Var).collect();
        let with =
            |var: &Var| self.statement.accesses.iter().filter(|access| access.indices.contains(var)).count();
        vars.sort_by_key(|var| std::cmp::Reverse(with(var)));
        vars
    }

    /// Tiles that are at least so long, or as long as can be.
    fn at_least(&self, tiles: &Tiles, least: &Tiles) -> Tiles {
        let of = |((&size, &least), variable): ((&u64, &u64), &crate::Variable)| {
            size.max(least.min(variable.extent))
        };
        Tiles(tiles.0.iter().zip(&least.0).zip(&self.statement.variables).map(of).collect())
    }

    /// Tiles that are as long along the indices of an access, and as long as can be along others.
    fn only(&self, access: usize, tiles: &Tiles) -> Tiles {
        let indices = &self.statement.accesses[access].indices;
        let along = |(place, variable): (usize, &crate::Variable)| {
            if indices.contains(&Var(place)) { tiles.of(Var(place)) } else { variable.extent }
        };
        Tiles(self.statement.variables.iter().enumerate().map(along).collect())
    }

    /// Whether all tiles of an access fit, about.
    pub(crate) fn fits_about(&self, access: usize, tiles: &Tiles) -> bool {
        let sizes = tiles.of_all(&self.statement.accesses[access].indices);
        let reaches =
            |one: &Vec<u64>, other: &Vec<u64>| one.iter().zip(other).all(|(one, other)| one >= other);
        let known = &self.quick().fitting;
        let is_known =
            |place: usize, shows: &dyn Fn(&Vec<u64>) -> bool| known.borrow()[access][place].iter().any(shows);
        if is_known(0, &|other| reaches(other, &sizes)) {
            return true;
        }
        if is_known(1, &|other| reaches(&sizes, other)) {
            return false;
        }
        let fits = self.fullest_about(access, tiles) <= 1.0;
        known.borrow_mut()[access][usize::from(!fits)].push(sizes);
        fits
    }

    /// How much of the buffer the fullest tile of an access takes, about.
    pub(crate) fn fullest_about(&self, access: usize, tiles: &Tiles) -> f64 {
        if let Some(share) = self.dense_share(access, tiles) {
            return share;
        }
        let quick = self.quick();
        let indices = &self.statement.accesses[access].indices;
        let key = (access, tiles.of_all(indices));
        if let Some(&known) = quick.shares.borrow().get(&key) {
            return known;
        }
        let own = self.only(access, tiles);
        let share = match self.between(&own, &self.quick().unit) {
            Some((smaller, larger, share)) => {
                let [smaller, larger] = [smaller, larger].map(|tiles| self.fullest_about(access, &tiles));
                smaller + share * (larger - smaller)
            }
            None => {
                let steps = Steps::new(self, tiles, indices.iter().copied());
                let fullest = |known: &dyn Known, tiles: &Tiles| {
                    known.summary(access, tiles).map_or(0.0, |summary| summary.fullest)
                };
                steps.value(fullest)
            }
        };
        quick.shares.borrow_mut().insert(key, share);
        share
    }
}
