//! `fuse` and `pos`: one loop over the pairs of two variables, and loops over positions instead of
//! coordinates.

use super::loops::{around, chain_at, chains, move_body, only_loop, rearrange};
use super::{Schedule, refuse_marked, replace_loop};
use crate::nest::{self, point};
use crate::schedule::{Command, LevelPositions, Pair};
use comet_format::LevelExpr;
use comet_ir::{Builder, IrError, Result, Val, cin, format, ta};
use std::ops::Range;

impl<'c> Schedule<'c> {
    /// Two loops become one. The inner one comes to the outer one, where nothing but loops is between them.
    pub(super) fn fuse(&mut self, command: &Command<'c>, pair: &Pair) -> Result<'c, ()> {
        self.uncut_loops(command, &pair.outer)?;
        self.uncut_loops(command, &pair.inner)?;
        let (Some(outer_var), Some(inner_var)) = (self.var(&pair.outer), self.var(&pair.inner)) else {
            return Ok(());
        };
        if outer_var == inner_var {
            let message = format!("expected two loops, found `{}` twice", pair.outer);
            return Err(IrError::at(command.location(), message).hint("name the loop right inside of it"));
        }
        while let Some(loops) = self.in_other_lists(pair) {
            if !self.take_out(command, loops, &|_| None)? {
                return Err(apart(command, pair));
            }
        }
        self.bring_together(pair)?;
        let pairs = self.pairs(command, pair)?;
        let b = self.declarations(command);
        let fused = cin::Fuse::build(b, outer_var, inner_var, &pair.fused)?.fused();
        for (outer, inner) in pairs {
            refuse_marked(command, outer)?;
            refuse_marked(command, inner)?;
            move_body(inner.body(), cin::loops(Builder::before(outer), &[fused])?.block());
            outer.erase();
        }
        self.vars.insert(pair.fused.clone(), fused);
        Ok(())
    }

    /// Two loops that are to become one, the second inside of the first, with more than loops between them.
    fn in_other_lists(&self, pair: &Pair) -> Option<[cin::Forall<'c>; 2]> {
        let all = [self.loops(&pair.outer), self.loops(&pair.inner)].concat();
        let is_apart = |inside: cin::Forall<'c>, outer: &cin::Forall<'c>| {
            outer.var() != inside.var() && !chain_at(*outer).contains(&inside)
        };
        all.iter().copied().find_map(|inside| {
            let outside = around(inside).filter(|outer| all.contains(outer) && is_apart(inside, outer));
            Some([outside.last()?, inside])
        })
    }

    /// Puts the inner loop right inside of the outer one in every list of loops that has both.
    fn bring_together(&self, pair: &Pair) -> Result<'c, ()> {
        let (outer, inner) = (self.loops(&pair.outer), self.loops(&pair.inner));
        chains(self.compute.body()).into_iter().try_for_each(|chain| {
            let Some(moved) = chain.iter().find(|forall| inner.contains(forall)).copied() else {
                return Ok(());
            };
            let mut wanted: Vec<cin::Forall<'c>> =
                chain.iter().copied().filter(|forall| *forall != moved).collect();
            let Some(place) = wanted.iter().position(|forall| outer.contains(forall)) else { return Ok(()) };
            wanted.insert(place + 1, moved);
            rearrange(&chain, &wanted)
        })
    }

