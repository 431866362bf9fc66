//! What commands make of loops that are only planned.

use super::{Action, Command, Pair, merged, reordered, tile_name};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedLoop<T> {
    pub name: String,
    /// What it is a loop over, or a part of one; several things where loops are fused.
    pub wholes: Vec<T>,
}

/// Planned loops around the computation of a value, with those of the sums that are computed inside of them.
pub struct PlannedNest<T, V> {
    pub loops: Vec<PlannedLoop<T>>,
    /// The value; `None` where loops have nothing but sums in them.
    pub value: Option<V>,
    /// The loops around that the value, or a sum in it, depends on.
    pub uses: Vec<T>,
    /// The sums, in the order in which they are computed.
    pub sums: Vec<PlannedNest<T, V>>,
}

/// What a schedule makes of planned loops.
pub struct BoundLoops<T, V> {
    /// The values, each with what the loops around it are over, in the order in which the last part of each
    /// is bound.
    pub values: Vec<(V, Vec<T>)>,
    /// Whether sums go into workspaces because their loops go outside of loops that they are computed in.
    pub takes_sums_out: bool,
}

/// What the loops are over after the commands; `None` where one cannot be carried out. The loops of `nest`
/// are all inside of `around`, which have other things in them as well.
pub fn bound_after<T: Clone + PartialEq, V>(
    commands: &[Command<'_>],
    mut around: Vec<PlannedLoop<T>>,
    mut nest: PlannedNest<T, V>,
) -> Option<BoundLoops<T, V>> {
    let mut takes_sums_out = false;
    for command in commands {
        if let Action::Fuse(pair) = &command.action {
            takes_sums_out |= nest.take_sums_out(&|nest| nest.place_for(pair), &|_| None);
        }
        apply(&command.action, &mut around);
        nest.apply(&command.action);
        match &command.action {
            Action::Order(vars) => {
                let rank = |item: &PlannedLoop<T>| vars.iter().position(|var| *var == item.name);
                if is_against(&around, nest.least(&rank), &rank).is_some() {
                    return None;
                }
                let place =
                    |nest: &PlannedNest<T, V>| is_against(&nest.loops, nest.least_of_sums(&rank), &rank);
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
type Rank<'a, T> = dyn Fn(&PlannedLoop<T>) -> Option<usize> + 'a;

/// The outermost loop of a nest that its sums are not to be in.
type OutermostLoop<'a, T, V> = dyn Fn(&PlannedNest<T, V>) -> Option<usize> + 'a;

impl<T: Clone + PartialEq, V> PlannedNest<T, V> {
    /// Changes every list of loops as a command does.
    fn apply(&mut self, action: &Action) {
        apply(action, &mut self.loops);
        self.sums.iter_mut().for_each(|sum| sum.apply(action));
    }

    fn least(&self, rank: &Rank<'_, T>) -> Option<usize> {
        self.loops.iter().filter_map(rank).chain(self.least_of_sums(rank)).min()
    }

    fn least_of_sums(&self, rank: &Rank<'_, T>) -> Option<usize> {
        self.sums.iter().filter_map(|sum| sum.least(rank)).min()
    }

    /// The outermost of two loops that become one, where the other is one of a sum.
    fn place_for(&self, pair: &Pair) -> Option<usize> {
        let other = |item: &PlannedLoop<T>| match &item.name {
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
    fn take_sums_out(&mut self, place: &OutermostLoop<'_, T, V>, rank: &Rank<'_, T>) -> bool {
        let own = place(self);
        if let Some(place) = own {
            let loops = self.loops.split_off(place);
            let mut sums = std::mem::take(&mut self.sums);
            let mut first = sums.remove(0);
            let used: Vec<PlannedLoop<T>> =
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

    fn depends_on(&self, item: &PlannedLoop<T>) -> bool {
        item.wholes.iter().any(|whole| self.uses.contains(whole))
    }

    /// `None` where two loops that become one are in different lists.
    fn check_fused(&self, pair: &Pair, around: &[PlannedLoop<T>]) -> Option<()> {
        let all: Vec<PlannedLoop<T>> = around.iter().chain(&self.loops).cloned().collect();
        let has = |name: &str| all.iter().any(|item| item.name == name);
        if has(&pair.outer) && has(&pair.inner) {
            return None;
        }
        self.sums.iter().try_for_each(|sum| sum.check_fused(pair, &all))
    }

    fn collect(self, around: &[PlannedLoop<T>], values: &mut Vec<(V, Vec<T>)>) {
        let all: Vec<PlannedLoop<T>> = around.iter().chain(&self.loops).cloned().collect();
        if let Some(value) = self.value {
            values.push((value, last_parts(&all)));
        }
        for sum in self.sums {
            sum.collect(&all, values);
        }
    }
}

/// The place of the outermost loop that a loop inside of it, of the given rank, goes outside of.
fn is_against<T>(loops: &[PlannedLoop<T>], inside: Option<usize>, rank: &Rank<'_, T>) -> Option<usize> {
    let inside = inside?;
    loops.iter().position(|item| rank(item).is_some_and(|own| own > inside))
}

/// What loops are over, in the order of the last loop over a part of each.
fn last_parts<T: Clone + PartialEq>(loops: &[PlannedLoop<T>]) -> Vec<T> {
    let mut order: Vec<T> = Vec::new();
    for whole in loops.iter().flat_map(|item| item.wholes.iter().cloned()) {
        order.retain(|other| *other != whole);
        order.push(whole);
    }
    order
}

fn apply<T: Clone + PartialEq>(action: &Action, chain: &mut Vec<PlannedLoop<T>>) {
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
        | Action::Mark(..)
        | Action::Environment(..)
        | Action::Accelerator(_) => {}
    }
}

fn rename<T>(chain: &mut [PlannedLoop<T>], var: &str, name: &str) {
    for item in chain.iter_mut().filter(|item| item.name == var) {
        name.clone_into(&mut item.name);
    }
}

fn cut<T: Clone>(chain: &mut Vec<PlannedLoop<T>>, var: &str, outer: &str, inner: &str) {
    let Some(place) = chain.iter().position(|item| item.name == var) else { return };
    let wholes = chain[place].wholes.clone();
    let half = |name: &str| PlannedLoop { name: name.to_owned(), wholes: wholes.clone() };
    chain.splice(place..=place, [half(outer), half(inner)]);
}

/// The inner one of two loops comes to the outer one, wherever in the list it is.
fn fuse<T: Clone>(chain: &mut Vec<PlannedLoop<T>>, pair: &Pair) {
    let is_outer = |item: &PlannedLoop<T>| item.name == pair.outer;
    let Some(inner) = chain.iter().position(|item| item.name == pair.inner) else { return };
    if pair.outer == pair.inner || !chain.iter().any(is_outer) {
        return;
    }
    let inner = chain.remove(inner);
    let outer = chain.iter_mut().find(|item| is_outer(item)).expect("it is another loop");
    outer.wholes.extend(inner.wholes);
    outer.name.clone_from(&pair.fused);
}
