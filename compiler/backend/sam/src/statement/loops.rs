//! The loops of a compute as graphs have them: over whole index variables, or over both parts of one that is
//! cut into tiles of a number of coordinates.

use super::names::ValueNames;
use comet_ir::cin::{Forall, ParallelUnit, Where};
use comet_ir::{Op, Val};
use comet_notation::distinct;
use comet_passes::cin;
use comet_passes::nest::{self, Blocks, Relations, Split};
use comet_passes::schedule::tile_name;
use comet_sam::lower::Choices;

/// A loop: its variable, and the one of the expression that it is or is a part of.
#[derive(Clone, Copy, PartialEq)]
struct Loop<'c> {
    var: Val<'c>,
    root: Val<'c>,
}

#[derive(Clone, Copy)]
pub(super) struct TileSplit<'c> {
    pub(super) whole: Val<'c>,
    pub(super) outer: Val<'c>,
    pub(super) inner: Val<'c>,
    pub(super) size: u64,
}

impl<'c> TileSplit<'c> {
    /// That of a split whose tiles have a size that is known before anything runs.
    fn of(split: Split<'c>) -> Option<Self> {
        let size = match split.blocks {
            Blocks::OfSize(size) => size,
            Blocks::InNumber(number) => {
                let extent = u64::try_from(nest::constant_extent(split.var)?).ok()?;
                extent.div_ceil(number).max(1)
            }
        };
        Some(Self { whole: split.var, outer: split.outer, inner: split.inner, size })
    }

    /// Whether the last tile is as full as the others, whatever is read.
    pub(super) fn is_even(&self) -> bool {
        nest::constant_extent(self.whole)
            .is_some_and(|extent| extent.cast_unsigned().is_multiple_of(self.size))
    }

    /// Whether a command says so.
    fn is_commanded(&self) -> bool {
        Op::defining(self.outer).is_some_and(cin::is_commanded)
    }

    /// Whether it is one of `tile`.
    fn is_tile(&self) -> bool {
        nest::name(self.outer) == tile_name(&nest::name(self.whole))
    }
}

pub(super) struct Loops<'c> {
    relations: Relations<'c>,
    /// Outermost first; those of producers before their consumers'.
    order: Vec<Loop<'c>>,
    marked: Vec<(Forall<'c>, Val<'c>)>,
}

impl<'c> Loops<'c> {
    pub(super) fn new(relations: Relations<'c>) -> Self {
        Self { relations, order: Vec::new(), marked: Vec::new() }
    }

