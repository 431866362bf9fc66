//! Which part of a nest's products a sample looks at: some slices along one variable, and of these a share of
//! the coordinates of the result's last index.

use crate::points::Points;
use crate::random::{Random, mixed};
use crate::statement::{Nest, Pattern, Statement, Term, Var};
use std::collections::BTreeMap;

/// What was drawn.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    /// The variable whose slices were drawn.
    first: Var,
    /// Its coordinates, each with how many it stands for.
    pub(crate) slices: BTreeMap<u32, f64>,
    /// The result's last index, if it is another.
    last: Option<Var>,
    /// The share of its coordinates.
    pub(crate) share: f64,
    /// What these are drawn by.
    pub(crate) salt: u64,
}

/// How many slices are drawn, four times as many where products differ, and of how many coordinates of the
/// last index to begin with.
const SLICES: usize = 96;
const COORDINATES: f64 = 48.0;

/// How many slices are few, and how small a share of the coordinates says little.
const FEW: usize = 8;
const LEAST: f64 = 1e-4;

impl Draw {
    pub(crate) fn new(statement: &Statement, nest: &Nest, first: Var, random: &mut Random) -> Self {
        let last = statement.target.indices.last().copied().filter(|&last| last != first);
        let least = last.map_or(1.0, |last| COORDINATES / statement.extent(last).max(1) as f64);
        let share = if last.is_some() { least.clamp(1.0 / 256.0, 1.0) } else { 1.0 };
        Self { first, slices: slices(statement, nest, first, random), last, share, salt: 0 }
    }

    /// Slices one behind the other, in the middle of the entries of the operand that has most, with about so
    /// many of these.
    pub(crate) fn window(statement: &Statement, nest: &Nest, first: Var, entries: usize) -> Self {
        let columns = nest.terms.iter().flatten().filter_map(|&access| column_of(statement, access, first));
        let largest = columns.max_by_key(|(points, _)| points.len()).filter(|(points, _)| !points.is_empty());
        let slices: BTreeMap<u32, f64> = match largest {
            Some((points, mode)) => {
                let mut column = points.column(mode).to_vec();
                column.sort_unstable();
                let begin = column.len().saturating_sub(entries) / 2;
                column[begin..].iter().take(entries).map(|&at| (at, 1.0)).collect()
            }
            None => (0..statement.extent(first).min(SLICES as u64) as u32).map(|at| (at, 1.0)).collect(),
        };
        Self { first, slices, last: None, share: 1.0, salt: 0 }
    }

    /// Every second slice, which stands for its neighbour too; of few, half of the coordinates of the last
    /// index.
    pub(crate) fn smaller(self) -> Self {
        if self.slices.len() <= FEW && self.last.is_some() && self.share > LEAST || self.slices.len() < 2 {
            return Self { share: self.share / 2.0, ..self };
        }
        let count = self.slices.len();
        let second = self.slices.into_iter().skip((self.salt & 1) as usize).step_by(2);
        let slices: Vec<(u32, f64)> = second.collect();
        let factor = count as f64 / slices.len() as f64;
        let slices = slices.into_iter().map(|(at, weight)| (at, factor * weight)).collect();
        Self { slices, ..self }
    }

    /// Whether less can be drawn.
    pub(crate) fn can_shrink(&self) -> bool {
        self.slices.len() > 1 || self.last.is_some() && self.share > LEAST
    }

    /// The first variable, then the others of a nest in dataflow order.
    pub(crate) fn order(&self, nest: &Nest) -> Vec<Var> {
        let others = nest.variables.iter().copied().filter(|&var| var != self.first);
        std::iter::once(self.first).chain(others).collect()
    }

