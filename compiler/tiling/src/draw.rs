//! Which part of a nest's products a sample looks at: some slices along one variable, and of these a share of
//! the coordinates of the result's last index.

use crate::random::{Random, mixed};
use crate::statement::{Nest, Pattern, Statement, Var, connected};
use crate::weights::Weights;
use std::collections::BTreeMap;

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
    pub(crate) salt: u64,
}

/// How many slices are drawn, and of how many coordinates of the last index to begin with where it is not
/// known how many products these have.
const SLICES: usize = 96;
const COORDINATES: f64 = 48.0;

/// How many slices are few, and how small a share of the coordinates says little.
const FEW: usize = 8;
const LEAST: f64 = 1e-4;

impl Draw {
    /// About so many products, if it is known how many slices have.
    pub(crate) fn new(
        statement: &Statement,
        nest: &Nest,
        (first, products): (Var, usize),
        random: &mut Random,
    ) -> Self {
        let last = statement.target.indices.last().copied().filter(|&last| last != first);
        let (extent, weights) = (statement.extent(first) as usize, Weights::new(statement, nest, first));
        let slices = match &weights {
            _ if extent <= SLICES => (0..extent as u32).map(|at| (at, 1.0)).collect(),
            Some(weights) => weights.draw(SLICES, random),
            None => by_coordinates(extent, SLICES, random),
        };
        let share = match (last, &weights) {
            (None, _) => 1.0,
            (Some(_), Some(weights)) => {
                (products as f64 / weights.products_at(slices.keys())).clamp(LEAST, 1.0)
            }
            (Some(last), None) => {
                (COORDINATES / statement.extent(last).max(1) as f64).clamp(1.0 / 256.0, 1.0)
            }
        };
        Self { first, slices, last, share, salt: 0 }
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

    /// The first variable, then the others of a nest as they are [`connected`] by sparse operands.
    pub(crate) fn order(&self, statement: &Statement, nest: &Nest) -> Vec<Var> {
        let accesses = statement.accesses.iter().enumerate();
        let sparse = accesses.filter(|&(access, own)| own.pattern != Pattern::Dense && nest.reads(access));
        let sparse: Vec<&[Var]> = sparse.map(|(_, own)| &own.indices[..]).collect();
        connected(std::iter::once(self.first).chain(nest.variables.iter().copied()), &sparse)
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

fn by_coordinates(extent: usize, count: usize, random: &mut Random) -> BTreeMap<u32, f64> {
    let mut drawn = BTreeMap::new();
    for _ in 0..count {
        *drawn.entry(random.below(extent) as u32).or_insert(0.0) += extent as f64 / count as f64;
    }
    drawn
}