    pub(super) fn relations(&self) -> &Relations<'c> {
        &self.relations
    }

    pub(super) fn add(&mut self, forall: Forall<'c>) {
        let var = self.relations.unbounded(forall.var());
        self.marked.push((forall, var));
        for found in self.loops_of(var) {
            if !self.order.contains(&found) {
                self.order.push(found);
            }
        }
    }

    /// A part of a variable of the expression is a loop of its own; everything else is one over all that it
    /// is made of.
    fn loops_of(&self, var: Val<'c>) -> Vec<Loop<'c>> {
        let split = self.relations.split_into(var);
        let root = split.map(|split| split.var).filter(|whole| self.relations.roots(*whole) == [*whole]);
        match root {
            Some(root) => vec![Loop { var, root }],
            None => self.relations.roots(var).into_iter().map(|root| Loop { var: root, root }).collect(),
        }
    }

    pub(super) fn rename(&mut self, rename: &dyn Fn(Val<'c>) -> Val<'c>) {
        let renamed = |found: &Loop<'c>| Loop { var: rename(found.var), root: rename(found.root) };
        self.order = distinct(self.order.iter().map(renamed));
        self.marked.iter_mut().for_each(|(_, var)| *var = rename(*var));
    }

    /// The variables whose loops are over the two parts of one cut, everywhere: because a command says so, or
    /// something is stored in such parts.
    pub(super) fn cuts(&self, is_stored: &dyn Fn(&TileSplit<'c>) -> bool) -> Vec<TileSplit<'c>> {
        let cuts = self.relations.splits.iter().filter_map(|split| TileSplit::of(*split));
        let cuts = cuts.filter(|cut| cut.is_commanded() || is_stored(cut));
        cuts.filter(|cut| {
            let of_root = self.order.iter().filter(|found| found.root == cut.whole);
            let vars: Vec<Val<'c>> = of_root.map(|found| found.var).collect();
            vars == [cut.outer, cut.inner] || vars == [cut.inner, cut.outer]
        })
        .collect()
    }

    /// The variables whose loops commands cut, but not in such a way.
    pub(super) fn uncut(&self, cuts: &[TileSplit<'c>]) -> Vec<Val<'c>> {
        let is_commanded = |found: &&Loop<'c>| Op::defining(found.var).is_some_and(cin::is_commanded);
        let is_cut = |found: &Loop<'c>| cuts.iter().any(|cut| cut.whole == found.root);
        let uncut = self.order.iter().filter(is_commanded).filter(|found| !is_cut(found));
        distinct(uncut.map(|found| found.root))
    }

    /// Why a variable is none of the cuts.
    pub(super) fn why_whole(&self, var: Val<'c>) -> &'static str {
        let mut splits = self.relations.splits.iter().filter(|split| split.var == var);
        if splits.any(|split| TileSplit::of(*split).is_none()) {
            "how many coordinates a tile has is not known before something is read"
        } else {
            "its loops are not one over tiles and one over what is in them"
        }
    }

    /// The variables of the graphs, outermost first. Loops over tiles that are inside of others only because
    /// what they compute goes into a temporary are outside of all in a graph, as their command has it.
    pub(super) fn order(&self, cuts: &[TileSplit<'c>]) -> Vec<Val<'c>> {
        let is_cut = |found: &Loop<'c>| cuts.iter().any(|cut| cut.whole == found.root);
        let vars = self.order.iter().map(|found| if is_cut(found) { found.var } else { found.root });
        let mut order = distinct(vars);
        let is_over_tiles = |var: &Val<'c>| cuts.iter().any(|cut| cut.is_tile() && cut.outer == *var);
        let is_in_where = |forall: Forall<'c>| forall.ancestors().any(|op| op.is::<Where<'_>>());
        let is_of_temporary =
            |(forall, var): &(Forall<'c>, Val<'c>)| is_over_tiles(var) && is_in_where(*forall);
        if self.marked.iter().any(is_of_temporary) {
            order.sort_by_key(|var| !is_over_tiles(var));
        }
        order
    }

    pub(super) fn word_bits(&self, order: &[Val<'c>], var: Val<'c>) -> Option<u32> {
        let own = self.marked.iter().filter(|(_, marked)| self.iterated(order, *marked) == Some(var));
        own.filter_map(|(forall, _)| u32::try_from(forall.bitvector()?).ok()).next()
    }

    pub(super) fn in_words(&self, order: &[Val<'c>]) -> Vec<Val<'c>> {
        order.iter().copied().filter(|var| self.word_bits(order, *var).is_some()).collect()
    }

    /// What the schedule chooses of graphs over these variables.
    pub(super) fn choices(
        &self,
        order: &[Val<'c>],
        cuts: &[TileSplit<'c>],
        names: &mut ValueNames<'c>,
    ) -> Choices {
        let mut choices = Choices::default();
        for (forall, marked) in &self.marked {
            let Some(var) = self.iterated(order, *marked) else { continue };
            let name = names.of(var);
            if forall.skip() {
                choices.skipped.insert(name.clone());
            }
            if let Some(lanes) = count(forall.vectorize()) {
                choices.lanes.entry(name.clone()).or_insert(lanes);
            }
            let is_cpu = forall.parallel() == Some(ParallelUnit::Cpu);
            if let Some(copies) = count(forall.tasks()).filter(|_| !is_cpu) {
                choices.parallel.entry(name).or_insert(copies);
            }
        }
        choices.tiled_from = tiled_from(order, cuts).map(|var| names.of(var));
        choices
    }

    /// The variable of a graph that a loop is over; none where it is over several.
    fn iterated(&self, order: &[Val<'c>], var: Val<'c>) -> Option<Val<'c>> {
        if order.contains(&var) {
            return Some(var);
        }
        match self.relations.roots(var)[..] {
            [root] if order.contains(&root) => Some(root),
            _ => None,
        }
    }
}

/// The first variable inside of all tiles, where nothing is outside of them.
fn tiled_from<'c>(order: &[Val<'c>], cuts: &[TileSplit<'c>]) -> Option<Val<'c>> {
    let tiles = cuts.iter().filter(|cut| cut.is_tile()).count();
    let (outside, inside) = order.split_at(tiles);
    let are_tiles = outside.iter().all(|var| cuts.iter().any(|cut| cut.is_tile() && cut.outer == *var));
    inside.first().copied().filter(|_| tiles > 0 && are_tiles)
}

/// A number of more than one.
fn count(mark: Option<i64>) -> Option<usize> {
    mark.and_then(|count| usize::try_from(count).ok()).filter(|count| *count > 1)
}
