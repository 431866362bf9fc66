//! Samples: some slices of a result and of operands, from which it is read how many entries come together in
//! tiles of any size. This is what `Corrs` (d2t2.txt equation 11) stands for in the paper, with both factors
//! of a product looked at together.

use crate::join::{Cursor, Join, Operand, Terms, Visitor};
use crate::points::Points;
use crate::statement::{Nest, Pattern, Statement, Tiles, Var};
use crate::tiled::Tiled;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// Numbers that look random, the same for one seed (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}

fn mixed(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Some points of a nest at which a product has a value.
#[derive(Clone, Debug)]
pub(crate) struct Products {
    /// The coordinates of all points, in the order of the nest's variables.
    points: Vec<u32>,
    rank: usize,
    /// Where the points of each slice begin, and of how many slices it stands for; a slice has one coordinate
    /// of the result's first index.
    slices: Vec<(usize, f64)>,
    /// The share of the coordinates of the result's last index that are looked at.
    share: f64,
    /// What the number of points is to be multiplied by besides, where it is known exactly.
    correction: f64,
    /// Nodes that were counted, by level and sizes of tiles.
    known: RefCell<HashMap<(usize, Vec<u64>), f64>>,
}

/// How many slices are drawn, how many products are enough, and of how many coordinates of the last index.
const SLICES: usize = 96;
const PRODUCTS: usize = 16_000;
const COORDINATES: f64 = 48.0;
const MOST_PRODUCTS: usize = 4 * PRODUCTS;

/// How many elements of a dense operand are looked at, at most.
const MOST_DENSE: usize = 1 << 21;

impl Products {
    /// Draws slices in proportion to the entries that an operand has in them.
    pub(crate) fn draw(statement: &Statement, nest: &Nest, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let first = statement.target.indices.first().or(nest.variables.first()).copied();
        let Some(first) = first else { return Self::none(nest) };
        let mut drawn = draw_slices(statement, nest, first, &mut random);
        let last = statement.target.indices.last().copied().filter(|&last| last != first);
        let least = last.map_or(1.0, |last| COORDINATES / statement.extent(last).max(1) as f64);
        let mut share = least.clamp(1.0 / 256.0, 1.0);
        let mut products = loop {
            let salt = random.next();
            let products = Self::of(statement, nest, (first, &drawn), last.map(|last| (last, share, salt)));
            if products.len() > MOST_PRODUCTS && drawn.len() > 8 {
                drawn = every_second(drawn);
                continue;
            }
            if products.len() >= PRODUCTS / 2 || share >= 1.0 {
                break products;
            }
            let wanted = PRODUCTS as f64 / products.len().max(1) as f64;
            share = (share * wanted.clamp(2.0, 16.0)).min(1.0);
        };
        if let Some(exact) = exact_count(statement, nest) {
            let counted = products.count();
            products.correction = if counted > 0.0 { exact / counted } else { 1.0 };
        }
        products
    }

    fn none(nest: &Nest) -> Self {
        Self {
            points: Vec::new(),
            rank: nest.variables.len().max(1),
            slices: Vec::new(),
            share: 1.0,
            correction: 1.0,
            known: RefCell::default(),
        }
    }

    /// The products of drawn slices.
    fn of(
        statement: &Statement,
        nest: &Nest,
        (first, drawn): (Var, &BTreeMap<u32, f64>),
        last: Option<(Var, f64, u64)>,
    ) -> Self {
        let order = walking_order(nest, first);
        let parts = Parts::new(statement, nest, drawn, &order, last);
        let places = nest.variables.iter().map(|var| position(&order, *var)).collect();
        let mut collector = Collector {
            drawn,
            places,
            points: Vec::new(),
            slices: Vec::new(),
            current: None,
            left: MOST_PRODUCTS + 1,
        };
        parts.walk(statement, nest, &order, &mut collector);
        Self {
            points: collector.points,
            slices: collector.slices,
            share: last.map_or(1.0, |(_, share, _)| share),
            ..Self::none(nest)
        }
    }

    /// How many products were drawn.
    pub(crate) fn len(&self) -> usize {
        self.points.len() / self.rank
    }

    /// How many products there are in the whole statement.
    fn count(&self) -> f64 {
        self.weighted(|_| true) / self.share
    }

    fn weighted(&self, mut counts: impl FnMut(&[u32]) -> bool) -> f64 {
        let ends = self.slices.iter().skip(1).map(|(begin, _)| *begin).chain([self.points.len()]);
        let of = |(&(begin, weight), end): (&(usize, f64), usize)| {
            let points = self.points[begin..end].chunks_exact(self.rank);
            weight * points.filter(|point| counts(point)).count() as f64
        };
        self.slices.iter().zip(ends).map(of).sum()
    }

    /// How many nodes of each level the result has in all rounds of the loops over tiles.
    pub(crate) fn nodes(&self, statement: &Statement, nest: &Nest, tiles: &Tiles) -> Vec<f64> {
        let target: Vec<usize> =
            statement.target.indices.iter().map(|&var| position(&nest.variables, var)).collect();
        let rank = target.len().max(1);
        let values = self.distinct(&target, rank, nest, tiles) / self.share;
        let above = (1..rank).map(|level| {
            let seen = self.distinct(&target, level, nest, tiles);
            unseen(seen, values, self.share)
        });
        above.chain([values]).map(|count| count * self.correction).collect()
    }

    /// How many points differ, if only the first indices of the result count inside of tiles.
    fn distinct(&self, target: &[usize], level: usize, nest: &Nest, tiles: &Tiles) -> f64 {
        let size = |(place, &var): (usize, &Var)| {
            let is_kept = target.iter().take(level).any(|&own| own == place);
            if is_kept { 1 } else { tiles.of(var).clamp(1, u64::from(u32::MAX)) }
        };
        let sizes: Vec<u64> = nest.variables.iter().enumerate().map(size).collect();
        let key = (level, sizes);
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let narrow: Vec<u32> = key.1.iter().map(|&size| size as u32).collect();
        let mut seen = Distinct::new(self.len());
        let count = self.weighted(|point| seen.insert(0, point.iter().copied().zip(narrow.iter().copied())));
        self.known.borrow_mut().insert(key, count);
        count
    }
}

/// Which of many points are new, each coordinate divided by a size. Points are told apart by 63 bits that are
/// made of their coordinates.
pub(crate) struct Distinct {
    slots: Vec<u64>,
    shift: u32,
}

impl Distinct {
    pub(crate) fn new(count: usize) -> Self {
        let slots = (2 * count + 2).next_power_of_two();
        Self { slots: vec![0; slots], shift: 64 - slots.trailing_zeros() }
    }

    /// Whether a point is seen for the first time; `slice` is a coordinate of its own.
    pub(crate) fn insert(&mut self, slice: u64, point: impl Iterator<Item = (u32, u32)>) -> bool {
        let mix = |key: u64, (at, size): (u32, u32)| {
            let at = if size == 1 { at } else { at / size };
            (key ^ u64::from(at)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        };
        let key = point.fold(slice ^ 0x51_7cc1_b727_220a, mix) | 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[place] != 0 {
            if self.slots[place] == key {
                return false;
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
        self.slots[place] = key;
        true
    }
}

/// How many products there are, where the factors share one variable only: each coordinate of it has as many
/// as its entries make pairs.
fn exact_count(statement: &Statement, nest: &Nest) -> Option<f64> {
    let [term] = &nest.terms[..] else { return None };
    let accesses: Vec<_> = term.iter().map(|&access| &statement.accesses[access]).collect();
    let with = |var: Var| accesses.iter().filter(move |access| access.indices.contains(&var)).count();
    let mut shared = nest.variables.iter().filter(|&&var| with(var) > 1);
    let (Some(&shared), None) = (shared.next(), shared.next()) else { return None };
    if nest.variables.iter().any(|&var| with(var) == 0) {
        return None;
    }
    let mut counts = vec![1.0; statement.extent(shared) as usize];
    for access in accesses {
        let Pattern::Points(points) = &access.pattern else { return None };
        match access.indices.iter().position(|&var| var == shared) {
            Some(mode) => {
                let own = points.entries_along(mode);
                counts.iter_mut().zip(own).for_each(|(count, own)| *count *= f64::from(own));
            }
            None => counts.iter_mut().for_each(|count| *count *= points.len() as f64),
        }
    }
    Some(counts.iter().sum())
}

fn position(order: &[Var], var: Var) -> usize {
    order.iter().position(|&other| other == var).expect("the loops have all variables")
}

/// How many nodes there are, if so many were seen when only a share of their values was looked at.
fn unseen(seen: f64, values: f64, share: f64) -> f64 {
    if share >= 1.0 || seen <= 0.0 {
        return seen;
    }
    let would_see = |nodes: f64| nodes * (1.0 - (1.0 - share).powf(values / nodes));
    let (mut low, mut high) = (seen, values.max(seen));
    for _ in 0..40 {
        let middle = low.midpoint(high);
        if would_see(middle) < seen { low = middle } else { high = middle }
    }
    low.midpoint(high)
}

/// The first variable, then the others in dataflow order.
fn walking_order(nest: &Nest, first: Var) -> Vec<Var> {
    std::iter::once(first).chain(nest.variables.iter().copied().filter(|&var| var != first)).collect()
}

/// Coordinates of a variable, each with how many coordinates it stands for.
fn draw_slices(statement: &Statement, nest: &Nest, first: Var, random: &mut Random) -> BTreeMap<u32, f64> {
    let extent = statement.extent(first) as usize;
    if extent <= SLICES {
        return (0..extent as u32).map(|at| (at, 1.0)).collect();
    }
    let mut drawn: BTreeMap<u32, f64> = BTreeMap::new();
    // Of several products, one that has no entries in a slice says nothing of the others.
    let column = match &nest.terms[..] {
        [term] => term
            .iter()
            .filter_map(|&access| column_of(statement, access, first))
            .max_by_key(|(points, _)| points.len()),
        _ => None,
    };
    match column {
        Some((points, mode)) if !points.is_empty() => {
            let column = points.column(mode);
            let entries = points.entries_along(mode);
            for _ in 0..SLICES {
                let at = column[random.below(column.len())];
                let own = entries[at as usize] as usize;
                *drawn.entry(at).or_insert(0.0) += column.len() as f64 / (SLICES * own) as f64;
            }
        }
        _ => {
            for _ in 0..SLICES {
                *drawn.entry(random.below(extent) as u32).or_insert(0.0) += extent as f64 / SLICES as f64;
            }
        }
    }
    drawn
}

/// Half of the slices, each for two.
fn every_second(drawn: BTreeMap<u32, f64>) -> BTreeMap<u32, f64> {
    drawn.into_iter().step_by(2).map(|(at, weight)| (at, 2.0 * weight)).collect()
}

/// The points of an access, and the mode in which it has a variable.
fn column_of(statement: &Statement, access: usize, var: Var) -> Option<(&Points, usize)> {
    let access = &statement.accesses[access];
    let mode = access.indices.iter().position(|&other| other == var)?;
    match &access.pattern {
        Pattern::Points(points) => Some((points, mode)),
        Pattern::Dense => None,
    }
}

/// The parts of the operands that a sample looks at.
struct Parts {
    /// Of each access in the nest that is not dense; as one tile.
    tiled: Vec<Option<Tiled>>,
}

impl Parts {
    fn new(
        statement: &Statement,
        nest: &Nest,
        drawn: &BTreeMap<u32, f64>,
        order: &[Var],
        last: Option<(Var, f64, u64)>,
    ) -> Self {
        let mut kept: Vec<Option<Vec<bool>>> = vec![None; statement.variables.len()];
        let first = order[0];
        let mut of_first = vec![false; statement.extent(first) as usize];
        drawn.keys().for_each(|&at| of_first[at as usize] = true);
        kept[first.0] = Some(of_first);
        if let Some((last, share, salt)) = last.filter(|(_, share, _)| *share < 1.0) {
            let bound = (share * u64::MAX as f64) as u64;
            let is_kept = |at: u64| mixed(at ^ salt) < bound;
            kept[last.0] = Some((0..statement.extent(last)).map(is_kept).collect());
        }
        // Operands with what was drawn come first, so that others are read only where these have something.
        let mut accesses: Vec<usize> = nest.terms.concat();
        accesses.sort_unstable();
        accesses.dedup();
        let is_dense = |access: usize| statement.accesses[access].pattern == Pattern::Dense;
        accesses
            .sort_by_key(|&access| (is_dense(access), !statement.accesses[access].indices.contains(&first)));
        let mut tiled = vec![None; statement.accesses.len()];
        for access in accesses {
            let indices = &statement.accesses[access].indices;
            let sets: Vec<Option<&[bool]>> = indices.iter().map(|var| kept[var.0].as_deref()).collect();
            let part = match &statement.accesses[access].pattern {
                Pattern::Points(points) => points.filtered(&sets),
                Pattern::Dense => {
                    let extents: Vec<u64> = indices.iter().map(|&var| statement.extent(var)).collect();
                    match Points::all(&extents, &sets, MOST_DENSE) {
                        Some(part) => part,
                        None => continue,
                    }
                }
            };
            if nest.terms.len() == 1 {
                for (mode, var) in indices.iter().enumerate() {
                    let mut own = vec![false; statement.extent(*var) as usize];
                    part.column(mode).iter().for_each(|&at| own[at as usize] = true);
                    kept[var.0] = Some(own);
                }
            }
            let mut modes: Vec<usize> = (0..indices.len()).collect();
            modes.sort_by_key(|&mode| position(order, indices[mode]));
            let part = part.permuted(&modes);
            tiled[access] = Some(Tiled::new(&part, part.extents()));
        }
        Self { tiled }
    }

    /// Goes over the products of all parts.
    fn walk(&self, statement: &Statement, nest: &Nest, order: &[Var], visitor: &mut impl Visitor) {
        let has_all = |term: &&Vec<usize>| {
            term.iter().all(|&access| self.tiled[access].as_ref().is_none_or(|part| part.tiles() > 0))
        };
        let possible = |wanted: &dyn Fn(&Vec<usize>) -> bool| {
            let terms = nest.terms.iter().enumerate().filter(|(_, term)| has_all(term) && wanted(term));
            terms.fold(0, |terms, (place, _)| terms | 1 << place)
        };
        let operands = self.tiled.iter().enumerate().map(|(access, part)| {
            let terms = possible(&|term| term.contains(&access));
            let mut depths: Vec<usize> = match terms {
                0 => Vec::new(),
                _ => statement.accesses[access].indices.iter().map(|&var| position(order, var)).collect(),
            };
            depths.sort_unstable();
            let levels = part.as_ref().filter(|_| terms != 0).map(|part| &part.levels()[part.rank()..]);
            Operand { levels, depths, terms }
        });
        let terms = possible(&|_| true);
        let counts = order.iter().map(|&var| statement.extent(var).min(u64::from(u32::MAX)) as u32).collect();
        if terms != 0 {
            Join::new(operands.collect(), counts).walk(vec![0; self.tiled.len()], terms, visitor);
        }
    }
}

/// Keeps products.
struct Collector<'a> {
    drawn: &'a BTreeMap<u32, f64>,
    places: Vec<usize>,
    points: Vec<u32>,
    slices: Vec<(usize, f64)>,
    current: Option<u32>,
    left: usize,
}

impl Visitor for Collector<'_> {
    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        if self.left == 0 {
            return terms;
        }
        self.left -= 1;
        let first = at.path[0];
        if self.current != Some(first) {
            self.current = Some(first);
            self.slices.push((self.points.len(), self.drawn.get(&first).copied().unwrap_or(0.0)));
        }
        self.points.extend(self.places.iter().map(|&place| at.path[place]));
        terms
    }
}
