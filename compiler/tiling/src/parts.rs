//! The parts of a nest's operands that a sample looks at.

use crate::draw::Draw;
use crate::join::{Join, JoinOperand, Visitor};
use crate::points::Points;
use crate::statement::{Access, Nest, Pattern, Statement, Var, position};
use crate::tiled::Tiled;
use itertools::Itertools as _;

/// How many elements of a dense operand are looked at, at most.
const MOST_DENSE: usize = 1 << 21;

/// Of each access in the nest, as one tile, its levels in the order of the loops; none has all coordinates.
pub(crate) struct SampledAccesses {
    tiled: Vec<Option<Tiled>>,
    /// The share of the coordinates of the result's last index that is looked at.
    pub(crate) share: f64,
    /// The coordinates of each variable that were drawn; none stands for all.
    drawn: Vec<Option<Vec<u32>>>,
}

impl SampledAccesses {
    pub(crate) fn new(statement: &Statement, nest: &Nest, draw: &Draw, order: &[Var]) -> Self {
        let mut kept = draw.kept(statement);
        let share = draw.share_of(&kept);
        let drawn = kept.iter().map(|kept| kept.as_ref().map(|kept| listed(kept))).collect();
        let mut tiled = vec![None; statement.accesses.len()];
        for access in reading_order(statement, nest, draw) {
            let own = &statement.accesses[access];
            let Some(part) = part_of(statement, own, &kept) else { continue };
            // The coordinates that a factor has are all that others are asked for.
            if nest.terms.len() == 1 {
                for (mode, var) in own.indices.iter().enumerate() {
                    kept[var.0] = Some(present(&part, mode));
                }
            }
            let mut modes: Vec<usize> = (0..own.indices.len()).collect();
            modes.sort_by_key(|&mode| position(order, own.indices[mode]));
            let part = part.permuted(&modes);
            tiled[access] = Some(Tiled::new(&part, part.extents()));
        }
        Self { tiled, share, drawn }
    }

    pub(crate) fn walk(&self, statement: &Statement, nest: &Nest, order: &[Var], visitor: &mut impl Visitor) {
        let has_all = |term: &Vec<usize>| {
            term.iter().all(|&access| self.tiled[access].as_ref().is_none_or(|part| part.tiles() > 0))
        };
        let operands = self.tiled.iter().enumerate().map(|(access, part)| {
            let terms = nest.terms_where(|term| term.contains(&access) && has_all(term));
            let mut depths: Vec<usize> = match terms {
                0 => Vec::new(),
                _ => statement.accesses[access].indices.iter().map(|&var| position(order, var)).collect(),
            };
            depths.sort_unstable();
            let levels = part.as_ref().filter(|_| terms != 0).map(|part| &part.levels()[part.rank()..]);
            JoinOperand { levels, depths, terms }
        });
        let terms = nest.terms_where(has_all);
        let counts = order.iter().map(|&var| statement.extent(var).min(u64::from(u32::MAX)) as u32).collect();
        if terms != 0 {
            let mut join = Join::new(operands.collect(), counts);
            for (depth, var) in order.iter().enumerate() {
                if let Some(drawn) = &self.drawn[var.0] {
                    join.among(depth, drawn.clone());
                }
            }
            join.walk(vec![0; self.tiled.len()], terms, visitor);
        }
    }
}

/// Operands with what was drawn come first, so that others are read only where these have something; dense
/// ones come last.
fn reading_order(statement: &Statement, nest: &Nest, draw: &Draw) -> Vec<usize> {
    let rank = |access: usize| {
        let own = &statement.accesses[access];
        (own.pattern == Pattern::Dense, !draw.has_first(&own.indices), access)
    };
    nest.terms.iter().flatten().copied().unique().sorted_by_key(|&access| rank(access)).collect()
}

/// What an access has at the coordinates that are kept; none where that would be too much.
fn part_of(statement: &Statement, access: &Access, kept: &[Option<Vec<bool>>]) -> Option<Points> {
    let sets: Vec<Option<&[bool]>> = access.indices.iter().map(|var| kept[var.0].as_deref()).collect();
    match access.points() {
        Some(points) => Some(points.filtered(&sets)),
        None => Points::all(&statement.extents(&access.indices), &sets, MOST_DENSE),
    }
}

fn listed(kept: &[bool]) -> Vec<u32> {
    (0..kept.len() as u32).filter(|&at| kept[at as usize]).collect()
}

fn present(points: &Points, mode: usize) -> Vec<bool> {
    let mut present = vec![false; points.extents()[mode] as usize];
    points.column(mode).iter().for_each(|&at| present[at as usize] = true);
    present
}
