//! Samples: some slices of a result and of operands, from which it is read how many entries come together in
//! tiles of any size. This is what `Corrs` (d2t2.txt equation 11) stands for in the paper, with both factors of a
//! product looked at together.

use crate::join::{Cursor, Join, Operand, Terms, Visitor};
use crate::points::Points;
use crate::statement::{Nest, Pattern, Statement, Tiles, Var};
use crate::tiled::Tiled;
use std::collections::{HashMap, HashSet};

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
        (u128::from(self.next()) * end as u128 >> 64) as usize
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
    /// The coordinates of each, in the order of the nest's variables.
    points: Vec<Vec<u32>>,
    /// How many points of the whole each slice's stand for, and where the slice begins; a slice has one coordinate
    /// of the result's first index.
    slices: Vec<(usize, f64)>,
    /// The share of the coordinates of the result's last index that are looked at.
    share: f64,
}

/// How many slices are drawn, and how many products are enough.
const SLICES: usize = 128;
const PRODUCTS: usize = 24_000;

impl Products {
    /// Draws slices in proportion to the entries that an operand has in them.
    pub(crate) fn draw(statement: &Statement, nest: &Nest, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let first = statement.target.indices.first().or(nest.variables.first()).copied();
        let Some(first) = first else { return Self { points: Vec::new(), slices: Vec::new(), share: 1.0 } };
        let drawn = draw_slices(statement, nest, first, &mut random);
        let last = statement.target.indices.last().copied().filter(|&last| last != first);
        let mut share: f64 = if last.is_some() { 1.0 / 256.0 } else { 1.0 };
        loop {
            let salt = random.next();
            let products = Self::of(statement, nest, (first, &drawn), last.map(|last| (last, share, salt)));
            if products.points.len() >= PRODUCTS / 2 || share >= 1.0 {
                return products;
            }
            let wanted = PRODUCTS as f64 / products.points.len().max(1) as f64;
            share = (share * wanted.clamp(2.0, 16.0)).min(1.0);
        }
    }

    /// The products of drawn slices.
    fn of(
        statement: &Statement,
        nest: &Nest,
        (first, drawn): (Var, &HashMap<u32, f64>),
        last: Option<(Var, f64, u64)>,
    ) -> Self {
        let mut allowed: HashMap<Var, HashSet<u32>> =
            HashMap::from([(first, drawn.keys().copied().collect())]);
        let is_looked_at = |var: Var, coordinate: u32| match last {
            Some((own, share, salt)) if own == var && share < 1.0 => {
                (mixed(u64::from(coordinate) ^ salt) as f64) < share * u64::MAX as f64
            }
            _ => true,
        };
        // Operands with what was drawn come first, so that others are read only where these have something.
        let mut accesses: Vec<usize> = nest.terms.concat();
        accesses.sort_unstable();
        accesses.dedup();
        accesses.sort_by_key(|&access| !statement.accesses[access].indices.contains(&first));
        let order = walking_order(nest, first);
        let is_one_product = nest.terms.len() == 1;
        let mut parts: Vec<Option<Tiled>> = vec![None; statement.accesses.len()];
        for &access in &accesses {
            let Pattern::Points(points) = &statement.accesses[access].pattern else { continue };
            let indices = &statement.accesses[access].indices;
            let part = filtered(points, indices, &allowed, &is_looked_at);
            if is_one_product {
                for (mode, &var) in indices.iter().enumerate() {
                    let own: HashSet<u32> = part.column(mode).iter().copied().collect();
                    match allowed.get_mut(&var) {
                        Some(known) => known.retain(|at| own.contains(at)),
                        None => drop(allowed.insert(var, own)),
                    }
                }
            }
            let mut modes: Vec<usize> = (0..indices.len()).collect();
            modes.sort_by_key(|&mode| order.iter().position(|var| *var == indices[mode]));
            let part = part.permuted(&modes);
            let whole: Vec<u64> = part.extents().to_vec();
            parts[access] = Some(Tiled::new(&part, &whole));
        }
        let operands = parts.iter().enumerate().map(|(access, part)| {
            let terms = nest.terms.iter().enumerate().filter(|(_, term)| term.contains(&access));
            let terms = terms.fold(0, |terms, (place, _)| terms | 1 << place);
            let mut depths: Vec<usize> = statement.accesses[access]
                .indices
                .iter()
                .map(|var| order.iter().position(|other| other == var).unwrap_or(usize::MAX))
                .collect();
            depths.sort_unstable();
            let levels =
                part.as_ref().filter(|part| part.tiles() > 0).map(|part| &part.levels()[part.rank()..]);
            let is_empty = part.as_ref().is_some_and(|part| part.tiles() == 0);
            Operand { levels: levels.filter(|_| terms != 0), depths, terms: if is_empty { 0 } else { terms } }
        });
        let operands: Vec<Operand<'_>> = operands.collect();
        let is_possible = |term: &Vec<usize>| {
            term.iter().all(|&access| parts[access].as_ref().is_none_or(|part| part.tiles() > 0))
        };
        let terms = nest.terms.iter().enumerate().filter(|(_, term)| is_possible(term));
        let terms = terms.fold(0, |terms, (place, _)| terms | 1 << place);
        let counts = order.iter().map(|&var| statement.extent(var).min(u64::from(u32::MAX)) as u32).collect();
        let mut collector = Collector {
            drawn,
            places: nest
                .variables
                .iter()
                .map(|var| order.iter().position(|other| other == var).expect("the same variables"))
                .collect(),
            points: Vec::new(),
            slices: Vec::new(),
            current: None,
            left: 40 * PRODUCTS,
        };
        if terms != 0 {
            Join::new(operands, counts).walk(vec![0; statement.accesses.len()], terms, &mut collector);
        }
        Self {
            points: collector.points,
            slices: collector.slices,
            share: last.map_or(1.0, |(_, share, _)| share),
        }
    }