    /// The loops that become one. Those over one variable only stay as they are, where the other has no loop
    /// around them or inside.
    fn pairs(
        &self,
        command: &Command<'c>,
        pair: &Pair,
    ) -> Result<'c, Vec<(cin::Forall<'c>, cin::Forall<'c>)>> {
        let (outer, inner) = (self.loops(&pair.outer), self.loops(&pair.inner));
        let next = outer.iter().filter_map(|forall| Some((*forall, only_loop(*forall)?)));
        let pairs: Vec<(cin::Forall<'c>, cin::Forall<'c>)> =
            next.filter(|(_, next)| inner.contains(next)).collect();
        let is_paired =
            |forall: &cin::Forall<'c>| pairs.iter().any(|(outer, inner)| outer == forall || inner == forall);
        let is_apart = |forall: &cin::Forall<'c>, others: &[cin::Forall<'c>]| {
            !is_paired(forall) && around(*forall).any(|outside| others.contains(&outside))
        };
        let are_apart = inner.iter().any(|forall| is_apart(forall, &outer))
            || outer.iter().any(|forall| is_apart(forall, &inner));
        if pairs.is_empty() || are_apart { Err(apart(command, pair)) } else { Ok(pairs) }
    }

    pub(super) fn pos(&mut self, command: &Command<'c>, positions: &LevelPositions) -> Result<'c, ()> {
        let loops = self.uncut_loops(command, &positions.var)?;
        let Some(var) = self.var(&positions.var) else { return Ok(()) };
        // Another compute of the statement has the access.
        let Some(access) = self.access(positions) else { return Ok(()) };
        let (tensor, indices) = point(access);
        let levels = self.levels_of(command, positions, var, access)?;
        let tensor = self.with_positions(command, tensor, &levels)?;
        let b = self.declarations(command);
        let level = levels.end as i64 - 1;
        let position = cin::Pos::build(b, var, tensor, &indices, level, &positions.position)?.position();
        for forall in loops {
            replace_loop(command, forall, &[position])?;
        }
        self.vars.insert(positions.position.clone(), position);
        Ok(())
    }

    /// The access that a command names. An operand that was copied into another format is still itself.
    pub(super) fn access(&self, positions: &LevelPositions) -> Option<cin::Access<'c>> {
        self.compute.walk::<cin::Access>().into_iter().find(|access| {
            let (tensor, indices) = point(*access);
            let names: Vec<String> = indices.into_iter().map(nest::name).collect();
            let is_named = |tensor| nest::name(tensor) == positions.tensor;
            (is_named(tensor) || is_named(self.original(tensor))) && names == positions.indices
        })
    }

    /// The tensor that another one was copied from in front of the compute.
    pub(super) fn original(&self, tensor: Val<'c>) -> Val<'c> {
        let before = self.compute.block().map_or(Vec::new(), |block| block.ops());
        let copy = before
            .into_iter()
            .take_while(|op| *op != *self.compute)
            .filter_map(|op| op.cast::<ta::Convert>())
            .filter(|copy| copy.target() == tensor)
            .last();
        let declaration = ta::TensorDecl::defining(tensor);
        let is_copy = declaration.is_some_and(|declaration| declaration.copy());
        copy.filter(|_| is_copy).map_or(tensor, |copy| self.original(copy.source()))
    }

    /// The level whose coordinates are the values of a variable; of a fused one, the levels that follow each
    /// other as its parts do.
    fn levels_of(
        &self,
        command: &Command<'c>,
        positions: &LevelPositions,
        var: Val<'c>,
        access: cin::Access<'c>,
    ) -> Result<'c, Range<usize>> {
        let relations = nest::relations(self.compute);
        let (tensor, indices) = point(access);
        let levels = format::of(tensor).levels;
        let refuse = |reason: String, hint: &str| {
            let message = format!("no positions of `{}` for `{}`: {reason}", positions.tensor, positions.var);
            Err(IrError::at(command.location(), message).hint(hint))
        };
        let stored = levels.iter().enumerate().filter(|(_, level)| level.expr != LevelExpr::Slot);
        let stored: Vec<(usize, Option<Val<'c>>)> =
            stored.map(|(number, level)| (number, relations.level_var(*level, &indices))).collect();
        let components = relations.components(relations.unbounded(var));
        let is_run = |run: &&[(usize, Option<Val<'c>>)]| {
            run.iter().zip(&components).all(|((_, level), component)| *level == Some(*component))
        };
        let Some(run) = stored.windows(components.len()).find(is_run) else {
            let reason = "none of its levels stores that, or levels in the same order".to_owned();
            return refuse(reason, "`pos` comes before the commands that cut a loop");
        };
        let run = run[0].0..run[run.len() - 1].0 + 1;
        if levels[run.clone()].iter().all(|level| level.kind.is_full()) {
            return refuse("the level is dense, and stores every coordinate".to_owned(), "leave `pos` out");
        }
        Ok(run)
    }
}

fn apart<'c>(command: &Command<'c>, pair: &Pair) -> IrError<'c> {
    let Pair { outer, inner, .. } = pair;
    let message = format!(
        "the loops over `{outer}` and `{inner}` are not one inside of the other, with nothing else in between that can go in front"
    );
    let hint = "leave `fuse` out, or write it before `precompute`";
    IrError::at(command.location(), message).hint(hint)
}
