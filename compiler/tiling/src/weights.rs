//! How many products slices of a statement have, about: what samples are drawn in proportion to, so that
//! slices with most of the work are looked at most.

use crate::points::Points;
use crate::random::{Random, mixed};
use crate::statement::{Access, Nest, Statement, Term, Var, position};
use itertools::Itertools as _;
use std::collections::BTreeMap;

/// What slices along a variable are drawn by.
pub(crate) struct Weights {
    /// The coordinates that have numbers; none of a variable that is not much longer than operands have
    /// entries, which all have one.
    coordinates: Option<Vec<u32>>,
    /// About how many products there are, and in all slices.
    products: Vec<f64>,
    all: f64,
    entries: Vec<u32>,
    all_entries: f64,
}

/// The share of draws that go by entries, since the number of products is a guess.
const BY_ENTRIES: f64 = 0.1;

/// Of how many entries products are counted, about.
const MOST_ENTRIES: usize = 500_000;

/// Of variables with so many coordinates, only those have numbers that have entries.
const LONG: u64 = 1 << 22;

impl Weights {
    /// None where some product has no sparse factor with the variable: it has values in all slices.
    pub(crate) fn new(statement: &Statement, nest: &Nest, first: Var) -> Option<Self> {
        let leads: Option<Vec<Lead<'_>>> =
            nest.terms.iter().map(|term| Lead::of(statement, term, first)).collect();
        let leads = leads?;
        let coordinates: Option<Vec<u32>> = (statement.extent(first) > LONG).then(|| {
            let columns = leads.iter().flat_map(|lead| lead.points.column(lead.mode));
            columns.copied().sorted_unstable().dedup().collect()
        });
        let count = coordinates.as_ref().map_or(statement.extent(first) as usize, Vec::len);
        let (products, entries) = (vec![0.0; count], vec![0; count]);
        let mut own = Self { coordinates, products, all: 0.0, entries, all_entries: 0.0 };
        nest.terms.iter().zip(&leads).for_each(|(term, lead)| own.add(statement, nest, term, lead));
        own.all = own.products.iter().sum();
        (own.all > 0.0).then_some(own)
    }

    /// The products of a term: at each entry of its lead, as many as the other factors have entries there.
    fn add(&mut self, statement: &Statement, nest: &Nest, term: &Term, lead: &Lead<'_>) {
        let mut constant = 1.0;
        let mut along: Vec<(usize, Vec<f64>)> = Vec::new();
        for other in term.iter().map(|&access| &statement.accesses[access]) {
            if std::ptr::eq(other, lead.access) {
                continue;
            }
            let (shared, free): (Vec<Var>, Vec<Var>) =
                other.indices.iter().partition(|var| lead.access.indices.contains(var));
            let extents =
                |vars: &[Var]| vars.iter().map(|&var| statement.extent(var) as f64).product::<f64>();
            match (other.points(), &shared[..]) {
                (None, _) => constant *= extents(&free),
                (Some(points), []) => constant *= points.len() as f64,
                // More than one: as if it had as many entries at each coordinate of the others.
                (Some(points), &[var, ref others @ ..]) => {
                    let counts = points.entries_along(position(&other.indices, var)).into_iter();
                    let counts = counts.map(|count| f64::from(count) / extents(others)).collect();
                    along.push((position(&lead.access.indices, var), counts));
                }
            }
        }
        let unbound =
            |var: &&Var| !term.iter().any(|&access| statement.accesses[access].indices.contains(var));
        constant *=
            nest.variables.iter().filter(unbound).map(|&var| statement.extent(var) as f64).product::<f64>();
        self.all_entries += lead.points.len() as f64;
        let column = lead.points.column(lead.mode);
        for &at in column {
            let slot = self.slot(at);
            self.entries[slot] += 1;
        }
        let step = column.len() / MOST_ENTRIES + 1;
        constant *= step as f64;
        let is_counted = |entry: usize| step == 1 || mixed(entry as u64).is_multiple_of(step as u64);
        for (entry, &at) in column.iter().enumerate().filter(|(entry, _)| is_counted(*entry)) {
            let factors =
                along.iter().map(|(mode, counts)| counts[lead.points.column(*mode)[entry] as usize]);
            let slot = self.slot(at);
            self.products[slot] += factors.fold(constant, |product, factor| product * factor);
        }
    }

    fn slot(&self, at: u32) -> usize {
        match &self.coordinates {
            Some(all) => all.binary_search(&at).expect("all coordinates of leads have a number"),
            None => at as usize,
        }
    }

    fn coordinate(&self, slot: usize) -> u32 {
        self.coordinates.as_ref().map_or(slot as u32, |all| all[slot])
    }

    /// Draws so many coordinates: how many each of them stands for.
    pub(crate) fn draw(&self, count: usize, random: &mut Random) -> BTreeMap<u32, f64> {
        let mut sum = 0.0;
        let add = |slot: usize| {
            sum += self.probability(slot);
            sum
        };
        let sums: Vec<f64> = (0..self.products.len()).map(add).collect();
        let mut drawn = BTreeMap::new();
        for _ in 0..count {
            let place = random.share() * sums.last().copied().unwrap_or(0.0);
            let slot = sums.partition_point(|&other| other <= place).min(sums.len() - 1);
            let stands_for = (count as f64 * self.probability(slot)).recip();
            *drawn.entry(self.coordinate(slot)).or_insert(0.0) += stands_for;
        }
        drawn
    }

    /// About how many products there are at some of the coordinates.
    pub(crate) fn products_at<'c>(&self, coordinates: impl Iterator<Item = &'c u32>) -> f64 {
        coordinates.map(|&at| self.products[self.slot(at)]).sum()
    }

    /// How probable it is that a draw has a coordinate.
    fn probability(&self, slot: usize) -> f64 {
        let by_products = (1.0 - BY_ENTRIES) * self.products[slot] / self.all;
        by_products + BY_ENTRIES * f64::from(self.entries[slot]) / self.all_entries
    }
}

/// The factor of a product that has most entries, of those that have a variable.
struct Lead<'a> {
    access: &'a Access,
    /// In which mode it has the variable.
    mode: usize,
    points: &'a Points,
}

impl<'a> Lead<'a> {
    fn of(statement: &'a Statement, term: &Term, first: Var) -> Option<Self> {
        let with = term.iter().filter_map(|&access| {
            let access = &statement.accesses[access];
            let mode = access.indices.iter().position(|&var| var == first)?;
            Some(Self { access, mode, points: access.points()? })
        });
        with.max_by_key(|lead| lead.points.len())
    }
}
