//! What the search for tiles looks at: less than all entries, so that choosing takes a small part of the time
//! that cutting the operands takes.
//!
//! Tiles that are no shorter than a *unit* along all variables are made of some thousand tiles that all
//! operands are cut into. Along a variable with shorter ones, *parts* of the operands are looked at: those
//! between some multiples of its unit. They tell how much more is moved, and how much less a tile takes, than
//! with tiles of a unit, of which is known what all operands have.

use crate::grid::Summary;
use crate::known::Known;
use crate::machine::Machine;
use crate::model::Prediction;
use crate::observed::Observed;
use crate::points::Points;
use crate::random::Random;
use crate::sample::Products;
use crate::slices::Slices;
use crate::stack::{Operand, Stack};
use crate::statement::{Access, Nest, Pattern, Statement, Tiles, Var, position};
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
    /// Of each nest, a part of its sample.
    products: Vec<Products>,
    /// What is known along variables.
    parts: RefCell<FxHashMap<Var, Rc<Part<'a>>>>,
    estimates: RefCell<FxHashMap<Tiles, Prediction>>,
    shares: RefCell<FxHashMap<(usize, Vec<u64>), f64>>,
}

/// Some of the operands: what lies between multiples of a unit along a variable, moved together.
struct Part<'a> {
    /// The variable has as many coordinates as are looked at.
    statement: Statement,
    /// Operands with the variable; none are others.
    operands: Vec<Option<Operand<'a>>>,
}

/// Into how many tiles an operand is cut at most: this share of its entries, within bounds.
const TILES: f64 = 1.0 / 32.0;
const FEWEST: f64 = 1024.0;
const MOST: f64 = 16384.0;

/// How many units a variable has at least, if it is not shorter: a part is some of them.
const UNITS: u64 = 32;

/// How many entries of the operands along a variable are looked at: this share of them, within bounds.
const ENTRIES: f64 = 1.0 / 32.0;
const FEWEST_ENTRIES: f64 = 2000.0;
const MOST_ENTRIES: f64 = 32000.0;

/// What the parts are drawn by.
const SEED: u64 = 7;

impl<'a> Quick<'a> {
    pub(crate) fn new(observed: &Observed<'a>) -> Self {
        let statement = observed.statement;
        let unit = unit(observed);
        let stack = |(access, (tiled, slices)): (&Access, (&Option<Tiled>, &Option<Rc<Slices>>))| {
            let (tiled, slices) = (tiled.as_ref()?, slices.as_ref()?);
            let extents: Vec<u64> = access.indices.iter().map(|&var| statement.extent(var)).collect();
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
                .map(|(nest, products)| products.thinned(statement, nest))
                .collect(),
            unit,
            parts: RefCell::default(),
            estimates: RefCell::default(),
            shares: RefCell::default(),
        }
    }