    /// How many products there are in the whole statement.
    pub(crate) fn count(&self) -> f64 {
        self.weighted(|_| true) / self.share
    }

    fn weighted(&self, mut counts: impl FnMut(&[u32]) -> bool) -> f64 {
        let ends = self.slices.iter().skip(1).map(|(begin, _)| *begin).chain([self.points.len()]);
        let of = |(&(begin, weight), end): (&(usize, f64), usize)| {
            weight * self.points[begin..end].iter().filter(|point| counts(point)).count() as f64
        };
        self.slices.iter().zip(ends).map(of).sum()
    }

    /// How many nodes of each level the result has in all rounds of the loops over tiles.
    pub(crate) fn nodes(&self, statement: &Statement, nest: &Nest, tiles: &Tiles) -> Vec<f64> {
        let rank = statement.target.indices.len();
        let target: Vec<usize> = statement
            .target
            .indices
            .iter()
            .map(|var| nest.variables.iter().position(|other| other == var).expect("loops have all indices"))
            .collect();
        let mut values = 0.0;
        let mut nodes = Vec::with_capacity(rank);
        for level in (1..=rank.max(1)).rev() {
            let mut seen: HashSet<u64, Mixer> = HashSet::with_capacity_and_hasher(self.points.len(), Mixer);
            let count = self.weighted(|point| {
                let key = point.iter().enumerate().fold(0u64, |key, (place, &at)| {
                    let is_kept = target.iter().take(level).any(|&own| own == place);
                    let size = tiles.of(nest.variables[place]).min(u64::from(u32::MAX)) as u32;
                    let at = if is_kept { at } else { at / size };
                    mixed(key ^ u64::from(at).wrapping_add(0x9e37_79b9_7f4a_7c15))
                });
                seen.insert(key)
            });
            if level == rank.max(1) {
                values = count / self.share;
                nodes.push(values);
            } else {
                nodes.push(unseen(count, values, self.share));
            }
        }
        nodes.reverse();
        nodes
    }
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

/// Keys are mixed already.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer;

pub(crate) struct Mixed(u64);

impl std::hash::BuildHasher for Mixer {
    type Hasher = Mixed;

