//! Samples: some slices of a result and of operands, from which it is read how many entries come together in
//! tiles of any size. This is what `Corrs` (d2t2.txt equation 11) stands for in the paper, with both factors
//! of a product looked at together.

use crate::computed::combinations;
use crate::distinct::Distinct;
use crate::draw::Draw;
use crate::join::{Cursor, Terms, Visitor};
use crate::nested::Around;
use crate::parts::SampledAccesses;
use crate::random::{Random, mixed};
use crate::statement::{Nest, Statement, Tiles, Var, position};
use std::cell::RefCell;
use std::collections::HashMap;

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
    is_exact: bool,
    /// Nodes that were counted, by level and sizes of tiles.
    known: RefCell<HashMap<(usize, Vec<u64>), f64>>,
}

/// How many products are enough, how many too many, and how many the last slice may have.
const PRODUCTS: usize = 16_000;
const MOST_PRODUCTS: usize = 4 * PRODUCTS;
const LONGEST: usize = 4_000_000;

/// How many products estimates look at, about.
const FEW_PRODUCTS: usize = 2000;

/// Of how many slices they look at one at least: few coordinates of a slice do not show how many of its
/// values are in one tile.
const SLICES: usize = 4;

/// How often it is drawn again where it was not so many.
const ATTEMPTS: usize = 40;

impl Products {
    /// Draws slices in proportion to the products that they have, about, and as large a share of the
    /// last index as has enough products.
    pub(crate) fn draw(statement: &Statement, nest: &Nest, seed: u64) -> Self {
        let first = statement.target.indices.first().or(nest.variables.first()).copied();
        let Some(first) = first else { return Self::none(nest) };
        let mut random = Random::new(seed);
        let mut draw = Draw::new(statement, nest, (first, PRODUCTS), &mut random);
        let mut products = Self::none(nest);
        for _ in 0..ATTEMPTS {
            draw.salt = random.next();
            products = Self::of(statement, nest, &draw);
            if products.len() > MOST_PRODUCTS && draw.can_shrink() {
                draw = draw.smaller();
            } else if products.len() < PRODUCTS / 2 && draw.share < 1.0 {
                let wanted = PRODUCTS as f64 / products.len().max(1) as f64;
                draw.share = (draw.share * wanted.clamp(2.0, 16.0)).min(1.0);
            } else {
                break;
            }
        }
        if let Some(exact) = exact_count(statement, nest) {
            let counted = products.count();
            products.is_exact = true;
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
            is_exact: false,
            known: RefCell::default(),
        }
    }

    fn of(statement: &Statement, nest: &Nest, draw: &Draw) -> Self {
        let order = draw.order(statement, nest);
        let places = nest.variables.iter().map(|&var| position(&order, var)).collect();
        let mut collector = Collector::new(draw, places);
        let parts = SampledAccesses::new(statement, nest, draw, &order);
        parts.walk(statement, nest, &order, &mut collector);
        let Collector { points, slices, .. } = collector;
        Self { points, slices, share: parts.share.max(f64::MIN_POSITIVE), ..Self::none(nest) }
    }

    /// A part of the sample, for estimates: some of the slices, and of the coordinates of the result's last
    /// index, if it has one.
    pub(crate) fn some(&self, statement: &Statement, nest: &Nest) -> Self {
        let place = statement.target.indices.last().map(|&var| position(&nest.variables, var));
        let parts = (self.len() / FEW_PRODUCTS).max(1);
        let of_slices = if place.is_some() { parts.min(SLICES) } else { parts };
        let of_slices = of_slices.clamp(1, self.slices.len().max(1));
        let of_coordinates = (parts / of_slices) as u64;
        let mut some =
            Self { points: Vec::new(), slices: Vec::new(), known: RefCell::default(), ..self.clone() };
        some.share = self.share / of_coordinates as f64;
        let slices = self.slices.iter().zip(self.ends()).skip(of_slices / 2).step_by(of_slices);
        for (&(begin, weight), end) in slices {
            some.slices.push((some.points.len(), weight * of_slices as f64));
            let points = self.points[begin..end].chunks_exact(self.rank);
            let is_kept = |point: &&[u32]| {
                place.is_none_or(|place| mixed(u64::from(point[place])).is_multiple_of(of_coordinates))
            };
            points.filter(is_kept).for_each(|point| some.points.extend(point));
        }
        let (all, counted) = (self.all(), some.count());
        some.correction = if counted > 0.0 { all / counted } else { 1.0 };
        some
    }