    fn part(&self, observed: &Observed<'a>, var: Var) -> Rc<Part<'a>> {
        let known = self.parts.borrow().get(&var).cloned();
        known.unwrap_or_else(|| {
            let part = Rc::new(Part::new(observed, var, self.unit.of(var)));
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
    let mut unit = observed.base().clone();
    for (access, tiled) in statement.accesses.iter().zip(&observed.cut.tiled) {
        let Some(tiled) = tiled else { continue };
        let entries = tiled.level(2 * tiled.rank() - 1).coordinates.len() as f64;
        let most = (entries * TILES).clamp(FEWEST, MOST);
        while tiled.tiles() as f64 > most {
            let count = |var: &Var| unit.count(statement, *var);
            let cells: f64 = access.indices.iter().map(|var| count(var) as f64).product();
            let longest = access.indices.iter().copied().max_by_key(count);
            match longest.filter(|var| cells > most && count(var) > UNITS) {
                Some(longest) => unit.0[longest.0] *= 2,
                None => break,
            }
        }
    }
    unit
}

impl<'a> Part<'a> {
    fn new(observed: &Observed<'a>, var: Var, unit: u64) -> Self {
        let whole = observed.statement;
        let windows = windows(observed, var, unit);
        let mut statement = whole.clone();
        statement.variables[var.0].extent = windows.len() as u64 * unit;
        let operands = whole.accesses.iter().zip(&observed.cut.tiled).zip(&observed.slices);
        let operands = operands.map(|((access, tiled), slices)| {
            let mode = access.indices.iter().position(|&own| own == var)?;
            let points = between(tiled.as_ref()?, &extents(&statement, access), (mode, unit), &windows);
            Some(Operand::of_points(points, tiled.as_ref()?.sizes().to_vec(), Rc::clone(slices.as_ref()?)))
        });
        let operands = operands.collect();
        Self { statement, operands }
    }
}

fn extents(statement: &Statement, access: &Access) -> Vec<u64> {
    access.indices.iter().map(|&var| statement.extent(var)).collect()
}

/// Some multiples of a unit along a variable, ascending: those of entries that are drawn from the operand that
/// has most.
fn windows(observed: &Observed<'_>, var: Var, unit: u64) -> Vec<u32> {
    let columns = observed.statement.accesses.iter().filter_map(|access| match &access.pattern {
        Pattern::Points(points) if access.indices.contains(&var) => {
            Some(points.column(position(&access.indices, var)))
        }
        _ => None,
    });
    let Some(column) = columns.max_by_key(|column| column.len()).filter(|column| !column.is_empty()) else {
        return vec![0];
    };
    let all = observed.statement.extent(var).div_ceil(unit) as f64;
    let wanted = (column.len() as f64 * ENTRIES).clamp(FEWEST_ENTRIES, MOST_ENTRIES);
    let count = (wanted * all / column.len() as f64).ceil().clamp(1.0, all) as usize;
    let mut random = Random::new(SEED);
    let mut windows: Vec<u32> = Vec::new();
    // Where most entries lie in few windows, the same ones are drawn again and again.
    for _ in 0..8 * count {
        let window = column[random.below(column.len())] / unit as u32;
        if !windows.contains(&window) {
            windows.push(window);
        }
        if windows.len() == count {
            break;
        }
    }
    windows.sort_unstable();
    windows
}

/// The entries of an operand between multiples of a unit along a mode, which are moved together.
fn between(tiled: &Tiled, extents: &[u64], (mode, unit): (usize, u64), windows: &[u32]) -> Points {
    let tiles = (unit / tiled.sizes()[mode]).max(1) as u32;
    let window = |at: u32| windows.binary_search(&(at / tiles)).ok();
    let mut columns = tiled.entries(mode, |at| window(at).is_some());
    for at in &mut columns[mode] {
        let own = windows.binary_search(&(*at / unit as u32)).expect("tiles of the windows have the entries");
        *at = *at % unit as u32 + own as u32 * unit as u32;
    }
    Points::sorted(extents.to_vec(), columns)
}

/// A part in tiles, and all of the operands that it has no part of.
struct InPart<'v, 'a> {
    part: &'v Part<'a>,
    all: InUnits<'v, 'a>,
}

impl Known for InPart<'_, '_> {
    fn statement(&self) -> &Statement {
        &self.part.statement
    }

    fn machine(&self) -> &Machine {
        self.all.machine()
    }

    fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>> {
        let sizes = tiles.of_all(&self.part.statement.accesses[access].indices);
        match &self.part.operands[access] {
            Some(operand) => Some(operand.summary(self.machine(), &sizes)),
            None => self.all.summary(access, tiles),
        }
    }
}

/// All operands in tiles of units, and in shorter ones where it must be.
#[derive(Clone, Copy)]
struct InUnits<'v, 'a> {
    quick: &'v Quick<'a>,
    observed: &'v Observed<'a>,
}

impl Known for InUnits<'_, '_> {
    fn statement(&self) -> &Statement {
        self.observed.statement
    }

    fn machine(&self) -> &Machine {
        &self.observed.machine
    }

    fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>> {
        let indices = &self.observed.statement.accesses[access].indices;
        match indices.iter().any(|&var| self.quick.is_short(self.observed, tiles, var)) {
            true => self.observed.summary(access, tiles),
            false => {
                let stack = self.quick.stacks[access].as_ref()?;
                Some(stack.summary(&self.observed.machine, &tiles.of_all(indices)))
            }
        }
    }
}

impl<'a> Observed<'a> {
    /// What is expected of tiles, as well as it must be known to choose some.
    pub(crate) fn estimate(&self, tiles: &Tiles) -> Prediction {
        let quick = self.quick();
        if let Some(known) = quick.estimates.borrow().get(tiles) {
            return known.clone();
        }
        let estimate = self.inputs_estimated(quick, tiles);
        quick.estimates.borrow_mut().insert(tiles.clone(), estimate.clone());
        estimate
    }

    fn inputs_estimated(&self, quick: &Quick<'a>, tiles: &Tiles) -> Prediction {
        let long = self.at_least(tiles, &quick.unit);
        let all = InUnits { quick, observed: self };
        let in_units: &dyn Known = &all;
        let short = self.short(tiles);
        let part = short.map(|var| quick.part(self, var));
        let in_part = part.as_deref().map(|part| InPart { part, all });
        // How many times more there is in a part with shorter tiles.
        let times = |of: &dyn Fn(&dyn Known, &Tiles) -> f64| match &in_part {
            None => 1.0,
            Some(known) => {
                let (short, long) = (of(known, tiles), of(known, &long));
                if long > 0.0 { short / long } else { 1.0 }
            }
        };
        let mut estimate =
            Prediction { inputs: vec![0.0; self.statement.accesses.len()], ..Prediction::default() };
        for ((nest, _), products) in self.nests().iter().zip(&quick.products) {
            for (access, input) in estimate.inputs.iter_mut().enumerate().filter(|of| nest.reads(of.0)) {
                let of = |known: &dyn Known, tiles: &Tiles| known.loads(nest, access, tiles);
                *input += of(in_units, &long) * times(&of);
            }
            let of = |known: &dyn Known, tiles: &Tiles| known.rounds(nest, tiles);
            let rounds = of(in_units, &long) * times(&of);
            estimate.iterations += rounds;
            estimate.output += self.stores(nest, products, rounds, tiles);
        }
        estimate
    }

    /// Tiles that are at least so long, or as long as can be.
    fn at_least(&self, tiles: &Tiles, least: &Tiles) -> Tiles {
        let of = |((&size, &least), variable): ((&u64, &u64), &crate::Variable)| {
            size.max(least.min(variable.extent))
        };
        Tiles(tiles.0.iter().zip(&least.0).zip(&self.statement.variables).map(of).collect())
    }

    /// Of the variables along which tiles are shorter than a unit, the one that most accesses have.
    fn short(&self, tiles: &Tiles) -> Option<Var> {
        let short = (0..tiles.0.len()).map(Var).filter(|&var| self.quick().is_short(self, tiles, var));
        let with =
            |var: &Var| self.statement.accesses.iter().filter(|access| access.indices.contains(var)).count();
        short.max_by_key(|var| (with(var), std::cmp::Reverse(*var)))
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
        let long = self.at_least(tiles, &quick.unit);
        let all = InUnits { quick, observed: self };
        let of = |known: &dyn Known, tiles: &Tiles| {
            known.summary(access, tiles).map_or(0.0, |summary| summary.fullest)
        };
        let mut share = of(&all, &long);
        if let Some(&var) = indices.iter().find(|&&var| quick.is_short(self, tiles, var)) {
            let part = quick.part(self, var);
            let known = InPart { part: &part, all };
            let whole = of(&known, &long);
            share *= if whole > 0.0 { of(&known, tiles) / whole } else { 1.0 };
        }
        quick.shares.borrow_mut().insert(key, share);
        share
    }
}

impl Products {
    /// A part of the sample, for estimates.
    fn thinned(&self, statement: &Statement, nest: &Nest) -> Self {
        let last = statement.target.indices.last().map(|&var| position(&nest.variables, var));
        self.some(last)
    }
}
