//! What commands make of loops that are only planned.

use super::expr::Expr;
use super::order::Loop;
use crate::schedule::{Action, Command, Pair, merged, reordered, tile_name};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlannedLoop {
    pub(super) name: String,
    /// What it is a loop over, or a part of one; several things where loops are fused.
    pub(super) wholes: Vec<Loop>,
}

/// Planned loops around the computation of a value, with those of the sums that are computed inside of them.
pub(super) struct PlannedNest<'a, 'c> {
    pub(super) loops: Vec<PlannedLoop>,
    /// The value; `None` where loops have nothing but sums in them.
    pub(super) value: Option<&'a Expr<'c>>,
    /// The loops around that the value, or a sum in it, depends on.
    pub(super) uses: Vec<Loop>,
    /// The sums, in the order in which they are computed.
    pub(super) sums: Vec<PlannedNest<'a, 'c>>,
}

/// What a schedule makes of planned loops.
pub(super) struct BoundLoops<'a, 'c> {
    /// The values, each with what the loops around it are over, in the order in which the last part of each
    /// is bound.
    pub(super) values: Vec<(&'a Expr<'c>, Vec<Loop>)>,
    /// Whether sums go into workspaces because their loops go outside of loops that they are computed in.
    pub(super) takes_sums_out: bool,
}