    /// The coordinates of each variable that are looked at; none stands for all.
    pub(crate) fn kept(&self, statement: &Statement) -> Vec<Option<Vec<bool>>> {
        let mut kept: Vec<Option<Vec<bool>>> = vec![None; statement.variables.len()];
        let mut of_first = vec![false; statement.extent(self.first) as usize];
        self.slices.keys().for_each(|&at| of_first[at as usize] = true);
        kept[self.first.0] = Some(of_first);
        if let Some(last) = self.last.filter(|_| self.share < 1.0) {
            let bound = (self.share * u64::MAX as f64) as u64;
            let is_kept = |at: u64| mixed(at ^ self.salt) < bound;
            kept[last.0] = Some((0..statement.extent(last)).map(is_kept).collect());
        }
        kept
    }

    /// The share of the coordinates of the last index among those that are kept, which is not quite that by
    /// which they were drawn.
    pub(crate) fn share_of(&self, kept: &[Option<Vec<bool>>]) -> f64 {
        let kept = self.last.and_then(|last| kept[last.0].as_ref());
        kept.map_or(1.0, |kept| {
            kept.iter().filter(|&&is_kept| is_kept).count() as f64 / kept.len().max(1) as f64
        })
    }

    /// Whether an access has the variable whose slices were drawn.
    pub(crate) fn has_first(&self, indices: &[Var]) -> bool {
        indices.contains(&self.first)
    }
}

fn slices(statement: &Statement, nest: &Nest, first: Var, random: &mut Random) -> BTreeMap<u32, f64> {
    let extent = statement.extent(first) as usize;
    let count = if nest.terms.len() > 1 { 4 * SLICES } else { SLICES };
    if extent <= count {
        return (0..extent as u32).map(|at| (at, 1.0)).collect();
    }
    // Of each product, the operand with most entries. One without any there has products in all slices.
    let of_term = |term: &Term| {
        let columns = term.iter().filter_map(|&access| column_of(statement, access, first));
        columns.max_by_key(|(points, _)| points.len())
    };
    let columns: Option<Vec<(&Points, usize)>> = nest.terms.iter().map(of_term).collect();
    match columns {
        Some(columns) if columns.iter().any(|(points, _)| !points.is_empty()) => {
            by_entries(&columns, extent, count, random)
        }
        _ => by_coordinates(extent, count, random),
    }
}

/// In proportion to the entries that points have in them, all together. Of several products, one may have
/// more of them where it has few entries: half of the slices are drawn whatever they have.
fn by_entries(
    columns: &[(&Points, usize)],
    extent: usize,
    count: usize,
    random: &mut Random,
) -> BTreeMap<u32, f64> {
    let all: usize = columns.iter().map(|(points, _)| points.len()).sum();
    let entries: Vec<Vec<u32>> = columns.iter().map(|(points, mode)| points.entries_along(*mode)).collect();
    let anywhere = if columns.len() > 1 { 0.5 } else { 0.0 };
    let mut drawn = BTreeMap::new();
    for number in 0..count {
        let is_anywhere = columns.len() > 1 && number % 2 == 1;
        let at = match is_anywhere {
            true => random.below(extent) as u32,
            false => entry(columns, random.below(all)),
        };
        let own: usize = entries.iter().map(|entries| entries[at as usize] as usize).sum();
        let probability = (1.0 - anywhere) * own as f64 / all as f64 + anywhere / extent as f64;
        *drawn.entry(at).or_insert(0.0) += (count as f64 * probability).recip();
    }
    drawn
}

/// The coordinate of an entry, by its place among those of all columns.
fn entry(columns: &[(&Points, usize)], mut place: usize) -> u32 {
    for (points, mode) in columns {
        if let Some(&at) = points.column(*mode).get(place) {
            return at;
        }
        place -= points.len();
    }
    unreachable!("the place is below the sum of the lengths")
}

fn by_coordinates(extent: usize, count: usize, random: &mut Random) -> BTreeMap<u32, f64> {
    let mut drawn = BTreeMap::new();
    for _ in 0..count {
        *drawn.entry(random.below(extent) as u32).or_insert(0.0) += extent as f64 / count as f64;
    }
    drawn
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