    /// The same products inside of tiles, of loops over these variables.
    pub(crate) fn inside(&self, around: &Around, loops: &[Var]) -> Self {
        let mut points = Vec::new();
        if !loops.is_empty() {
            self.points.chunks_exact(self.rank).for_each(|point| around.point(loops, point, &mut points));
        }
        let times = points.len().checked_div(self.points.len()).unwrap_or(1);
        let slices = self.slices.iter().map(|&(begin, weight)| (begin * times, weight)).collect();
        Self { rank: self.rank * times, points, slices, known: RefCell::default(), ..self.clone() }
    }

    fn ends(&self) -> impl Iterator<Item = usize> + '_ {
        self.slices.iter().skip(1).map(|(begin, _)| *begin).chain([self.points.len()])
    }

    /// The slices: how many each one stands for, and its points.
    pub(crate) fn slices(&self) -> impl Iterator<Item = (f64, std::slice::ChunksExact<'_, u32>)> {
        let of = |(&(begin, weight), end): (&(usize, f64), usize)| {
            (weight, self.points[begin..end].chunks_exact(self.rank))
        };
        self.slices.iter().zip(self.ends()).map(of)
    }

    /// Whether all coordinates of the result's last index were looked at.
    pub(crate) fn is_whole(&self) -> bool {
        self.share >= 1.0
    }

    /// The share of the coordinates of the result's last index that were looked at.
    pub(crate) fn share(&self) -> f64 {
        self.share
    }

    /// Whether each slice stands for itself.
    pub(crate) fn has_all_slices(&self) -> bool {
        self.slices.iter().all(|&(_, weight)| weight == 1.0)
    }

    /// Whether it is known how many products there are in all.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_exact
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len() / self.rank
    }

    /// How many products there are in the whole statement, as well as it is known.
    pub(crate) fn all(&self) -> f64 {
        self.count() * self.correction
    }

    /// The same by the sample alone.
    fn count(&self) -> f64 {
        self.weighted(|_| true) / self.share
    }

    fn weighted(&self, mut counts: impl FnMut(&[u32]) -> bool) -> f64 {
        self.slices()
            .map(|(weight, points)| weight * points.filter(|point| counts(point)).count() as f64)
            .sum()
    }

    /// How many nodes of each level the result has in all iterations of the loops over tiles.
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

/// How many products there are, where the factors are sparse and share one variable only.
fn exact_count(statement: &Statement, nest: &Nest) -> Option<f64> {
    let [term] = &nest.terms[..] else { return None };
    let accesses = term.iter().map(|&access| &statement.accesses[access]);
    let factors = accesses.map(|access| Some((&access.indices[..], &**access.points()?)));
    let factors: Vec<_> = factors.collect::<Option<_>>()?;
    let with = |var: &Var| factors.iter().filter(|(vars, _)| vars.contains(var)).count();
    let is_joined_once = nest.variables.iter().filter(|var| with(var) > 1).count() == 1;
    let is_joined_once = is_joined_once && nest.variables.iter().all(|var| with(var) > 0);
    combinations(&factors).filter(|_| is_joined_once).map(|count| count as f64)
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

struct Collector<'a> {
    draw: &'a Draw,
    /// Where the loops have each variable of the nest.
    places: Vec<usize>,
    points: Vec<u32>,
    slices: Vec<(usize, f64)>,
    current: Option<u32>,
    left: usize,
}

impl<'a> Collector<'a> {
    fn new(draw: &'a Draw, places: Vec<usize>) -> Self {
        // The products of one slice that cannot be thinned are taken up to a bound of its own.
        let left = if draw.can_shrink() { MOST_PRODUCTS + 1 } else { LONGEST };
        Self { draw, places, points: Vec::new(), slices: Vec::new(), current: None, left }
    }
}

impl Visitor for Collector<'_> {
    fn is_done(&self) -> bool {
        self.left == 0
    }

    fn leaf(&mut self, terms: Terms, at: &Cursor) -> Terms {
        self.left -= 1;
        let first = at.path[0];
        if self.current != Some(first) {
            self.current = Some(first);
            self.slices.push((self.points.len(), self.draw.slices.get(&first).copied().unwrap_or(0.0)));
        }
        self.points.extend(self.places.iter().map(|&place| at.path[place]));
        terms
    }
}