/// What the loops are over after the commands; `None` where one cannot be carried out. The loops of `nest`
/// are all inside of `around`, which have other things in them as well.
pub(super) fn bound_after<'a, 'c>(
    commands: &[Command<'_>],
    mut around: Vec<PlannedLoop>,
    mut nest: PlannedNest<'a, 'c>,
) -> Option<BoundLoops<'a, 'c>> {
    let mut takes_sums_out = false;
    for command in commands {
        if let Action::Fuse(pair) = &command.action {
            takes_sums_out |= nest.take_sums_out(&|nest| nest.place_for(pair), &|_| None);
        }
        apply(&command.action, &mut around);
        nest.apply(&command.action);
        match &command.action {
            Action::Order(vars) => {
                let rank = |item: &PlannedLoop| vars.iter().position(|var| *var == item.name);
                if is_against(&around, nest.least(&rank), &rank).is_some() {
                    return None;
                }
                let place =
                    |nest: &PlannedNest<'a, 'c>| is_against(&nest.loops, nest.least_of_sums(&rank), &rank);
                takes_sums_out |= nest.take_sums_out(&place, &rank);
            }
            Action::Fuse(pair) => nest.check_fused(pair, &around)?,
            _ => {}
        }
    }
    let mut values = Vec::new();
    nest.collect(&around, &mut values);
    Some(BoundLoops { values, takes_sums_out })
}

/// Where loops are ranked.
type Rank<'r> = dyn Fn(&PlannedLoop) -> Option<usize> + 'r;

/// The outermost loop of a nest that its sums are not to be in.
type OutermostLoop<'r, 'a, 'c> = dyn Fn(&PlannedNest<'a, 'c>) -> Option<usize> + 'r;

impl<'a, 'c> PlannedNest<'a, 'c> {
    /// Changes every list of loops as a command does.
    fn apply(&mut self, action: &Action) {
        apply(action, &mut self.loops);
        self.sums.iter_mut().for_each(|sum| sum.apply(action));
    }

    fn least(&self, rank: &Rank<'_>) -> Option<usize> {
        self.loops.iter().filter_map(rank).chain(self.least_of_sums(rank)).min()
    }

    fn least_of_sums(&self, rank: &Rank<'_>) -> Option<usize> {
        self.sums.iter().filter_map(|sum| sum.least(rank)).min()
    }

    /// The outermost of two loops that become one, where the other is one of a sum.
    fn place_for(&self, pair: &Pair) -> Option<usize> {
        let other = |item: &PlannedLoop| match &item.name {
            name if *name == pair.outer => Some(&pair.inner),
            name if *name == pair.inner => Some(&pair.outer),
            _ => None,
        };
        let is_in_sum = |name: &String| self.sums.iter().any(|sum| sum.has(name));
        self.loops.iter().position(|item| other(item).is_some_and(is_in_sum))
    }

    fn has(&self, name: &str) -> bool {
        self.loops.iter().any(|item| item.name == name) || self.sums.iter().any(|sum| sum.has(name))
    }

    /// Sums that are not to be in some of the nest's loops are computed for all iterations of these first;
    /// says whether there are such. The first sum is computed around the others.
    fn take_sums_out(&mut self, place: &OutermostLoop<'_, 'a, 'c>, rank: &Rank<'_>) -> bool {
        let own = place(self);
        if let Some(place) = own {
            let loops = self.loops.split_off(place);
            let mut sums = std::mem::take(&mut self.sums);
            let mut first = sums.remove(0);
            let used: Vec<PlannedLoop> =
                loops.iter().filter(|item| first.depends_on(item)).cloned().collect();
            first.loops = merged(&used, &first.loops, rank);
            let consumer = match (self.value.take(), sums.pop()) {
                // It is that of an earlier command.
                (None, Some(consumer)) => Self { loops: merged(&loops, &consumer.loops, rank), ..consumer },
                (value, last) => {
                    sums.extend(last);
                    Self { loops, value, uses: self.uses.clone(), sums }
                }
            };
            self.sums = vec![first, consumer];
        }
        let inside = self.sums.iter_mut().map(|sum| sum.take_sums_out(place, rank)).filter(|taken| *taken);
        inside.count() > 0 || own.is_some()
    }

    fn depends_on(&self, item: &PlannedLoop) -> bool {
        item.wholes.iter().any(|whole| self.uses.contains(whole))
    }

    /// `None` where two loops that become one are in different lists.
    fn check_fused(&self, pair: &Pair, around: &[PlannedLoop]) -> Option<()> {
        let all: Vec<PlannedLoop> = around.iter().chain(&self.loops).cloned().collect();
        let has = |name: &str| all.iter().any(|item| item.name == name);
        if has(&pair.outer) && has(&pair.inner) {
            return None;
        }
        self.sums.iter().try_for_each(|sum| sum.check_fused(pair, &all))
    }

    fn collect(self, around: &[PlannedLoop], values: &mut Vec<(&'a Expr<'c>, Vec<Loop>)>) {
        let all: Vec<PlannedLoop> = around.iter().chain(&self.loops).cloned().collect();
        if let Some(value) = self.value {
            values.push((value, last_parts(&all)));
        }
        for sum in self.sums {
            sum.collect(&all, values);
        }
    }
}

/// The place of the outermost loop that a loop inside of it, of the given rank, goes outside of.
fn is_against(loops: &[PlannedLoop], inside: Option<usize>, rank: &Rank<'_>) -> Option<usize> {
    let inside = inside?;
    loops.iter().position(|item| rank(item).is_some_and(|own| own > inside))
}

/// What loops are over, in the order of the last loop over a part of each.
fn last_parts(loops: &[PlannedLoop]) -> Vec<Loop> {
    let mut order: Vec<Loop> = Vec::new();
    for whole in loops.iter().flat_map(|item| item.wholes.iter().copied()) {
        order.retain(|other| *other != whole);
        order.push(whole);
    }
    order
}

fn apply(action: &Action, chain: &mut Vec<PlannedLoop>) {
    match action {
        Action::Order(vars) => {
            *chain = reordered(chain, |item| vars.iter().position(|var| *var == item.name));
        }
        Action::Split(halves) | Action::Divide(halves) => {
            cut(chain, &halves.var, &halves.outer, &halves.inner);
        }
        Action::Tile(sizes) => {
            let outer: Vec<String> = sizes.iter().map(|(var, _)| tile_name(var)).collect();
            for (var, _) in sizes {
                cut(chain, var, &tile_name(var), var);
            }
            chain.sort_by_key(|item| outer.iter().position(|name| *name == item.name).unwrap_or(outer.len()));
        }
        Action::Bound { var, bounded, .. } => rename(chain, var, bounded),
        Action::Pos(positions) => rename(chain, &positions.var, &positions.position),
        Action::Fuse(pair) => fuse(chain, pair),
        Action::Precompute(_)
        | Action::DenseWorkspace(_)
        | Action::SparseWorkspace(..)
        | Action::Assemble(..)
        | Action::Locate(_)
        | Action::Distribute(_)
        | Action::Replicate(_)
        | Action::Mark(..)
        | Action::Environment(..)
        | Action::Accelerator(_) => {}
    }
}

fn rename(chain: &mut [PlannedLoop], var: &str, name: &str) {
    for item in chain.iter_mut().filter(|item| item.name == var) {
        name.clone_into(&mut item.name);
    }
}

fn cut(chain: &mut Vec<PlannedLoop>, var: &str, outer: &str, inner: &str) {
    let Some(place) = chain.iter().position(|item| item.name == var) else { return };
    let wholes = chain[place].wholes.clone();
    let half = |name: &str| PlannedLoop { name: name.to_owned(), wholes: wholes.clone() };
    chain.splice(place..=place, [half(outer), half(inner)]);
}

/// The inner one of two loops comes to the outer one, wherever in the list it is.
fn fuse(chain: &mut Vec<PlannedLoop>, pair: &Pair) {
    let is_outer = |item: &PlannedLoop| item.name == pair.outer;
    let Some(inner) = chain.iter().position(|item| item.name == pair.inner) else { return };
    if pair.outer == pair.inner || !chain.iter().any(is_outer) {
        return;
    }
    let inner = chain.remove(inner);
    let outer = chain.iter_mut().find(|item| is_outer(item)).expect("it is another loop");
    outer.wholes.extend(inner.wholes);
    outer.name.clone_from(&pair.fused);
}