    fn build_hasher(&self) -> Mixed {
        Mixed(0)
    }
}

impl std::hash::Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mixed(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// The first variable, then the others in dataflow order.
fn walking_order(nest: &Nest, first: Var) -> Vec<Var> {
    std::iter::once(first).chain(nest.variables.iter().copied().filter(|&var| var != first)).collect()
}

/// Coordinates of a variable, each with how many coordinates it stands for.
fn draw_slices(statement: &Statement, nest: &Nest, first: Var, random: &mut Random) -> HashMap<u32, f64> {
    let accesses = nest.terms.concat();
    let with = accesses.iter().map(|&access| &statement.accesses[access]);
    let column = with.filter_map(|access| match &access.pattern {
        Pattern::Points(points) => {
            let mode = access.indices.iter().position(|&var| var == first)?;
            Some((points, mode))
        }
        Pattern::Dense => None,
    });
    let extent = statement.extent(first) as usize;
    // Of several products, one that has no entries in a slice says nothing of the others.
    let column = column
        .max_by_key(|(points, mode)| (points.len(), usize::MAX - mode))
        .filter(|_| nest.terms.len() == 1);
    if extent <= SLICES {
        return (0..extent as u32).map(|at| (at, 1.0)).collect();
    }
    let mut drawn: HashMap<u32, f64> = HashMap::new();
    match column {
        Some((points, mode)) if !points.is_empty() => {
            let column = points.column(mode);
            let entries: Vec<u32> = (0..SLICES).map(|_| column[random.below(column.len())]).collect();
            for at in entries {
                let own = if mode == 0 {
                    column.partition_point(|&other| other <= at) - column.partition_point(|&other| other < at)
                } else {
                    column.iter().filter(|&&other| other == at).count()
                };
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

/// The points all of whose coordinates are allowed.
fn filtered(
    points: &Points,
    indices: &[Var],
    allowed: &HashMap<Var, HashSet<u32>>,
    is_looked_at: &impl Fn(Var, u32) -> bool,
) -> Points {
    let sets: Vec<Option<Vec<bool>>> = indices
        .iter()
        .enumerate()
        .map(|(mode, &var)| {
            let extent = points.extents()[mode] as usize;
            let known = allowed.get(&var);
            let is_cut = known.is_some() || (0..extent.min(64)).any(|at| !is_looked_at(var, at as u32));
            is_cut.then(|| {
                let is_kept =
                    |at: u32| known.is_none_or(|known| known.contains(&at)) && is_looked_at(var, at);
                match known {
                    Some(known) => {
                        let mut set = vec![false; extent];
                        known.iter().filter(|&&at| is_kept(at)).for_each(|&at| set[at as usize] = true);
                        set
                    }
                    None => (0..extent as u32).map(is_kept).collect(),
                }
            })
        })
        .collect();
    let mut columns: Vec<Vec<i64>> = vec![Vec::new(); indices.len()];
    let mut look = |place: usize| {
        let is_kept = sets
            .iter()
            .enumerate()
            .all(|(mode, set)| set.as_ref().is_none_or(|set| set[points.column(mode)[place] as usize]));
        if is_kept {
            columns
                .iter_mut()
                .enumerate()
                .for_each(|(mode, column)| column.push(points.column(mode)[place].into()));
        }
    };
    let first = sets.first().and_then(Option::as_ref);
    match first {
        // The points are sorted by the first mode.
        Some(first) if first.iter().filter(|&&kept| kept).count() * 64 < points.len() => {
            let column = points.column(0);
            for at in (0..first.len() as u32).filter(|&at| first[at as usize]) {
                let begin = column.partition_point(|&other| other < at);
                column[begin..]
                    .iter()
                    .take_while(|&&other| other == at)
                    .enumerate()
                    .for_each(|(place, _)| look(begin + place));
            }
        }
        _ => (0..points.len()).for_each(look),
    }
    Points::new(points.extents(), &columns).expect("coordinates of points are inside")
}

/// Keeps products.
struct Collector<'a> {
    drawn: &'a HashMap<u32, f64>,
    places: Vec<usize>,
    points: Vec<Vec<u32>>,
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
        self.points.push(self.places.iter().map(|&place| at.path[place]).collect());
        terms
    }
}
